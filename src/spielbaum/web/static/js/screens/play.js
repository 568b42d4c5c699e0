/** The game screen, for playing, watching and analysing: the board, who is to move, and what the computer thinks. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { beginSession, forget, getGame, getRecord, getRules, held, keep, Refused } from "../api.js";
import { Board } from "../board/board.js";
import { Hands } from "../board/hands.js";
import { Lens } from "../board/lens.js";
import { lastMove, path, shares } from "../board/marks.js";
import { colour } from "../board/shapes.js";
import { button, fill, h, svg } from "../dom.js";
import { controls } from "../parts/controls.js";
import { drawCurve } from "../parts/curve.js";
import { choiceList, confirmFirst, notice, openDialog } from "../parts/dialog.js";
import { drawMind } from "../parts/mind.js";
import { moveList, scrollToHere } from "../parts/moves.js";
import { commonPanels, seatCards, showClocks } from "../parts/seats.js";
import { status } from "../parts/status.js";
import { openTree } from "../parts/tree.js";
import { closeSession, openSession } from "../session.js";
import { say, t } from "../words.js";
import { rulesText } from "./rules.js";

const LINE_PACE = 900; // ms between the moves of a line that is played out
const SHELF = "spielbaum.mind";
const OFF = "spielbaum.off"; // layers that are turned off, of each game

/**
 * @param {App} app
 * @param {string} id
 */
