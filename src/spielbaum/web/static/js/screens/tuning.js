/** Tuning runs: a list of them, and one with its pictures, followed while it goes on. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getTuning, getTuningPictures, getTunings } from "../api.js";
import { button, fill, h, icon } from "../dom.js";
import { notice } from "../parts/dialog.js";
import { fitnessChart, responseSurfaceChart, nameOf, parameterChart, sharesChart, formatValue } from "../tuning/charts.js";
import { dressed, progressBar, repeatedly } from "../tuning/follow.js";
import { w } from "../tuning/words.js";
import { dateTime, number, percent, say, sayFirst } from "../words.js";

const NAME = "Tuning";

/** @param {App} app @param {string} [which] */
export async function tuningScreen(app, which) {
  await dressed();
  return which ? follow(app, which) : showList(app);
}

/** @param {App} app */
async function showList(app) {
  const place = h("div", { class: "tunings" });
  let known = "";
  const stop = await repeatedly(async () => {
    const found = await getTunings();
    if (JSON.stringify(found) !== known) fill(place, listOf(found.tunings, found.damaged));
    known = JSON.stringify(found);
  });
  fill(
    app.host,
    app.bar(),
    h("main", { class: "page", id: "content" }, h("h1", null, NAME), h("p", { class: "lead" }, w("about")), place),
  );
  return stop;
}

/** @param {T.Tuning[]} tunings @param {number[]} damaged */
function listOf(tunings, damaged) {
  return [
    tunings.length === 0 && h("p", null, w("none")),
    h(
      "ul",
      { class: "records" },
      tunings.map((run) =>
        h(
          "li",
          null,
          h(
            "a",
            { class: "button wide", href: `#/tuning/${run.number}`, "data-key": run.number },
            icon("thoughts"),
            h("span", null, [run.number, say(run.title), run.method, w(run.state), percent(share(run))].join(" · ")),
          ),
          h("time", { datetime: run.created }, dateTime(run.created)),
        ),
      ),
    ),
    damaged.length > 0 && h("p", { class: "quiet-text" }, w("damaged", { list: damaged.join(", ") })),
  ];
}

/** How much of it is done, from 0 to 1. @param {T.Tuning} run */
const share = ({ state, games, games_planned: all }) => (state === "finished" ? 1 : Math.min(1, games / Math.max(1, all)));

/** @param {App} app @param {string} which */
async function follow(app, which) {
  const [state, found, pictures] = [h("div", { class: "tuning-state" }), h("section", null), h("div", { class: "charts" })];
  const [title, facts, table] = [h("h1", null), h("dl", { class: "figures" }), h("div", { class: "tuned" })];
  let [known, drawnAs] = ["", ""];
  /** @type {T.TuningPictures["best"]} */
  let best = null;
  const stop = await repeatedly(async () => {
    const run = await getTuning(which);
    if (JSON.stringify(run) === known) return;
    const renewed = `${run.steps} ${run.state} ${run.test?.verdict ?? ""}`;
    if (renewed !== drawnAs) {
      const drawn = await getTuningPictures(which);
      fill(pictures, chartsOf(run, drawn));
      fill(table, drawn.steps > 0 && tableOf(run, drawn));
      best = drawn.best;
      drawnAs = renewed;
    }
    title.textContent = `${say(run.title)}: ${w("tuning", { n: run.number })}`;
    fill(facts, factsOf(run));
    fill(state, stateOf(run));
    fill(found, foundOf(run, best));
    known = JSON.stringify(run);
  });
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page tuning", id: "content" },
      h("a", { href: "#/tuning", class: "button quiet" }, icon("back"), h("span", null, NAME)),
      title,
      state,
      found,
      facts,
      pictures,
      table,
    ),
  );
  return stop;
}

/** How far it is. @param {T.Tuning} run */
function stateOf(run) {
  const part = share(run);
  const steps = { n: number(run.steps), all: number(run.steps_planned) };
  const texts = [
    run.method,
    w(run.method === "evolution" ? "generations" : "steps", steps),
    w("games", { n: number(run.games), all: number(run.games_planned) }),
  ];
  return [
    h("p", null, h("strong", { class: `state-${run.state}` }, w(run.state)), ` · ${texts.join(" · ")}`),
    progressBar(part),
  ];
}

