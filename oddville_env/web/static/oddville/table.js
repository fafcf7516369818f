/** OddVille's table: all areas, what is lit on them, how wide they are shown, and the belongings of each seat. */

import { h, listPanel, refill } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { highlightSpots, touchable } from "../shell/table/highlights.js";
import { nearSeat, SeatedTable, seatSection } from "../shell/table/seats.js";
import { City } from "./city.js";
import { buildingTip, buildingWords, characterFacts, characterTip, keepFacts } from "./facts.js";
import { Board, pile, Row, starOf } from "./market.js";

export class Table extends SeatedTable {
  constructor(says) {
    super(says);
    this.shown = {};
    this.row = new Row();
    this.board = new Board();
    this.piles = listPanel("piles", "piles-area", t("characters"), pile);
    this.city = new City();
    this.pending = h(".pending", { "data-roving": true });
    const { row, board, piles, city, others, own, pending } = this;
    const market = h(".market", board.element, piles.element);
    /** The areas by their place on the page. */
    this.areas = { row: row.element, market, city: city.element, others, own, pending };
  }

  /** Show a state. @param {Protocol.State} state */
  render(state) {
    const { table } = state;
    keepFacts(table);
    const people = state.seats.map((seat) => seat.person);
    if (this.changed("row", [table.row, table.deck])) this.row.render(table);
    if (this.changed("board", [table.board, people])) this.board.render(table, this.names);
    if (this.changed("piles", table.piles)) this.piles.show(table.piles);
    if (this.changed("city", [table.city, table.square, table.window, people])) this.city.render(table, this.names);
    this.showPending(table);
    const near = nearSeat(state);
    const area = (seat, head) => seatArea(seat, state, { ...head, own: seat.seat === near });
    this.showSeats(table.seats, near, area);
  }

  /** Does an area show something else now? What is the same stays as it is drawn. */
  changed(area, shown) {
    const written = JSON.stringify(shown);
    const other = this.shown[area] !== written;
    this.shown[area] = written;
    return other;
  }

  showPending(table) {
    const one = ({ spot, bonus, drawing, number }) => {
      const [name, times] = [t(`bonus_${bonus}`), number > 1 ? h("b", `×${number}`) : null];
      return touchable(spot, name, { class: "bonus", title: name }, picture(drawing), times);
    };
    refill(this.pending, table.pending.map(one));
    this.pending.hidden = !table.pending.length;
  }

  /** Light what the choice offers, and mark what it has. @param {import("../shell/table/choice.js").Choice} choice @param {Protocol.State} state */
  light(choice, state, root) {
    const worker = choice.spots.map((spot) => spot.match(/^hand:\d+:(\d+)$/)?.[1]).find(Boolean);
    const hand = (state.table.seats[nearSeat(state)]?.hand ?? []).filter((card) => card.in_hand);
    this.row.price(Number(worker) || null, new Set(hand.map((card) => card.worker)));
    this.board.light((spot) => choice.open(spot));
    this.city.light(choice);
    highlightSpots(choice, state, root);
  }

  /** Colour the city by an agent's thoughts. */
  heat(spots) {
    this.city.heat(spots);
  }
}

/** A seat's area. `own`: large, for the user's seat; else compact. @param {Protocol.State} state */
function seatArea(seat, state, { own, name, notes }) {
  const badge = seat.first ? h("span.badge", { title: t("first_tip") }, t("first")) : null;
  return seatSection(
    seat,
    state,
    { classes: own ? " own" : "", own, name, badge, notes, points: "star" },
    h(".goods", coins(seat), supply(seat), settled(seat)),
    h(".cards", { "data-roving": true }, h(".hand", seat.hand.map(worker)), h(".held", held(seat))),
    h(".people", { "data-roving": true }, seat.characters.map(person)),
  );
}

function coins({ coins: purse, seat }) {
  const disc = (_, place) => picture(place < purse.number ? "coin" : "no-coin", "coin");
  const discs = Array.from({ length: purse.most }, disc);
  const words = t("n_coins", { n: purse.number });
  const element = touchable(purse.spot, words, { class: "purse", "data-seat": seat }, discs);
  return tip(element, () => [h("strong", words), h("span.tip-line", t("coins_tip", { n: purse.most }))]);
}

function supply({ supply: stock, drawing }) {
  const words = t("n_supply", { n: stock.number });
  const parts = [picture(drawing, "pawn"), h("b", String(stock.number))];
  return tip(touchable(stock.spot, words, { class: "figure" }, parts), () => words);
}

function settled({ settled: number, needed }) {
  const words = t("n_settled", { n: number, needed });
  const marks = { role: "img", "aria-label": words };
  const element = h("span.figure", marks, picture("houses"), h("b", `${number}/${needed}`));
  return tip(element, () => [h("strong", words), h("span.tip-line", t("settled_tip", { needed }))]);
}

function worker({ spot, worker: number, in_hand, drawing }) {
  const words = `${t("worker", { n: number })}, ${t(in_hand ? "in_hand" : "played")}`;
  const card = touchable(spot, words, { class: `card worker${in_hand ? "" : " played"}` }, picture(drawing));
  return tip(card, () => [h("strong", words), h("span.tip-line", t("worker_tip"))]);
}

function held(seat) {
  const place = () => h("span.card.place", { "aria-hidden": "true" });
  return [...seat.held.map(heldCard), ...Array.from({ length: seat.held_most - seat.held.length }, place)];
}

function heldCard({ spot, card, drawing }) {
  const words = `${t("held")}: ${buildingWords(card)}`;
  return tip(touchable(spot, words, { class: "card building" }, picture(drawing)), () => buildingTip(card));
}

function person({ spot, character, used }) {
  const { guild, points } = characterFacts(character);
  const name = t(`character_${character}`);
  const words = `${name}: ${t(`power_${character}_long`)} ${t("points")}: ${points}${used ? `. ${t("used")}` : ""}`;
  const marks = { class: `person suit-${guild}${used ? " used" : ""}` };
  const parts = [picture(`suit-${guild}`), h("span", name), starOf(points)];
  return tip(touchable(spot, words, marks, parts), () => characterTip(character));
}
