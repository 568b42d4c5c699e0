/** The shapes of what the server says, as docs/scene.md and docs/web-protocol.md describe them. */

export type Language = "en" | "de";
export type Text = string | { en: string; de: string };
export type Point = [number, number];
export type Box = [number, number, number, number];

// --- scenes

export interface Shape {
  kind: "rect" | "circle" | "polygon" | "line" | "path" | "text" | "use";
  id?: string;
  at?: Point;
  turn?: number;
  role?: string;
  edge?: string;
  width?: number;
  opacity?: number;
  heat?: number;
  title?: Text;
  on?: string;
  size?: [number, number] | number;
  round?: number;
  r?: number;
  points?: Point[];
  arrow?: boolean;
  dashed?: boolean;
  d?: string;
  text?: Text;
  anchor?: "start" | "middle" | "end";
  weight?: "normal" | "bold";
  symbol?: string;
}

export interface ShapeLayer {
  kind?: "shapes";
  name: string;
  switch?: Text | null;
  over?: boolean;
  shapes: Shape[];
}
export interface BitmapLayer {
  kind: "bitmap";
  name: string;
  at?: Point;
  cell?: number;
  columns: number;
  rows: number;
  roles: string[];
  names?: Text[];
  data: string;
  grid?: boolean;
}
export type Layer = ShapeLayer | BitmapLayer;

export interface SymbolDrawing {
  box: Box;
  shapes: Shape[];
}
export interface Backdrop {
  box: Box;
  layers?: Layer[];
  symbols?: Record<string, SymbolDrawing>;
}
export interface Item {
  label: Text;
  value?: number | string;
  most?: number;
  symbol?: string;
  role?: string;
}
export interface Panel {
  id: string;
  title?: Text;
  seat?: number;
  text?: Text;
  mono?: boolean;
  items?: Item[];
  show?: "numbers" | "bars" | "pictures" | "list" | "row";
}
export interface Scene {
  box?: Box;
  layers?: Layer[];
  panels?: Panel[];
  status?: Text;
  why?: { places: string[]; text: Text }[];
}
export interface Gesture {
  action: number;
  steps: string[];
  label: Text;
  key?: string;
  group?: Text;
  note?: Text;
  symbol?: string;
  rank?: number;
}
/** Gestures as they are sent: those with a note have the numbers of what many of them have in common. */
export interface PackedGestures {
  choices: Pick<Gesture, "label" | "group" | "symbol">[];
  notes: Text[];
  gestures: (Gesture | { action: number; steps: string[]; key?: string; rank?: number; choice: number; note: number })[];
}

// --- games and their setup

export interface Level {
  spec: string;
  title: Text;
}
export interface Field {
  name: string;
  title: Text;
  help?: Text;
  kind: "bool" | "int" | "float" | "choice" | "text";
  default: unknown;
  low?: number | null;
  high?: number | null;
  choices?: { value: string | number; title: Text }[] | null;
  optional: boolean;
}
export interface Card {
  name: string;
  title: Text;
  about: Text;
  players: [number, number];
  chance: boolean;
  hidden: boolean;
  rounds: boolean;
  levels: Level[];
  backdrop: Backdrop | null;
  scene: Scene;
}
export interface Seat {
  seat: number;
  name: Text;
  team: number;
  role: string;
  group: Text | null;
}
export interface AgentKind {
  name: string;
  title: Text;
  help: Text;
  searches: boolean;
  params: Field[];
}
export interface GameDetails extends Card {
  presets: { name: string; title: Text; options: Record<string, unknown> }[];
  options: Field[];
  seats: Seat[];
  agents: AgentKind[];
  named: Level[];
  trouble: string | null;
  opponent: string;
  kiosk: { options: Record<string, unknown>; agents: string[] };
  rules: boolean;
  symbols: boolean;
}
export interface SetupAnswer {
  options: Record<string, unknown>;
  seats: Seat[];
  backdrop: Backdrop | null;
  scene: Scene;
}
export interface SeatChoice {
  kind: "human" | "agent";
  name?: string;
  spec?: string;
}
export interface RulesPage {
  title: Text;
  sections: { title: Text; text: Text; figure: null | { backdrop: Backdrop | null; scene: Scene; caption?: Text } }[];
}
export interface Config {
  version: string;
  kiosk: string | null;
  idle: number;
  home: "start" | "stage";
  stage: boolean;
  tunings?: boolean;
  trainings?: boolean;
  limits: { seconds: number; megabytes: number; message: number };
}
export interface Player {
  name: Text;
  kind: "human" | "agent";
  person: string | null;
  spec: string | null;
}
export interface StoredRecord {
  id: string;
  game: string;
  title?: Text;
  players?: Player[];
  result?: Result | null;
  ply: number;
  ended: number;
  returns: unknown;
}
export interface About {
  session: string;
  game: string;
  title: Text;
  mode: "play" | "analysis";
  over: boolean;
}
export interface Outline extends About {
  ply: number;
  players: Player[];
  result: Result | null;
}

