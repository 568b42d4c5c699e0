/** Gestures as a tree of steps: what has been touched so far, and what may be touched next. No drawing here. */

/** @import * as T from "../types.js" */

/**
 * What the steps done so far allow, found in one pass over all legal moves.
 * @typedef {object} Options
 * @property {Set<string>} next  what may be touched next
 * @property {T.Gesture[]} complete  the moves that are made with these steps
 */

/**
 * @param {T.Gesture[]} gestures
 * @param {string[]} done
 * @returns {Options}
 */
export function optionsAfter(gestures, done) {
  const next = /** @type {Set<string>} */ (new Set());
  const complete = /** @type {T.Gesture[]} */ ([]);
  for (const gesture of gestures) {
    const { steps } = gesture;
    if (steps.length < done.length || done.some((step, i) => steps[i] !== step)) continue;
    if (steps.length === done.length) complete.push(gesture);
    else next.add(steps[done.length]);
  }
  return { next, complete };
}

/**
 * What a touch on a shape leads to: further, a new beginning, or nothing.
 * @param {string[]} done
 * @param {Set<string>} next  what may be touched after these steps
 * @param {Set<string>} starts  what a move may begin with
 * @param {string | null} step
 * @returns {string[]}
 */
export function after(done, next, starts, step) {
  if (step === null) return [];
  if (next.has(step)) return [...done, step];
  if (done.length === 1 && done[0] === step) return []; // a second touch lets go
  return starts.has(step) ? [step] : [];
}

/**
 * Whether something can be dragged away from a shape.
 * @param {T.Gesture[]} gestures
 * @param {string} step
 */
export function canDrag(gestures, step) {
  return gestures.some((gesture) => gesture.steps[0] === step && gesture.steps.length > 1);
}

/**
 * The one of several places that lies nearest in a direction, for arrow keys.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number, step: string}[]} places
 * @param {string} key  of a keyboard event
 */
export function nearest(from, places, key) {
  const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key] ?? [0, 0];
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    const cost = along + 2.5 * aside;
    if (along > 1e-6 && cost < least) [best, least] = [place.step, cost];
  }
  return best;
}
