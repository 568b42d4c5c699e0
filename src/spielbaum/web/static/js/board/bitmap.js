/** Bitmap layers: painted on a canvas with one pixel per cell, shown enlarged among the other layers. */

/** @import * as T from "../types.js" */
import { svg } from "../dom.js";

/**
 * @param {T.BitmapLayer} layer
 * @returns {SVGGElement}
 */
export function drawBitmap(layer) {
  const [x, y] = layer.at ?? [0, 0];
  const cell = layer.cell ?? 1;
  const size = { x, y, width: layer.columns * cell, height: layer.rows * cell };
  const picture = svg("image", { ...size, href: painted(layer), preserveAspectRatio: "none", class: "bitmap" });
  return svg("g", null, picture, layer.grid && grid(layer, x, y, cell));
}

/** @param {T.BitmapLayer} layer */
function painted(layer) {
  const canvas = document.createElement("canvas");
  canvas.width = layer.columns;
  canvas.height = layer.rows;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const pixels = context.createImageData(layer.columns, layer.rows);
  const colours = layer.roles.map((role) => components(role, context));
  const cells = atob(layer.data);
  for (let i = 0; i < cells.length; i++) pixels.data.set(colours[cells.charCodeAt(i)], 4 * i);
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

/** Red, green, blue and alpha of a role in the present colours. @param {string} role @param {CanvasRenderingContext2D} context */
export function components(role, context) {
  if (role === "none") return [0, 0, 0, 0];
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--r-${role}`).trim();
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}

/**
 * @param {T.BitmapLayer} layer
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 */
function grid(layer, x, y, cell) {
  const [right, bottom] = [x + layer.columns * cell, y + layer.rows * cell];
  const upright = Array.from({ length: layer.columns + 1 }, (_, i) => `M${x + i * cell} ${y}V${bottom}`);
  const level = Array.from({ length: layer.rows + 1 }, (_, i) => `M${x} ${y + i * cell}H${right}`);
  return svg("path", { class: "bitmap-grid", d: [...upright, ...level].join(""), "stroke-width": cell / 30 });
}

/**
 * The cell of a bitmap at a place on the board, as a step.
 * @param {T.BitmapLayer} layer
 * @param {number} x
 * @param {number} y
 */
export function cellAt(layer, x, y) {
  const [left, top] = layer.at ?? [0, 0];
  const column = Math.floor((x - left) / (layer.cell ?? 1));
  const row = Math.floor((y - top) / (layer.cell ?? 1));
  const inside = column >= 0 && column < layer.columns && row >= 0 && row < layer.rows;
  return inside ? `${layer.name}:${column},${row}` : null;
}

/**
 * A cell as a square shape.
 * @param {T.BitmapLayer} layer
 * @param {string} step
 * @returns {T.Shape}
 */
export function cellShape(layer, step) {
  const [column, row] = step
    .slice(step.indexOf(":") + 1)
    .split(",")
    .map(Number);
  const [left, top] = layer.at ?? [0, 0];
  const cell = layer.cell ?? 1;
  return {
    kind: "rect",
    at: [left + column * cell, top + row * cell],
    size: [cell, cell],
  };
}
