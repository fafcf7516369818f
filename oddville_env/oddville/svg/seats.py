"""The seats: what each has, holds and can do."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, below, beside, bold, disc, extent, group, hint, symbol
from oddville_env.core.svg.page import GAP, PAD
from oddville_env.core.svg.palette import INK
from oddville_env.core.svg.seats import areas, badges, width_of, within
from oddville_env.oddville import describe
from oddville_env.oddville.cards import CardSet, Suit
from oddville_env.oddville.rules.state import HELD, MOST_COINS, MOST_HELD
from oddville_env.oddville.svg import symbols, tiles
from oddville_env.oddville.svg.palette import SUIT_COLOURS

CONTENT = 263.0
CARD_GAP = 5.5
GOODS_HEIGHT = 26.0
CHARACTER_HEIGHT = 30.0
CHARACTER_GAP = 4.0
ROOM = 4  # characters that a fixed area has room for; more are drawn smaller


def seats(position: Mapping[str, Any], cards: CardSet, fixed: bool) -> Fragment:
    """All seats side by side, equally wide and high; fixed: as high as they will ever be."""
    players, width = range(position["players"]), width_of(position["players"])
    contents = [_content(position, seat, cards, width - 2 * PAD, fixed) for seat in players]
    return areas(contents, [_heading(position, seat, width) for seat in players], position["to_move"])


def _heading(position: Mapping[str, Any], seat: int, width: float) -> str:
    name = describe.SEAT_NAMES[seat]
    return (
        symbol(PAD + 11, 18, 25, symbols.pawn(seat))
        + bold(PAD + 29, 18.5, name, 14)
        + at(PAD + 42 + extent(name, 14), 9, badges(describe.roles(position, seat)))
        + symbol(width - PAD - 8, 18, 19, symbols.star())
        + bold(width - PAD - 22, 18.5, position["scores"][seat], 16, text_anchor="end")
    )


def _content(position: Mapping[str, Any], seat: int, cards: CardSet, width: float, fixed: bool) -> Fragment:
    """The belongings, and the characters below them or, where there is room, beside them."""
    area = position["seats"][seat]
    roomy = width >= 2 * CONTENT
    wide = CONTENT if roomy else width
    mine = below([_goods(position, seat, wide), _hand(area["hand"], cards, wide), _held(area["held"], cards, wide)], 8)
    rest = width - CONTENT - 2 * GAP if roomy else width
    people = below([character(word, cards, rest) for word in area["characters"]], CHARACTER_GAP)
    if not fixed:
        return beside([mine, people], 2 * GAP) if roomy else below([mine, people], 10)
    if roomy:
        return beside([mine, within(people, mine.height)], 2 * GAP)
    return below([mine, within(people, ROOM * (CHARACTER_HEIGHT + CHARACTER_GAP))], 10)


def _goods(position: Mapping[str, Any], seat: int, width: float) -> Fragment:
    """Coins in their places, workers in supply, workers in the city."""
    area = position["seats"][seat]
    coins = "".join(
        symbol(9 + 20 * place, GOODS_HEIGHT / 2, 18, symbols.coin() if place < area["coins"] else symbols.no_coin())
        for place in range(MOST_COINS)
    )
    supply = symbol(134, GOODS_HEIGHT / 2, 20, symbols.pawn(seat)) + bold(147, GOODS_HEIGHT / 2, area["supply"], 13)
    homes = symbol(204, GOODS_HEIGHT / 2, 22, symbols.houses(INK)) + bold(
        219, GOODS_HEIGHT / 2, describe.settled(position, seat), 13
    )
    return Fragment(
        coins + group(hint("supply"), supply) + group(hint("workers in the city"), homes), width, GOODS_HEIGHT
    )


def _hand(hand: Sequence[int], cards: CardSet, width: float) -> Fragment:
    numbers = range(1, len(cards.worker_coins) + 1)
    wide = (width - (len(numbers) - 1) * CARD_GAP) / len(numbers)
    faces = [
        Fragment(tiles.worker(cards, number, wide, number in hand), wide, tiles.WORKER_HEIGHT) for number in numbers
    ]
    return beside(faces, CARD_GAP)


def _held(held: Sequence[int], cards: CardSet, width: float) -> Fragment:
    """[L2] Two places, and room for the card too many."""
    side = (width - MOST_HELD * CARD_GAP) / HELD
    faces = [tiles.building(cards, card) for card in held] + [tiles.plot()] * (MOST_HELD - len(held))
    places = [Fragment(at(0, 0, face, side / tiles.TILE), side, side) for face in faces]
    return Fragment(beside(places, CARD_GAP).body, width, side)


def character(word: str, cards: CardSet, width: float) -> Fragment:
    """A character by its word: the sign of its guild, its name above its power, its points."""
    figure = describe.named(word)
    guild = Suit(int(cards.guild[figure]))
    sign = disc(14, 14, 13.5, fill=SUIT_COLOURS[guild].pale) + symbol(14, 14, 18, symbols.suit(guild))
    return Fragment(sign + at(36, 0, tiles.character(cards, figure, width - 36)), width, CHARACTER_HEIGHT)
