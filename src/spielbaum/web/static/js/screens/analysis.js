/** Opening a game for analysis: pasted moves, a record, a game that was played here, or one of a stored run. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { beginSession, getGame, getGames, getRecords, getRunGames, getRuns, Refused } from "../api.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../parts/dialog.js";
import { select } from "../parts/form.js";
import { sitter } from "../parts/seats.js";
import { reasonOf } from "../reasons.js";
import { dateTime, say, sayFirst, t } from "../words.js";

/**
 * @param {App} app
 * @param {string} [name]
 */
export async function analysisScreen(app, name) {
  const [games, records, runs] = await Promise.all([getGames(), getRecords(), getRuns()]);
  let game = name ?? games[0]?.name;
  const pasted = h("textarea", { rows: 5, id: "pasted", spellcheck: "false", "aria-describedby": "pasted-help" });

  /** @param {Record<string, unknown>} request */
  async function open(request) {
    try {
      const { session } = await beginSession({ mode: "analysis", ...request });
      app.go(`#/play/${session}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(reasonOf(error));
    }
  }

  const stored = records.map((record) =>
    h(
      "li",
      null,
      button(recordLine(record, games), () => open({ record_id: record.id }), { class: "wide" }),
      h("time", { datetime: new Date(1000 * record.ended).toISOString() }, dateTime(record.ended)),
    ),
  );
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page analysis-open", id: "content" },
      h("h1", null, t("analysis")),
      h("p", { class: "lead" }, t("analysisAbout")),
      h(
        "div",
        { class: "fields" },
        h(
          "div",
          { class: "field" },
          h("label", { for: "analysis-game" }, t("analysisGame")),
          select(
            { id: "analysis-game" },
            games.map((each) => [each.name, say(each.title)]),
            game ?? "",
            (picked) => (game = picked),
          ),
        ),
        h(
          "div",
          { class: "field wide-field" },
          h("label", { for: "pasted" }, t("analysisPaste")),
          pasted,
          h("p", { class: "help", id: "pasted-help" }, t("analysisPasteHint")),
        ),
      ),
      h(
        "div",
        { class: "button-row" },
        button(t("analysisOpen"), () => void open(meant(game ?? "", pasted.value)), {
          class: "primary large",
          icon: "analysis",
        }),
      ),
      h("h2", null, t("records")),
      stored.length ? h("ul", { class: "records" }, stored) : h("p", { class: "quiet-text" }, t("recordsNone")),
      runs.length > 0 && [
        h("h2", null, t("runs")),
        h(
          "div",
          null,
          runs.map((run) => runFold(run, games, open)),
        ),
      ],
    ),
  );
}

/**
 * What was played, by whom, and how it ended.
 * @param {T.StoredRecord} record
 * @param {T.Card[]} games
 */
function recordLine({ game, title, players = [], result, ply }, games) {
  const card = games.find((other) => other.name === game);
  const who = players.map((player) => `${sayFirst(player.name)} (${sitter(player, card?.levels ?? [])})`);
  const winners = result?.winners.map((seat) => say(players[seat]?.name)).join(", ");
  const ended = result && (winners ? t("victory", { name: winners }) : t("drawn"));
  return [say(title ?? card?.title ?? game), who.join(" – "), ended, t("fullGame", { n: ply })]
    .filter(Boolean)
    .join(" · ");
}

/**
 * A run of the arena; its games come when it is unfolded.
 * @param {T.Run} run
 * @param {T.Card[]} games
 * @param {(request: Record<string, unknown>) => void} open
 */
function runFold(run, games, open) {
  const card = games.find((other) => other.name === run.game);
  const named = (/** @type {string} */ spec) => say(card?.levels.find((level) => level.spec === spec)?.title) || spec;
  /** @type {T.Seat[]} */
  let seats = [];
  const list = h("ul", { class: "records" });
  const more = button(t("more"), () => void load(), { class: "quiet" });
  let shown = 0;
  async function load() {
    const [games, details] = await Promise.all([getRunGames(run.run, shown), card && getGame(run.game)]);
    seats = details?.seats ?? [];
    shown += games.length;
    list.append(
      ...games.map((game) =>
        h(
          "li",
          null,
          button(gameLine(game), () => open({ stored: { run: run.run, game: game.number } }), { class: "wide" }),
        ),
      ),
    );
    more.hidden = shown >= run.games || games.length === 0;
  }
  const fold = h(
    "details",
    { class: "fold", ontoggle: () => fold.open && shown === 0 && void load() },
    h(
      "summary",
      null,
      h(
        "span",
        null,
        [say(card?.title ?? run.game), run.agents.map(named).join(" – "), t("gamesOfRun", { n: run.games })].join(
          " · ",
        ),
      ),
      h("time", { datetime: run.created }, dateTime(run.created)),
    ),
    list,
    more,
  );
  return fold;

  /** @param {T.RunGame} game */
  function gameLine(game) {
    const who = Object.entries(game.seats).map(([seat, agent]) => `${sayFirst(seatName(seat))} (${named(agent)})`);
    const returns = Object.entries(game.returns ?? {});
    const best = Math.max(...returns.map(([, value]) => value));
    const winners = returns.filter(([, value]) => value === best).map(([seat]) => seatName(seat));
    const isDrawn = winners.length === returns.length;
    const ended = returns.length > 0 && (isDrawn ? t("drawn") : t("victory", { name: winners.join(", ") }));
    return [`${game.number + 1}`, who.join(" – "), ended, t("fullGame", { n: game.ply })].filter(Boolean).join(" · ");
  }

  /** @param {string} name  as the rules call it */
  function seatName(name) {
    const seat = seats.find((other) => name === (typeof other.name === "string" ? other.name : other.name.en));
    return seat ? say(seat.name) : name;
  }
}

/**
 * A record when it is JSON, otherwise moves.
 * @param {string} game
 * @param {string} text
 */
function meant(game, text) {
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    try {
      return { record: JSON.parse(trimmed) };
    } catch {
      return { game, moves: trimmed };
    }
  }
  return { game, moves: trimmed || [] };
}
