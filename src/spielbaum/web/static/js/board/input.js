/**
 * Input on the board: tap-tap, drag and drop and keys, all derived from the legal gestures.
 *
 * What is lit is drawn from (gestures, steps done) alone and all at once, so nothing can stay behind. While one drags,
 * a copy follows the pointer; the piece itself stays in its place until the game says that it has moved.
 */

/** @import * as T from "../types.js" */
/** @import {Board} from "./board.js" */
/** @import {Viewport} from "./viewport.js" */
import { svg } from "../dom.js";
import { t } from "../words.js";
import { legalMark, outline } from "./legal.js";
import { copyOf } from "./marks.js";
import { whereabouts } from "./shapes.js";
import { after, canDrag, nearest, optionsAfter } from "./steps.js";

const SLACK = { mouse: 4, pen: 6, touch: 9 };
const REACH = 26; // pixels around a small place that still count for it
const MOST_TARGETS = 700;
const SNAP = 180; // ms

/**
 * @typedef {object} Wishes
 * @property {(gesture: T.Gesture) => void} act
 * @property {(choices: T.Gesture[], cancel: () => void) => void} choose
 * @property {() => void} unchoose
 * @property {(reason: T.Text) => void} explain  why nothing can be done at a place
 */

export class BoardInput {
  /**
   * @param {Board} board
   * @param {Viewport} viewport
   * @param {Wishes} wishes
   */
  constructor(board, viewport, wishes) {
    this.board = board;
    this.viewport = viewport;
    this.wishes = wishes;
    /** @type {T.Gesture[]} */
    this.gestures = [];
    /** @type {string[]} */
    this.done = [];
    this.fromStart = optionsAfter(this.gestures, this.done);
    this.options = this.fromStart;
    /** @type {string | null} where the keyboard is */
    this.cursor = null;
    /** @type {Set<string>} pieces that were dropped in their new place */
    this.dropped = new Set();
    /** @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
    /** @type {{id: number, step: string, x: number, y: number, slack: number} | null} */
    this.pressed = null;
    /** @type {{id: number, reason: T.Text, x: number, y: number} | null} a touch where nothing can be done */
    this.idle = null;
    /** @type {{ghost: SVGGElement, piece: string | null, x: number, y: number, from: {x: number, y: number}} | null} */
    this.drag = null;
    const { svg: surface } = board;
    surface.setAttribute("role", "group");
    surface.setAttribute("tabindex", "-1"); // where the keyboard waits while nothing can be touched
    surface.setAttribute("aria-label", t("board"));
    surface.setAttribute("aria-description", t("boardHelp"));
    surface.addEventListener("pointerdown", (event) => this.down(event));
    surface.addEventListener("pointermove", (event) => this.move(event));
    surface.addEventListener("pointerup", (event) => this.up(event));
    surface.addEventListener("pointercancel", (event) => this.cancelled(event));
    surface.addEventListener("lostpointercapture", (event) => this.cancelled(event));
    surface.addEventListener("touchstart", (event) => this.keepFromScrolling(event), { passive: false });
    surface.addEventListener("keydown", (event) => this.key(event));
    surface.addEventListener("contextmenu", (event) => this.gestures.length && event.preventDefault());
  }

  /** Other moves are legal now; whatever was begun is over. @param {T.Gesture[]} gestures */
  allow(gestures) {
    this.setGestures(gestures.filter((gesture) => gesture.steps.length > 0));
    this.letGo();
    this.reset();
  }

  /** @param {T.Gesture[]} gestures */
  setGestures(gestures) {
    this.gestures = gestures;
    this.fromStart = optionsAfter(gestures, []);
    this.options = this.fromStart;
    this.done = [];
  }

  /** Look up what may follow these steps: once, however often it is drawn or pointed at. @param {string[]} done */
  setDone(done) {
    this.done = done;
    this.options = done.length ? optionsAfter(this.gestures, done) : this.fromStart;
  }

  /** Pieces that the player has put in their place; asked once, when the next position is shown. */
  takeDropped() {
    const dropped = this.dropped;
    this.dropped = new Set();
    return dropped;
  }

