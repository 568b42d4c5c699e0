/** What is drawn on a board besides the position: the last move, legal places, a search's shares, a line of moves. */

/** @import * as T from "../types.js" */
/** @import {Board} from "./board.js" */
import { svg } from "../dom.js";
import { percent } from "../words.js";
import { geometry, placement } from "./shapes.js";

const MOST_SHARES = 12;
const LEAST_SHARE = 0.01;

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
    return svg("circle", {
      class: className,
      cx: end.x,
      cy: end.y,
      r: 0.46 * Math.min(end.width, end.height) || 3 * thick,
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

/**
 * A search's shares: on the place of a move's last step stands how much of the search it got.
 * @param {Board} board
 * @param {T.Edge[]} edges
 */
export function shares(board, edges) {
  /** @type {Map<string, {steps: string[], share: number}>} */
  const places = new Map();
  for (const { steps, share } of edges) {
    if (!steps.length || share < LEAST_SHARE) continue;
    const key = steps.at(-1) ?? "";
    const known = places.get(key);
    if (known) known.share += share;
    else places.set(key, { steps, share });
  }
  const shown = [...places].slice(0, MOST_SHARES);
  const most = Math.max(...shown.map(([, { share }]) => share), 0);
  return shown.reverse().map(([step, { steps, share }]) => {
    const place = board.whereIs(step);
    if (!place) return null;
    const weight = share / most;
    const radius =
      Math.max(0.34 * Math.min(place.width, place.height), 1.6 * board.unit) * (0.62 + 0.38 * Math.sqrt(weight));
    return svg(
      "g",
      { class: "share", opacity: 0.6 + 0.4 * weight },
      steps.length > 1 && path(board, steps, "way-share", 0.35 + 1.1 * weight),
      svg("circle", { cx: place.x, cy: place.y, r: radius }),
      svg(
        "text",
        { x: place.x, y: place.y, "font-size": radius * 0.78, "text-anchor": "middle", "dominant-baseline": "central" },
        percent(share),
      ),
    );
  });
}
