/** Animation: things move to their new place. Quick, and off with reduced motion. */

import { h, spotElement } from "../base/dom.js";
import { picture } from "../base/drawings.js";
import { wantsMotion } from "../base/storage.js";

const LONG = 420;
const STAGGER = 70;
const layer = h(".animation", { "aria-hidden": "true" });

/** Is movement shown? */
export const moving = () => wantsMotion() && !document.hidden;

const rectOf = (spot, root) => spotElement(spot, root)?.getBoundingClientRect() ?? null;

/** Where the things that will move are now. To be asked before the new state is shown. */
export const measure = (events, root) => events.map((event) => ({ ...event, start: rectOf(event.from, root) }));

/** Move them to where they are in the state that is shown now; fulfilled when all have arrived. */
export async function animate(measured, root) {
  if (!layer.isConnected) document.body.append(layer);
  const going = measured.filter((event) => event.start && event.from !== event.to);
  const moves = going.map((event) => ({ ...event, end: rectOf(event.to, root) })).filter((event) => event.end);
  await Promise.all(moves.map((move, number) => single(move, number * STAGGER)));
}

async function single({ drawing, start, end, to, event }, delay) {
  const whole = event === "card";
  const least = Math.min(end.width, end.height);
  const size = whole ? Math.max(least, 24) : Math.min(Math.max(least, 20), 34);
  const ghost = h("div", { class: "ghost", style: { width: `${size}px`, height: `${size}px` } }, picture(drawing));
  const first = whole ? Math.min(start.width, start.height) / size : 1;
  const place = (box, scale) =>
    `translate(${box.left + box.width / 2 - size / 2}px, ${box.top + box.height / 2 - size / 2}px) scale(${scale})`;
  layer.append(ghost);
  const target = whole ? spotElement(to) : null;
  target?.classList.add("arriving");
  const frames = [{ transform: place(start, first) }, { transform: place(end, 1) }];
  const how = { duration: LONG, delay, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "both" };
  await ghost.animate(frames, how).finished.catch(() => {});
  target?.classList.remove("arriving");
  ghost.remove();
}
