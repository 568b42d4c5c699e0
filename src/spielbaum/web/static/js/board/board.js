/**
 * The board: draws any scene over its backdrop and moves what has moved.
 *
 * The truth is always drawn at once; gliding is left to CSS transitions, which start from wherever a piece is
 * just now. So an animation can never hold up a move, and a piece can't come to rest between two places.
 */

/** @import * as T from "../types.js" */
import { h, svg } from "../dom.js";
import { say, t } from "../words.js";
import { artworkId, drawSymbols, loadArtwork } from "./artwork.js";
import { cellAt, cellShape, drawBitmap } from "./bitmap.js";
import { cellName, fullName, isBitmap, isForTheEye, isInside, pieceName, placesOf, rowsInWords, spokenOf } from "./names.js";
import { geometry, placement, whereabouts } from "./shapes.js";

const FADE = 450; // ms, as in board.css
const MOST_PAIRS = 60;

/** @typedef {{element: SVGGElement, shape: T.Shape, looks: string}} Drawn */

let boards = 0;

export class Board {
  /**
   * @param {string} game
   * @param {T.Backdrop} backdrop
   * @param {T.SeatInPlay[]} [seats]  whose colours name what has no title
   */
  constructor(game, backdrop, seats = []) {
    this.game = game;
    this.backdrop = backdrop;
    this.seats = seats;
    this.named = placesOf(backdrop);
    this.number = boards++;
    this.ground = svg("g", { class: "ground" });
    this.under = svg("g", { class: "under", "aria-hidden": "true" });
    this.pieces = svg("g", { class: "pieces" });
    this.over = svg("g", { class: "over", "aria-hidden": "true" }); // what it says stands in tables too
    this.top = svg("g", { class: "top" });
    this.targets = svg("g", { class: "targets" });
    this.svg = svg(
      "svg",
      { class: "board-svg", preserveAspectRatio: "xMidYMid meet" },
      svg("defs", null, drawSymbols(backdrop, this.reference)),
      this.ground,
      this.under,
      this.pieces,
      this.over,
      this.top,
      this.targets,
    );
    this.element = h("div", { class: "board" }, this.svg);
    /** @type {T.Scene} */
    this.scene = {};
    /** Show the whole board; a viewport does so in its own way. */
    this.refit = () => this.svg.setAttribute("viewBox", this.box.join(" "));
    this.frame();
    /** @type {Map<string, Drawn>} */
    this.drawn = new Map();
    /** @type {Map<string, T.Shape>} shapes of backdrop and scene that a step can name */
    this.shapes = new Map();
    /** @type {T.BitmapLayer[]} */
    this.bitmaps = [];
    /** @type {{shape: T.Shape, place: ReturnType<typeof whereabouts>}[] | null} all shapes, once somebody asks */
    this.places = null;
    /** @type {Set<string>} names of layers that are turned off */
    this.off = new Set();
    /** @type {Map<T.Shape, import("./names.js").Spoken>} */
    this.spoken = new Map();
    this.drawGround();
  }

  /** The part of the plane that is shown: the scene's own, where the size of the board varies. */
  get box() {
    return this.scene.box ?? this.backdrop.box;
  }

  frame() {
    this.element.style.setProperty("--ratio", String(this.box[2] / this.box[3]));
    this.refit();
  }

  /** The unit of length for marks: a hundredth of the smaller side. */
  get unit() {
    return Math.min(this.box[2], this.box[3]) / 100;
  }

  reference = (/** @type {string} */ symbol) => {
    if (this.backdrop.symbols?.[symbol]) return `board-${this.number}-${symbol}`;
    void loadArtwork(this.game);
    return artworkId(this.game, symbol);
  };

