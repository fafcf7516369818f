/** The lobby (a guided first game, a new game, puzzles, records, games of this browser), and the invitation behind a seat's link. */

import { askGame } from "../base/connection.js";
import { button, choice, field, h, iconButton, panel, refill, textField } from "../base/dom.js";
import { needDrawings, picture } from "../base/drawings.js";
import { begin, forget, gameOf, guidedSeats, playerName, remembered } from "../base/games.js";
import { t } from "../base/i18n.js";
import { orTell } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { termsWords } from "../table/clocks.js";
import { beginLesson, isTaught, taught } from "../table/lesson.js";
import { languageChoice } from "./header.js";
import { SeatForm } from "./seat_form.js";

const MOST_SEEDS = 1e6;

export class Lobby {
  constructor(root, info, visit) {
    this.root = root;
    this.info = info;
    this.visit = visit;
    this.about = info.games[0];
    document.title = this.about.title;
    this.lay();
  }

  async lay() {
    const game = await gameOf(this.about);
    this.mine?.leave();
    this.mine = new MyGames(this.info, this.about);
    this.hero = h(".hero-pictures", { "aria-hidden": "true" });
    const words = h(".hero-words", h("h1", this.about.title), game.hero ? h("p", t(game.hero.words)) : null);
    const first = game.guided ? this.first(game) : null;
    const cards = [first, this.fresh(game), this.puzzles(game), this.mine.element, this.records()];
    const head = h("header.hero", words, this.hero, h(".hero-language", languageChoice()));
    refill(this.root, h(".lobby", head, h(".lobby-cards", cards)));
    if (game.hero) this.paint(game.hero.pictures);
  }

  async paint(pictures) {
    try {
      await needDrawings(this.about.name, pictures);
      refill(this.hero, ...pictures.map((name) => picture(name)));
    } catch {
      this.hero.remove();
    }
  }

  first(game) {
    const wish = { game: this.about.name, ...game.guided, seats: guidedSeats(game, this.about) };
    const learn = () => beginLesson(this.about, this.visit);
    const known = () => {
      taught(this.about);
      this.lay();
    };
    const fresh = game.lesson && !isTaught(this.about) && !remembered().some((one) => one.game === this.about.name);
    const look = (first) => `button${first ? " primary big" : ""}`;
    return panel(
      "lobby-card first-game",
      t(fresh ? "lesson_offer" : "first_game"),
      h("p", t(fresh ? "lesson_offer_words" : "first_game_words")),
      h(
        ".buttons",
        game.lesson ? button(t("lesson_start"), learn, { class: look(fresh), "data-key": "learn" }) : null,
        button(t("start_guided"), () => begin(wish, this.visit, { guide: 1 }), { class: look(!fresh) }),
        fresh ? button(t("lesson_known"), known, { class: "button quiet", "data-key": "known" }) : null,
      ),
    );
  }

  fresh(game) {
    const form = new SeatForm(this.info, this.about, game, (wish) => begin(wish, this.visit));
    const games = this.info.games.length > 1 ? this.gameChoice() : null;
    return panel("lobby-card", t("new_game"), games, form.element);
  }

  /** Puzzles for one, where the game has some. */
  puzzles(game) {
    const { puzzles } = this.about;
    if (!puzzles) return null;
    const learn = () => this.visit({ ...game.puzzleLesson, of: this.about.name, lesson: 1 });
    const go = (name) => () => this.visit({ puzzle: name, of: this.about.name });
    const printed = puzzles.printed.map(({ name, level: key }) => {
      const level = t(`level_${key}`);
      const heard = h("span.unseen", t("puzzle_n", { name, level }));
      const seen = [h("span", { "aria-hidden": "true" }, name), h("small", { "aria-hidden": "true" }, level)];
      return button([heard, seen], go(name), { "data-key": `puzzle-${name}` });
    });
    const fresh = puzzles.levels.map((level) => {
      const any = () => go(`${level}-${Math.floor(Math.random() * MOST_SEEDS)}`)();
      return button(t(`level_${level}`), any, { "data-key": `level-${level}` });
    });
    return panel(
      "lobby-card",
      t("puzzles"),
      h("p", t("puzzles_words")),
      game.puzzleLesson ? button(t("lesson_puzzles"), learn, { "data-key": "learn-puzzles" }) : null,
      h(".buttons.printed", printed),
      h("h3", t("new_puzzle")),
      h(".buttons", fresh),
    );
  }

  gameChoice() {
    const change = (name) => {
      this.about = this.info.games.find((one) => one.name === name);
      this.lay();
    };
    const games = this.info.games.map(({ name, title }) => [name, title]);
    return field(t("which_game"), choice(games, this.about.name, change));
  }

  records() {
    const open = async (event) => {
      const [file] = event.target.files;
      if (!file) return;
      orTell(async () => {
        const upload = JSON.parse((await file.text()).trim().split("\n")[0]);
        await begin({ game: this.about.name, upload }, this.visit);
      }, "no_record");
    };
    const table = this.about === this.info.games[0] ? this.info.records : 0;
    const accept = ".json,.jsonl,application/json";
    return panel(
      "lobby-card",
      t("records"),
      h("p", t("records_words")),
      h("label.button.file", t("open_record"), h("input.unseen", { type: "file", accept, onchange: open })),
      table ? h("a.button", { href: "#records=", "data-key": "table" }, t("n_games_table", { n: table })) : null,
    );
  }

