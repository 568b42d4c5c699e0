/** The start page: all games as cards. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { endSession, getOffer, Refused, unfinished } from "../api.js";
import { picture } from "../board/board.js";
import { button, fill, h, icon } from "../dom.js";
import { confirmFirst, notice } from "../parts/dialog.js";
import { sitter } from "../parts/seats.js";
import { reasonOf } from "../reasons.js";
import { closeSession } from "../session.js";
import { say, t } from "../words.js";

const [TUNING, TRAINING] = ["Tuning", "Training"]; // in both languages
const AT_ONCE = 3; // unfinished games that stand before the others

/** @param {App} app */
export async function startScreen(app) {
  closeSession();
  const resume = h("section", { class: "resume-place" });
  const { games, broken } = await getOffer();
  fill(
    app.host,
    app.bar(
      app.config.stage &&
        h("a", { href: "#/stage", class: "button quiet", "aria-label": t("stage") }, icon("watch"), h("span", null, t("stage"))),
      app.config.tunings && h("a", { href: "#/tuning", class: "button quiet", "aria-label": TUNING }, icon("thoughts"), h("span", null, TUNING)),
      app.config.trainings && h("a", { href: "#/training", class: "button quiet", "aria-label": TRAINING }, icon("thoughts"), h("span", null, TRAINING)),
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
  const [shown, folded] = [kept.slice(0, AT_ONCE), kept.slice(AT_ONCE)].map((some) => some.map(leftGame));
  fill(
    place,
    shown.length > 0 && [h("h2", null, t("unfinished")), h("ul", null, shown)],
    folded.length > 0 &&
      h(
        "details",
        { class: "fold" },
        h("summary", null, t("unfinishedMore", { n: folded.length })),
        h("ul", null, folded),
      ),
  );

  /** @param {T.Outline} game */
  function leftGame(game) {
    const levels = games.find((other) => other.name === game.game)?.levels ?? [];
    const others = game.players.filter((player) => player.kind === "agent");
    const names = others.map((player) => sitter(player, levels));
    const people = t(game.players.length > 2 ? "severalPeople" : "twoPeople");
    const who = others.length ? t("against", { who: [...new Set(names)].join(", ") }) : people;
    const title = say(game.title);
    return h(
      "li",
      null,
      h("p", null, h("strong", null, title), h("span", null, `${who} · ${t("moveNumber", { n: game.ply + 1 })}`)),
      h(
        "a",
        {
          class: "button primary resume",
          href: `#/play/${game.session}`,
          "aria-label": `${t("continueGame")}: ${title}`,
        },
        icon("play"),
        h("span", null, t("continueGame")),
      ),
      button(t("giveUp"), () => confirmFirst(t("giveUpGone"), t("giveUp"), () => void drop(game)), {
        class: "quiet",
        icon: "flag",
        "aria-label": `${t("giveUp")}: ${title}`,
        "data-do": "drop",
      }),
    );
  }

  /** @param {T.Outline} game */
  async function drop(game) {
    try {
      await endSession(game.session);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(reasonOf(error));
    }
    await offerUnfinished(place, games);
  }
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
