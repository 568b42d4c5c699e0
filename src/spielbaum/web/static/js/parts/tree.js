/**
 * The search tree as a picture one can walk: a node's children are branches whose width is their share of visits
 * and whose colour is their value. The board beside it shows the position of the node one stands on.
 */

/** @import * as T from "../types.js" */
/** @import {Session} from "../session.js" */
import { Board } from "../board/board.js";
import { button, fill, h, svg } from "../dom.js";
import { isCertain, number, percent, say, t, worth } from "../words.js";
import { previewBar } from "./preview_bar.js";
import { openDialog } from "./dialog.js";

const COLUMNS = [0.05, 0.35, 0.68]; // with room for what stands beside the last ones
const ROW = 13; // units of the picture between two leaves
const BRANCHES = [4, 3, 2, 1]; // how many children of the first, second … child are drawn
const SHOWN = { depth: 2, top: 7 };

/** @param {Session} session */
export function openTree(session) {
  const { welcome } = session;
  if (!welcome) return;
  const preview = h("div", { class: "preview-place" });
  const crumbs = h("nav", { class: "crumbs", "aria-label": t("tree") });
  const branches = h("div", { class: "branches" });
  const facts = h("p", { class: "node-facts", "aria-live": "polite" });
  const place = h("div", { class: "tree-board" });
  const board = welcome.backdrop ? new Board(welcome.game, welcome.backdrop) : null;
  if (board) place.append(board.element);
  /** @type {{action: number, label: string}[]} */
  let walked = [];

  /** @param {{action: number, label: string}[]} path */
  async function walk(path) {
    /** @type {T.TreeAnswer} */
    let answer;
    try {
      answer = await session.ask({ type: "tree", path: path.map((step) => step.action), ...SHOWN });
    } catch {
      return fill(branches, h("p", { class: "quiet-text" }, t("treeNone")));
    }
    walked = path;
    const hadFocus = branches.contains(document.activeElement);
    fill(
      preview,
      previewBar(treeLabel(path.length), () => dialog.close()),
    );
    const { search } = session.thoughts ?? {};
    if (!search) return fill(branches, h("p", { class: "quiet-text" }, t("treeNone")));
    const { node } = answer;
    board?.show(answer.scene);
    fill(
      facts,
      [`${t("visits")} ${number(node.visits)}`, node.value === null ? "" : worth(node.value, search.unit, node.bound)]
        .filter(Boolean)
        .join(" · "),
    );
    fill(
      crumbs,
      crumb(t("treeRoot"), 0),
      walked.map((step, i) => ["›", crumb(step.label, i + 1)]),
    );
    fill(
      branches,
      node.children.length
        ? drawBranches(node, search.unit, (steps) => walk([...walked, ...steps]))
        : h("p", { class: "quiet-text" }, t("treeNone")),
    );
    if (hadFocus) /** @type {HTMLElement} */ (crumbs.lastElementChild).focus();
  }

  /** @param {string} label @param {number} length */
  const crumb = (label, length) =>
    button(label, () => walk(walked.slice(0, length)), { class: "crumb", "data-key": `crumb-${length}` });

  const dialog = openDialog(
    t("tree"),
    h(
      "div",
      { class: "tree" },
      preview,
      crumbs,
      h("div", { class: "tree-side" }, place, facts),
      h("div", null, h("p", { class: "quiet-text" }, t("treeAbout")), branches),
    ),
    "wide-dialog",
  );
  void walk([]);
}

/** How far ahead of the position that was thought about one looks. @param {number} moves */
export const treeLabel = (moves) => (moves ? t("lookingTree", { n: moves }) : t("lookingRoot"));

/**
 * @param {T.TreeNode} root
 * @param {T.Unit} unit
 * @param {(steps: {action: number, label: string}[]) => void} walk
 */
