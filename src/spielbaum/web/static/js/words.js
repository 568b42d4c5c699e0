/** The page's own words in German and English. A key that one language lacks passes neither type check nor tests. */

/** @import * as T from "./types.js" */

const EN = {
  abandoned: "This game is no longer there.",
  advanced: "More settings",
  against: "against {who}",
  againstComputer: "Against the computer",
  analyse: "Analyse",
  analysis: "Analysis",
  analysisAbout:
    "Paste the moves of a game or a stored record, step through it, and let any agent think about any position.",
  analysisGame: "Game",
  analysisOpen: "Open",
  analysisPaste: "Moves or record",
  analysisPasteHint: "moves separated by spaces, a position as text, or a record as JSON; empty for the first position",
  atOnce: "The others choose at the same time.",
  automatic: "automatic",
  backToGame: "Back to the game",
  backToStart: "All games",
  begin: "Begin",
  beginOwn: "Begin a game of your own",
  board: "Board",
  boardHelp: "Arrow keys go from place to place, Enter chooses, Escape lets go.",
  brokenGame: "This game can’t be shown.",
  brokenLog: "The server’s log tells more.",
  brokenScene: "The board can’t be drawn, so the game goes on as text. {reason}",
  cancel: "Cancel",
  cell: "column {column}, row {row}",
  chance: "with luck",
  choose: "Choose your move: {name}",
  chooseMove: "Which move?",
  chosenIs: "{name}: {move} (chosen)",
  clock: "Clock",
  clockNone: "without a clock",
  clockMinutes: "{minutes} minutes each",
  close: "Close",
  computer: "Computer",
  computerPlays: "Computer against computer",
  computerWon: "The computer has won.",
  connectionLost: "No connection. Trying again …",
  continueGame: "Continue",
  continueHere: "Play on from here",
  copied: "Copied",
  copyRecord: "Copy record",
  cutOff: "Simulations cut off",
  depth: "Depth",
  difficulty: "How strong?",
  drawn: "Draw",
  elsewhereAnalysis: "An analysis in another browser or on another device.",
  elsewhereGame: "A game that is being played in another browser or on another device.",
  elsewhereKey: "The link alone does not open it: only where it was begun can it be seen and played on.",
  elsewhereOver: "A game that was played in another browser or on another device. It is over.",
  end: "End",
  filterMoves: "Find a move",
  fileTrouble: "Agents of your own are missing: {reason}",
  first: "First position",
  fullGame: "Moves: {n}",
  giveUp: "Give up",
  giveUpGone: "Give up this game? It will be gone.",
  giveUpSure: "Really give up?",
  gamesOfRun: "Games: {n}",
  gone: "The game has ended on the server.",
  hidden: "with secrets",
  hiddenMove: "hidden",
  hint: "Hint",
  hintIs: "Hint: {move}",
  hintSearched: "Looking for a hint …",
  human: "Person",
  isGone: "gone: {piece}",
  kernelsAgain: "{what}: compiling, about {n} s, {last} s last time",
  kernelsAlone: "{what}: compiling after a failure, about {n} s",
  kernelsFirst: "{what}: first compilation, about {n} s as elsewhere",
  kernelsHint: "Getting the hint ready",
  kernelsLate: "{what}: compiling, longer than the {n} s expected",
  kernelsLoad: "{what}: loading, about {n} s",
  kernelsOpponent: "Getting the opponent ready",
  kernelsThink: "Getting the analysis ready",
  kernelsWait: "{what}: something else comes first",
  language: "Deutsch",
  last: "Last position",
  leave: "Leave",
  line: "Expected moves",
  lineAbout: "Touch a move to see it on the board.",
  loading: "One moment …",
  looking: "Looking ahead: move {n} of {all}",
  lookingRoot: "In the tree: starting position",
  lookingTree: "Looking ahead: move {n} in the tree",
  losing: "lost in {n}",
  minimumMaximum: "{low} to {high}",
  mode: "Who plays?",
  more: "More",
  moreChoices: "More choices",
  move: "Move",
  moreMoves: "and {n} more; type to find one",
  moveList: "Moves",
  passReady: "I am there",
  passTo: "Hand over to: {name}",
  scoreCurve: "Points over the game",
  movedTo: "{piece} from {from} to {to}",
  moveNow: "Move now",
  moveNumber: "move {n}",
  newGame: "New game",
  next: "Next",
  no: "no",
  nodes: "Positions",
  notFound: "There is nothing at this address.",
  offline: "The server does not answer.",
  onTime: "Out of time: {name}.",
  opponents: "Who plays, in detail",
  options: "Rules and board",
  pace0: "at once",
  pace1: "fast",
  pace2: "normal",
  pace3: "slow",
  pause: "Pause",
  paused: "Paused",
  person: "Person",
  players: "{n} players",
  playersRange: "{low} to {high} players",
  playAgain: "Play again",
  playNow: "Play",
  playSide: "You play",
  preparing: "Getting ready",
  preset: "Kind of game",
  previous: "Previous",
  proven: "certain",
  queue: "Waiting for a free place: number {n}",
  records: "Games played here",
  recordsNone: "No finished games yet.",
  repeat: "Begin again by itself",
  resigned: "Given up: {name}.",
  restart: "Restart",
  restartSure: "Begin anew? The game so far will be lost.",
  resume: "Go on",
  rounds: "all at once",
  row: "row {row}",
  rules: "Rules",
  rulesNone: "This game has no written rules.",
  runs: "Stored runs",
  seats: "Players",
  seconds: "Seconds",
  selfPlay: "The computer plays against itself",
  setupAlone: "Not everything could be prepared: a first move may take longer.",
  setupPrepares: "The computer is getting ready: about {n} s",
  setupWaits: "The computer gets ready for another game first.",
  share: "Share",
  speed: "Speed",
  stage: "Stage",
  stageAbout: "Games of spe_ed to look at, while they are played or afterwards.",
  stageActive: "On the board: {names}",
  stageAt: "round {n}",
  stageByOther: "steered by somebody else",
  stageByYou: "steered by you",
  stageClock: "{n} s to answer",
  stageFaster: "faster",
  stageKeys: "Space takes over or lets go, arrow keys steer; otherwise they go through the rounds.",
  stageLeave: "Let go",
  stageLeft: "left",
  stageLive: "live",
  stageNone: "There is nothing to see at the moment.",
  stageOf: "Round {n} of {all}",
  stageOthers: "expected of others",
  stageOut: "Out: {names}",
  stageOutIn: "out in round {n}",
  stageOver: "over",
  stageOwn: "own plans",
  stagePlace: "place {n}",
  stagePlay: "Play",
  stagePlayer: "Player {n}",
  stageRight: "right",
  stageRounds: "Round",
  stageSlower: "slower",
  stageSpeed: "speed {n}",
  stageSteer: "Steer",
  stageStraight: "straight on",
  stageTake: "Take over",
  standsOn: "{piece} on {place}",
  start: "Start",
  step: "Position {ply} of {plies}",
  stillThere: "Still there?",
  stillThereTouch: "Touch to go on",
  stop: "Enough",
  takes: "takes {piece}",
  tagline: "Games, and a machine that shows you what it is thinking.",
  think: "Think",
  thinkWith: "Agent",
  thinking: "The computer is thinking",
  thinkingSeat: "{name}: thinking",
  thoughts: "Thoughts",
  thoughtsNone: "As soon as the computer thinks, its thoughts appear here.",
  thoughtsOf: "Thoughts: {name}",
  thoughtsShow: "Show its thoughts on the board",
  toMove: "To move: {name}",
  tree: "Search tree",
  treeAbout: "Wide paths were looked at most. Touch a node to follow it.",
  treeNone: "There is no tree to show yet.",
  treeOpen: "Walk through the tree",
  treeRoot: "Root",
  tryAgain: "Try again",
  twoPeople: "Two people",
  severalPeople: "People at one screen",
  undo: "Undo",
  unfinished: "Your unfinished games",
  unfinishedMore: "{n} more",
  victory: "Victory: {name}",
  visits: "Visits",
  waitingFor: "Waiting for: {names}",
  walkAbout: "Touch a move to see what the computer expects after it.",
  walkEnd: "The computer looked no further here.",
  winning: "won in {n}",
  yes: "yes",
  youLost: "You have lost.",
  youWon: "You have won!",
  yourTurnAs: "Your turn: {name}",
  zoom: "Zoom",
  zoomFit: "Whole board",
  zoomIn: "Closer",
  zoomOut: "Further away",
};

