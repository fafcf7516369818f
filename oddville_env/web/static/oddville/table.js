/** OddVille's table: all areas, what is lit on them, and how wide they are shown. */

import { h, refill } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { highlightSpots } from "../shell/table/highlights.js";
import { nearSeat } from "../shell/table/seats.js";
import { City } from "./city.js";
import { keepFacts } from "./facts.js";
import { Board, Piles, Row } from "./market.js";
import { seatArea } from "./seats.js";

export class Table {
  /** `names(seat)` says a seat's name, `notes(seat)` what else stands in its head. */
  constructor({ names, notes }) {
    this.names = names;
    this.notes = notes;
    this.shown = {};
    this.row = new Row();
    this.board = new Board();
    this.piles = new Piles();
    this.city = new City();
    this.others = h(".others");
    this.own = h(".own-area");
    this.pending = h(".pending", { "data-roving": true });
    this.side = h(".market", this.board.element, this.piles.element);
  }

  /** The areas by their place on the page. */
  get areas() {
    return {
      row: this.row.element,
      market: this.side,
      city: this.city.element,
      others: this.others,
      own: this.own,
      pending: this.pending,
    };
  }

  /** Show a state. @param {Protocol.State} state */
  render(state) {
    const { table } = state;
    keepFacts(table);
    const people = state.seats.map((seat) => seat.person);
    if (this.changed("row", [table.row, table.deck])) this.row.render(table);
    if (this.changed("board", [table.board, people])) this.board.render(table, this.names);
    if (this.changed("piles", table.piles)) this.piles.render(table);
    if (this.changed("city", [table.city, table.square, table.window, people])) this.city.render(table, this.names);
    this.showPending(table);
    const near = nearSeat(state);
    const order = table.seats.map((_, step) => table.seats[((near ?? 0) + step) % table.seats.length]);
    const area = (seat) =>
      seatArea(seat, state, { own: seat.seat === near, name: this.names(seat.seat), notes: this.notes(seat.seat) });
    refill(this.others, order.filter((seat) => seat.seat !== near).map(area));
    refill(this.own, near === null ? [] : area(table.seats[near]));
  }

  /** Does an area show something else now? What is the same stays as it is drawn. */
  changed(area, shown) {
    const written = JSON.stringify(shown);
    const other = this.shown[area] !== written;
    this.shown[area] = written;
    return other;
  }

  showPending(table) {
    const one = ({ spot, bonus, drawing, number }) =>
      h(
        "button",
        {
          type: "button",
          class: "bonus",
          "data-spot": spot,
          "data-touch": spot,
          "data-stop": true,
          "aria-label": t(`bonus_${bonus}`),
          title: t(`bonus_${bonus}`),
        },
        picture(drawing),
        number > 1 ? h("b", `×${number}`) : null,
      );
    refill(this.pending, table.pending.map(one));
    this.pending.hidden = !table.pending.length;
  }

  /** Light what the choice offers, and mark what it has. @param {import("../shell/table/choice.js").Choice} choice @param {Protocol.State} state */
  light(choice, state, root) {
    const { spots } = choice;
    const worker = spots.map((spot) => spot.match(/^hand:\d+:(\d+)$/)?.[1]).find(Boolean);
    const near = nearSeat(state);
    const hand = new Set(
      (state.table.seats[near]?.hand ?? []).filter((card) => card.in_hand).map((card) => card.worker),
    );
    this.row.price(Number(worker) || null, hand);
    this.board.light((spot) => choice.open(spot));
    this.city.light(choice);
    highlightSpots(choice, state, root);
  }

  /** Colour the city by an agent's thoughts. */
  heat(spots) {
    this.city.heat(spots);
  }
}
