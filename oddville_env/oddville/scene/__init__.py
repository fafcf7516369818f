"""OddVille as a page shows it: the table, its moves and events by spots, and single drawings by names (`pawn-0`)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from oddville_env.core.game.scene import Drawing, Scene, Speech, drawer, move_kinds, number_of, plain
from oddville_env.core.parts.values import Word
from oddville_env.core.svg.palette import INK
from oddville_env.oddville import describe
from oddville_env.oddville.cards import Bonus, CardSet, Counts, Resource, Suit
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.scene.moves import FORMS, effects, events, move
from oddville_env.oddville.scene.table import EMPTY, facts, table
from oddville_env.oddville.svg import CHARACTER_HEIGHT, character, symbols, tiles

TILE = (0.0, 0.0, 100.0, 100.0)
SYMBOL = (-10.0, -10.0, 20.0, 20.0)
WORKER = (0.0, 0.0, 72.0, float(tiles.WORKER_HEIGHT))
PERSON = (0.0, 0.0, 262.0, CHARACTER_HEIGHT)
MOST_COINS = 99
Kind = Callable[..., Drawing]
"""The drawings of one kind: (card set, further words of the name) -> the drawing."""
_number = partial(number_of, least=0, most=MOST_COINS)


def _building(cards: CardSet, *words: str) -> Drawing:
    card, *owner = map(_number, words)
    describe.SEAT_NAMES[owner[0] if owner else 0]  # a seat that there is
    return Drawing(TILE, tiles.building(cards, card, *owner[:1]), describe.building(cards, card))


def _square(cards: CardSet, *words: str) -> Drawing:
    seats = [None if word == EMPTY else _number(word) for word in words]
    workers = dict(zip(Resource.words(), seats, strict=True))
    return Drawing(TILE, tiles.square(cards, workers), "the Main Square")


def _worker(cards: CardSet, word: str, *played: str) -> Drawing:
    number, in_hand = _number(word), played != ("played",)
    face = tiles.worker(cards, number, WORKER[2], in_hand)
    return Drawing(WORKER, face, f"worker card {number}, {'in hand' if in_hand else 'played'}")


def _character(cards: CardSet, word: str) -> Drawing:
    figure = describe.named(word)
    text = f"{describe.title(figure)}: {describe.POWERS[figure]}, {int(cards.points[figure])} points"
    return Drawing(PERSON, character(word, cards, PERSON[2]).body, text)


def _sign(kinds: type[Word], draw: Callable[[Any], str], names: Mapping[Any, str] | None = None) -> Kind:
    """The drawings of all members of an enumeration; names: in words, where their own ones do not do."""

    def made(cards: CardSet, word: str) -> Drawing:
        kind = kinds[word.upper()]
        return Drawing(SYMBOL, draw(kind), names[kind] if names else kind.word)

    return made


def _amount(draw: Callable[..., str], one: str, many: str) -> Kind:
    """The drawings of an amount of something, or of it without a number."""

    def made(cards: CardSet, word: str | None = None) -> Drawing:
        return Drawing(SYMBOL, draw(), one) if word is None else Drawing(SYMBOL, draw(_number(word)), f"{word} {many}")

    return made


def _pawn(cards: CardSet, word: str) -> Drawing:
    seat = _number(word)
    return Drawing(SYMBOL, symbols.pawn(seat), f"a worker of {describe.SEAT_NAMES[seat]}")


KINDS: dict[str, Kind] = {
    "building": _building,
    "square": _square,
    "worker": _worker,
    "character": _character,
    "resource": _sign(Resource, symbols.resource),
    "bonus": _sign(Bonus, symbols.bonus, describe.BONUS_NAMES),
    "suit": _sign(Suit, symbols.suit),
    "counted": _sign(Counts, symbols.counted, describe.COUNT_NAMES),
    "pawn": _pawn,
    "coin": _amount(symbols.coin, "a coin", "coins"),
    "shield": _amount(symbols.shield, "a shield", "shields"),
    "no": lambda cards, word: {"coin": Drawing(SYMBOL, symbols.no_coin(), "the place of a coin")}[word],
    "star": plain(SYMBOL, symbols.star, "points"),
    "houses": plain(SYMBOL, partial(symbols.houses, INK), "workers in the city"),
    "deck": plain((0.0, 0.0, 52.0, 88.0), tiles.deck, "the deck"),
    "plot": plain(TILE, tiles.plot, "an empty place"),
    "glow": plain((-5.0, -5.0, 110.0, 110.0), tiles.glow, "the card placed last"),
}
"""By the first part of a name."""


def _speech(position: Mapping[str, Any]) -> Speech:
    notice = " · ".join(filter(None, (describe.happened(position), describe.notice(position))))
    return Speech(describe.headline(position), describe.prompt(position), notice)


SCENE = Scene(move_kinds(SPANS, FORMS), _speech, facts, table, drawer(KINDS), move, effects, events)
"""The one scene of all games of OddVille."""
