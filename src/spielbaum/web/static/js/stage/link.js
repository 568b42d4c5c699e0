/** A game on the Stage over a WebSocket, which comes back after a lost connection and is then told everything again. */

/** @import * as T from "../types.js" */

const PAUSES = [0.3, 0.6, 1.2, 2.5, 5, 10];
const PING_EVERY = 20_000;

export class Link {
  /**
   * @param {string} game
   * @param {(message: T.StageMessage) => void} heard
   * @param {(online: boolean) => void} online
   */
  constructor(game, heard, online) {
    this.address = new URL(`api/stage/${encodeURIComponent(game)}/socket`, location.href.split("#")[0]);
    this.address.protocol = this.address.protocol.replace("http", "ws");
    this.heard = heard;
    this.online = online;
    this.attempts = 0;
    this.isClosed = false;
    this.heartbeat = setInterval(() => this.send({ type: "ping" }), PING_EVERY);
    this.socket = this.connect();
  }

  connect() {
    const socket = new WebSocket(this.address);
    socket.onopen = () => {
      this.attempts = 0;
      this.online(true);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = () => this.lost();
    return socket;
  }

  lost() {
    if (this.isClosed) return;
    this.online(false);
    const pause = PAUSES[Math.min(this.attempts++, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());
    this.retry = setTimeout(() => (this.socket = this.connect()), 1000 * pause);
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.isClosed = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.retry);
    this.socket.close();
  }
}
