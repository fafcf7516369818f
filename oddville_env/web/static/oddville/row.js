/** The row: six buildings for sale, the price of each for the chosen worker card, and the deck. */

import { h, refill } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/tips.js";
import { touchable } from "../shell/table/highlights.js";
import { buildingTip, buildingWords, line } from "./facts.js";

export class Row {
  constructor() {
    this.cards = h("div", { class: "row-cards", "data-roving": true });
    this.element = h("section", { class: "row-area panel", "aria-label": t("row") }, this.cards);
  }

  /** Show what is for sale. */
  render(table) {
    this.offers = table.row;
    refill(
      this.cards,
      table.row.map((offer, place) => this.offer(offer, place)),
      this.deck(table.deck),
    );
    this.price(null, new Set());
  }

  offer(offer, place) {
    const label = `${t("position", { place: place + 1 })}: ${buildingWords(offer.card)}; ${t("prices")} ${offer.prices.join(", ")}`;
    const card = touchable(offer.spot, label, { class: "card offer-card" }, picture(offer.drawing));
    tip(card, () =>
      buildingTip(offer.card, [line(t("prices"), offer.prices.map((price, n) => `${n + 1}→${price}`).join("  "))]),
    );
    return h("div", { class: "offer" }, card, h("div", { class: "prices", "aria-hidden": "true" }));
  }

  deck(deck) {
    const pile = h(
      "div",
      {
        class: "deck",
        "data-spot": deck.spot,
        "data-stop": true,
        tabindex: -1,
        role: "img",
        "aria-label": t("deck_of", { n: deck.size }),
      },
      picture("deck"),
    );
    return h(
      "div",
      { class: "offer" },
      tip(pile, () => t("deck_tip", { n: deck.size })),
      h("div", { class: "prices" }, `${t("deck")} ${deck.size}`),
    );
  }

  /** Show the prices of one worker card, or of all in hand where none is chosen. */
  price(worker, hand) {
    [...this.cards.querySelectorAll(".offer .prices")].slice(0, this.offers?.length ?? 0).forEach((place, index) => {
      const prices = this.offers[index].prices;
      refill(
        place,
        worker ? one(prices[worker - 1]) : prices.map((price, number) => tag(number + 1, price, hand.has(number + 1))),
      );
      place.classList.toggle("single", Boolean(worker));
    });
  }
}

const one = (price) => h("span", { class: `price${price ? "" : " free"}` }, coinOf(price));

const tag = (worker, price, mine) =>
  h("span", { class: `price-tag${mine ? " in-hand" : ""}` }, h("small", {}, String(worker)), h("b", {}, String(price)));

/** A coin with a price on it. */
export const coinOf = (price) => h("span", { class: "coin-price" }, picture("coin"), h("b", {}, String(price)));
