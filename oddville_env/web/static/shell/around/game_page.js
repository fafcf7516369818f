/** A game on the page: its table, the bar of actions, the panels beside it, and what happens between server and visitor. */

import { Connection, problemWords } from "../base/connection.js";
import { h, refill, trouble } from "../base/dom.js";
import { keepDrawings, needDrawings } from "../base/drawings.js";
import { gameOf, remember, weakest } from "../base/games.js";
import { t } from "../base/i18n.js";
import { announce, remark } from "../base/overlays.js";
import { Panels } from "../beside/panels.js";
import { Missed } from "../beside/playback.js";
import { ActionBar, atOnce } from "../table/action_bar.js";
import { animate, measure, moving } from "../table/animation.js";
import { Choice } from "../table/choice.js";
import { Clocks, TurnCall } from "../table/clocks.js";
import { Dragging } from "../table/dragging.js";
import { keysOf } from "../table/keyboard.js";
import { Guide, Lesson, lessonOf, needLessonTexts } from "../table/lesson.js";
import { Company, isOwnTurn, Seats } from "../table/seats.js";
import { Header, openShare } from "./header.js";
import { Invitation, isInvited } from "./lobby.js";

const NARROW = matchMedia("(max-width: 900px)"); // as in narrow.css
const PLAIN = { pale: "#EBE6DC", full: "#857B6C", ink: "#FFFFFF" };
const RIVAL = "greedy"; // agent of the other seats where a game is played on
const BEHIND = 3; // states that wait before movement is left out

/** Do two states ask the same of the same view? Then a move in the making stays: a player came, left or changed a name. */
const asksAlike = (one, other) =>
  one?.moves === other.moves && one.view === other.view && JSON.stringify(one.legal) === JSON.stringify(other.legal);

export class GamePage {
  /** Enter a game; `where.found` is what was told of it. Raises an error where `where.signal` says that one has gone on. */
  static async enter(root, info, where) {
    const { found } = where;
    const about = info.games.find((one) => one.name === found.game);
    const game = await gameOf(about);
    where.signal.throwIfAborted();
    if (isInvited(found) && !where.accepted && !where.lesson) return new Invitation(root, found, about, game, where);
    if (where.guided) await needLessonTexts();
    const lesson = where.lesson ? await lessonOf(about.name) : null;
    where.signal.throwIfAborted();
    return new GamePage(root, info, about, game, where, lesson);
  }

  constructor(root, info, about, game, where, lesson) {
    this.root = root;
    this.info = info;
    this.about = about;
    this.game = game;
    this.where = where;
    /** @type {Protocol.State} */
    this.state = null;
    this.waiting = [];
    this.goesOn = false; // to the next game, as soon as it is there
    /** @type {Protocol.Hello} */
    this.hello = null;
    this.shapes = needDrawings(about.name, game.shapes).catch(() => {});
    this.seats = new Seats(this);
    this.clocks = new Clocks(this);
    this.choice = new Choice(() => this.light());
    const notes = (seat) => [this.clocks.sign(seat), this.seats.notes(seat)];
    this.table = new game.Table({ names: (seat) => this.seats.name(seat), notes });
    this.bar = new ActionBar(this);
    this.company = new Company(this);
    this.header = new Header(this);
    this.panels = new Panels(this);
    this.missed = new Missed(this);
    this.turnCall = new TurnCall(this);
    this.guide = where.guided ? new Guide(this) : null;
    this.lesson = lesson ? new Lesson(this, lesson, () => !moving()) : null;
    this.lay();
    this.dragging = new Dragging(this);
    this.keys = keysOf(this);
    document.addEventListener("keydown", this.keys);
    this.connection = new Connection(where.id, where.key, {
      heard: (message) => this.hear(message),
      lost: (seconds) => this.connected(false, seconds),
      gone: () => this.gone(),
    });
  }

  lay() {
    const { row, market, city, others, own, pending } = this.table.areas;
    const listeners = {
      onclick: (event) => this.touched(event),
      onpointerdown: () => (this.byKeys = false),
      onkeydown: (event) => this.pressed(event),
    };
    const asked = h(".asked", this.bar.element, pending);
    const dock = h(".dock", this.lesson?.element, this.missed.element, this.company.element, asked, own);
    const left = h(".left", market, this.panels.list.beside);
    const right = h(".right", this.panels.element);
    this.strip = h(".strip");
    this.board = h(`.table.game-${this.game.name}`, listeners, this.strip, left, h(".middle", row, city, dock), right);
    this.arrange = () => (NARROW.matches ? this.strip : this.panels.seats).append(others ?? "");
    NARROW.addEventListener("change", this.arrange);
    this.arrange();
    refill(this.root, this.header.element, this.where.among?.element, this.board);
    document.body.className = "in-game";
  }

