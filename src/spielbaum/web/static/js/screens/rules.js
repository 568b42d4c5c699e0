/** The rules of a game, with drawn figures. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getRules } from "../api.js";
import { picture } from "../board/board.js";
import { fill, h, icon } from "../dom.js";
import { say, t } from "../words.js";

/**
 * @param {App} app
 * @param {string} game
 */
export async function rulesScreen(app, game) {
  const rules = await getRules(game);
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page rules", id: "content" },
      h("h1", null, say(rules.title)),
      rulesText(game, rules),
      h("a", { class: "button primary", href: `#/setup/${game}` }, icon("play"), h("span", null, t("newGame"))),
    ),
  );
}

/**
 * @param {string} game
 * @param {T.RulesPage} rules
 */
export function rulesText(game, rules) {
  if (!rules.sections.length) return h("p", null, t("rulesNone"));
  return h(
    "div",
    { class: "rules-text" },
    rules.sections.map(({ title, text, figure }) =>
      h(
        "section",
        null,
        h("div", { class: "rules-words" }, h("h2", null, say(title)), paragraphs(say(text))),
        figure &&
          h(
            "figure",
            null,
            picture(game, figure.backdrop, figure.scene, say(figure.caption)),
            figure.caption && h("figcaption", null, say(figure.caption)),
          ),
      ),
    ),
  );
}

/** Paragraphs, items and bold words. @param {string} text */
function paragraphs(text) {
  return text.split(/\n\s*\n/).map((block) => {
    const lines = block.split("\n").map((line) => line.trim());
    const items = lines.filter((line) => line.startsWith("- "));
    const prose = lines.filter((line) => !line.startsWith("- ")).join(" ");
    return [
      prose && h("p", null, bold(prose)),
      items.length > 0 &&
        h(
          "ul",
          null,
          items.map((item) => h("li", null, bold(item.slice(2)))),
        ),
    ];
  });
}

/** @param {string} text */
const bold = (text) => text.split("**").map((part, i) => (i % 2 ? h("strong", null, part) : part));
