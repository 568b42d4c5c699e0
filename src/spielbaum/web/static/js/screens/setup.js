/** Setting up a game: who plays and how strong first, everything else folded away. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { beginSession, getGame, Refused, trySetup } from "../api.js";
import { picture } from "../board/board.js";
import { button, fill, h, icon } from "../dom.js";
import { notice } from "../parts/dialog.js";
import { chips, formField, select } from "../parts/form.js";
import { watchPreparation } from "../parts/progress.js";
import { reasonOf } from "../reasons.js";
import { say, sayFirst, t } from "../words.js";
import { facts } from "./start.js";

const CLOCKS = [0, 3, 5, 10, 30]; // minutes
const OTHER = "…";

/** @typedef {"computer" | "people" | "watch"} Mode */

/**
 * @param {App} app
 * @param {string} name
 */
export async function setupScreen(app, name) {
  const game = await getGame(name);
  const isKiosk = app.config.kiosk !== null;
  const offered = isKiosk ? game.levels : [...game.levels, ...game.named];
  const preview = h("div", { class: "setup-picture" });
  const form = h("div", { class: "setup-form" });
  const readiness = h("div", { class: "progress" });
  /** @type {{mode: Mode, level: string, side: string, preset: string | null, options: Record<string, unknown>, seats: T.Seat[], who: T.SeatChoice[], clock: number}} */
  const chosen = {
    mode: "computer",
    level: game.opponent,
    side: "0",
    preset: game.presets[0]?.name ?? null,
    options: { ...(isKiosk ? game.kiosk.options : game.presets[0]?.options) },
    seats: game.seats,
    who: [],
    clock: 0,
  };

  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page setup", id: "content" },
      h(
        "div",
        { class: "setup-head" },
        h("h1", null, say(game.title)),
        h("p", { class: "lead" }, say(game.about)),
        h("p", { class: "card-facts" }, facts(game).join(" · ")),
        game.rules &&
          h("a", { class: "button quiet", href: `#/rules/${name}` }, icon("rules"), h("span", null, t("rules"))),
      ),
      preview,
      form,
    ),
  );
  seatAll();
  draw();
  void tryOptions().then(() => watchPreparation(readiness, name));

  /** Seats as mode, level and side say; whoever unfolds the details changes them one by one. */
  function seatAll() {
    const all = everySide();
    const side = all.find(({ value }) => value === chosen.side) ?? all[0];
    chosen.side = side.value;
    chosen.who = chosen.seats.map(({ seat }) =>
      chosen.mode === "people" || (chosen.mode === "computer" && side.seats.includes(seat))
        ? { kind: "human" }
        : { kind: "agent", spec: chosen.level },
    );
  }

  /** What one person may play: each seat, and each group of them before its first one. */
  function everySide() {
    return chosen.seats.flatMap(({ seat, name, group }) => {
      const single = { value: String(seat), title: say(name), seats: [seat] };
      const title = say(group);
      const seats = chosen.seats.filter((other) => group && say(other.group) === title).map((other) => other.seat);
      return seats.length > 1 && seats[0] === seat ? [{ value: title, title, seats }, single] : [single];
    });
  }

  /** Show the board that these options give, and its seats. */
  async function tryOptions() {
    try {
      const answer = await trySetup(name, chosen.options);
      const sameSeats = answer.seats.length === chosen.seats.length;
      chosen.seats = answer.seats;
      fill(preview, picture(name, answer.backdrop, answer.scene, say(game.title)));
      if (!sameSeats) {
        seatAll();
        draw();
      }
    } catch (error) {
      if (error instanceof Refused) notice(reasonOf(error));
    }
  }

  function draw() {
    const folds = [...form.querySelectorAll("details")].map((fold) => fold.open);
    fill(
      form,
      modes(),
      chosen.mode !== "people" && levels(),
      !isKiosk && game.trouble && h("p", { class: "quiet-text trouble" }, t("fileTrouble", { reason: game.trouble })),
      chosen.mode === "computer" && chosen.seats.length > 1 && sides(),
      !isKiosk && game.presets.length > 0 && presets(),
      !isKiosk && details(),
      h(
        "div",
        { class: "begin-bar" },
        button(t("begin"), startGame, { class: "primary large", icon: "play", "data-key": "begin" }),
        readiness,
      ),
    );
    form.querySelectorAll("details").forEach((fold, i) => (fold.open = folds[i] ?? false));
  }

  /** What most people leave as it is. */
  function details() {
    return [
      h("details", { class: "fold" }, h("summary", null, t("opponents")), seats()),
      game.options.length > 0 && h("details", { class: "fold" }, h("summary", null, t("options")), options()),
      h("details", { class: "fold" }, h("summary", null, t("clock")), clocks()),
    ];
  }

  function modes() {
    /** @type {{value: Mode, title: string, icon: string}[]} */
    const all = [
      { value: "computer", title: t("againstComputer"), icon: "person" },
      { value: "people", title: t(chosen.seats.length > 2 ? "severalPeople" : "twoPeople"), icon: "people" },
      { value: "watch", title: t("computerPlays"), icon: "watch" },
    ];
    return chips(
      t("mode"),
      chosen.seats.length > 1 ? all : [all[0], all[2]],
      chosen.mode,
      (mode) => {
        chosen.mode = mode;
        seatAll();
        draw();
      },
      "mode",
    );
  }

  function levels() {
    return (
      offered.length > 0 &&
      chips(
        t("difficulty"),
        offered.map(({ spec, title }) => ({ value: spec, title: say(title) })),
        chosen.level,
        (level) => {
          chosen.level = level;
          seatAll();
          draw();
        },
        "level",
      )
    );
  }

  function sides() {
    return chips(
      t("playSide"),
      everySide(),
      chosen.side,
      (side) => {
        chosen.side = side;
        seatAll();
        draw();
      },
      "side",
    );
  }

  function presets() {
    return chips(
      t("preset"),
      game.presets.map((preset) => ({ value: /** @type {string | null} */ (preset.name), title: say(preset.title) })),
      chosen.preset,
      (preset) => {
        chosen.preset = preset;
        chosen.options = { ...game.presets.find((other) => other.name === preset)?.options };
        draw();
        void tryOptions();
      },
      "preset",
    );
  }

  function options() {
    return h(
      "div",
      { class: "fields" },
      game.options.map((field) =>
        formField(field, chosen.options[field.name], (value) => {
          if (value === undefined) delete chosen.options[field.name];
          else chosen.options[field.name] = value;
          void tryOptions();
        }),
      ),
    );
  }

  function seats() {
    return h(
      "div",
      { class: "fields" },
      chosen.seats.map((seat, i) =>
        seatField(game, seat, chosen.who[i], (who) => {
          chosen.who[i] = who;
        }),
      ),
    );
  }

  function clocks() {
    const choices = CLOCKS.map(
      (minutes) =>
        /** @type {[string, string]} */ ([String(minutes), minutes ? t("clockMinutes", { minutes }) : t("clockNone")]),
    );
    return select(
      { "aria-label": t("clock") },
      choices,
      String(chosen.clock),
      (minutes) => (chosen.clock = Number(minutes)),
    );
  }

  /** Begin, once: with an empty cache the rules of a game are compiled first, for some seconds. */
  async function startGame() {
    const begin = form.querySelector("[data-key=begin]");
    begin?.toggleAttribute("disabled", true);
    try {
      const watching = chosen.who.every((who) => who.kind === "agent");
      const request = {
        game: name,
        options: chosen.options,
        seats: chosen.who,
        clock: chosen.clock ? 60 * chosen.clock : null,
        repeat: isKiosk && watching,
      };
      const { session } = await beginSession(request);
      app.go(`#/play/${session}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(reasonOf(error));
    } finally {
      begin?.toggleAttribute("disabled", false);
    }
  }
}

/**
 * Who sits on a seat: a person, a level, or any agent with its parameters.
 * @param {T.GameDetails} game
 * @param {T.Seat} seat
 * @param {T.SeatChoice} who
 * @param {(who: T.SeatChoice) => void} change
 */
function seatField(game, seat, who, change) {
  const more = h("div", { class: "agent-params" });
  const label = say(seat.name);
  const known = [
    ["", t("person")],
    ...[...game.levels, ...game.named].map(({ spec, title }) => [spec, sayFirst(title)]),
    ...game.agents.map((agent) => [`${agent.name}${OTHER}`, `${say(agent.title)} …`]),
  ];
  const value = who.kind === "human" ? "" : (who.spec ?? "");
  const choices = /** @type {[string, string][]} */ (
    known.some(([spec]) => spec === value) ? known : [...known, [value, value]]
  );
  const choose = select({ "aria-label": `${label}: ${t("mode")}` }, choices, value, (picked) => {
    fill(more);
    if (picked === "") return change({ kind: "human" });
    const agent = picked.endsWith(OTHER) ? game.agents.find((other) => `${other.name}${OTHER}` === picked) : undefined;
    change({ kind: "agent", spec: agent?.name ?? picked });
    if (agent)
      fill(
        more,
        agentFields(agent, (spec) => change({ kind: "agent", spec })),
      );
  });
  return h("div", { class: "field seat-field", "data-seat": seat.seat }, h("label", null, label), choose, more);
}

/**
 * The parameters of an agent, put together to a specification.
 * @param {T.AgentKind} agent
 * @param {(spec: string) => void} change
 */
export function agentFields(agent, change) {
  /** @type {Record<string, unknown>} */
  const given = {};
  const spec = h("code", { class: "spec" }, agent.name);
  const fields = agent.params.map((field) =>
    formField(field, undefined, (value) => {
      if (value === undefined) delete given[field.name];
      else given[field.name] = value;
      const parts = Object.entries(given).map(([key, each]) => `${key}=${each}`);
      spec.textContent = [agent.name, ...(parts.length ? [parts.join(",")] : [])].join(":");
      change(spec.textContent);
    }),
  );
  return [h("p", { class: "help" }, say(agent.help)), spec, h("div", { class: "fields" }, fields)];
}
