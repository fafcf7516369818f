"""A random player: deals (S3, S4), plays legal words at random and writes the record of the game."""

from collections.abc import Callable
from random import Random
from typing import Any

from .deck import Deck
from .engine import NaiveGame

Weight = Callable[[NaiveGame, str], float]

HAND = 2  # S3: of A and of C each
MIXED_IN = {2: (0, 0), 3: (3, 2), 4: (0, 0)}  # S3: A and C in the common stack, by the number of players
OWN = {2: 3, 3: 0, 4: 0}  # S3: of A and of C each


def even(game: NaiveGame, word: str) -> float:
    """Every legal word alike."""
    return 1.0


def busy(game: NaiveGame, word: str) -> float:
    """Rather pairs than plays, so that chains after a removed token come up often."""
    return 5.0 if word.startswith("show:") else 1.0


def deal(deck: Deck, players: int, rng: Random, lone_confirm: bool = False) -> dict[str, Any]:
    """[S3, S4] The chance of a new game as a record without moves."""
    a_cards = rng.sample(deck.numbers("A"), len(deck.numbers("A")))
    c_cards = rng.sample(deck.numbers("C"), len(deck.numbers("C")))

    def some(number_of_a: int, number_of_c: int) -> list[int]:
        return [a_cards.pop() for _ in range(number_of_a)] + [c_cards.pop() for _ in range(number_of_c)]

    hands = [sorted(some(HAND, HAND)) for _ in range(players)]
    common = deck.numbers("B") + some(*MIXED_IN[players])
    own = [some(OWN[players], OWN[players]) for _ in range(players)]
    for stack in (common, *own):
        rng.shuffle(stack)
    return {
        "players": players,
        "first": rng.randrange(players),
        "lone_confirm": lone_confirm,
        "hands": hands,
        "common": common,
        "own": own,
    }


def random_game(
    deck: Deck,
    players: int,
    rng: Random,
    lone_confirm: bool = False,
    weight: Weight = even,
    after: Callable[[NaiveGame], None] | None = None,
) -> dict[str, Any]:
    """Play a game to its end, each legal word as likely as its weight, and return the full record.

    `after` is called with the game at the start and after every word: the place for invariants.
    """
    game = NaiveGame(deck, deal(deck, players, rng, lone_confirm))
    while True:
        if after is not None:
            after(game)
        if game.over:
            return game.record()
        words = game.legal()
        game.play(rng.choices(words, [weight(game, word) for word in words])[0])