  drawGround() {
    const layers = this.backdrop.layers ?? [];
    const isOver = (/** @type {T.Layer} */ layer) => !isBitmap(layer) && layer.over === true;
    const draw = (/** @type {T.Layer} */ layer) => (isBitmap(layer) ? this.drawRows(layer) : this.drawLayer(layer));
    this.ground.replaceChildren(...layers.filter((layer) => !isOver(layer)).map(draw));
    this.top.replaceChildren(...layers.filter(isOver).map(draw));
    this.index();
  }

  /** @param {T.ShapeLayer} layer */
  drawLayer(layer) {
    return svg(
      "g",
      null,
      layer.shapes.map((shape) => {
        const element = this.drawShape(shape);
        if (isForTheEye(shape)) element.setAttribute("aria-hidden", "true");
        return element;
      }),
    );
  }

  /** A bitmap, with its rows in words. @param {T.BitmapLayer} layer */
  drawRows(layer) {
    const [x, y] = layer.at ?? [0, 0];
    const cell = layer.cell ?? 1;
    const group = drawBitmap(layer);
    group.append(
      ...rowsInWords(this, layer).map(({ row, text }) => {
        const size = { x, y: y + row * cell, width: layer.columns * cell, height: cell };
        return svg("rect", { ...size, fill: "none", role: "img", "aria-label": text });
      }),
    );
    return group;
  }

  /** @param {T.Shape} shape */
  drawShape(shape) {
    const g = svg("g", { class: shape.id ? "shape" : "shape still", "data-id": shape.id });
    this.dress(g, shape);
    return g;
  }

  /** @param {SVGGElement} g @param {T.Shape} shape */
  dress(g, shape) {
    g.style.transform = placement(shape);
    g.style.opacity = shape.opacity === undefined ? "" : String(shape.opacity);
    g.replaceChildren(geometry(shape, this.reference));
    if (shape.title) g.append(svg("title", null, say(shape.title)));
  }

  /** Draw colours and texts anew, after another theme or language. */
  refresh() {
    this.drawGround();
    this.drawn.clear();
    this.pieces.replaceChildren();
    this.show(this.scene);
  }

  /**
   * Show a position. What has the same id as before moves, new things fade in, missing ones fade out.
   * @param {T.Scene} scene
   * @param {Set<string>} [placed]  ids that are put there without gliding, after they were dragged
   */
  show(scene, placed = new Set()) {
    const before = this.box;
    this.scene = scene;
    if (this.box.some((side, i) => side !== before[i])) this.frame();
    const layers = scene.layers ?? [];
    const wanted = new Map(
      layers.flatMap((layer, i) =>
        isBitmap(layer) ? [] : layer.shapes.map((shape, j) => [keyOf(shape, i, j), shape]),
      ),
    );
    this.adopt(wanted, placed);
    for (const [key, { element }] of this.drawn) if (!wanted.has(key)) this.fadeOut(key, element);
    const groups = layers.map((layer, i) => {
      const group = this.groupFor(layer.name);
      group.style.display = this.off.has(layer.name) ? "none" : "";
      if (isBitmap(layer)) group.replaceChildren(this.drawRows(layer));
      else layer.shapes.forEach((shape, j) => this.place(group, keyOf(shape, i, j), shape, placed));
      return group;
    });
    for (const group of [...this.pieces.children])
      if (!groups.includes(/** @type {any} */ (group)) && !group.querySelector(".leaving")) group.remove();
    groups.forEach(
      (group, i) =>
        this.pieces.children[i] !== group && this.pieces.insertBefore(group, this.pieces.children[i] ?? null),
    );
    this.index();
    this.nameAll();
  }

  /** Give each piece a name for screen readers; texts on a piece that has one are part of it. */
  nameAll() {
    const spoken = spokenOf(this, this.scene);
    this.spoken = spoken;
    const named = [...spoken.keys()].map(whereabouts);
    for (const { element, shape } of this.drawn.values()) {
      const said = spoken.get(shape);
      if (said) {
        const title = element.querySelector(":scope > title") ?? element.appendChild(svg("title"));
        title.textContent = fullName(said); // not a label beside it: readers would say both
        element.setAttribute("role", "img");
      } else if (shape.kind === "text" && named.some((place) => isInside(whereabouts(shape), place)))
        element.setAttribute("aria-hidden", "true");
    }
  }

