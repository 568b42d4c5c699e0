/**
 * What a board says to somebody who can't see it: each piece with its place, the rows of bitmaps in words, and what
 * a move has changed. All of it comes from the titles of a scene; what has none is called after its seat or its id.
 */

/** @import * as T from "../types.js" */
/** @import {Board} from "./board.js" */
import { say, sayRole, t } from "../words.js";
import { cellAt } from "./bitmap.js";
import { whereabouts } from "./shapes.js";

const GROUND = new Set(["none", "field", "field-alt", "board", "paper", "hole", "grid"]);
const LABEL = 3; // letters of a text on the empty board that only helps the eye: a, 12, 2×3

/** @typedef {{x: number, y: number, width: number, height: number}} Place */
/**
 * @typedef {object} Spoken
 * @property {string | undefined} id
 * @property {string} piece
 * @property {string} place  empty where it stands on nothing that has a name
 * @property {number | null} seat  whose it is, as far as its colour tells
 * @property {boolean} isSpread  one of many that tell how likely something is
 */

/** @param {T.Layer} layer @returns {layer is T.BitmapLayer} */
export const isBitmap = (layer) => layer.kind === "bitmap";

/** @param {{x: number, y: number}} point @param {Place} place */
export const isInside = (point, place) =>
  Math.abs(point.x - place.x) <= place.width / 2 && Math.abs(point.y - place.y) <= place.height / 2;

/** The named shapes of an empty board, small ones first. @param {T.Backdrop} backdrop */
export function placesOf(backdrop) {
  return shapesOf(backdrop.layers)
    .filter((shape) => shape.title)
    .map((shape) => ({ ...whereabouts(shape), id: shape.id, title: shape.title }))
    .sort((a, b) => a.width * a.height - b.width * b.height);
}

/** @param {T.Layer[] | undefined} layers */
const shapesOf = (layers) => (layers ?? []).flatMap((layer) => (isBitmap(layer) ? [] : layer.shapes));

/**
 * What is said of the shapes of a scene. Where titles are given they say all there is to say; in a scene without any,
 * everything that has an id is told of.
 * @param {Board} board
 * @param {T.Scene} scene
 * @returns {Map<T.Shape, Spoken>}
 */
export function spokenOf(board, scene) {
  const shapes = shapesOf(scene.layers);
  const isTitled = shapes.some((shape) => shape.title);
  const bodies = isTitled ? [] : shapes.filter((shape) => shape.id && shape.kind !== "text").map(whereabouts);
  const isPart = (/** @type {T.Shape} */ shape) =>
    shape.kind === "text" && bodies.some((body) => isInside(whereabouts(shape), body));
  /** @type {Map<T.Shape, Spoken>} */
  const spoken = new Map();
  for (const layer of scene.layers ?? [])
    for (const shape of isBitmap(layer) ? [] : layer.shapes) {
      if (isTitled ? !shape.title : !shape.id || isPart(shape)) continue;
      spoken.set(shape, {
        id: shape.id,
        piece: pieceName(board, scene, shape),
        place: placeName(board, scene, shape),
        seat: seatOf(board, shape.role) ?? seatOf(board, shape.edge),
        isSpread: shape.heat !== undefined || (!isBitmap(layer) && Boolean(layer.switch)),
      });
    }
  return spoken;
}

/** @param {Spoken} spoken */
export const fullName = ({ piece, place }) => (place ? t("standsOn", { piece, place }) : piece);

/** The seat that a colour stands for. @param {Board} board @param {string | undefined} role */
function seatOf(board, role) {
  return role && role !== "none" ? (board.seats.find((seat) => seat.role === role)?.seat ?? null) : null;
}

/**
 * @param {Board} board
 * @param {T.Scene} scene
 * @param {T.Shape} shape
 */
export function pieceName(board, scene, shape) {
  if (shape.title) return say(shape.title);
  const seat = seatOf(board, shape.role) ?? seatOf(board, shape.edge);
  const name = seat === null ? "" : say(board.seats[seat].name);
  const place = whereabouts(shape);
  const texts = shapesOf(scene.layers)
    .filter((other) => other.kind === "text" && isInside(whereabouts(other), place))
    .map((other) => say(other.text));
  return [name, ...texts].filter(Boolean).join(" ") || stem(shape.symbol ?? shape.id ?? "");
}

