/** Opening a game for analysis: pasted moves, a record, a game that was played here, or one of a stored run. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { beginSession, getGames, getRecords, getRunGames, getRuns, Refused } from "../api.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../parts/dialog.js";
import { select } from "../parts/form.js";
import { reasonOf } from "../reasons.js";
import { say, t } from "../words.js";

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
      button(`${say(record.title)} · ${t("fullGame", { n: record.ply })}`, () => open({ record_id: record.id }), {
        class: "wide",
      }),
      h("time", null, new Date(1000 * record.ended).toLocaleString()),
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
          runs.map((run) => runFold(run, open)),
        ),
      ],
    ),
  );
}

/**
 * A run of the arena; its games come when it is unfolded.
 * @param {T.Run} run
 * @param {(request: Record<string, unknown>) => void} open
 */
function runFold(run, open) {
  const list = h("ul", { class: "records" });
  const more = button(t("more"), () => void load(), { class: "quiet" });
  let shown = 0;
  async function load() {
    const games = await getRunGames(run.run, shown);
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
    h("summary", null, `${run.run} · ${run.game} · ${run.agents.join(", ")} · ${t("gamesOfRun", { n: run.games })}`),
    list,
    more,
  );
  return fold;
}

/** @param {T.RunGame} game */
function gameLine(game) {
  const seats = Object.entries(game.seats).map(([seat, agent]) => `${seat} ${agent} ${game.returns?.[seat] ?? ""}`);
  return [`${game.number + 1}`, ...seats, t("fullGame", { n: game.ply })].join(" · ");
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