export async function playScreen(app, id) {
  const kept = held(id);
  if (!kept) {
    app.go("#/");
    return notice(t("abandoned"));
  }
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
    /** @type {Board | null} */
    this.board = null;
    /** @type {Hands | null} */
    this.hands = null;
    /** @type {{line: Required<T.LineMove>[], index: number, timer?: ReturnType<typeof setTimeout>} | null} */
    this.ahead = null;
    /** @type {T.Hint | null} */
    this.hint = null;
    /** @type {T.Edge | null} */
    this.pointed = null;
    this.isMindShown = localStorage.getItem(SHELF) !== "no";
    /** @type {string | undefined} the agent that thinks in an analysis, and its unfolded parameters */
    this.thinkSpec = undefined;
    /** @type {HTMLDetailsElement | undefined} */
    this.thinkFold = undefined;
    /** @type {number | undefined} */
    this.preparingSince = undefined;
    this.tab = "moves";
    /** @type {number | null} the position that was asked for, while it has not come yet */
    this.heading = null;
    this.seen = { rev: -1, ply: -1, gestures: "" };
    this.clockSince = Date.now();
    this.ticking = setInterval(() => this.drawClocks(), 500);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onTheme = () => this.board?.refresh();
    this.theme = matchMedia("(prefers-color-scheme: dark)");
    this.theme.addEventListener("change", this.onTheme);
    addEventListener("keydown", this.onKey);
    this.parts = this.build();
  }

  dispose() {
    clearInterval(this.ticking);
    clearTimeout(this.ahead?.timer);
    removeEventListener("keydown", this.onKey);
    this.theme.removeEventListener("change", this.onTheme);
    this.session.listener = null;
    if (this.app.config.kiosk && !location.hash.startsWith("#/play/")) this.end();
  }

  /** The parts of the page that change during a game. */
  build() {
    return {
      title: h("h1", null),
      place: h("div", { class: "board-place" }),
      cover: h("div", { class: "cover-place" }),
      choices: h("div", { class: "choices-place" }),
      announced: h("p", { class: "sr-only", "aria-live": "polite" }),
      status: h("div", { class: "status", role: "status", "aria-live": "polite" }),
      moves: h("div", { class: "action-buttons button-row" }),
      seats: h("div", { class: "seats" }),
      panels: h("div", { class: "panels" }),
      controls: h("div", { class: "controls" }),
      list: h("div", { class: "tab-page move-list" }),
      mind: h("div", { class: "tab-page mind" }),
      mindBody: h("div", null),
      curve: h("div", { class: "curve-place" }),
      offline: h("p", { class: "offline", role: "alert", hidden: true }, t("connectionLost")),
    };
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
    if (!this.board && !this.parts.place.isConnected) this.layOut();
    this.draw();
  }

  /** @param {T.Thinking} thinking */
  thinking(thinking) {
    this.preparingSince = thinking.preparing ? (this.preparingSince ?? Date.now()) : undefined;
    if (!thinking.done) this.drawStatus();
    this.drawMarks();
    if (this.tab === "mind") this.drawMind();
  }

  /** @param {T.Refusal} refusal */
  refused(refusal) {
    if (refusal.code !== "stale") notice(t("error", { reason: refusal.reason }));
    this.seen.gestures = "";
    if (this.state) this.draw();
  }

  /** @param {boolean} online */
  online(online) {
    this.parts.offline.hidden = online;
    if (!online) this.hands?.allow([]);
    this.seen.gestures = "";
  }

  /** @param {string} reason */
  ended(reason) {
    forget(this.session.held.session);
    closeSession();
    this.app.go("#/");
    if (reason !== "left") notice(t("gone"));
  }

  // --- drawing

  layOut() {
    const { parts, welcome } = this;
    parts.title.textContent = say(welcome.title);
    document.title = `${say(welcome.title)} · Spielbaum`;
    if (welcome.backdrop) this.layBoard(welcome.backdrop);
    else parts.place.append(parts.panels); // a game that draws nothing is shown as its text
    const tabs = h(
      "section",
      { class: "tabs" },
      h(
        "div",
        { class: "tab-row", role: "tablist" },
        this.tabButton("moves", t("moveList")),
        this.tabButton("mind", t("mind")),
      ),
      parts.list,
      parts.mind,
    );
    fill(parts.mind, this.mindSwitch(), parts.mindBody, parts.curve);
    const bar = h(
      "header",
      { class: "play-bar" },
      button(t("leave"), () => this.leave(), { class: "quiet", icon: "back", "data-do": "leave" }),
      parts.title,
      h(
        "div",
        { class: "bar-right" },
        button(t("rules"), () => void this.showRules(), { class: "quiet", icon: "rules", "data-do": "rules" }),
        this.app.languageButton(),
      ),
    );
    fill(
      this.app.host,
      h(
        "main",
        { class: `play ${this.isAnalysis ? "is-analysis" : ""}`, id: "content" },
        bar,
        h("section", { class: "table" }, parts.place, parts.offline, parts.choices, parts.cover),
        h(
          "aside",
          { class: "side" },
          parts.announced,
          parts.status,
          parts.moves,
          parts.controls,
          parts.seats,
          welcome.backdrop && parts.panels,
          tabs,
        ),
      ),
    );
    this.openTab(this.tab);
    void getGame(welcome.game).then(
      (game) => {
        this.game = game;
        this.draw();
      },
      () => {},
    );
  }

  /** @param {T.Backdrop} backdrop */
  layBoard(backdrop) {
    this.board = new Board(this.welcome.game, backdrop);
    this.board.off = new Set(JSON.parse(localStorage.getItem(`${OFF}.${this.welcome.game}`) ?? "[]"));
    const lens = new Lens(this.board);
    this.board.under.append(svg("g", { class: "marks-last" }), svg("g", { class: "marks" }));
    this.board.over.append(svg("g", { class: "marks-mind" }));
    this.hands = new Hands(this.board, lens, {
      act: (gesture) => this.act(gesture),
      choose: (choices, cancel) => {
        fill(
          this.parts.choices,
          choiceList(choices, (gesture) => this.hands?.perform(gesture), cancel),
        );
        this.parts.choices.querySelector("button")?.focus();
      },
      unchoose: () => fill(this.parts.choices),
    });
    this.parts.place.append(this.board.element, lens.controls);
  }

  /** Show a layer of the scene or not, from now on. @param {string} name @param {boolean} isShown */
  turn(name, isShown) {
    const { board, state } = this;
    if (!board || !state) return;
    if (isShown) board.off.delete(name);
    else board.off.add(name);
    localStorage.setItem(`${OFF}.${this.welcome.game}`, JSON.stringify([...board.off]));
    this.drawBoard(state);
  }

  /** @param {string} name @param {string} label */
  tabButton(name, label) {
    return button(label, () => this.openTab(name), { role: "tab", "data-tab": name });
  }

  /** @param {string} name */
  openTab(name) {
    this.tab = name;
    this.parts.list.hidden = name !== "moves";
    this.parts.mind.hidden = name !== "mind";
    this.app.host
      .querySelectorAll("[data-tab]")
      .forEach((tab) => tab.setAttribute("aria-selected", String(tab.getAttribute("data-tab") === name)));
    if (this.session.state) this.drawMind();
  }

  mindSwitch() {
    const box = h("input", {
      type: "checkbox",
      class: "switch",
      checked: this.isMindShown,
      onchange: () => {
        this.isMindShown = box.checked;
        localStorage.setItem(SHELF, this.isMindShown ? "yes" : "no");
        this.drawMarks();
      },
    });
    return h("label", { class: "mind-switch" }, box, h("span", null, t("mindShow")));
  }

  draw() {
    const { state, session, parts } = this;
    fill(parts.cover, session.curtain ? this.curtain(session.curtain) : null);
    if (!state) {
      this.board?.show({});
      this.hands?.allow([]);
      for (const part of [
        parts.moves,
        parts.status,
        parts.controls,
        parts.seats,
        parts.panels,
        parts.list,
        parts.mindBody,
        parts.curve,
      ])
        fill(part);
      this.seen = { rev: -1, ply: -1, gestures: "" };
      return;
    }
    if (state.ply !== this.seen.ply) {
      this.hint = null;
      this.stopLooking();
    }
    if (state.ply === this.heading) this.heading = null;
    this.drawBoard(state);
    this.drawMarks();
    this.drawStatus();
    fill(parts.seats, seatCards(this, state));
    fill(parts.panels, commonPanels(this, state));
    this.clockSince = Date.now();
    this.drawClocks();
    fill(parts.controls, controls(this, state));
    fill(parts.list, moveList(this, state));
    scrollToHere(parts.list);
    this.drawMind();
    const { last } = state;
    if (last && state.rev !== this.seen.rev)
      parts.announced.textContent = `${this.seatName(last.seat)}: ${say(last.label)}`;
    this.seen.rev = state.rev;
    this.seen.ply = state.ply;
  }

  /** @param {T.State} state */
  drawBoard(state) {
    const { board, hands } = this;
    const scene = this.ahead ? this.ahead.line[this.ahead.index].scene : state.scene;
    const gestures = this.ahead ? [] : state.gestures;
    const legal = JSON.stringify([state.ply, gestures]);
    board?.show(scene, hands?.takeDropped());
    if (legal !== this.seen.gestures || state.ply !== this.seen.ply) hands?.allow(gestures);
    this.seen.gestures = legal;
    const buttons = gestures.filter((gesture) => !board || gesture.steps.length === 0);
    fill(
      this.parts.moves,
      buttons.map((gesture) =>
        button(say(gesture.label), () => this.act(gesture), {
          class: "action",
          "data-action": gesture.action,
          "data-key": `action-${gesture.action}`,
        }),
      ),
    );
  }

  drawMarks() {
    const { board, state } = this;
    if (!board || !state) return;
    const last = board.under.querySelector(".marks-last");
    const mind = board.over.querySelector(".marks-mind");
    const shown = this.ahead ? this.ahead.line[this.ahead.index] : state.last;
    last?.replaceChildren(...(shown ? lastMove(board, shown.steps) : []).filter((mark) => mark !== null));
    const { thoughts } = this.session;
    const thinksHere =
      thoughts?.search && thoughts.ply === state.ply && (!thoughts.done || thoughts.why !== "move") && !this.ahead;
    const marks = [
      ...(thinksHere && this.isMindShown ? shares(board, thoughts.search?.edges ?? []) : []),
      this.pointed && path(board, this.pointed.steps, "way-pointed", 1.4),
      this.hint && !this.ahead && path(board, this.hint.steps, "way-hint", 1.6),
    ];
    mind?.replaceChildren(...marks.filter((mark) => mark instanceof SVGElement));
  }

  drawStatus() {
    const { state } = this;
    if (!state) return;
    const previous = this.parts.status.textContent;
    const next = status(this, state);
    if (previous !== next.textContent || this.ahead) fill(this.parts.status, next);
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

  drawMind() {
    const { state, parts } = this;
    if (!state) return;
    drawMind(parts.mindBody, this.session.thoughts, this.welcome.seats, {
      showLine: (index) => void this.lookAhead(index),
      point: (edge) => {
        this.pointed = edge;
        this.drawMarks();
      },
      openTree: () => openTree(this.session),
    });
    fill(parts.curve, drawCurve(state.curve, this.welcome.seats, state.plies, state.ply));
  }

  /** @param {T.Curtain} curtain */
  curtain(curtain) {
    const go = button(t("curtainReady"), () => this.session.send({ type: "ready" }), {
      class: "primary large",
      "data-do": "ready",
    });
    return h(
      "div",
      { class: "curtain" },
      h("p", { class: "lead" }, t("curtain", { name: this.seatName(curtain.seat) })),
      go,
    );
  }

  // --- looking ahead

  /** Play out the expected line on the board, from its first move up to the one that was touched and on. @param {number} index */
  async lookAhead(index) {
    try {
      /** @type {T.LineAnswer} */
      const answer = await this.session.ask({ type: "line" });
      this.stopLooking();
      if (!answer.line.length) return;
      this.ahead = { line: answer.line, index: Math.min(index, answer.line.length - 1) };
      this.showAhead();
    } catch (error) {
      notice(t("error", { reason: /** @type {T.Refusal} */ (error).reason }));
    }
  }

  showAhead() {
    const { ahead, state } = this;
    if (!ahead || !state) return;
    this.drawBoard(state);
    this.drawMarks();
    this.drawStatus();
    if (ahead.index + 1 < ahead.line.length)
      ahead.timer = setTimeout(() => (ahead.index++, this.showAhead()), LINE_PACE);
  }

  stopLooking() {
    clearTimeout(this.ahead?.timer);
    this.ahead = null;
  }

  lookBack() {
    this.stopLooking();
    if (this.state) this.draw();
  }

  // --- what one can do

  /** @param {T.Gesture} gesture */
  act(gesture) {
    if (!this.state) return;
    this.hands?.allow([]);
    fill(this.parts.moves);
    this.session.send({ type: "act", rev: this.state.rev, action: gesture.action });
  }

  async askHint() {
    try {
      this.hint = await this.session.ask({ type: "hint" });
      this.drawMarks();
      this.drawStatus();
    } catch (error) {
      notice(t("error", { reason: /** @type {T.Refusal} */ (error).reason }));
    }
  }

  giveUp() {
    const seat =
      this.state?.turn !== null && this.welcome.yours.includes(this.state?.turn ?? -1)
        ? this.state?.turn
        : this.welcome.yours[0];
    confirmFirst(t("giveUpSure"), t("giveUp"), () => this.session.send({ type: "resign", seat }));
  }

  /** @param {number} ply */
  goTo(ply) {
    const { state } = this;
    if (!state || ply < 0 || ply > state.plies) return;
    this.heading = ply;
    this.session.send({ type: "goto", ply });
  }

  async analyse() {
    try {
      const { session } = await beginSession({ mode: "analysis", from: this.session.held });
      this.app.go(`#/play/${session}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(t("error", { reason: error.message }));
    }
  }

  async playOn() {
    try {
      const turn = this.state?.turn ?? 0;
      const seats = this.welcome.seats.map((seat) =>
        seat.seat === turn ? { kind: "human" } : { kind: "agent", spec: this.game?.opponent },
      );
      const begun = await this.session.ask({ type: "continue", seats });
      keep(begun);
      this.app.go(`#/play/${begun.session}`);
    } catch (error) {
      notice(t("error", { reason: /** @type {T.Refusal} */ (error).reason }));
    }
  }

  async copyRecord() {
    try {
      const record = JSON.stringify(await getRecord(this.session.held));
      await navigator.clipboard.writeText(record).then(
        () => notice(t("copied")),
        () => openDialog(t("copyRecord"), h("textarea", { rows: 8, readonly: true }, record)),
      );
    } catch (error) {
      if (error instanceof Refused) notice(t("error", { reason: error.message }));
    }
  }

  async showRules() {
    const rules = await getRules(this.welcome.game);
    openDialog(say(rules.title), rulesText(this.welcome.game, rules), "wide-dialog rules");
  }

  leave() {
    if (this.state?.over || this.app.config.kiosk || this.isWatching || this.isAnalysis) this.end();
    closeSession();
    this.app.go("#/");
  }

  /** End the session on the server too. */
  end() {
    this.session.send({ type: "leave" });
    forget(this.session.held.session);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { state } = this;
    const target = /** @type {Element} */ (event.target);
    if (!state || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.("input, select, textarea, dialog") || document.querySelector("dialog[open]")) return;
    const gesture = this.ahead ? null : Hands.byKey(state.gestures, event.key);
    if (gesture && !(target.closest?.("button, [data-step]") && (event.key === "Enter" || event.key === " "))) {
      event.preventDefault();
      this.act(gesture);
    } else if (event.key === "Escape" && this.ahead) this.lookBack();
    else if (this.isAnalysis && !target.closest?.("[data-step]")) this.stepBy(event);
  }

  /** @param {KeyboardEvent} event */
  stepBy(event) {
    const ply = this.heading ?? this.state?.ply ?? 0;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: this.state?.plies ?? 0 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.goTo(to);
  }
}

/** @typedef {PlayScreen} Play */
