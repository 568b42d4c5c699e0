/**
 * Curves over a game: what searches think of it, and the points of all players in games that count some.
 *
 * The value of a game: from the first player's view when there are two, otherwise a line for each.
 * Searches that count in different units have lines of their own, each as high as its largest value.
 */

/** @import * as T from "../types.js" */
import { colour } from "../board/shapes.js";
import { h, svg } from "../dom.js";
import { isCertain, sayFirst, t, worth } from "../words.js";

const [WIDTH, HEIGHT] = [100, 36];
const CERTAIN = 0.96; // of the height: a game that is won or lost lies beyond every other value
const HIGHEST = 0.86;

/** @typedef {T.CurvePoint & {value: number}} Point */

/**
 * @param {T.CurvePoint[]} points
 * @param {T.SeatInPlay[]} seats
 * @param {number} plies
 * @param {number} ply
 */
export function drawCurve(points, seats, plies, ply) {
  if (points.length < 2 || !seats.length) return null;
  const across = (/** @type {number} */ at) => (WIDTH * at) / Math.max(plies, 1);
  const lines = linesOf(points, seats);
  const drawn = lines.map((line, i) => {
    const up = scaleOf(line);
    const path = line.map((p, j) => `${j ? "L" : "M"}${across(p.ply).toFixed(2)} ${up(p.value).toFixed(2)}`).join("");
    return svg("path", { class: `curve-line curve-${i + 1}`, d: path, "vector-effect": "non-scaling-stroke" });
  });
  const label = lines
    .map((line) => line[line.length - 1])
    .map((latest) => `${sayFirst(seats[latest.seat].name)}: ${worth(latest.value, latest.unit)}`)
    .join("; ");
  const middle = svg("path", { class: "curve-middle", d: `M0 ${HEIGHT / 2}H${WIDTH}`, "vector-effect": "non-scaling-stroke" });
  return figureOf([middle, nowLine(across(ply)), ...drawn], label);
}

/**
 * The points of all players, from 0 to the most that anybody had.
 * @param {number[][]} scores after each step, of each seat
 * @param {T.SeatInPlay[]} seats
 * @param {number} ply
 */
export function drawScores(scores, seats, ply) {
  if (scores.length < 2) return null;
  const [least, most] = [Math.min(0, ...scores.flat()), Math.max(1, ...scores.flat())];
  const across = (/** @type {number} */ at) => (WIDTH * at) / (scores.length - 1);
  const up = (/** @type {number} */ points) => HEIGHT * (0.98 - (0.94 * (points - least)) / (most - least));
  const lines = seats.map((seat, i) => {
    const path = scores.map((all, at) => `${at ? "L" : "M"}${across(at).toFixed(2)} ${up(all[i]).toFixed(2)}`).join("");
    const look = { class: "score-line", "data-seat": i, stroke: colour(seat.role), "vector-effect": "non-scaling-stroke" };
    return svg("path", { ...look, d: path });
  });
  const shown = scores[Math.min(ply, scores.length - 1)];
  const label = `${t("scoreCurve")}: ${seats.map((seat, i) => `${sayFirst(seat.name)} ${shown[i]}`).join("; ")}`;
  return figureOf([nowLine(across(ply)), ...lines], label);
}

/** @param {number} x */
function nowLine(x) {
  return svg("path", { class: "curve-now", d: `M${x} 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" });
}

/**
 * @param {SVGElement[]} drawn
 * @param {string} label
 */
function figureOf(drawn, label) {
  return h(
    "figure",
    { class: "curve" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
      drawn,
    ),
    h("figcaption", null, label),
  );
}

/**
 * @param {T.CurvePoint[]} points
 * @param {T.SeatInPlay[]} seats
 * @returns {Point[][]}
 */
function linesOf(points, seats) {
  const known = /** @type {Point[]} */ (points.filter((p) => p.value !== null));
  const sameSide = seats.length === 2 ? known.map((p) => (p.seat ? { ...p, seat: 0, value: 0 - p.value } : p)) : known;
  /** @type {Map<string, Point[]>} */
  const lines = new Map();
  for (const p of sameSide) {
    const key = `${p.seat} ${p.unit.name}`;
    lines.set(key, [...(lines.get(key) ?? []), p]);
  }
  return [...lines.values()];
}

/** How high a value lies, so that all of the line can be seen. @param {Point[]} line */
function scaleOf(line) {
  const { name, scale } = line[0].unit;
  const least = name === "chance" || name === "evaluation" ? 1 : 1 / scale; // a single piece is no landslide
  const most = Math.max(least, ...line.filter((p) => !isCertain(p.value)).map((p) => Math.abs(p.value)));
  return (/** @type {number} */ value) => {
    const part = isCertain(value) ? CERTAIN * Math.sign(value) : (HIGHEST * value) / most;
    return (HEIGHT * (1 - part)) / 2;
  };
}
