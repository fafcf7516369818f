/** The way in: a guided first game, a new game, a record to look at, games that were begun here. */

import { remark } from "../base/announcements.js";
import { button, h, refill } from "../base/dom.js";
import { needDrawings, picture } from "../base/drawings.js";
import { begin, gameOf, remembered, weakest } from "../base/games.js";
import { t } from "../base/i18n.js";
import { beginLesson, isTaught, taught } from "../table/lesson.js";
import { MyGames } from "./my_games.js";
import { SeatForm } from "./seat_form.js";
import { languageChoice } from "./settings.js";

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
    this.mine = new MyGames(this.info);
    this.hero = h("div", { class: "hero-pictures", "aria-hidden": "true" });
    refill(
      this.root,
      h(
        "div",
        { class: "lobby" },
        h(
          "header",
          { class: "hero" },
          h(
            "div",
            { class: "hero-words" },
            h("h1", {}, this.about.title),
            game.hero ? h("p", {}, t(game.hero.words)) : null,
          ),
          this.hero,
          h("div", { class: "hero-language" }, languageChoice()),
        ),
        h(
          "div",
          { class: "lobby-cards" },
          game.guided ? this.first(game) : null,
          this.fresh(game),
          this.puzzles(game),
          this.mine.element,
          this.records(),
        ),
      ),
    );
    if (game.hero) this.paint(game.hero.pictures);
  }

  async paint(pictures) {
    try {
      await needDrawings(this.about.name, pictures);
      refill(
        this.hero,
        pictures.map((name) => picture(name)),
      );
    } catch {
      this.hero.remove();
    }
  }

  first(game) {
    const seats = game.guided.seats.map((seat) => (seat === "human" ? seat : (weakest(this.about) ?? seat)));
    const start = () => begin({ game: this.about.name, ...game.guided, seats }, this.visit, { guide: 1 });
    const learn = () => beginLesson(this.about, this.visit);
    const known = () => {
      taught(this.about);
      this.lay();
    };
    const fresh = game.lesson && !isTaught(this.about) && !remembered().some((one) => one.game === this.about.name);
    const look = (first) => `button${first ? " primary big" : ""}`;
    return h(
      "section",
      { class: "panel lobby-card first-game" },
      h("h2", {}, t(fresh ? "lesson_offer" : "first_game")),
      h("p", {}, t(fresh ? "lesson_offer_words" : "first_game_words")),
      h(
        "div",
        { class: "buttons" },
        game.lesson ? button(t("lesson_start"), learn, { class: look(fresh), "data-key": "learn" }) : null,
        button(t("start_guided"), start, { class: look(!fresh) }),
        fresh ? button(t("lesson_known"), known, { class: "button quiet", "data-key": "known" }) : null,
      ),
    );
  }

  fresh(game) {
    const form = new SeatForm(this.info, this.about, game, (wish) => begin(wish, this.visit));
    const games = this.info.games.length > 1 ? this.gameChoice() : null;
    return h("section", { class: "panel lobby-card" }, h("h2", {}, t("new_game")), games, form.element);
  }

  /** Puzzles for one, where the game has some. */
  puzzles(game) {
    const { puzzles } = this.about;
    if (!puzzles) return null;
    const learn = () => this.visit({ ...game.puzzleLesson, of: this.about.name, lesson: 1 });
    const go = (name) => () => this.visit({ puzzle: name, of: this.about.name });
    const printed = puzzles.printed.map(({ name, level: key }) => {
      const level = t(`level_${key}`);
      const heard = h("span", { class: "unseen" }, t("puzzle_n", { name, level }));
      const seen = [h("span", { "aria-hidden": "true" }, name), h("small", { "aria-hidden": "true" }, level)];
      return button([heard, seen], go(name), { "data-key": `puzzle-${name}` });
    });
    const fresh = puzzles.levels.map((level) =>
      button(t(`level_${level}`), () => go(`${level}-${Math.floor(Math.random() * MOST_SEEDS)}`)(), {
        "data-key": `level-${level}`,
      }),
    );
    return h(
      "section",
      { class: "panel lobby-card" },
      h("h2", {}, t("puzzles")),
      h("p", {}, t("puzzles_words")),
      game.puzzleLesson ? button(t("lesson_puzzles"), learn, { "data-key": "learn-puzzles" }) : null,
      h("div", { class: "buttons printed" }, printed),
      h("h3", {}, t("new_puzzle")),
      h("div", { class: "buttons" }, fresh),
    );
  }

  gameChoice() {
    const change = (event) => {
      this.about = this.info.games.find((one) => one.name === event.target.value);
      this.lay();
    };
    return h(
      "label",
      { class: "field" },
      h("span", {}, t("which_game")),
      h(
        "select",
        { onchange: change },
        this.info.games.map(({ name, title }) =>
          h("option", { value: name, selected: name === this.about.name }, title),
        ),
      ),
    );
  }

  records() {
    const open = async (event) => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        const upload = JSON.parse((await file.text()).trim().split("\n")[0]);
        await begin({ game: this.about.name, upload }, this.visit);
      } catch {
        remark(t("no_record"), "wrong");
      }
    };
    const records = this.info.records.filter((record) => record.game === this.about.name);
    const row = ({ record, file, line, moves, scores, agents, players }) =>
      h(
        "li",
        {},
        button(
          h("span", {}, (agents ?? [t("n_players", { n: players })]).join(" · ")),
          () => begin({ game: this.about.name, record }, this.visit),
          { class: "button entry" },
        ),
        h("small", {}, [`${file}:${line}`, t("n_moves", { n: moves }), scores?.join("–")].filter(Boolean).join(" · ")),
      );
    return h(
      "section",
      { class: "panel lobby-card" },
      h("h2", {}, t("records")),
      h("p", {}, t("records_words")),
      h(
        "label",
        { class: "button file" },
        t("open_record"),
        h("input", { type: "file", accept: ".json,.jsonl,application/json", onchange: open, class: "unseen" }),
      ),
      records.length ? h("ul", { class: "records" }, records.map(row)) : null,
    );
  }

  leave() {
    this.mine?.leave();
  }
}
