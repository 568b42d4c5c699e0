/** The rounds of a game on the Stage: what each has changed, so that one can go through them in both directions. */

/** @import * as T from "../types.js" */

/** @typedef {T.Shot & {undo: number[]}} Round  with what was in the cells before */

export class History {
  /** @param {number} size  how many cells there are */
  constructor(size) {
    /** @type {Round[]} */
    this.rounds = [];
    this.newest = new Int8Array(size);
    this.cells = new Int8Array(size);
    this.at = -1;
  }

  get last() {
    return this.rounds.length - 1;
  }

  get shown() {
    return this.rounds[this.at];
  }

  /** @param {T.Shot[]} shots */
  add(shots) {
    for (const shot of shots) {
      const undo = shot.cells.map((value, i) => (i % 2 ? this.newest[shot.cells[i - 1]] : value));
      put(this.newest, shot.cells);
      this.rounds.push({ ...shot, undo });
    }
  }

  /** @param {number} index */
  goTo(index) {
    const to = Math.max(0, Math.min(this.last, index));
    while (this.at < to) put(this.cells, this.rounds[++this.at].cells);
    while (this.at > to) put(this.cells, this.rounds[this.at--].undo);
  }

  /** The round in which a player went out, as far as the shown one; null for who is active. @param {number} player */
  outIn(player) {
    if (this.shown.players[player][4]) return null;
    const found = this.rounds.findIndex((round) => !round.players[player][4]);
    return this.rounds[found].round;
  }

  /** By the rounds in which players went out; who did so in the same one share a place. @param {number} player */
  place(player) {
    const ends = this.shown.players.map((_, other) => this.outIn(other) ?? Infinity);
    return 1 + ends.filter((end) => end > ends[player]).length;
  }
}

/** @param {Int8Array} cells @param {number[]} changes */
function put(cells, changes) {
  for (let i = 0; i < changes.length; i += 2) cells[changes[i]] = changes[i + 1];
}
