/**
 * Pictures of a tuning run, in the page's own colours: dots with a size, lines, areas, and a response surface.
 *
 * Places go from 0 to 1 over the range of a parameter, as the server tells them; steps go from left to right.
 */

/** @import * as T from "../types.js" */
import { h, svg } from "../dom.js";
import { number, percent } from "../words.js";
import { w } from "./words.js";

const WIDTH = 360;
const HEIGHT = 210;
const TOP = 8;
const BOTTOM = 40;
const RIGHT = 10;
const LETTER = 6.1; // the width of one, at the size that marks have
const LARGEST = 8.5; // the radius of a dot that stands for all individuals of a step
const SMALLEST = 1.7;
const SHADES = 24; // of the response surface

/** @typedef {{at: number, text: string}} Mark */
/** @typedef {(step: number) => number} Across */

/** What stands at a value's mark. @param {number | string} value */
export const formatValue = (value) => (typeof value === "string" ? value : number(value, 6));

/** @param {[number, number | string][]} ticks @returns {Mark[]} */
const marksOf = (ticks) => ticks.map(([at, value]) => ({ at, text: formatValue(value) }));

/**
 * A picture over the steps of a run, or over the range of another parameter.
 * @param {string} title
 * @param {Mark[]} up
 * @param {Mark[]} across
 * @param {string} label  of what goes from left to right
 * @param {(x: (at: number) => number, y: (at: number) => number, room: {left: number, right: number}) => Node[]} draw
 * @param {Node[]} legend
 * @param {string} [upward]  what goes up
 */