  leave() {
    this.mine?.leave();
  }
}

const AGAIN = 10000; // milliseconds between two looks
const FINISHED = 8; // games that are over and shown

const linkTo = (id, key, lesson) => `#${new URLSearchParams({ game: id, key, ...(lesson ? { lesson } : {}) })}`;

class MyGames {
  constructor(info, about) {
    this.info = info;
    this.about = about;
    this.found = new Map();
    this.list = h(".my-games");
    const title = h("h2", t("games_of_mine"));
    this.element = h("section.panel.lobby-card.my-games-card", { hidden: true }, title, this.list);
    this.look();
    this.timer = setInterval(() => document.hidden || this.look(), AGAIN);
  }

  leave() {
    clearInterval(this.timer);
  }

  /** Ask how the games stand; those that are over stay as they are. */
  async look() {
    await Promise.all(remembered().map((one) => this.ask(one)));
    this.show();
  }

  async ask(one) {
    const kept = this.found.get(one.id + one.key);
    if (kept?.over && kept.rematch) return;
    try {
      const about = await askGame(one.id, one.key);
      const page = this.info.games.find(({ name }) => name === about.game);
      if (page) this.found.set(one.id + one.key, { ...one, ...about, page, game: await gameOf(page) });
    } catch (error) {
      if (error.code === "not_found") forget(one);
    }
  }

  show() {
    const games = remembered().flatMap((one) => this.found.get(one.id + one.key) ?? []);
    const open = games.filter(({ over, replay }) => !over && !replay);
    const turnFirst = open.toSorted((one, other) => Number(isMyTurn(other)) - Number(isMyTurn(one)));
    const ended = games.filter(({ over, replay }) => over || replay).slice(0, FINISHED);
    const { name } = this.about;
    const played = games.filter(({ over, replay, page }) => over && !replay && page.name === name).length;
    const where = new URLSearchParams({ finished: "", of: name });
    const table = h("a.button", { href: `#${where}`, "data-key": "finished" }, t("n_games_table", { n: played }));
    this.element.hidden = !games.length;
    const finished = this.part(open.length ? t("finished") : null, ended);
    refill(this.list, this.part(null, turnFirst), finished, played ? table : null);
  }

  part(title, games) {
    if (!games.length) return null;
    return [title ? h("h3", title) : null, h("ul.begun", games.map(this.line, this))];
  }

  line(game) {
    const { id, key, lesson, title, seats, when, rematch } = game;
    const short = /** @type {const} */ ({ dateStyle: "short", timeStyle: "short" });
    const date = new Date(when).toLocaleString(document.documentElement.lang, short);
    const names = seats.length ? seats.map((seat) => nameOf(seat, game)).join(", ") : t("a_record");
    const drop = () => {
      forget(game);
      this.show();
    };
    const next = rematch && !remembered().some((one) => one.id === rematch.id);
    return h(
      "li",
      h(
        "span.my-game",
        h("a", { href: linkTo(id, key, lesson), "data-key": id }, names),
        isMyTurn(game) ? h("span.badge.you", t("your_turn")) : null,
        h("small", [title, status(game), date].filter(Boolean).join(" · ")),
        next ? h("a", { href: linkTo(rematch.id, rematch.key) }, t("to_rematch")) : null,
      ),
      iconButton("close", t("forget_game", { names }), drop),
    );
  }
}

const isMyTurn = ({ seats, over, to_move }) => !over && to_move !== null && Boolean(seats[to_move]?.mine);

function nameOf({ seat, person, agent }, { page, game }) {
  if (person) return person;
  return agent ? playerName(agent, page) : game.seatName(seat);
}

/** The turn, or the result. */
function status(game) {
  const { seats, over, to_move, winners, scores } = game;
  if (!seats.length) return null;
  if (!over) return isMyTurn(game) ? null : t("to_move", { name: nameOf(seats[to_move], game) });
  const mine = winners.some((seat) => seats[seat].mine);
  const ended = mine ? t("you_won") : t("wins", { name: winners.map((seat) => nameOf(seats[seat], game)).join(" & ") });
  return `${ended} ${scores.join("–")}`;
}

/** Does the key open a seat that is still free? */
export const isInvited = ({ role, arrived, over, seats, seat }) =>
  role === "seat" && !arrived && !over && seats[seat].kind === "human";

export class Invitation {
  constructor(root, found, about, game, where) {
    this.where = where;
    const name = found.seats[found.seat].person ?? preferences.name;
    this.name = textField(name, t("your_name"), { id: "guest-name", placeholder: t("name") });
    document.title = found.title;
    refill(root, this.words(found, about, game));
  }

  words(found, about, game) {
    const { inviter, title, seats, seat, help, clock } = found;
    const line = ({ seat: number, person, agent }) => {
      const other = person ?? (agent ? playerName(agent, about) : t("a_person"));
      const dot = h("span.seat-dot", { "aria-hidden": "true" }, String(number + 1));
      const style = { "--seat": about.colours?.[number]?.full ?? "#888" };
      const name = h("b", game.seatName(number));
      return h("li", { style }, dot, name, h("span", number === seat ? t("your_seat") : other));
    };
    const host = inviter === null ? null : (seats[inviter].person ?? game.seatName(inviter));
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
}
