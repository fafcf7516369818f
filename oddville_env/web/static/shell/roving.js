/** Arrow keys within a region: each is one stop of the Tab key, and the arrows go to the nearest thing in their direction. */

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const OFF_AXIS = 2.5; // how much worse a step aside is than a step ahead

const stops = (region) => [...region.querySelectorAll("[data-stop]")].filter((stop) => stop.getClientRects().length);

/** Let exactly one stop of each region be reached by Tab: the one that was left last, else one that is lit, else the first. */
export function tidyStops(root) {
  for (const region of root.querySelectorAll("[data-roving]")) {
    const all = stops(region);
    const held = all.find((stop) => stop === document.activeElement);
    const entry = held ?? all.find((stop) => stop.closest(".lit")) ?? all[0];
    for (const stop of all) stop.setAttribute("tabindex", stop === entry ? "0" : "-1");
  }
}

/** Listen for arrow keys. */
export function startRoving(root) {
  root.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const region = event.target.closest?.("[data-roving]");
    if (!step || !region || !event.target.matches("[data-stop]")) return;
    const next = nearest(event.target, stops(region), step);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

function nearest(from, all, [x, y]) {
  const [left, top] = middle(from);
  let best = null;
  let least = Infinity;
  for (const other of all) {
    if (other === from) continue;
    const [across, down] = middle(other).map((value, axis) => value - (axis ? top : left));
    const ahead = across * x + down * y;
    const aside = Math.abs(across * y) + Math.abs(down * x);
    const far = ahead + OFF_AXIS * aside;
    if (ahead > 2 && aside < 4 * ahead + 40 && far < least) [best, least] = [other, far];
  }
  return best;
}
