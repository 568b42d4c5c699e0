/** Zoom and pan: wheel, pinch and buttons change the part of the board that is shown. */

/** @import {Board} from "./board.js" */
import { button, h } from "../dom.js";
import { t } from "../words.js";

const CLOSEST = 8;
const STEP = 1.4;

export class Viewport {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    board.refit = () => this.apply();
    this.zoom = 1;
    this.x = board.box[0] + board.box[2] / 2;
    this.y = board.box[1] + board.box[3] / 2;
    board.svg.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    this.controls = h(
      "div",
      { class: "viewport-controls", role: "group", "aria-label": t("zoom") },
      button("", () => this.by(STEP), { icon: "plus", "aria-label": t("zoomIn") }),
      button("", () => this.by(1 / STEP), { icon: "minus", "aria-label": t("zoomOut") }),
      button("", () => this.reset(), { icon: "fit", "aria-label": t("zoomFit") }),
    );
    this.apply();
  }

  /** @param {WheelEvent} event */
  turn(event) {
    const pageScrolls = document.documentElement.scrollHeight > innerHeight + 1;
    if (!event.ctrlKey && pageScrolls) return;
    event.preventDefault();
    this.by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), this.board.pointAt(event));
  }

  /**
   * Zoom so that a point of the board stays where it is.
   * @param {number} factor
   * @param {{x: number, y: number}} [about]
   */
  by(factor, about = this) {
    const before = this.zoom;
    this.zoom = Math.min(CLOSEST, Math.max(1, this.zoom * factor));
    const kept = before / this.zoom;
    this.x = about.x + (this.x - about.x) * kept;
    this.y = about.y + (this.y - about.y) * kept;
    this.apply();
  }

  /** Move by some pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.x -= dx / this.board.scale;
    this.y -= dy / this.board.scale;
    this.apply();
  }

  reset() {
    this.zoom = 1;
    this.apply();
  }

  apply() {
    const [left, top, fullWidth, fullHeight] = this.board.box;
    const [width, height] = [fullWidth / this.zoom, fullHeight / this.zoom];
    this.x = Math.min(left + fullWidth - width / 2, Math.max(left + width / 2, this.x));
    this.y = Math.min(top + fullHeight - height / 2, Math.max(top + height / 2, this.y));
    this.board.svg.setAttribute("viewBox", [this.x - width / 2, this.y - height / 2, width, height].join(" "));
    this.board.element.classList.toggle("zoomed", this.zoom > 1);
  }
}
