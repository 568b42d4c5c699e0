/** Requests to the server, and which sessions this browser holds. */

/** @import * as T from "./types.js" */

/** A refusal of the server, with a code for programs and a reason for people. */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} reason
   */
  constructor(code, reason) {
    super(reason);
    this.code = code;
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
    throw new Refused("offline", "no connection to the server");
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (!response.ok)
    throw new Refused(answer?.error?.code ?? `http-${response.status}`, answer?.error?.reason ?? response.statusText);
  return answer;
}

/** @returns {Promise<T.Config>} */
export const getConfig = () => ask("config");
/** @returns {Promise<T.Card[]>} */
export const getGames = async () => (await ask("games")).games;
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
  keep(begun);
  return begun;
}

const SHELF = "spielbaum.sessions";
const KEPT = 20;
const GONE = new Set(["unknown-session", "unauthorised"]);

/** @returns {T.Credentials[]} */
function shelf() {
  try {
    return JSON.parse(localStorage.getItem(SHELF) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {T.Credentials} held */
export function keep({ session, token }) {
  const rest = shelf().filter((other) => other.session !== session);
  localStorage.setItem(SHELF, JSON.stringify([{ session, token }, ...rest].slice(0, KEPT)));
}

/** @param {string} session */
export function forget(session) {
  localStorage.setItem(SHELF, JSON.stringify(shelf().filter((other) => other.session !== session)));
}

/** @param {string} session @returns {T.Credentials | undefined} */
export function held(session) {
  return shelf().find((other) => other.session === session);
}

/** The game that was begun last and still goes on, if the server knows it. */
export async function unfinished() {
  for (const kept of shelf().slice(0, 3)) {
    try {
      const found = await ask(`sessions/${kept.session}`, { token: kept.token });
      if (!found.over && found.mode === "play" && found.ply > 0)
        return { ...kept, game: /** @type {string} */ (found.game) };
    } catch (error) {
      if (error instanceof Refused && GONE.has(error.code)) forget(kept.session);
    }
  }
  return null;
}
