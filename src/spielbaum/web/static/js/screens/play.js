/** The game screen, for playing, watching and analysing: the board, who is to move, and what the computer thinks. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { forget, held } from "../api.js";
import { lastMove, path } from "../board/marks.js";
import { shares } from "../board/shares.js";
import { colour } from "../board/shapes.js";
import { button, disableButtons, fill, h } from "../dom.js";
import { previewBar } from "../parts/preview_bar.js";
import { announce } from "../parts/announce.js";
import { MANY, moveButtons } from "../parts/buttons.js";
import { controls } from "../parts/controls.js";
import { drawCurve, drawScores } from "../parts/curve.js";
import { end } from "../parts/actions.js";
import { notice } from "../parts/dialog.js";
import { saveHiddenLayers, layOut, makeParts, placePanels, wereThoughtsShown } from "../parts/frame.js";
import { pressKey } from "../parts/keys.js";
import { drawThoughts } from "../parts/thoughts.js";
import { moveList, scrollToHere } from "../parts/moves.js";
import { commonPanels, seatCards, showClocks } from "../parts/seats.js";
import { isThinking, status } from "../parts/status.js";
import { openTree } from "../parts/tree.js";
import { openWalk } from "../parts/walk.js";
import { drawPlayProgress, heardNow } from "../parts/progress.js";
import { reasonOf } from "../reasons.js";
import { elsewhereScreen } from "./elsewhere.js";
import { closeSession, openSession } from "../session.js";
import { say, t } from "../words.js";

const A_MOMENT = 200; // ms of searching that nobody needs to be told of
const LINE_PACE = 900; // ms between the moves of a line that is played out
const NARROW = "(max-width: 50rem)"; // too narrow for the drawing of a tree
const TAB = "spielbaum.tab"; // which one is open, over a reload

/**
 * @param {App} app
 * @param {string} id
 */
export async function playScreen(app, id) {
  const kept = held(id);
  if (!kept) return elsewhereScreen(app, id);
  const session = openSession(kept);
  const screen = new PlayScreen(app, session);
  fill(app.host, h("p", { class: "loading" }, t("loading")));
  session.listener = screen;
  if (session.welcome) screen.changed();
  return () => screen.dispose();
}

class PlayScreen {
  /**
   * @param {App} app
   * @param {import("../session.js").Session} session
   */
  constructor(app, session) {
    this.app = app;
    this.session = session;
    /** @type {T.GameDetails | null} */
    this.game = null;
    /** @type {import("../board/board.js").Board | null} */
    this.board = null;
    /** @type {import("../board/input.js").BoardInput | null} */
    this.input = null;
    /** @type {{line: Required<T.LineMove>[], index: number, timer?: ReturnType<typeof setTimeout>} | null} */
    this.preview = null;
    /** @type {T.Hint | null} */
    this.hint = null;
    /** @type {T.Edge | null} */
    this.pointed = null;
    this.areThoughtsShown = wereThoughtsShown();
    /** @type {string | undefined} the agent that thinks in an analysis, and its unfolded parameters */
    this.thinkSpec = undefined;
    /** @type {HTMLDetailsElement | undefined} */
    this.thinkFold = undefined;
    /** @type {import("../parts/progress.js").Heard | null} the kernels that the search waits for */
    this.preparation = null;
    /** @type {string | null} what is searched, whether for longer than a moment, and whether a hint was asked for here */
    this.searched = null;
    this.isSlow = false;
    this.isHintAsked = false;
    this.tab = sessionStorage.getItem(TAB) ?? "moves";
    /** @type {number | null} the position that was asked for, while it has not come yet */
    this.heading = null;
    this.drawn = { rev: -1, ply: -1, gestures: "" };
    /** @type {{ply: number, plies: number, scene: T.Scene | null} | null} what was last told to who can't see the board */
    this.announced = null;
    this.clockSince = Date.now();
    this.ticking = setInterval(() => this.tick(), 500);
    this.onKey = (/** @type {KeyboardEvent} */ event) => pressKey(this, event);
    this.onTheme = () => this.board?.refresh();
    this.theme = matchMedia("(prefers-color-scheme: dark)");
    this.theme.addEventListener("change", this.onTheme);
    addEventListener("keydown", this.onKey);
    this.parts = makeParts();
  }

