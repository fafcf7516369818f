/** As much of a browser as the page's modules ask for when they are loaded and speak. */

class Element {
  constructor() {
    this.style = { setProperty() {} };
    this.children = [];
  }

  append(...children) {
    this.children.push(...children);
  }

  addEventListener() {}

  setAttribute() {}
}

const kept = new Map();

/** What has been kept in this browser. */
export const storage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
};

const parts = {
  document: { createElement: () => new Element(), createElementNS: () => new Element(), documentElement: {} },
  localStorage: storage,
  navigator: { languages: ["en-GB"] },
};
for (const [name, value] of Object.entries(parts)) Object.defineProperty(globalThis, name, { value });
