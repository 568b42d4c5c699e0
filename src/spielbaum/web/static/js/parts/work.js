/** What takes a while: kernels that are compiled or loaded, how long that takes, and the hint that is looked for. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { getPreparation } from "../api.js";
import { button, fill, h } from "../dom.js";
import { number, say, t } from "../words.js";
import { cancel } from "./deeds.js";

const NEARLY = 0.97; // of a bar, until it is really done
const LATE = 1.3; // times as long as expected
const BETWEEN_LOOKS = 1000; // ms

/** Told by the server, with when we heard of it. @typedef {T.Preparation & {heard: number}} Heard */

/** @param {T.Preparation | null | undefined} told @returns {Heard | null} */
export const heardNow = (told) => (told ? { ...told, heard: Date.now() } : null);

/** @param {Heard} told */
const elapsed = (told) => told.elapsed + (Date.now() - told.heard) / 1000;

/** How much of the expected time is over. @param {Heard} told */
function progress(told) {
  return told.doing === "waiting" ? 0 : Math.min(NEARLY, elapsed(told) / told.expected);
}

/**
 * What somebody waits for, in words.
 * @param {Heard} told
 * @param {string} what
 */
function preparationText(told, what) {
  const n = seconds(told.expected);
  if (told.doing === "waiting") return t("kernelsWait", { what });
  if (told.doing === "loading") return t("kernelsLoad", { what, n });
  if (elapsed(told) > LATE * told.expected) return t("kernelsLate", { what, n });
  if (told.doing === "alone") return t("kernelsAlone", { what, n });
  if (told.last === null) return t("kernelsFirst", { what, n });
  return t("kernelsAgain", { what, n, last: number(told.last, 1) });
}

/** @param {number} exact */
const seconds = (exact) => number(Math.max(1, Math.round(exact)));

/**
 * A line of text with a bar below it. What does not change is not drawn anew, so that nobody is told twice.
 * @param {Element} host
 * @param {string} text
 * @param {number | null} share
 */
function drawWork(host, text, share) {
  if (!host.firstChild)
    fill(
      host,
      h("p", { class: "work-text", role: "status" }),
      h("span", { class: "bar work-bar", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 }, h("span", { class: "bar-fill" })),
    );
  const [words, bar] = /** @type {[HTMLElement, HTMLElement]} */ (/** @type {unknown} */ ([...host.children]));
  if (words.textContent !== text) words.textContent = text;
  bar.classList.toggle("vacant", share === null);
  bar.setAttribute("aria-valuenow", String(Math.round(100 * (share ?? 0))));
  bar.setAttribute("aria-label", text);
  /** @type {HTMLElement} */ (bar.firstChild).style.width = `${100 * (share ?? 0)}%`;
}

/**
 * The line of a game: what is waited for, that a hint is looked for, or the hint.
 * @param {Play} play
 */
export function drawPlayWork(play) {
  const { preparation, state } = play;
  const why = state?.busy?.why ?? "move";
  const what = { move: t("kernelsOpponent"), hint: t("kernelsHint"), think: t("kernelsThink") }[why];
  if (preparation && play.isSlow) drawWork(play.parts.work, preparationText(preparation, what), progress(preparation));
  else drawWork(play.parts.work, hintText(play), null);
  play.parts.work.classList.toggle("is-hint", Boolean(play.hint));
  drawCancel(play);
}

/** While a hint is looked for it can be cancelled, beside the words that say so. @param {Play} play */
function drawCancel(play) {
  const { work } = play.parts;
  const present = work.querySelector("button");
  if (!play.isHinting) present?.remove();
  else if (!present) work.append(button(t("cancel"), () => cancel(play), { icon: "close", "data-do": "cancel" }));
}

/** @param {Play} play */
function hintText(play) {
  if (play.hint) return t("hintIs", { move: say(play.hint.label) });
  return play.isHinting ? t("hintSearched") : "";
}

/**
 * The line of a setup page: how far the agents of a game are that people usually choose, until they are ready.
 * @param {Element} host
 * @param {string} game
 */
export async function watchPreparation(host, game) {
  const told = await getPreparation(game).catch(() => null);
  if (!told || !host.isConnected) return;
  const agents = told.agents.map((agent) => ({ ...agent, heard: Date.now() }));
  drawSetupWork(host, agents);
  if (!told.ready || !agents.length) setTimeout(() => void watchPreparation(host, game), BETWEEN_LOOKS);
}

/**
 * @param {Element} host
 * @param {Heard[]} agents
 */
function drawSetupWork(host, agents) {
  const expected = (/** @type {Heard[]} */ some) => some.reduce((sum, agent) => sum + agent.expected, 0);
  const open = agents.filter((agent) => agent.doing === "waiting" || agent.doing === "compiling");
  const compiled = agents.filter((agent) => agent.doing === "compiling");
  const left = open.reduce((sum, agent) => sum + agent.expected * (1 - progress(agent)), 0);
  if (compiled.length) drawWork(host, t("setupPrepares", { n: seconds(left) }), 1 - left / expected(agents));
  else if (open.length) drawWork(host, t("setupWaits"), 0);
  else drawWork(host, agents.some((agent) => agent.doing === "alone") ? t("setupAlone") : "", null);
}
