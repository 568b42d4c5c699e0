/** The Stage: games of spe_ed that can be looked at, and one of them with what its players have in mind. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getStage, getStaged } from "../api.js";
import { button, fill, h, icon } from "../dom.js";
import { History } from "../stage/history.js";
import { Link } from "../stage/link.js";
import { Painter } from "../stage/painter.js";
import { dateTime, number, t } from "../words.js";

const PACES = /** @type {const} */ ([
  ["pace3", 2],
  ["pace2", 8],
  ["pace1", 30],
]);
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "turn_left", ArrowRight: "turn_right", ArrowUp: "speed_up", ArrowDown: "slow_down" };
const PLANS_KEPT = 200; // rounds
const TOLD = 5; // lines
const TICK = 250; // ms between two looks at the clock
const REFRESH = 3000; // ms between two looks at which games there are
const SHELF = "spielbaum.mind";

/** @param {App} app @param {string} [game] */
export async function stageScreen(app, game) {
  if (!game) return showList(app);
  await getStaged(game); // or tell that there is no such game
  const stage = new Stage(app, game);
  return () => stage.close();
}

/** All games, looked for again and again while the list is shown. @param {App} app */
async function showList(app) {
  const place = h("div", null);
  let known = "";
  async function refresh() {
    const games = await getStage();
    if (JSON.stringify(games) !== known) fill(place, listOf(games));
    known = JSON.stringify(games);
  }
  await refresh();
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page", id: "content" },
      h("h1", null, t("stage")),
      h("p", { class: "lead" }, t("stageAbout")),
      place,
    ),
  );
  const timer = setInterval(() => void refresh().catch(() => {}), REFRESH);
  return () => clearInterval(timer);
}

/** @param {T.StageOutline[]} games */
function listOf(games) {
  if (!games.length) return h("p", null, t("stageNone"));
  return h(
    "ul",
    { class: "records" },
    games.map((game) =>
      h(
        "li",
        null,
        h(
          "a",
          { class: "button wide", href: `#/stage/${game.id}`, "data-key": game.id },
          icon("watch"),
          h("span", null, [game.title, ...(game.round ? [t("stageAt", { n: game.round })] : []), ended(game)].join(" · ")),
        ),
        game.began > 0 && h("time", null, dateTime(game.began)),
      ),
    ),
  );
}

/** @param {T.StageOutline} game */
const ended = (game) => t(game.ended ? "stageOver" : "stageLive");

class Stage {
  /** @param {App} app @param {string} name */
  constructor(app, name) {
    this.app = app;
    /** @type {T.StageGame | null} */
    this.game = null;
    this.history = new History(0);
    /** @type {Painter | null} */
    this.painter = null;
    /** @type {Map<number, Map<number, T.Plan[]>>} by round and player */
    this.plans = new Map();
    /** @type {Set<number>} players who have had any */
    this.thinkers = new Set();
    /** @type {T.Hands} */
    this.hands = { type: "hands", own: [], others: [], chosen: {} };
    this.selected = 0;
    this.isFollowing = true;
    /** @type {number} rounds a second */
    this.pace = PACES[1][1];
    this.isMindShown = localStorage.getItem(SHELF) !== "no";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.playing = undefined;
    this.parts = makeParts(this);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
    this.onTheme = () => this.painter?.recolour();
    this.theme = matchMedia("(prefers-color-scheme: dark)");
    this.theme.addEventListener("change", this.onTheme);
    addEventListener("keydown", this.onKey);
    this.clock = setInterval(() => this.drawClock(), TICK);
    layOut(this);
    this.link = new Link(
      name,
      (message) => this.hear(message),
      (online) => (this.parts.offline.hidden = online),
    );
  }

  /** @param {T.StageMessage} message */
  hear(message) {
    if (message.type === "game") this.describe(message);
    else if (message.type === "rounds") this.goOn(message);
    else if (message.type === "plans") this.keepPlans(message);
    else if (message.type === "hands") this.hands = message;
    if (message.type !== "pong") this.draw();
  }

  /** @param {T.StageGame} game */
  describe(game) {
    const isNew = this.game === null;
    if (isNew) this.selected = game.you ?? game.seats[0] ?? 0;
    this.game = game;
    this.parts.title.textContent = this.parts.title.title = game.title;
    document.title = `${game.title} · Spielbaum`;
    if (!isNew) return;
    this.painter = new Painter(game.width, game.height);
    fill(this.parts.place, this.painter.element);
    fill(
      this.parts.players,
      game.names.map((_, player) => h("li", null, playerButton(this, player))),
    );
  }

