/** Telling each move to somebody who can't see the board: who moved, how, and what that did. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { changes, fullName, spokenOf } from "../board/names.js";
import { h } from "../dom.js";
import { number, say, t } from "../words.js";

const KEPT = 5; // lines; a reader that is late still finds the last ones
const MOST = 6; // changes by one move, and two for each other of a round; more than that is another position

/**
 * Say what has happened since the last position that was told.
 * @param {Play} play
 * @param {T.State} state
 */
export function announce(play, state) {
  const before = play.announced;
  play.announced = { ply: state.ply, plies: state.plies, scene: state.scene };
  if (before?.ply === state.ply && before.plies === state.plies) return;
  const since = before?.ply ?? state.ply - 1;
  const moves = state.moves.filter(({ ply }) => ply >= since && ply < state.ply);
  if (moves.length) tell(play.parts.announced, moveInWords(play, moves, before?.scene ?? null, state.scene));
  else if (before) tell(play.parts.announced, t("step", { ply: state.ply, plies: state.plies }));
}

/** @param {HTMLElement} log @param {string} words */
function tell(log, words) {
  log.append(h("p", null, words));
  while (log.children.length > KEPT) log.firstChild?.remove();
}

/**
 * @param {Play} play
 * @param {T.Move[]} moves
 * @param {T.Scene | null} before
 * @param {T.Scene} after
 */
function moveInWords(play, moves, before, after) {
  const said = moves
    .map(({ seat, label }) => `${play.seatName(seat)}: ${label === null ? t("hiddenMove") : say(label)}`)
    .join(", ");
  const mover = moves.length === 1 ? moves[0].seat : null;
  if (!before) return said;
  const [moved, counted] = [onTheBoard(play, before, after, said, mover), beside(before, after)];
  const most = MOST + 2 * (moves.length - 1);
  const effects = [[...moved, ...counted], moved].find((did) => did.length <= most) ?? []; // numbers can be looked up
  return [said, ...effects].join("; ");
}

/**
 * What changed on the board, without what is said already.
 * @param {Play} play
 * @param {T.Scene} before
 * @param {T.Scene} after
 * @param {string} said
 * @param {number | null} mover
 */
function onTheBoard({ board }, before, after, said, mover) {
  if (!board) return [];
  const { moved, gone, come } = changes(spokenOf(board, before).values(), spokenOf(board, after).values());
  const isTaken = (/** @type {number | null} */ seat) => mover !== null && seat !== null && seat !== mover;
  return [
    ...moved.filter(({ from, to }) => !(said.includes(from) && said.includes(to))).map((way) => t("movedTo", way)),
    ...gone.map((piece) => t(isTaken(piece.seat) ? "takes" : "isGone", { piece: fullName(piece) })),
    ...come.filter(({ piece, place }) => !said.includes(place || piece)).map(fullName),
  ];
}

/**
 * Numbers beside the board that have changed.
 * @param {T.Scene} before
 * @param {T.Scene} after
 */
function beside(before, after) {
  const known = new Map(items(before).map((item) => [item.key, item.value]));
  return items(after)
    .filter(({ key, value }) => known.has(key) && known.get(key) !== value)
    .map(({ name, value }) => `${name} ${value}`);
}

/** @param {T.Scene} scene */
function items(scene) {
  return (scene.panels ?? []).flatMap((panel) =>
    (panel.items ?? [])
      .filter((item) => item.value !== undefined)
      .map((item, i) => ({
        key: `${panel.id} ${i}`,
        name: [say(panel.title), say(item.label)].filter(Boolean).join(", "),
        value: typeof item.value === "number" ? number(item.value, 2) : item.value,
      })),
  );
}
