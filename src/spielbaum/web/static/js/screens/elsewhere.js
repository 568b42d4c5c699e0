/** A session whose token this browser does not hold: what it is, why it does not open, and what one can do instead. */

/** @import {App} from "../app.js" */
import { getAbout, Refused } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { notice } from "../parts/dialog.js";
import { say, t } from "../words.js";

/**
 * @param {App} app
 * @param {string} session
 */
export async function elsewhereScreen(app, session) {
  const about = await getAbout(session).catch((error) => {
    if (error instanceof Refused && error.code === "unknown-session") return null;
    throw error;
  });
  if (!about || app.config.kiosk) {
    app.go("#/");
    return notice(t("abandoned"));
  }
  const what = about.mode === "analysis" ? t("elsewhereAnalysis") : t(about.over ? "elsewhereOver" : "elsewhereGame");
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page elsewhere", id: "content" },
      h("h1", null, say(about.title)),
      h("p", { class: "lead" }, what),
      h("p", { class: "lead" }, t("elsewhereKey")),
      h(
        "div",
        { class: "button-row" },
        h(
          "a",
          { class: "button primary large", href: `#/setup/${about.game}` },
          icon("play"),
          h("span", null, t("beginOwn")),
        ),
        h("a", { class: "button large", href: "#/" }, icon("back"), h("span", null, t("backToStart"))),
      ),
    ),
  );
}