/** What is thought best, and what a test says about it. @param {T.Tuning} run @param {T.TuningPictures["best"]} best */
function foundOf(run, best) {
  if (!best) return h("p", null, w("nothingYet"));
  const copy = () =>
    void navigator.clipboard?.writeText(best.spec).then(
      () => notice(w("copied")),
      () => {},
    );
  return [
    h("h2", null, w(run.state === "finished" ? "best" : "bestSoFar")),
    h(
      "div",
      { class: "found-spec" },
      h("code", null, best.spec.split(/(?<=[,:])/).flatMap((part) => [part, h("wbr", null)])),
      isSecureContext && button(w("copy"), copy, { class: "quiet", icon: "copy", "data-key": "copy" }),
    ),
    h("p", null, tested(run.test, best.spec === best.species)),
  ];
}

/** @param {T.Tuning["test"]} test @param {boolean} isGiven  nothing has changed */
function tested(test, isGiven) {
  if (!test) return w(isGiven ? "asGiven" : "untested");
  if (!test.verdict) return w("testing", { games: number(test.games), all: number(test.planned) });
  const said = w(test.verdict === "stronger" ? "stronger" : test.verdict === "not stronger" ? "notStronger" : "undecided");
  const { elo, low, high, games } = test;
  const figures = { elo: signed(elo, "∞"), low: signed(low, "−∞"), high: signed(high, "+∞"), games: number(games) };
  return `${said} ${w("result", figures)}`;
}

/** @param {number | null} elo @param {string} endless */
const signed = (elo, endless) => (elo === null ? endless : `${elo < 0 ? "−" : "+"}${number(Math.abs(elo))}`);

/** What fitness is. */
const MAXIMISED = /** @type {const} */ ({ wins: "ofWinsInFull", result: "ofResultInFull", points: "ofPointsInFull" });

/** @param {T.Tuning} run */
function factsOf(run) {
  const facts = [
    [w("agent"), run.agents.join(", ")],
    [w("against"), run.against.join(", ") || w("eachOther")],
    [w("fitness"), w(MAXIMISED[run.maximises])],
    [w("seed"), String(run.seed)],
    [w("begun"), dateTime(run.created)],
  ];
  return facts.map(([name, text]) => h("div", null, h("dt", null, name), h("dd", null, text)));
}

/** @param {T.Tuning} run @param {T.TuningPictures} drawn */
function chartsOf(run, drawn) {
  if (!drawn.steps) return [];
  return [
    drawn.fitness.length > 0 && fitnessChart(run, drawn),
    run.agents.length > 1 && sharesChart(run, drawn),
    drawn.response_surface && responseSurfaceChart(run, drawn.response_surface),
    drawn.parameters.map((parameter) => parameterChart(run, drawn, parameter)),
  ];
}

/** What the pictures show, in figures. @param {T.Tuning} run @param {T.TuningPictures} drawn */
function tableOf(run, drawn) {
  const value = (/** @type {number | string | null} */ given) => (given === null ? "–" : formatValue(given));
  const head = [w("parameter"), w("given"), w("tuned"), w("asGood"), w("importance")];
  return [
    h("h2", null, w("parameters")),
    h(
      "div",
      { class: "tuned-table", role: "region", tabindex: 0, "aria-label": w("parameters") },
      h(
        "table",
        null,
        h("thead", null, h("tr", null, head.map((name) => h("th", { scope: "col" }, sayFirst(name))))),
        h(
          "tbody",
          null,
          drawn.parameters.map((one) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, nameOf(run, one)),
              h("td", null, value(one.given)),
              h("td", null, value(one.tuned)),
              h("td", { class: one.choices.length > 3 && "many" }, one.as_good?.join(one.choices.length ? ", " : " … ") || "–"),
              h("td", null, one.importance === null ? "–" : percent(one.importance)),
            ),
          ),
        ),
      ),
    ),
  ];
}
