/** The buttons of the game screen: other ones for playing, watching and analysing. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { button, fill, h } from "../dom.js";
import { agentFields } from "../screens/setup.js";
import { say, sayFirst, t } from "../words.js";
import { analyse, askHint, cancel, copyRecord, giveUp, goTo, playOn, restart } from "./actions.js";
import { select } from "./form.js";

const PACES = /** @type {const} */ ([
  ["pace3", 2.5],
  ["pace2", 1],
  ["pace1", 0.25],
  ["pace0", 0],
]);

/**
 * @param {Play} play
 * @param {T.State} state
 */
export function controls(play, state) {
  if (play.isAnalysis) return [...analysing(play, state), switches(play, state)];
  return [
    state.over &&
      play.welcome.control &&
      button(t("playAgain"), () => restart(play), {
        class: "primary",
        icon: "restart",
        "data-key": "again",
        "data-do": "again",
      }),
    play.isWatching && watching(play, state),
    h(
      "div",
      { class: "button-row" },
      !play.isWatching && does("undo", t("undo"), "undo", () => play.session.send({ type: "undo" }), state.can.undo),
      !play.isWatching && hint(play, state),
      !state.over && does("restart", t("restart"), "restart", () => restart(play), state.can.restart),
      !play.isWatching && !state.over && does("resign", t("giveUp"), "flag", () => giveUp(play), state.can.resign),
      state.over && !play.app.config.kiosk && does("analyse", t("analyse"), "analysis", () => void analyse(play), true),
      state.over &&
        !play.app.config.kiosk &&
        does("record", t("copyRecord"), "copy", () => void copyRecord(play), true),
      !state.over && play.welcome.control && play.welcome.seats.some((seat) => seat.kind === "agent") && moveNow(play, state),
    ),
    switches(play, state),
  ];
}

/**
 * Pressed and at work from the first moment until the answer is there.
 * @param {Play} play
 * @param {T.State} state
 */
function hint(play, state) {
  const button = does("hint", t("hint"), "hint", () => void askHint(play), state.can.hint && !play.isHinting);
  button.setAttribute("aria-pressed", String(play.isHinting));
  button.setAttribute("aria-busy", String(play.isHinting));
  return button;
}

/**
 * Ends a search. It is there all the time, so that no other button moves when there is something to end.
 * @param {Play} play
 * @param {T.State} state
 */
function moveNow(play, state) {
  const isSearched = play.isSlow && state.busy?.why === "move" && state.busy.queue === 0;
  return does("now", t("moveNow"), "next", () => play.session.send({ type: "stop" }), isSearched);
}

/**
 * One for each layer of the scene that can be turned off.
 * @param {Play} play
 * @param {T.State} state
 */
function switches(play, state) {
  return (state.scene.layers ?? []).map((layer) => {
    if (layer.kind === "bitmap" || !layer.switch) return null;
    const box = h("input", {
      type: "checkbox",
      class: "switch",
      checked: !play.board?.off.has(layer.name),
      "data-do": `layer-${layer.name}`,
      "data-key": `layer-${layer.name}`,
      onchange: () => play.turn(layer.name, box.checked),
    });
    return h("label", { class: "thoughts-switch" }, box, h("span", null, say(layer.switch)));
  });
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string} icon
 * @param {() => void} press
 * @param {boolean} can
 */
function does(name, label, icon, press, can) {
  return button(label, press, { icon, disabled: !can, "data-do": name, "data-key": name });
}

/**
 * Agents among themselves: pause, speed, and whether they begin again.
 * @param {Play} play
 * @param {T.State} state
 */
