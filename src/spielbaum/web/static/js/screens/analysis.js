/** Opening a game for analysis: a pasted list of moves, a record, or a game that was played here. */

/** @import {App} from "../app.js" */
import { beginSession, getGames, getRecords, Refused } from "../api.js";
import { button, fill, h } from "../dom.js";
import { notice } from "../parts/dialog.js";
import { select } from "../parts/form.js";
import { say, t } from "../words.js";

/**
 * @param {App} app
 * @param {string} [name]
 */
export async function analysisScreen(app, name) {
  const [games, records] = await Promise.all([getGames(), getRecords()]);
  let game = name ?? games[0]?.name;
  const pasted = h("textarea", { rows: 5, id: "pasted", spellcheck: "false", "aria-describedby": "pasted-help" });

  /** @param {Record<string, unknown>} request */
  async function open(request) {
    try {
      const { session } = await beginSession({ mode: "analysis", ...request });
      app.go(`#/play/${session}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      notice(t("error", { reason: error.message }));
    }
  }

  const stored = records.map((record) =>
    h("li", null, button(`${say(record.title)} · ${t("fullGame", { n: record.ply })}`, () => open({ record_id: record.id }), { class: "wide" }), h("time", null, new Date(1000 * record.ended).toLocaleString())),
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
        h("div", { class: "field" }, h("label", { for: "analysis-game" }, t("analysisGame")), select({ id: "analysis-game" }, games.map((each) => [each.name, say(each.title)]), game ?? "", (picked) => (game = picked))),
        h("div", { class: "field wide-field" }, h("label", { for: "pasted" }, t("analysisPaste")), pasted, h("p", { class: "help", id: "pasted-help" }, t("analysisPasteHint"))),
      ),
      h("div", { class: "button-row" }, button(t("analysisOpen"), () => void open(meant(game ?? "", pasted.value)), { class: "primary large", icon: "analysis" })),
      h("h2", null, t("records")),
      stored.length ? h("ul", { class: "records" }, stored) : h("p", { class: "quiet-text" }, t("recordsNone")),
    ),
  );
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
