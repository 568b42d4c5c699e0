/** The start page: all games as cards. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getGames, unfinished } from "../api.js";
import { picture } from "../board/board.js";
import { fill, h, icon } from "../dom.js";
import { closeSession } from "../session.js";
import { say, t } from "../words.js";

/** @param {App} app */
export async function startScreen(app) {
  closeSession();
  const resume = h("div", { class: "resume-place" });
  const games = await getGames();
  fill(
    app.host,
    app.bar(
      h(
        "a",
        { href: "#/analysis", class: "button quiet", "aria-label": t("analysis") },
        icon("analysis"),
        h("span", null, t("analysis")),
      ),
    ),
    h(
      "main",
      { class: "page start", id: "content" },
      h("div", { class: "hero" }, h("h1", null, "Spielbaum"), h("p", { class: "lead" }, t("tagline"))),
      resume,
      h(
        "ul",
        { class: "cards" },
        games.map((game) => h("li", null, card(game))),
      ),
    ),
  );
  void offerUnfinished(resume, games);
  setTimeout(() => void drawPictures(app.host, games));
}

/**
 * The words are shown first, then one picture after the other: nobody waits for all of them to see the first.
 * @param {HTMLElement} host
 * @param {T.Card[]} games
 */
async function drawPictures(host, games) {
  const places = host.querySelectorAll(".card-picture");
  for (const [i, game] of games.entries()) {
    await new Promise((resolve) => setTimeout(resolve));
    places[i].append(picture(game.name, game.backdrop, game.scene, ""));
  }
}

/** @param {HTMLElement} place @param {T.Card[]} games */
async function offerUnfinished(place, games) {
  const kept = await unfinished();
  if (!kept) return;
  const title = games.find((game) => game.name === kept.game)?.title;
  fill(
    place,
    h(
      "a",
      { class: "button resume", href: `#/play/${kept.session}` },
      icon("play"),
      h("span", null, `${t("continueGame")}: ${say(title)}`),
    ),
  );
}

/** @param {T.Card} game */
function card(game) {
  return h(
    "a",
    { class: "card", href: `#/setup/${game.name}`, "data-game": game.name },
    h("div", { class: "card-picture" }),
    h(
      "div",
      { class: "card-text" },
      h("h2", null, say(game.title)),
      h("p", null, say(game.about)),
      h("p", { class: "card-facts" }, facts(game).join(" · ")),
    ),
  );
}

/** @param {T.Card} game */
export function facts(game) {
  const [low, high] = game.players;
  const players = low === high ? t("players", { n: low }) : t("playersRange", { low, high });
  return [
    players,
    ...(game.chance ? [t("chance")] : []),
    ...(game.hidden ? [t("hidden")] : []),
    ...(game.rounds ? [t("rounds")] : []),
  ];
}
