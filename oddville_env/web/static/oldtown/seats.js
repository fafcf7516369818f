/** A seat's belongings: points, own buildings, hand. */

import { h } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/overlays.js";
import { touchable } from "../shell/table/highlights.js";
import { seatHead } from "../shell/table/seats.js";
import { backs, clueCard, smallCard } from "./cards.js";
import { nameOf } from "./facts.js";

/** A seat's area. `near`: large, for whoever sits here; else compact. @param {Protocol.State} state */
export function seatArea(seat, state, { near, name, notes }) {
  const classes = `seat panel${near ? " near" : ""}${state.to_move === seat.seat ? " moves" : ""}`;
  const colours = { "--seat": seat.colour.full, "--seat-pale": seat.colour.pale, "--seat-ink": seat.colour.ink };
  const many = seat.hand.length > 6 ? " many" : seat.hand.length > 4 ? " more" : "";
  const hand = near ? seat.hand.map((card) => clueCard(card, state)) : seat.hand.map(smallCard);
  return h(
    "section",
    {
      class: classes,
      "data-spot": seat.spot,
      style: colours,
      "aria-label": near && state.seats[seat.seat]?.mine ? t("own_seat", { name }) : name,
      "data-seat": seat.seat,
    },
    head(seat, state, name, notes),
    h(
      ".owned",
      { "data-roving": true },
      seat.mine.map(ownBuilding),
      seat.mine.length ? null : h("small", t("town_owns_nothing")),
    ),
    h(
      ".cards",
      seat.backs
        ? backs(seat.backs)
        : h("div", { class: `clues${many}`, "data-roving": true, "data-spot": `hand:${seat.seat}` }, hand),
    ),
    seat.stack.size && !near
      ? h("small.own-stack", { "data-spot": seat.stack.spot }, t("town_own_stack", { n: seat.stack.size }))
      : null,
  );
}

function head(seat, state, name, notes) {
  const badge = seat.first ? h("span.badge", t("town_first")) : null;
  return seatHead(seat, name, badge, notes, score(state.score[seat.seat], name));
}

function score({ points, sources }, name) {
  const parts = (sources ?? []).map(({ source, points: part }) => [t(`source_${source}`), part]);
  const words = parts.map(([source, part]) => `${source} ${part}`).join(", ");
  const sum = t("town_n_points", { n: points });
  const sign = h(
    "span.score",
    { role: "img", "aria-label": `${name}: ${sum}. ${words}`, "data-stop": true, tabindex: 0 },
    picture("points"),
    h("b", String(points)),
  );
  return tip(sign, () =>
    [h("strong", sum), parts.map(([source, part]) => h("span.tip-line", h("b", source), ` ${part}`))].flat(),
  );
}

function ownBuilding({ spot, building, drawing }) {
  const name = nameOf(building);
  return touchable(
    spot,
    t("town_own_building", { name }),
    { class: "own-building" },
    picture(drawing),
    h("span", name),
  );
}
