/** What one can do besides moving: ask for a hint, give up, go to a position, analyse, play on, copy, leave. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { beginSession, forget, getRecord, getRules, saveCredentials, Refused } from "../api.js";
import { h } from "../dom.js";
import { reasonOf } from "../reasons.js";
import { rulesText } from "../screens/rules.js";
import { closeSession } from "../session.js";
import { say, t } from "../words.js";
import { confirmFirst, notice, openDialog } from "./dialog.js";

/** @param {Play} play */
export async function askHint(play) {
  play.askForHint(true);
  try {
    play.hint = await play.session.ask({ type: "hint" });
    play.drawMarks();
  } catch (error) {
    const refusal = /** @type {T.Refusal} */ (error);
    if (refusal.code !== "cancelled") notice(reasonOf(refusal));
  } finally {
    play.askForHint(false);
  }
}

/** No hint, or no thoughts, after all. @param {Play} play */
export const cancel = (play) => play.session.send({ type: "cancel" });

/** @param {Play} play */
export function giveUp(play) {
  const seat =
    play.state?.turn !== null && play.welcome.yours.includes(play.state?.turn ?? -1)
      ? play.state?.turn
      : play.welcome.yours[0];
  confirmFirst(t("giveUpSure"), t("giveUp"), () => play.session.send({ type: "resign", seat }));
}

/** Begin anew; where a game would be lost, not without asking. @param {Play} play */
export function restart(play) {
  const again = () => play.session.send({ type: "restart" });
  if (play.state?.over || !play.state?.plies) again();
  else confirmFirst(t("restartSure"), t("restart"), again);
}

/**
 * @param {Play} play
 * @param {number} ply
 */
export function goTo(play, ply) {
  const { state } = play;
  if (!state || ply < 0 || ply > state.plies) return;
  play.heading = ply;
  play.session.send({ type: "goto", ply });
}

/** @param {Play} play */
export async function analyse(play) {
  try {
    const { session } = await beginSession({ mode: "analysis", from: play.session.held });
    play.app.go(`#/play/${session}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice(reasonOf(error));
  }
}

/** @param {Play} play */
export async function playOn(play) {
  try {
    const turn = play.state?.turn ?? 0;
    const seats = play.welcome.seats.map((seat) =>
      seat.seat === turn ? { kind: "human" } : { kind: "agent", spec: play.game?.opponent },
    );
    const begun = await play.session.ask({ type: "continue", seats });
    saveCredentials(begun);
    play.app.go(`#/play/${begun.session}`);
  } catch (error) {
    notice(reasonOf(/** @type {T.Refusal} */ (error)));
  }
}

/** @param {Play} play */
export async function copyRecord(play) {
  try {
    const record = JSON.stringify(await getRecord(play.session.held));
    await navigator.clipboard.writeText(record).then(
      () => notice(t("copied")),
      () => openDialog(t("copyRecord"), h("textarea", { rows: 8, readonly: true }, record)),
    );
  } catch (error) {
    if (error instanceof Refused) notice(reasonOf(error));
  }
}

/** @param {Play} play */
export async function showRules(play) {
  const rules = await getRules(play.welcome.game);
  openDialog(say(rules.title), rulesText(play.welcome.game, rules), "wide-dialog rules");
}

/** @param {Play} play */
export function leave(play) {
  if (play.state?.over || play.app.config.kiosk || play.isWatching || play.isAnalysis) end(play);
  closeSession();
  play.app.go("#/");
}

/** End the session on the server too. @param {Play} play */
export function end(play) {
  play.session.send({ type: "leave" });
  forget(play.session.held.session);
}
