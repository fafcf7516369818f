/** Which seat is shown large. */

/** The seat to move if it is this visitor's, else the first of theirs; nobody's for watchers. */
export function nearSeat(state) {
  const mine = state.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  if (!mine.length) return null;
  return mine.includes(state.to_move) ? state.to_move : mine.length === 1 ? mine[0] : (mine.includes(state.view) ? state.view : mine[0]);
}
