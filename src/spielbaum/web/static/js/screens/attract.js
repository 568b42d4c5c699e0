/** What a kiosk shows while nobody plays: a game that the computer plays against itself, until somebody touches it. */

/** @import {App} from "../app.js" */
import { beginSession, getGame } from "../api.js";
import { Board } from "../board/board.js";
import { lastMove } from "../board/marks.js";
import { fill, h } from "../dom.js";
import { openSession } from "../session.js";
import { say, t } from "../words.js";

const PACE = 1.5;
const RETRY = 3000;

/** @param {App} app */
export async function attractScreen(app) {
  const name = app.config.kiosk ?? "";
  const game = await getGame(name);
  const place = h("div", { class: "attract-board" });
  const leave = () => app.go(`#/setup/${name}`);
  const invitation = h("button", { type: "button", class: "invitation primary", onclick: leave }, t("invitation"));
  const text = h(
    "div",
    { class: "attract-text" },
    h("h1", null, say(game.title)),
    h("p", { class: "lead" }, say(game.about)),
    invitation,
    h("p", { class: "quiet-text" }, t("selfPlay")),
  );
  fill(
    app.host,
    h(
      "main",
      {
        class: "attract",
        id: "content",
        onclick: (/** @type {Event} */ e) => e.target instanceof Element && !e.target.closest(".language") && leave(),
      },
      place,
      text,
      h("div", { class: "attract-corner" }, app.languageButton()),
    ),
  );

  /** @type {import("../session.js").Session | null} */
  let demonstration = null;
  /** @type {ReturnType<typeof setTimeout>} */
  let retry;
  let left = false;

  async function demonstrate() {
    const level = game.levels[Math.min(1, game.levels.length - 1)]?.spec ?? game.opponent;
    const held = await beginSession({
      game: name,
      seats: game.seats.map(() => ({ kind: "agent", spec: level })),
      pace: PACE,
      repeat: true,
    }).catch(() => null);
    if (left) return;
    if (!held) return void (retry = setTimeout(demonstrate, RETRY));
    demonstration = openSession(held);
    /** @type {Board | null} */
    let board = null;
    demonstration.listener = {
      changed({ welcome, state }) {
        if (!welcome?.backdrop || !state) return;
        if (!board) {
          board = new Board(name, welcome.backdrop);
          fill(place, board.element);
        }
        board.show(state.scene);
        board.under.replaceChildren(
          ...state.last.flatMap((move) => (board ? lastMove(board, move.steps) : [])).filter((mark) => mark !== null),
        );
      },
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
