/**
 * Why something did not work, in the reader's language: words for every code of a refusal, and for every `why` where
 * one code has several causes. The server's own reason is English, so only English words may have room for it.
 */

/** @import * as T from "./types.js" */
import { currentLanguage, say } from "./words.js";

/** @typedef {{code: string, why?: string | null, params?: Record<string, unknown>, reason: string}} Reason */

/** @type {Record<string, string>} */
const EN = {
  "analysis-only": "That is possible in an analysis only.",
  "bad-agent": "There is no such computer player: {reason}",
  "bad-moves": "These moves do not fit the game: {reason}",
  "bad-options": "The game can't be set up like that: {reason}",
  "bad-seats": "The game has {seats} seats.",
  "bad-setup": "The game can't be set up like that: {reason}",
  "broken-game": "The rules of this game have failed: {reason}",
  busy: "Everything here is taken just now. Please try again a little later.",
  cancelled: "That was called off.",
  ended: "This game has ended.",
  fault: "The computer can't play on: {reason}",
  forbidden: "You may not do that.",
  "hidden-record": "This game keeps its secrets until it is over.",
  "hint-for-oneself": "Hints are for your own turn.",
  "illegal-action": "That move is not allowed here.",
  internal: "The server made a mistake, number {number} in its log. Please try again.",
  "known-seed": "What luck decides, or what is hidden, is known here: only the computer can play on.",
  malformed: "The server has not understood that.",
  "no-runs": "This server keeps no runs of the arena.",
  "no-training": "There is no such training here.",
  "no-tuning": "There is no such tuning run here.",
  "no-search": "These thoughts are no longer there.",
  "not-found": "There is nothing at this address.",
  "not-now": "That is not possible at the moment.",
  "not-your-seat": "Somebody else plays this side.",
  "not-your-turn": "It is not your turn. To move: {names}",
  offline: "The server does not answer.",
  over: "The game is over.",
  "owner-only": "Only the one who began this game may do that.",
  "pass-screen": "First take over the screen.",
  searching: "The computer is thinking already.",
  "secret-thoughts": "These thoughts are not for your eyes.",
  stale: "The board has changed meanwhile.",
  "too-large": "That is too long.",
  "too-many": "There is too much going on here. Please try again a little later.",
  "too-many-messages": "That was too fast. Please wait a moment.",
  "too-many-own": "Too many games were begun from here. Please end some, or try again a little later.",
  "too-many-screens": "This game is open on too many screens.",
  "too-many-sessions": "Too many games are being played here. Please try again a little later.",
  unauthorised: "This device holds no key to that game.",
  "undo-chance": "Where luck plays along, nothing can be taken back.",
  "undo-hidden": "Where something is hidden, nothing can be taken back.",
  "undo-nothing": "There is nothing to take back.",
  unknown: "That did not work.",
  "unknown-game": "There is no game called “{name}”.",
  "unknown-record": "This game is not stored here.",
  "unknown-session": "This game is no longer there.",
  "unknown-type": "The server has not understood that.",
  unreadable: "What is stored of this game can't be read.",
};

