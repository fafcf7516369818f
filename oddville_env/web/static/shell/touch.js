/** Things on the table that can be touched. */

import { h } from "./dom.js";

/** A button that lies on a spot; `label` is what it is called. */
export const touchable = (spot, label, attributes, ...children) =>
  h(
    "button",
    { type: "button", "data-spot": spot, "data-touch": spot, "data-stop": true, "aria-label": label, ...attributes },
    ...children,
  );

/** A button that covers its parent, for spots that hold other things to touch. */
export const cover = (spot, label, attributes = {}) =>
  h("button", { type: "button", class: "cover", "data-touch": spot, "data-stop": true, "aria-label": label, ...attributes });
