/** A move in the making: spots are touched, in any order, until one legal move is left. */

/** A move that another one has to follow is chosen together with it: the spots of both are touched. */
const withSecond = (move) =>
  move.then?.length ? move.then.map(({ spot, word }) => ({ ...move, path: [...move.path, spot], next: word })) : [move];

export class Choice {
  /** `changed` is called after every touch. */
  constructor(changed) {
    this.changed = changed;
    this.clear([]);
  }

  /** Begin anew with other legal moves. @param {Protocol.Moves[]} groups */
  clear(groups) {
    this.moves = groups.flatMap((group) =>
      group.moves.flatMap((move) => withSecond({ kind: group.kind, rule: group.rule, ...move })),
    );
    this.spots = [];
    this.said = null;
    this.advice = null;
  }

  /** Why the staged move is a good one, where a hint has offered it. */
  get why() {
    return this.advice && this.advice.word === this.staged?.word ? this.advice.why : null;
  }

  /** Has anything been chosen? */
  get begun() {
    return this.spots.length > 0 || this.said !== null;
  }

  /** The moves that hold all touched spots. */
  get candidates() {
    return this.spots.length ? this.holding(this.spots) : this.moves;
  }

  /** The move that is offered to be confirmed. */
  get staged() {
    if (this.said) return this.said;
    const left = this.candidates;
    return this.spots.length && left.length === 1 ? left[0] : null;
  }

  /** The spots to touch next: the first untouched one of each path; where that is one and the same, the ones after it too. */
  get offered() {
    if (this.staged) return new Set(this.staged.path.filter((spot) => !this.spots.includes(spot)));
    const rests = this.candidates.map((move) => move.path.filter((spot) => !this.spots.includes(spot)));
    const next = new Set(rests.map((rest) => rest[0]));
    const long = rests.filter((rest) => rest.length > 1);
    if (!this.spots.length && long.length && new Set(long.map((rest) => rest[0])).size === 1)
      for (const rest of long) next.add(rest[1]);
    for (const move of this.candidates) if (move.next) for (const spot of move.path) next.add(spot);
    return next;
  }

  /** Can this spot be touched to some end? */
  open(spot) {
    return this.moves.some((move) => move.path.includes(spot));
  }

  /** Does it go together with what has been touched, or has it been touched? Anything open does where nothing has. */
  fits(spot) {
    return this.spots.includes(spot) || this.holding([...this.spots, spot]).length > 0;
  }

  holding(spots) {
    return this.moves.filter((move) => spots.every((spot) => move.path.includes(spot)));
  }

  /** Touch a spot. Says true where this confirms the staged move: its last spot was touched again. */
  touch(spot) {
    if (!this.open(spot)) return false;
    this.said = null;
    if (this.staged && this.spots.at(-1) === spot) return true;
    if (this.spots.includes(spot)) this.spots = this.spots.filter((other) => other !== spot);
    else this.spots = this.withOld(spot);
    this.changed();
    return false;
  }

  /** The new spot with as many of the old ones as go together with it. */
  withOld(spot) {
    const kept = [];
    for (const old of this.spots) if (this.holding([...kept, old, spot]).length) kept.push(old);
    return [...kept, spot];
  }

  /** Take back the last touch. */
  back() {
    if (!this.begun) return false;
    if (this.said) this.said = null;
    else this.spots = this.spots.slice(0, -1);
    this.changed();
    return true;
  }

  /** Choose a move as a whole: by its spots, or where these say less than the move, by its word. */
  stage(word, why = "") {
    const move = this.moves.find((one) => one.word === word);
    if (!move) return;
    this.advice = { word, why };
    this.spots = [...move.path];
    this.said = this.staged === move ? null : move;
    this.changed();
  }
}
