/** Moves as buttons: all of them while they are few; many lie in folds by what they begin with, and a field finds one. */

/** @import * as T from "../types.js" */
import { button, fill, h } from "../dom.js";
import { say, t } from "../words.js";

export const MANY = 24;
const MOST = 60; // that are shown at once

/** @typedef {(gesture: T.Gesture) => void} Act */

/**
 * @param {T.Gesture[]} gestures
 * @param {Act} act
 * @returns {import("../dom.js").Child}
 */
export function moveButtons(gestures, act) {
  if (gestures.length <= MANY) return gestures.map((gesture) => moveButton(gesture, act));
  const found = h("div", { class: "moves-found" });
  const field = h("input", {
    type: "text",
    class: "move-filter",
    placeholder: t("filterMoves"),
    "aria-label": t("filterMoves"),
    "data-key": "filter-moves",
    oninput: () => fill(found, foundMoves(gestures, field.value.trim().toLowerCase(), act)),
  });
  fill(found, foundMoves(gestures, "", act));
  return [field, found];
}

/**
 * @param {T.Gesture} gesture
 * @param {Act} act
 */
function moveButton(gesture, act) {
  return button(say(gesture.label), () => act(gesture), {
    class: typeof gesture.label === "string" ? "action notation" : "action",
    "data-action": gesture.action,
    "data-key": `action-${gesture.action}`,
  });
}

/**
 * @param {T.Gesture[]} gestures
 * @param {string} wanted
 * @param {Act} act
 */
function foundMoves(gestures, wanted, act) {
  const fitting = gestures.filter((gesture) => say(gesture.label).toLowerCase().includes(wanted));
  /** @type {Map<string, T.Gesture[]>} */
  const groups = new Map();
  for (const gesture of fitting)
    groups.set(beginningOf(gesture), [...(groups.get(beginningOf(gesture)) ?? []), gesture]);
  if (fitting.length <= MANY || groups.size < 2 || 2 * groups.size > fitting.length) return row(fitting, act);
  return [...groups].map(([name, members]) => fold(name, members, act));
}

/** What a move begins with: its group, or the first square, number or word of its name. @param {T.Gesture} gesture */
function beginningOf(gesture) {
  const name = say(gesture.label);
  return say(gesture.group) || (/^([a-z]+\d+|\d+|[^\s\-–/:>→,(]+)/i.exec(name)?.[0] ?? name);
}

/**
 * @param {string} name
 * @param {T.Gesture[]} members
 * @param {Act} act
 */
function fold(name, members, act) {
  const inside = h("div", null);
  const whole = h(
    "details",
    { class: "fold", ontoggle: () => fill(inside, whole.open && row(members, act)) },
    h("summary", null, h("span", null, name), h("span", { class: "quiet-text" }, String(members.length))),
    inside,
  );
  return whole;
}

/**
 * @param {T.Gesture[]} members
 * @param {Act} act
 */
function row(members, act) {
  const rest = members.length - MOST;
  return h(
    "div",
    { class: "button-row" },
    members.slice(0, MOST).map((gesture) => moveButton(gesture, act)),
    rest > 0 && h("p", { class: "quiet-text" }, t("moreMoves", { n: rest })),
  );
}
