/** Trainings of networks: a list of them, and one with its curves, followed while it goes on. */

/** @import {App} from "../app.js" */
/** @import * as T from "../types.js" */
import { getTraining, getTrainings } from "../api.js";
import { fill, h, icon, svg } from "../dom.js";
import { w } from "../training/words.js";
import { chart, key, line, round } from "../tuning/charts.js";
import { dressed, progressBar, repeatedly } from "../tuning/follow.js";
import { number, percent, say } from "../words.js";

const NAME = "Training";
const TICKS = 5; // marks on an axis, at most
const FIRST_NET = "the first net"; // as trainings call this baseline

/** @param {App} app @param {string} [which] */
export async function trainingScreen(app, which) {
  await dressed();
  return which ? follow(app, decodeURIComponent(which)) : showList(app);
}

/** @param {App} app */
async function showList(app) {
  const place = h("div", { class: "tunings" });
  let known = "";
  const stop = await repeatedly(async () => {
    const found = await getTrainings();
    if (JSON.stringify(found) !== known) fill(place, listOf(found.trainings, found.damaged));
    known = JSON.stringify(found);
  });
  fill(
    app.host,
    app.bar(),
    h("main", { class: "page", id: "content" }, h("h1", null, NAME), h("p", { class: "lead" }, w("about")), place),
  );
  return stop;
}

/** @param {T.Training[]} trainings @param {string[]} damaged */
function listOf(trainings, damaged) {
  const link = (/** @type {T.Training} */ { name, title, state, last }) =>
    h(
      "a",
      { class: "button wide", href: `#/training/${encodeURIComponent(name)}`, "data-key": name },
      icon("thoughts"),
      h("span", null, [name, say(title), w(state), ...(last ? [percent(last.score)] : [])].join(" · ")),
    );
  return [
    trainings.length === 0 && h("p", null, w("none")),
    h(
      "ul",
      { class: "records" },
      trainings.map((one) => h("li", null, link(one))),
    ),
    damaged.length > 0 && h("p", { class: "quiet-text" }, w("damaged", { list: damaged.join(", ") })),
  ];
}

/** @param {App} app @param {string} which */
async function follow(app, which) {
  const [title, state, facts] = [h("h1", null), h("div", { class: "tuning-state" }), h("dl", { class: "figures" })];
  const pictures = h("div", { class: "charts" });
  let known = "";
  const stop = await repeatedly(async () => {
    const run = await getTraining(which);
    if (JSON.stringify(run) === known) return;
    title.textContent = `${say(run.title)}: ${run.name}`;
    fill(state, stateOf(run));
    fill(facts, factsOf(run));
    fill(pictures, chartsOf(run));
    known = JSON.stringify(run);
  });
  fill(
    app.host,
    app.bar(),
    h(
      "main",
      { class: "page tuning", id: "content" },
      h("a", { href: "#/training", class: "button quiet" }, icon("back"), h("span", null, NAME)),
      title,
      state,
      facts,
      pictures,
    ),
  );
  return stop;
}

/** How far it is, and what the baseline said last. @param {T.TrainingCurves} run */
function stateOf(run) {
  const part = run.state === "finished" ? 1 : run.minutes ? Math.min(1, run.passed / run.minutes) : 0;
  const minutes = { n: number(run.passed, 1), all: number(run.minutes ?? 0, 1) };
  const texts = [
    w(run.minutes === null ? "minutesSoFar" : "minutes", minutes),
    w("iterations", { n: number(run.iterations) }),
    w("games", { n: number(run.games) }),
  ];
  const last = run.last;
  return [
    h("p", null, h("strong", { class: `state-${run.state}` }, w(run.state)), ` · ${texts.join(" · ")}`),
    progressBar(part),
    h(
      "p",
      null,
      last
        ? w("scoreNow", { score: percent(last.score), low: percent(last.low), high: percent(last.high), name: last.baseline })
        : w("unmeasured"),
    ),
  ];
}

/** @param {T.TrainingCurves} run */
function factsOf(run) {
  const facts = [
    [w("game"), say(run.title)],
    [w("net"), `${run.name}.npz`],
    [w("size"), run.size],
    [w("simulations"), run.simulations === null ? null : number(run.simulations)],
    [w("seed"), run.seed === null ? null : String(run.seed)],
  ];
  return facts.filter(([, text]) => text !== null).map(([name, text]) => h("div", null, h("dt", null, name), h("dd", null, text)));
}

/** @param {T.TrainingCurves} run */
function chartsOf(run) {
  if (!run.iterations) return [];
  const { policy_loss: policy, entropy, value_loss: value } = run.curves;
  return [
    run.scores.length > 0 && scoreChart(run),
    lossChart(run, w("policy"), [
      { points: policy, kind: "mean", text: w("loss") },
      { points: entropy, kind: "species-0", text: w("entropy") },
    ]),
    lossChart(run, w("value"), [{ points: value, kind: "mean", text: w("loss") }]),
  ];
}

/** Round values from 0 to the end of an axis, as places from 0 to 1. @param {number} end @param {(value: number) => string} format */
function ticks(end, format) {
  const rough = end / TICKS || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const each = [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
  const marks = [];
  for (let n = 0; n * each <= end * 1.0001; n += 1) marks.push({ at: (n * each) / end, text: format(n * each) });
  return marks;
}

/** The score against each baseline, with its interval. @param {T.TrainingCurves} run */
function scoreChart(run) {
  const end = run.passed || 1;
  const baselines = [...new Set(run.scores.map(({ baseline }) => baseline))];
  return chart(
    w("score"),
    [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, text: percent(at) })),
    ticks(end, (value) => number(value, 2)),
    w("minute"),
    (x, y) =>
      baselines.flatMap((name, i) => {
        const scores = run.scores.filter(({ baseline }) => baseline === name);
        const place = (/** @type {T.Score} */ { minutes }) => round(x(minutes / end));
        const bars = scores.map((one) => `M${place(one)} ${round(y(one.low))}V${round(y(one.high))}`).join("");
        return [
          svg("path", { class: `line interval species-${i % 8}`, d: bars }),
          line(scores.map(({ minutes, score }) => [minutes, score]), (at) => x(at / end), y, `species-${i % 8}`),
          ...scores.map((one) => svg("circle", { class: `dot species-${i % 8}`, cx: place(one), cy: round(y(one.score)), r: 3 })),
        ];
      }),
    baselines.map((name, i) => key(`species-${i % 8}`, w("against", { name: name === FIRST_NET ? w("firstNet") : name }))),
  );
}

/**
 * @param {T.TrainingCurves} run
 * @param {string} title
 * @param {{points: T.Line, kind: string, text: string}[]} lines
 */
function lossChart(run, title, lines) {
  const end = run.passed || 1;
  const top = Math.max(...lines.flatMap(({ points }) => points.map(([, at]) => at)), 1e-6);
  return chart(
    title,
    ticks(top, (value) => number(value, 3)),
    ticks(end, (value) => number(value, 2)),
    w("minute"),
    (x, y) => lines.map(({ points, kind }) => line(points, (at) => x(at / end), (at) => y(at / top), kind)),
    lines.length > 1 ? lines.map(({ kind, text }) => key(kind, text)) : [],
  );
}