/** @type {Record<keyof typeof EN, string>} */
const DE = {
  abandoned: "Dieses Spiel gibt es nicht mehr.",
  advanced: "Weitere Einstellungen",
  against: "gegen {who}",
  againstComputer: "Gegen den Computer",
  analyse: "Analysieren",
  analysis: "Analyse",
  analysisAbout:
    "Züge einer Partie oder eine Aufzeichnung einfügen, Schritt für Schritt ansehen und über jede Stellung nachdenken lassen.",
  analysisGame: "Spiel",
  analysisOpen: "Öffnen",
  analysisPaste: "Züge oder Aufzeichnung",
  analysisPasteHint: "Züge mit Leerzeichen getrennt, eine Stellung als Text oder eine Aufzeichnung als JSON; leer für die erste Stellung",
  atOnce: "Die anderen wählen gleichzeitig.",
  automatic: "automatisch",
  backToGame: "Zurück zum Spiel",
  backToStart: "Alle Spiele",
  begin: "Anfangen",
  beginOwn: "Ein eigenes Spiel anfangen",
  board: "Spielbrett",
  boardHelp: "Pfeiltasten gehen von Feld zu Feld, Enter wählt, Escape lässt los.",
  brokenGame: "Dieses Spiel lässt sich nicht zeigen.",
  brokenLog: "Mehr steht im Protokoll des Servers.",
  brokenScene: "Das Brett lässt sich nicht zeichnen, das Spiel geht als Text weiter. {reason}",
  cancel: "Abbrechen",
  cell: "Spalte {column}, Reihe {row}",
  chance: "mit Glück",
  choose: "Wähle deinen Zug: {name}",
  chooseMove: "Welcher Zug?",
  chosenIs: "{name}: {move} (gewählt)",
  clock: "Uhr",
  clockNone: "ohne Uhr",
  clockMinutes: "je {minutes} Minuten",
  close: "Schließen",
  computer: "Computer",
  computerPlays: "Computer gegen Computer",
  computerWon: "Der Computer hat gewonnen.",
  connectionLost: "Keine Verbindung. Neuer Versuch …",
  continueGame: "Fortsetzen",
  continueHere: "Von hier weiterspielen",
  copied: "Kopiert",
  copyRecord: "Aufzeichnung kopieren",
  cutOff: "Abgebrochene Simulationen",
  depth: "Tiefe",
  difficulty: "Wie stark?",
  drawn: "Unentschieden",
  elsewhereAnalysis: "Eine Analyse in einem anderen Browser oder auf einem anderen Gerät.",
  elsewhereGame: "Ein Spiel, das gerade in einem anderen Browser oder auf einem anderen Gerät gespielt wird.",
  elsewhereKey: "Der Link allein öffnet es nicht: Nur dort, wo es begonnen wurde, kann man es sehen und weiterspielen.",
  elsewhereOver: "Ein Spiel, das in einem anderen Browser oder auf einem anderen Gerät gespielt wurde. Es ist vorbei.",
  end: "Ende",
  filterMoves: "Zug suchen",
  fileTrouble: "Eigene Agenten fehlen: {reason}",
  first: "Erste Stellung",
  fullGame: "Züge: {n}",
  giveUp: "Aufgeben",
  giveUpGone: "Dieses Spiel aufgeben? Es ist dann verloren.",
  giveUpSure: "Wirklich aufgeben?",
  gamesOfRun: "Partien: {n}",
  gone: "Das Spiel ist auf dem Server zu Ende gegangen.",
  hidden: "mit Geheimnissen",
  hiddenMove: "verdeckt",
  hint: "Tipp",
  hintIs: "Tipp: {move}",
  hintSearched: "Ein Tipp wird gesucht …",
  human: "Mensch",
  isGone: "weg: {piece}",
  kernelsAgain: "{what}: Kompilieren, etwa {n} s, zuletzt {last} s",
  kernelsAlone: "{what}: Kompilieren nach Fehlschlag, etwa {n} s",
  kernelsFirst: "{what}: erstes Kompilieren, etwa {n} s wie anderswo",
  kernelsHint: "Vorbereitung des Tipps",
  kernelsLate: "{what}: Kompilieren, länger als die erwarteten {n} s",
  kernelsLoad: "{what}: Laden, etwa {n} s",
  kernelsOpponent: "Vorbereitung des Gegners",
  kernelsThink: "Vorbereitung der Analyse",
  kernelsWait: "{what}: erst ist etwas anderes dran",
  language: "English",
  last: "Letzte Stellung",
  leave: "Verlassen",
  line: "Erwartete Zugfolge",
  lineAbout: "Einen Zug berühren, um ihn auf dem Brett zu sehen.",
  loading: "Einen Augenblick …",
  looking: "Blick voraus: Zug {n} von {all}",
  lookingRoot: "Im Suchbaum: Ausgangsstellung",
  lookingTree: "Blick voraus: Zug {n} im Suchbaum",
  losing: "verloren in {n}",
  minimumMaximum: "{low} bis {high}",
  mode: "Wer spielt?",
  more: "Mehr",
  moreChoices: "Mehr Auswahl",
  move: "Zug",
  moreMoves: "und {n} weitere; tippen, um einen zu finden",
  moveList: "Züge",
  passReady: "Ich bin da",
  passTo: "Gib weiter an: {name}",
  scoreCurve: "Punkte im Verlauf",
  movedTo: "{piece} von {from} nach {to}",
  moveNow: "Jetzt ziehen",
  moveNumber: "Zug {n}",
  newGame: "Neues Spiel",
  next: "Weiter",
  no: "nein",
  nodes: "Stellungen",
  notFound: "Unter dieser Adresse gibt es nichts.",
  offline: "Der Server antwortet nicht.",
  onTime: "Zeit abgelaufen: {name}.",
  opponents: "Wer spielt, im Einzelnen",
  options: "Regeln und Brett",
  pace0: "sofort",
  pace1: "schnell",
  pace2: "normal",
  pace3: "langsam",
  pause: "Pause",
  paused: "Angehalten",
  person: "Mensch",
  players: "{n} Spieler",
  playersRange: "{low} bis {high} Spieler",
  playAgain: "Noch einmal",
  playNow: "Spielen",
  playSide: "Du spielst",
  preparing: "Macht sich bereit",
  preset: "Spielart",
  previous: "Zurück",
  proven: "sicher",
  queue: "Wartet auf einen freien Platz: Nummer {n}",
  records: "Hier gespielte Partien",
  recordsNone: "Noch keine beendeten Partien.",
  repeat: "Von selbst neu beginnen",
  resigned: "Aufgegeben: {name}.",
  restart: "Neustart",
  restartSure: "Neu anfangen? Das bisherige Spiel geht verloren.",
  resume: "Weiter",
  rounds: "alle gleichzeitig",
  row: "Reihe {row}",
  rules: "Regeln",
  rulesNone: "Zu diesem Spiel gibt es keine aufgeschriebenen Regeln.",
  runs: "Gespeicherte Läufe",
  seats: "Spieler",
  seconds: "Sekunden",
  selfPlay: "Der Computer spielt gegen sich selbst",
  setupAlone: "Nicht alles konnte vorbereitet werden: Ein erster Zug kann länger dauern.",
  setupPrepares: "Der Computer macht sich bereit: etwa {n} s",
  setupWaits: "Der Computer macht sich erst für ein anderes Spiel bereit.",
  share: "Anteil",
  speed: "Tempo",
  stage: "Bühne",
  stageAbout: "Spiele von spe_ed zum Zuschauen, während sie gespielt werden oder danach.",
  stageActive: "Auf dem Brett: {names}",
  stageAt: "Runde {n}",
  stageByOther: "jemand anderes steuert",
  stageByYou: "du steuerst",
  stageClock: "{n} s für die Antwort",
  stageFaster: "schneller",
  stageKeys: "Leertaste übernimmt oder gibt ab, Pfeiltasten steuern; sonst gehen sie durch die Runden.",
  stageLeave: "Abgeben",
  stageLeft: "links",
  stageLive: "live",
  stageNone: "Zurzeit gibt es nichts zu sehen.",
  stageOf: "Runde {n} von {all}",
  stageOthers: "von anderen erwartet",
  stageOut: "Ausgeschieden: {names}",
  stageOutIn: "raus in Runde {n}",
  stageOver: "vorbei",
  stageOwn: "eigene Pläne",
  stagePlace: "Platz {n}",
  stagePlay: "Abspielen",
  stagePlayer: "Spieler {n}",
  stageRight: "rechts",
  stageRounds: "Runde",
  stageSlower: "langsamer",
  stageSpeed: "Tempo {n}",
  stageSteer: "Steuern",
  stageStraight: "geradeaus",
  stageTake: "Übernehmen",
  standsOn: "{piece} auf {place}",
  start: "Start",
  step: "Stellung {ply} von {plies}",
  stillThere: "Noch da?",
  stillThereTouch: "Berühren, um weiterzuspielen",
  stop: "Genug",
  takes: "schlägt: {piece}",
  tagline: "Spiele, und eine Maschine, die zeigt, was sie denkt.",
  think: "Nachdenken",
  thinkWith: "KI",
  thinking: "Der Computer denkt nach",
  thinkingSeat: "{name}: denkt nach",
  thoughts: "Gedanken",
  thoughtsNone: "Sobald der Computer nachdenkt, erscheinen hier seine Gedanken.",
  thoughtsOf: "Gedanken: {name}",
  thoughtsShow: "Gedanken auf dem Brett zeigen",
  toMove: "Am Zug: {name}",
  tree: "Suchbaum",
  treeAbout: "Breite Wege wurden am meisten angesehen. Einen Knoten berühren, um ihm zu folgen.",
  treeNone: "Es gibt noch keinen Baum.",
  treeOpen: "Durch den Baum gehen",
  treeRoot: "Wurzel",
  tryAgain: "Noch einmal versuchen",
  twoPeople: "Zwei Menschen",
  severalPeople: "Menschen an einem Bildschirm",
  undo: "Rückgängig",
  unfinished: "Deine angefangenen Spiele",
  unfinishedMore: "{n} weitere",
  victory: "Sieg: {name}",
  visits: "Besuche",
  waitingFor: "Warten auf: {names}",
  walkAbout: "Einen Zug berühren, um zu sehen, was der Computer danach erwartet.",
  walkEnd: "Weiter hat der Computer hier nicht geschaut.",
  winning: "gewonnen in {n}",
  yes: "ja",
  youLost: "Du hast verloren.",
  youWon: "Du hast gewonnen!",
  yourTurnAs: "Du bist am Zug: {name}",
  zoom: "Vergrößern",
  zoomFit: "Ganzes Brett",
  zoomIn: "Näher",
  zoomOut: "Weiter weg",
};

