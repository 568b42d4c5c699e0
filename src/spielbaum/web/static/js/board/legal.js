/**
 * Marks on places that may be touched, in two tones: a dark core with a light rim, by night the other way round.
 *
 * The ratio of the two is above 9:1. Whatever colour lies below, one of them then differs from it by more than the root
 * of that, the 3:1 that WCAG 2.2 asks for (success criterion 1.4.11), so that marks are seen on any author's board.
 */

/** @import {Board} from "./board.js" */
import { svg } from "../dom.js";
import { copyOf } from "./marks.js";

const SMALL = 4; // hundredths of the board
const INSET = 0.045; // of a place's smaller side

/**
 * A place that may be touched next: a dot where nothing stands on it, otherwise a line around it.
 * @param {Board} board
 * @param {string} step
 */
export function legalMark(board, step) {
  const place = board.whereIs(step);
  if (!place) return null;
  const [long, short] = [Math.max(place.width, place.height), Math.min(place.width, place.height)];
  if (isStroked(board, step) || long > 2 * short) return outline(board, step);
  if (long <= SMALL * board.unit) return circle(board, step, 1.1 * long, "ring");
  if (isPiece(board, step) || board.standingOn(step).length) return outline(board, step);
  return circle(board, step, dotRadius(board, short), "dot");
}

/**
 * A line just within the edge of a place; a place that is a line itself is covered.
 * @param {Board} board
 * @param {string} step
 */
export function outline(board, step) {
  const place = board.whereIs(step);
  const tones = ["rim", "core"].map((tone) => copyOf(board, step, `legal ${tone}`));
  if (!place) return null;
  const inset = Math.min(INSET * Math.min(place.width, place.height), 0.5 * board.unit);
  const scale = `scale(${1 - (2 * inset) / place.width}, ${1 - (2 * inset) / place.height})`;
  const width = board.shapeOf(step)?.width ?? 0;
  tones.forEach((tone, i) => {
    const drawn = /** @type {SVGElement} */ (tone?.firstChild);
    if (isStroked(board, step)) drawn.style.strokeWidth = String(width + [2.4, 1.2][i] * board.unit);
    else drawn.style.transform = scale;
  });
  return svg("g", { class: "legal-mark", "data-legal": step }, tones);
}

/** Whether what is touched is itself something that stands somewhere. @param {Board} board @param {string} step */
function isPiece(board, step) {
  const kind = board.shapeOf(step)?.kind;
  return kind === "use" || kind === "text";
}

/** Whether a place is a line, such as a road. @param {Board} board @param {string} step */
function isStroked(board, step) {
  return copyOf(board, step, "")?.matches(".stroked") ?? false;
}

/**
 * @param {Board} board
 * @param {string} step
 * @param {number} r
 * @param {"dot" | "ring"} kind
 */
function circle(board, step, r, kind) {
  const place = board.whereIs(step);
  const tones = ["rim", "core"].map((tone) =>
    svg("circle", { class: `legal ${kind} ${tone}`, cx: place?.x, cy: place?.y, r }),
  );
  return svg("g", { class: "legal-mark", "data-legal": step }, tones);
}

/** @param {Board} board @param {number} short */
const dotRadius = (board, short) => Math.min(Math.max(0.12 * short, 0.7 * board.unit), 1.2 * board.unit);
