/** The list of moves, those of a round in one line; in an analysis each line leads to its position. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { h } from "../dom.js";
import { say, t } from "../words.js";
import { goTo } from "./actions.js";

/**
 * @param {Play} play
 * @param {T.State} state
 */
export function moveList(play, state) {
  /** @type {T.Move[][]} */
  const steps = Array.from({ length: state.plies }, () => []);
  for (const move of state.moves) steps[move.ply].push(move);
  const items = steps.map((moves, ply) => {
    const text = moves.flatMap((move) => oneMove(play, move));
    const here = ply + 1 === state.ply;
    return h(
      "li",
      { class: here ? "here" : "", "aria-current": here && "step" },
      play.isAnalysis
        ? h("button", { type: "button", onclick: () => goTo(play, ply + 1), "data-key": `ply-${ply}` }, text)
        : text,
    );
  });
  return h("ol", null, items);
}

/**
 * @param {Play} play
 * @param {T.Move} move
 */
function oneMove(play, move) {
  const sign = h("span", { class: "move-sign", "aria-hidden": "true" });
  sign.style.background = play.colourOf(move.seat);
  return [sign, h("span", null, move.label === null ? t("hiddenMove") : say(move.label))];
}

/** Show the move of the position in the middle of the list; the page stays where it is. @param {HTMLElement} list */
export function scrollToHere(list) {
  const here = /** @type {HTMLElement | null} */ (list.querySelector(".here"));
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}
