/** A first game that teaches: a prepared game, in which each kind of move is done once.
 *
 * It is a game like any other: the deal of a seed, persons in all seats. What is played stands in `lessons/`: each
 * of its `steps` waits for one word of the visitor's, and what `then` follows is played by the others, which are connections with keys
 * of their own, and by the page for the visitor where turns are left out. So the words alone say how far the lesson is.
 */

import { Connection, request } from "../base/connection.js";
import { button } from "../base/dom.js";
import { begin, weakest } from "../base/games.js";
import { t } from "../base/i18n.js";
import { remark } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";
import { Coach, lessonOf } from "./coach.js";

const SLOW = 700; // milliseconds before a move that is to be seen
const STILL = 60; // where nothing moves on the page
const QUICK = 30; // where turns are left out
const FEW = 6; // moves that are all to be seen

/** Make a lesson's game and go there: the visitor has the first seat. */
export async function beginLesson({ name: game }, visit) {
  try {
    const { seed, partners } = await lessonOf(game);
    const names = [preferences.name || null, ...partners];
    const made = await request("api/games", { game, seats: names.map(() => "human"), names, seed });
    const [key, ...others] = made.keys.seats;
    visit({ game: made.id, key, lesson: others.join(",") });
  } catch (error) {
    remark(error.message, "wrong");
  }
}

const wordsOf = (text) => (text ? text.split(" ") : []);

/** All words of a lesson: the steps among them, and how many follow one another without any. */
function courseOf({ before, steps }) {
  const run = (text) => wordsOf(text).map((word, _, all) => ({ word, run: all.length }));
  return [...run(before), ...steps.flatMap(({ then, ...step }) => [step, ...run(then)])];
}

/** Has this visitor learned a game, or said no to it? */
export const isTaught = ({ name }) => preferences.taught.includes(name);

/** From now on the game's lesson is not offered first. */
export const taught = ({ name }) => prefer("taught", [...new Set([...preferences.taught, name])]);

export class Lesson {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page, lesson, quiet) {
    this.page = page;
    this.says = lesson.says;
    this.quiet = quiet;
    this.course = courseOf(lesson);
    this.all = lesson.steps.length;
    this.coach = new Coach(() => page.where.visit({}));
    this.element = this.coach.element;
    this.said = -1; // the move number up to which the page has said something
    this.partners = page.where.lesson.split(",").map((key) => this.partner(key));
  }

  /** Another player: it plays the words of the lesson and agrees to every question. */
  partner(key) {
    const nothing = () => {};
    const connection = new Connection(this.page.where.id, key, {
      heard: (message) => message.type === "state" && this.moves(message, connection),
      lost: nothing,
      gone: nothing,
    });
    return connection;
  }

  /** @param {Protocol.State} state */
  moves(state, connection) {
    if (state.may.agree) connection.send({ type: "agree", agrees: true });
    const next = this.course[state.moves];
    if (state.may.move && state.newest && next) this.later(next, state, connection);
  }

  later({ word, run }, { moves: at }, connection) {
    const wait = run > FEW ? QUICK : this.quiet() ? STILL : SLOW;
    setTimeout(() => connection.send({ type: "move", word, at }), wait);
  }

  /** A new state: turns that are left out are played for the visitor too. @param {Protocol.State} state */
  render(state) {
    if (state.reason === "enter" || state.reason === "undo") this.said = -1; // what was said is gone
    const next = this.course[state.moves];
    if (!next?.run || !state.may.move || this.said >= state.moves) return;
    this.said = state.moves;
    this.later(next, state, this.page);
  }

  /** The step that is to be done now. */
  get step() {
    const { state } = this.page;
    const next = state?.newest && state.may.move ? this.course[state.moves] : null;
    return next?.says ? next : null;
  }

  fits(move) {
    const [now, second] = this.course.slice(this.page.state.moves);
    return move.word === now.word && (!move.next || move.next === second?.word);
  }

  /** Is this another move than that of the step, or was it said already? Then it is not played. */
  refuses(move) {
    const { moves } = this.page.state;
    if (!this.step || this.said >= moves) return true;
    if (!this.fits(move)) {
      this.coach.reply(t("lesson_other"));
      return true;
    }
    this.said = move.next ? moves + 1 : moves; // the page says the second word of a pair itself
    return false;
  }

  /** Tell what is to be done, and mark where. @param {Protocol.State} state @param {import("./choice.js").Choice} choice */
  look(state, choice) {
    if (!state.newest) return;
    if (state.moves >= this.course.length) return this.end();
    const { step } = this;
    if (!step) {
      if (this.course[state.moves].run > FEW || state.may.move)
        this.coach.tell(t("lesson_left_out"), this.number(state), this.all);
      return this.coach.mark(null);
    }
    this.coach.tell(t(`lesson_${step.says}`), this.number(state), this.all, this.words(step, state, choice));
    const astray = choice.begun && !choice.candidates.some((move) => this.fits(move));
    this.coach.reply(astray ? t("lesson_other") : "");
    this.coach.mark(astray ? "back" : this.next(choice));
  }

  /** The step's move in words. */
  words({ word }, state, choice) {
    const { game } = this.page;
    const move = choice.moves.filter((one) => this.fits(one)).at(-1);
    return t("lesson_now", { move: move ? game.sentence(move, state) : game.sentenceOf(word) });
  }

  number(state) {
    return this.course.slice(0, state.moves + 1).filter(({ says }) => says).length;
  }

  /** What is touched next. */
  next(choice) {
    if (choice.staged) return "confirm";
    const move = choice.moves.filter((one) => this.fits(one)).at(-1);
    const left = move?.path.filter((spot) => !choice.spots.includes(spot));
    return left?.[0] ?? move?.word ?? null;
  }

  end() {
    const { about, game, where } = this.page;
    taught(about);
    const seats = game.guided.seats.map((seat) => (seat === "human" ? seat : (weakest(about) ?? seat)));
    const real = () => begin({ game: about.name, seats }, where.visit, { guide: 1 });
    const lobby = () => where.visit({});
    this.coach.end(t(`lesson_${this.says}`), [
      button(t("lesson_real"), real, { class: "button primary", "data-key": "lesson-real" }),
      button(t("to_lobby"), lobby, { "data-key": "lesson-leave" }),
    ]);
  }

  leave() {
    for (const connection of this.partners) connection.close();
  }
}