  dispose() {
    clearInterval(this.ticking);
    clearTimeout(this.preview?.timer);
    clearTimeout(this.slowness);
    removeEventListener("keydown", this.onKey);
    this.theme.removeEventListener("change", this.onTheme);
    this.session.listener = null;
    if (this.app.config.kiosk && !location.hash.startsWith("#/play/")) end(this);
  }

  get state() {
    return this.session.state;
  }

  get welcome() {
    return /** @type {T.Welcome} */ (this.session.welcome);
  }

  get isAnalysis() {
    return this.welcome.mode === "analysis";
  }

  get isWatching() {
    return this.welcome.seats.length > 0 && this.welcome.seats.every((seat) => seat.kind === "agent");
  }

  // --- what the session tells

  changed() {
    if (!this.board && !this.parts.place.isConnected) layOut(this);
    this.draw();
  }

  thinking() {
    const { queue } = this;
    if (this.noticeSearch() || queue !== this.queue) this.drawProgress();
    this.drawMarks();
    if (this.tab === "thoughts") this.drawThoughts();
  }

  /** @param {T.Refusal} refusal */
  refused(refusal) {
    if (refusal.code !== "stale") notice(reasonOf(refusal));
    this.drawn.gestures = "";
    if (this.state) this.draw();
  }

  /** @param {boolean} online */
  online(online) {
    this.parts.offline.hidden = online;
    if (!online) this.input?.allow([]);
    this.drawn.gestures = "";
  }

  /** @param {string} reason */
  ended(reason) {
    forget(this.session.held.session);
    closeSession();
    this.app.go("#/");
    if (reason !== "left") notice(t("gone"));
  }

  // --- what is searched

  get queue() {
    return this.state?.busy?.queue ?? 0;
  }

  /** Whether a hint is looked for. */
  get isHinting() {
    return this.isHintAsked || this.state?.busy?.why === "hint";
  }

  /** @param {boolean} isAsked */
  askForHint(isAsked) {
    this.isHintAsked = isAsked;
    if (isAsked) this.hint = null;
    this.drawProgress();
  }

  /** Take down what is searched and what that waits for; whether it is something else than before. */
  noticeSearch() {
    const busy = this.state?.busy ?? null;
    const before = this.preparation?.doing;
    this.preparation = heardNow(busy?.preparation);
    const searched = busy && `${this.state?.ply} ${busy.seat} ${busy.why}`;
    if (searched === this.searched) return before !== this.preparation?.doing;
    this.searched = searched;
    this.isSlow = false;
    clearTimeout(this.slowness);
    if (searched) this.slowness = setTimeout(() => ((this.isSlow = true), this.drawProgress()), A_MOMENT);
    return true;
  }

  /** Draw all that depends on what is searched. */
  drawProgress() {
    const { state } = this;
    if (!state) return;
    this.drawStatus();
    fill(this.parts.controls, controls(this, state));
  }

  tick() {
    this.drawClocks();
    if (this.preparation) drawPlayProgress(this);
  }

  // --- drawing

  /** Show a layer of the scene or not, from now on. @param {string} name @param {boolean} isShown */
  turn(name, isShown) {
    const { board, state } = this;
    if (!board || !state) return;
    if (isShown) board.off.delete(name);
    else board.off.add(name);
    saveHiddenLayers(this.welcome.game, board.off);
    this.drawBoard(state);
  }