const WORDS = { en: EN, de: DE };
/** @type {Record<T.Language, Record<string, string>>} what a role means where it stands for no seat */
const ROLES = {
  en: { frame: "edge" },
  de: {
    frame: "Rand",
    stone: "Stein",
    shell: "Muschel",
    water: "Wasser",
    land: "Land",
    forest: "Wald",
    mountain: "Berg",
    sand: "Sand",
    road: "Straße",
    rail: "Gleis",
    neutral: "neutral",
  },
};
const SHELF = "spielbaum.language";
const WIN = 1_000_000;

/** @type {T.Language} */
let language = "en";

/** @returns {T.Language} */
export const currentLanguage = () => language;

/** @param {T.Language} chosen */
export function setLanguage(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  localStorage.setItem(SHELF, chosen);
}

/** The language of choice, or the browser's; German in a kiosk. @param {boolean} kiosk */
export function firstLanguage(kiosk) {
  const stored = localStorage.getItem(SHELF);
  if (!kiosk && (stored === "de" || stored === "en")) return stored;
  return kiosk || navigator.language.startsWith("de") ? "de" : "en";
}

/**
 * A word of the page.
 * @param {keyof typeof EN} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return WORDS[language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** A word of a game. @param {T.Text | null | undefined} text */
export function say(text) {
  if (text === null || text === undefined) return "";
  return typeof text === "string" ? text : text[language];
}

