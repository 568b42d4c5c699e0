/** The page around a game: bar, board, side and tabs, laid out once and filled by the game screen. */

/** @import * as T from "../types.js" */
/** @import {Play} from "../screens/play.js" */
import { getGame } from "../api.js";
import { Board } from "../board/board.js";
import { BoardInput } from "../board/input.js";
import { Viewport } from "../board/viewport.js";
import { button, fill, h, svg } from "../dom.js";
import { say, t } from "../words.js";
import { leave, showRules } from "./actions.js";
import { choiceList, notice } from "./dialog.js";

const SHELF = "spielbaum.thoughts";
const OFF = "spielbaum.off"; // layers that are turned off, of each game

/** The parts of the page that change during a game. */
export function makeParts() {
  return {
    title: h("h1", null),
    place: h("div", { class: "board-place" }),
    preview: h("div", { class: "preview-place" }),
    cover: h("div", { class: "cover-place" }),
    choices: h("div", { class: "choices-place" }),
    announced: h("div", { class: "sr-only announced", role: "log", "aria-live": "polite", "aria-label": t("moveList") }),
    status: h("div", { class: "status", role: "status", "aria-live": "polite" }),
    progress: h("div", { class: "progress" }),
    moves: h("div", { class: "action-buttons button-row" }),
    seats: h("div", { class: "seats" }),
    panels: h("div", { class: "panels" }),
    controls: h("div", { class: "controls" }),
    list: tabPage("moves", "move-list"),
    thoughts: tabPage("thoughts", "thoughts"),
    thoughtsBody: h("div", null),
    curve: h("div", { class: "curve-place" }),
    scores: h("div", { class: "score-place" }),
    offline: h("p", { class: "offline", role: "alert", hidden: true }, t("connectionLost")),
  };
}

/**
 * Put the page together, once it is known which game is played.
 * @param {Play} play
 */
export function layOut(play) {
  const { parts, welcome } = play;
  parts.title.textContent = parts.title.title = say(welcome.title);
  document.title = `${say(welcome.title)} · Spielbaum`;
  if (welcome.backdrop) layBoard(play, welcome.backdrop);
  const tabs = h(
    "section",
    { class: "tabs" },
    h(
      "div",
      { class: "tab-row", role: "tablist", "aria-label": t("more"), onkeydown: (/** @type {KeyboardEvent} */ e) => turnTab(play, e) },
      tabButton(play, "moves", t("moveList")),
      tabButton(play, "thoughts", t("thoughts")),
    ),
    parts.list,
    parts.thoughts,
  );
  fill(parts.thoughts, h("h2", { class: "sr-only" }, t("thoughts")), thoughtsSwitch(play), parts.thoughtsBody, parts.curve);
  const bar = h(
    "header",
    { class: "play-bar" },
    button(t("leave"), () => leave(play), { class: "quiet", icon: "back", "data-do": "leave" }),
    parts.title,
    h(
      "div",
      { class: "bar-right" },
      button(t("rules"), () => void showRules(play), { class: "quiet", icon: "rules", "data-do": "rules" }),
      play.app.languageButton(),
    ),
  );
  fill(
    play.app.host,
    h(
      "main",
      { class: `play ${play.isAnalysis ? "is-analysis" : ""}`, id: "content", tabindex: -1 },
      bar,
      parts.preview,
      h("section", { class: "table" }, parts.place, parts.offline, parts.choices, parts.cover),
      h(
        "aside",
        { class: "side" },
        parts.announced,
        parts.status,
        parts.progress,
        parts.moves,
        parts.controls,
        parts.scores,
        h("h2", { class: "sr-only" }, t("seats")),
        parts.seats,
        tabs,
      ),
    ),
  );
  play.openTab(play.tab);
  void getGame(welcome.game).then(
    (game) => {
      play.game = game;
      play.draw();
    },
    () => {},
  );
}

/**
 * Panels stand beside the board, and in its place where a game draws none, or can't.
 * @param {Play} play
 * @param {boolean} isBroken
 */
export function placePanels(play, isBroken) {
  const { board, parts } = play;
  const isText = !board || isBroken;
  parts.place.classList.toggle("as-text", isText);
  if (isText && parts.panels.parentElement !== parts.place) parts.place.prepend(parts.panels);
  if (!isText && parts.panels.previousSibling !== parts.controls) parts.controls.after(parts.panels);
}

/**
 * @param {Play} play
 * @param {T.Backdrop} backdrop
 */
function layBoard(play, backdrop) {
  const board = new Board(play.welcome.game, backdrop, play.welcome.seats);
  play.board = board;
  board.off = new Set(JSON.parse(localStorage.getItem(`${OFF}.${play.welcome.game}`) ?? "[]"));
  const viewport = new Viewport(board);
  board.under.append(svg("g", { class: "marks-last" }), svg("g", { class: "marks" }));
  board.over.append(svg("g", { class: "marks-thoughts" }));
  play.input = new BoardInput(board, viewport, {
    act: (gesture) => play.act(gesture),
    choose: (choices, cancel) => {
      fill(
        play.parts.choices,
        choiceList(choices, board.reference, (gesture) => play.input?.perform(gesture), cancel),
      );
      play.parts.choices.querySelector("button")?.focus();
    },
    unchoose: () => {
      const hadFocus = play.parts.choices.contains(document.activeElement);
      fill(play.parts.choices);
      if (hadFocus) board.svg.focus({ preventScroll: true });
    },
    explain: (reason) => void (play.state?.gestures.length && !play.preview && notice(say(reason))),
  });
  play.parts.place.append(board.element, viewport.controls);
}

/**
 * @param {Play} play
 * @param {string} name
 * @param {string} label
 */
function tabButton(play, name, label) {
  return button(label, () => play.openTab(name), {
    role: "tab",
    id: `tab-${name}`,
    "aria-controls": `page-${name}`,
    "data-tab": name,
  });
}

/** @param {string} name @param {string} className */
function tabPage(name, className) {
  const props = { id: `page-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, tabindex: 0 };
  return h("div", { class: `tab-page ${className}`, ...props });
}

/**
 * Arrows go from tab to tab, as everywhere; only the open one is in the way of Tab.
 * @param {Play} play
 * @param {KeyboardEvent} event
 */
function turnTab(play, event) {
  const tabs = [...play.app.host.querySelectorAll("[role=tab]")];
  const here = tabs.indexOf(/** @type {Element} */ (event.target));
  const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (to === undefined || here < 0) return;
  event.preventDefault();
  const tab = /** @type {HTMLElement} */ (tabs.at(to % tabs.length));
  play.openTab(tab.dataset.tab ?? "");
  tab.focus();
}

/** @param {Play} play */
function thoughtsSwitch(play) {
  const box = h("input", {
    type: "checkbox",
    class: "switch",
    checked: play.areThoughtsShown,
    onchange: () => {
      play.areThoughtsShown = box.checked;
      localStorage.setItem(SHELF, play.areThoughtsShown ? "yes" : "no");
      play.drawMarks();
    },
  });
  return h("label", { class: "thoughts-switch" }, box, h("span", null, t("thoughtsShow")));
}

/** Whether people wanted to see what is thought when they last said so. */
export function wereThoughtsShown() {
  return localStorage.getItem(SHELF) !== "no";
}

/**
 * Remember which layers of a game are turned off.
 * @param {string} game
 * @param {Set<string>} off
 */
export function saveHiddenLayers(game, off) {
  localStorage.setItem(`${OFF}.${game}`, JSON.stringify([...off]));
}
