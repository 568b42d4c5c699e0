/** The bar over a board that does not show the game: what it shows instead, and the way back. */

import { button, h } from "../dom.js";
import { t } from "../words.js";

/**
 * @param {string} label
 * @param {() => void} back
 */
export function previewBar(label, back) {
  return h(
    "div",
    { class: "looking", role: "status" },
    h("span", { class: "looking-where" }, label),
    button(t("backToGame"), back, { class: "primary large", icon: "back", "data-key": "look-back" }),
  );
}
