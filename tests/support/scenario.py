"""Positions by names: the builder behind the fixture `scenario`, and what the tests of the rules say about a game.

The cards are those of the base set but for the buildings. These are blank: diamonds without value that cost wood, give
a coin and have streets on all sides; a test prints on some of them what it is about, e.g. `{7: {"bonus": "any"}}`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from oddville_env import Game
from oddville_env.oddville.cards import NOBODY, NOTHING, Bonus, CardSet, Character, Resource, Suit, base_cards, words
from oddville_env.oddville.rules import batch, board, building, characters
from oddville_env.oddville.rules.state import BUILT, DEFAULT_TABLE, HELD, MOST_COINS, MOST_HELD, ROW, Phase
from oddville_env.oddville.settings import MAX_ROUNDS

Scenario = Callable[..., Game]
Buildings = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True)
class Building:
    """What is printed on a building card, in the words of buildings.csv."""

    suit: str = "diamond"
    base: int = 0
    per: int = 0
    counts: str = ""
    shield: int = 0
    cost: str = "wood"
    bonus: str = "coin"
    streets: str = "NESW"


@dataclass(frozen=True)
class Seat:
    """A seat as the position format has it; coins and stock may be told more exactly, see `scenario`."""

    coins: int | Sequence[int] = 0
    hand: Sequence[int] = (1, 2, 3, 4)
    held: Sequence[int] = ()
    stock: Mapping[str, int | Sequence[int]] = field(default_factory=dict)
    characters: Sequence[str] = ()


def scenario(
    *,
    players: int = 2,
    cards: CardSet | Buildings | None = None,
    table: Sequence[int] = DEFAULT_TABLE,
    max_rounds: int = MAX_ROUNDS,
    seed: int = 0,
    first: int = 0,
    seats: Mapping[int, Mapping[str, Any]] | None = None,
    row: Sequence[int] = (),
    deck_top: Sequence[int] = (),
    seen: Sequence[int] = (),
    piles: Mapping[str, Sequence[str]] | None = None,
    reshuffles: Sequence[Sequence[str]] = (),
    city: Sequence[tuple[int, int, int, int]] = (),
    square: Mapping[str, int] | None = None,
    **turn: Any,
) -> Game:
    """A game in the position that is told; raises ValueError where there is no such position.

    The words are those of RULES.md's position format. `cards` is a card set or what is printed on some buildings. Of a
    seat, `coins` is a number or the cards, the last gained last; `stock` names for a resource the number of workers,
    who go to the cheapest slots left, or their slots, from 1. `city` lists (card, column, line, owner) in the order of
    building, `square` the seat on a field. The row is filled up, and coins that are a number are taken, from cards
    that are named nowhere; the others lie in the deck, in order under `deck_top`. `seen` names cards that once lay face
    up, besides those that do; `piles` lists characters, top first, by default those that no seat has. `turn`: see
    `_set_turn`.
    """
    box = cards if isinstance(cards, CardSet) else printed(cards or {})
    game = Game(players, seed, first=first, table=table, max_rounds=max_rounds, cards=box, reshuffles=reshuffles)
    told = seats or {}
    _must(set(told) <= set(range(players)), f"there are only {players} seats")
    lay = [Seat(**told.get(number, {})) for number in range(players)]
    _lay_cards(game, lay, list(row), list(deck_top), [card for card, *_ in city], seen)
    _lay_workers(game, lay)
    _lay_characters(game, lay, piles or {})
    _lay_city(game, city, square or {})
    _set_turn(game, **turn)
    batch.legal(game.box.record, game.state, 0, game.mask)
    problems = game.problems()
    _must(not problems, "; ".join(problems))
    _must(all(seat.hand for seat in lay), "a hand is never empty")
    _must(game.mask.any(), "there is no legal word")
    return game


def printed(buildings: Buildings | None = None, **tables: Any) -> CardSet:
    """The base set with blank buildings, but for these; `tables` are other attributes of a CardSet."""
    base = base_cards()
    prints = [Building(**(buildings or {}).get(card, {})) for card in range(len(base.suit))]
    values = {
        "suit": [Suit[card.suit.upper()] for card in prints],
        "base": [card.base for card in prints],
        "per": [card.per for card in prints],
        "counts": [words.Counts[card.counts.upper()] if card.counts else NOTHING for card in prints],
        "shield": [card.shield for card in prints],
        "cost": [[card.cost.split().count(resource.word) for resource in Resource] for card in prints],
        "bonus": [Bonus[card.bonus.upper()] for card in prints],
        "streets": [sides(card.streets) for card in prints],
        **tables,
    }
    arrays = {name: getattr(base, name) for name in values}
    typed = {n: np.array(values[n], a.dtype) if isinstance(a, np.ndarray) else values[n] for n, a in arrays.items()}
    return replace(base, name="printed", **typed)


def sides(streets: str) -> list[bool]:
    """Streets as flags in the order of `Side`: `sides("NS")`."""
    return [side.name in streets for side in words.Side]


def play(game: Game, *words: str) -> Game:
    """The game itself, after these moves."""
    for word in words:
        game.push(word)
    return game


def legal(game: Game, *kinds: str) -> list[str]:
    """The legal words, sorted; only those of the kinds, if some are named."""
    return [word for word in game.legal_moves.words() if not kinds or word.split(":")[0].split("@")[0] in kinds]


def seat(game: Game, number: int) -> dict[str, Any]:
    return game.position()["seats"][number]


def deck(game: Game) -> list[int]:
    """The cards of the deck, top first: hidden from all seats."""
    state = game.state[0]
    return np.roll(state.deck, -state.deck_top)[: state.deck_size].tolist()


def coins(game: Game, number: int) -> list[int]:
    """The cards that are a seat's coins, the last gained last: hidden from all seats."""
    return game.state[0].coin[number, : game.state[0].coins[number]].tolist()


