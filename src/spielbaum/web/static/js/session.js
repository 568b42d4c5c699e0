/**
 * One session over a WebSocket: says hello, hands on what the server says, and comes back after a lost
 * connection with growing pauses. After a reload it is the same: hello with the kept token.
 */

/** @import * as T from "./types.js" */

const PAUSES = [0.3, 0.6, 1.2, 2.5, 5, 10];
const FINAL = new Set([4401, 4404, 4410]);
const PING_AFTER = 20_000;
const SILENCE = 45_000;
/** @type {T.History} */
const NO_HISTORY = { moves: [], curve: [], scores: [] };

/**
 * @typedef {object} Listener
 * @property {(session: Session) => void} changed  a welcome, state or pass-screen message has arrived
 * @property {(thinking: T.Thinking) => void} [thinking]
 * @property {(refusal: T.Refusal) => void} [refused]
 * @property {(online: boolean) => void} [online]
 * @property {(reason: string) => void} [ended]
 */

export class Session {
  /** @param {T.Credentials} held */
  constructor(held) {
    this.held = held;
    /** @type {T.Welcome | null} */
    this.welcome = null;
    /** @type {T.State | null} */
    this.state = null;
    /** @type {T.History} the game so far, of which a state message brings what is new */
    this.history = NO_HISTORY;
    /** @type {T.PassScreen | null} */
    this.passScreen = null;
    /** @type {T.Thinking | null} the latest thoughts, kept until the next search */
    this.thoughts = null;
    this.isOnline = true;
    /** @type {Listener | null} */
    this.listener = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempts = 0;
    this.closed = false;
    this.nextId = 1;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (refusal: T.Refusal) => void}>} */
    this.waiting = new Map();
    this.lastHeard = Date.now();
    this.heartbeat = setInterval(() => this.beat(), PING_AFTER / 4);
    this.onOnline = () => this.reconnectNow();
    addEventListener("online", this.onOnline);
    this.connect();
  }

  connect() {
    const address = new URL(`api/sessions/${this.held.session}/socket`, location.href.split("#")[0]);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.socket = socket;
    this.lastHeard = Date.now();
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: this.held.token }));
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event.code);
  }

  /** @param {number} code */
  lost(code) {
    for (const { reject } of this.waiting.values())
      reject({ type: "error", code: "offline", reason: "connection lost" });
    this.waiting.clear();
    if (this.closed) return;
    if (FINAL.has(code)) {
      this.close();
      this.listener?.ended?.(code === 4410 ? "left" : "gone");
      return;
    }
    this.setOnline(false);
    const pause = PAUSES[Math.min(this.attempts, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());
    this.attempts += 1;
    this.retry = setTimeout(() => this.connect(), pause * 1000);
  }

  reconnectNow() {
    if (this.closed || this.isOnline) return;
    clearTimeout(this.retry);
    this.connect();
  }

  /** Notice a connection that died without a word. */
  beat() {
    if (!this.isOnline || this.socket?.readyState !== WebSocket.OPEN) return;
    const silence = Date.now() - this.lastHeard;
    if (silence > SILENCE) this.socket.close();
    else if (silence > PING_AFTER) this.send({ type: "ping" });
  }

  /** @param {boolean} online */
  setOnline(online) {
    if (online === this.isOnline) return;
    this.isOnline = online;
    this.listener?.online?.(online);
  }

  /** @param {T.ServerMessage} message */
  hear(message) {
    this.lastHeard = Date.now();
    const re = "re" in message ? message.re : undefined;
    const waiting = re === undefined || re === null ? undefined : this.waiting.get(re);
    if (waiting && re !== undefined) {
      this.waiting.delete(re);
      if (message.type === "error") waiting.reject(message);
      else waiting.resolve(message);
    }
    if (message.type === "welcome") {
      this.welcome = message;
      this.attempts = 0;
      this.setOnline(true);
    } else if (message.type === "state") {
      this.history = updated(this.history, message);
      this.state = { ...message, gestures: unpacked(message), ...this.history };
      this.passScreen = null;
      this.listener?.changed(this);
    } else if (message.type === "pass-screen") {
      this.passScreen = message;
      this.state = null;
      this.history = NO_HISTORY;
      this.thoughts = null; // whoever sat here may have asked for a hint
      this.listener?.changed(this);
    } else if (message.type === "thinking") {
      const isKept = this.welcome?.rounds && this.thoughts?.search && !message.search; // until a round is over
      if (!isKept) this.thoughts = message;
      this.takeBusy(message);
      this.listener?.thinking?.(message);
    } else if (message.type === "error" && !waiting) {
      this.listener?.refused?.(message);
    } else if (message.type === "ended") {
      if (message.reason === "shutdown") return; // the socket closes and we come back
      this.close();
      this.listener?.ended?.(message.reason);
    }
  }

  /** Thoughts tell of a search sooner than the next state, which may have been drawn before it began. @param {T.Thinking} message */
  takeBusy({ ply, done, seat, why, queue, preparation }) {
    if (this.state?.ply === ply) this.state.busy = done ? null : { seat, why, queue, preparation };
  }

  /** Say something without waiting for an answer. @param {Record<string, unknown>} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /**
   * Ask something that has an answer of its own.
   * @param {Record<string, unknown>} message
   * @returns {Promise<any>}
   */
  ask(message) {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ ...message, id });
    });
  }

  close() {
    this.closed = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.retry);
    removeEventListener("online", this.onOnline);
    this.socket?.close();
  }
}

/** The history after a state message. @param {T.History} known @param {T.StateMessage} message @returns {T.History} */
function updated(known, { moves, curve, scores }) {
  return {
    moves: [...known.moves.slice(0, moves.keep), ...moves.add],
    curve: [...known.curve.slice(0, curve.keep), ...curve.add],
    scores: [...known.scores.slice(0, scores.keep), ...scores.add],
  };
}

/** Gestures with what many of them have in common. @param {T.PackedGestures} packed @returns {T.Gesture[]} */
function unpacked({ choices, notes, gestures }) {
  return gestures.map((gesture) => {
    if (!("choice" in gesture)) return gesture;
    const { choice, note, ...rest } = gesture;
    return { ...choices[choice], ...rest, note: notes[note] };
  });
}

/** @type {Session | null} */
let open = null;

/**
 * The session with these credentials; the one that is open stays open when a screen is drawn anew.
 * @param {T.Credentials} held
 */
export function openSession(held) {
  if (open && !open.closed && open.held.session === held.session) return open;
  open?.close();
  open = new Session(held);
  return open;
}

/** Close whatever is open, without ending it on the server. */
export function closeSession() {
  open?.close();
  open = null;
}
