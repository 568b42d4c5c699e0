/** The start page: all games as cards. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getBroken, getGames, unfinished } from "../api.js";
import { picture } from "../board/board.js";
import { fill, h, icon } from "../dom.js";
import { closeSession } from "../session.js";
import { say, t } from "../words.js";

/** @param {App} app */
export async function startScreen(app) {
  closeSession();
  const resume = h("div", { class: "resume-place" });
  const [games, broken] = await Promise.all([getGames(), getBroken()]);
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
        broken.map((game) => h("li", null, brokenCard(game))),
      ),
    ),
  );
  void offerUnfinished(resume, games);
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
    h("div", { class: "card-picture" }, picture(game.name, game.backdrop, game.scene, "")),
    h(
      "div",
      { class: "card-text" },
      h("h2", null, say(game.title)),
      h("p", null, say(game.about)),
      h("p", { class: "card-facts" }, facts(game).join(" · ")),
    ),
  );
}

/** A file that holds no game that can be shown, for its author. @param {T.BrokenGame} game */
function brokenCard(game) {
  return h(
    "article",
    { class: "card broken", "data-file": game.file },
    h(
      "div",
      { class: "card-text" },
      h("h2", null, game.file),
      h("p", null, t("brokenGame")),
      h("pre", { class: "reason" }, game.reason),
      h("p", { class: "card-facts" }, t("brokenLog")),
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
