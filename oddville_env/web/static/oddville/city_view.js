/** Which part of the city is seen: zoom and pan of an SVG by wheel, drag, pinch, buttons and keys. */

import { moving } from "../shell/table/animation.js";

const STEP = 1.25;
const CLOSEST = 180;
const WIDEST = 2400;
const SMOOTH = 220;
const DRAG = 5;
const ROOM = { width: 660, height: 330 };

/** A box with room around it: few cards are not shown larger than they are. */
function roomy({ x, y, width, height }) {
  const more = Math.max(ROOM.width - width, 0);
  return { x: x - more / 2, y, width: width + more, height: Math.max(height, ROOM.height) };
}

export class CityView {
  constructor(svg) {
    this.svg = svg;
    this.fitted = { x: -150, y: 0, width: 300, height: 200 };
    this.view = this.fitted;
    this.moved = false;
    this.fingers = new Map();
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"])
      svg.addEventListener(name, (event) => this.up(event));
    svg.addEventListener("click", (event) => this.dragged && event.stopPropagation(), true);
  }

  /** What is worth showing; it is shown unless the visitor looks elsewhere. */
  frame(wanted) {
    const box = roomy(wanted);
    const same = ["x", "y", "width", "height"].every((side) => this.fitted[side] === box[side]);
    this.fitted = box;
    if (!this.moved && !(same && this.begun)) this.go(box, this.begun);
    this.begun = true;
  }

  /** Show all that is worth showing again. */
  fit() {
    this.moved = false;
    this.go(this.fitted, true);
  }

  /** Come closer (or go away) by a factor, about a point of the city. */
  zoom(factor, at = null) {
    const { x, y, width, height } = this.target ?? this.view;
    const narrow = Math.min(Math.max(width / factor, CLOSEST), WIDEST);
    const real = width / narrow;
    const middle = at ?? { x: x + width / 2, y: y + height / 2 };
    this.moved = true;
    this.go(
      {
        x: middle.x - (middle.x - x) / real,
        y: middle.y - (middle.y - y) / real,
        width: narrow,
        height: height / real,
      },
      !at,
    );
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

  at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  wheel(event) {
    if (!event.ctrlKey && !event.deltaY) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? STEP : 1 / STEP, this.at(event));
  }

  down(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.start = { x: event.clientX, y: event.clientY };
    this.dragged = false;
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.fingers.size === 2) this.pinch(event.pointerId, before, now, event);
    else if (this.dragged || Math.hypot(now.x - this.start.x, now.y - this.start.y) > DRAG) this.pan(before, now);
    this.fingers.set(event.pointerId, now);
  }

  pan(before, now) {
    const scale = this.svg.getScreenCTM().a;
    const { x, y, width, height } = this.view;
    this.dragged = true;
    this.moved = true;
    this.go({ x: x - (now.x - before.x) / scale, y: y - (now.y - before.y) / scale, width, height }, false);
  }

  pinch(id, before, now, event) {
    const other = [...this.fingers].find(([finger]) => finger !== id)[1];
    const far = (point) => Math.hypot(point.x - other.x, point.y - other.y);
    this.dragged = true;
    if (far(before) > 0) this.zoom(far(now) / far(before), this.at(event));
  }

  up(event) {
    this.fingers.delete(event.pointerId);
  }
}
