/** What is asked now, what has been chosen so far, and the buttons to confirm it or take it back. */

import { button, h, iconButton, Part, refill } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { t } from "../base/i18n.js";
import { preferences } from "../base/storage.js";
import { isOwnTurn } from "./seats.js";

const FEW = 7; // moves that are offered as buttons beside the table

export class ActionBar extends Part {
  game = this.page.game;
  lost = false; // no connection: a move cannot be confirmed
  element = h("section.action-bar", { "aria-label": t("your_move") });

  /** Show what is asked, and of the choice what is made. @param {Protocol.State} state @param {import("./choice.js").Choice} choice */
  show(state, choice, name) {
    const { staged, begun } = choice;
    const words = staged
      ? this.game.sentence(staged, state)
      : begun
        ? this.game.ask(choice, state)
        : this.asked(state, name);
    const why = choice.why ? h("small.hint-why", choice.why) : null;
    const prompt = h("p", { class: `prompt${staged ? " staged" : ""}` }, h("span", words), why);
    refill(this.element, prompt, h(".buttons", this.buttons(state, choice, staged, begun)));
  }

  /** The question to this user; for spectators the next move where it is known. @param {Protocol.State} state */
  asked(state, name) {
    if (isStuck(state)) return t("failed_now", { name });
    if (state.may.move || state.over) return this.game.prompt(state, name);
    if (!state.newest && isOwnTurn(state)) return t("own_turn_now");
    return state.played_next
      ? t("played_next", { name, move: this.game.sentenceOf(state.played_next) })
      : t("wait_for", { name });
  }

  buttons(state, choice, staged, begun) {
    const { page } = this;
    const { may, to_move } = state;
    const says = (type) => () => page.send({ type });
    const replace = () => page.send({ type: "seat", seat: to_move, agent: page.rival });
    const gain = staged ? this.game.gain?.(staged, state) : null;
    const first = { class: "button primary" };
    const sure = { ...first, "data-key": "confirm", title: this.lost ? t("lost_short") : "Enter", disabled: this.lost };
    const on = may.play_on && !may.move && to_move !== null;
    return [
      staged ? gain : may.move && this.offers(state, choice),
      staged && may.move && button(t("confirm"), () => page.confirm(), sure),
      isStuck(state) && may.replace && button(t("replace"), replace, { ...first, "data-key": "replace" }),
      begun && button(t("back"), () => choice.back(), { "data-key": "back", title: "Escape" }),
      !begun && on && button(t("play_on"), () => page.playOn(), { "data-key": "play-on" }),
      !begun && may.hint && choice.moves[0] && iconButton("hint", t("hint"), says("hint"), { "data-key": "hint" }),
      !begun && may.undo && iconButton("undo", t("undo"), says("undo"), { "data-key": "undo" }),
    ];
  }

  /** The few things that may be said now, as buttons: what has no place on the table, and what was narrowed down. */
  offers(state, choice) {
    const shown = choice.candidates.filter((move) => this.game.spoken(move, choice.spots));
    if (shown.length > (this.game.few ?? FEW)) return null;
    return shown.map((move) => {
      const drawing = this.game.movePicture(move, state);
      const content = [drawing ? picture(drawing) : null, h("span", this.game.short(move, state))];
      const marks = { class: "button offer", "data-key": move.word, "data-word": move.word };
      return button(content, () => this.page.stage(move), marks);
    });
  }
}

/** Has the agent failed that is to move? @param {Protocol.State} state */
const isStuck = ({ seats, to_move }) => seats[to_move]?.status === "failed";

/** Is this move said at once, without being confirmed? */
export const atOnce = (move, game) => !preferences.confirm || game.harmless(move);
