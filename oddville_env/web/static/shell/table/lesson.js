/** What teaches a game: the coach's panel, the guide's hints in a first game, and the lesson, a prepared game. */

import { Connection, request } from "../base/connection.js";
import { button, h, Part, refill, spotElement } from "../base/dom.js";
import { begin, guidedSeats } from "../base/games.js";
import { addTexts, speaking, t } from "../base/i18n.js";
import { orTell } from "../base/overlays.js";
import { prefer, preferences } from "../base/storage.js";

const SLOW = 700; // milliseconds before a move that is to be seen
const STILL = 60; // where nothing moves on the page
const QUICK = 30; // where turns are left out
const FEW = 6; // moves that are all to be seen

/** Make a lesson's game and go there: the visitor has the first seat. */
export const beginLesson = ({ name: game }, visit) =>
  orTell(async () => {
    const { seed, partners } = await lessonOf(game);
    const names = [preferences.name || null, ...partners];
    const made = await request("api/games", { game, seats: names.map(() => "human"), names, seed });
    const [key, ...others] = made.keys.seats;
    visit({ game: made.id, key, lesson: others.join(",") });
  });

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

export class Lesson extends Part {
  constructor(page, lesson, quiet) {
    super(page);
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
    const heard = (message) => message.type === "state" && this.moves(message, connection);
    const connection = new Connection(this.page.where.id, key, { heard });
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
    const move = choice.moves.filter((one) => this.fits(one)).at(-1);
    return t("lesson_now", { move: move ? this.page.game.sentence(move, state) : this.page.game.sentenceOf(word) });
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
    const real = () => begin({ game: about.name, seats: guidedSeats(game, about) }, where.visit, { guide: 1 });
    this.coach.end(t(`lesson_${this.says}`), [
      button(t("lesson_real"), real, { class: "button primary", "data-key": "lesson-real" }),
      button(t("to_lobby"), () => where.visit({}), { "data-key": "lesson-leave" }),
    ]);
  }

  leave() {
    for (const connection of this.partners) connection.close();
  }
}

/** Load the texts that explain a game, in the user's language. */
export const needLessonTexts = async () =>
  addTexts({ [speaking()]: await request(`static/lessons/texts/${speaking()}.json`) });

/** A lesson by its name, with its texts. */
export async function lessonOf(name) {
  await needLessonTexts();
  return request(`static/lessons/${name}.json`);
}

/** What can be touched for a key, a spot of the table or a button. @returns {HTMLElement} */
function targetOf(key) {
  const name = CSS.escape(key);
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll(`[data-key="${name}"], [data-touch="${name}"]`);
  return [...all].find((one) => one.getClientRects().length) ?? null;
}

export class Coach {
  /** `leave` is called to end the lesson. */
  constructor(leave) {
    this.key = null;
    this.count = h("b");
    this.answer = h("p.coach-answer", { role: "status" });
    this.words = h("p.coach-words", { role: "status" });
    this.show = button(t("lesson_show"), () => this.point(true), { "data-key": "lesson-show" });
    this.leave = button(t("lesson_leave"), leave, { class: "button quiet", "data-key": "lesson-leave" });
    this.buttons = h(".buttons", this.show, this.leave);
    this.bar = h("progress", { "aria-hidden": "true" });
    this.element = h(
      "section.coach",
      { "aria-label": t("lesson") },
      h("header", this.count, this.bar, this.buttons),
      this.answer,
      this.words,
    );
  }

  /** Tell a step: why, and what to do now; the same words are not said twice. */
  tell(why, number, all, now = "") {
    if (this.words.textContent === `${why} ${now}`) return;
    refill(this.count, t("lesson_step", { n: number, all }));
    this.bar.max = all;
    this.bar.value = number;
    this.reply("");
    refill(this.words, why, " ", h("b", now));
    this.fresh = true;
  }

  /** Answer gently what is not what the step asks for. */
  reply(words) {
    if (this.answer.textContent !== words) this.answer.textContent = words;
  }

