/** Things are carried from where they lie to where they go, by mouse or finger: the same moves as by touching spots. */

import { h, Part } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { hide as hideTip } from "../base/overlays.js";
import { atOnce } from "./action_bar.js";

const FAR = { mouse: 7, touch: 16 }; // points that a pointer goes before it carries something: fingers tremble
const TREMBLE = 24; // points: a shorter drag that ends over the thing is a tap
const EDGE = 56; // points from the window's edge at which the page scrolls
const SCROLL = 9; // points a frame
const WIDE = 150; // points: what is wider is carried smaller, so that it covers nothing that it goes to

/** From where to where a move carries something: along its path, and as its game says beside that. */
export function waysOf(move, more = []) {
  const along = move.path.flatMap((from, place) => move.path.slice(place + 1).map((to) => [from, to]));
  return [...along, ...more];
}

/** What lies on a spot can be dropped there: spot -> the moves. */
export function targetsOf(spot, moves, ways) {
  const found = new Map();
  for (const move of moves)
    for (const [from, to] of ways(move)) if (from === spot) found.set(to, [...(found.get(to) ?? []), move]);
  return found;
}

/** What follows the pointer: the drawing of the thing, or all of it where it is more than a drawing. */
function carried(element) {
  const { width, height } = element.getBoundingClientRect();
  const pawn = element.parentElement.querySelector(":scope > .pawn");
  const drawn = element.matches(".cover, .figure") ? (pawn ?? element.querySelector(".pawn")) : null;
  const name = element instanceof SVGElement ? element.querySelector("use")?.getAttribute("href").slice(9) : null;
  const copy = name ? picture(name) : (drawn ?? element).cloneNode(true);
  const size = name || drawn ? { width: 34, height: 34 } : { width, height };
  for (const one of [copy, ...copy.querySelectorAll("*")])
    for (const mark of ["data-spot", "data-touch", "data-stop", "data-key", "data-tip", "id"])
      one.removeAttribute(mark);
  copy.classList.remove("lit", "chosen");
  const style = { width: `${size.width}px`, height: `${size.height}px` };
  return { size, ghost: h(".carried", { "aria-hidden": "true", style }, copy) };
}

export class Dragging extends Part {
  constructor(page) {
    super(page);
    this.down = null;
    /** @type {any} */
    this.now = null; // what is carried
    this.listeners = {
      pointerdown: (event) => this.press(event),
      pointermove: (event) => this.move(event),
      pointerup: (event) => this.up(event),
      pointercancel: () => this.cancel(),
      blur: (event) => event.target === window && this.cancel(),
      keydown: (event) => this.key(event),
    };
    for (const [name, heard] of Object.entries(this.listeners)) addEventListener(name, heard, true);
  }

  leave() {
    this.cancel();
    for (const [name, heard] of Object.entries(this.listeners)) removeEventListener(name, heard, true);
  }

  ways = (move) => waysOf(move, this.page.game.carries?.(move, this.page.state));

  /** Mark what can be carried now. */
  mark() {
    const { state, choice, board } = this.page;
    const from = new Set(state.may.move ? choice.moves.flatMap((move) => this.ways(move).map(([spot]) => spot)) : []);
    for (const element of board.querySelectorAll("[data-touch]")) {
      const scrolls = element.closest(".clues");
      const sideways = scrolls && scrolls.scrollHeight > scrolls.clientHeight + 1;
      if (!from.has(element.dataset.touch)) element.removeAttribute("data-lift");
      else element.setAttribute("data-lift", sideways ? "sideways" : "");
    }
  }

  press(event) {
    this.cancel();
    this.down = null;
    const element = event.target.closest?.("[data-lift]");
    if (!element || !event.isPrimary || event.button || !this.page.board.contains(element)) return;
    this.down = { element, spot: element.dataset.touch, x: event.clientX, y: event.clientY };
  }

