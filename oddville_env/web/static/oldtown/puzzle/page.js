/** A puzzle for one: clues, the town, a pencil; checking, hints, taking back; and the lesson of the first puzzle. */

import { brandLink, openSettings, topOf } from "../../shell/around/header.js";
import { request } from "../../shell/base/connection.js";
import { button, h, iconButton, listPanel, refill } from "../../shell/base/dom.js";
import { keepDrawings, picture } from "../../shell/base/drawings.js";
import { t } from "../../shell/base/i18n.js";
import { orTell, remark } from "../../shell/base/overlays.js";
import { isTyping, tidyStops } from "../../shell/table/keyboard.js";
import { Coach, lessonOf } from "../../shell/table/lesson.js";
import { cardFacts, keepFacts, reason, theName, theNames } from "../facts.js";
import { Board, clueLine, clueWords, Marks, mineWords, townLine } from "./board.js";

const KEPT = "oddville.puzzle";
const MOST_SEEDS = 1e6;
const ACTS = ["undo", "hint", "check", "clear"];
const LONG = 8; // sentences of a refutation that are shown at once

/**
 * Open a puzzle by its name; raises an Error where there is none, or where `signal` says that one has gone on.
 * `lesson`: one is taught, and goes on from there by it.
 */
export async function openPuzzle(root, about, name, signal, lesson = null) {
  const path = `api/puzzles/${encodeURIComponent(name)}?game=${encodeURIComponent(about.name)}`;
  const { table, drawings } = await request(path);
  keepDrawings(drawings);
  keepFacts(table);
  const steps = lesson && (await lessonOf(`${about.name}-puzzle`));
  signal.throwIfAborted();
  const taught = lesson && new PuzzleLesson(steps, lesson, { puzzle: name, of: about.name });
  return new PuzzlePage(root, about, table, taught);
}