  /** @param {T.Rounds} message */
  goOn({ first, shots }) {
    if (!this.game) return;
    if (first === 0) {
      const { at } = this.history; // told anew after a lost connection
      this.history = new History(this.game.width * this.game.height);
      this.history.add(shots);
      if (at < 0 && this.game.ended) {
        this.isFollowing = false;
        this.play();
      }
      this.history.goTo(this.isFollowing ? this.history.last : Math.max(0, at));
    } else {
      this.history.add(shots);
      if (this.isFollowing) this.goTo(this.history.last, true);
    }
  }

  /** @param {T.Plans} message */
  keepPlans({ round, player, lines }) {
    const known = this.plans.get(round) ?? new Map();
    this.plans.set(round, known.set(player, lines));
    if (lines.length) this.thinkers.add(player);
    if (this.plans.size > PLANS_KEPT) this.plans.delete(/** @type {number} */ (this.plans.keys().next().value));
  }

  // --- through the game

  /** @param {number} index @param {boolean} [isFollowing] */
  goTo(index, isFollowing = false) {
    const before = this.history.shown;
    this.history.goTo(index);
    this.isFollowing = isFollowing;
    if (before) this.announce(before);
    this.draw();
  }

  /** Play on from the round that is shown; at the end of a game that is over, from its beginning. */
  play() {
    this.pause();
    if (this.history.at >= this.history.last && this.game?.ended) this.history.goTo(0);
    const next = () => {
      const { at, last } = this.history;
      const isThere = at + 1 >= last;
      this.playing = isThere ? undefined : setTimeout(next, 1000 / this.pace);
      this.goTo(at + 1, isThere && !this.game?.ended);
    };
    this.playing = setTimeout(next, 1000 / this.pace);
    this.draw();
  }

  pause() {
    clearTimeout(this.playing);
    this.playing = undefined;
    this.isFollowing = false;
    this.draw();
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.goTo(this.history.at + by);
  }

  goLive() {
    this.pause();
    this.goTo(this.history.last, !this.game?.ended);
  }

  // --- steering

  get isTaken() {
    return this.hands.own.includes(this.selected);
  }

  /** @param {number} player */
  select(player) {
    this.selected = player;
    this.draw();
  }

  takeOver() {
    if (!this.isTaken && !this.game?.seats.includes(this.selected)) return;
    this.link.send({ type: this.isTaken ? "release" : "take", player: this.selected });
    if (!this.isTaken) this.goLive();
  }

  /** @param {string} action */
  steer(action) {
    if (this.isTaken) this.link.send({ type: "steer", player: this.selected, action });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest?.("input, select, textarea")) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === " " && !target.closest?.("button:not(.stage-player)")) this.takeOver();
    else if (this.isTaken && KEYS[event.key]) this.steer(KEYS[event.key]);
    else if (step !== undefined) this.step(step);
    else return;
    event.preventDefault();
  }

  // --- showing

  /** @param {number} player */
  nameOf(player) {
    return this.game?.names[player] || t("stagePlayer", { n: player + 1 });
  }

  draw() {
    const { game, history, painter } = this;
    if (!game || !painter || !history.shown) return;
    const thinker = [this.selected, game.you ?? -1, ...this.thinkers].find((player) => this.thinkers.has(player)) ?? -1;
    painter.show({
      cells: history.cells,
      round: history.shown,
      before: history.rounds[history.at - 1],
      plans: this.isMindShown ? this.plansOf(thinker) : [],
      thinker,
      selected: this.selected,
    });
    drawSide(this, thinker);
    painter.describe(this.inWords());
  }

  /** What a player has in mind; in a game that goes on what it had, until it thinks again. @param {number} player */
  plansOf(player) {
    const { round } = this.history.shown;
    const isNewest = this.history.at === this.history.last;
    return this.plans.get(round)?.get(player) ?? (isNewest ? this.plans.get(round - 1)?.get(player) : null) ?? [];
  }

  /** How a game has ended. */
  result() {
    const left = this.history.shown.players.flatMap((player, i) => (player[4] ? [this.nameOf(i)] : []));
    return left.length === 1 ? t("victory", { name: left[0] }) : left.length === 0 ? t("drawn") : "";
  }

  drawClock() {
    const deadline = this.isFollowing ? this.history.shown?.deadline : null;
    const seconds = deadline ? (Date.parse(deadline) - Date.now()) / 1000 : 0;
    set(this.parts.clock, deadline && !this.game?.ended ? t("stageClock", { n: number(Math.max(0, seconds)) }) : "");
  }

  /** The position in a sentence. */
  inWords() {
    const { players, round } = this.history.shown;
    const left = players.flatMap((player, i) => (player[4] ? [this.nameOf(i)] : []));
    return `${t("board")}. ${t("stageAt", { n: round })}. ${t("stageActive", { names: left.join(", ") || "–" })}`;
  }

  /** Tell a screen reader who went out. @param {import("../stage/history.js").Round} before */
  announce(before) {
    const { players, round } = this.history.shown;
    const out = players.flatMap((player, i) => (before.players[i][4] && !player[4] ? [this.nameOf(i)] : []));
    if (!out.length) return;
    this.parts.told.append(h("p", null, `${t("stageAt", { n: round })}. ${t("stageOut", { names: out.join(", ") })}`));
    while (this.parts.told.children.length > TOLD) this.parts.told.firstChild?.remove();
  }

  close() {
    this.link.close();
    this.painter?.close();
    clearTimeout(this.playing);
    clearInterval(this.clock);
    removeEventListener("keydown", this.onKey);
    this.theme.removeEventListener("change", this.onTheme);
  }
}