function drawBranches(root, unit, walk) {
  const shade = shades(root, unit);
  const node = (/** @type {T.TreeNode} */ of, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ share, /** @type {(() => void) | null} */ press) =>
    drawNode(of, { x, y, share, unit, fill: shade(of.value), press });
  const shown = root.children.map((child, i) => ({
    child,
    next: child.children.slice(0, BRANCHES[Math.min(i, BRANCHES.length - 1)]),
  }));
  const leaves = shown.reduce((sum, { next }) => sum + Math.max(1, next.length), 0);
  const height = Math.max(60, leaves * ROW);
  const width = 240;
  const x = (/** @type {number} */ level) => COLUMNS[level] * width;
  const middle = height / 2;
  /** @type {SVGElement[]} */
  const roads = [];
  /** @type {SVGElement[]} */
  const nodes = [node(root, x(0), middle, 1, null)];
  let row = 0;
  for (const { child, next } of shown) {
    const rows = Math.max(1, next.length);
    const y = (row + rows / 2) * (height / leaves);
    const step = { action: child.action ?? 0, label: say(child.label) };
    roads.push(road(x(0), middle, x(1), y, child));
    nodes.push(node(child, x(1), y, child.share, child.more || child.children.length ? () => walk([step]) : null));
    next.forEach((grandchild, i) => {
      const there = (row + i + 0.5) * (height / leaves);
      roads.push(road(x(1), y, x(2), there, grandchild));
      nodes.push(
        node(grandchild, x(2), there, child.share * grandchild.share, () =>
          walk([step, { action: grandchild.action ?? 0, label: say(grandchild.label) }]),
        ),
      );
    });
    row += rows;
  }
  return svg(
    "svg",
    { class: "tree-svg", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("tree") },
    roads,
    nodes,
  );
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {T.TreeNode} to */
function road(x1, y1, x2, y2, to) {
  const bend = (x1 + x2) / 2;
  return svg("path", {
    class: "road",
    d: `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`,
    "stroke-width": 0.4 + 5 * to.share,
  });
}

/**
 * @typedef {object} Look
 * @property {number} x
 * @property {number} y
 * @property {number} share  of all visits
 * @property {T.Unit} unit
 * @property {string} fill
 * @property {(() => void) | null} press
 */

/**
 * @param {T.TreeNode} of
 * @param {Look} look
 */
function drawNode(of, { x, y, share, unit, fill, press }) {
  const label = say(of.label) || t("treeRoot");
  const disc = svg("circle", { r: 2.2 + 4 * Math.sqrt(share) });
  disc.style.fill = fill;
  const value = worth(of.value, unit, of.bound);
  const g = svg(
    "g",
    {
      class: press ? "node can-walk" : "node",
      transform: `translate(${x} ${y})`,
      role: press ? "button" : "img",
      tabindex: press && 0,
      "aria-label": `${label}, ${t("visits")} ${number(of.visits)}, ${value}`,
    },
    svg("rect", { class: "reach", x: -8, y: -7, width: 42, height: 14 }),
    disc,
    of.label && svg("text", { x: 7.5, y: -2.4, class: "node-label" }, label),
    of.label && svg("text", { x: 7.5, y: 3.8, class: "node-facts" }, `${percent(of.share)} · ${value}`),
  );
  if (press) {
    g.addEventListener("click", press);
    g.addEventListener(
      "keydown",
      (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), press()),
    );
  }
  return g;
}

/**
 * Colours from bad over even to good; where values are no chances, as far as they go in this part of the tree.
 * @param {T.TreeNode} root
 * @param {T.Unit} unit
 */
function shades(root, unit) {
  const shown = root.children.flatMap((child) => [child, ...child.children]).map(({ value }) => value ?? 0);
  const most = Math.max(0.001, ...shown.filter((value) => !isCertain(value)).map(Math.abs));
  const reach = unit.name === "chance" ? 1 : most;
  return (/** @type {number | null} */ value) => {
    if (value === null) return "var(--muted)";
    const good = Math.round(50 * (1 + Math.max(-1, Math.min(1, value / reach))));
    return `color-mix(in oklab, var(--r-good) ${good}%, var(--r-bad))`;
  };
}
