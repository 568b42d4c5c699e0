/** What the pages share that follow something which grows: a style of their own, a bar, and looking again and again. */

import { h } from "../dom.js";
import { percent } from "../words.js";

const REFRESH = 2000; // ms between two looks

/** The style of these pages, which no other needs. */
export function dressed() {
  const href = new URL("../../css/tuning.css", import.meta.url).href;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}

/**
 * Do something now, and again and again while the page is looked at; what stops it.
 * @param {() => Promise<void>} look
 */
export async function repeatedly(look) {
  await look();
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy || document.hidden) return;
    isBusy = true;
    await look().catch(() => {}); // the server may be back the next time
    isBusy = false;
  }, REFRESH);
  return () => clearInterval(timer);
}

/** How far something is. @param {number} part */
export function progressBar(part) {
  const whole = { role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(100 * part) };
  const filled = h("span", { class: "bar-fill", style: `width: ${100 * part}%` });
  return h("span", { class: "bar", ...whole, "aria-label": percent(part) }, filled);
}
