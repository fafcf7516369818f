/** The list of buildings, and clue cards: sentences with plans, backs for a hidden hand. */

import { h, ListPanel } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { touchable } from "../shell/table/highlights.js";
import { capital, cardFacts, clue, coloursOf, listed, nameOf, theName } from "./facts.js";

const colours = (card) => {
  const { pale, full } = coloursOf(cardFacts(card).building);
  return { "--card": full, "--card-pale": pale };
};

/** What can be done with a card now, in a few words: points, or why it cannot be played. */
function note({ spot, verdicts }, state) {
  const plays = state.legal
    .flatMap((group) => group.moves)
    .filter((move) => move.word.startsWith("play:") && move.path[0] === spot);
  if (plays.length) return `+${Math.max(...plays.map((move) => move.scores[state.to_move]))}`;
  const kinds = [...new Set(verdicts.map(({ verdict }) => verdict))].filter((verdict) => verdict !== "change");
  return kinds.map((verdict) => t(`verdict_${verdict}`)).join(" · ");
}

const verdictLines = (verdicts) =>
  verdicts.map(({ building, verdict }) =>
    h("span.tip-line", building ? h("b", capital(theName(building)), ": ") : null, t(`verdict_${verdict}_long`)),
  );

/** A card of the hand that is shown large. @param {Protocol.State} state */
export function clueCard(card, state) {
  const remark = note(card, state);
  const words = clue(card.card);
  const label = `${t("town_card", { card: card.card })}: ${words} ${remark}`;
  return touchable(
    card.spot,
    label,
    { class: `clue${card.shown ? " shown" : ""}`, style: colours(card.card), "aria-describedby": "why" },
    h("span.clue-sign", picture(card.sign.drawing), h("small", String(card.card))),
    h("span.clue-words", words),
    picture(card.drawing, "plan"),
    remark ? h("span", { class: `clue-note${remark.startsWith("+") ? " points" : ""}` }, remark) : null,
  );
}

/** A card of another open hand: its sign and its plan, its sentence for who asks. */
export function smallCard(card) {
  const words = clue(card.card);
  const drawn = h(
    "span",
    {
      class: "clue small",
      style: colours(card.card),
      "data-spot": card.spot,
      "data-stop": true,
      tabindex: -1,
      role: "img",
      "aria-label": `${t("town_card", { card: card.card })}: ${words}`,
    },
    picture(card.sign.drawing),
    picture(card.drawing, "plan"),
  );
  return tip(drawn, () =>
    [h("strong", t("town_card", { card: card.card })), h("span.tip-line", words), verdictLines(card.verdicts)].flat(),
  );
}

/** A hidden hand. */
export function backs({ spot, number, drawing }) {
  const words = t("town_n_cards", { n: number });
  return h(
    ".backs",
    { "data-spot": spot, role: "img", "aria-label": words, title: words },
    Array.from({ length: number }, () => picture(drawing)),
  );
}

export class Buildings extends ListPanel {
  constructor(names) {
    super("building-list", "buildings-area market", t("town_buildings"));
    this.names = names;
  }

  /** Show every building. */
  render(table) {
    this.show(table.buildings);
  }

  line({ spot, building, drawing, lots, in_supply, owner }) {
    const name = nameOf(building);
    const where = !lots ? t("town_unknown") : lots.length === 1 ? t("town_on_lot", { lot: lots[0] }) : lots.join(" · ");
    const whose =
      owner === null ? (in_supply ? t("town_in_supply") : "") : t("town_owned", { name: this.names(owner) });
    const spoken = !lots
      ? t("town_unknown")
      : lots.length === 1
        ? t("town_on_lot", { lot: lots[0] })
        : t("town_maybe_on", { lots: listed(lots) });
    const state = lots?.length === 1 ? " stands" : lots ? "" : " unknown";
    return touchable(
      spot,
      [name, spoken, whose].filter(Boolean).join(", "),
      { class: `building-line${state}` },
      picture(drawing),
      h("b", name),
      h("small", where),
      owner === null ? h("i", { class: in_supply ? "in-supply" : "", title: whose }) : picture(`hat-${owner}`, "pawn"),
    );
  }
}