  /** The colour of a seat, in three strengths. */
  colour(seat) {
    return this.about.colours?.[seat] ?? PLAIN;
  }

  /** Is this the game that the address names? */
  here({ game, key, record }) {
    return record ? this.where.record === record : this.where.id === game && this.where.key === key;
  }

  /** Look at another moment of the game. */
  moment(move) {
    this.send({ type: "go", move: move === undefined ? null : Number(move) });
  }

  /** Open the dialog of players and links. */
  share() {
    openShare(this);
  }

  leave() {
    document.removeEventListener("keydown", this.keys);
    NARROW.removeEventListener("change", this.arrange);
    this.connection.close();
    this.guide?.close();
    const { lesson, panels, turnCall, clocks, missed, dragging } = this;
    for (const part of [lesson, panels, turnCall, clocks, missed, dragging]) part?.leave();
    document.body.className = "";
  }

  gone() {
    this.leave();
    refill(this.root, trouble(t("trouble"), t("no_such_game"), t("to_lobby")));
  }

  /** @param {Protocol.Said} message */
  send(message) {
    return this.connection.send(message);
  }

  /** @param {Protocol.Told} message */
  hear(message) {
    if (message.type === "hello") this.greet(message);
    else if (message.type === "state") this.follow(message).queue(message);
    else if (message.type === "error") remark(problemWords(message), "wrong");
    else if (message.type === "analysis" || message.type === "chances") this.panels.analysis.hear(message);
    else if (message.type === "compared") this.panels.analysis.agreement.hear(message);
    else if (message.type === "points") this.panels.points.hear(message);
    else if (message.type === "chat") this.panels.chat.hear(message);
    else if (message.type === "made")
      this.where.visit({ game: message.game.id, key: message.game.keys.host, ...this.where.further });
    else if (message.type !== "pong") this.unknown(message);
  }

  /** A server of another version says what this page does not know: that is told, not dropped. @param {never} message */
  unknown(message) {
    const words = t("unknown_message", { type: /** @type {Protocol.Told} */ (message).type });
    console.warn(words, message);
    remark(words, "wrong");
  }

  /** The connection is lost, and is tried again in some seconds; or it is there. */
  connected(there, seconds = 0) {
    this.header.connected(there, seconds);
    this.bar.lost = !there;
    if (this.state) this.light();
  }

  greet(hello) {
    this.hello = hello;
    this.connected(true);
    this.panels.greet();
    if ((hello.role !== "watch" || hello.replay) && !this.where.among)
      remember({ id: hello.id, key: this.where.key, game: hello.game, lesson: this.where.lesson });
    if (this.where.name && hello.mine.length) this.send({ type: "name", seat: hello.mine[0], name: this.where.name });
    this.where.name = ""; // said once: a lost connection brings no old name back
    if (this.where.moment !== undefined) this.moment(this.where.moment);
  }

  /** States are shown one after the other, each when the movement of the one before has come to rest. @param {Protocol.State} state */
  async queue(state) {
    this.clocks.keep(state);
    this.waiting.push(state);
    if (this.busy) return;
    this.busy = true;
    this.board.setAttribute("aria-busy", "true");
    while (this.waiting.length) await this.show(this.waiting.shift());
    this.busy = false;
    this.board.setAttribute("aria-busy", "false");
  }

  async show(state) {
    keepDrawings(state.drawings);
    await this.shapes;
    const last = this.state;
    const measured = measure(moving() && last && this.waiting.length < BEHIND ? state.events : [], this.board);
    this.dragging.cancel();
    this.state = state;
    if (this.goesOn && state.rematch) return this.where.visit({ game: state.rematch.id, key: state.rematch.key });
    this.seats.keep(state);
    if (!asksAlike(last, state)) this.choice.clear(state.legal);
    this.table.render(state);
    this.header.render(state);
    this.company.render(state);
    this.turnCall.render(state);
    this.board.classList.toggle("over", state.over);
    this.board.classList.toggle("acting", state.may.move);
    this.panels.render(state);
    this.lesson?.render(state);
    this.missed.render(state);
    this.where.among?.render?.(this);
    this.light();
    if (state.reason === "move" || state.reason === "enter") announce(this.news(state));
    if (measured.length) await animate(measured, this.board);
  }