/** `stone-a1` is called stone. @param {string} id */
const stem = (id) => id.replace(/[^\p{L}].*$/u, "") || id;

/**
 * Where a shape stands: what it says itself, otherwise the smallest named shape below its middle, or a cell.
 * @param {Board} board
 * @param {T.Scene} scene
 * @param {T.Shape} shape
 */
function placeName(board, scene, shape) {
  if (shape.on?.includes(":")) return cellName(shape.on);
  if (shape.on) return say(board.named.find(({ id }) => id === shape.on)?.title) || shape.on;
  const { x, y } = whereabouts(shape);
  const place = board.named.find((other) => isInside({ x, y }, other));
  if (place) return say(place.title);
  const bitmap = [...(scene.layers ?? []), ...(board.backdrop.layers ?? [])].find(isBitmap);
  const cell = bitmap && cellAt(bitmap, x, y);
  return cell ? cellName(cell) : "";
}

/** `arena:3,5` in words. @param {string} step */
export function cellName(step) {
  const [column, row] = step
    .slice(step.indexOf(":") + 1)
    .split(",")
    .map((part) => Number(part) + 1);
  return t("cell", { column, row });
}

/** Letters and numbers along the edge are for the eye. @param {T.Shape} shape */
export const isForTheEye = (shape) =>
  shape.title !== undefined || (shape.kind === "text" && say(shape.text).length <= LABEL);

/**
 * The rows of a bitmap in which something is, in words: which cells hold what.
 * @param {Board} board
 * @param {T.BitmapLayer} layer
 */
export function rowsInWords(board, layer) {
  const names = layer.roles.map((role, i) => say(layer.names?.[i] ?? roleName(board, role)));
  const cells = atob(layer.data);
  return Array.from({ length: layer.rows }, (_, row) => {
    /** @type {{name: string, from: number, to: number}[]} */
    const runs = [];
    for (let column = 0; column < layer.columns; column++) {
      const name = names[cells.charCodeAt(row * layer.columns + column)];
      const last = runs.at(-1);
      if (last && last.name === name) last.to = column;
      else runs.push({ name, from: column, to: column });
    }
    const said = runs
      .filter(({ name }) => name)
      .map(({ name, from, to }) => (from === to ? `${name} ${from + 1}` : `${name} ${from + 1}–${to + 1}`));
    return { row, text: said.length ? `${t("row", { row: row + 1 })}: ${said.join(", ")}` : "" };
  }).filter(({ text }) => text);
}

/** @param {Board} board @param {string} role @returns {T.Text} */
function roleName(board, role) {
  const seat = seatOf(board, role);
  if (seat !== null) return board.seats[seat].name;
  return GROUND.has(role) ? "" : sayRole(role);
}

/**
 * What is different in a position: pieces that went from one place to another, that are gone, and that are new or have
 * become something else. A piece is known by its id, or where ids belong to places by its name.
 * @param {Iterable<Spoken>} before
 * @param {Iterable<Spoken>} after
 */
export function changes(before, after) {
  let gone = [...before].filter(({ isSpread }) => !isSpread);
  /** @type {{piece: string, from: string, to: string}[]} */
  const moved = [];
  /** @param {Spoken} now @param {(then: Spoken) => boolean} isSame */
  function isExplained(now, isSame) {
    const then = gone.find(isSame);
    if (!then) return false;
    gone = gone.filter((other) => other !== then);
    if (then.place !== now.place) moved.push({ piece: now.piece, from: then.place, to: now.place });
    return true;
  }
  const come = [...after]
    .filter(({ isSpread }) => !isSpread)
    .filter((now) => !isExplained(now, (then) => then.piece === now.piece && then.place === now.place))
    .filter((now) => !isExplained(now, (then) => then.id === now.id && then.piece === now.piece))
    .filter((now) => !isExplained(now, (then) => then.piece === now.piece && Boolean(then.place && now.place)));
  const become = new Set(come.map(({ id }) => id));
  return { moved, gone: gone.filter(({ id }) => id === undefined || !become.has(id)), come };
}
