/** Shapes of a scene as SVG elements, and where they are. */

/** @import * as T from "../types.js" */
import { svg } from "../dom.js";
import { say } from "../words.js";

const LETTER_HEIGHT = 0.75; // of the font size

/** @param {string | undefined} role */
export function colour(role) {
  return !role || role === "none" ? "none" : `var(--r-${role})`;
}

/** @param {number} heat */
export function heatColour(heat) {
  return `color-mix(in oklab, var(--heat-high) ${Math.round(heat * 100)}%, var(--heat-low))`;
}

/**
 * The shape around the origin: everything but its place.
 * @param {T.Shape} shape
 * @param {(symbol: string) => string} reference  the id of a symbol in this document
 * @param {boolean} [inSymbol]  there `ink` is the colour of whatever shows the symbol
 */
export function geometry(shape, reference, inSymbol = false) {
  const element = outline(shape, reference);
  const paint = (/** @type {string | undefined} */ role) =>
    inSymbol && role === "ink" ? "currentColor" : colour(role);
  const inside = shape.heat === undefined ? paint(shape.role) : heatColour(shape.heat);
  if (shape.kind === "use") element.style.color = inside === "none" ? "var(--r-ink)" : inside;
  else if (shape.kind === "text") element.style.fill = inside === "none" ? "var(--r-ink)" : inside;
  else element.style.fill = shape.kind === "line" ? "none" : inside;
  if (shape.edge && shape.edge !== "none") {
    element.style.stroke = paint(shape.edge);
    element.setAttribute("stroke-width", String(shape.width ?? 0));
  }
  if (shape.dashed) element.setAttribute("stroke-dasharray", `${3 * (shape.width ?? 1)} ${2 * (shape.width ?? 1)}`);
  return element;
}

/**
 * @param {T.Shape} shape
 * @param {(symbol: string) => string} reference
 * @returns {SVGElement}
 */
function outline(shape, reference) {
  const [width, height] = extent(shape);
  switch (shape.kind) {
    case "rect":
      return svg("rect", { width, height, rx: shape.round });
    case "circle":
      return svg("circle", { r: shape.r });
    case "polygon":
      return svg("polygon", { points: listed(shape.points) });
    case "line":
      return shape.arrow
        ? arrow(shape)
        : svg("polyline", { points: listed(shape.points), "stroke-linecap": "round", "stroke-linejoin": "round" });
    case "path":
      return svg("path", { d: shape.d, "stroke-linecap": "round", "stroke-linejoin": "round" });
    case "use":
      return svg("use", { href: `#${reference(shape.symbol ?? "")}`, x: -width / 2, y: -height / 2, width, height });
    case "text":
      return svg(
        "text",
        {
          "font-size": Number(shape.size) / LETTER_HEIGHT,
          "text-anchor": shape.anchor ?? "middle",
          "dominant-baseline": "central",
          "font-weight": shape.weight,
        },
        say(shape.text),
      );
  }
}

/** @param {T.Shape} shape */
function arrow(shape) {
  const points = shape.points ?? [];
  const [x, y] = points[points.length - 1];
  const [fromX, fromY] = points[points.length - 2];
  const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  const head = 3 * (shape.width ?? 0.05);
  return svg(
    "g",
    { "stroke-linecap": "round", "stroke-linejoin": "round" },
    svg("polyline", { points: listed(points) }),
    svg("path", {
      d: `M${-head} ${-head * 0.7}L0 0L${-head} ${head * 0.7}`,
      transform: `translate(${x} ${y}) rotate(${angle})`,
    }),
  );
}

/** @param {T.Point[] | undefined} points */
const listed = (points) => (points ?? []).map((point) => point.join(",")).join(" ");

/** @param {T.Shape} shape @returns {[number, number]} */
function extent(shape) {
  return Array.isArray(shape.size) ? shape.size : [1, 1];
}

/** Where a shape stands, as a CSS transform. @param {T.Shape} shape */
export function placement(shape) {
  const [x, y] = shape.at ?? [0, 0];
  return `translate(${x}px, ${y}px)${shape.turn ? ` rotate(${shape.turn}deg)` : ""}`;
}

/**
 * The middle and the size of a shape on the board.
 * @param {T.Shape} shape
 * @returns {{x: number, y: number, width: number, height: number}}
 */
export function whereabouts(shape) {
  const [x, y] = shape.at ?? [0, 0];
  const [left, top, width, height] = bounds(shape);
  const angle = ((shape.turn ?? 0) * Math.PI) / 180;
  const [dx, dy] = [left + width / 2, top + height / 2];
  return {
    x: x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: y + dx * Math.sin(angle) + dy * Math.cos(angle),
    width,
    height,
  };
}

/** The box of a shape around its origin. @param {T.Shape} shape @returns {T.Box} */
function bounds(shape) {
  const [width, height] = extent(shape);
  switch (shape.kind) {
    case "rect":
      return [0, 0, width, height];
    case "circle":
      return [-(shape.r ?? 0), -(shape.r ?? 0), 2 * (shape.r ?? 0), 2 * (shape.r ?? 0)];
    case "use":
      return [-width / 2, -height / 2, width, height];
    case "text":
      return [-Number(shape.size), -Number(shape.size) / 2, 2 * Number(shape.size), Number(shape.size)];
    case "polygon":
    case "line":
      return around(shape.points ?? []);
    case "path":
      return around(pathPoints(shape.d ?? ""));
  }
}

/** @param {T.Point[]} points @returns {T.Box} */
function around(points) {
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** Some points along a path; the browser knows how it bends. @param {string} d @returns {T.Point[]} */
function pathPoints(d) {
  const path = svg("path", { d });
  const length = path.getTotalLength();
  return Array.from({ length: 17 }, (_, i) => {
    const { x, y } = path.getPointAtLength((length * i) / 16);
    return [x, y];
  });
}
