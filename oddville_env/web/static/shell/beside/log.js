/** The log: a line for each turn, with its player, moves and points; each move is a link to its moment. */

import { h, Part, panel, refill } from "../base/dom.js";
import { missingDrawings, needDrawings, picture } from "../base/drawings.js";
import { lossWords, t } from "../base/i18n.js";

const RECENT = 6; // turns beside the table
const nothing = () => {}; // without its pictures the log still tells all

/** The moves of a seat that follow one another. */
function turnsOf(entries) {
  const turns = [];
  for (const entry of entries)
    if (turns.at(-1)?.[0].seat === entry.seat) turns.at(-1).push(entry);
    else turns.push([entry]);
  return turns;
}

export class Log extends Part {
  entries = [];
  list = this.listened(h("ol.moves"));
  element = h(".move-list", this.list);
  recent = this.listened(h("ol.last-moves"));
  beside = panel("last-moves-area", t("last_moves"), this.recent);

  /** Take in what is new, and mark the moment that is shown. @param {Protocol.State} state */
  render(state) {
    if (state.list?.entries) this.entries = [...this.entries.slice(0, state.list.from), ...state.list.entries];
    this.entries = this.entries.slice(0, state.moves);
    this.shown = state.shown;
    const names = this.entries.flatMap((entry) => this.page.game.pictured?.(entry) ?? []);
    if (missingDrawings(names).length) needDrawings(this.page.about.name, names).then(() => this.show(), nothing);
    this.show();
  }

  show() {
    const turns = turnsOf(this.entries).map((turn) => this.line(turn));
    refill(this.list, h("li", this.jump(0, t("beginning"))), turns);
    const before = turnsOf(this.entries.slice(0, this.shown)).slice(-RECENT).reverse();
    refill(this.recent, ...before.map((turn) => this.line(turn, false)));
    this.beside.hidden = !before.length;
    this.showCurrent();
  }

  /** A turn: whose it is, what was done, the points that it brought. `jumps`: each move is a button. */
  line(turn, jumps = true) {
    const { game, seats, colour, panels } = this.page;
    const [{ seat, move }] = turn;
    const parts = turn.map((entry, place) => {
      const told = [game.told(entry)];
      const end = place === turn.length - 1 ? "." : "; ";
      const { change, standard_error } = panels.analysis.curve.mistake(entry) ?? {};
      if (change) told.push(h("span.cost", { title: t("cost_words") }, ` ${lossWords(-change, standard_error)}`));
      return [jumps ? this.jump(entry.move, told) : h("span", { "data-move": entry.move }, told), end];
    });
    const points = turn.reduce((sum, entry) => sum + this.gain(entry), 0);
    return h(
      "li.turn-line",
      { style: { "--seat-pale": colour.call(this.page, seat).pale }, "data-key": `t${move}` },
      picture(game.seatSign(seat), "pawn"),
      h("p", h("b", seats.name(seat)), " ", parts),
      points ? h("b.gained", { title: t("n_points", { n: points }) }, signed(points)) : null,
    );
  }

  jump(move, words) {
    const { page } = this;
    const go = (event) => {
      event.preventDefault();
      page.send({ type: "go", move: move === page.state.moves && !page.state.over ? null : move });
    };
    const href = `#${new URLSearchParams({ game: page.where.id, key: page.where.key, move: String(move) })}`;
    const marks = { "data-key": `m${move}`, "data-move": move, "aria-current": move === this.shown && "step" };
    return h("a.move", { href, onclick: go, ...marks }, words);
  }

  /** The newest move in words, with the points that it brought. */
  get newest() {
    const last = this.entries.at(-1);
    if (!last) return "";
    const points = this.gain(last);
    const gain = points ? ` ${t("n_points", { n: points })}.` : "";
    return `${this.page.seats.name(last.seat)} ${h("p", this.page.game.told(last)).textContent}.${gain} `;
  }

  /** The points that a move brought to the seat that made it. */
  gain({ seat, move, scores }) {
    return scores ? scores[seat] - (this.entries[move - 2]?.scores[seat] ?? 0) : 0;
  }

  /** A list: what a move was about is lit on the table while the pointer or the focus is on it. */
  listened(list) {
    const look = (event) => {
      const place = event.target.closest?.("[data-move], .turn-line");
      const moves = [...(place?.querySelectorAll("[data-move]") ?? []), place].map((one) => one?.dataset.move);
      this.light(this.entries.filter(({ move }) => moves.includes(String(move))));
    };
    for (const name of ["pointerover", "focusin"]) list.addEventListener(name, look);
    for (const name of ["pointerleave", "focusout"]) list.addEventListener(name, () => this.light([]));
    return list;
  }

  light(entries) {
    const { board, game } = this.page;
    const spots = new Set(entries.flatMap((entry) => game.spotsOf(entry)));
    for (const place of board.querySelectorAll("[data-spot]"))
      place.classList.toggle("told", spots.has(place.dataset.spot));
  }

  /** Scroll to the moment that is shown. */
  showCurrent() {
    if (this.element.closest("[hidden]")) return; // measuring a hidden list costs a layout of the page
    const current = this.list.querySelector("[aria-current]");
    if (current) this.element.scrollTop = current.offsetTop - this.element.clientHeight / 2;
  }
}

const signed = (points) => `${points > 0 ? "+" : "−"}${Math.abs(points)}`;
