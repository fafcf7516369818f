"""A random player: deals (S4-S6), plays legal words at random and writes the record of the game."""

from collections.abc import Callable
from random import Random
from typing import Any

from .cards import GUILDS, CardSet, load_cards
from .engine import NaiveGame
from .words import BUILDERS_FEE

Weight = Callable[[NaiveGame, str], float]

LIKED = ("lily", "rooster")  # the guilds of builder, traveller and cheater: the rare phases come from them
EAGER = {"build": 60.0, "buy": 1.0, "coins": 1.0, "take": 4.0, "done": 0.5, "return": 0.3, "recover": 0.3}


def even(game: NaiveGame, word: str) -> float:
    """Every legal word alike."""
    return 1.0


def eager(game: NaiveGame, word: str) -> float:
    """Prefer building, and lily and rooster cards; take what a held building still needs; the builder saves its fee.

    So the rare phases (the Builder's window, extra, square, flip) come up often.
    """
    kind, *rest = word.split(":")
    weight = EAGER.get(kind, 2.0)
    seat = game.active if game.to_move is None else game.to_move
    held = game.seats[seat].held
    builder_saves = "builder" in game.seats[seat].characters and len(game.seats[seat].coins) < BUILDERS_FEE
    if kind == "build":
        weight *= 3.0 if game.cards.buildings[held[int(rest[0]) - 1]].suit in LIKED else 1.0
    if kind in ("take", "extra", "any", "double", "bonus"):
        costs = [game.cards.buildings[card].cost for card in held]
        missing = any(cost.count(rest[-1]) > game.board.own_workers(rest[-1], seat) for cost in costs)
        weight *= 4.0 if missing else 0.5
    if kind == "coins" and builder_saves:
        weight *= 20.0
    if kind == "buy":
        weight *= 3.0 if len(held) < 2 else 0.1
    return weight


def deal(
    players: int, rng: Random, table: tuple[int, int] = (17, 9), max_rounds: int = 100, cards: CardSet | None = None
) -> dict[str, Any]:
    """[S4, S5, S6] The hidden order of a new game as a record without moves; the removed characters are not in it."""
    cards = cards or load_cards()
    piles = {}
    for guild in GUILDS:
        pile = [name for name, character in cards.characters.items() if character.guild == guild]
        rng.shuffle(pile)
        piles[guild] = pile[: len(pile) - (4 - players)]
    return {
        "format": "oddville-record",
        "version": 1,
        "players": players,
        "table": list(table),
        "max_rounds": max_rounds,
        "first": rng.randrange(players),
        "deck": rng.sample(sorted(cards.buildings), len(cards.buildings)),
        "piles": piles,
        "reshuffles": [],
    }


class DealtGame(NaiveGame):
    """A game whose reshuffles are not written yet: each is made when it is needed, and kept for the record."""

    def __init__(self, record: dict[str, Any], rng: Random, cards: CardSet | None = None) -> None:
        """Set up from a fresh deal."""
        super().__init__(record, cards)
        self.rng = rng
        self.shuffled: list[list[str]] = []

    def _new_pile(self, guild: str, returned: list[str]) -> list[str]:
        """[G2] Shuffle what came back."""
        pile = self.rng.sample(returned, len(returned))
        self.shuffled.append(list(pile))
        return pile


def random_game(
    players: int,
    rng: Random,
    table: tuple[int, int] = (17, 9),
    max_rounds: int = 100,
    weight: Weight = even,
    cards: CardSet | None = None,
    after: Callable[[NaiveGame], None] | None = None,
) -> dict[str, Any]:
    """Play a game to its end, each legal word as likely as its weight, and return the full record.

    `after` is called with the game at the start and after every word: the place for invariants.
    """
    record = deal(players, rng, table, max_rounds, cards)
    game = DealtGame(record, rng, cards)
    while True:
        if after is not None:
            after(game)
        if game.over:
            break
        words = game.legal()
        game.play(rng.choices(words, [weight(game, word) for word in words])[0])
    return record | {
        "reshuffles": game.shuffled,
        "moves": game.moves,
        "scores": game.scores(),
        "ranks": game.ranks(),
        "trigger": game.trigger,
        "truncated": game.truncated,
    }