  move(event) {
    if (!event.isPrimary || !this.down) return;
    const { x, y } = this.down;
    const way = Math.hypot(event.clientX - x, event.clientY - y);
    if (!this.now && way > (FAR[event.pointerType] ?? FAR.mouse)) this.lift();
    if (!this.now) return;
    event.preventDefault();
    this.now.farthest = Math.max(this.now.farthest, way);
    this.now.at = { x: event.clientX, y: event.clientY };
    this.show();
  }

  lift() {
    const { choice, board } = this.page;
    const { element, spot } = this.down;
    const targets = targetsOf(spot, choice.moves, this.ways);
    if (!targets.size) return;
    hideTip();
    this.now = { spot, targets, farthest: 0, before: { spots: choice.spots, said: choice.said }, ...carried(element) };
    choice.spots = [];
    choice.said = null;
    choice.touch(spot);
    document.body.append(this.now.ghost);
    document.body.classList.add("carrying");
    for (const place of board.querySelectorAll("[data-spot]"))
      place.classList.toggle("target", targets.has(place.dataset.spot));
    this.roll();
  }

  /** The target under the pointer. @returns {HTMLElement} */
  target() {
    const { x, y } = this.now.at;
    const target = (found) => found.closest(".target");
    return /** @type {HTMLElement} */ (document.elementsFromPoint(x, y).map(target).find(Boolean) ?? null);
  }

  show() {
    const { ghost, at, size } = this.now;
    const place = `translate(${at.x - size.width / 2}px, ${at.y - size.height / 2}px)`;
    ghost.style.transform = `${place} scale(${Math.min(1, WIDE / size.width)})`;
    const over = this.target();
    if (over === this.now.over) return;
    this.now.over?.classList.remove("over");
    over?.classList.add("over");
    this.now.over = over;
  }

  /** At the window's edge the page scrolls on, for targets that are out of sight. */
  roll() {
    if (!this.now) return;
    const y = this.now.at?.y ?? innerHeight / 2;
    const by = y < EDGE ? -SCROLL : y > innerHeight - EDGE / 2 ? SCROLL : 0;
    if (by && !this.now.over) scrollBy(0, by);
    requestAnimationFrame(() => this.roll());
  }

  up(event) {
    if (!event.isPrimary) return;
    this.down = null;
    if (!this.now) return;
    const swallow = (click) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, true));
    const { spot } = this.now;
    const over = this.target();
    const touched = !over && this.trembled();
    if (over) this.drop(over.dataset.spot);
    else this.cancel();
    if (touched) this.page.touch(spot);
  }

  /** Has the thing hardly been moved from where it lies? */
  trembled() {
    const { at, spot, farthest } = this.now;
    const lies = (one) => one.closest("[data-touch]")?.getAttribute("data-touch") === spot;
    return farthest <= TREMBLE && document.elementsFromPoint(at.x, at.y).some(lies);
  }

  /** Say the move that carries the thing there, or choose what of it is known by now. */
  drop(to) {
    const { page } = this;
    const { spot, targets } = this.now;
    const moves = targets.get(to);
    this.tidy();
    if (moves.some(({ path }) => path.includes(spot) && path.includes(to))) return page.touch(to);
    if (moves.length > 1) return page.choice.changed();
    return atOnce(moves[0], page.game) ? page.play(moves[0]) : page.choice.stage(moves[0].word);
  }

  key(event) {
    if (event.key !== "Escape" || !this.now) return;
    event.stopPropagation();
    this.cancel();
  }

  /** Everything is as it was before. */
  cancel() {
    this.down = null;
    if (!this.now) return;
    const { choice } = this.page;
    Object.assign(choice, this.now.before);
    this.tidy();
    choice.changed();
  }

  tidy() {
    this.now.ghost.remove();
    this.now.over?.classList.remove("over");
    document.body.classList.remove("carrying");
    for (const place of this.page.board.querySelectorAll(".target")) place.classList.remove("target");
    this.now = null;
  }
}
