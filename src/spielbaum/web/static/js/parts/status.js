/** Whose turn it is or how the game ended, in words. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { h } from "../dom.js";
import { reasonOf } from "../reasons.js";
import { say, t } from "../words.js";

/**
 * @param {Play} play
 * @param {T.State} state
 */
export function status(play, state) {
  const said = [
    statusLine(play, state),
    choosesHere(play, state) && t("atOnce"),
    say(state.scene.status ?? ownWord(state)),
    ...state.chosen.map((move) => t("chosenIs", { name: play.seatName(move.seat), move: say(move.label) })),
    ...state.faults.map((reason) => reasonOf({ code: "fault", reason })),
  ].filter(Boolean);
  return h(
    "div",
    null,
    h(
      "p",
      { class: "turn" },
      turnSign(play, state),
      h("span", null, said[0], "\u00a0", h("span", { class: "dots", "aria-hidden": "true" })),
    ),
    said.slice(1).map((words) => h("p", { class: "status-more" }, words)),
  );
}

/** How a game ended in its own words, unless that is what everybody knows. @param {T.State} state */
function ownWord(state) {
  const outcome = state.result?.outcome ?? null;
  const word = typeof outcome === "string" ? outcome : outcome?.en;
  return word === "won" || word === "on the board" || word === "draw" ? null : outcome;
}

/**
 * A dot in the colour of whoever is to move.
 * @param {Play} play
 * @param {T.State} state
 */
function turnSign(play, state) {
  if (state.turn === null) return null;
  const sign = h("span", { class: "turn-sign", "aria-hidden": "true" });
  sign.style.background = play.colourOf(state.turn);
  return sign;
}

/**
 * @param {Play} play
 * @param {T.State} state
 */
function statusLine(play, state) {
  const people = play.welcome.seats.filter((seat) => seat.kind === "human");
  if (state.result) return resultLine(play, state.result);
  if (state.turn === null) return t("end");
  const name = play.seatName(state.turn);
  if (play.isAnalysis) return t("toMove", { name });
  if (choosesHere(play, state)) return t("choose", { name });
  if (state.paused && play.isWatching) return t("paused");
  if (state.busy && state.busy.queue > 0) return t("queue", { n: state.busy.queue });
  if (state.busy?.why === "move" && play.preparation && play.isSlow) return t("preparing");
  if (isRound(play, state) && people.length)
    return t("waitingFor", { names: state.waiting.map((seat) => play.seatName(seat)).join(", ") });
  if (play.welcome.seats[state.turn]?.kind === "agent")
    return people.length === 1 ? t("thinking") : t("thinkingSeat", { name });
  return isOneSide(play) && play.welcome.yours.includes(state.turn) ? t("yourTurnAs", { name }) : t("toMove", { name });
}

/**
 * Whether to show that the computer thinks; a moment of it is not worth a sign.
 * @param {Play} play
 * @param {T.State} state
 */
export function isThinking(play, state) {
  return play.isSlow && state.busy?.queue === 0 && !choosesHere(play, state);
}

/**
 * Whether several choose at once.
 * @param {Play} play
 * @param {T.State} state
 */
function isRound(play, state) {
  return play.welcome.rounds && state.movers.length > 1;
}

/**
 * Whether one of them does so at this screen.
 * @param {Play} play
 * @param {T.State} state
 */
function choosesHere(play, state) {
  return isRound(play, state) && state.turn !== null && play.welcome.yours.includes(state.turn);
}

/** Whether whoever sits here plays for one side, alone or for several seats of it. @param {Play} play */
function isOneSide(play) {
  const { seats, yours } = play.welcome;
  return new Set(yours.map((seat) => seats[seat].team)).size === 1;
}

/**
 * @param {Play} play
 * @param {T.Result} result
 */
function resultLine(play, result) {
  const how =
    result.kind === "played" || result.seat === null
      ? ""
      : `${t(result.kind === "time" ? "onTime" : "resigned", { name: play.seatName(result.seat) })} `;
  if (!result.winners.length) return how + t("drawn");
  if (isOneSide(play) && play.welcome.seats.length > 1) {
    if (result.winners.includes(play.welcome.yours[0])) return how + t("youWon");
    const isComputer = result.winners.every((seat) => play.welcome.seats[seat].kind === "agent");
    return how + t(isComputer ? "computerWon" : "youLost");
  }
  return how + t("victory", { name: result.winners.map((seat) => play.seatName(seat)).join(", ") });
}