export function chart(title, up, across, label, draw, legend, upward = "") {
  const left = Math.max(24, 10 + LETTER * Math.max(...up.map(({ text }) => text.length), 0)) + (upward ? 14 : 0);
  const x = (/** @type {number} */ at) => left + at * (WIDTH - RIGHT - left);
  const y = (/** @type {number} */ at) => HEIGHT - BOTTOM - 6 - at * (HEIGHT - BOTTOM - TOP - 12);
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  const isTight = LETTER * across.reduce((sum, { text }) => sum + text.length + 1, 0) > WIDTH - RIGHT - left;
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", null, title),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
      up.map(({ at, text }) => [
        svg("path", { class: "grid", d: `M${left} ${y(at)}H${WIDTH - RIGHT}` }),
        svg("text", { x: left - 6, y: y(at) + 3.5, "text-anchor": "end" }, text),
      ]),
      across.map(({ at, text }, i) => {
        const below = isTight && i % 2 ? 24 : 13; // words take turns where one line has no room for all
        return svg("text", { x: x(at), y: HEIGHT - BOTTOM + below, "text-anchor": "middle" }, text);
      }),
      svg("path", { class: "axis", d: `M${left} ${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
      svg("text", { class: "label", x: (left + WIDTH - RIGHT) / 2, y: HEIGHT - 5, "text-anchor": "middle" }, label),
      upward && svg("text", { class: "label", transform: `rotate(-90 9 ${middle})`, x: 9, y: middle + 3, "text-anchor": "middle" }, upward),
      draw(x, y, { left, right: WIDTH - RIGHT }),
    ),
    legend.length > 0 && h("p", { class: "legend" }, legend),
  );
}

/** The steps from left to right. @param {T.Tuning} run @param {T.TuningPictures} pictures */
function overSteps(run, { first, steps }) {
  const all = Math.max(2, steps);
  const place = (/** @type {number} */ step) => (step - first + 0.5) / all;
  const each = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((n) => all / n <= 6) ?? 10000;
  const marks = [];
  for (let step = Math.ceil(first / each) * each; step < first + steps; step += each)
    marks.push({ at: place(step), text: number(step) });
  return { place, marks, label: w(run.method === "evolution" ? "generation" : "step") };
}

/**
 * A parameter: a dot per value, its area the number of individuals, their mean, and what was thought best.
 * @param {T.Tuning} run
 * @param {T.TuningPictures} pictures
 * @param {T.TunedParameter} parameter
 */
export function parameterChart(run, pictures, parameter) {
  const { place, marks, label } = overSteps(run, pictures);
  const isMeant = parameter.choices.length === 0 || parameter.choices.length === 2;
  const colour = Math.max(0, run.agents.indexOf(parameter.species));
  return chart(
    nameOf(run, parameter),
    marksOf(parameter.ticks),
    marks,
    label,
    (x, y, { left, right }) => [
      ...(parameter.start === null ? [] : [svg("path", { class: "given", d: `M${left} ${y(parameter.start)}H${right}` })]),
      ...dots(parameter.dots, pictures.individuals, (step) => x(place(step)), y, colour),
      ...(isMeant ? [line(parameter.mean, (step) => x(place(step)), y, "mean")] : []),
      parameter.choices.length
        ? svg("path", { class: "chosen", d: parameter.best.map(([step, at]) => diamond(x(place(step)), y(at), 2.5)).join("") })
        : line(parameter.best, (step) => x(place(step)), y, "thought-best"),
    ],
    [
      ...(parameter.start === null ? [] : [key("given", w("given"))]),
      ...(isMeant ? [key("mean", w("mean"))] : []),
      key(parameter.choices.length ? "chosen" : "thought-best", w("thoughtBest")),
    ],
  );
}

/** `c`, with its species where there are several, and where it matters. @param {T.Tuning} run @param {T.TunedParameter} parameter */
export function nameOf(run, { name, species, condition }) {
  const whose = run.agents.length > 1 ? ` (${species.split(":")[0]})` : "";
  return `${name}${whose}${condition ? `, ${w("where", { condition })}` : ""}`;
}

/** What fitness is, in a word. */
const MAXIMISED = /** @type {const} */ ({ wins: "ofWins", result: "ofResult", points: "ofPoints" });

/** @param {T.Tuning} run @param {T.TuningPictures} pictures */
export function fitnessChart(run, pictures) {
  const { place, marks, label } = overSteps(run, pictures);
  const all = pictures.fitness.flatMap((species) => species.dots.map(([, at]) => at));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const height = (/** @type {number} */ at) => (high > low ? (at - low) / (high - low) : 0.5);
  const up = pictures.heights.map((at) => ({ at: height(at), text: percent(at) }));
  return chart(
    w(run.against.length ? "fitnessAgainst" : "fitnessAmong", { of: w(MAXIMISED[run.maximises]) }),
    up,
    marks,
    label,
    (x, y) =>
      pictures.fitness.flatMap(({ dots: tried, mean }, i) => [
        ...dots(tried, pictures.individuals, (step) => x(place(step)), (at) => y(height(at)), i),
        line(mean, (step) => x(place(step)), (at) => y(height(at)), `species-${i % 8}`),
      ]),
    run.agents.length > 1 ? run.agents.map((name, i) => key(`species-${i % 8}`, name)) : [],
  );
}

/** The share of each species, one on top of the other. @param {T.Tuning} run @param {T.TuningPictures} pictures */
export function sharesChart(run, pictures) {
  const { place, marks, label } = overSteps(run, pictures);
  let below = pictures.shares[0].line.map(() => 0);
  return chart(
    w("species"),
    [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: percent(at) })),
    marks,
    label,
    (x, y) =>
      pictures.shares.map(({ line: share }, i) => {
        const above = share.map(([, part], n) => below[n] + part);
        const point = (/** @type {number} */ n, /** @type {number} */ at) => `${round(x(place(share[n][0])))} ${round(y(at))}`;
        const there = above.map((at, n) => point(n, at));
        const back = below.map((at, n) => point(n, at)).reverse();
        below = above;
        return svg("path", { class: `area species-${i % 8}`, d: `M${[...there, ...back].join("L")}Z` });
      }),
    run.agents.map((name, i) => key(`species-${i % 8}`, name)),
  );
}

/** The mean fitness over two parameters. @param {T.Tuning} run @param {NonNullable<T.TuningPictures["response_surface"]>} surface */
export function responseSurfaceChart(run, { x: one, y: other, relative, rows, best }) {
  const known = rows.flat().filter((cell) => cell !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const level = (/** @type {number} */ cell) => (high > low ? Math.round(((cell - low) / (high - low)) * SHADES) / SHADES : 1);
  const shade = (/** @type {number} */ at) => `fill: color-mix(in oklab, var(--heat-high) ${Math.round(100 * at)}%, var(--heat-low))`;
  const inner = (/** @type {T.ResponseSurfaceAxis} */ axis) => (/** @type {number} */ at) =>
    axis.choices ? (at * (axis.choices - 1) + 0.5) / axis.choices : at;
  const [across, up] = [inner(one), inner(other)];
  const worth = (/** @type {number} */ cell) => (relative && cell > 0 ? "+" : "") + percent(cell);
  return chart(
    w(relative ? "responseSurfaceAmong" : "responseSurface", { of: w(MAXIMISED[run.maximises]) }),
    marksOf(other.ticks).map(({ at, text }) => ({ at: up(at), text })),
    marksOf(one.ticks).map(({ at, text }) => ({ at: across(at), text })),
    one.name,
    (x, y) => [
      ...rows.flatMap((row, r) =>
        stretches(row.map((cell) => (cell === null ? null : level(cell)))).map(({ from, to, value }) =>
          svg("rect", {
            style: shade(value),
            x: round(x(from / row.length)),
            y: round(y((r + 1) / rows.length)),
            width: round(x(to / row.length) - x(from / row.length)) + 0.3,
            height: round(y(r / rows.length) - y((r + 1) / rows.length)) + 0.3,
          }),
        ),
      ),
      ...(best ? [svg("path", { class: "found", d: diamond(x(across(best[0])), y(up(best[1]))) })] : []),
    ],
    [
      h("span", null, h("i", { class: "shade", style: `background: var(--heat-low)` }), worth(low)),
      h("span", null, h("i", { class: "shade", style: `background: var(--heat-high)` }), worth(high)),
      key("found", w("thoughtBest")),
    ],
    other.name,
  );
}

/** Cells in a row that have the same value. @param {(number | null)[]} row */
function stretches(row) {
  /** @type {{from: number, to: number, value: number}[]} */
  const found = [];
  row.forEach((value, at) => {
    const last = found.at(-1);
    if (value === null) return;
    if (last?.to === at && last.value === value) last.to = at + 1;
    else found.push({ from: at, to: at + 1, value });
  });
  return found;
}

/** @param {number} x @param {number} y @param {number} [r] */
const diamond = (x, y, r = 6) => `M${round(x)} ${round(y - r)}l${r} ${r} ${-r} ${r} ${-r} ${-r}z`;
/** @param {number} value */
export const round = (value) => Math.round(10 * value) / 10;

/**
 * @param {[number, number, number][]} all
 * @param {number} individuals
 * @param {Across} x
 * @param {Across} y
 * @param {number} colour
 */
function dots(all, individuals, x, y, colour) {
  const most = Math.max(individuals, 6);
  return all.map(([step, at, n]) =>
    svg("circle", {
      class: `dot species-${colour % 8}`,
      cx: round(x(step)),
      cy: round(y(at)),
      r: round(Math.max(SMALLEST, LARGEST * Math.sqrt(n / most))),
    }),
  );
}

/** @param {T.Line} points @param {Across} x @param {Across} y @param {string} kind */
export function line(points, x, y, kind) {
  const drawn = points.map(([step, at]) => `${round(x(step))} ${round(y(at))}`).join("L");
  return svg("path", { class: `line ${kind}`, d: points.length ? `M${drawn}${points.length === 1 ? "h0.1" : ""}` : "" });
}

/** What a line stands for. @param {string} kind @param {string} text */
export function key(kind, text) {
  const isLine = kind !== "found" && kind !== "chosen";
  const sample = svg("path", isLine ? { class: `line ${kind}`, d: "M1 6H23" } : { class: kind, d: diamond(12, 6, 5) });
  return h("span", null, svg("svg", { viewBox: "0 0 24 12", "aria-hidden": "true" }, sample), text);
}
