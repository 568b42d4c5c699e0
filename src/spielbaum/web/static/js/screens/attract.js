/**
 * What a kiosk shows while nobody plays: a game of the computer against itself with what it thinks, and one touch that
 * begins a game.
 */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { beginSession, getGame, Refused } from "../api.js";
import { Board } from "../board/board.js";
import { lastMove } from "../board/marks.js";
import { shares } from "../board/shares.js";
import { button, fill, h, svg } from "../dom.js";
import { drawCurve } from "../parts/curve.js";
import { notice } from "../parts/dialog.js";
import { chips } from "../parts/form.js";
import { reasonOf } from "../reasons.js";
import { openSession } from "../session.js";
import { percent, say, t } from "../words.js";

const PACE = 1.5;
const RETRY = 3000;
const CONSIDERED = 3; // moves that are named

/** @param {App} app */
export async function attractScreen(app) {
  const name = app.config.kiosk ?? "";
  const game = await getGame(name);
  const place = h("div", { class: "attract-board" });
  const thoughts = h("div", { class: "attract-thoughts" });
  const levels = h("div", null);
  const choose = () => app.go(`#/setup/${name}`);
  let level = game.opponent;
  const text = h(
    "div",
    { class: "attract-text" },
    h("h1", null, say(game.title)),
    h("p", { class: "lead" }, say(game.about)),
    button(t("playNow"), () => void startGame(), { class: "invitation primary", icon: "play", "data-do": "play" }),
    levels,
    button(t("moreChoices"), choose, { class: "quiet", "data-do": "choices" }),
    h("p", { class: "quiet-text" }, t("selfPlay")),
    thoughts,
  );
  fill(
    app.host,
    h(
      "main",
      {
        class: "attract",
        id: "content",
        onclick: (/** @type {Event} */ e) =>
          e.target instanceof Element && !e.target.closest("button, fieldset") && choose(),
      },
      place,
      text,
      h("div", { class: "attract-corner" }, app.languageButton()),
    ),
  );
  drawLevels();

  function drawLevels() {
    const all = game.levels.map(({ spec, title }) => ({ value: spec, title: say(title) }));
    fill(
      levels,
      all.length > 1 && chips(t("difficulty"), all, level, (chosen) => ((level = chosen), drawLevels()), "level"),
    );
  }

  async function startGame() {
    const seats = game.kiosk.agents.map((_, seat) => (seat ? { kind: "agent", spec: level } : { kind: "human" }));
    try {
      const { session } = await beginSession({ game: name, options: game.kiosk.options, seats });
      app.go(`#/play/${session}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(reasonOf(error));
    }
  }

  /** @type {import("../session.js").Session | null} */
  let demonstration = null;
  /** @type {ReturnType<typeof setTimeout>} */
  let retry;
  let left = false;

  async function demonstrate() {
    const held = await beginSession({
      game: name,
      options: game.kiosk.options,
      seats: game.kiosk.agents.map((spec) => ({ kind: "agent", spec })),
      pace: PACE,
      repeat: true,
    }).catch(() => null);
    if (left) return;
    if (!held) return void (retry = setTimeout(demonstrate, RETRY));
    demonstration = openSession(held);
    demonstration.listener = {
      ...shown(place, thoughts),
      ended: () => void (retry = setTimeout(demonstrate, RETRY)),
    };
  }

  void demonstrate();
  return () => {
    left = true;
    clearTimeout(retry);
    demonstration?.send({ type: "leave" });
  };
}

/**
 * A game that is watched, and beside it what is thought.
 * @param {HTMLElement} place
 * @param {HTMLElement} beside
 */
function shown(place, beside) {
  const figure = h("div", null);
  const considered = h("div", null);
  const [last, marks] = [svg("g", null), svg("g", null)];
  fill(beside, considered, figure);
  /** @type {Board | null} */
  let board = null;
  /** @type {T.Welcome | null} */
  let known = null;
  /** @type {(SVGElement | null)[]} the last move's marks */
  let made = [];
  return {
    /** @param {import("../session.js").Session} session */
    changed({ welcome, state }) {
      if (!welcome?.backdrop || !state) return;
      if (!board) {
        board = new Board(welcome.game, welcome.backdrop);
        board.under.append(last);
        board.over.append(marks);
        fill(place, board.element);
      }
      known = welcome;
      board.show(state.scene);
      marks.replaceChildren();
      made = state.last.flatMap((move) => (board ? lastMove(board, move.steps) : []));
      last.replaceChildren(...made.filter((mark) => mark !== null));
      fill(figure, drawCurve(state.curve, welcome.seats, state.plies, state.ply));
    },
    /** @param {T.Thinking} thinking */
    thinking({ search, seat, done }) {
      if (!search || !board || !known) return;
      if (!done) {
        const { below, above } = shares(board, search.edges);
        last.replaceChildren(...made.filter((mark) => mark !== null), ...below);
        marks.replaceChildren(...above);
      }
      fill(considered, considers(search, say(known.seats[seat]?.name)));
    },
  };
}

/** @param {T.Search} search @param {string} name */
function considers(search, name) {
  return [
    h("h2", null, t("thoughtsOf", { name })),
    h(
      "ol",
      null,
      [...search.edges]
        .sort((one, other) => other.share - one.share)
        .slice(0, CONSIDERED)
        .map((edge) => h("li", null, h("span", null, say(edge.label)), percent(edge.share))),
    ),
  ];
}
