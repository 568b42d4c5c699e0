/** The words of the pages about trainings, apart from the others: nobody needs them who plays. */

import { currentLanguage } from "../words.js";

const EN = {
  about: "A network learns a game by playing against itself. The curves grow while it does.",
  against: "Against {name}",
  damaged: "What is known of these trainings is damaged: {list}",
  entropy: "entropy",
  finished: "finished",
  firstNet: "the first net",
  game: "Game",
  games: "{n} games",
  interrupted: "interrupted",
  iterations: "{n} iterations",
  loss: "loss",
  minute: "minutes",
  minutes: "{n} of {all} minutes",
  minutesSoFar: "{n} minutes",
  net: "Net",
  none: "No training lies beside the store. In a terminal, “spielbaum train” begins one.",
  policy: "What the policy has still to learn",
  running: "running",
  score: "Score of the net alone, without search",
  scoreNow: "Last measured: {score} (95 % interval {low} … {high}) against {name}.",
  seed: "Seed",
  simulations: "Simulations",
  size: "Layers",
  unmeasured: "The first iteration is played.",
  value: "What the value has still to learn",
};

/** @type {typeof EN} */
const DE = {
  about: "Ein Netz lernt ein Spiel, indem es gegen sich selbst spielt. Die Kurven wachsen dabei.",
  against: "Gegen {name}",
  damaged: "Was von diesen Trainings bekannt ist, ist beschädigt: {list}",
  entropy: "Entropie",
  finished: "fertig",
  firstNet: "das erste Netz",
  game: "Spiel",
  games: "{n} Partien",
  interrupted: "unterbrochen",
  iterations: "{n} Runden",
  loss: "Verlust",
  minute: "Minuten",
  minutes: "{n} von {all} Minuten",
  minutesSoFar: "{n} Minuten",
  net: "Netz",
  none: "Neben dem Speicher liegt kein Training. Im Terminal beginnt „spielbaum train“ eines.",
  policy: "Was die Zugwahl noch zu lernen hat",
  running: "läuft",
  score: "Ergebnis des Netzes allein, ohne Suche",
  scoreNow: "Zuletzt gemessen: {score} (95-%-Intervall {low} … {high}) gegen {name}.",
  seed: "Startwert",
  simulations: "Simulationen",
  size: "Schichten",
  unmeasured: "Die erste Runde wird gespielt.",
  value: "Was die Bewertung noch zu lernen hat",
};

/**
 * @param {keyof typeof EN} key
 * @param {Record<string, string | number>} [values]
 */
export function w(key, values = {}) {
  return { en: EN, de: DE }[currentLanguage()][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