  /** @param {string} name @returns {SVGGElement} */
  groupFor(name) {
    const found = /** @type {SVGGElement | null} */ (
      this.pieces.querySelector(`:scope > [data-layer="${CSS.escape(name)}"]`)
    );
    return found ?? this.pieces.appendChild(svg("g", { "data-layer": name }));
  }

  /**
   * A game without lasting names for its pieces calls them by their squares. What is missing here and what is
   * new there, looking just the same, is then taken for one piece that has moved: the nearest pairs first.
   * @param {Map<string, T.Shape>} wanted
   * @param {Set<string>} placed
   */
  adopt(wanted, placed) {
    const gone = [...this.drawn].filter(([key, { shape }]) => shape.id && !wanted.has(key));
    const come = [...wanted].filter(([key, shape]) => shape.id && !this.drawn.has(key));
    if (!gone.length || !come.length || gone.length > MOST_PAIRS || come.length > MOST_PAIRS) return;
    const pairs = gone.flatMap(([from, old]) =>
      come
        .filter(([, shape]) => looksOf(shape) === old.looks)
        .map(([to, shape]) => ({ from, to, far: distance(old.shape, shape) })),
    );
    for (const { from, to } of pairs.sort((a, b) => a.far - b.far)) {
      const moved = this.drawn.get(from);
      if (!moved || this.drawn.has(to)) continue;
      this.drawn.delete(from);
      this.drawn.set(to, moved);
      moved.element.setAttribute("data-id", to);
      if (placed.has(from)) placed.add(to);
    }
  }

  /**
   * @param {SVGGElement} group
   * @param {string} key
   * @param {T.Shape} shape
   * @param {Set<string>} placed
   */
  place(group, key, shape, placed) {
    const looks = looksOf(shape);
    const known = this.drawn.get(key);
    const element = known?.element ?? this.drawShape(shape);
    if (!known) {
      if (shape.id) element.classList.add("entering");
      group.append(element);
    } else if (known.looks !== looks || say(known.shape.title) !== say(shape.title)) this.dress(element, shape);
    else {
      element.classList.toggle("placed", shape.id !== undefined && placed.has(shape.id));
      element.style.transform = placement(shape);
      element.style.opacity = shape.opacity === undefined ? "" : String(shape.opacity);
    }
    this.drawn.set(key, { element, shape, looks });
  }

  /** @param {string} key @param {SVGGElement} element */
  fadeOut(key, element) {
    this.drawn.delete(key);
    if (element.classList.contains("still")) return element.remove();
    element.removeAttribute("data-id");
    element.classList.add("leaving");
    return void setTimeout(() => element.remove(), FADE);
  }

  /** @returns {T.Layer[]} */
  get layers() {
    return [...(this.backdrop.layers ?? []), ...(this.scene.layers ?? [])];
  }

  /** Note which shapes steps can name. */
  index() {
    this.places = null;
    this.bitmaps = this.layers.filter(isBitmap);
    this.shapes.clear();
    for (const layer of this.layers)
      if (!isBitmap(layer)) for (const shape of layer.shapes) if (shape.id) this.shapes.set(shape.id, shape);
  }

  /** The shape that a step names: a shape, or a cell of a bitmap. @param {string} step @returns {T.Shape | null} */
  shapeOf(step) {
    const shape = this.shapes.get(step);
    if (shape) return shape;
    const bitmap = this.bitmaps.find((layer) => step.startsWith(`${layer.name}:`));
    return bitmap ? cellShape(bitmap, step) : null;
  }

  /** The middle and the size of what a step names. @param {string} step */
  whereIs(step) {
    const shape = this.shapeOf(step);
    return shape && whereabouts(shape);
  }

