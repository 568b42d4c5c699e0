/** The value over the game as a curve: from the first player's view when there are two, otherwise a line for each. */

/** @import * as T from "../types.js" */
import { h, svg } from "../dom.js";
import { prospects, say, t } from "../words.js";

const [WIDTH, HEIGHT] = [100, 36];

/**
 * @param {T.CurvePoint[]} points
 * @param {T.SeatInPlay[]} seats
 * @param {number} plies
 * @param {number} ply
 */
export function drawCurve(points, seats, plies, ply) {
  if (points.length < 2 || !seats.length) return null;
  const length = Math.max(plies, 1);
  const across = (/** @type {number} */ at) => (WIDTH * at) / length;
  const up = (/** @type {number} */ value) => (HEIGHT * (1 - Math.max(-1, Math.min(1, value)))) / 2;
  const lines =
    seats.length === 2
      ? [points.map((p) => (p.seat === 0 ? p : { ...p, seat: 0, value: -p.value }))]
      : seats.map(({ seat }) => points.filter((p) => p.seat === seat));
  const drawn = lines.map((line, i) => {
    const path = line.map((p, j) => `${j ? "L" : "M"}${across(p.ply).toFixed(2)} ${up(p.value).toFixed(2)}`).join("");
    return svg("path", { class: `curve-line curve-${i + 1}`, d: path, "vector-effect": "non-scaling-stroke" });
  });
  const latest = lines[0].at(-1);
  const caption = seats.length === 2 ? t("valueFor", { name: say(seats[0].name) }) : t("captionValue");
  const label = latest ? `${caption}: ${prospects(latest.value)}` : caption;
  return h(
    "figure",
    { class: "curve" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
      svg("path", { class: "curve-middle", d: `M0 ${HEIGHT / 2}H${WIDTH}`, "vector-effect": "non-scaling-stroke" }),
      svg("path", { class: "curve-now", d: `M${across(ply)} 0V${HEIGHT}`, "vector-effect": "non-scaling-stroke" }),
      drawn,
    ),
    h("figcaption", null, label),
  );
}