export interface Run {
  run: number;
  created: string;
  kind: string;
  game: string;
  agents: string[];
  games: number;
}
export interface RunGame {
  number: number;
  seats: Record<string, string>;
  returns: Record<string, number> | null;
  ply: number;
}

// --- the Stage

export interface StageOutline {
  id: string;
  title: string;
  began: number;
  round?: number;
  ended: boolean;
}
/** x, y, direction from up against the clock, speed, whether active. */
export type StagePlayer = [number, number, number, number, number];
/** Whose way it is, how likely, and its cells x, y, x, y, … */
export type Plan = [number, number, ...number[]];
export interface Shot {
  round: number;
  players: StagePlayer[];
  cells: number[];
  jumped: number[];
  deadline: string | null;
}
export interface StageGame {
  type: "game";
  title: string;
  width: number;
  height: number;
  names: string[];
  you: number | null;
  seats: number[];
  ended: boolean;
}
export interface Rounds {
  type: "rounds";
  first: number;
  shots: Shot[];
}
export interface Plans {
  type: "plans";
  round: number;
  player: number;
  lines: Plan[];
}
export interface Hands {
  type: "hands";
  own: number[];
  others: number[];
  chosen: Record<number, string>;
}
export type StageMessage = StageGame | Rounds | Plans | Hands | Refusal | { type: "pong" };

// --- sessions

export interface Credentials {
  session: string;
  token: string;
}
export interface SeatInPlay extends Seat {
  kind: "human" | "agent";
  person: string | null;
  spec: string | null;
}
export interface Welcome {
  type: "welcome";
  session: string;
  game: string;
  title: Text;
  mode: "play" | "analysis";
  options: Record<string, unknown>;
  seats: SeatInPlay[];
  yours: number[];
  control: boolean;
  backdrop: Backdrop | null;
  symbols: boolean;
  hidden: boolean;
  rounds: boolean;
}
export interface Move {
  ply: number;
  seat: number;
  label: Text | null;
}
export interface LastMove {
  seat: number;
  action: number;
  label: Text;
  steps: string[];
}
export interface Result {
  kind: "played" | "resigned" | "time";
  seat: number | null;
  returns: number[];
  winners: number[];
  outcome?: Text | null;
}
export interface State {
  type: "state";
  rev: number;
  ply: number;
  plies: number;
  turn: number | null;
  movers: number[];
  waiting: number[];
  viewer: number | null;
  over: boolean;
  scene: Scene;
  gestures: Gesture[];
  broken: string | null;
  chosen: LastMove[];
  last: LastMove[];
  moves: Move[];
  clock: { used: number[]; running: number[]; limit: number | null } | null;
  result: Result | null;
  curve: CurvePoint[];
  scores: number[][];
  busy: Busy | null;
  pace: number;
  paused: boolean;
  repeat: boolean;
  faults: string[];
  can: { act: boolean; undo: boolean; hint: boolean; resign: boolean; restart: boolean; think: boolean };
}
/** A list on the wire: how many entries of the last one to keep, and what follows them. */
export interface ListUpdate<Entry> {
  keep: number;
  add: Entry[];
}
export interface History {
  moves: Move[];
  curve: CurvePoint[];
  scores: number[][];
}
/** A state as it arrives: gestures are packed, and of the history there is what is new. */
export type StateMessage = Omit<State, keyof History | "gestures"> &
  PackedGestures & { [Name in keyof History]: ListUpdate<History[Name][number]> };