  /** @param {string} name */
  openTab(name) {
    this.tab = name;
    sessionStorage.setItem(TAB, name);
    this.parts.list.hidden = name !== "moves";
    this.parts.thoughts.hidden = name !== "thoughts";
    this.app.host.querySelectorAll("[data-tab]").forEach((tab) => {
      const isOpen = tab.getAttribute("data-tab") === name;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.setAttribute("tabindex", isOpen ? "0" : "-1");
    });
    if (this.session.state) this.drawThoughts();
  }

  draw() {
    const { state, session, parts } = this;
    const atPassScreen = parts.cover.contains(document.activeElement);
    fill(parts.cover, session.passScreen ? this.passScreen(session.passScreen) : null);
    if (!state) {
      this.board?.show({});
      this.input?.allow([]);
      for (const part of [
        parts.moves,
        parts.status,
        parts.progress,
        parts.controls,
        parts.seats,
        parts.panels,
        parts.list,
        parts.thoughtsBody,
        parts.curve,
        parts.scores,
      ])
        fill(part);
      this.drawn = { rev: -1, ply: -1, gestures: "" };
      if (this.announced) this.announced.scene = null;
      /** @type {HTMLElement | null} */ (parts.cover.querySelector(".pass-screen"))?.focus(); // not the button: Enter may still be down
      return;
    }
    if (state.ply !== this.drawn.ply || !state.can.hint) this.hint = null;
    if (state.ply !== this.drawn.ply) this.stopLooking();
    this.drawPreview();
    if (state.ply === this.heading) this.heading = null;
    placePanels(this, state.broken !== null);
    this.noticeSearch();
    this.drawBoard(state);
    if (atPassScreen) this.input?.takeFocus();
    this.drawMarks();
    this.drawStatus();
    fill(parts.seats, seatCards(this, state));
    fill(parts.panels, commonPanels(this, state));
    fill(parts.scores, drawScores(state.scores, this.welcome.seats, state.ply));
    this.clockSince = Date.now();
    this.drawClocks();
    fill(parts.controls, controls(this, state));
    fill(parts.list, moveList(this, state));
    scrollToHere(parts.list);
    this.drawThoughts();
    announce(this, state);
    this.drawn.rev = state.rev;
    this.drawn.ply = state.ply;
  }

  /** @param {T.State} state */
  drawBoard(state) {
    const { board, input } = this;
    const scene = this.preview ? this.preview.line[this.preview.index].scene : state.scene;
    const gestures = this.preview ? [] : state.gestures;
    const legal = JSON.stringify([state.ply, gestures]);
    board?.show(scene, input?.takeDropped());
    const isNew = legal !== this.drawn.gestures || state.ply !== this.drawn.ply;
    if (isNew) input?.allow(gestures);
    this.drawn.gestures = legal;
    const buttons = gestures.filter((gesture) => !board || gesture.steps.length === 0);
    if (!buttons.length && (this.preview || this.isOthersTurn)) return this.disableMoves();
    if (isNew || buttons.length <= MANY)
      fill(
        this.parts.moves,
        moveButtons(buttons, (gesture) => this.act(gesture)),
      );
  }

  get isOthersTurn() {
    const turn = this.state?.turn ?? null;
    return turn !== null && !this.isAnalysis && !this.welcome.yours.includes(turn);
  }

  /** The moves that were buttons stay in their places until others are asked for, so that nothing below them jumps. */
  disableMoves() {
    disableButtons(this.parts.moves);
  }

  drawMarks() {
    const { board, state } = this;
    if (!board || !state) return;
    const last = board.under.querySelector(".marks-last");
    const above = board.over.querySelector(".marks-thoughts");
    const made = state.chosen.length ? state.chosen : state.last;
    const shown = this.preview ? [this.preview.line[this.preview.index]] : made;
    const marked = shown.flatMap((move) => lastMove(board, move.steps));
    const { thoughts } = this.session;
    const thinksHere =
      thoughts?.search && thoughts.ply === state.ply && (!thoughts.done || thoughts.why !== "move") && !this.preview;
    const thought = shares(board, (thinksHere && this.areThoughtsShown && thoughts.search?.edges) || []);
    last?.replaceChildren(...marked.filter((mark) => mark !== null), ...thought.below);
    const marks = [
      ...thought.above,
      this.pointed && path(board, this.pointed.steps, "way-pointed", 1.4),
      this.hint && !this.preview && path(board, this.hint.steps, "way-hint", 1.6),
    ];
    above?.replaceChildren(...marks.filter((mark) => mark instanceof SVGElement));
  }

