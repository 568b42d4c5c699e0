/** Keys on the game screen: the moves that have one, back from looking ahead, and through the moves of an analysis. */

/** @import {Play} from "../screens/play.js" */
import { BoardInput } from "../board/input.js";
import { goTo } from "./actions.js";

/**
 * @param {Play} play
 * @param {KeyboardEvent} event
 */
export function pressKey(play, event) {
  const { state } = play;
  const target = /** @type {Element} */ (event.target);
  if (!state || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && play.preview) return play.lookBack();
  if (target.closest?.("input, select, textarea")) return;
  const gesture = play.preview ? null : BoardInput.byKey(state.gestures, event.key);
  if (gesture && !(target.closest?.("button, [data-step]") && (event.key === "Enter" || event.key === " "))) {
    event.preventDefault();
    play.act(gesture);
  } else if (play.isAnalysis && !target.closest?.("[data-step]")) stepBy(play, event);
}

/**
 * @param {Play} play
 * @param {KeyboardEvent} event
 */
function stepBy(play, event) {
  const ply = play.heading ?? play.state?.ply ?? 0;
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: play.state?.plies ?? 0 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  goTo(play, to);
}
