"""What must hold in every state: ranges, nothing lost or doubled, and what is kept agrees with what is so."""

import numpy as np

from oddville_env.core.parts.fields import out_of_range
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import (
    BUILDINGS,
    BUILT,
    LAST_WORKER,
    MOST_HELD,
    SIDES,
    SQUARE,
    WORKERS,
    Phase,
    fields,
)


def problems(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """What is impossible in a state, a sentence each: first what lies outside its range, then what does not agree."""
    game = games[index]
    if found := [
        *out_of_range(fields(box.games["ground"].shape[0], box.layout.slots), game),
        *_empty_places(box, game),
    ]:
        return found
    found = [*_cards(box, game), *_workers(box, game), *_characters(box, game), *_turn(box, game), *_city(box, game)]
    return found or _kept(box, games[index : index + 1])


def _deck(game: np.record) -> np.ndarray:
    """The deck's cards, top first."""
    return np.asarray(game.deck[(game.deck_top + np.arange(game.deck_size)) % BUILDINGS])


def _empty_places(box: Box, game: np.record) -> list[str]:
    """Lists hold something up to their sizes, and cells are of the table."""
    lists = {
        "deck": _deck(game),
        "row": game.row,
        "city_card": game.city_card[: game.city_size],
        "city_cell": game.city_cell[: game.city_size],
        "coin": np.concatenate([game.coin[seat, :size] for seat, size in enumerate(game.coins)]),
        "held": np.concatenate([game.held[seat, :size] for seat, size in enumerate(game.holding)]),
        "pile": np.concatenate([game.pile[guild, :size] for guild, size in enumerate(game.pile_size)]),
    }
    found = [f"{name} has an empty place: {entries}" for name, entries in lists.items() if (entries == NOTHING).any()]
    cells = box.table.columns * box.table.lines
    if (game.city_cell >= cells).any() or (game.frontier >= cells).any():
        found.append("a card or a free place of the city lies outside the table")
    return found


def _cards(box: Box, game: np.record) -> list[str]:
    """[P5 K1] Each of the 64 building cards lies in exactly one place; those never seen are counted."""
    places = [_deck(game), game.row, game.city_card[1 : game.city_size]]
    places += [game.coin[seat, :size] for seat, size in enumerate(game.coins)]
    places += [game.held[seat, :size] for seat, size in enumerate(game.holding)]
    times = np.bincount(np.concatenate(places), minlength=BUILDINGS)[:BUILDINGS]
    found = [f"building {card} lies in {times[card]} places" for card in np.flatnonzero(times != 1)]
    unseen = np.bincount(box.record[0].suit[:BUILDINGS][game.card_seen == 0], minlength=len(game.unseen))
    return found if (unseen == game.unseen).all() else [*found, f"unseen cards are {unseen}, but {game.unseen} counted"]


def _workers(box: Box, game: np.record) -> list[str]:
    """[L3] Nine workers a seat; the counts of the board agree with its slots."""
    found = []
    for seat in range(box.players):
        slots = (game.lodger[:, : box.record[0].upper_slot] == seat).sum(axis=1) + game.upper[:, seat]
        if (slots != game.stock[seat]).any():
            found.append(f"seat {seat} has {slots} workers on the slots, but a stock of {game.stock[seat]}")
        settled = (game.city_owner[: game.city_size] == seat).sum() + (game.on_square == seat).sum()
        if settled != game.settled[seat]:
            found.append(f"seat {seat} has {settled} workers in the city, but {game.settled[seat]} counted")
        if (total := game.supply[seat] + slots.sum() + settled) != WORKERS:
            found.append(f"seat {seat} has {total} workers")
    return found


def _characters(box: Box, game: np.record) -> list[str]:
    """[S4] No character is in two places, and each pile holds its guild's."""
    found = []
    piled = [(guild, character) for guild, pile in enumerate(game.pile) for character in pile[: game.pile_size[guild]]]
    for guild, character in piled:
        if game.owner[character] != NOBODY or [c for _, c in piled].count(character) > 1:
            found.append(f"character {character} is in two places")
        if box.cards.guild[character] != guild:
            found.append(f"character {character} lies in guild {guild}'s pile")
    present = len(piled) + np.count_nonzero(game.owner != NOBODY)
    expected = (box.players - 1) * len(game.pile)
    return found if present == expected else [*found, f"{present} characters are in the game, not {expected}"]


def _turn(box: Box, game: np.record) -> list[str]:
    """[T3 T6 L2 E1 E4] Phase, seats and rounds go together."""
    over, discard = game.phase == Phase.OVER, game.phase == Phase.DISCARD
    held = 0 if over else game.holding[game.to_move]
    too_early = game.trigger != NOBODY and game.settled[game.trigger] < LAST_WORKER
    impossible = {
        "a seat is named that does not play": max(game.first, game.active, game.to_move, game.trigger) >= box.players,
        "a seat is to move exactly while the game is not over": over != (game.to_move == NOBODY),
        "a seat's hand is empty": not game.hand[: box.players].any(axis=1).all(),
        "a discard is pending exactly while three buildings are held": discard != (held > MOST_HELD),
        "a phase is resumed after a discard only": discard != (game.resume != NOTHING),
        "the trigger has fewer workers in the city": too_early,
        "the round is above the limit": game.rounds > box.max_rounds,
    }
    return [sentence for sentence, so in impossible.items() if so]


def _city(box: Box, game: np.record) -> list[str]:
    """[B2 B3] The ground agrees with the entries; the frontier is what lies beside them; all sides match."""
    found, fixed = [], box.record[0]
    cells = game.city_cell[: game.city_size]
    ground = np.full(len(game.ground), NOTHING)
    ground[cells] = np.arange(game.city_size)
    if (ground != game.ground).any():
        found.append("the ground does not show the city's entries")
    facing = np.zeros_like(game.facing)
    facing[cells] = BUILT
    for cell, card in zip(cells, game.city_card[: game.city_size], strict=True):
        for side in range(SIDES):
            beside = fixed.neighbour[cell, side]
            if beside != NOTHING and ground[beside] == NOTHING:
                facing[beside] |= fixed.presses[card, side]
            elif beside != NOTHING:
                other = game.city_card[ground[beside]]
                if fixed.streets[card, side] != fixed.streets[other, (side + 2) % SIDES]:
                    found.append(f"a street of card {card} meets houses of card {other}")
    frontier = np.flatnonzero((facing > 0) & (facing < BUILT))
    if sorted(game.frontier[: game.frontier_size].tolist()) != frontier.tolist():
        found.append("the frontier is not what lies beside the city")
    if (game.facing != facing).any() or game.city_card[0] != SQUARE:
        found.append("the square or a card of the city is not where it should be, or a cell shows other neighbours")
    return found


def _kept(box: Box, game: np.ndarray) -> list[str]:
    """What is kept from word to word is what one would find by looking anew: values of buildings, number of words."""
    anew = game.copy()
    mask = np.zeros(box.layout.size, np.bool_)
    batch.appraise(box.record, anew, 0)
    batch.legal(box.record, anew, 0, mask)
    return [
        f"{name} is {game[0][name]}, but looked at anew {anew[0][name]}"
        for name in ("value", "legal_count")
        if (game[0][name] != anew[0][name]).any()
    ]
