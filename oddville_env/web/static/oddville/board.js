/** The resources board: a line for each resource, its slots with their prices and the workers on them. */

import { h, panel, refill } from "../shell/base/dom.js";
import { picture } from "../shell/base/drawings.js";
import { t } from "../shell/base/i18n.js";
import { tip } from "../shell/base/tips.js";
import { cover } from "../shell/table/highlights.js";
import { coinOf } from "./row.js";

const FEW = 2; // workers that stand at their ease in the upper slot
const MANY = 4; // and those that stand in one line

export class Board {
  constructor() {
    this.lines = h("div", { class: "board-lines", "data-roving": true });
    this.element = panel("board-area", t("resources"), this.lines);
  }

  /** Show the workers on all slots. */
  render(table, names) {
    const slots = table.board[0].slots;
    const head = h(
      "div",
      { class: "board-head", "aria-hidden": "true" },
      h("span"),
      slots.map((slot) => coinOf(slot.price)),
    );
    refill(
      this.lines,
      head,
      table.board.map((resource) => this.line(resource, names)),
    );
    this.lines.style.setProperty("--slots", slots.length - 1);
  }

  line({ spot, resource, drawing, slots }, names) {
    const name = t(`resource_${resource}`);
    const standing = slots.flatMap((slot) => slot.workers.map((seat) => names(seat)));
    const touch = cover(spot, `${name}: ${standing.length ? standing.join(", ") : t("nobody")}`);
    tip(touch, () => [h("strong", {}, name), h("span", { class: "tip-line" }, t("resource_tip"))]);
    return h(
      "div",
      { class: "board-line", "data-spot": spot },
      touch,
      picture(drawing, "resource"),
      slots.map((slot) => this.slot(slot, name, names)),
    );
  }

  slot({ spot, slot, price, workers, upper }, name, names) {
    const who = workers.map((seat) => names(seat)).join(", ") || t("nobody");
    const touch = cover(spot, t("slot_of", { resource: name, slot, price, who }), { hidden: true });
    const full = workers.length > MANY ? " crowd" : workers.length > FEW ? " group" : "";
    const classes = `slot${upper ? " upper" : ""}${full}`;
    return h(
      "div",
      { class: classes, "data-spot": spot },
      workers.map((seat) => picture(`pawn-${seat}`, "pawn")),
      touch,
    );
  }

  /** Slots can be touched only where a worker may leave them. */
  light(open) {
    for (const touch of this.lines.querySelectorAll(".slot .cover")) touch.hidden = !open(touch.dataset.touch);
  }
}
