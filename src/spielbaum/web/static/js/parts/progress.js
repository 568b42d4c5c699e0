/** Progress lines: kernels that are compiled or loaded, how long that takes, and the hint that is searched for. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { getPreparation } from "../api.js";
import { button, fill, h } from "../dom.js";
import { number, say, t } from "../words.js";
import { cancel } from "./actions.js";

const NEARLY = 0.97; // of a bar, until it is really done
const LATE = 1.3; // times as long as expected
const BETWEEN_LOOKS = 1000; // ms

/** Told by the server, with when we heard of it. @typedef {T.Preparation & {heard: number}} Heard */

/** @param {T.Preparation | null | undefined} preparation @returns {Heard | null} */
export const heardNow = (preparation) => (preparation ? { ...preparation, heard: Date.now() } : null);

/** @param {Heard} preparation */
const elapsed = (preparation) => preparation.elapsed + (Date.now() - preparation.heard) / 1000;

/** How much of the expected time is over. @param {Heard} preparation */
function shareDone(preparation) {
  return preparation.doing === "waiting" ? 0 : Math.min(NEARLY, elapsed(preparation) / preparation.expected);
}

/**
 * What somebody waits for, in words.
 * @param {Heard} preparation
 * @param {string} what
 */
function preparationText(preparation, what) {
  const n = seconds(preparation.expected);
  if (preparation.doing === "waiting") return t("kernelsWait", { what });
  if (preparation.doing === "loading") return t("kernelsLoad", { what, n });
  if (elapsed(preparation) > LATE * preparation.expected) return t("kernelsLate", { what, n });
  if (preparation.doing === "alone") return t("kernelsAlone", { what, n });
  if (preparation.last === null) return t("kernelsFirst", { what, n });
  return t("kernelsAgain", { what, n, last: number(preparation.last, 1) });
}

/** @param {number} exact */
const seconds = (exact) => number(Math.max(1, Math.round(exact)));

/**
 * A line of text with a bar below it. What does not change is not drawn anew, so that a screen reader does not read it twice.
 * @param {Element} host
 * @param {string} text
 * @param {number | null} share
 */
function drawProgress(host, text, share) {
  if (!host.firstChild)
    fill(
      host,
      h("p", { class: "progress-text", role: "status" }),
      h("span", { class: "bar progress-bar", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 }, h("span", { class: "bar-fill" })),
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
export function drawPlayProgress(play) {
  const { preparation, state } = play;
  const why = state?.busy?.why ?? "move";
  const what = { move: t("kernelsOpponent"), hint: t("kernelsHint"), think: t("kernelsThink") }[why];
  if (preparation && play.isSlow) drawProgress(play.parts.progress, preparationText(preparation, what), shareDone(preparation));
  else drawProgress(play.parts.progress, hintText(play), null);
  play.parts.progress.classList.toggle("is-hint", Boolean(play.hint));
  drawCancel(play);
}

/** While a hint is looked for it can be cancelled, beside the words that say so. @param {Play} play */
function drawCancel(play) {
  const { progress } = play.parts;
  const present = progress.querySelector("button");
  if (!play.isHinting) present?.remove();
  else if (!present) progress.append(button(t("cancel"), () => cancel(play), { icon: "close", "data-do": "cancel" }));
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
  const preparation = await getPreparation(game).catch(() => null);
  if (!preparation || !host.isConnected) return;
  const agents = preparation.agents.map((agent) => ({ ...agent, heard: Date.now() }));
  drawSetupProgress(host, agents);
  if (!preparation.ready || !agents.length) setTimeout(() => void watchPreparation(host, game), BETWEEN_LOOKS);
}

/**
 * @param {Element} host
 * @param {Heard[]} agents
 */
function drawSetupProgress(host, agents) {
  const expected = (/** @type {Heard[]} */ some) => some.reduce((sum, agent) => sum + agent.expected, 0);
  const open = agents.filter((agent) => agent.doing === "waiting" || agent.doing === "compiling");
  const compiled = agents.filter((agent) => agent.doing === "compiling");
  const left = open.reduce((sum, agent) => sum + agent.expected * (1 - shareDone(agent)), 0);
  if (compiled.length) drawProgress(host, t("setupPrepares", { n: seconds(left) }), 1 - left / expected(agents));
  else if (open.length) drawProgress(host, t("setupWaits"), 0);
  else drawProgress(host, agents.some((agent) => agent.doing === "alone") ? t("setupAlone") : "", null);
}