  reset() {
    this.setDone([]);
    this.wishes.unchoose();
    this.draw();
  }

  // --- what is lit

  draw() {
    const { board } = this;
    const { next } = this.options;
    const tints = this.done.map((step) => copyOf(board, step, "mark-chosen"));
    if (this.done.length) tints.push(...[...next].map((step) => copyOf(board, step, "mark-target")));
    groupIn(board.under, "marks").replaceChildren(...shown(tints));
    const legal = [...this.done.map((step) => outline(board, step)), ...[...next].map((step) => legalMark(board, step))];
    groupIn(board.over, "marks-legal").replaceChildren(...shown(legal));
    this.drawTargets(new Set([...next, ...this.fromStart.next]), next);
  }

  /**
   * Invisible copies above everything, which can be touched and focused.
   * @param {Set<string>} steps
   * @param {Set<string>} next
   */
  drawTargets(steps, next) {
    const hadFocus = this.board.svg.contains(document.activeElement);
    const ordered = [...steps].slice(0, MOST_TARGETS).sort((a, b) => this.depth(a) - this.depth(b));
    const cursor = this.cursorAmong(next);
    const targets = ordered.map((step) => {
      const target = copyOf(this.board, step, next.has(step) ? "target" : "target begin");
      if (!target) return null;
      target.setAttribute("data-step", step);
      target.setAttribute("role", "button");
      target.setAttribute("aria-label", this.board.nameOf(step));
      target.setAttribute("tabindex", step === cursor ? "0" : "-1");
      if (this.done.includes(step)) target.setAttribute("aria-pressed", "true");
      return target;
    });
    this.board.targets.replaceChildren(...targets.filter((target) => target !== null));
    if (cursor === null && hadFocus) this.board.svg.focus({ preventScroll: true });
    else if (hadFocus) this.focus(cursor);
  }

  /** Where the keyboard goes on: where it was, or as near as can be. @param {Set<string>} steps */
  cursorAmong(steps) {
    if (this.cursor !== null && steps.has(this.cursor)) return this.cursor;
    const from = this.cursor === null ? null : this.board.whereIs(this.cursor);
    const far = (/** @type {string} */ step) => {
      const place = this.board.whereIs(step);
      return from && place ? Math.hypot(place.x - from.x, place.y - from.y) : 0;
    };
    return [...steps].reduce((best, step) => (best === null || far(step) < far(best) ? step : best), /** @type {string | null} */ (null));
  }

  /** Let the keyboard go on at the board. */
  takeFocus() {
    this.board.svg.focus({ preventScroll: true });
    this.focus(this.cursorAmong(this.options.next));
  }

  /** Small things lie above large ones. @param {string} step */
  depth(step) {
    const place = this.board.whereIs(step);
    return place ? -place.width * place.height : 0;
  }

  /** @param {string | null} step */
  focus(step) {
    if (step === null) return;
    this.cursor = step;
    for (const target of this.board.targets.children) {
      const here = target.getAttribute("data-step") === step;
      target.setAttribute("tabindex", here ? "0" : "-1");
      if (here) /** @type {SVGGElement} */ (target).focus();
    }
  }

  // --- gestures

  /** A shape was touched, or a piece dropped on it. @param {string | null} step */
  touch(step) {
    this.setDone(after(this.done, this.options.next, this.fromStart.next, step));
    if (step !== null) this.cursor = step;
    this.wishes.unchoose();
    const { complete, next } = this.options;
    if (complete.length === 1 && !next.size) return this.perform(complete[0]);
    this.draw();
    if (complete.length) this.wishes.choose(complete, () => this.reset());
  }

  /** @param {T.Gesture} gesture */
  perform(gesture) {
    this.setGestures([]);
    this.reset();
    this.wishes.act(gesture);
  }

