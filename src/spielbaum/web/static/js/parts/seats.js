/** Who plays: a card for each seat with what the scene tells of it and its clock, and the panels of no seat. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { colour } from "../board/shapes.js";
import { h } from "../dom.js";
import { clockText, say, t } from "../words.js";
import { drawPanel } from "./panels.js";

/**
 * @param {Play} play
 * @param {T.State} state
 */
export function seatCards(play, state) {
  return play.welcome.seats.map((seat) => {
    const sign = h("span", { class: "seat-sign", "aria-hidden": "true" });
    sign.style.background = colour(seat.role);
    const toMove = state.waiting.includes(seat.seat) ? "to-move" : "";
    const winner = state.result?.winners.includes(seat.seat) ? "winner" : "";
    return h(
      "section",
      { class: `seat ${toMove} ${winner}`, "data-seat": seat.seat },
      h(
        "h3",
        null,
        sign,
        h("span", { class: "seat-name", title: say(seat.name) }, say(seat.name)),
        state.clock && !play.isAnalysis && h("span", { class: "seat-clock", "data-clock": seat.seat }),
        h("span", { class: "seat-who", title: whoSits(play, seat) }, whoSits(play, seat)),
      ),
      panelsOf(play, state, seat.seat),
    );
  });
}

/**
 * @param {Play} play
 * @param {T.State} state
 */
export function commonPanels(play, state) {
  return panelsOf(play, state, null);
}

/**
 * @param {Play} play
 * @param {T.State} state
 * @param {number | null} seat
 */
function panelsOf(play, state, seat) {
  const reference = (/** @type {string} */ symbol) => play.board?.reference(symbol) ?? symbol;
  const panels = state.scene.panels ?? [];
  return panels
    .filter((panel) => (panel.seat ?? null) === seat)
    .map((panel) => drawPanel(panel, reference, seat === null ? "h2" : "h4"));
}

/**
 * @param {Play} play
 * @param {T.SeatInPlay} seat
 */
function whoSits(play, seat) {
  return play.isAnalysis ? "" : sitter(seat, play.game?.levels ?? []);
}

/**
 * A person, or the computer with its level.
 * @param {Omit<T.Player, "name">} player
 * @param {T.Level[]} levels
 */
export function sitter(player, levels) {
  if (player.kind === "human") return player.person ?? t("human");
  const level = levels.find((other) => other.spec === player.spec);
  return `${t("computer")}, ${level ? say(level.title) : label(player.spec ?? "")}`;
}

/** What an agent is called in `mine=mcts:c=0.8`; else its specification. @param {string} spec */
export const label = (spec) => spec.replace(/^([^:=]+)=.*/, "$1");

/**
 * The time of each seat, `since` when the state came.
 * @param {HTMLElement} cards
 * @param {T.State} state
 * @param {number} since
 */
export function showClocks(cards, state, since) {
  const { clock } = state;
  if (!clock) return;
  for (const place of cards.querySelectorAll("[data-clock]")) {
    const seat = Number(place.getAttribute("data-clock"));
    const isRunning = clock.running.includes(seat) && !state.over;
    const used = (clock.used[seat] ?? 0) + (isRunning ? (Date.now() - since) / 1000 : 0);
    place.textContent = clockText(clock.limit === null ? used : clock.limit - used);
    place.classList.toggle("running", isRunning);
  }
}