  /** What a screen reader says of a step: the place and what stands on it. @param {string} step */
  nameOf(step) {
    const shape = this.shapeOf(step);
    if (!shape) return step;
    if (!this.shapes.has(step)) return cellName(step);
    const place = whereabouts(shape);
    const title = say(shape.title);
    const standing = [...this.spoken]
      .filter(([other]) => other !== shape && (other.on ? other.on === step : isInside(whereabouts(other), place)))
      .map(([, said]) => (said.place === title ? said.piece : fullName(said)));
    return [title || pieceName(this, this.scene, shape), ...standing].join(", ");
  }

  /** What is drawn in the middle of a place and no larger than it: pieces, and what is written there. @param {string} step */
  standingOn(step) {
    const shape = this.shapeOf(step);
    if (!shape) return [];
    const place = whereabouts(shape);
    this.places ??= this.layers.flatMap((layer) =>
      isBitmap(layer) ? [] : layer.shapes.map((other) => ({ shape: other, place: whereabouts(other) })),
    );
    return this.places.filter(
      (other) =>
        other.shape !== shape &&
        other.shape.kind !== "line" &&
        other.place.width * other.place.height <= place.width * place.height &&
        isInside(other.place, { ...place, width: place.width / 2, height: place.height / 2 }),
    );
  }

  /** The topmost thing of the scene whose middle lies within a step: what is lifted when one drags. @param {string} step */
  pieceOn(step) {
    if (this.drawn.has(step)) return step;
    const place = this.whereIs(step);
    if (!place) return null;
    const standing = [...this.drawn].filter(([, { shape }]) => shape.id && isInside(whereabouts(shape), place));
    return standing.at(-1)?.[0] ?? null;
  }

  /** A place on the screen in the board's units. @param {{clientX: number, clientY: number}} event */
  pointAt(event) {
    const matrix = this.svg.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix?.inverse());
  }

  /** The cells of bitmaps below a place on the screen. @param {{clientX: number, clientY: number}} event */
  cellsAt(event) {
    const { x, y } = this.pointAt(event);
    return this.bitmaps.map((layer) => cellAt(layer, x, y)).filter((step) => step !== null);
  }

  /** How many pixels one unit of the board is. */
  get scale() {
    return this.svg.getScreenCTM()?.a ?? 1;
  }
}

/**
 * A board that is only looked at: cards, rules, nodes of a tree.
 * @param {string} game
 * @param {T.Backdrop | null} backdrop
 * @param {T.Scene} scene
 * @param {string} label
 */
export function picture(game, backdrop, scene, label) {
  if (!backdrop) return textPicture(scene, label);
  const board = new Board(game, backdrop);
  board.show(scene);
  board.svg.setAttribute("role", "img");
  board.svg.setAttribute("aria-label", label || t("board"));
  return board.element;
}

/** @param {T.Scene} scene @param {string} label */
function textPicture(scene, label) {
  const texts = (scene.panels ?? []).flatMap((panel) => (panel.text ? [say(panel.text)] : []));
  return h("pre", { class: "text-board", role: "img", "aria-label": label }, texts.join("\n\n"));
}

/** @param {T.Shape} shape @param {number} layer @param {number} index */
const keyOf = (shape, layer, index) => shape.id ?? `#${layer}-${index}`;

/** Everything but the place and the name. @param {T.Shape} shape */
function looksOf(shape) {
  const { id: _id, at: _at, turn: _turn, opacity: _opacity, title: _title, ...looks } = shape;
  return JSON.stringify({ ...looks, text: shape.text && say(shape.text) });
}

/** @param {T.Shape} a @param {T.Shape} b */
function distance(a, b) {
  const [ax, ay] = a.at ?? [0, 0];
  const [bx, by] = b.at ?? [0, 0];
  return Math.hypot(ax - bx, ay - by);
}
