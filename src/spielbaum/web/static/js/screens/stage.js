/** The Stage: games of spe_ed that can be looked at, and one of them with what its players have in mind. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getStage, getStaged } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { History } from "../stage/history.js";
import { Link } from "../stage/link.js";
import { Painter } from "../stage/painter.js";
import { drawSide, layOut, makeParts, PACES, playerButton, set, wereThoughtsShown } from "../stage/side.js";
import { dateTime, number, t } from "../words.js";

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "turn_left", ArrowRight: "turn_right", ArrowUp: "speed_up", ArrowDown: "slow_down" };
const PLANS_KEPT = 1000; // rounds
const TOLD = 5; // lines
const TICK = 250; // ms between two looks at the clock
const REFRESH = 3000; // ms between two looks at which games there are

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
          h("span", null, inShort(game)),
        ),
        game.began > 0 && h("time", null, dateTime(game.began)),
      ),
    ),
  );
}

/** @param {T.StageOutline} game */
function inShort({ title, round, ended }) {
  return [title, round && t("stageAt", { n: round }), t(ended ? "stageOver" : "stageLive")].filter(Boolean).join(" · ");
}

export class Stage {
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
    this.planners = new Set();
    /** @type {T.Hands} */
    this.hands = { type: "hands", own: [], others: [], chosen: {} };
    this.selected = 0;
    this.isFollowing = true;
    /** @type {number} rounds a second */
    this.pace = PACES[1][1];
    this.areThoughtsShown = wereThoughtsShown();
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
    if (lines.length) this.planners.add(player);
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
    const planner = [this.selected, game.you ?? -1, ...this.planners].find((player) => this.planners.has(player)) ?? -1;
    painter.show({
      cells: history.cells,
      round: history.shown,
      before: history.rounds[history.at - 1],
      plans: this.areThoughtsShown ? this.plansOf(planner) : [],
      planner,
      selected: this.selected,
    });
    drawSide(this, planner);
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
    this.parts.announcements.append(h("p", null, `${t("stageAt", { n: round })}. ${t("stageOut", { names: out.join(", ") })}`));
    while (this.parts.announcements.children.length > TOLD) this.parts.announcements.firstChild?.remove();
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