/** @param {Stage} stage */
function makeParts(stage) {
  const does = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ press) =>
    button("", press, { icon: name, "aria-label": label, "data-do": name });
  const slider = h("input", {
    type: "range",
    class: "stage-slider",
    min: 0,
    step: 1,
    "aria-label": t("stageRounds"),
    oninput: () => stage.step(Number(slider.value) - stage.history.at),
  });
  const mind = h("input", { type: "checkbox", class: "switch", checked: stage.isMindShown, onchange: () => showMind(stage, mind.checked) });
  return {
    slider,
    mind,
    title: h("h1", null),
    place: h("div", { class: "board-place stage-place" }, h("p", { class: "loading" }, t("loading"))),
    offline: h("p", { class: "offline", role: "alert", hidden: true }, t("connectionLost")),
    told: h("div", { class: "sr-only", role: "log", "aria-live": "polite", "aria-label": t("moveList") }),
    where: h("p", { class: "turn stage-where" }),
    clock: h("p", { class: "status-more" }),
    players: h("ul", { class: "seats stage-players" }),
    first: does("first", t("first"), () => stage.step(-Infinity)),
    back: does("back", t("previous"), () => stage.step(-1)),
    play: does("play", t("stagePlay"), () => stage.play()),
    pause: does("pause", t("pause"), () => stage.pause()),
    next: does("next", t("next"), () => stage.step(1)),
    last: does("last", t("last"), () => stage.step(Infinity)),
    live: button(t("stageLive"), () => stage.goLive(), { "data-do": "live" }),
    paces: PACES.map(([name, pace]) => button(t(name), () => setPace(stage, pace), { "data-pace": pace })),
    take: button(t("stageTake"), () => stage.takeOver(), { class: "primary wide", icon: "person", "data-do": "take" }),
    steering: [
      steer(stage, "turn_left", t("stageLeft")),
      steer(stage, "change_nothing", t("stageStraight")),
      steer(stage, "turn_right", t("stageRight")),
      steer(stage, "speed_up", t("stageFaster")),
      steer(stage, "slow_down", t("stageSlower")),
    ],
    hint: h("p", { class: "help" }, t("stageKeys")),
    legend: h(
      "p",
      { class: "stage-legend help" },
      h("span", { class: "stage-own" }, t("stageOwn")),
      h("span", { class: "stage-others" }, t("stageOthers")),
    ),
  };
}

/** @param {Stage} stage @param {string} action @param {string} label */
const steer = (stage, action, label) => button(label, () => stage.steer(action), { "data-action": action });

/** @param {Stage} stage */
function layOut(stage) {
  const { parts } = stage;
  fill(
    stage.app.host,
    h(
      "main",
      { class: "play", id: "content", tabindex: -1 },
      h(
        "header",
        { class: "play-bar" },
        button(t("stage"), () => stage.app.go("#/stage"), { class: "quiet", icon: "back" }),
        parts.title,
        h("div", { class: "bar-right" }, stage.app.languageButton()),
      ),
      h("section", { class: "table stage-table" }, parts.place, parts.offline),
      h(
        "aside",
        { class: "side" },
        parts.told,
        h("div", { class: "status" }, parts.where, parts.clock),
        parts.slider,
        h(
          "div",
          { class: "stepping stage-stepping" },
          parts.first,
          parts.back,
          parts.play,
          parts.pause,
          parts.next,
          parts.last,
          parts.live,
        ),
        h("div", { class: "segments", role: "group", "aria-label": t("speed") }, parts.paces),
        h("h2", { class: "sr-only" }, t("seats")),
        parts.players,
        parts.take,
        h("div", { class: "stage-steering", role: "group", "aria-label": t("stageSteer") }, parts.steering),
        parts.hint,
        h("label", { class: "mind-switch" }, parts.mind, h("span", null, t("mindShow"))),
        parts.legend,
      ),
    ),
  );
}

