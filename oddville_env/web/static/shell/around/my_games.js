/** The visitor's own games: what is open and whose turn it is, what is over and how it ended; a touch goes on with it. */

import { request } from "../base/connection.js";
import { h, iconButton, refill } from "../base/dom.js";
import { forget, gameOf, playerName, remembered } from "../base/games.js";
import { t } from "../base/i18n.js";

const AGAIN = 10000; // milliseconds between two looks
const FINISHED = 8; // games that are over and shown

const linkTo = (id, key, lesson) => `#${new URLSearchParams({ game: id, key, ...(lesson ? { lesson } : {}) })}`;

export class MyGames {
  constructor(info) {
    this.info = info;
    this.found = new Map();
    this.list = h("div", { class: "my-games" });
    this.element = h(
      "section",
      { class: "panel lobby-card my-games-card", hidden: true },
      h("h2", {}, t("games_of_mine")),
      this.list,
    );
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
      const about = await request(`api/games/${one.id}?key=${encodeURIComponent(one.key)}`);
      const page = this.info.games.find(({ name }) => name === about.game);
      if (page) this.found.set(one.id + one.key, { ...one, ...about, page, game: await gameOf(page) });
    } catch (error) {
      if (error.code === "not_found") forget(one);
    }
  }

  show() {
    const games = remembered()
      .map((one) => this.found.get(one.id + one.key))
      .filter(Boolean);
    const open = games.filter(({ over, replay }) => !over && !replay);
    const turn = open.filter(isMyTurn);
    const waiting = open.filter((one) => !turn.includes(one));
    const ended = games.filter(({ over, replay }) => over || replay).slice(0, FINISHED);
    this.element.hidden = !games.length;
    refill(this.list, this.part(null, [...turn, ...waiting]), this.part(open.length ? t("finished") : null, ended));
  }

  part(title, games) {
    if (!games.length) return null;
    const lines = games.map((game) => this.line(game));
    return [title ? h("h3", {}, title) : null, h("ul", { class: "begun" }, lines)];
  }

  line(game) {
    const { id, key, lesson, title, seats, when, rematch } = game;
    const date = new Date(when).toLocaleString(document.documentElement.lang, {
      dateStyle: "short",
      timeStyle: "short",
    });
    const names = seats.length ? seats.map((seat) => nameOf(seat, game)).join(", ") : t("a_record");
    const drop = () => {
      forget(game);
      this.show();
    };
    const next = rematch && !remembered().some((one) => one.id === rematch.id);
    return h(
      "li",
      {},
      h(
        "span",
        { class: "my-game" },
        h("a", { href: linkTo(id, key, lesson), "data-key": id }, names),
        isMyTurn(game) ? h("span", { class: "badge you" }, t("your_turn")) : null,
        h("small", {}, [title, status(game), date].filter(Boolean).join(" · ")),
        next ? h("a", { href: linkTo(rematch.id, rematch.key) }, t("to_rematch")) : null,
      ),
      iconButton("close", t("forget_game", { names }), drop),
    );
  }
}

const isMyTurn = ({ seats, over, to_move }) => !over && to_move !== null && Boolean(seats[to_move]?.mine);

function nameOf({ seat, person, agent }, { page, game }) {
  if (person) return person;
  return agent ? playerName(agent, page) : game.seatName(seat, page.seat_names?.[seat] ?? `${seat + 1}`);
}

/** Whose turn it is, or how it ended; and the wins of those who have played more than one game. */
function status(game) {
  const { seats, over, to_move, winners, scores } = game;
  if (!seats.length) return null;
  if (!over) return isMyTurn(game) ? null : t("to_move", { name: nameOf(seats[to_move], game) });
  const mine = winners.some((seat) => seats[seat].mine);
  const ended = mine ? t("you_won") : t("wins", { name: winners.map((seat) => nameOf(seats[seat], game)).join(" & ") });
  return `${ended} ${scores.join("–")}`;
}