  /** What lies below a pointer of all that may be touched. @param {PointerEvent} event */
  hit(event) {
    const { next } = this.options;
    const isAllowed = (/** @type {string} */ step) => next.has(step) || this.fromStart.next.has(step);
    const below = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest("[data-step]")?.getAttribute("data-step"));
    const found = [...below, ...this.board.cellsAt(event)].filter(
      (step) => step !== null && step !== undefined && isAllowed(step),
    );
    const direct = found.find((step) => next.has(/** @type {string} */ (step))) ?? found[0];
    return direct ?? (this.reasonAt(event) ? null : this.near(event, next));
  }

  /** Why nothing can be done at what lies below a pointer, where the scene says so. @param {PointerEvent} event */
  reasonAt(event) {
    const reasons = this.board.scene.why ?? [];
    if (!reasons.length) return null;
    const below = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest("[data-id]")?.getAttribute("data-id"));
    const places = [...below, ...this.board.cellsAt(event)];
    return reasons.find((reason) => places.some((place) => place && reason.places.includes(place)))?.text ?? null;
  }

  /** The nearest small place around a touch. @param {PointerEvent} event @param {Set<string>} steps */
  near(event, steps) {
    const { x, y } = this.board.pointAt(event);
    const reach = REACH / this.board.scale;
    let [best, least] = [/** @type {string | null} */ (null), reach];
    for (const step of steps) {
      const place = this.board.whereIs(step);
      if (!place || Math.min(place.width, place.height) > 2 * reach) continue;
      const far = Math.hypot(place.x - x, place.y - y);
      if (far < least) [best, least] = [step, far];
    }
    return best;
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size > 1) {
      this.pressed = null;
      return this.letGo();
    }
    const step = this.hit(event) ?? null;
    const reason = step === null && !this.done.length ? this.reasonAt(event) : null;
    this.idle = reason === null ? null : { id: event.pointerId, reason, x: event.clientX, y: event.clientY };
    if (step === null && !this.board.element.classList.contains("zoomed")) {
      if (this.done.length) this.touch(null);
      return;
    }
    this.board.svg.setPointerCapture(event.pointerId);
    const slack = SLACK[/** @type {keyof typeof SLACK} */ (event.pointerType)] ?? SLACK.mouse;
    this.pressed = step === null ? null : { id: event.pointerId, step, x: event.clientX, y: event.clientY, slack };
  }

  /** A finger on a piece, or two fingers, are for the board; others scroll the page. @param {TouchEvent} event */
  keepFromScrolling(event) {
    if (this.pressed || event.touches.length > 1) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (this.pointers.size === 2) this.pinch(event, before);
    else if (this.pressed?.id === event.pointerId) this.dragOn(event);
    else if (this.board.element.classList.contains("zoomed"))
      this.viewport.pan(event.clientX - before.x, event.clientY - before.y);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event @param {{x: number, y: number}} before */
  pinch(event, before) {
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return;
    const apart = (/** @type {{x: number, y: number}} */ point) => Math.hypot(point.x - other.x, point.y - other.y);
    const now = { x: event.clientX, y: event.clientY };
    const middle = this.board.pointAt({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
    this.viewport.by(apart(now) / Math.max(apart(before), 1), middle);
    this.viewport.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  /** @param {PointerEvent} event */
  dragOn(event) {
    const pressed = this.pressed;
    if (!pressed) return;
    if (!this.drag) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < pressed.slack) return;
      if (!canDrag(this.gestures, pressed.step)) {
        if (this.board.element.classList.contains("zoomed")) this.pressed = null; // it is the board that is moved
        return;
      }
      this.lift(pressed);
    }
    this.follow(event);
  }

  /** @param {{step: string, x: number, y: number}} pressed */
  lift(pressed) {
    this.setDone([pressed.step]);
    this.wishes.unchoose();
    this.draw();
    const piece = this.board.pieceOn(pressed.step);
    const drawn = piece === null ? undefined : this.board.drawn.get(piece);
    const ghost = svg("g", { class: "ghost" });
    const from = drawn ? whereabouts(drawn.shape) : (this.board.whereIs(pressed.step) ?? { x: 0, y: 0 });
    if (drawn) {
      const copy = /** @type {SVGGElement} */ (drawn.element.cloneNode(true));
      copy.setAttribute("class", "shape placed");
      copy.removeAttribute("data-id");
      ghost.append(copy);
      drawn.element.classList.add("lifted");
    } else ghost.append(svg("circle", { class: "grip", cx: from.x, cy: from.y, r: 2.2 * this.board.unit }));
    this.board.over.append(ghost);
    const grabbed = this.board.pointAt({ clientX: pressed.x, clientY: pressed.y });
    this.drag = { ghost, piece, x: grabbed.x, y: grabbed.y, from };
  }

  /** @param {PointerEvent} event */
  follow(event) {
    if (!this.drag) return;
    const { x, y } = this.board.pointAt(event);
    this.drag.ghost.style.transform = `translate(${x - this.drag.x}px, ${y - this.drag.y}px)`;
    const over = this.hit(event) ?? null;
    for (const target of this.board.targets.children)
      target.classList.toggle("hovered", target.getAttribute("data-step") === over && over !== this.done[0]);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.pointers.delete(event.pointerId);
    const { pressed, idle } = this;
    this.idle = null;
    if (idle?.id === event.pointerId && Math.hypot(event.clientX - idle.x, event.clientY - idle.y) < SLACK.touch)
      this.wishes.explain(idle.reason);
    if (pressed?.id !== event.pointerId) return;
    this.pressed = null;
    if (!this.drag) return this.touch(pressed.step);
    const step = this.hit(event) ?? null;
    if (step !== null && this.options.next.has(step)) this.drop(step);
    else this.snapBack();
  }

  /** @param {PointerEvent} event */
  cancelled(event) {
    this.pointers.delete(event.pointerId);
    this.idle = null;
    if (this.pressed?.id !== event.pointerId) return;
    this.pressed = null;
    if (this.drag) this.snapBack();
  }

  /** @param {string} step */
  drop(step) {
    const drag = this.drag;
    const place = this.board.whereIs(step);
    if (drag && place) {
      drag.ghost.style.transform = `translate(${place.x - drag.from.x}px, ${place.y - drag.from.y}px)`;
      if (drag.piece) this.dropped.add(drag.piece);
    }
    this.touch(step);
  }

  snapBack() {
    const ghost = this.drag?.ghost;
    this.drag = null;
    this.reset();
    if (!ghost) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const home = ghost.animate([{ transform: ghost.style.transform }, { transform: "translate(0px, 0px)" }], {
      duration: calm ? 0 : SNAP,
      easing: "ease-out",
    });
    ghost.classList.add("snapping");
    home.onfinish = home.oncancel = () => {
      ghost.remove();
      this.unlift();
    };
  }

  /** Nothing is held any more. */
  letGo() {
    this.drag = null;
    this.pressed = null;
    this.board.over.querySelectorAll(".ghost").forEach((ghost) => ghost.remove());
    this.unlift();
  }

  unlift() {
    if (this.drag) return;
    this.board.pieces.querySelectorAll(".lifted").forEach((piece) => piece.classList.remove("lifted"));
  }

  // --- keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = /** @type {Element} */ (event.target).closest("[data-step]")?.getAttribute("data-step");
    if (event.key === "Escape" && this.done.length) {
      event.stopPropagation();
      this.reset();
    } else if (step && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.touch(step);
    } else if (step && event.key.startsWith("Arrow") && !event.defaultPrevented) {
      event.preventDefault();
      const from = this.board.whereIs(step);
      const places = [...this.options.next].flatMap((other) => {
        const place = this.board.whereIs(other);
        return place && other !== step ? [{ ...place, step: other }] : [];
      });
      if (from) this.focus(nearest(from, places, event.key));
    }
  }

  /**
   * The move that a key makes, if it makes one.
   * @param {T.Gesture[]} gestures
   * @param {string} key
   */
  static byKey(gestures, key) {
    const meant = gestures.filter(
      (gesture) => gesture.key !== undefined && gesture.key.toLowerCase() === key.toLowerCase(),
    );
    return meant.length === 1 ? meant[0] : null;
  }
}

/** The group of this name, below all others when it is new. @param {SVGGElement} layer @param {string} name */
function groupIn(layer, name) {
  const found = layer.querySelector(`:scope > .${name}`);
  if (found) return found;
  const made = svg("g", { class: name });
  layer.prepend(made);
  return made;
}

/** @param {(SVGElement | null)[]} marks */
const shown = (marks) => marks.filter((mark) => mark !== null);
