/** The tree of a search, step by step: a table of its moves, the line to one of them as ghosts on the game's table. */

import { button, h, Part, refill, s } from "../base/dom.js";
import { needDrawings, picture, use } from "../base/drawings.js";
import { percent, t } from "../base/i18n.js";
import { tidyStops } from "../table/keyboard.js";

const column = (name) => h("th", { scope: "col", title: t(`tree_${name}_words`) }, t(`tree_${name}`));

export class Tree extends Part {
  open = new Set(); // lines by their words, as the chosen one
  rows = h("tbody", { "data-roving": true });
  head = h("thead", h("tr", ["move", "visits", "value", "prior"].map(column)));
  element = h("details.tree", { open: true }, h("summary", t("tree")), h("table", this.head, this.rows));

  /** Another analysis; null: none. @param {Protocol.Analysis} found */
  render(found) {
    this.tree = [];
    for (const branch of found?.tree ?? []) {
      const line = [...(this.tree[branch.parent]?.line ?? []), branch];
      this.tree.push({ ...branch, line, name: line.map(({ word }) => word).join(" ") });
    }
    this.element.hidden = !this.tree.length;
    this.choose(found ? this.chosen : null);
  }

  choose(name) {
    this.chosen = name;
    refill(this.rows, this.below(null));
    tidyStops(this.element);
    this.show(name);
  }

  /** The rows of the moves behind another one; null: at the root. */
  below(parent) {
    const rows = (branch, place) => branch.parent === parent && this.row(branch, this.below(place));
    return this.tree.map(rows).filter(Boolean);
  }

  /** The row of a move, before those behind it where it is open. */
  row({ name, line, word, seat, visits, value, prior }, inner) {
    const { page } = this;
    const look = () => this.show(name);
    const back = () => this.show(this.chosen);
    const turn = () => {
      if (!this.open.delete(name)) this.open.add(name);
      this.choose(name);
    };
    const expanded = inner.length ? String(this.open.has(name)) : null;
    const marks = { class: "branch", "data-key": `tree-${name}`, "data-stop": true, "aria-expanded": expanded };
    const player = [picture(page.game.seatSign(seat), "pawn"), h("span.unseen", page.seats.name(seat))];
    const move = button([h("i", line.length), player, h("span", page.game.sentenceOf(word))], turn, marks);
    const words = line.map((one) => one.word);
    const further = () => page.playOn(page.state.shown, null, words);
    const chosen = name === this.chosen;
    const on = chosen && page.state.may.play_on && button(t("search_on"), further, { "data-key": "search-on" });
    const cells = [visits.toLocaleString(), percent(value), percent(prior)].map((words) => h("td", words));
    const style = { "--depth": line.length - 1, "--seat": page.colour(seat).full };
    const listeners = { onpointerenter: look, onfocusin: look, onpointerleave: back, onfocusout: back };
    const current = { "aria-current": chosen && "true" };
    const row = h("tr", { style, ...listeners, ...current }, h("th", { scope: "row" }, move), cells);
    return [row, on && h("tr", { style, ...current }, h("td", { colspan: 4 }, on)), this.open.has(name) && inner];
  }

  /** Show a line as ghosts: at each move's last spot what it brings there, and its number. */
  async show(name) {
    const { page } = this;
    this.shown = name;
    const { line = [] } = this.tree.find((branch) => branch.name === name) ?? {};
    const drawings = line.map(({ drawing, seat }) => drawing ?? page.game.seatSign(seat));
    await needDrawings(page.about.name, drawings).catch(() => {});
    if (this.shown !== name) return;
    for (const ghost of page.board?.querySelectorAll(".step") ?? []) ghost.remove();
    for (const [at, { spot, seat }] of line.entries()) {
      const place = page.board.querySelector(`[data-spot="${spot}"], [data-plot="${spot}"]`);
      const { full, ink } = page.colour(seat);
      if (place) haunt(place, drawings[at], String(at + 1), { "--seat": full, "--seat-ink": ink });
    }
  }
}

/** Put a ghost on a place of the table. */
function haunt(place, drawing, number, colours) {
  const nth = place.querySelectorAll(":scope > .step").length;
  const marks = { style: { ...colours, "--nth": nth }, "aria-hidden": "true" };
  if (!(place instanceof SVGGraphicsElement))
    return place.append(h("span.step", marks, picture(drawing), h("b", number)));
  const { x, y, width, height } = place.getBBox();
  const box = { x, y, width, height };
  const words = s("text", { x: x + 8, y: y + 22 }, number);
  return place.ownerSVGElement.append(s("g.step", marks, use(drawing, box), s("rect", box), words));
}
