"""What must hold in every state: ranges, and that nothing is lost or doubled."""

import numpy as np

from oddville_env.cards.words import NOBODY, NOTHING
from oddville_env.rules.box import Box
from oddville_env.rules.state import BUILDINGS, BUILT, SIDES, SQUARE, WORKERS, fields


def problems(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """What is impossible in a state, a sentence each."""
    game = games[index]
    found = _out_of_range(box, game)
    return found or [*_cards(box, game), *_workers(box, game), *_characters(box, game), *_city(box, game)]


def _out_of_range(box: Box, game: np.record) -> list[str]:
    table = fields(box.games["ground"].shape[0], box.layout.slots)
    return [
        f"{field.name} is not within {field.low}..{field.high}: {game[field.name]}"
        for field in table
        if np.min(game[field.name]) < field.low or np.max(game[field.name]) > field.high
    ]


def _cards(box: Box, game: np.record) -> list[str]:
    """[P5 K1] Each of the 64 building cards lies in exactly one place; those never seen are counted."""
    ring = (game.deck_top + np.arange(game.deck_size)) % BUILDINGS
    places = [game.deck[ring], game.row, game.city_card[1 : game.city_size]]
    places += [game.coin[seat, :size] for seat, size in enumerate(game.coins)]
    places += [game.held[seat, :size] for seat, size in enumerate(game.holding)]
    times = np.bincount(np.concatenate(places), minlength=BUILDINGS)
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


def _city(box: Box, game: np.record) -> list[str]:
    """[B2 B3] The ground agrees with the entries; the frontier is what lies beside them; all sides match."""
    found, fixed = [], box.record[0]
    cells = game.city_cell[: game.city_size]
    ground = np.full(len(game.ground), NOTHING)
    ground[cells] = np.arange(game.city_size)
    if (ground != game.ground).any():
        found.append("the ground does not show the city's entries")
    frontier = set()
    for cell, card in zip(cells, game.city_card[: game.city_size], strict=True):
        for side in range(SIDES):
            beside = fixed.neighbour[cell, side]
            if beside != NOTHING and ground[beside] == NOTHING:
                frontier.add(int(beside))
            elif beside != NOTHING:
                other = game.city_card[ground[beside]]
                if fixed.streets[card, side] != fixed.streets[other, (side + 2) % SIDES]:
                    found.append(f"a street of card {card} meets houses of card {other}")
    if frontier != set(game.frontier[: game.frontier_size].tolist()):
        found.append("the frontier is not what lies beside the city")
    if not (game.facing[cells] == BUILT).all() or game.city_card[0] != SQUARE:
        found.append("the square or a card of the city is not where it should be")
    return found
