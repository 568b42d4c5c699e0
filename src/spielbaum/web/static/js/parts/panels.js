/** Panels of a scene: what stands beside the board. */

/** @import * as T from "../types.js" */
import { symbolPicture } from "../board/artwork.js";
import { colour } from "../board/shapes.js";
import { h } from "../dom.js";
import { number, say } from "../words.js";

const MOST_PICTURES = 24;

/**
 * @param {T.Panel} panel
 * @param {(symbol: string) => string} reference
 * @param {"h2" | "h4"} heading  of a panel beside the others, or of one that belongs to a seat
 */
export function drawPanel(panel, reference, heading) {
  const items = panel.items ?? [];
  return h(
    "div",
    { class: `panel show-${panel.show ?? "numbers"}`, "data-panel": panel.id },
    panel.title && h(heading, { class: "small-title" }, say(panel.title)),
    panel.text && h(panel.mono ? "pre" : "p", null, say(panel.text)),
    items.length > 0 &&
      h(
        "ul",
        null,
        items.map((item) => h("li", null, drawItem(item, panel.show ?? "numbers", reference))),
      ),
  );
}

/**
 * @param {T.Item} item
 * @param {NonNullable<T.Panel["show"]>} show
 * @param {(symbol: string) => string} reference
 */
function drawItem(item, show, reference) {
  const value = typeof item.value === "number" ? number(item.value, 2) : (item.value ?? "");
  const label = h("span", { class: "label" }, say(item.label));
  const ink = item.role && item.role !== "none" ? colour(item.role) : "var(--r-ink)";
  const sign = item.symbol
    ? symbolPicture(reference(item.symbol), ink)
    : item.role && item.role !== "none"
      ? swatch(ink)
      : null;
  if (show === "list" || (show === "row" && item.value === undefined)) return [sign, label];
  if (show === "bars") {
    const bar = h("span", { class: "bar" }, h("span", { class: "bar-fill" }));
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${(100 * Number(item.value ?? 0)) / (item.most ?? 1)}%`;
    /** @type {HTMLElement} */ (bar.firstChild).style.background = item.role && item.role !== "none" ? ink : "";
    return [label, bar, h("span", { class: "number" }, value)];
  }
  if (show === "pictures" && item.symbol && typeof item.value === "number" && item.value <= MOST_PICTURES) {
    const id = reference(item.symbol);
    const pictures = Array.from({ length: item.value }, () => symbolPicture(id, ink));
    return h(
      "span",
      {
        class: "pictures",
        role: "img",
        "aria-label": `${say(item.label)}: ${value}`,
        title: `${say(item.label)}: ${value}`,
      },
      pictures.length ? pictures : "–",
    );
  }
  return [sign, label, h("span", { class: "number" }, value)];
}

/** @param {string} ink */
function swatch(ink) {
  const element = h("span", { class: "swatch" });
  element.style.background = ink;
  return element;
}
