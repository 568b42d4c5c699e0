/**
 * The search tree as lists, for screens that are too narrow for its drawing: the moves after the node one stands on,
 * with share and value, and crumbs that lead back.
 */

/** @import * as T from "../types.js" */
/** @import {Session} from "../session.js" */
import { Board } from "../board/board.js";
import { button, fill, h } from "../dom.js";
import { figure, percent, say, sayFirst, t } from "../words.js";
import { previewBar } from "./preview_bar.js";
import { openDialog } from "./dialog.js";
import { treeLabel } from "./tree.js";

const SHOWN = { depth: 1, top: 40 };

/** @typedef {{action: number, label: string}} Step */

/** @param {Session} session */
export function openWalk(session) {
  const { welcome } = session;
  if (!welcome) return;
  const preview = h("div", { class: "preview-place" });
  const crumbs = h("nav", { class: "crumbs", "aria-label": t("tree") });
  const place = h("div", { class: "tree-board" });
  const list = h("div", { class: "walk-list", "aria-live": "polite" });
  const board = welcome.backdrop ? new Board(welcome.game, welcome.backdrop) : null;
  if (board) place.append(board.element);

  /** @param {Step[]} path */
  async function walk(path) {
    /** @type {T.TreeAnswer} */
    let answer;
    try {
      answer = await session.ask({ type: "tree", path: path.map((step) => step.action), ...SHOWN });
    } catch {
      return fill(list, h("p", { class: "quiet-text" }, t("treeNone")));
    }
    const { search } = session.thoughts ?? {};
    if (!search) return fill(list, h("p", { class: "quiet-text" }, t("treeNone")));
    board?.show(answer.scene);
    fill(
      preview,
      previewBar(treeLabel(path.length), () => dialog.close()),
    );
    fill(
      crumbs,
      crumb(t("treeRoot"), []),
      path.map((step, i) => ["›", crumb(step.label, path.slice(0, i + 1))]),
    );
    fill(
      list,
      children(answer.node, search.unit, (step) => void walk([...path, step])),
    );
  }

  /** @param {string} label @param {Step[]} path */
  const crumb = (label, path) =>
    button(label, () => void walk(path), { class: "crumb", "data-key": `crumb-${path.length}` });

  const dialog = openDialog(t("tree"), h("div", { class: "walk" }, preview, crumbs, place, list), "wide-dialog");
  void walk([]);
}

/**
 * The moves after a node; those that were followed further can be touched.
 * @param {T.TreeNode} node
 * @param {T.Unit} unit
 * @param {(step: Step) => void} walk
 */
function children(node, unit, walk) {
  if (!node.children.length) return h("p", { class: "quiet-text" }, t("walkEnd"));
  return [
    h("p", { class: "quiet-text" }, t("walkAbout")),
    h(
      "ol",
      null,
      node.children.map((child, i) => {
        const label = say(child.label);
        const step = { action: child.action ?? 0, label };
        const press = h("button", { type: "button", "data-key": `walk-${i}`, onclick: () => walk(step) }, row(child, unit));
        return h("li", null, press);
      }),
    ),
  ];
}

/** @param {T.TreeNode} child @param {T.Unit} unit */
function row(child, unit) {
  const bar = h("span", { class: "bar-fill" });
  bar.style.width = `${100 * child.share}%`;
  return [
    h("strong", null, say(child.label)),
    h("span", { class: "bar", "aria-hidden": "true" }, bar),
    h("span", { class: "number" }, h("span", { class: "sr-only" }, t("share")), percent(child.share)),
    h("span", { class: "number" }, h("span", { class: "sr-only" }, sayFirst(unit.title)), figure(child.value, unit, child.bound)),
  ];
}
