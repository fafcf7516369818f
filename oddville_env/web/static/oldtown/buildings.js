/** All buildings: where each may be, whose it is, and which lie in the supply to be taken. */

import { h, ListPanel } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { touchable } from "../shell/table/highlights.js";
import { listed, nameOf } from "./facts.js";

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
      h("b", {}, name),
      h("small", {}, where),
      owner === null ? h("i", { class: in_supply ? "in-supply" : "", title: whose }) : picture(`hat-${owner}`, "pawn"),
    );
  }
}
