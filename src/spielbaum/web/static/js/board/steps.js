/** Gestures as a tree of steps: what has been touched so far, and what may be touched next. No drawing here. */

/** @import * as T from "../types.js" */

/**
 * The gestures that begin with these steps.
 * @param {T.Gesture[]} gestures
 * @param {string[]} done
 */
export function continuing(gestures, done) {
  return gestures.filter(
    (gesture) => gesture.steps.length >= done.length && done.every((step, i) => gesture.steps[i] === step),
  );
}

/**
 * What may be touched next.
 * @param {T.Gesture[]} gestures
 * @param {string[]} done
 * @returns {Set<string>}
 */
export function nextSteps(gestures, done) {
  const longer = continuing(gestures, done).filter((gesture) => gesture.steps.length > done.length);
  return new Set(longer.map((gesture) => gesture.steps[done.length]));
}

/**
 * The gestures that are complete with these steps, and whether others go on from here.
 * @param {T.Gesture[]} gestures
 * @param {string[]} done
 */
export function finished(gestures, done) {
  const all = continuing(gestures, done);
  const complete = all.filter((gesture) => gesture.steps.length === done.length);
  return { complete, goesOn: complete.length < all.length };
}

/**
 * What a touch on a shape leads to: further, a new beginning, or nothing.
 * @param {T.Gesture[]} gestures
 * @param {string[]} done
 * @param {string | null} step
 * @returns {string[]}
 */
export function after(gestures, done, step) {
  if (step === null) return [];
  if (nextSteps(gestures, done).has(step)) return [...done, step];
  if (done.length === 1 && done[0] === step) return []; // a second touch lets go
  return nextSteps(gestures, []).has(step) ? [step] : [];
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