function watching(play, state) {
  const set = (/** @type {Record<string, unknown>} */ what) => play.session.send({ type: "pace", ...what });
  const nearest = PACES.reduce((best, each) =>
    Math.abs(each[1] - state.pace) < Math.abs(best[1] - state.pace) ? each : best,
  );
  const repeat = h("input", {
    type: "checkbox",
    class: "switch",
    checked: state.repeat,
    "data-do": "repeat",
    "data-key": "repeat",
    onchange: () => set({ repeat: repeat.checked }),
  });
  return h(
    "div",
    { class: "watching" },
    h(
      "div",
      { class: "button-row" },
      does(
        "pause",
        t(state.paused ? "resume" : "pause"),
        state.paused ? "play" : "pause",
        () => set({ paused: !state.paused }),
        !state.over,
      ),
    ),
    h(
      "div",
      { class: "segments", role: "group", "aria-label": t("speed") },
      PACES.map((each) =>
        button(t(each[0]), () => set({ pace: each[1] }), {
          "aria-pressed": String(each === nearest),
          "data-key": each[0],
          "data-do": each[0],
        }),
      ),
    ),
    h("label", { class: "thoughts-switch" }, repeat, h("span", null, t("repeat"))),
  );
}

/**
 * Stepping through a game and letting an agent think about a position.
 * @param {Play} play
 * @param {T.State} state
 */
function analysing(play, state) {
  const thinks = state.busy !== null;
  return [
    h(
      "div",
      { class: "stepping" },
      step("first", 0),
      step("back", state.ply - 1),
      h("span", { class: "where" }, t("step", { ply: state.ply, plies: state.plies })),
      step("next", state.ply + 1),
      step("last", state.plies),
    ),
    agentPicker(play, thinks, state),
    h(
      "div",
      { class: "button-row" },
      !state.over && does("continue", t("continueHere"), "play", () => void playOn(play), true),
      does("record", t("copyRecord"), "copy", () => void copyRecord(play), true),
    ),
  ];

  /** @param {"first" | "back" | "next" | "last"} name @param {number} ply */
  function step(name, ply) {
    const label = { first: t("first"), back: t("previous"), next: t("next"), last: t("last") }[name];
    const can = ply >= 0 && ply <= state.plies && ply !== state.ply;
    return button("", () => goTo(play, ply), {
      icon: name,
      "aria-label": label,
      disabled: !can,
      "data-do": name,
      "data-key": name,
    });
  }
}

/**
 * Which agent thinks; kept while the controls are drawn anew.
 * @param {Play} play
 * @param {boolean} thinks
 * @param {T.State} state
 */
function agentPicker(play, thinks, state) {
  const { game } = play;
  if (!game) return null;
  const agents = game.agents.filter((agent) => agent.searches);
  const choices = /** @type {[string, string][]} */ ([
    ...[...game.levels, ...game.named].map(({ spec, title }) => [spec, sayFirst(title)]),
    ...agents.map((agent) => [agent.name, sayFirst(agent.title)]),
  ]);
  play.thinkSpec ??= game.levels.at(-1)?.spec ?? agents[0]?.name ?? game.opponent;
  const chosen = choices.some(([spec]) => spec === play.thinkSpec?.split(":")[0])
    ? play.thinkSpec.split(":")[0]
    : play.thinkSpec;
  const params =
    play.thinkFold ?? h("details", { class: "fold", hidden: true }, h("summary", null, t("advanced")), h("div", null));
  play.thinkFold = params;
  const pick = select({ "aria-label": t("thinkWith"), "data-key": "think-with" }, choices, chosen, (spec) => {
    play.thinkSpec = spec;
    const agent = agents.find((other) => other.name === spec);
    params.hidden = !agent;
    fill(
      /** @type {Element} */ (params.lastElementChild),
      agent ? agentFields(agent, (full) => (play.thinkSpec = full)) : null,
    );
  });
  const act = thinks
    ? does(
        "stop",
        t("stop"),
        "close",
        () => (play.preparation ? cancel(play) : play.session.send({ type: "stop" })),
        true,
      )
    : does(
        "think",
        t("think"),
        "thoughts",
        () => (play.openTab("thoughts"), play.session.send({ type: "think", spec: play.thinkSpec })),
        state.can.think,
      );
  return h("div", { class: "agent-picker" }, pick, act, params);
}
