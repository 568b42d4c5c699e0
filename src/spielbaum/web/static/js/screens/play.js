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
import { drawPanel } from "../parts/panels.js";
import { openTree } from "../parts/tree.js";
import { closeSession, openSession } from "../session.js";
import { clockText, say, t } from "../words.js";
import { rulesText } from "./rules.js";

const LINE_PACE = 900; // ms between the moves of a line that is played out
const PREPARING = 1500; // ms after which people are told why it takes so long
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
    this.drawSeats(state);
    this.drawControls(state);
    this.drawMoves(state);
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
    const line = this.statusLine(state);
    const said = [
      line,
      say(state.scene.status ?? this.ownWord(state)),
      ...state.faults.map((reason) => t("fault", { reason })),
    ].filter(Boolean);
    const busy = state.busy && state.busy.queue === 0;
    const next = h(
      "div",
      null,
      h(
        "p",
        { class: "turn" },
        this.turnSign(state),
        said[0],
        busy && h("span", { class: "dots", "aria-hidden": "true" }),
      ),
      said.slice(1).map((words) => h("p", { class: "status-more" }, words)),
      this.hint && h("p", { class: "status-more hint-text" }, t("hintIs", { move: say(this.hint.label) })),
      this.ahead && this.lookingAhead(),
    );
    if (previous !== next.textContent || this.ahead) fill(this.parts.status, next);
    this.app.host.classList.toggle("is-over", state.over);
  }

  /** How a game ended in its own words, unless that is what everybody knows. @param {T.State} state */
  ownWord(state) {
    const outcome = state.result?.outcome ?? null;
    const word = typeof outcome === "string" ? outcome : outcome?.en;
    return word === "won" || word === "draw" ? null : outcome;
  }

  /** A dot in the colour of whoever is to move. @param {T.State} state */
  turnSign(state) {
    if (state.turn === null) return null;
    const sign = h("span", { class: "turn-sign", "aria-hidden": "true" });
    sign.style.background = this.colourOf(state.turn);
    return sign;
  }

  /** Whose turn it is, or how it ended, in words. @param {T.State} state */
  statusLine(state) {
    const people = this.welcome.seats.filter((seat) => seat.kind === "human");
    if (state.result) return this.resultLine(state.result, people);
    if (state.turn === null) return t("end");
    const name = this.seatName(state.turn);
    if (this.isAnalysis) return t("toMove", { name });
    if (state.paused && this.isWatching) return t("paused");
    if (state.busy && state.busy.queue > 0) return t("queue", { n: state.busy.queue });
    if (state.busy && Date.now() - (this.preparingSince ?? Date.now()) > PREPARING) return t("preparing");
    if (this.welcome.seats[state.turn]?.kind === "agent")
      return people.length === 1 ? t("thinking") : t("thinkingSeat", { name });
    return people.length === 1 ? t("yourTurnAs", { name }) : t("toMove", { name });
  }

  /**
   * @param {T.Result} result
   * @param {T.SeatInPlay[]} people
   */
  resultLine(result, people) {
    const how =
      result.kind === "played" || result.seat === null
        ? ""
        : `${t(result.kind === "time" ? "onTime" : "resigned", { name: this.seatName(result.seat) })} `;
    if (!result.winners.length) return how + t("drawn");
    if (people.length === 1 && this.welcome.seats.length > 1)
      return how + t(result.winners.includes(people[0].seat) ? "youWon" : "youLost");
    return how + t("victory", { name: result.winners.map((seat) => this.seatName(seat)).join(", ") });
  }

  /** @param {number} seat */
  seatName(seat) {
    return say(this.welcome.seats[seat]?.name) || String(seat + 1);
  }

  /** @param {number} seat */
  colourOf(seat) {
    return colour(this.welcome.seats[seat]?.role);
  }

  /** @param {T.SeatInPlay} seat */
  whoSits(seat) {
    if (this.isAnalysis) return "";
    if (seat.kind === "human") return seat.person ?? t("human");
    const level = this.game?.levels.find((other) => other.spec === seat.spec);
    return `${t("computer")}, ${level ? say(level.title) : (seat.spec ?? "")}`;
  }

  /** @param {T.State} state */
  drawSeats(state) {
    const reference = (/** @type {string} */ symbol) => this.board?.reference(symbol) ?? symbol;
    const panels = state.scene.panels ?? [];
    const cards = this.welcome.seats.map((seat) => {
      const sign = h("span", { class: "seat-sign", "aria-hidden": "true" });
      sign.style.background = colour(seat.role);
      return h(
        "section",
        {
          class: `seat ${state.turn === seat.seat ? "to-move" : ""} ${state.result?.winners.includes(seat.seat) ? "winner" : ""}`,
          "data-seat": seat.seat,
        },
        h(
          "h3",
          null,
          sign,
          h("span", { class: "seat-name" }, say(seat.name)),
          h("span", { class: "seat-who" }, this.whoSits(seat)),
          state.clock && !this.isAnalysis && h("span", { class: "seat-clock", "data-clock": seat.seat }),
        ),
        panels.filter((panel) => panel.seat === seat.seat).map((panel) => drawPanel(panel, reference)),
      );
    });
    fill(this.parts.seats, cards);
    fill(
      this.parts.panels,
      panels
        .filter((panel) => panel.seat === undefined || panel.seat === null)
        .map((panel) => drawPanel(panel, reference)),
    );
    this.clockSince = Date.now();
    this.drawClocks();
  }

  drawClocks() {
    const clock = this.state?.clock;
    if (!clock) return;
    for (const place of this.parts.seats.querySelectorAll("[data-clock]")) {
      const seat = Number(place.getAttribute("data-clock"));
      const running =
        clock.running === seat && !this.state?.over ? (Date.now() - (this.clockSince ?? Date.now())) / 1000 : 0;
      const used = (clock.used[seat] ?? 0) + running;
      place.textContent = clockText(clock.limit === null ? used : clock.limit - used);
      place.classList.toggle("running", clock.running === seat);
    }
  }

  /** @param {T.State} state */
  drawControls(state) {
    fill(this.parts.controls, controls(this, state));
  }

  /** @param {T.State} state */
  drawMoves(state) {
    const items = state.moves.map((move, i) => {
      const label = move.label === null ? t("hiddenMove") : say(move.label);
      const sign = h("span", { class: "move-sign", "aria-hidden": "true" });
      sign.style.background = this.colourOf(move.seat);
      const text = [sign, h("span", null, label)];
      const here = i + 1 === state.ply;
      return h(
        "li",
        { class: here ? "here" : "", "aria-current": here && "step" },
        this.isAnalysis
          ? h("button", { type: "button", onclick: () => this.goTo(i + 1), "data-key": `ply-${i}` }, text)
          : text,
      );
    });
    const { list } = this.parts;
    fill(list, h("ol", null, items));
    const here = /** @type {HTMLElement | null} */ (list.querySelector(".here"));
    if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2; // the list alone, not the page
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

  lookingAhead() {
    const ahead = /** @type {NonNullable<typeof this.ahead>} */ (this.ahead);
    const so = ahead.line
      .slice(0, ahead.index + 1)
      .map((move) => say(move.label))
      .join(" ");
    return h(
      "p",
      { class: "looking" },
      h("span", null, `${t("looking")} ${so}`),
      button(t("backToGame"), () => this.lookBack(), { "data-key": "look-back" }),
    );
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