/** @param {Stage} stage @param {number} player */
function playerButton(stage, player) {
  const sign = h("span", { class: "move-sign" });
  sign.style.background = `var(--r-player-${player + 1})`;
  return h(
    "button",
    { type: "button", class: "stage-player", onclick: () => stage.select(player), "data-player": player },
    sign,
    h("span", { class: "stage-name" }),
    h("span", { class: "stage-facts" }),
  );
}

/**
 * Beside the board; elements stay what they are, so that a button that is pressed just now is not another one.
 * @param {Stage} stage
 * @param {number} thinker
 */
function drawSide(stage, thinker) {
  const { game, history, parts } = stage;
  if (!game) return;
  const { at, last, shown } = history;
  const isMoving = stage.isFollowing || stage.playing !== undefined;
  const where = t("stageOf", { n: shown.round, all: history.rounds[last].round });
  set(parts.where, at === last && game.ended ? `${where}. ${stage.result()}` : where);
  parts.slider.max = String(last);
  parts.slider.value = String(at);
  parts.slider.setAttribute("aria-valuetext", t("stageAt", { n: shown.round }));
  swap(parts.pause, parts.play, isMoving);
  swap(parts.last, parts.live, game.ended);
  press(parts.live, stage.isFollowing);
  parts.paces.forEach((pace) => press(pace, Number(pace.dataset.pace) === stage.pace));
  for (const row of parts.players.querySelectorAll("button")) drawPlayer(stage, row);
  const isTaken = stage.isTaken;
  const canSteer = game.seats.length > 0 || isTaken;
  label(parts.take, `${t(isTaken ? "stageLeave" : "stageTake")}: ${stage.nameOf(stage.selected)}`);
  parts.take.disabled = !isTaken && (!game.seats.includes(stage.selected) || stage.hands.others.includes(stage.selected));
  parts.take.hidden = parts.hint.hidden = !canSteer;
  for (const way of parts.steering) {
    way.disabled = !isTaken;
    way.hidden = !canSteer;
    press(way, isTaken && (stage.hands.chosen[stage.selected] ?? "change_nothing") === way.dataset.action);
  }
  parts.legend.classList.toggle("vacant", thinker < 0);
}

/** @param {Stage} stage @param {HTMLButtonElement} row */
function drawPlayer(stage, row) {
  const player = Number(row.dataset.player);
  const { history, hands } = stage;
  const [, , , speed, active] = history.shown.players[player];
  const isLast = history.at === history.last && stage.game?.ended;
  const facts = [
    ...(active ? [t("stageSpeed", { n: speed })] : [t("stageOutIn", { n: history.outIn(player) ?? 0 })]),
    ...(!active || isLast ? [t("stagePlace", { n: history.place(player) })] : []),
    ...(hands.own.includes(player) ? [t("stageByYou")] : hands.others.includes(player) ? [t("stageByOther")] : []),
  ];
  const [, name, told] = row.children;
  set(name, stage.game?.names[player] ? `${player + 1} · ${stage.nameOf(player)}` : stage.nameOf(player));
  name.setAttribute("title", stage.nameOf(player));
  set(told, facts.join(" · "));
  row.classList.toggle("is-out", !active);
  press(row, player === stage.selected);
}

/** @param {Stage} stage @param {number} pace */
function setPace(stage, pace) {
  stage.pace = pace;
  stage.draw();
}

/** @param {Stage} stage @param {boolean} shown */
function showMind(stage, shown) {
  stage.isMindShown = shown;
  localStorage.setItem(SHELF, shown ? "yes" : "no");
  stage.draw();
}

/**
 * Show one of two buttons that stand in the same place; the other one takes the focus along.
 * @param {HTMLButtonElement} one
 * @param {HTMLButtonElement} other
 * @param {boolean} isOne
 */
function swap(one, other, isOne) {
  const [shown, hidden] = isOne ? [one, other] : [other, one];
  const isFocused = document.activeElement === hidden;
  shown.hidden = false;
  hidden.hidden = true;
  if (isFocused) shown.focus();
}

/** @param {Element} element @param {string} text */
function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLButtonElement} button @param {string} text */
function label(button, text) {
  set(/** @type {Element} */ (button.lastElementChild), text);
  if (button.getAttribute("aria-label") !== text) button.setAttribute("aria-label", text);
}

/** @param {HTMLButtonElement} button @param {boolean} isPressed */
function press(button, isPressed) {
  if (button.getAttribute("aria-pressed") !== String(isPressed)) button.setAttribute("aria-pressed", String(isPressed));
}
