/** What is drawn on a board besides the position: the last move, legal places, a line of moves. */

/** @import {Board} from "./board.js" */
import { svg } from "../dom.js";
import { geometry, placement } from "./shapes.js";

const SMALL = 4; // hundredths of the board

/**
 * A shape's outline, to be tinted.
 * @param {Board} board
 * @param {string} step
 * @param {string} className
 */
export function copyOf(board, step, className) {
  const shape = board.shapeOf(step);
  if (!shape) return null;
  const place = board.whereIs(step);
  const isArea = shape.kind === "rect" || shape.kind === "circle" || shape.kind === "polygon" || shape.kind === "path";
  const bare = { ...shape, role: undefined, edge: undefined, heat: undefined };
  const element =
    isArea || shape.kind === "line"
      ? geometry(bare, board.reference)
      : svg("ellipse", { rx: (place?.width ?? 1) / 2, ry: (place?.height ?? 1) / 2 });
  element.removeAttribute("style");
  if (shape.kind === "line" || (shape.kind === "path" && (shape.role ?? "none") === "none")) {
    element.setAttribute("stroke-width", String(Math.max(shape.width ?? 0, 3 * board.unit)));
    className += " stroked";
  }
  const g = svg("g", { class: className, "data-mark": step }, element);
  g.style.transform = placement(shape);
  return g;
}

/**
 * An arrow or a ring for a move.
 * @param {Board} board
 * @param {string[]} steps
 * @param {string} className
 * @param {number} width  in hundredths of the board
 */
export function path(board, steps, className, width) {
  const places = steps.map((step) => board.whereIs(step)).filter((place) => place !== null);
  if (!places.length) return null;
  const thick = width * board.unit;
  const end = places[places.length - 1];
  if (places.length === 1 || places.every((place) => place.x === end.x && place.y === end.y)) {
    if (Math.max(end.width, end.height) > 2 * Math.min(end.width, end.height)) return null; // a column or a road
    const size = Math.min(end.width, end.height);
    const isSmall = size <= SMALL * board.unit;
    return svg("circle", {
      class: className,
      cx: end.x,
      cy: end.y,
      r: isSmall ? size / 2 + 0.7 * thick : 0.46 * size, // a small place is what the ring would hide
      "stroke-width": thick,
    });
  }
  const before = places[places.length - 2];
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const head = 3.2 * thick;
  const [tipX, tipY] = [end.x - 0.1 * end.width * Math.cos(angle), end.y - 0.1 * end.height * Math.sin(angle)];
  const line = [
    ...places.slice(0, -1).map((place) => [place.x, place.y]),
    [tipX - 0.8 * head * Math.cos(angle), tipY - 0.8 * head * Math.sin(angle)],
  ];
  return svg(
    "g",
    { class: className, "stroke-width": thick },
    svg("polyline", { points: line.map((point) => point.join(",")).join(" "), fill: "none" }),
    svg("path", {
      class: "head",
      d: `M0 0L${-head} ${-0.55 * head}V${0.55 * head}Z`,
      transform: `translate(${tipX} ${tipY}) rotate(${(angle * 180) / Math.PI})`,
    }),
  );
}

/**
 * The last move: its places tinted, below the pieces, and its way.
 * @param {Board} board
 * @param {string[]} steps
 */
export function lastMove(board, steps) {
  return [...steps.map((step) => copyOf(board, step, "mark-last")), path(board, steps, "way-last", 0.9)];
}
