"""Invariants of every state: ranges, nothing lost or doubled, and what is kept agrees with what is so."""

from collections import Counter

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.parts.fields import is_out_of_range, not_within
from oddville_env.oldtown.cards.words import B_CARDS, BUILDINGS, CARDS, LOTS, NOBODY, NOTHING, TYPE_OF, CardType
from oddville_env.oldtown.deal import places
from oddville_env.oldtown.rules import batch, state
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import End, Phase

ALL_TOKENS = BUILDINGS * state.TOKENS
AFTER_A_WORD = (Phase.SETUP, Phase.SHOW, Phase.REMOVE, Phase.DRAW)
"""Phases that another word than a pass leads to."""


def problems(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """The faults of a state, a sentence each: in what its position says, and in what is kept beside it."""
    return impossible(box, games, index) or _kept(box, games[index : index + 1])


def impossible(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """The faults of a position: first what lies outside its range, then what does not agree, then an open board.

    Without any of this the kernels that look for legal moves are safe.
    """
    game = games[index]
    outside = [field for field in state.FIELDS if is_out_of_range(field, games[index : index + 1])[0]]
    if outside:
        return [not_within(field, game) for field in outside]
    found = [*_tokens(game), *_tiles(box, game), *_cards(box, game), *_turn(box, game)]
    return found or _phases(box, game) or _open(box, games[index : index + 1])


def _sizes(game: np.record) -> list[int]:
    """The number of lots in each building's set."""
    return [int(lots).bit_count() for lots in game.sets]


def _tokens(game: np.record) -> list[str]:
    """[S1 W1 P7] Five tokens a building: unknown, on the board, or scored."""
    sizes, found = _sizes(game), []
    left = sum(state.TOKENS if size == 0 else size for size in sizes if size != 1)
    if (total := left + int(game.score.sum())) != ALL_TOKENS:
        found.append(f"points, tokens on the board and tokens of unknown buildings are {total}, not {ALL_TOKENS}")
    if game.from_deal and (game.earned.sum(axis=1) != game.score).any():
        found.append(f"points are {game.score}, but by what brought them {game.earned.sum(axis=1)}")
    if max(sizes) > state.TOKENS:
        found.append(f"a building has {max(sizes)} tokens")
    board = (game.sets[:, None] >> np.arange(LOTS)) & 1
    if (on_a_lot := board[np.array(sizes) > 1].sum(axis=0)).max() > state.MOST_ON_A_LOT:
        found.append(f"lot {on_a_lot.argmax() + 1} has {on_a_lot.max()} tokens")
    if (standing := board[np.array(sizes) == 1].sum(axis=0)).max() > 1:
        found.append(f"{standing.max()} buildings stand on lot {standing.argmax() + 1}")
    return found


def _tiles(box: Box, game: np.record) -> list[str]:
    """[B1 B3] Every tile is in supply, before one seat, or standing."""
    mine = [building for building in game.mine[: box.players].ravel().tolist() if building != NOTHING]
    found = []
    for building, size in enumerate(_sizes(game)):
        homes = int(game.supply[building]) + mine.count(building) + (size == 1)
        if homes != 1:
            found.append(f"the tile of {box.deck.keys[building]} is in {homes} places")
    if any(first == NOTHING != second for first, second in game.mine.tolist()):
        found.append("a seat has a second own building without a first")
    return found


def _cards(box: Box, game: np.record) -> list[str]:
    """[S3 P8] Every card was dealt to one place; hands hold what was taken and not played; sizes agree."""
    if sorted(game.deal.tolist()) != list(range(CARDS)):
        return ["the deal does not hold each card once"]
    found, played = [], set(game.played[: game.plays].tolist())
    hands = [{card for card in range(CARDS) if hand >> card & 1} for hand in game.hand[: box.players].tolist()]
    for seat, hand in enumerate(hands):
        taken = set(game.deal[game.holder == seat].tolist())
        if hand != taken - played:
            found.append(f"seat {seat} holds {sorted(hand)}, but has taken {sorted(taken)}")
        if len(hand) != game.hand_size[seat] or (game.from_deal and len(taken) != game.taken[seat]):
            found.append(f"seat {seat}'s cards are counted wrong")
    untaken = int((game.holder == NOBODY).sum())
    out = CARDS - int(box.record[0].out_place)
    if game.from_deal and untaken != game.common + game.own.sum() + out:
        found.append("the stacks are counted wrong")
    return [*found, *_types(box, game, played.union(*hands))]


def _types(box: Box, game: np.record, known: set[int]) -> list[str]:
    """[S3] Hands, stacks and what was played are as many cards of each type as were dealt, stacks no more than then."""
    where, found = places(box), []
    parts = {"common": (where.common, game.common)}
    parts |= {f"own stack {seat}": (part, game.own[seat]) for seat, part in enumerate(where.own)}
    stacks = {name: game.deal[part.stop - left : part.stop].tolist() for name, (part, left) in parts.items()}
    dealt = {CardType.B: B_CARDS, CardType.A: int(box.record[0].common_a), CardType.C: int(box.record[0].common_c)}
    own = {CardType.A: state.OWN_A, CardType.C: state.OWN_STACK - state.OWN_A}
    for name, cards in stacks.items():
        for kind, number in sorted(Counter(TYPE_OF[card] for card in cards).items()):
            if number > (most := (dealt if name == "common" else own).get(kind, 0)):
                found.append(f"{name} has {number} cards of type {kind.name}, of which {most} were dealt")
    used = Counter(TYPE_OF[card] for card in known.union(*stacks.values()))
    for kind in CardType:
        hand = {CardType.A: state.HAND_A, CardType.C: state.HAND - state.HAND_A}.get(kind, 0)
        stack = own.get(kind, 0) if box.record[0].own_size else 0
        expected = dealt[kind] + box.players * (hand + stack)
        if (number := used[kind]) != expected:
            found.append(f"hands, stacks and played cards are {number} of type {kind.name}, not {expected}")
    return found


def _turn(box: Box, game: np.record) -> list[str]:
    """[T1 T5 E1 E2] Phase, seats and counters go together."""
    over, complete, standing = game.phase == Phase.OVER, game.end == End.COMPLETE, _sizes(game).count(1)
    whose = (int(game.first) + int(game.turn) - 1) % box.players
    impossible = {
        "a seat is named that does not play": max(game.first, game.to_move) >= box.players,
        "a seat is to move exactly while the game is not over": over != (game.to_move == NOBODY),
        "a game is over exactly when it has an end": over != (game.end != NOTHING),
        "a card is shown in phase show only": (game.phase == Phase.SHOW) != (game.shown != NOTHING),
        "cards are due in phase draw only": (game.phase == Phase.DRAW) != (0 < game.draws <= state.PAIR),
        "the game is not over although 16 buildings stand": not over and standing >= state.STANDING_AT_END,
        "the game is complete, but 16 buildings do not stand": complete and standing != state.STANDING_AT_END,
        "turn is 0 in phase setup only": (game.turn == 0) != (game.phase == Phase.SETUP),
        "to_move is not the seat whose turn it is": not over and game.turn > 0 and game.to_move != whose,
        "passes do not agree with the end": (game.passes == box.players) != (game.end == End.EXHAUSTED),
        "passes are counted after another word": game.passes > 0 and (complete or game.phase in AFTER_A_WORD),
        "passes are counted although cards can be drawn": game.passes > 0 and game.common > 0,
    }
    return [sentence for sentence, so in impossible.items() if so]


def _phases(box: Box, game: np.record) -> list[str]:
    """[S5 B2 Q2 D3] Invariants of a phase that has passed the test of `_turn`."""
    phase, seat = Phase(game.phase), int(game.to_move)
    if phase == Phase.OVER:
        return []
    sizes = (game.mine[: box.players] != NOTHING).sum(axis=1)
    if phase == Phase.SETUP:
        return _setup(game, seat, np.roll(sizes, -game.first).tolist())
    if phase == Phase.DRAW:
        no_choice = game.common == 0 or game.own[seat] == 0
        return ["in phase draw the seat to move has no two stacks to choose from"] if no_choice else []
    if phase == Phase.SHOW and not int(game.hand[seat]) >> int(game.shown) & 1:
        return ["the shown card is not in the hand of the seat to move"]
    few = game.supply.sum() <= box.players
    must_take = (game.supply.any() and sizes[seat] == 0) if few else sizes[seat] < state.MOST_MINE
    return [] if must_take == (phase == Phase.TAKE) else ["phase take is where the seat to move must take a building"]


def _setup(game: np.record, seat: int, sizes: list[int]) -> list[str]:
    """[S5] In setup: sizes of the own buildings, from the first seat clockwise."""
    done = (seat - int(game.first)) % len(sizes)
    by_turns = sizes[:done] == [state.MOST_MINE] * done and sizes[done] < state.MOST_MINE and not any(sizes[done + 1 :])
    impossible = {
        "in phase setup the seats have not taken their buildings by turns": not by_turns,
        "in phase setup a card was played or a building is on the board": game.plays > 0 or game.sets.any(),
    }
    return [sentence for sentence, so in impossible.items() if so]


def _open(box: Box, game: np.ndarray) -> list[str]:
    """[W2 W3] A token lies where its building is in no world."""
    closed = copied(game)
    batch.close_board(closed, 0)
    keys = zip(box.deck.keys, game[0].sets != closed[0].sets, strict=True)
    return [f"{key} has a token, or stands, where it can be in no world" for key, is_open in keys if is_open]


def _kept(box: Box, game: np.ndarray) -> list[str]:
    """All that is kept is as found by looking anew: number of words, cards that count; and there are some."""
    anew = copied(game)
    mask = np.zeros(box.layout.size, np.bool_)
    batch.legal(box.record, anew, 0, mask)
    found = [
        f"{name} is {game[0][name]}, but looked at anew {anew[0][name]}"
        for name in ("legal_count", "counting")
        if game[0][name] != anew[0][name]
    ]
    if anew[0].phase != Phase.OVER and anew[0].legal_count == 0:
        found.append(f"no move is legal in phase {Phase(anew[0].phase).word}")
    if anew[0].phase == Phase.SHOW and not int(anew[0].counting) >> int(anew[0].shown) & 1:
        found.append("the shown card neither confirms nor contradicts")
    return found
