/** The panel of a first game: what to do now and why, in one or two sentences, and how far one has come. */

import { request } from "../base/connection.js";
import { button, h, refill, spotElement } from "../base/dom.js";
import { addTexts, speaking, t } from "../base/i18n.js";

/** Load the texts that explain a game, in the user's language. */
export async function needLessonTexts() {
  addTexts({ [speaking()]: await request(`static/lessons/texts/${speaking()}.json`) });
}

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

export class Guide {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
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