/** A role of a scene as a word. @param {string} role */
export const sayRole = (role) => ROLES[language][role] ?? role;

/** The same with a capital first, for lists. @param {T.Text | null | undefined} text */
export function sayFirst(text) {
  const said = say(text);
  return said.charAt(0).toLocaleUpperCase(language) + said.slice(1);
}

/** @param {number} n @param {number} [digits] */
export const number = (n, digits = 0) => n.toLocaleString(language, { maximumFractionDigits: digits });

/** @param {number | string} when  seconds since 1970, or a date as text */
export const dateTime = (when) =>
  new Date(typeof when === "number" ? 1000 * when : when).toLocaleString(language, {
    dateStyle: "medium",
    timeStyle: "short",
  });

/** @param {number} share */
export const percent = (share) => `${number(100 * share)}\u202f%`;

/** A number with its sign. @param {number} n */
const signed = (n) =>
  n
    .toLocaleString(language, { signDisplay: "exceptZero", minimumFractionDigits: 1, maximumFractionDigits: 2 })
    .replace("-", "−");

/** Whether a value says how a game will end. @param {number | null} value */
export const isCertain = (value) => value !== null && Math.abs(value) > WIN / 100;

/**
 * A value in figures: a chance in per cent, anything else as a number of its unit, or when the game is won or lost.
 * @param {number | null} value
 * @param {T.Unit} unit
 * @param {T.Bound} [bound]
 */
export function figure(value, unit, bound = "exact") {
  if (value === null) return "–";
  const sign = { exact: "", "at least": "≥ ", "at most": "≤ ", proven: "= " }[bound];
  if (Math.abs(value) > WIN / 2) return sign + t(value > 0 ? "winning" : "losing", { n: Math.round(WIN - Math.abs(value)) });
  if (isCertain(value)) return sign + signed(value / WIN); // a result between a draw and a win
  return sign + (unit.name === "chance" ? percent((value + 1) / 2) : signed(value * unit.scale));
}

/**
 * A value with what it is counted in.
 * @param {number | null} value
 * @param {T.Unit} unit
 * @param {T.Bound} [bound]
 */
export function worth(value, unit, bound) {
  const figures = figure(value, unit, bound);
  if (value === null || isCertain(value)) return figures;
  return unit.name === "evaluation" ? `${sayFirst(unit.title)} ${figures}` : `${figures} ${say(unit.title)}`;
}

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
