/**
 * The board of the Stage. Cells are a canvas with one pixel each, which the browser enlarges; heads, jumps and plans
 * lie on another one above it. Both are painted when something has changed and not before, at most once a frame.
 */

/** @import * as T from "../types.js" */
/** @import {Round} from "./history.js" */
import { components } from "../board/bitmap.js";
import { h } from "../dom.js";

const PLAYERS = 6;
const CRASHED = PLAYERS + 1;
const SMALL = 28; // cells of a side; on larger boards heads are larger than a cell
const SHARPEST = 2400; // pixels of a side
const ARROW = [[0, -0.62], [0.5, -0.18], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.18]]; // prettier-ignore
const QUARTER = Math.PI / 2;

/**
 * What is shown.
 * @typedef {object} Sight
 * @property {Int8Array} cells
 * @property {Round} round
 * @property {Round | undefined} before
 * @property {T.Plan[]} plans
 * @property {number} planner  whose plans they are
 * @property {number} selected
 */

export class Painter {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.head = Math.max(1, Math.max(width, height) / SMALL);
    this.board = h("canvas", { class: "stage-cells", width, height, "aria-hidden": "true" });
    this.over = h("canvas", { class: "stage-over", role: "img" });
    this.element = h("div", { class: "stage-board" }, this.board, this.over);
    const [across, along] = [width + 2 * this.head, height + 2 * this.head];
    const style = { "--ratio": across / along, "--left": this.head / across, "--top": this.head / along };
    for (const [name, value] of Object.entries(style)) this.element.style.setProperty(name, String(value));
    this.pixels = new ImageData(width, height);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
    /** @type {Sight | null} */
    this.sight = null;
    this.frame = 0;
    /** @type {Round | null} whose cells are on the canvas */
    this.painted = null;
    this.tints = readTints();
  }

  /** After another theme. */
  recolour() {
    this.tints = readTints();
    this.painted = null;
    this.paintSoon();
  }

  resize() {
    const { clientWidth, clientHeight } = this.over;
    const scale = Math.min(devicePixelRatio, SHARPEST / Math.max(clientWidth, clientHeight, 1));
    this.over.width = Math.round(clientWidth * scale);
    this.over.height = Math.round(clientHeight * scale);
    this.paintSoon();
  }

  /** @param {Sight} sight */
  show(sight) {
    this.sight = sight;
    this.paintSoon();
  }

  paintSoon() {
    this.frame ||= requestAnimationFrame(() => this.paint());
  }

  paint() {
    this.frame = 0;
    if (!this.sight || !this.over.width) return;
    if (this.painted !== this.sight.round) this.paintCells(this.sight.cells);
    this.painted = this.sight.round;
    const context = /** @type {CanvasRenderingContext2D} */ (this.over.getContext("2d"));
    const unit = this.over.width / (this.width + 2 * this.head);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.over.width, this.over.height);
    const middle = (this.head + 0.5) * unit; // of the first cell
    context.setTransform(unit, 0, 0, unit, middle, middle);
    this.paintJumps(context, this.sight.round.jumped);
    this.paintPlans(context, this.sight);
    this.sight.round.players.forEach((player, i) => this.paintHead(context, player, i));
  }

  /** @param {Int8Array} cells */
  paintCells(cells) {
    const { data } = this.pixels;
    const { cells: tints } = this.tints;
    for (let i = 0; i < cells.length; i++) {
      const [red, green, blue] = tints[cells[i]] ?? tints[CRASHED];
      data[4 * i] = red;
      data[4 * i + 1] = green;
      data[4 * i + 2] = blue;
      data[4 * i + 3] = 255;
    }
    this.board.getContext("2d")?.putImageData(this.pixels, 0, 0);
  }

  /** @param {CanvasRenderingContext2D} context @param {number[]} jumped */
  paintJumps(context, jumped) {
    context.lineWidth = 0.14;
    context.strokeStyle = this.tints.ink;
    context.beginPath();
    for (const cell of jumped) {
      const [x, y] = [cell % this.width, Math.floor(cell / this.width)];
      context.moveTo(x + 0.3, y);
      context.arc(x, y, 0.3, 0, 4 * QUARTER);
    }
    context.stroke();
  }

  /**
   * The likeliest lie above the others; a rim tells them from lines that were drawn.
   * @param {CanvasRenderingContext2D} context
   * @param {Sight} sight
   */
  paintPlans(context, { plans, planner }) {
    context.lineCap = context.lineJoin = "round";
    for (const [player, share, ...points] of [...plans].reverse()) {
      const way = new Path2D();
      for (let i = 0; i < points.length; i += 2) way.lineTo(points[i], points[i + 1]);
      context.globalAlpha = 0.4 + 0.6 * share;
      context.strokeStyle = this.tints.paper;
      context.lineWidth = 0.3 + 0.7 * share;
      context.stroke(way);
      context.strokeStyle = player === planner ? this.tints.own : this.tints.others;
      context.lineWidth = 0.14 + 0.6 * share;
      context.stroke(way);
    }
    context.globalAlpha = 1;
  }

  /**
   * An arrow with a number, or a cross for who is out, within a ring in the round in which that happened.
   * @param {CanvasRenderingContext2D} context
   * @param {T.StagePlayer} player
   * @param {number} i
   */
  paintHead(context, [x, y, direction, , active], i) {
    context.save();
    context.translate(x, y);
    context.scale(this.head, this.head);
    context.fillStyle = this.tints.players[i];
    context.strokeStyle = this.tints.ink;
    context.lineWidth = 0.08;
    if (!active && this.sight?.before?.players[i][4]) ring(context, this.tints.others);
    else if (i === this.sight?.selected) ring(context, this.tints.ink);
    context.beginPath();
    if (active) {
      context.rotate(-direction * QUARTER);
      for (const [across, along] of ARROW) context.lineTo(across, along);
      context.closePath();
      context.rotate(direction * QUARTER);
    } else context.arc(0, 0, 0.45, 0, 4 * QUARTER);
    context.fill();
    context.stroke();
    context.fillStyle = context.strokeStyle = this.tints.paper;
    if (active) number(context, i + 1, this.tints.font);
    else cross(context);
    context.restore();
  }

  /** @param {string} text */
  describe(text) {
    this.over.setAttribute("aria-label", text);
  }

  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

/** The present colours: of cells in bytes, as that is how they are painted. */
function readTints() {
  const canvas = h("canvas", null);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const players = Array.from({ length: PLAYERS }, (_, i) => `player-${i + 1}`);
  return {
    cells: ["field", ...players, "ink"].map((role) => components(role, context)),
    players: players.map((role) => colour(`--r-${role}`)),
    own: colour("--r-good"),
    others: colour("--r-bad"),
    ink: colour("--r-ink"),
    paper: colour("--r-paper"),
    font: colour("--sans"),
  };
}

/** @param {CanvasRenderingContext2D} context @param {string} colour */
function ring(context, colour) {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = 0.12;
  context.beginPath();
  context.arc(0, 0, 0.9, 0, 4 * QUARTER);
  context.stroke();
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {number} n @param {string} font */
function number(context, n, font) {
  context.font = `bold 0.7px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(n), 0, 0.04);
}

/** @param {CanvasRenderingContext2D} context */
function cross(context) {
  context.lineWidth = 0.14;
  context.beginPath();
  context.moveTo(-0.2, -0.2);
  context.lineTo(0.2, 0.2);
  context.moveTo(-0.2, 0.2);
  context.lineTo(0.2, -0.2);
  context.stroke();
}
