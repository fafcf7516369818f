/** A bubble that explains what comes up for the first time, beside the thing that it speaks of. */

import { button, h, refill, spotElement } from "../base/dom.js";
import { t } from "../base/i18n.js";

const GAP = 14;

export class Guide {
  /** @param {import("../around/game_page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.left = [...page.game.steps];
    this.now = null;
    this.bubble = h("aside", { class: "guide", role: "note", hidden: true, "aria-live": "polite" });
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
      h("p", {}, t(`guide_${this.now.name}`)),
      h(
        "div",
        { class: "buttons" },
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
