/** Pencil marks: of each building the lots where it may be; all can be taken back, and they stay in this browser where they have a name. */

import { store, stored } from "../../shell/base/storage.js";

const MOST = 500; // steps that can be taken back

export class Marks {
  constructor(kept, town) {
    this.kept = kept;
    this.town = town;
    const saved = this.kept ? stored(this.kept, {}) : {};
    this.of = saved.of ?? {};
    this.before = saved.before ?? [];
  }

  /** The lots of a building. */
  lots(building) {
    return this.of[building] ?? [];
  }

  /** Where a building stands by the marks; null while there are several lots, or none. */
  stands(building) {
    const lots = this.lots(building);
    return lots.length === 1 ? lots[0] : null;
  }

  /** Set or wipe out one mark. */
  toggle(building, lot) {
    const lots = this.lots(building);
    this.change({
      ...this.of,
      [building]: lots.includes(lot)
        ? lots.filter((one) => one !== lot)
        : [...lots, lot].sort((one, other) => one - other),
    });
  }

  /** A building is left these lots, as far as it has marks already. */
  leave(parts) {
    const next = { ...this.of };
    for (const { building, lots } of parts) {
      const had = this.lots(building);
      next[building] = had.length ? had.filter((lot) => lots.includes(lot)) : lots;
    }
    this.change(next);
  }

  change(next) {
    this.before = [...this.before, this.of].slice(-MOST);
    this.of = next;
    this.save();
  }

  /** Take the last change back. */
  undo() {
    if (!this.before.length) return;
    this.of = this.before.at(-1);
    this.before = this.before.slice(0, -1);
    this.save();
  }

  save() {
    if (this.kept) store(this.kept, { of: this.of, before: this.before.slice(-20) });
  }

  /** How many buildings stand. */
  get standing() {
    return this.town.filter((building) => this.stands(building) !== null).length;
  }
}
