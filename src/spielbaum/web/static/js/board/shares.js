/**
 * A search's shares on the board: how much of it each move got. Ways and rings lie below the pieces; the figures stand
 * in the place of a move's last step or beside it, wherever they hide no piece, no text and no other figure. Where there
 * is no such place, the table beside the board has to do.
 */

/** @import * as T from "../types.js" */
/** @import {Board} from "./board.js" */
import { svg } from "../dom.js";
import { percent, say } from "../words.js";
import { copyOf, path } from "./marks.js";
import { whereabouts } from "./shapes.js";

const MOST_SHARES = 12;
const LEAST_SHARE = 0.01;
const LETTER = 0.62; // width of a letter by the height of its font
const FONT = 4 / 3; // height of a font by that of its capitals
const TALL = 2; // places longer than wide by this are columns or rows, in whose middle something may come to stand

/** @typedef {{x: number, y: number, width: number, height: number}} Box  its middle and its size */
/** @typedef {{step: string, steps: string[], share: number, weight: number}} Mark */

/**
 * @param {Board} board
 * @param {T.Edge[]} edges
 * @returns {{below: SVGElement[], above: SVGElement[]}}
 */
export function shares(board, edges) {
  const marks = strongest(edges);
  const below = [...marks].reverse().flatMap((mark) => ground(board, mark));
  const taken = obstacles(board);
  const above = marks.flatMap((mark) => {
    const place = board.whereIs(mark.step);
    if (!place) return [];
    const text = percent(mark.share);
    const box = freeBox(board, place, text, [...taken, ...own(board, mark.step)]);
    if (!box) return [];
    taken.push(box);
    return [label(box, text, mark.weight)];
  });
  return { below: below.filter((mark) => mark !== null), above };
}

/** The moves that got most, those to one place together. @param {T.Edge[]} edges @returns {Mark[]} */
function strongest(edges) {
  /** @type {Map<string, {steps: string[], share: number}>} */
  const places = new Map();
  for (const { steps, share } of edges) {
    if (!steps.length || share < LEAST_SHARE) continue;
    const key = steps.at(-1) ?? "";
    const known = places.get(key);
    if (known) known.share += share;
    else places.set(key, { steps, share });
  }
  const shown = [...places].sort(([, a], [, b]) => b.share - a.share).slice(0, MOST_SHARES);
  const most = shown[0]?.[1].share ?? 1;
  return shown.map(([step, { steps, share }]) => ({ step, steps, share, weight: share / most }));
}

/** What lies below the pieces: the way of a move, and its place tinted. @param {Board} board @param {Mark} mark */
function ground(board, { step, steps, weight }) {
  const place = board.whereIs(step);
  const tint = place && !isLong(place) ? copyOf(board, step, "share-place") : null;
  if (tint) tint.style.opacity = String(0.25 + 0.75 * weight);
  return [tint, steps.length > 1 ? path(board, steps, "way-share", 0.35 + 1.1 * weight) : null];
}

/**
 * @param {Box} box
 * @param {string} text
 * @param {number} weight
 */
function label({ x, y, width, height }, text, weight) {
  return svg(
    "g",
    { class: "share", opacity: 0.85 + 0.15 * weight },
    svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }),
    svg("text", { x, y, "font-size": 0.72 * height, "text-anchor": "middle", "dominant-baseline": "central" }, text),
  );
}

/** Pieces, and all that is written on the board. @param {Board} board @returns {Box[]} */
function obstacles(board) {
  const layers = (/** @type {T.Layer[] | undefined} */ all) =>
    (all ?? []).flatMap((layer) => (layer.kind === "bitmap" || board.off.has(layer.name) ? [] : layer.shapes));
  const written = layers(board.backdrop.layers).filter((shape) => shape.kind === "text");
  const standing = layers(board.scene.layers).filter((shape) => shape.heat === undefined && !isStep(shape));
  return [...written, ...standing].map(boxOf);
}

/** A card or a tile that is touched itself: a figure may stand on its rim. @param {T.Shape} shape */
const isStep = (shape) => shape.kind === "rect" && shape.id !== undefined;

/** The inside of a thing that stands on the board and is the place of a move. @param {Board} board @param {string} step */
function own(board, step) {
  const drawn = board.drawn.get(step);
  if (!drawn || !isStep(drawn.shape)) return [];
  const box = whereabouts(drawn.shape);
  return [{ ...box, width: 0.3 * box.width, height: 0.3 * box.height }];
}

/** @param {T.Shape} shape @returns {Box} */
function boxOf(shape) {
  if (shape.kind !== "text") return whereabouts(shape);
  const height = FONT * Number(shape.size);
  const width = LETTER * height * say(shape.text).length;
  const [x, y] = shape.at ?? [0, 0];
  const aside = { start: width / 2, middle: 0, end: -width / 2 }[shape.anchor ?? "middle"];
  return { x: x + aside, y, width, height };
}

/**
 * The first place for a figure that is free: in the middle, at the rim, beside it, further away.
 * @param {Board} board
 * @param {Box} place
 * @param {string} text
 * @param {Box[]} taken
 * @returns {Box | undefined}
 */
function freeBox(board, place, text, taken) {
  const height = Math.max(Math.min(0.3 * Math.min(place.width, place.height), 4.5 * board.unit), 2.4 * board.unit);
  const width = height * (0.5 + 0.5 * text.length);
  const [left, top, wide, high] = board.box;
  const isFree = (/** @type {Box} */ box) =>
    box.x - width / 2 >= left &&
    box.x + width / 2 <= left + wide &&
    box.y - height / 2 >= top &&
    box.y + height / 2 <= top + high &&
    !taken.some((other) => meet(box, other));
  return spots(place, width, height)
    .map(([x, y]) => ({ x: place.x + x, y: place.y + y, width, height }))
    .find(isFree);
}

/**
 * Where a figure may stand, from the middle of its place.
 * @param {Box} place
 * @param {number} width
 * @param {number} height
 * @returns {[number, number][]}
 */
function spots(place, width, height) {
  /** @type {[number, number][]} */
  const middle = isLong(place) ? [] : [[0, 0]];
  const rim = around(Math.max(0, place.width - 1.15 * width) / 2, Math.max(0, place.height - 1.15 * height) / 2);
  const beside = [1.1, 1.7, 2.4].flatMap((far) =>
    around((place.width + far * width) / 2, (place.height + far * height) / 2),
  );
  return [...middle, ...rim, ...beside];
}

/** @param {Box} place */
const isLong = (place) => Math.max(place.width, place.height) > TALL * Math.min(place.width, place.height);

/** @param {number} x @param {number} y @returns {[number, number][]} */
const around = (x, y) => [
  [0, -y],
  [0, y],
  [x, 0],
  [-x, 0],
  [x, -y],
  [-x, -y],
  [x, y],
  [-x, y],
];

/** @param {Box} a @param {Box} b */
const meet = (a, b) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
