/** The list of moves; in an analysis each of them leads to its position. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { h } from "../dom.js";
import { say, t } from "../words.js";
import { goTo } from "./deeds.js";

/**
 * @param {Play} play
 * @param {T.State} state
 */
export function moveList(play, state) {
  const items = state.moves.map((move, i) => {
    const label = move.label === null ? t("hiddenMove") : say(move.label);
    const sign = h("span", { class: "move-sign", "aria-hidden": "true" });
    sign.style.background = play.colourOf(move.seat);
    const text = [sign, h("span", null, label)];
    const here = i + 1 === state.ply;
    return h(
      "li",
      { class: here ? "here" : "", "aria-current": here && "step" },
      play.isAnalysis
        ? h("button", { type: "button", onclick: () => goTo(play, i + 1), "data-key": `ply-${i}` }, text)
        : text,
    );
  });
  return h("ol", null, items);
}

/** Show the move of the position in the middle of the list; the page stays where it is. @param {HTMLElement} list */
export function scrollToHere(list) {
  const here = /** @type {HTMLElement | null} */ (list.querySelector(".here"));
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}
