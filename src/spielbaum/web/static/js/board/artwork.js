/** The symbols of a game: those of its backdrop, and artwork from its SVG file, which is loaded once. */

/** @import * as T from "../types.js" */
import { svg } from "../dom.js";
import { geometry } from "./shapes.js";

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** @param {string} game @param {string} symbol */
export const artworkId = (game, symbol) => `art-${game}-${symbol}`;

/**
 * Put a game's artwork into the document, with ids of its own.
 * @param {string} game
 */
export function loadArtwork(game) {
  let begun = loading.get(game);
  if (!begun) {
    begun = fetchArtwork(game);
    loading.set(game, begun);
  }
  return begun;
}

/** @param {string} game */
async function fetchArtwork(game) {
  const response = await fetch(`api/games/${encodeURIComponent(game)}/symbols.svg`);
  if (!response.ok) return;
  const text = (await response.text()).replace(/(\bid="|url\(#|href="#)/g, `$1${artworkId(game, "")}`);
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  drawing.querySelectorAll("script, foreignObject").forEach((element) => element.remove());
  const shelf = svg("svg", { class: "artwork", width: 0, height: 0, "aria-hidden": "true" });
  shelf.append(...drawing.childNodes);
  document.body.append(shelf);
}

/**
 * Symbols of a backdrop as definitions.
 * @param {T.Backdrop} backdrop
 * @param {(symbol: string) => string} reference
 */
export function drawSymbols(backdrop, reference) {
  return Object.entries(backdrop.symbols ?? {}).map(([name, { box, shapes }]) => {
    const parts = shapes.map((shape) => {
      const element = geometry(shape, reference, true);
      const [x, y] = shape.at ?? [0, 0];
      const g = svg(
        "g",
        { transform: `translate(${x} ${y}) rotate(${shape.turn ?? 0})`, opacity: shape.opacity },
        element,
      );
      return g;
    });
    return svg("symbol", { id: reference(name), viewBox: box.join(" "), overflow: "visible" }, parts);
  });
}

/**
 * A single symbol as a little picture, for panels.
 * @param {string} id
 * @param {string} colour
 */
export function symbolPicture(id, colour) {
  const picture = svg(
    "svg",
    { class: "symbol", viewBox: "0 0 1 1", "aria-hidden": "true" },
    svg("use", { href: `#${id}`, width: 1, height: 1 }),
  );
  picture.style.color = colour;
  return picture;
}
