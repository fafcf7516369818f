/** The first puzzle teaches: a chain of steps, each of which waits for one thing that is done with a pencil. */

import { button } from "../../shell/base/dom.js";
import { t } from "../../shell/base/i18n.js";
import { Coach, lessonOf } from "../../shell/table/coach.js";

export class PuzzleLesson {
  /** `visit` goes to another place of the page; `puzzle` and `of` name the puzzle and its game. */
  static async begin(visit, puzzle, of) {
    return new PuzzleLesson(await lessonOf(`${of}-puzzle`), visit, { puzzle, of });
  }

  constructor({ steps, says }, visit, puzzle) {
    this.steps = steps;
    this.says = says;
    this.done = 0;
    const leave = () => visit({});
    this.solve = () => visit(puzzle);
    this.coach = new Coach(leave);
    this.element = this.coach.element;
  }

  get step() {
    return this.steps[this.done];
  }

  /** What is to be done now, and where. */
  look() {
    if (!this.step) return;
    this.coach.tell(t(`lesson_${this.step.says}`), this.done + 1, this.steps.length);
    this.coach.mark(this.step.key);
  }

  /** Do what the step asks for, once, and go on where it worked (did not say false); another thing is answered. */
  async act(key, does) {
    if (!this.step) return does();
    if (key !== this.step.key) return this.coach.reply(t("lesson_pencil_other"));
    if (this.doing) return;
    this.doing = true;
    const done = await does();
    this.doing = false;
    if (done === false) return;
    this.done += 1;
    if (this.step) return this.look();
    return this.coach.end(t(`lesson_${this.says}`), [
      button(t("lesson_solve"), this.solve, { class: "button primary", "data-key": "lesson-real" }),
    ]);
  }
}
