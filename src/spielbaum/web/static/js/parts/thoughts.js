/** A search in figures: how much it has seen, its root moves as a table, and the line it expects. */

/** @import * as T from "../types.js" */
import { colour } from "../board/shapes.js";
import { button, fill, h } from "../dom.js";
import { figure, number, percent, say, sayFirst, t, worth } from "../words.js";

const MOST_ROWS = 12;

/**
 * @typedef {object} MindWishes
 * @property {(index: number) => void} showLine
 * @property {(edge: T.Edge | null) => void} point  an edge is pointed at
 * @property {() => void} openTree
 */

/**
 * @param {HTMLElement} host
 * @param {T.Thinking | null} thoughts
 * @param {T.SeatInPlay[]} seats
 * @param {MindWishes} wishes
 */
export function drawThoughts(host, thoughts, seats, wishes) {
  if (!thoughts?.search) {
    const waiting = thoughts && thoughts.queue > 0 ? t("queue", { n: thoughts.queue }) : t("thoughtsNone");
    return fill(host, h("p", { class: "quiet-text" }, waiting));
  }
  const { search } = thoughts;
  fill(
    host,
    figures(search, seats[thoughts.seat]),
    search.line.length > 0 && expected(search.line, seats, wishes),
    table(search, wishes),
    button(t("treeOpen"), wishes.openTree, { icon: "thoughts", class: "wide", "data-key": "tree" }),
  );
}

/**
 * @param {T.Search} search
 * @param {T.SeatInPlay | undefined} seat
 */
function figures(search, seat) {
  /** @type {[string, string][]} */
  const facts = [
    [sayFirst(seat?.name ?? search.unit.title), verdict(search)],
    [t("nodes"), number(search.nodes)],
    [t("depth"), number(search.depth)],
    [t("seconds"), number(search.seconds, 2)],
  ];
  if (search.cut_off) facts.push([t("cutOff"), percent(search.cut_off)]);
  return h(
    "dl",
    { class: "figures" },
    facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
  );
}

/** What the search thinks of the position for who is to move. @param {T.Search} search */
function verdict(search) {
  if (!search.proven) return worth(search.value, search.unit);
  return `${search.value === 0 ? t("drawn") : worth(search.value, search.unit)} (${t("proven")})`;
}

/**
 * @param {T.LineMove[]} line
 * @param {T.SeatInPlay[]} seats
 * @param {MindWishes} wishes
 */
function expected(line, seats, wishes) {
  const moves = line.map((move, i) => {
    const press = button(say(move.label), () => wishes.showLine(i), { class: "line-move", "data-key": `line-${i}` });
    press.style.borderLeftColor = colour(seats[move.seat]?.role);
    return h("li", null, press);
  });
  return h(
    "section",
    { class: "line" },
    h("h3", { class: "small-title" }, t("line")),
    h("ol", null, moves),
    h("p", { class: "quiet-text" }, t("lineAbout")),
  );
}

/** How the value of a move is meant. @param {T.Edge} edge @returns {T.Bound} */
const meant = (edge) => (edge.exact === false ? "at most" : edge.proven ? "proven" : "exact");

/**
 * @param {T.Search} search
 * @param {MindWishes} wishes
 */
function table({ edges, unit }, wishes) {
  const rows = edges.slice(0, MOST_ROWS).map((edge) => {
    const bar = h("span", { class: "bar-fill" });
    bar.style.width = `${100 * edge.share}%`;
    return h(
      "tr",
      { onpointerenter: () => wishes.point(edge), onpointerleave: () => wishes.point(null) },
      h("th", { scope: "row" }, say(edge.label)),
      h(
        "td",
        { class: "share-cell" },
        h("span", { class: "bar" }, bar),
        h("span", { class: "number" }, percent(edge.share)),
      ),
      h("td", { class: "number" }, number(edge.visits)),
      h("td", { class: "number" }, figure(edge.value, unit, meant(edge))),
    );
  });
  const head = h(
    "tr",
    null,
    h("th", { scope: "col" }, t("move")),
    h("th", { scope: "col" }, t("share")),
    h("th", { scope: "col" }, t("visits")),
    h("th", { scope: "col" }, sayFirst(unit.title)),
  );
  return h("table", { class: "edges" }, h("thead", null, head), h("tbody", null, rows));
}
