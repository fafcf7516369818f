/** The server: requests by address, and a game's socket that comes back by itself. */

import { hasText, t } from "./i18n.js";

const address = (path) => new URL(path, document.baseURI);
const WAITS = [0.5, 1, 2, 4, 8, 10];
const GONE = new Set([4401, 4403]);

/** A request; raises an Error with the server's sentence, and its code. */
export async function request(path, body) {
  const post = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const answer = await fetch(address(path), body === undefined ? {} : post);
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const words = found.error ? problemWords(found.error) : answer.statusText;
    throw Object.assign(new Error(words), { code: found.error?.code });
  }
  return found;
}

/** What the server refuses, in the visitor's language where the page knows the sentence, else in the server's English. */
export const problemWords = ({ why, values, message }) =>
  hasText(`error_${why}`) ? t(`error_${why}`, { ...values, message }) : message;

/** What is told of a game before one enters; an Error where there is none. */
export const askGame = (id, key = "") => request(`api/games/${encodeURIComponent(id)}?key=${encodeURIComponent(key)}`);

/** Where a file of a game lies. */
export const gameFile = (id, key, name) => address(`api/games/${id}/${name}?key=${key}`).href;

/** The address of a picture of the table at the end of a record. */
export const recordPicture = (game, record) =>
  address(`api/records/table.svg?${new URLSearchParams({ game, record: String(record) })}`).href;

/** The attributes of a link to a game's record. */
export const recordLink = ({ id, key }) => ({ href: gameFile(id, key, "record"), download: "" });

/** A game's socket. Of the ears, `heard(message)` gets all messages, `lost(seconds)` and `gone(code)` hear of its state, where
 * they are there. */
export class Connection {
  constructor(id, key, ears) {
    this.id = id;
    this.key = key;
    this.ears = ears;
    this.tries = 0;
    this.number = 0;
    this.closed = false;
    this.open();
  }

  open() {
    const place = address(`api/games/${this.id}/play?key=${this.key}`);
    place.protocol = place.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(place);
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = (event) => this.dropped(event.code);
  }

  /** @param {Protocol.Told} message */
  receive(message) {
    this.tries = 0;
    this.ears.heard(message);
  }

  dropped(code) {
    if (this.closed) return;
    if (GONE.has(code)) return this.ears.gone?.(code);
    const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)];
    this.ears.lost?.(wait);
    this.timer = setTimeout(() => this.open(), wait * 1000);
  }

  /** Send a message; its number comes back, by which answers are known. @param {Protocol.Said} message */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return null;
    this.number += 1;
    this.socket.send(JSON.stringify({ ...message, id: this.number }));
    return this.number;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