export interface BrokenGame {
  file: string;
  reason: string;
}
/** What values are counted in: `title` for people, and how many of it a value of 1 is. */
export interface Unit {
  name: string;
  title: Text;
  scale: number;
}
export type Bound = "exact" | "at least" | "at most" | "proven";
export interface Preparation {
  doing: "waiting" | "compiling" | "loading" | "alone" | "ready";
  elapsed: number;
  expected: number;
  last: number | null;
}
export interface GamePreparation {
  ready: boolean;
  agents: (Preparation & { spec: string })[];
}
export interface Busy {
  seat: number;
  why: "move" | "hint" | "think";
  queue: number;
  preparation: Preparation | null;
}
export interface CurvePoint {
  ply: number;
  seat: number;
  value: number | null;
  unit: Unit;
}
export interface PassScreen {
  type: "pass-screen";
  rev: number;
  seat: number;
  ply: number;
}
export interface Edge {
  action: number;
  label: Text;
  steps: string[];
  visits: number;
  share: number;
  value: number | null;
  prior?: number | null;
  exact?: boolean;
  proven?: boolean;
}
export interface LineMove {
  action: number;
  label: Text;
  steps: string[];
  seat: number;
  scene?: Scene;
}
export interface Search {
  algorithm: string;
  action: number | null;
  value: number | null;
  unit: Unit;
  nodes: number;
  depth: number;
  seconds: number;
  per_second: number;
  cut_off?: number | null;
  proven: boolean;
  edges: Edge[];
  line: LineMove[];
}
export interface Thinking {
  type: "thinking";
  rev: number;
  ply: number;
  seat: number;
  why: "move" | "hint" | "think";
  queue: number;
  preparing: boolean;
  preparation: Preparation | null;
  done: boolean;
  spec: string;
  search: Search | null;
}
export interface Hint {
  type: "hint";
  re?: number;
  action: number;
  label: Text;
  steps: string[];
  search: Search | null;
}
export interface LineAnswer {
  type: "line";
  re?: number;
  ply: number;
  line: Required<LineMove>[];
}
export interface TreeNode {
  action: number | null;
  label: Text | null;
  seat: number | null;
  visits: number;
  share: number;
  value: number | null;
  bound?: Bound;
  steps: string[];
  children: TreeNode[];
  more: boolean;
}
export interface TreeAnswer {
  type: "tree";
  re?: number;
  ply: number;
  path: number[];
  scene: Scene;
  turn: number | null;
  node: TreeNode;
}
export interface NewSession extends Credentials {
  type: "session";
  re?: number;
}
export interface Refusal {
  type: "error";
  re?: number;
  code: string;
  why?: string | null;
  params?: Record<string, unknown>;
  reason: string;
}
export interface Ended {
  type: "ended";
  reason: "left" | "idle" | "shutdown";
}
export type ServerMessage =
  | Welcome
  | StateMessage
  | PassScreen
  | Thinking
  | Hint
  | LineAnswer
  | TreeAnswer
  | NewSession
  | Refusal
  | Ended
  | { type: "pong"; re?: number };

/** A tuning run: what was asked for, and how far it is. */
export interface Tuning {
  number: number;
  created: string;
  state: "running" | "finished" | "interrupted";
  method: string;
  seed: number;
  game: string;
  title: Text;
  agents: string[];
  against: string[];
  maximises: "wins" | "result" | "points";
  steps: number;
  steps_planned: number;
  games: number;
  games_planned: number;
  test: null | { run: number; verdict: string; elo: number | null; low: number | null; high: number | null; games: number; planned: number };
}
export interface Score {
  minutes: number;
  score: number;
  low: number;
  high: number;
  baseline: string;
}
export interface Training {
  name: string;
  state: "running" | "finished" | "interrupted";
  game: string;
  title: Text;
  size: string | null;
  seed: number | null;
  simulations: number | null;
  minutes: number | null;
  passed: number;
  iterations: number;
  games: number;
  last: Score | null;
}
export interface TrainingCurves extends Training {
  curves: { policy_loss: Line; entropy: Line; value_loss: Line };
  scores: Score[];
}
export type Line = [number, number][];
export interface TunedParameter {
  species: string;
  name: string;
  choices: string[];
  condition: string;
  given: number | string | null;
  tuned: number | string | null;
  as_good: string[] | null;
  importance: number | null;
  start: number | null;
  ticks: [number, number | string][];
  dots: [number, number, number][];
  mean: Line;
  best: Line;
}
export interface ResponseSurfaceAxis {
  name: string;
  ticks: [number, number | string][];
  choices: number;
}
export interface TuningPictures {
  steps: number;
  first: number;
  individuals: number;
  best: null | { species: string; spec: string };
  fitness: { species: string; dots: [number, number, number][]; mean: Line }[];
  heights: number[];
  shares: { species: string; line: Line }[];
  parameters: TunedParameter[];
  response_surface: null | { x: ResponseSurfaceAxis; y: ResponseSurfaceAxis; relative: boolean; rows: (number | null)[][]; best: [number, number] | null };
}
