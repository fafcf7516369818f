/** The games of a file, or finished ones of this browser: a table that is sorted and filtered, and the way from game to
 * game. Both stand in the address. */

import { askGame, gameFile, recordPicture, request } from "../base/connection.js";
import { button, field, h, iconButton, refill, saveTable, textField, wayBar } from "../base/dom.js";
import { chosen, summed } from "../base/filter.js";
import { remembered } from "../base/games.js";
import { t } from "../base/i18n.js";
import { isTyping } from "../table/keyboard.js";
import { brandLink, openSettings, topOf } from "./header.js";

const PART = 100; // rows that are added at once
const ASKED = 10; // records that are replayed for one answer
const STEPS = { j: 1, k: -1 };
const COLUMNS = [["line"], ["players", "points"], ["margin"], ["moves"]]; // what stands in each, and is sorted by

let games = null; // of the server, asked for once
const led = new Map(); // record -> the move that decided it

const address = (first, { filter, order }) =>
  `#${new URLSearchParams({ ...first, ...(filter && { filter }), ...(order && { order }) })}`;

/** A seat's player with its points. */
const player = ({ colours }, { scores, ranks }, seat, name) => {
  const style = { "--seat": colours[seat]?.full ?? "#888" };
  const won = ranks?.[seat] === 1 ? "player won" : "player";
  return h("span", { class: won, style }, h("span", name), h("span", scores?.[seat]));
};

/** All games of the file. */
export async function recordedGames() {
  games ??= (await request("api/records")).map(summed);
  return games;
}

/** The games of a kind that this browser has finished. */
export async function finishedGames(about, game) {
  const ask = async ({ id, key }) => ({ ...(await askGame(id, key)), key });
  const found = await Promise.all(remembered().map((one) => ask(one).catch(() => null)));
  const over = found.filter((one) => one?.over && !one.replay && one.game === about.name);
  return over.map(({ id, key, moves, scores, seats, winners }, at) => {
    const ranks = seats.map(({ seat }) => (winners.includes(seat) ? 1 : 2));
    const agents = seats.map(({ seat, person, agent }) => person ?? agent ?? game.seatName(seat));
    return summed({ record: id, key, line: at + 1, moves, scores, ranks, agents });
  });
}

/** The way through the games of a table, for the page of one of them. */
export class Among {
  constructor(about, all, where) {
    this.where = where;
    this.record = Number(where.record);
    try {
      this.games = chosen(all, where.filter, where.order);
    } catch {
      this.games = all; // the table says what is wrong
    }
    this.place = this.games.findIndex(({ record }) => record === this.record);
    const told = all[this.record] ?? {};
    const players = told.agents?.map((spec, seat) => player(about, told, seat, spec));
    const [back, which] = [
      address({ records: "" }, where),
      t("game_of", { n: this.place + 1, all: this.games.length }),
    ];
    this.element = wayBar(["games_table", "game_before", "game_after"], back, this, which, players);
  }

  next(by) {
    return this.games[this.place + by];
  }

  go(by) {
    const next = this.next(by);
    if (next) location.hash = address({ record: next.record }, this.where);
  }
}

export class GamesTable {
  constructor(root, about, game, all, where) {
    this.about = about;
    this.game = game;
    this.all = all;
    this.where = where;
    document.title = t("games_table");
    const typed = (event) => this.change({ filter: event.target.value.trim() });
    const marks = { id: "filter", maxlength: null, placeholder: "loser=greedy margin<5", spellcheck: "false" };
    const filter = textField(where.filter, null, { ...marks, oninput: typed });
    this.count = h("span.quiet", { role: "status" });
    this.wrong = h("p.wrong", { role: "alert", "aria-live": "assertive" });
    this.head = h("tr");
    this.rows = h("tbody", { "data-roving": true });
    this.more = button(t("more_games"), () => this.add(), { "data-key": "more" });
    const save = button(t("save_table"), () => this.save(), { "data-key": "save-table" });
    const settings = iconButton("settings", t("settings"), () => openSettings(game));
    refill(
      root,
      topOf(brandLink(about.title), h("h2", t("games_table")), settings),
      h(
        ".games",
        h("form.filters", { onsubmit: (event) => event.preventDefault() }, [
          field(t("filter"), filter, t("filter_words")),
          h(".buttons", this.count, save),
        ]),
        this.wrong,
        h("table.panel", h("thead", this.head), this.rows),
        this.more,
      ),
    );
    this.keys = (event) => isTyping(event) || this.step(STEPS[event.key]);
    document.addEventListener("keydown", this.keys);
    this.show();
  }

  leave() {
    this.round = null;
    document.removeEventListener("keydown", this.keys);
  }