def _must(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(f"there is no such position: {problem}")


def _lay_cards(
    game: Game, lay: list[Seat], row: list[int], top: list[int], city: list[int], seen: Sequence[int]
) -> None:
    state = game.state[0]
    in_hand = [card for each in lay for card in [*each.held, *([] if isinstance(each.coins, int) else each.coins)]]
    rest = [card for card in range(len(game.box.cards.suit)) if card not in {*in_hand, *row, *top, *city}]
    row += [rest.pop(0) for _ in range(ROW - len(row))]
    for number, each in enumerate(lay):
        drawn = [rest.pop() for _ in range(each.coins)] if isinstance(each.coins, int) else each.coins
        _must(len(drawn) <= MOST_COINS and len(each.held) <= HELD, f"seat {number} has too many coins or buildings")
        state.coin[number, : len(drawn)], state.coins[number] = drawn, len(drawn)
        state.held[number, : len(each.held)], state.holding[number] = each.held, len(each.held)
    state.row[:] = row
    state.deck[:] = NOTHING
    state.deck[: len(top + rest)] = top + rest
    state.deck_top, state.deck_size = 0, len(top + rest)
    state.card_seen[:] = 0
    state.card_seen[[*row, *city, *seen, *(card for each in lay for card in each.held)]] = 1
    state.unseen[:] = np.bincount(game.box.cards.suit[state.card_seen == 0], minlength=len(state.unseen))


def _lay_workers(game: Game, lay: list[Seat]) -> None:
    state, box = game.state[0], game.box.record[0]
    for number, each in enumerate(lay):
        state.hand[number] = [card + 1 in each.hand for card in range(len(state.hand[number]))]
        for name, workers in each.stock.items():
            resource = Resource[name.upper()].value
            if isinstance(workers, int):
                for _ in range(workers):
                    board.gain_resource(box, state, number, resource)
            else:
                for slot in workers:
                    board.put_worker(state, number, resource, slot - 1, box.upper_slot)


def _lay_characters(game: Game, lay: list[Seat], piles: Mapping[str, Sequence[str]]) -> None:
    state, guild_of = game.state[0], game.box.cards.guild
    for number, each in enumerate(lay):
        for name in each.characters:
            state.owner[Character[name.upper()]] = number
    state.character_seen[:] = state.owner != NOBODY
    for guild in range(len(state.pile)):
        free = [c.value for c in Character if guild_of[c] == guild and state.owner[c] == NOBODY]
        size = max(len(free) - 4 + game.players, 0)
        pile = [Character[name.upper()].value for name in piles.get(Suit(guild).word, ())] or free[:size]
        state.pile[guild] = [*reversed(pile), *[NOTHING] * (len(state.pile[guild]) - len(pile))]
        state.pile_size[guild] = len(pile)
        state.character_seen[pile[:1]] = 1


def _lay_city(game: Game, city: Sequence[tuple[int, int, int, int]], square: Mapping[str, int]) -> None:
    state, box = game.state[0], game.box.record[0]
    for card, column, line, owner in city:
        cell = game.box.table.cell(column, line)
        fits = state.facing[cell] not in (0, BUILT) and building.fits(box, state, card, cell)
        _must(cell != NOTHING and fits, f"card {card} cannot lie at {column},{line}")
        building.place(box, state, card, cell, owner)
        characters.settle_worker(state, owner)
    for name, owner in square.items():
        state.on_square[Resource[name.upper()]] = owner
        characters.settle_worker(state, owner)


def _set_turn(
    game: Game,
    round: int = 1,
    phase: str = "main",
    active: int = 0,
    to_move: int | None = None,
    recovered: bool = False,
    used: Sequence[str] = (),
    built: bool = False,
    worker: int | None = None,
    resume: str | None = None,
    pending: Sequence[str] = (),
) -> None:
    """Whose turn it is, what they have done in it and what they are in the middle of."""
    state = game.state[0]
    state.rounds, state.active, state.to_move = round, active, active if to_move is None else to_move
    state.phase = Phase[phase.upper()]
    state.resume = Phase[resume.upper()] if resume else NOTHING
    state.recovered, state.built = recovered, built
    state.flipped, state.swapped = "flip" in used, "swap" in used
    state.worker = worker - 1 if worker else NOTHING
    for bonus in pending:
        state.pending[Bonus[bonus.upper()]] += 1
    third = state.holding[state.to_move] > MOST_HELD
    _must(third == (phase == "discard"), "a third building must be discarded at once")
