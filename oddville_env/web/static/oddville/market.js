/** The row of buildings, the resources board and the piles of characters. */

import { h, panel, refill } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { cover, seen, touchable } from "../shell/table/highlights.js";
import { buildingTip, buildingWords, characterFacts, characterTip, line } from "./facts.js";

export class Row {
  constructor() {
    this.cards = h(".row-cards", { "data-roving": true });
    this.element = h("section.row-area.panel", { "aria-label": t("row") }, this.cards);
  }

  /** Show what is for sale. */
  render(table) {
    this.offers = table.row;
    refill(this.cards, table.row.map(this.offer, this), this.deck(table.deck));
    this.price(null, new Set());
  }

  offer(offer, place) {
    const label = `${t("position", { place: place + 1 })}: ${buildingWords(offer.card)}; ${t("prices")} ${offer.prices.join(", ")}`;
    const card = touchable(offer.spot, label, { class: "card offer-card" }, picture(offer.drawing));
    const short = offer.prices.map((price, n) => `${n + 1}→${price}`).join("  ");
    tip(card, () => buildingTip(offer.card, [line(t("prices"), short)]));
    const all = offer.prices.map((price, n) => `${n + 1} → ${price}`).join(", ");
    const told = () => [h("strong", t("prices")), h("span.tip-line", t("prices_tip", { all }))];
    const prices = tip(h(".prices", { "aria-hidden": "true" }), told);
    return h(".offer", card, prices);
  }

  deck(deck) {
    const pile = h(".deck", seen(deck.spot, t("deck_of", { n: deck.size })), picture("deck"));
    tip(pile, () => t("deck_tip", { n: deck.size }));
    return h(".offer", pile, h(".prices", `${t("deck")} ${deck.size}`));
  }

  /** Show the prices of one worker card, or of all in hand where none is chosen. */
  price(worker, hand) {
    [...this.cards.querySelectorAll(".offer .prices")].slice(0, this.offers?.length ?? 0).forEach((place, index) => {
      const prices = this.offers[index].prices;
      const drawn = worker
        ? one(prices[worker - 1])
        : prices.map((price, number) => tag(number + 1, price, hand.has(number + 1)));
      refill(place, drawn);
      place.classList.toggle("single", Boolean(worker));
    });
  }
}

const one = (price) => h("span", { class: `price${price ? "" : " free"}` }, coinOf(price));

const tag = (worker, price, mine) =>
  h("span", { class: `price-tag${mine ? " in-hand" : ""}` }, h("small", String(worker)), h("b", String(price)));

/** A coin with a price on it. */
const coinOf = (price) => h("span.coin-price", picture("coin"), h("b", String(price)));

const FEW = 2; // workers that stand at their ease in the upper slot
const MANY = 4; // and those that stand in one line

export class Board {
  constructor() {
    this.lines = h(".board-lines", { "data-roving": true });
    this.element = panel("board-area", t("resources"), this.lines);
  }

  /** Show the workers on all slots. */
  render(table, names) {
    const slots = table.board[0].slots;
    const prices = slots.map((slot) => coinOf(slot.price));
    const lines = table.board.map((resource) => this.line(resource, names));
    refill(this.lines, h(".board-head", { "aria-hidden": "true" }, h("span"), prices), lines);
    this.lines.style.setProperty("--slots", slots.length - 1);
  }

  line({ spot, resource, drawing, slots }, names) {
    const name = t(`resource_${resource}`);
    const standing = slots.flatMap((slot) => slot.workers.map((seat) => names(seat)));
    const touch = cover(spot, `${name}: ${standing.length ? standing.join(", ") : t("nobody")}`);
    tip(touch, () => [h("strong", name), h("span.tip-line", t("resource_tip"))]);
    return h(
      ".board-line",
      { "data-spot": spot },
      touch,
      picture(drawing, "resource"),
      slots.map((slot) => this.slot(slot, name, names)),
    );
  }

  slot({ spot, slot, price, workers, upper }, name, names) {
    const who = workers.map((seat) => names(seat)).join(", ") || t("nobody");
    const touch = cover(spot, t("slot_of", { resource: name, slot, price, who }), { hidden: true });
    const full = workers.length > MANY ? " crowd" : workers.length > FEW ? " group" : "";
    const pawns = workers.map((seat) => picture(`pawn-${seat}`, "pawn"));
    return h("div", { class: `slot${upper ? " upper" : ""}${full}`, "data-spot": spot }, pawns, touch);
  }

  /** Slots can be touched only where a worker may leave them. */
  light(open) {
    for (const touch of this.lines.querySelectorAll(".slot .cover")) touch.hidden = !open(touch.dataset.touch);
  }
}

/** A pile of characters with its top. */
export function pile({ spot, guild, drawing, size, top }) {
  const name = top ? t(`character_${top}`) : t("pile_empty");
  const words = `${t(`suit_${guild}`)}: ${name}${top ? `. ${t(`power_${top}_long`)} ${t("points")}: ${characterFacts(top).points}. ${t("pile_size", { n: size })}` : ""}`;
  const line = h(
    "div",
    { ...seen(spot, words), class: `pile suit-${guild}${top ? "" : " empty"}` },
    h("span.pile-sign", picture(drawing), size ? h("span.pile-size", String(size)) : null),
    h("span.pile-text", h("b", name), top ? h("small", t(`power_${top}`)) : null),
    top ? starOf(characterFacts(top).points) : null,
  );
  return tip(line, () =>
    top ? [...characterTip(top), h("span.tip-line", t("pile_size", { n: size }))] : t("pile_empty_tip"),
  );
}

/** A star with points on it. */
export const starOf = (points) => h("span.star-points", picture("star"), h("b", String(points)));
