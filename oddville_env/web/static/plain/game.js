/** A game that has no page of its own yet: its picture, and its moves as buttons. */

import { h, refill } from "../shell/base/dom.js";
import { t } from "../shell/base/i18n.js";
import { SeatedTable } from "../shell/table/seats.js";

/** The whole table as the server draws it. */
class Table extends SeatedTable {
  constructor(says) {
    super(says);
    this.drawn = h(".plain-picture");
    this.areas = { city: this.drawn, others: this.others };
  }

  render({ picture, score, to_move }) {
    const seat = ({ points }, number) => {
      const head = [h("b.seat-name", this.names(number)), this.notes(number), h("b.score", String(points))];
      return h("section", { class: `seat panel${number === to_move ? " moves" : ""}` }, h("header.seat-head", head));
    };
    refill(this.others, score.map(seat));
    const drawn = picture ?? "<svg xmlns='http://www.w3.org/2000/svg'/>";
    const parsed = new DOMParser().parseFromString(drawn, "image/svg+xml");
    refill(this.drawn, document.importNode(parsed.documentElement, true));
  }

  light() {}

  heat() {}
}

export const game = {
  name: "plain",
  Table,
  chapters: [],
  legend: [],
  steps: [],
  few: Infinity,
  ask: () => t("choose"),
  harmless: () => false,
  movePicture: () => null,
  prompt: (state) => state.prompt,
  told: ({ text, word }) => [text ?? word],
  spotsOf: () => [],
  sentence: (move) => move.text ?? move.word,
  sentenceOf: (word) => word,
  short: (move) => move.text ?? move.word,
  spoken: () => true,
  shapes: [],
  notice: (state) => state.notice,
  seatSign: (seat) => `seat-${seat}`,
  seatName: (seat) => t("player_n", { n: seat + 1 }),
  guided: null,
  lesson: false,
  hero: null,
};
