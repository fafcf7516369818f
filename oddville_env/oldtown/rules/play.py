"""Chapters P, Q and B3: a card is played, a pair is shown, a token is removed; what goes is scored."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import A_CARDS, BUILDINGS, C_CARDS, NOTHING, CardType

from . import clues, pairs, worlds
from .actions import Kind, allow, allow_lots
from .state import FROM_PAIRS, MOST_MINE, TOKENS


@kernel
def bit(card):
    """The set of one card."""
    return np.int64(1) << np.int64(card)


@kernel
def lowest_card(cards):
    """The lowest card of a set that is not empty: a hand is asked for its few cards, not 60 times for each."""
    return worlds.count(~cards & (cards - 1))


@kernel
def allow_play(box, game, mask, card, own):
    """Mark a play as legal; ids count the cards of a type from 0, and for C the buildings without the card's own."""
    if box.card_type[card] == CardType.A:
        allow(box, game, mask, Kind.PLAY_A, card)
    elif box.card_type[card] == CardType.B:
        allow(box, game, mask, Kind.PLAY_B, card - A_CARDS - C_CARDS, own)
    else:
        allow(box, game, mask, Kind.PLAY_C, card - A_CARDS, own - (own > box.named[card]))


@kernel
def judge_hand(box, game, board, mask):
    """[P5 Q1] Judge every card of the hand: mark the plays, and note the cards that count for a pair.

    board [1] WORLD is working memory.
    """
    world, seat = board[0], game.to_move
    worlds.look(game, world)
    game.counting = 0
    hand = game.hand[seat]
    while hand != 0:
        card = lowest_card(hand)
        hand &= hand - 1
        for choice in range(clues.choices(box, card)):
            own = game.mine[seat, choice]
            mark(box, game, mask, card, own, clues.judge(box, game, world, card, own))


@kernel
def mark(box, game, mask, card, own, verdict):
    """[P5 Q1] Mark the play of a card with this verdict, and note the card if it counts for a pair."""
    if clues.may_play(box, verdict):
        allow_play(box, game, mask, card, own)
    if clues.counts(verdict):
        game.counting |= bit(card)


@kernel
def legal_plays(box, game, mask):
    """[P5] Mark the plays, and note which cards count."""
    judge_hand(box, game, np.empty(1, worlds.WORLD), mask)


@kernel
def legal_shows(box, game, mask):
    """[Q2] The first card of a pair has a higher one to follow it; the second is higher than the first."""
    cards = game.counting & ~(bit(game.shown + 1) - 1)
    while cards != 0:
        card = lowest_card(cards)
        cards &= cards - 1
        if cards != 0 or game.shown != NOTHING:
            allow(box, game, mask, Kind.SHOW, card)


@kernel
def worth(lots):
    """[P7] Tokens of a building that are still to score: those on the board, and all of an unknown one."""
    tokens = worlds.count(lots)
    return TOKENS if tokens == 0 else (tokens if tokens > 1 else 0)


@kernel
def total_worth(game):
    """[P7] Tokens that are still to score, of all buildings."""
    total = 0
    for building in range(BUILDINGS):
        total += worth(np.int64(game.sets[building]))
    return total


@kernel
def leave(game):
    """[B3] Buildings that stand leave their owners and the supply."""
    for building in range(BUILDINGS):
        game.supply[building] &= not worlds.is_single(np.int64(game.sets[building]))
    for seat in range(game.mine.shape[0]):
        kept = 0
        for choice in range(MOST_MINE):
            building = game.mine[seat, choice]
            game.mine[seat, choice] = NOTHING
            if building != NOTHING and not worlds.is_single(np.int64(game.sets[building])):
                game.mine[seat, kept] = building
                kept += 1


@kernel
def settle(game, before, source):
    """[P7 B3] The board was worth `before`: points for what went, one of SOURCES, and tiles of what stands."""
    points = before - total_worth(game)
    game.score[game.to_move] += points
    game.earned[game.to_move, source] += points
    leave(game)