/** @type {Record<string, string>} */
const DE = {
  "analysis-only": "Das geht nur in einer Analyse.",
  "bad-agent": "Diesen Computerspieler gibt es nicht: {agent}",
  "bad-moves": "Diese Züge passen nicht zum Spiel. Zug {number} ist nicht möglich.",
  "bad-options": "So lässt sich das Spiel nicht einrichten. Bitte prüfen: {names}",
  "bad-seats": "Das Spiel hat {seats} Plätze.",
  "bad-setup": "So lässt sich das Spiel nicht einrichten.",
  "broken-game": "Die Regeln dieses Spiels haben versagt.",
  busy: "Hier ist gerade alles besetzt. Bitte versuche es etwas später.",
  cancelled: "Das wurde abgebrochen.",
  ended: "Dieses Spiel ist zu Ende.",
  fault: "Der Computer kann nicht weiterspielen.",
  forbidden: "Das darfst du nicht.",
  "hidden-record": "Dieses Spiel hütet seine Geheimnisse, bis es vorbei ist.",
  "hint-for-oneself": "Tipps gibt es nur, wenn du am Zug bist.",
  "illegal-action": "Dieser Zug ist hier nicht erlaubt.",
  internal: "Der Server hat einen Fehler gemacht, Nummer {number} in seinem Protokoll. Bitte versuche es noch einmal.",
  "known-seed": "Was das Glück entscheidet oder was verdeckt ist, ist hier bekannt: Weiterspielen kann nur der Computer.",
  malformed: "Das hat der Server nicht verstanden.",
  "no-runs": "Dieser Server bewahrt keine Läufe der Arena auf.",
  "no-training": "Dieses Training gibt es hier nicht.",
  "no-tuning": "Diesen Tuning-Lauf gibt es hier nicht.",
  "no-search": "Diese Gedanken gibt es nicht mehr.",
  "not-found": "Unter dieser Adresse gibt es nichts.",
  "not-now": "Das geht gerade nicht.",
  "not-your-seat": "Diese Seite spielt jemand anderes.",
  "not-your-turn": "Du bist nicht am Zug. Am Zug: {names}",
  offline: "Der Server antwortet nicht.",
  over: "Das Spiel ist vorbei.",
  "owner-only": "Das darf nur, wer dieses Spiel begonnen hat.",
  "pass-screen": "Übernimm zuerst den Bildschirm.",
  searching: "Der Computer denkt schon nach.",
  "secret-thoughts": "Diese Gedanken sind nicht für deine Augen.",
  stale: "Das Brett hat sich inzwischen verändert.",
  "too-large": "Das ist zu lang.",
  "too-many": "Hier ist gerade zu viel los. Bitte versuche es etwas später.",
  "too-many-messages": "Das war zu schnell. Bitte warte einen Augenblick.",
  "too-many-own": "Von hier aus wurden zu viele Spiele begonnen. Bitte beende einige, oder versuche es etwas später.",
  "too-many-screens": "Dieses Spiel ist auf zu vielen Bildschirmen offen.",
  "too-many-sessions": "Hier werden gerade zu viele Partien gespielt. Bitte versuche es etwas später.",
  unauthorised: "Dieses Gerät hat keinen Schlüssel zu diesem Spiel.",
  "undo-chance": "Wo das Glück mitspielt, lässt sich nichts zurücknehmen.",
  "undo-hidden": "Wo etwas verdeckt ist, lässt sich nichts zurücknehmen.",
  "undo-nothing": "Es gibt nichts zurückzunehmen.",
  unknown: "Das ging nicht.",
  "unknown-game": "Ein Spiel namens „{name}“ gibt es nicht.",
  "unknown-record": "Dieses Spiel ist hier nicht aufbewahrt.",
  "unknown-session": "Dieses Spiel gibt es nicht mehr.",
  "unknown-type": "Das hat der Server nicht verstanden.",
  unreadable: "Was von diesem Spiel gespeichert ist, lässt sich nicht lesen.",
};

/**
 * A refusal in the reader's language. A sentence whose blanks can't all be filled is left out.
 * @param {Reason} refusal
 */
export function reasonOf({ code, why, params, reason }) {
  const words = currentLanguage() === "de" ? DE : EN;
  const sentence = (why && words[why]) || words[code] || words.unknown;
  /** @type {Record<string, unknown>} */
  const values = { ...params, reason };
  const sentences = sentence.split(/(?<=[.:?!]) (?=[A-ZÄÖÜ])/);
  const complete = sentences.filter((sentence) => blanks(sentence).every((name) => filled(values[name])));
  const said = complete.map((sentence) => sentence.replace(BLANK, (_, name) => filled(values[name])));
  return said.join(" ") || words.unknown;
}

const BLANK = /\{(\w+)\}/g;

/** @param {string} sentence */
const blanks = (sentence) => [...sentence.matchAll(BLANK)].map((match) => match[1]);

/** A number, a text, or several of them; empty where there is none. @param {unknown} value */
function filled(value) {
  const all = Array.isArray(value) ? value : [value];
  return all.map((each) => (typeof each === "number" ? String(each) : say(/** @type {T.Text} */ (each)))).join(", ");
}
