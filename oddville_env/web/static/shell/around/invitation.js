/** The invitation behind the link of a seat: host, game, players, and a field for one's name. */

import { button, field, h, refill, textField } from "../base/dom.js";
import { playerName } from "../base/games.js";
import { t } from "../base/i18n.js";
import { prefer, preferences } from "../base/storage.js";
import { termsWords } from "../table/clocks.js";

/** Does the key open a seat that is still free? */
export const isInvited = ({ role, arrived, over, seats, seat }) =>
  role === "seat" && !arrived && !over && seats[seat].kind === "human";

export class Invitation {
  constructor(root, found, about, game, where) {
    this.where = where;
    this.name = textField(found.seats[found.seat].person ?? preferences.name, t("your_name"), {
      id: "guest-name",
      placeholder: t("name"),
    });
    document.title = found.title;
    refill(root, this.words(found, about, game));
  }

  words(found, about, game) {
    const { inviter, title, seats, seat, help, clock } = found;
    const seatName = (number) => game.seatName(number, about.seat_names?.[number] ?? `${number + 1}`);
    const line = ({ seat: number, person, agent }) =>
      h(
        "li",
        { style: { "--seat": about.colours?.[number]?.full ?? "#888" } },
        h("span.seat-dot", { "aria-hidden": "true" }, String(number + 1)),
        h("b", seatName(number)),
        h("span", number === seat ? t("your_seat") : (person ?? (agent ? playerName(agent, about) : t("a_person")))),
      );
    const host = inviter === null ? null : (seats[inviter].person ?? seatName(inviter));
    return h(
      "form.panel.invitation",
      { onsubmit: (event) => this.accept(event) },
      h("h1", host === null ? t("invited") : t("invited_by", { name: host })),
      h("p", t("invited_to", { game: title, n: seats.length })),
      h("ul.seat-lines", seats.map(line)),
      help ? h("p.quiet", `${t("with_help")}: ${t("with_help_words")}`) : null,
      clock ? h("p.quiet", `${t("clock")}: ${termsWords(clock)}`) : null,
      field(t("your_name"), this.name),
      button(t("sit_down"), null, { type: "submit", class: "button primary big", "data-key": "accept" }),
    );
  }

  accept(event) {
    event.preventDefault();
    const name = this.name.value.trim();
    if (name) prefer("name", name);
    this.where.enter({ ...this.where, accepted: true, name });
  }

  leave() {}
}