class PuzzlePage {
  constructor(root, about, table, lesson) {
    this.root = root;
    this.lesson = lesson;
    this.about = about;
    this.table = table;
    this.building = null;
    this.clue = null;
    this.lastHint = -1;
    const town = table.town.map(({ building }) => building);
    this.marks = new Marks(lesson ? null : `${KEPT}.${about.name}.${table.name}`, town);
    this.board = new Board(table, this.marks, (lot) => this.act(`lot-${lot}`, () => this.touchLot(lot)));
    const mine = h("p.mine-words", mineWords(table));
    this.clues = listPanel("puzzle-clues", "puzzle-clues-area", t("pencil_clues"), clueLine, mine);
    this.palette = listPanel("palette", "palette-area", t("pencil_buildings"), townLine);
    this.does = Object.fromEntries(ACTS.map((name) => [name, () => this.act(name, () => this[name]())]));
    this.message = h(".puzzle-message", { role: "status" });
    this.progress = h("span.round");
    const undo = { "data-key": "undo", "aria-keyshortcuts": "u" };
    this.undoButton = iconButton("undo", t("pencil_undo"), this.does.undo, undo);
    this.keys = (event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    document.title = `${about.title}: ${t("pencil_title", { name: table.name })}`;
    document.body.className = "in-puzzle";
    this.lay();
    this.say(t("pencil_start"));
    this.render();
  }

  lay() {
    const { name, level } = this.table;
    const bar = h(".puzzle-bar", this.message, this.buttons());
    const middle = h("section.puzzle-middle", this.board.svg, this.lesson?.element, bar);
    const title = [t("pencil_title", { name }), level ? ` · ${t(`level_${level}`)}` : ""];
    refill(
      this.root,
      topOf(
        brandLink(picture(this.table.houses[0].drawing), h("span", this.about.title)),
        h(".turn.puzzle-title", h("b", title), this.progress),
        iconButton("settings", t("settings"), () => openSettings({ keys: [] })),
      ),
      h(".puzzle", this.clues.element, middle, this.palette.element),
    );
  }

  buttons() {
    return h(
      ".buttons",
      this.undoButton,
      button(t("pencil_check"), this.does.check, { "data-key": "check" }),
      button(t("pencil_hint"), this.does.hint, { "data-key": "hint" }),
      button(t("pencil_clear"), this.does.clear, { "data-key": "clear", class: "button quiet" }),
    );
  }

  /** Show all that the marks and the choice say. */
  render() {
    const lots = this.clue && cardFacts(this.clue.card).type !== "c" ? cardFacts(this.clue.card).lots : [];
    this.board.render(this.building, lots);
    const touchClue = (clue) => this.act(`clue-${clue.card}`, () => this.chooseClue(clue));
    const touchBuilding = (building) => this.act(`building-${building}`, () => this.choose(building));
    this.clues.show(this.table.clues, this.clue?.card ?? null, touchClue);
    this.palette.show(this.table.town, this.building, touchBuilding, this.marks);
    this.undoButton.disabled = !this.marks.before.length;
    refill(this.progress, t("pencil_progress", { n: this.marks.standing }));
    tidyStops(this.root);
    this.lesson?.look();
  }

  /** Say something below the town, with buttons. */
  say(words, { details = null, buttons = [], kind = "" } = {}) {
    this.message.className = `puzzle-message ${kind}`;
    const lines = [words].flat().map((one) => h("p", one));
    refill(this.message, lines, details, buttons);
  }

  /** Do something; a lesson asks for one thing at a time. */
  act(key, does) {
    return this.lesson ? this.lesson.act(key, does) : does();
  }

  choose(building) {
    this.building = this.building === building ? null : building;
    this.clue = null;
    this.say(this.building ? t("pencil_chosen", { name: theName(building) }) : t("pencil_start"));
    this.render();
  }

  chooseClue(clue) {
    if (this.clue?.card === clue.card) return this.choose(this.building);
    this.clue = clue;
    this.building = clue.building;
    const { type, lots } = cardFacts(clue.card);
    this.say(clueWords(clue), { buttons: type === "c" ? [] : [this.pencilIn([{ building: clue.building, lots }])] });
    return this.render();
  }

  pencilIn(left) {
    const act = () => {
      this.marks.leave(left);
      this.changed();
      this.message.querySelector("button")?.remove();
    };
    const look = { class: "button primary", "data-key": "pencil-in" };
    return button(t("pencil_in"), () => this.act("pencil-in", act), look);
  }

  /** Pencil a building in or out; false: none is chosen. */
  touchLot(lot) {
    if (!this.building) {
      remark(t("pencil_start"));
      return false;
    }
    this.marks.toggle(this.building, lot);
    this.changed();
    return true;
  }

  undo() {
    this.marks.undo();
    this.render();
  }

  clear() {
    this.marks.change({});
    this.lastHint = -1;
    this.say(t("pencil_start"));
    this.render();
  }

  /** Something else is pencilled in: it is shown, and looked at when it may be all. */
  changed() {
    this.render();
    if (this.marks.standing === this.table.town.length) this.check();
  }

  /** Ask the server, and tell what it found; false: it could not be asked. */
  ask(what, more, tell) {
    const asked = { game: this.about.name, marks: this.marks.of, ...more };
    const path = `api/puzzles/${encodeURIComponent(this.table.name)}/${what}`;
    return orTell(async () => tell(await request(path, asked)));
  }

  check() {
    return this.ask("check", {}, (found) => this.judge(found));
  }

  /** Tell what is wrong; says true where there is something to tell. */
  judge({ wrong, solved }, quiet = false) {
    const words = solved
      ? t("pencil_solved")
      : wrong.length
        ? t("pencil_wrong", { names: theNames(wrong, "and") })
        : t("pencil_right");
    if (quiet && !solved && !wrong.length) return false;
    const other = { puzzle: `${this.table.level}-${Math.floor(Math.random() * MOST_SEEDS)}`, of: this.about.name };
    const href = `#${new URLSearchParams(other)}`;
    const another = h("a.button.primary", { href, "data-key": "another" }, t("pencil_next"));
    this.say(words, { kind: solved ? "solved" : wrong.length ? "wrong" : "", buttons: solved ? [another] : [] });
    return true;
  }

  hint() {
    return this.ask("hint", { after: this.lastHint }, (found) => this.judge(found, true) || this.tell(found));
  }

  /** Tell the next step of the proof; of a refutation the beginning, and the rest on request. */
  tell({ number, steps, left }) {
    if (number === null) return this.say(t("pencil_no_hint"));
    this.lastHint = Math.max(this.lastHint, number);
    const [first, ...rest] = steps;
    this.building = left[0]?.building ?? this.building;
    this.clue = this.table.clues.find((clue) => clue.card === first.card) ?? null;
    const line = (step) => h("li", { style: { "--depth": step.depth } }, reason(step));
    const lines = rest.length ? h("ol.steps", rest.map(line)) : null;
    const folded = () => h("details", h("summary", t("pencil_steps", { n: rest.length })), lines);
    const details = rest.length > LONG ? folded() : lines;
    const buttons = left.length ? [this.pencilIn(left)] : [];
    this.say(rest.length ? [reason(first), t("pencil_refuted")] : reason(first), { kind: "hint", details, buttons });
    return this.render();
  }

  key(event) {
    if (isTyping(event)) return;
    const act = {
      u: this.does.undo,
      h: this.does.hint,
      c: this.does.check,
      Escape: () => this.building && this.act(`building-${this.building}`, () => this.choose(this.building)),
    }[event.key];
    act?.();
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
    document.body.className = "";
  }
}

class PuzzleLesson {
  /** `visit` goes to another place of the page; `puzzle` names the puzzle and its game. */
  constructor({ steps, says }, visit, puzzle) {
    this.steps = steps;
    this.says = says;
    this.done = 0;
    this.solve = () => visit(puzzle);
    this.coach = new Coach(() => visit({}));
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
