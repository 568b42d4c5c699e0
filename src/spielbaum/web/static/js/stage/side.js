/** What stands beside the board of the Stage: the rounds, the players, and how to steer one. */

/** @import {Stage} from "../screens/stage.js" */
import { button, fill, h } from "../dom.js";
import { t } from "../words.js";

export const PACES = /** @type {const} */ ([
  ["pace3", 2],
  ["pace2", 8],
  ["pace1", 30],
]);
const SHELF = "spielbaum.thoughts";

/** Whether people wanted to see what is thought when they last said so. */
export const wereThoughtsShown = () => localStorage.getItem(SHELF) !== "no";

/** @param {Stage} stage */
export function makeParts(stage) {
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
  const thoughts = h("input", {
    type: "checkbox",
    class: "switch",
    checked: stage.areThoughtsShown,
    onchange: () => showThoughts(stage, thoughts.checked),
  });
  return {
    slider,
    thoughts,
    title: h("h1", null),
    place: h("div", { class: "board-place stage-place" }, h("p", { class: "loading" }, t("loading"))),
    offline: h("p", { class: "offline", role: "alert", hidden: true }, t("connectionLost")),
    announcements: h("div", { class: "sr-only", role: "log", "aria-live": "polite", "aria-label": t("moveList") }),
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
export function layOut(stage) {
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
        parts.announcements,
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
        h("label", { class: "thoughts-switch" }, parts.thoughts, h("span", null, t("thoughtsShow"))),
        parts.legend,
      ),
    ),
  );
}

/** @param {Stage} stage @param {number} player */
export function playerButton(stage, player) {
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
 * @param {number} planner
 */
export function drawSide(stage, planner) {
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
  const isFree = game.seats.includes(stage.selected) && !stage.hands.others.includes(stage.selected);
  parts.take.disabled = !isTaken && !isFree;
  parts.take.hidden = parts.hint.hidden = !canSteer;
  for (const way of parts.steering) {
    way.disabled = !isTaken;
    way.hidden = !canSteer;
    press(way, isTaken && (stage.hands.chosen[stage.selected] ?? "change_nothing") === way.dataset.action);
  }
  parts.legend.classList.toggle("vacant", planner < 0);
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
  const [, name, details] = row.children;
  set(name, stage.game?.names[player] ? `${player + 1} · ${stage.nameOf(player)}` : stage.nameOf(player));
  name.setAttribute("title", stage.nameOf(player));
  set(details, facts.join(" · "));
  row.classList.toggle("is-out", !active);
  press(row, player === stage.selected);
}

/** @param {Stage} stage @param {number} pace */
function setPace(stage, pace) {
  stage.pace = pace;
  stage.draw();
}

/** @param {Stage} stage @param {boolean} shown */
function showThoughts(stage, shown) {
  stage.areThoughtsShown = shown;
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
export function set(element, text) {
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
