/** The mistakes of a seat, and their practice: each in a game of one's own, one after another. */

import { Connection, problemWords } from "../base/connection.js";
import { button, choice, h, refill, wayBar } from "../base/dom.js";
import { lossWords, t } from "../base/i18n.js";
import { remark } from "../base/overlays.js";
import { store, stored } from "../base/storage.js";

const KEPT = "oddville.practice";

/** A choice of the `seat` that a part shows, or of all (null); `note(seat)` stands behind a name. */
export function seatChoice(part, key, note = (_seat) => "") {
  const { hello, seats } = part.page;
  const name = (seat) => (seat === null ? t("everybody") : seats.name(seat)) + note(seat);
  const options = [null, ...Array(hello.players).keys()].map((seat) => [seat ?? "", name(seat)]);
  const change = (seat) => {
    part.seat = seat === "" ? null : Number(seat);
    part.show();
  };
  return choice(options, part.seat ?? "", change, { "aria-label": t(key), id: key.replace("_", "-") });
}

/** A move in words, a small note and more, as a button that goes to the moment before it. */
export function turnButton(page, kind, move, seat, words, note, more = null) {
  const go = () => page.send({ type: "go", move: move - 1 });
  const parts = [h("i", String(move)), h("span", `${page.seats.name(seat)}: ${words}`, note), more];
  return button(parts, go, { class: "turn-move", "data-key": `${kind}-${move}` });
}

/** Mistakes, the worst first. @param {import("../around/game_page.js").GamePage} page @param {Protocol.Turn[]} mistakes */
export function mistakeList(page, mistakes) {
  if (!mistakes.length) return h("p.quiet", t("no_mistakes"));
  const { id, key, visit } = page.where;
  const all = { id, key, back: location.hash, agents: page.rivals, mistakes };
  const practise = (place) => new Practice({ ...all, place }, visit).go(0);
  const line = ({ move, seat, word, change, standard_error, better }, place) => {
    const other = better ? h("small", t("better", { move: page.game.sentenceOf(better) })) : null;
    const cost = h("b", lossWords(-change, standard_error));
    const jump = turnButton(page, "turn", move, seat, page.game.sentenceOf(word), other, cost);
    return h("li", jump, may && button(t("try_again"), () => practise(place), { "data-key": `again-${move}` }));
  };
  const may = page.state.may.play_on;
  const first = { class: "button primary", "data-key": "practise" };
  return [may && button(t("practise"), () => practise(0), first), h("ol.turns", mistakes.map(line))];
}

/** The bar above the game in which a mistake is practised. */
export class Practice {
  /** `all`: the game of the mistakes, who plays the other seats there, the mistakes, and the place of this one. */
  constructor(all, visit) {
    this.all = all;
    this.visit = visit;
    this.words = h("span", { role: "status" });
    const which = t("mistake_of", { n: all.place + 1, all: all.mistakes.length });
    this.element = wayBar(["back_to_game", "mistake_before", "mistake_after"], all.back, this, which, this.words);
  }

  /** What is practised in a game; undefined: nothing. */
  static of(game, visit) {
    const kept = stored(KEPT, {});
    return kept.game === game ? new Practice(kept, visit) : undefined;
  }

  next(by) {
    return this.all.mistakes[this.all.place + by];
  }

  /** Begin a game at another mistake, in the seat that made it. */
  go(by) {
    const { all, visit } = this;
    const mistake = this.next(by);
    if (!mistake) return;
    const seats = all.agents.map((agent, seat) => (seat === mistake.seat ? "human" : agent));
    const heard = (message) => {
      if (message.type === "hello") connection.send({ type: "play_on", move: mistake.move - 1, seats });
      if (message.type === "error" || message.type === "made") connection.close();
      if (message.type === "error") remark(problemWords(message), "wrong");
      if (message.type !== "made") return;
      store(KEPT, { ...all, place: all.place + by, game: message.game.id });
      visit({ game: message.game.id, key: message.game.keys.host });
    };
    const connection = new Connection(all.id, all.key, { heard });
  }

  /** Ask for a better move, and tell what another one is worth. @param {import("../around/game_page.js").GamePage} page */
  render({ game, seats, panels }) {
    const { seat, move, word, change, standard_error, better } = this.next(0);
    const played = panels.list.entries[move - 1]?.word;
    const best = better ?? word;
    const key = played === best ? "found_best" : played === word ? "found_same" : "found_other";
    const values = { name: seats.name(seat), loss: lossWords(-change, standard_error) };
    const told = { ...values, move: game.sentenceOf(played ? best : word) };
    refill(this.words, t(played ? key : "find_better", told));
  }
}
