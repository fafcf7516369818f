/** A word when it is one's turn: in the window's title, as a sound among people, and as a notification to who looks elsewhere. */

import { t } from "../base/i18n.js";
import { prefer, preferences } from "../base/preferences.js";
import { isOwnTurn } from "./seats.js";

const TONES = [660, 880]; // hertz
const LONG = 0.14; // seconds a tone
const LOUD = 0.08; // of 1

export class TurnCall {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.mine = false;
  }

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

/** Some browsers permit what they then refuse, as Chrome on Android does with notifications: the game goes on. */
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
