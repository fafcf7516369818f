/** Old Town's table: the town, the buildings, the stacks, the seats; and what a move would do, before it is made. */

import { h, listPanel, refill } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { highlightSpots, seen, touchable } from "../shell/table/highlights.js";
import { nearSeat, SeatedTable, seatSection } from "../shell/table/seats.js";
import { backs, buildingLine, chip, largeCard, obstacles, smallCard } from "./cards.js";
import { clue, keepFacts, nameOf, reason } from "./facts.js";
import { Town } from "./town.js";

/** The seat whose hand is shown large: the visitor's; where all hands are open, that of the seat to move. @param {Protocol.State} state */
function largeSeat(state) {
  return nearSeat(state) ?? (state.to_move !== null && !state.table.seats[state.to_move].backs ? state.to_move : null);
}

export class Table extends SeatedTable {
  constructor(says) {
    super(says);
    this.choice = null;
    this.state = null;
    this.town = new Town();
    this.buildings = listPanel("building-list", "buildings-area market", t("town_buildings"), buildingLine);
    this.stacks = h(".stacks", { "data-roving": true });
    this.middle = h("section.town-area", this.town.element, this.stacks);
    this.why = h(".why", { id: "why" });
    this.card = null; // the spot of the card that is shown large
    this.large = h(".large-card");
    this.hand = []; // the cards among which it is
    /** The areas by their place on the page. */
    this.areas = { market: this.buildings.element, city: this.middle, others: this.others, own: this.own };
    for (const area of [this.own, this.middle, this.buildings.element]) this.listen(area);
  }

  /** Show a state. @param {Protocol.State} state */
  render(state) {
    const { table } = state;
    keepFacts(table);
    this.state = state;
    this.town.render(table);
    this.buildings.show(table.buildings, this.names);
    const large = largeSeat(state);
    const area = (seat, head) => seatArea(seat, state, { ...head, large: seat.seat === large ? this.large : null });
    this.hand = table.seats[large]?.hand ?? [];
    this.showStacks(table, table.seats[large]);
    this.showSeats(table.seats, large, area);
  }

  /** The common stack, the own one of the large seat, and the card that was played last. */
  showStacks(table, near) {
    const pile = ({ spot, size, drawing }, key) => {
      const parts = [picture(drawing), h("b", String(size)), h("small", t(`${key}_short`))];
      return touchable(spot, t(key, { n: size }), { class: "stack" }, parts);
    };
    const { played } = table;
    const last = played.card ? clue(played.card) : "";
    refill(
      this.stacks,
      table.stacks.map((stack) => pile(stack, "town_common_stack")),
      near?.stack.size ? pile(near.stack, "town_own_stack") : null,
      h(
        "div",
        { ...seen(played.spot, `${t("town_played", { n: played.size })} ${last}`), class: "stack played", title: last },
        played.drawing ? picture(played.drawing, "plan") : h("span.no-card"),
        h("b", String(played.size)),
        h("small", t("town_played_short")),
      ),
    );
  }

  /** Light what the choice offers, and show what it would do. */
  light(choice, state, root) {
    this.choice = choice;
    root.dataset.phase = state.table.phase;
    highlightSpots(choice, state, root);
    this.showCard(choice.spots.find((spot) => this.cardOn(spot)) ?? this.card);
    this.show(choice.begun ? this.likely(choice.candidates, choice.staged) : []);
  }

  /** The staged move, or of several the plays, best first. */
  likely(moves, staged = null) {
    const { to_move } = this.state;
    return staged
      ? [staged]
      : moves.filter((move) => move.why).sort((one, other) => other.scores[to_move] - one.scores[to_move]);
  }

  /** What the pointer or the focus is on is shown as if it had been touched. */
  listen(area) {
    const look = (event) => this.look(event.target.closest?.("[data-touch]")?.dataset.touch);
    area.addEventListener("pointerover", look);
    area.addEventListener("focusin", look);
    for (const name of ["pointerleave", "focusout"]) area.addEventListener(name, () => this.look(null));
  }

  look(spot) {
    const { choice } = this;
    if (this.cardOn(spot)) this.showCard(spot);
    if (!choice || (choice.staged && choice.spots.length)) return;
    const touched = spot && choice.open(spot) ? [...choice.spots, spot] : choice.spots;
    this.show(touched.length ? this.likely(choice.holding(touched)) : []);
  }

  cardOn(spot) {
    return this.hand.find((card) => card.spot === spot);
  }

  /** Show a card of the hand large. */
  showCard(spot) {
    const card = this.cardOn(spot);
    this.card = card ? spot : null;
    this.large.classList.toggle("empty", !card);
    refill(this.large, card ? largeCard(card) : h("p.quiet", t("town_touch_card")), this.why);
  }

  /** Show the first of these moves in the town, and why it does so; of the others only that. */
  show(moves) {
    this.town.preview(moves[0]);
    const card = this.cardOn(this.card);
    refill(this.why, moves.length || !card ? moves.slice(0, 2).map(this.because, this) : obstacles(card));
  }

  because(move) {
    if (move.next) return h("p", t("town_pair_then"));
    if (!move.why) return null;
    const points = move.scores[this.state.to_move];
    return h("p", h("b", t("n_points", { n: points })), ` · ${move.why.map(reason).join(" ")}`);
  }

  /** Colour tokens and cards by an agent's thoughts. */
  heat(spots) {
    this.town.heat(spots);
    for (const card of this.own.querySelectorAll(".chip"))
      card.style.setProperty("--heat", spots?.[card.dataset.spot]?.share ?? 0);
  }
}

const MANY = 8; // cards of a hand that are shown at full size

/** A seat's area. `large`: the place of the touched card in the area of the own seat; none of other seats. @param {Protocol.State} state */
function seatArea(seat, state, { large, name, notes }) {
  const near = Boolean(large);
  const own = near && state.seats[seat.seat]?.mine;
  const badge = seat.first ? h("span.badge", t("town_first")) : null;
  const clues = `clues${seat.hand.length > MANY ? " many" : ""}`;
  const hand = near ? seat.hand.map((card) => chip(card, state)) : seat.hand.map(smallCard);
  const open = h("div", { class: clues, "data-roving": true, "data-spot": `hand:${seat.seat}` }, hand);
  const { size, spot } = seat.stack;
  const owned = seat.mine.length ? seat.mine.map(ownBuilding) : h("small", t("town_owns_nothing"));
  return seatSection(
    seat,
    state,
    { classes: near ? " near" : "", own, name, badge, notes, points: "points" },
    h(".owned", { "data-roving": true }, owned),
    h(".cards", seat.backs ? backs(seat.backs) : open),
    large,
    size && !near ? h("small.own-stack", { "data-spot": spot }, t("town_own_stack", { n: size })) : null,
  );
}

function ownBuilding({ spot, building, drawing }) {
  const name = nameOf(building);
  const parts = [picture(drawing), h("span", name)];
  return touchable(spot, t("town_own_building", { name }), { class: "own-building" }, parts);
}