  drawStatus() {
    const { state } = this;
    if (!state) return;
    const previous = this.parts.status.textContent;
    const next = status(this, state);
    if (previous !== next.textContent) fill(this.parts.status, next);
    this.parts.status.classList.toggle("is-thinking", isThinking(this, state));
    drawPlayProgress(this);
    this.app.host.classList.toggle("is-over", state.over);
  }

  drawClocks() {
    if (this.state) showClocks(this.parts.seats, this.state, this.clockSince);
  }

  /** @param {number} seat */
  seatName(seat) {
    return say(this.welcome.seats[seat]?.name) || String(seat + 1);
  }

  /** @param {number} seat */
  colourOf(seat) {
    return colour(this.welcome.seats[seat]?.role);
  }

  drawThoughts() {
    const { state, parts } = this;
    if (!state) return;
    drawThoughts(parts.thoughtsBody, this.session.thoughts, this.welcome.seats, {
      showLine: (index) => void this.previewLine(index),
      point: (edge) => {
        this.pointed = edge;
        this.drawMarks();
      },
      openTree: () => (matchMedia(NARROW).matches ? openWalk : openTree)(this.session),
    });
    fill(parts.curve, drawCurve(state.curve, this.welcome.seats, state.plies, state.ply));
  }

  /** @param {T.PassScreen} passScreen */
  passScreen(passScreen) {
    const go = button(t("passReady"), () => this.session.send({ type: "ready" }), {
      class: "primary large",
      "data-do": "ready",
    });
    return h(
      "div",
      { class: "pass-screen", role: "group", "aria-labelledby": "pass-text", tabindex: -1 },
      h("p", { class: "lead", id: "pass-text" }, t("passTo", { name: this.seatName(passScreen.seat) })),
      go,
    );
  }

  // --- looking ahead

  /** Play out the expected line on the board, from its first move up to the one that was touched and on. @param {number} index */
  async previewLine(index) {
    try {
      /** @type {T.LineAnswer} */
      const answer = await this.session.ask({ type: "line" });
      this.stopLooking();
      if (!answer.line.length) return;
      this.preview = { line: answer.line, index: Math.min(index, answer.line.length - 1) };
      this.showPreview();
      this.parts.place.scrollIntoView({ block: "nearest" });
    } catch (error) {
      notice(reasonOf(/** @type {T.Refusal} */ (error)));
    }
  }

  showPreview() {
    const { preview, state } = this;
    if (!preview || !state) return;
    this.drawPreview();
    this.drawBoard(state);
    this.drawMarks();
    if (preview.index + 1 < preview.line.length)
      preview.timer = setTimeout(() => (preview.index++, this.showPreview()), LINE_PACE);
  }

  /** Nobody may take what is looked at for the game. */
  drawPreview() {
    const { preview, parts } = this;
    const label = preview && t("looking", { n: preview.index + 1, all: preview.line.length });
    fill(parts.preview, label && previewBar(label, () => this.lookBack()));
    parts.preview.parentElement?.classList.toggle("is-preview", preview !== null);
  }

  stopLooking() {
    clearTimeout(this.preview?.timer);
    this.preview = null;
  }

  lookBack() {
    this.stopLooking();
    if (this.state) this.draw();
  }

  // --- what one can do

  /** @param {T.Gesture} gesture */
  act(gesture) {
    if (!this.state) return;
    this.input?.allow([]);
    this.disableMoves();
    this.session.send({ type: "act", rev: this.state.rev, action: gesture.action });
  }
}

/** @typedef {PlayScreen} Play */