@kernel
def discard(game, card):
    """[P8] A card leaves the hand for good."""
    seat = game.to_move
    game.hand[seat] &= ~bit(card)
    game.hand_size[seat] -= 1
    game.played[game.plays] = card
    game.played_by[game.plays] = seat
    game.played_after[game.plays] = game.taken[seat]
    game.plays += 1


@kernel
def put_lots(game, board, building, lots):
    """[P5] An A or B card leaves its building some lots, and then the board closes."""
    world = board[0]
    if game.sets[building] == 0:
        worlds.look(game, world)
        worlds.place(world, worlds.add(world, building, world.open & lots))
        worlds.close(world)
        worlds.write(game, world)
    else:
        game.sets[building] &= lots
        worlds.close_board(game, world)


@kernel
def put_pairs(box, game, board, card, own):
    """[P5] A C card narrows the whole board at once."""
    world = board[0]
    worlds.look(game, world)
    pairs.narrow_to_pairs(box, game, world, card, own)
    pairs.close_under_pairs(box, game, world, card, own)
    worlds.write(game, world)


@kernel
def points_of(box, game, world, card, own):
    """[P5 P7] The points of a card that was just judged a change; the world is some other one afterwards."""
    members = np.int64(world.members)
    if box.card_type[card] == CardType.C:
        pairs.close_under_pairs(box, game, world, card, own)
    else:
        close_under_lots(game, world, box.named[card] if box.card_type[card] == CardType.A else own, box.lots[card])
    points = 0
    for member in range(members):
        points += worth(world.sets[member]) - worth(world.left[member])
    for member in range(members, world.members):
        points += worth(np.int64(game.sets[world.who[member]])) - worth(world.left[member])
    pairs.part(game, world, members)
    return points


@kernel
def close_under_lots(game, world, building, lots):
    """[W5] The lots that each member keeps under an A or B card that leaves a building some lots."""
    member = world.member[building]
    if member == NOTHING:
        worlds.place(world, worlds.add(world, building, world.open & lots))
        worlds.close(world)
    else:
        sets = world.sets[member]
        worlds.narrow(world, member, lots)
        worlds.close(world)
        world.sets[member] = sets


@kernel
def apply_play(box, game, card, own):
    """[P5 P7 P8] Play a card, with an own building where its type asks for one."""
    before, board = total_worth(game), np.empty(1, worlds.WORLD)
    if box.card_type[card] == CardType.C:
        put_pairs(box, game, board, card, own)
    else:
        put_lots(game, board, box.named[card] if box.card_type[card] == CardType.A else own, box.lots[card])
    discard(game, card)
    settle(game, before, box.card_type[card])


@kernel
def any_token(game):
    """[Q5] A token lies on the board."""
    for building in range(BUILDINGS):
        if worlds.count(np.int64(game.sets[building])) > 1:
            return True
    return False


@kernel
def legal_removals(box, game, mask):
    """[Q3] Any token of any building."""
    for building in range(BUILDINGS):
        lots = np.int64(game.sets[building])
        if worlds.count(lots) > 1:
            allow_lots(box, game, mask, Kind.REMOVE, building, lots)


@kernel
def may_remove(game, building, lot):
    """[Q3] A token of the building lies on the lot, and it may yet stand elsewhere."""
    lots = np.int64(game.sets[building])
    return lots >> lot & 1 != 0 and worlds.count(lots) > 1


@kernel
def apply_removal(game, building, lot):
    """[Q3 Q4] Remove a token; the board closes again, and all that goes is scored."""
    before = total_worth(game)
    game.sets[building] &= ~(1 << lot)
    close_board(game, np.empty(1, worlds.WORLD))
    settle(game, before, FROM_PAIRS)


@kernel
def close_board(game, board):
    """[Q4] The board closes; board [1] WORLD is working memory."""
    worlds.close_board(game, board[0])
