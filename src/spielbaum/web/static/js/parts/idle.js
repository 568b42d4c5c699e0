/** Back to the start when nobody has touched anything for a while, but not without asking before. */

import { button, h } from "../dom.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";

const WARNING = 20; // seconds
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel"];

/**
 * @param {number} seconds  without a touch
 * @param {() => boolean} isAway  whether there is anything to come back from
 * @param {() => void} leave
 */
export function watchIdle(seconds, isAway, leave) {
  const warning = Math.min(WARNING, seconds / 2);
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  /** @type {HTMLDialogElement | null} */
  let asked = null;

  function touched() {
    clearTimeout(timer);
    asked?.close();
    asked = null;
    timer = setTimeout(warn, 1000 * (seconds - warning));
  }

  function warn() {
    if (!isAway()) return;
    const left = h("p", { class: "idle-count", "aria-hidden": "true" });
    const touch = button(t("stillThereTouch"), touched, { class: "primary large", "data-do": "still-there" });
    asked = openDialog(t("stillThere"), h("div", { class: "idle" }, left, touch), "small-dialog");
    asked.setAttribute("role", "alertdialog");
    touch.focus();
    countDown(left, Math.ceil(warning));
  }

  /** @param {HTMLElement} left @param {number} n */
  function countDown(left, n) {
    left.textContent = String(n);
    timer = setTimeout(() => (n > 1 ? countDown(left, n - 1) : nobodyThere()), 1000 * (warning / Math.ceil(warning)));
  }

  function nobodyThere() {
    touched();
    leave();
  }

  for (const name of TOUCHES) addEventListener(name, touched, { passive: true, capture: true });
  addEventListener("hashchange", touched);
  touched();
}