  /** The last move of the game, whatever moment is looked at, and what is asked now. @param {Protocol.State} state */
  news(state) {
    const asked = state.newest || isOwnTurn(state) ? this.bar.asked(state, this.seats.name(state.to_move)) : "";
    return this.panels.list.newest + asked;
  }

  /** Show what the choice is by now. */
  light() {
    this.table.light(this.choice, this.state, this.board);
    this.bar.show(this.state, this.choice, this.seats.name(this.state.to_move));
    this.dragging.mark();
    this.guide?.look(this.state, this.choice);
    this.lesson?.look(this.state, this.choice);
    if (document.activeElement === document.body && this.byKeys)
      this.board.querySelector("[data-stop].lit, .lit > [data-stop]")?.focus({ preventScroll: true });
  }

  stage(move) {
    if (!this.choice.begun && atOnce(move, this.game)) return this.play(move);
    this.choice.stage(move.word);
    this.tellChoice();
  }

  touched(event) {
    const spot = event.target.closest?.("[data-touch]")?.dataset.touch;
    if (spot) this.touch(spot);
    else if (NARROW.matches) event.target.closest?.(".strip .seat")?.classList.toggle("open");
  }

  /** What is drawn is no button by itself: Enter and space touch it. */
  pressed(event) {
    const spot = event.target.closest?.("svg [data-touch]")?.dataset.touch;
    if (!spot || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    this.touch(spot);
  }

  touch(spot) {
    const { running } = this.missed;
    this.missed.skip();
    if (running || !this.state.legal.length) return;
    if (this.choice.touch(spot)) return this.confirm();
    const { staged } = this.choice;
    if (staged && atOnce(staged, this.game) && staged.path.every((one) => this.choice.spots.includes(one)))
      this.play(staged);
    else this.tellChoice();
  }

  /** Announce the choice so far: what is left to choose, or what the whole move brings. */
  tellChoice() {
    const { staged, begun } = this.choice;
    if (!staged) return announce(begun ? this.game.ask(this.choice, this.state) : this.game.prompt(this.state));
    const points = staged.scores?.[this.state.to_move];
    const brings = points ? `${t("n_points", { n: points })}. ` : "";
    announce(`${this.game.sentence(staged, this.state)}. ${brings}${t("confirm_or_back")}`);
  }

  confirm() {
    if (this.choice.staged) this.play(this.choice.staged);
  }

  /** Is this agent offered for the game? */
  offers(spec) {
    return this.info.agents.some((agent) => agent.spec === spec && agent.game === this.hello.game);
  }

  /** The agent that takes over; null where none is offered. */
  get rival() {
    return this.offers(RIVAL) ? RIVAL : (weakest(this.about) ?? null);
  }

  /** Who plays each seat where a game is played on. */
  get rivals() {
    const agents = Array.from({ length: this.hello.players }, (_, seat) => this.state.seats[seat]?.agent);
    return agents.map((agent) => (this.offers(agent) ? agent : (this.rival ?? "human")));
  }

  /** Begin a game of one's own from a position, else from that which is shown, in the seat to move; agents stay. Behind
   * a line of words all seats are one's own, and the agent is asked at once. */
  playOn(move = this.state.shown, own = this.state.to_move, line = undefined, against = undefined) {
    const seats = this.rivals.map((rival, seat) => (line || seat === own ? "human" : (against ?? rival)));
    this.where.further = line && { analyse: 1 };
    this.send({ type: "play_on", move, seats, line });
  }

  /** Say the move; of two that were chosen together the second follows when the first has been played. */
  play(move) {
    if (!this.state.may.move || this.lesson?.refuses(move)) return;
    this.next = move.next ? { word: move.next, at: this.state.moves + 1 } : null;
    this.send({ type: "move", word: move.word, at: this.state.moves });
  }

  /** Say what was chosen together with the last move. @param {Protocol.State} state */
  follow(state) {
    if (this.next && state.moves === this.next.at && state.may.move) this.send({ type: "move", ...this.next });
    if (!this.next || state.moves >= this.next.at) this.next = null;
    return this;
  }
}
