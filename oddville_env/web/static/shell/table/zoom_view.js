/** Which part of a large drawing is seen: two fingers, the wheel, buttons and keys zoom and pan it, and nothing else of the page. */

import { h, iconButton } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { moving } from "./animation.js";

const STEP = 1.25;
const SMOOTH = 220;
const DRAG = 5;
const WHEEL = { pinched: 100, turned: 450 }; // how far a wheel turns for a factor of e
const TWICE = { ms: 350, far: 30 }; // between two taps that are one double tap

/** The part of the drawing (a box) in which the point `at` of the drawing lies where it lay, `factor` times as large. */
export function closer({ x, y, width, height }, factor, at) {
  return {
    x: at.x - (at.x - x) / factor,
    y: at.y - (at.y - y) / factor,
    width: width / factor,
    height: height / factor,
  };
}

/** A box whose middle lies within another one. */
export function within(box, whole) {
  const kept = (side, size) => {
    const middle = box[side] + box[size] / 2;
    return box[side] + Math.min(Math.max(middle, whole[side]), whole[side] + whole[size]) - middle;
  };
  return { ...box, x: kept("x", "width"), y: kept("y", "height") };
}

export class ZoomView {
  /** `closest` and `widest` are the least and the most that is seen, as widths of the drawing. */
  constructor(svg, { closest, widest }) {
    this.svg = svg;
    this.limits = { closest, widest };
    this.fitted = { x: -150, y: 0, width: 300, height: 200 };
    this.view = this.fitted;
    this.moved = false;
    this.fingers = new Map();
    svg.classList.add("zoomable");
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      svg.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    for (const name of ["touchstart", "touchmove"])
      svg.addEventListener(name, (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    svg.addEventListener("click", (event) => this.clicked(event), true);
  }

  /** The drawing, with buttons and keys to zoom by. */
  framed(kind) {
    const does = { "+": () => this.zoom(STEP), "-": () => this.zoom(1 / STEP), 0: () => this.fit() };
    const tools = [
      iconButton("plus", t("zoom_in"), does["+"]),
      iconButton("minus", t("zoom_out"), does["-"]),
      iconButton("fit", t("zoom_fit"), does[0]),
    ];
    return h(kind, { onkeydown: ({ key }) => does[key]?.() }, this.svg, h(".city-tools", tools));
  }

  /** What is worth showing; it is shown unless the visitor looks elsewhere. */
  frame(box) {
    const same = ["x", "y", "width", "height"].every((side) => this.fitted[side] === box[side]);
    this.fitted = box;
    if (!this.moved && !(same && this.begun)) this.go(box, this.begun);
    this.begun = true;
  }

  /** Show all that is worth showing again. */
  fit() {
    this.look(false);
    this.go(this.fitted, true);
  }

  /** Has the visitor chosen what is seen? Fingers then move the drawing, and not the page. */
  look(elsewhere) {
    this.moved = elsewhere;
    this.svg.classList.toggle("moved", elsewhere);
  }

  /** Come closer (or go away) by a factor, about a point of the drawing. */
  zoom(factor, at = null) {
    const before = this.target ?? this.view;
    const { closest, widest } = this.limits;
    const real = before.width / Math.min(Math.max(before.width / factor, closest), widest);
    const middle = at ?? { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    this.look(true);
    this.go(within(closer(before, real, middle), this.fitted), !at);
  }

  go(box, smoothly) {
    cancelAnimationFrame(this.frameAsked);
    this.target = box;
    if (!smoothly || !moving()) return this.set(box);
    const from = this.view;
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(Math.max((now - start) / SMOOTH, 0), 1);
      const eased = 1 - (1 - part) ** 3;
      const between = (side) => from[side] + (box[side] - from[side]) * eased;
      this.set({ x: between("x"), y: between("y"), width: between("width"), height: between("height") });
      if (part < 1) this.frameAsked = requestAnimationFrame(step);
    };
    this.frameAsked = requestAnimationFrame(step);
  }

  set(box) {
    this.view = box;
    this.svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  /** A point of the window as one of the drawing. */
  at({ x, y }) {
    const point = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  /** With the control key, as a pinched touchpad says it too, and without it where there is nothing to scroll. */
  wheel(event) {
    const scrolls = document.scrollingElement.scrollHeight > innerHeight + 1;
    if (!event.deltaY || (scrolls && !event.ctrlKey)) return;
    event.preventDefault();
    const far = -event.deltaY / (event.ctrlKey ? WHEEL.pinched : WHEEL.turned);
    this.zoom(Math.min(Math.max(Math.exp(far), 1 / STEP), STEP), this.at({ x: event.clientX, y: event.clientY }));
  }

  down(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.start = { x: event.clientX, y: event.clientY };
    this.dragged = false;
    this.held = event.pointerType === "touch" ? !this.moved : false;
    if (event.target.closest("[data-lift]")) this.held = true; // what lies there is carried
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(now.x - this.start.x, now.y - this.start.y) > DRAG;
    if (this.fingers.size === 2) this.pinch(event.pointerId, before, now);
    else if (!this.held && (this.dragged || far)) this.pan(before, now);
    this.fingers.set(event.pointerId, now);
  }

  pan(before, now) {
    const scale = this.svg.getScreenCTM().a;
    const { x, y, width, height } = this.view;
    this.dragged = true;
    this.look(true);
    const moved = { x: x - (now.x - before.x) / scale, y: y - (now.y - before.y) / scale, width, height };
    this.go(within(moved, this.fitted), false);
  }

  /** Two fingers: what lies between them stays between them. */
  pinch(id, before, now) {
    const other = [...this.fingers].find(([finger]) => finger !== id)[1];
    const far = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    const middle = (point) => ({ x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 });
    this.pan(middle(before), middle(now));
    if (far(before) > 0) this.zoom(far(now) / far(before), this.at(middle(now)));
  }

  /** The click that ends a drag is no touch; two on what cannot be touched show all again. */
  clicked(event) {
    if (this.dragged) return event.stopPropagation();
    if (event.target.closest("[data-touch]")) return null;
    const { tapped } = this;
    this.tapped = { when: event.timeStamp, x: event.clientX, y: event.clientY };
    if (!tapped || event.timeStamp - tapped.when > TWICE.ms) return null;
    if (Math.hypot(tapped.x - event.clientX, tapped.y - event.clientY) > TWICE.far) return null;
    this.tapped = null;
    return this.fit();
  }
}
