"""What must hold in every state: ranges, nothing lost or doubled, and what is kept agrees with what is so."""

import numpy as np

from oddville_env.core.parts.fields import out_of_range
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, NOBODY, NOTHING
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import FIELDS, PAIR, STANDING_AT_END, TOKENS, Phase

ALL_TOKENS = BUILDINGS * TOKENS


def problems(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """What is impossible in a state, a sentence each: first what lies outside its range, then what does not agree."""
    game = games[index]
    if found := out_of_range(FIELDS, game):
        return found
    found = [*_tokens(game), *_tiles(box, game), *_cards(box, game), *_turn(box, game)]
    return found or _kept(box, games[index : index + 1])


def _sizes(game: np.record) -> list[int]:
    """How many lots each building's set has."""
    return [int(lots).bit_count() for lots in game.sets]


def _tokens(game: np.record) -> list[str]:
    """[S1 W1 P7] Five tokens a building: unknown, on the board, or scored."""
    sizes, found = _sizes(game), []
    left = sum(TOKENS if size == 0 else size for size in sizes if size != 1)
    if (total := left + int(game.score.sum())) != ALL_TOKENS:
        found.append(f"points, tokens on the board and tokens of unknown buildings are {total}, not {ALL_TOKENS}")
    if game.from_deal and (game.earned.sum(axis=1) != game.score).any():
        found.append(f"points are {game.score}, but by what brought them {game.earned.sum(axis=1)}")
    if max(sizes) > TOKENS:
        found.append(f"a building has {max(sizes)} tokens")
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
    for seat in range(box.players):
        taken = set(game.deal[game.holder == seat].tolist())
        hand = {card for card in range(CARDS) if int(game.hand[seat]) >> card & 1}
        if hand != taken - played:
            found.append(f"seat {seat} holds {sorted(hand)}, but has taken {sorted(taken)}")
        if len(hand) != game.hand_size[seat] or (game.from_deal and len(taken) != game.taken[seat]):
            found.append(f"seat {seat}'s cards are counted wrong")
    untaken = int((game.holder == NOBODY).sum())
    out = CARDS - int(box.record[0].out_place)
    if game.from_deal and untaken != game.common + game.own.sum() + out:
        found.append("the stacks are counted wrong")
    return found


def _turn(box: Box, game: np.record) -> list[str]:
    """[T5 E1] Phase, seats and counters go together."""
    over = game.phase == Phase.OVER
    impossible = {
        "a seat is named that does not play": max(game.first, game.to_move) >= box.players,
        "a seat is to move exactly while the game is not over": over != (game.to_move == NOBODY),
        "a game is over exactly when it has an end": over != (game.end != NOTHING),
        "a card is shown in phase show only": (game.phase == Phase.SHOW) != (game.shown != NOTHING),
        "cards are due in phase draw only": (game.phase == Phase.DRAW) != (0 < game.draws <= PAIR),
        "the game goes on although 16 buildings stand": not over and _sizes(game).count(1) >= STANDING_AT_END,
    }
    return [sentence for sentence, so in impossible.items() if so]


def _kept(box: Box, game: np.ndarray) -> list[str]:
    """What is kept is what one would find by looking anew: closed sets, number of words, cards that count."""
    anew = game.copy()
    mask = np.zeros(box.layout.size, np.bool_)
    batch.close_board(anew, 0)
    batch.legal(box.record, anew, 0, mask)
    return [
        f"{name} is {game[0][name]}, but looked at anew {anew[0][name]}"
        for name in ("sets", "legal_count", "counting")
        if (game[0][name] != anew[0][name]).any()
    ]
