/** The top of the page: the game, whose turn it is, and the doors to everything else. */

import { h, iconButton, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";
import { openLegend, openRules, openSettings } from "./dialogs.js";

export class Header {
  /** @param {import("./game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.brand = h("a.brand", { href: "#", title: t("to_lobby") }, this.sign(page.about.title));
    this.turn = h(".turn");
    this.trouble = h(".lost", { role: "alert", hidden: true });
    this.share = iconButton("share", t("players_links"), () => page.share());
    this.element = h(
      "header.top",
      h("h1", this.brand),
      this.turn,
      this.trouble,
      h("nav.doors", { "aria-label": t("menu") }, this.doors()),
    );
  }

  /** The game's sign and name. */
  sign(title) {
    const { brand } = this.page.game;
    return [brand ? picture(brand) : null, h("span", title)];
  }

  doors() {
    const { page } = this;
    return [
      iconButton("rules", t("rules"), () => openRules(page)),
      page.game.legend.length ? iconButton("legend", t("legend"), () => openLegend(page)) : null,
      this.share,
      iconButton("settings", t("settings"), () => openSettings(page.game)),
    ];
  }

  /** Whose turn it is, and how far the game is. @param {Protocol.State} state */
  render(state) {
    const { seats, game } = this.page;
    const seat = state.over ? state.outcome?.winners[0] : state.to_move;
    const colour = seat === undefined || seat === null ? null : this.page.colour(seat);
    const words = state.over
      ? t("wins", { name: state.outcome.winners.map((one) => seats.name(one)).join(" & ") })
      : t("to_move", { name: seats.name(seat) });
    this.turn.style.setProperty("--seat", colour?.full ?? "transparent");
    this.turn.style.setProperty("--seat-pale", colour?.pale ?? "transparent");
    const round = state.table?.round ? h("span.round", t("round", { n: state.table.round })) : null;
    const past = state.newest ? null : h("span.past", t("past", { n: state.shown, all: state.moves }));
    const sign = (holds, word, why) =>
      holds && h("span.badge", { title: t(why) }, t(word), h("span.unseen", `: ${t(why)}`));
    const signs = [
      sign(state.practice, "practice", "practice_words"),
      sign(this.page.hello.help, "with_help", "with_help_words"),
      sign(!state.saved, "not_saved", "not_saved_words"),
    ];
    refill(
      this.turn,
      colour && picture(game.seatSign(seat), "pawn"),
      h("b", words),
      game.notice?.(state) ?? null,
      round,
      past,
      h("span.signs", signs),
    );
  }

  connected(there, seconds) {
    this.trouble.hidden = there;
    if (there) refill(this.brand, this.sign(this.page.hello.title));
    else this.trouble.textContent = t("lost", { n: seconds });
  }
}