  /** Mark what is to be touched now; null: nothing. It comes into sight when it is another thing than before. */
  mark(key) {
    this.key = key;
    document.querySelector(".taught")?.classList.remove("taught");
    const target = key && targetOf(key);
    this.show.setAttribute("aria-disabled", String(!target)); // it stays, so the focus is not lost
    if (!target) return;
    const place = target.matches(".cover") ? target.parentElement : target;
    place.classList.add("taught");
    if (this.fresh) this.point(false);
    this.fresh = false;
  }

  /** Bring it into sight, and the focus to it if asked. */
  point(focused) {
    const target = this.key && targetOf(this.key);
    if (!target?.closest(".dock")) target?.scrollIntoView({ block: "center", inline: "nearest" }); // the dock stays in sight
    if (focused) target?.focus({ preventScroll: true });
  }

  /** The end: what was learned, and what may come next. */
  end(words, next) {
    this.tell(words, this.bar.max, this.bar.max);
    this.mark(null);
    this.element.classList.add("done");
    refill(this.buttons, next);
  }
}

const GAP = 14;

export class Guide extends Part {
  constructor(page) {
    super(page);
    this.left = [...page.game.steps];
    this.now = null;
    this.bubble = h("aside.guide", { role: "note", hidden: true, "aria-live": "polite" });
    document.body.append(this.bubble);
    this.again = () => this.place();
    addEventListener("resize", this.again);
  }

  /** Tell the next thing that fits what is shown. @param {Protocol.State} state @param {import("./choice.js").Choice} choice */
  look(state, choice) {
    if (!state.newest) return;
    const next = this.left.find((step) => step.when(state, choice));
    const told = this.now && !this.now.done;
    if (told && this.now.when(state, choice) && !(next?.soon && !this.now.stays)) return this.place();
    if (!next) return this.hide();
    this.now = { ...next, spotNow: next.spot?.(state, choice) ?? null };
    this.left = this.left.filter((step) => step !== next);
    this.tell();
  }

  tell() {
    refill(
      this.bubble,
      h("p", t(`guide_${this.now.name}`)),
      h(
        ".buttons",
        button(t("got_it"), () => this.next(), { class: "button primary" }),
        button(t("no_guide"), () => this.close(), { class: "button quiet" }),
      ),
    );
    this.bubble.hidden = false;
    requestAnimationFrame(this.again);
  }

  next() {
    this.now.done = true;
    this.hide();
    this.look(this.page.state, this.page.choice);
  }

  hide() {
    this.bubble.hidden = true;
    document.querySelector(".pointed")?.classList.remove("pointed");
  }

  /** Beside what it speaks of, where it covers nothing of it. */
  place() {
    if (this.bubble.hidden) return;
    const target =
      this.now.spotNow &&
      (spotElement(this.now.spotNow) ?? document.querySelector(`[data-key="${CSS.escape(this.now.spotNow)}"]`));
    const around = target?.getBoundingClientRect();
    document.querySelector(".pointed")?.classList.remove("pointed");
    target?.classList.add("pointed");
    const { offsetWidth: width, offsetHeight: height } = this.bubble;
    this.bubble.classList.toggle("central", !around);
    if (!around) return this.bubble.style.removeProperty("transform");
    const right = around.right + GAP + width < innerWidth;
    const leftward = around.left - GAP - width > 0;
    const beside = right
      ? around.right + GAP
      : leftward
        ? around.left - GAP - width
        : Math.min(Math.max(around.left, GAP), innerWidth - width - GAP);
    const middle = around.top + around.height / 2 - height / 2;
    const top =
      right || leftward ? middle : around.top - height - GAP > 0 ? around.top - height - GAP : around.bottom + GAP;
    const kept = Math.min(Math.max(top, GAP), innerHeight - height - GAP);
    this.bubble.style.transform = `translate(${Math.round(beside)}px, ${Math.round(kept)}px)`;
  }

  close() {
    removeEventListener("resize", this.again);
    this.hide();
    this.bubble.remove();
    this.page.guide = null;
  }
}
