/** Requests to the server, and which sessions this browser holds. */

/** @import * as T from "./types.js" */

/** A refusal of the server: a code, what its words need, and one line of English for logs. */
export class Refused extends Error {
  /** @param {import("./reasons.js").Reason} refusal */
  constructor({ code, why, params, reason }) {
    super(reason);
    this.code = code;
    this.why = why;
    this.params = params;
    this.reason = reason;
  }
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown, token?: string}} [request]
 * @returns {Promise<any>}
 */
async function ask(path, { method = "GET", body, token } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused({ code: "offline", reason: "no connection to the server" });
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (!response.ok)
    throw new Refused(answer?.error ?? { code: `http-${response.status}`, reason: response.statusText });
  return answer;
}

/** @returns {Promise<T.Config>} */
export const getConfig = () => ask("config");
/** @returns {Promise<T.Card[]>} */
export const getGames = async () => (await ask("games")).games;
/** All games, and the files that hold none that can be shown. @returns {Promise<{games: T.Card[], broken: T.BrokenGame[]}>} */
export const getOffer = () => ask("games");
/** @returns {Promise<T.StageOutline[]>} */
export const getStage = async () => (await ask("stage")).games;
/** @param {string} game @returns {Promise<{title: string}>} */
export const getStaged = (game) => ask(`stage/${encodeURIComponent(game)}`);
/** @param {string} game @returns {Promise<T.GameDetails>} */
export const getGame = (game) => ask(`games/${encodeURIComponent(game)}`);
/** @param {string} game @returns {Promise<T.RulesPage>} */
export const getRules = (game) => ask(`games/${encodeURIComponent(game)}/rules`);
/** @returns {Promise<T.StoredRecord[]>} */
export const getRecords = async () => (await ask("records")).records;
/** @returns {Promise<T.Run[]>} */
export const getRuns = async () => (await ask("runs")).runs;
/** @param {number} run @param {number} first @returns {Promise<T.RunGame[]>} */
export const getRunGames = async (run, first) => (await ask(`runs/${run}/games?first=${first}`)).games;
/** What a session is, for those who hold no token of it. @param {string} session @returns {Promise<T.About>} */
export const getAbout = (session) => ask(`sessions/${encodeURIComponent(session)}/about`);
/** @returns {Promise<{tunings: T.Tuning[], damaged: number[]}>} */
export const getTunings = () => ask("tunings");
/** @returns {Promise<{trainings: T.Training[], damaged: string[]}>} */
export const getTrainings = () => ask("trainings");
/** @param {string} name @returns {Promise<T.TrainingCurves>} */
export const getTraining = (name) => ask(`trainings/${encodeURIComponent(name)}`);
/** @param {string} number @returns {Promise<T.Tuning>} */
export const getTuning = (number) => ask(`tunings/${encodeURIComponent(number)}`);
/** @param {string} number @returns {Promise<T.TuningPictures>} */
export const getTuningPictures = (number) => ask(`tunings/${encodeURIComponent(number)}/pictures`);
/** @param {T.Credentials} held */
export const getRecord = (held) => ask(`sessions/${held.session}/record`, { token: held.token });

/**
 * @param {string} game
 * @param {Record<string, unknown>} options
 * @returns {Promise<T.SetupAnswer>}
 */
export const trySetup = (game, options) =>
  ask(`games/${encodeURIComponent(game)}/setup`, { method: "POST", body: { options } });

/** @param {string} game @returns {Promise<T.GamePreparation>} */
export const getPreparation = (game) => ask(`games/${encodeURIComponent(game)}/preparation`);

/**
 * Begin a session and remember its token, so that a reload finds it again.
 * @param {Record<string, unknown>} request
 * @returns {Promise<T.Credentials>}
 */
export async function beginSession(request) {
  const begun = await ask("sessions", { method: "POST", body: request });
  const seats = /** @type {T.SeatChoice[] | undefined} */ (request.seats);
  saveCredentials(begun, request.mode === "analysis" || (seats?.every((seat) => seat.kind === "agent") ?? false));
  return begun;
}

const SHELF = "spielbaum.sessions";
const KEPT = { played: 20, watched: 5 }; // an analysis must not push a game that goes on off the shelf
const GONE = new Set(["unknown-session", "unauthorised"]);

/** @typedef {T.Credentials & {isWatched?: boolean}} Kept */

/** @returns {Kept[]} */
function shelf() {
  try {
    return JSON.parse(localStorage.getItem(SHELF) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {T.Credentials} held @param {boolean} [isWatched]  nobody plays in it who could want to go on */
export function saveCredentials({ session, token }, isWatched = false) {
  const all = [{ session, token, isWatched }, ...shelf().filter((other) => other.session !== session)];
  const watched = all.filter((each) => each.isWatched).slice(0, KEPT.watched);
  const played = all.filter((each) => !each.isWatched).slice(0, KEPT.played);
  localStorage.setItem(SHELF, JSON.stringify([...played, ...watched]));
}

/** @param {string} session */
export function forget(session) {
  localStorage.setItem(SHELF, JSON.stringify(shelf().filter((other) => other.session !== session)));
}

/** @param {string} session @returns {T.Credentials | undefined} */
export function held(session) {
  const kept = shelf().find((other) => other.session === session);
  return kept && { session, token: kept.token };
}

/** All games that were begun here and still go on, as far as the server knows them, the latest first. */
export async function unfinished() {
  const found = await Promise.all(
    shelf()
      .filter((kept) => !kept.isWatched)
      .map(look),
  );
  return found.flatMap((game) => (game && game.mode === "play" && !game.over && game.ply > 0 ? [game] : []));
}

/** @param {T.Credentials} kept @returns {Promise<T.Outline | null>} */
async function look(kept) {
  try {
    return await ask(`sessions/${kept.session}`, { token: kept.token });
  } catch (error) {
    if (error instanceof Refused && GONE.has(error.code)) forget(kept.session);
    return null;
  }
}

/** End a session on the server, whoever is in it. @param {string} session */
export async function endSession(session) {
  await ask(`sessions/${session}`, { method: "DELETE", token: held(session)?.token });
  forget(session);
}