  /** Another filter or order, which the address keeps. */
  change(wish) {
    Object.assign(this.where, wish);
    const { finished, of } = this.where;
    const first = finished === undefined ? { records: "" } : { finished, ...(of && { of }) };
    history.replaceState(null, "", address(first, this.where));
    this.show();
  }

  show() {
    try {
      this.games = chosen(this.all, this.where.filter, this.where.order);
      this.wrong.textContent = "";
    } catch (error) {
      this.wrong.textContent = error.message;
      this.games = [];
    }
    refill(this.count, t("n_games", { n: this.games.length.toLocaleString(), all: this.all.length.toLocaleString() }));
    const heads = COLUMNS.map((names) => this.heading(names));
    refill(this.head, heads, h("th", { scope: "col", title: t("column_led_words") }, t("column_led")));
    refill(this.rows);
    this.shown = 0;
    this.round = {}; // what was asked for other rows is left
    this.add();
  }

  heading(names) {
    const { order } = this.where;
    const sorted = names.map((name) => ({ [name]: "ascending", [`-${name}`]: "descending" })[order]).find(Boolean);
    const head = (name) => {
      const [up, down] = [order === name, order === `-${name}`];
      const turn = () => this.change({ order: up ? `-${name}` : down ? "" : name });
      const sign = h("i", { "aria-hidden": "true" }, up ? "▲" : down ? "▼" : "");
      return button([t(`column_${name}`), sign], turn, { class: "heading", "data-key": `by-${name}` });
    };
    return h(`th.${names[0]}`, { scope: "col", "aria-sort": sorted }, names.map(head));
  }

  /** Draw further rows. */
  add() {
    const part = this.games.slice(this.shown, this.shown + PART);
    this.rows.append(...part.map((game) => this.row(game)));
    this.shown += part.length;
    this.more.hidden = this.shown >= this.games.length;
    this.askLed(part);
  }

  row(told) {
    const { record, key, line, margin, moves } = told;
    const named = (seat) => player(this.about, told, seat, told.agents?.[seat] ?? this.game.seatName(seat));
    const href = key ? `#${new URLSearchParams({ game: record, key })}` : address({ record }, this.where);
    const link = h("a", { href, "data-stop": true, "data-key": `r${record}` }, line);
    return h(
      "tr",
      { onclick: ({ target }) => target.closest("a") || link.click() },
      h("td.line", this.drawn(record, key), link),
      h("td.players", [...Array(told.players ?? 0).keys()].map(named)),
      h("td", String(margin ?? "–")),
      h("td", String(moves)),
      key ? h("td", "–") : this.decided(record),
    );
  }

  /** The table at the end of a game, small: of those that can be replayed, and asked for where it is seen. */
  drawn(record, key = "") {
    const known = key ? {} : led.get(record);
    const src = key ? gameFile(record, key, "table.svg") : recordPicture(this.about.name, record);
    const onerror = ({ target }) => target.remove(); // some games have no picture
    const shown = known && !known.wrong && h("img", { loading: "lazy", src, alt: "", onerror });
    return h("span.drawn", { "data-drawn": record }, shown);
  }

  /** The cell of the move that decided a game, as far as it is known. */
  decided(record) {
    const known = led.get(record);
    const mark = { "data-led": record };
    if (known?.wrong) return h("td.wrong", { ...mark, title: known.wrong }, known.wrong);
    const jump = known?.led && h("a", { href: address({ record, move: known.led }, this.where) }, known.led);
    return h("td", mark, jump || (known ? "–" : "…"));
  }

  /** Let the server replay what is drawn, part by part. */
  async askLed(part) {
    const { round } = this;
    const unknown = part.filter(({ key, record }) => !key && !led.has(record)).map(({ record }) => record);
    for (let at = 0; at < unknown.length && this.round === round; at += ASKED) {
      const asked = new URLSearchParams({ game: this.about.name, records: unknown.slice(at, at + ASKED).join() });
      for (const found of await request(`api/records/led?${asked}`).catch(() => [])) {
        led.set(found.record, found);
        this.rows.querySelector(`[data-led="${found.record}"]`)?.replaceWith(this.decided(found.record));
        this.rows.querySelector(`[data-drawn="${found.record}"]`)?.replaceWith(this.drawn(found.record));
      }
    }
  }

  /** To the next row or the one before. */
  step(by) {
    if (!by) return;
    const links = [...this.rows.querySelectorAll(".line a")];
    const at = links.indexOf(document.activeElement);
    if (at + by >= links.length) this.add();
    const next = this.rows.querySelectorAll(".line a")[at < 0 ? 0 : at + by];
    if (next instanceof HTMLElement) next.focus();
  }

  save() {
    const parts = ["line", "agents", "scores", "ranks", "margin", "moves"];
    const lines = this.games.map((game) => parts.map((part) => [game[part]].flat().join(" ")));
    saveTable(`${this.about.name}-games.csv`, [parts, ...lines]);
  }
}
