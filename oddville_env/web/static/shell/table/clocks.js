/** The clocks of the seats: the server measures, the page counts on between two of its words and tells when time is short. */

import { h, Part } from "../base/dom.js";
import { playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { announce, remark } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { isOwnTurn } from "./seats.js";

const TICK = 200; // milliseconds
const LOW = [60, 30, 10]; // seconds: at each of them it is told once a turn
const RED = 30; // seconds
const TENTHS = 10; // seconds, from which on tenths are shown

const two = (number) => String(number).padStart(2, "0");

/** 754.2 -> "12:34", 8.14 -> "0:08.1", 3671 -> "1:01:11". */
export function clockWords(left) {
  const tenths = left < TENTHS ? `.${Math.floor(left * 10) % 10}` : "";
  const seconds = tenths ? Math.floor(left) : Math.ceil(left);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const short = `${two(seconds % 60)}${tenths}`;
  return hours ? `${hours}:${two(minutes)}:${short}` : `${minutes}:${short}`;
}

/** What was agreed on: "10 minutes each, 5 seconds more a turn". @param {Protocol.Terms} terms */
export function termsWords({ total, increment }) {
  const minutes = t("clock_each", { n: Math.round(total / 6) / 10 });
  return increment ? `${minutes}, ${t("clock_more", { n: increment })}` : minutes;
}

/** What is told when so much time is left, having told some already: null, or the seconds. */
export function lowAt(left, told) {
  const reached = LOW.filter((limit) => left <= limit && !told.has(limit));
  for (const limit of reached) told.add(limit);
  return reached.length && left > 0 ? Math.ceil(left) : null;
}

export class Clocks extends Part {
  /** @type {Protocol.Clock} */
  clock = null;
  told = new Set();
  timer = setInterval(() => this.tick(), TICK);

  /** Take in what the server has measured, as soon as it comes. @param {Protocol.State} state */
  keep({ clock, seats }) {
    const before = this.clock;
    if (before?.runs !== clock?.runs) this.told.clear();
    this.clock = clock;
    this.heard = performance.now();
    for (const seat of before ? clock.ended.filter((one) => !before.ended.includes(one)) : []) {
      const name = seats[seat].person ?? this.page.seats.name(seat);
      remark(t("time_over", { name, agent: playerName(seats[seat].agent, this.page.about) }), "wrong");
    }
  }

  left(seat) {
    const left = this.clock?.left[seat] ?? null;
    if (left === null || this.clock.runs !== seat) return left;
    return Math.max(left - (performance.now() - this.heard) / 1000, 0);
  }

  /** The clock in a seat's head; none for agents. */
  sign(seat) {
    if (this.left(seat) === null) return null;
    const marks = { "data-clock": seat, role: "timer", title: `${t("time_left")} (${termsWords(this.clock)})` };
    const sign = h("span.clock", marks, h("span.unseen", `${t("time_left")}: `), h("span.clock-time"));
    this.show(sign);
    return sign;
  }

  show(sign) {
    const seat = Number(sign.dataset.clock);
    const left = this.left(seat);
    if (left === null) return;
    const words = clockWords(left);
    const time = sign.querySelector(".clock-time");
    if (time.textContent !== words) time.textContent = words;
    sign.classList.toggle("runs", this.clock.runs === seat);
    sign.classList.toggle("low", left <= RED);
  }

  tick() {
    if (!this.clock) return;
    const { board, state, seats } = this.page;
    for (const sign of board.querySelectorAll("[data-clock]")) this.show(sign);
    const { runs } = this.clock;
    const n = runs === null ? null : lowAt(this.left(runs), this.told);
    if (n === null || !state) return;
    if (state.seats[runs].mine) remark(t("time_low", { n }), "wrong");
    else announce(t("time_low_of", { name: seats.name(runs), n }));
  }

  leave() {
    clearInterval(this.timer);
  }
}

const TONES = [660, 880]; // hertz
const LONG = 0.14; // seconds a tone
const LOUD = 0.08; // of 1

export class TurnCall extends Part {
  mine = false;

  /** @param {Protocol.State} state */
  render(state) {
    const { title } = this.page.hello;
    const before = this.mine;
    this.mine = isOwnTurn(state);
    document.title = this.mine ? `● ${t("your_turn")} · ${title}` : title;
    const others = !this.page.lesson && state.seats.some((seat) => seat.kind === "human" && !seat.mine);
    if (this.mine && !before && state.reason === "move" && (others || document.hidden)) this.call(title);
  }

  call(title) {
    if (preferences.sound) tried(ring);
    if (preferences.notify && document.hidden && mayNotify())
      tried(() => new Notification(title, { body: t("your_turn") }));
  }

  leave() {
    document.title = this.page.hello?.title ?? document.title;
  }
}

/** Some browsers first permit and then refuse, as Chrome on Android does with notifications; that is only logged. */
function tried(call) {
  try {
    call();
  } catch (error) {
    console.warn(error);
  }
}

const mayNotify = () => "Notification" in window && Notification.permission === "granted";

/** Ask the browser for notifications where they are wished for; whether there will be some. */
export async function wishNotifications(wished) {
  const granted = wished && "Notification" in window && (await Notification.requestPermission()) === "granted";
  prefer("notify", granted);
  return granted;
}

/** Two short tones; a browser that has not been touched yet stays silent. */
function ring() {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.value = LOUD;
  volume.connect(audio.destination);
  TONES.forEach((tone, place) => {
    const voice = audio.createOscillator();
    voice.frequency.value = tone;
    voice.connect(volume);
    voice.start(audio.currentTime + place * LONG);
    voice.stop(audio.currentTime + (place + 1) * LONG);
    voice.onended = () => place === TONES.length - 1 && audio.close();
  });
}
