"""Chapter K: what a seat cannot know, forgotten or dealt anew.

Hidden is only which card lies on which place of the deal. So `canonicalize_hidden` blanks the places that a seat has
not seen, and `sample_unseen` does so first and then deals: nothing it does can depend on what the seat cannot know.

A deal must fit what everybody saw: the types of S3, each card played from a hand that had taken it by then, and K3: no
card of a hand that was stuck could be played, and at most one of them counted for a pair.
"""

import numpy as np

from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import B_CARDS, BUILDINGS, CARDS, NOBODY, NOTHING, CardType

from . import chance, clues, play, setup, worlds
from .state import HAND, HAND_A, MOST_MINE, OWN_A, STATE, STUCKS, Phase, Stream

TYPES = len(CardType)
TURNS = 24  # changes tried for each unknown place, so that every deal that fits is about as likely
MOST_TURNS = 40_000  # changes tried before a deal that does not quite fit is taken
PLAYABLE, COUNTING = 0, 1  # columns of what a stuck hand cannot hold, and what it can hold but one of
UPHILL = 32  # of so many changes to a worse fit one is made all the same
REST = 3  # one of so many changes begins where the deal does not fit
DARING = 3  # the number of the draw that says so, after those of the places
BY, AFTER = 0, 1  # columns of what is known of a played card: whose it was, and how many that seat had taken by then


@kernel
def note_stuck(game):
    """[K3] The seat to move shows that no card of its hand can be used now; of many times the last ones are kept."""
    number = game.stucks
    if number == STUCKS:
        forget_first_stuck(game)
        number -= 1
    game.stucks = number + 1
    game.stuck_seat[number] = game.to_move
    game.stuck_taken[number] = game.taken[game.to_move]
    game.stuck_plays[number] = game.plays
    for choice in range(MOST_MINE):
        game.stuck_mine[number, choice] = game.mine[game.to_move, choice]
    for building in range(BUILDINGS):
        game.stuck_sets[number, building] = game.sets[building]


@kernel
def forget_first_stuck(game):
    """Make room for one more."""
    for number in range(1, STUCKS):
        game.stuck_seat[number - 1] = game.stuck_seat[number]
        game.stuck_taken[number - 1] = game.stuck_taken[number]
        game.stuck_plays[number - 1] = game.stuck_plays[number]
        game.stuck_mine[number - 1] = game.stuck_mine[number]
        game.stuck_sets[number - 1] = game.stuck_sets[number]


@kernel
def canonicalize_hidden(box, game, seat):
    """[K1 K2] Blank all that a seat cannot know: games that it cannot tell apart become equal."""
    game.seed = 0
    if game.to_move != seat and seat != NOBODY:
        game.legal_count = game.counting = 0
    for place in range(CARDS):
        if not has_seen(game, seat, place) and not is_open(game, game.deal[place]):
            game.deal[place] = NOTHING
    for other in range(box.players):
        if other != seat and seat != NOBODY:
            game.hand[other] = 0


@kernel
def has_seen(game, seat, place):
    """[K1] A seat took the card of a place; where the seat is NOBODY, some seat did."""
    return game.holder[place] != NOBODY if seat == NOBODY else game.holder[place] == seat


@kernel
def is_open(game, card):
    """In a game that began in its middle, a played card's place tells nothing: it stays."""
    if not game.from_deal:
        for number in range(game.plays):
            if game.played[number] == card:
                return True
    return False


@kernel
def sample_unseen(box, game, seat, seed):
    """[K1-K3] Deal anew, from a seed (uint64), what a seat cannot know, with all chance to come."""
    canonicalize_hidden(box, game, seat)
    free, spots = unknown_places(game)
    facts = known_plays(game)
    masks = stuck_hands(box, game)
    if seat != NOBODY and not place_played(box, game, seat, facts, masks):
        canonicalize_hidden(box, game, seat)
        place_played(box, game, seat, facts, np.zeros_like(masks))
    deal_rest(box, game, seed)
    tally = tallies(game, masks)
    mix(box, game, free[:spots], facts, masks, tally, seed)
    setup.sort_places(game, box)
    fill_hands(box, game, seat)
    if game.to_move != seat and game.phase == Phase.SHOW:
        play.judge_hand(box, game, np.zeros(1, worlds.WORLD), np.zeros(box.kind.size, np.bool_))
    game.seed = seed


@kernel
def unknown_places(game):
    """The blank places, and their number."""
    free, spots = np.zeros(CARDS, np.int64), 0
    for place in range(CARDS):
        if game.deal[place] == NOTHING:
            free[spots] = place
            spots += 1
    return free, spots


@kernel
def known_plays(game):
    """[K1] For every card whose hand it came from, and how many cards that seat had taken: [CARDS, 2].

    The first card of a pair, which still is in the hand, is known as well.
    """
    facts = np.full((CARDS, 2), NOTHING, np.int64)
    for number in range(game.plays):
        facts[game.played[number], BY] = game.played_by[number]
        facts[game.played[number], AFTER] = game.played_after[number]
    if game.shown != NOTHING:
        facts[game.shown, BY] = game.to_move
        facts[game.shown, AFTER] = game.taken[game.to_move]
    return facts


@kernel
def place_played(box, game, seat, facts, masks):
    """[S3 K3] Put the cards that other seats played on places that these had taken by then: the earliest that fit.

    First those that a stuck hand cannot have held. False where a card found no place, which cannot be without masks.
    """
    found = True
    for late in range(2):
        for number in range(game.plays + (game.shown != NOTHING)):
            card = game.played[number] if number < game.plays else game.shown
            if facts[card, BY] != seat:
                earliest = not_before(game, facts, masks, card)
                if (earliest == 0) == (late == 1):
                    found = found and place_early(box, game, card, facts, earliest)
    return found


@kernel
def not_before(game, facts, masks, card):
    """[K3] How many cards its player had taken at least before it took this one."""
    earliest = 0
    for number in range(game.stucks):
        if game.stuck_seat[number] == facts[card, BY] and masks[number, PLAYABLE] & play.bit(card) != 0:
            earliest = max(earliest, game.stuck_taken[number])
    return earliest


@kernel
def place_early(box, game, card, facts, earliest):
    """Put a card on the earliest blank place that takes its type and that its player took in time."""
    for place in range(box.out_place):
        fits = game.deal[place] == NOTHING and game.order[place] >= earliest
        if fits and may_lie(game, facts, place, card) and takes(box, place, card):
            game.deal[place] = card
            return True
    return False


@kernel
def takes(box, place, card):
    """[S3] A place's kind of stack holds cards of this type."""
    kind = box.card_type[card]
    if place < box.own_place:
        return kind == (CardType.A if place % HAND < HAND_A else CardType.C)
    if place < box.common_place:
        return kind != CardType.B
    if place < box.out_place:
        return kind == CardType.B or box.common_a > 0
    return kind != CardType.B


@kernel
def pile_of(box, place):
    """[S3] Places of one pile hold given numbers of each type, in any order; a hand's are fixed, each by itself."""
    if place < box.own_place:
        return CARDS + place
    if place < box.common_place:
        return (place - box.own_place) // max(box.own_size, 1)
    return box.common_place if place < box.out_place else box.out_place


@kernel
def deal_rest(box, game, seed):
    """[S3] Cards that lie nowhere yet, in random order, to the blank places."""
    cards, left = np.zeros((TYPES, CARDS), np.int64), np.zeros(TYPES, np.int64)
    lies = np.zeros(CARDS, np.bool_)
    for place in range(CARDS):
        if game.deal[place] != NOTHING:
            lies[game.deal[place]] = True
    for card in range(CARDS):
        if not lies[card]:
            kind = box.card_type[card]
            cards[kind, left[kind]] = card
            left[kind] += 1
    for kind in range(TYPES):
        chance.shuffle(cards[kind], left[kind], seed, chance.event_of(Stream.SAMPLE, kind))
    for place in range(box.own_place):
        if game.deal[place] == NOTHING:
            put_next(game, place, cards, left, CardType.A if place % HAND < HAND_A else CardType.C)
    quota = np.zeros(TYPES, np.int64)
    if box.own_size > 0:
        for seat in range(box.players):
            quota[CardType.A], quota[CardType.B], quota[CardType.C] = OWN_A, 0, box.own_size - OWN_A
            low = setup.own_place(box, seat)
            fill(box, game, low, low + box.own_size, cards, left, quota, seed)
    quota[CardType.A], quota[CardType.B], quota[CardType.C] = box.common_a, B_CARDS, box.common_c
    fill(box, game, box.common_place, box.out_place, cards, left, quota, seed)
    for place in range(box.out_place, CARDS):
        if game.deal[place] == NOTHING:
            put_next(game, place, cards, left, CardType.A if left[CardType.A] > 0 else CardType.C)


@kernel
def put_next(game, place, cards, left, kind):
    """The next card of a type."""
    left[kind] -= 1
    game.deal[place] = cards[kind, left[kind]]


@kernel
def fill(box, game, low, high, cards, left, quota, seed):
    """[S3] Fill a pile's blank places so that it holds its quota [TYPES] of every type, in random order."""
    for place in range(low, high):
        if game.deal[place] != NOTHING:
            quota[box.card_type[game.deal[place]]] -= 1
    for place in range(low, high):
        if game.deal[place] == NOTHING:
            number = chance.draw(seed, chance.event_of(Stream.SAMPLE, TYPES), place, quota.sum())
            kind = 0
            while number >= quota[kind]:
                number -= quota[kind]
                kind += 1
            quota[kind] -= 1
            put_next(game, place, cards, left, kind)


@kernel
def stuck_hands(box, game):
    """[K3] What each stuck hand cannot have held: sets of cards [N, 2].

    The last row is about the seat that has shown the first card of a pair: its hand holds a second one.
    """
    rows = game.stucks + 1
    masks = np.zeros((rows, 2), np.int64)
    games, board = np.zeros(1, STATE), np.zeros(1, worlds.WORLD)
    for number in range(game.stucks):
        judge_stuck(box, game, games[0], board, number, masks)
    if game.phase == Phase.SHOW:
        for building in range(BUILDINGS):
            games[0].sets[building] = game.sets[building]
        gone = played_before(game, game.plays)
        judge_all(box, games[0], board, game.mine[game.to_move], gone, masks[game.stucks])
        masks[game.stucks, PLAYABLE] = 0
        masks[game.stucks, COUNTING] &= ~(play.bit(game.shown + 1) - 1)
    return masks


@kernel
def tallies(game, masks):
    """[K3] How many of the cards in question each stuck hand holds in this deal: [N, 2]."""
    tally = np.zeros_like(masks)
    for place in range(CARDS):
        note(game, masks, tally, place, game.deal[place], 1)
    return tally


@kernel
def judge_stuck(box, game, then, board, number, masks):
    """[K3] Judge all cards that were not played by then on the board as it was."""
    for building in range(BUILDINGS):
        then.sets[building] = game.stuck_sets[number, building]
    gone = played_before(game, game.stuck_plays[number])
    judge_all(box, then, board, game.stuck_mine[number], gone, masks[number])


@kernel
def played_before(game, plays):
    """The set of the first cards that were played."""
    gone = np.int64(0)
    for number in range(plays):
        gone |= play.bit(game.played[number])
    return gone


@kernel
def judge_all(box, then, board, mine, gone, masks):
    """[P1 Q1] The sets of cards, but those gone, that could be played and that count: masks [2]."""
    worlds.look(then, board[0])
    for card in range(CARDS):
        if gone & play.bit(card) == 0:
            for choice in range(clues.choices(box, card)):
                verdict = clues.judge(box, then, board[0], card, mine[choice])
                if clues.may_play(box, verdict):
                    masks[PLAYABLE] |= play.bit(card)
                if clues.counts(verdict):
                    masks[COUNTING] |= play.bit(card)


@kernel
def note(game, masks, tally, place, card, sign):
    """[K3] A card comes to a place or leaves it: count it in the stuck hands that had taken the place."""
    for number in range(game.stucks):
        if game.holder[place] == game.stuck_seat[number] and game.order[place] < game.stuck_taken[number]:
            for column in range(2):
                if masks[number, column] & play.bit(card) != 0:
                    tally[number, column] += sign
    in_hand = game.phase == Phase.SHOW and game.holder[place] == game.to_move
    if in_hand and masks[game.stucks, COUNTING] & play.bit(card) != 0:
        tally[game.stucks, COUNTING] += sign


@kernel
def misfits(game, tally):
    """[K3] How much the deal does not fit: 0 where it fits."""
    found = 0
    for number in range(game.stucks):
        found += tally[number, PLAYABLE] + max(tally[number, COUNTING] - 1, 0)
    if game.phase == Phase.SHOW and tally[game.stucks, COUNTING] == 0:
        found += 1
    return found


@kernel
def mix(box, game, free, facts, masks, tally, seed):
    """[K3] Let cards of two or three unknown places change places, never to a worse fit, until the deal fits and is
    well mixed.
    """
    found, tried = misfits(game, tally), 0
    while free.size > 1 and (tried < TURNS * free.size or (found > 0 and tried < MOST_TURNS)):
        event = chance.event_of(Stream.SAMPLE, TYPES + 1 + tried)
        start = chance.draw(seed, event, 0, free.size)
        one = first_misfit(game, masks, tally, free, start) if found > 0 and tried % REST == 0 else free[start]
        two = free[chance.draw(seed, event, 1, free.size)]
        three = free[chance.draw(seed, event, 2, free.size)] if tried % 2 else one
        daring = chance.draw(seed, event, DARING, UPHILL) == 0
        tried += 1
        if may_turn(box, game, facts, one, two, three):
            turn_places(game, masks, tally, one, two, three)
            now = misfits(game, tally)
            if now <= found or (daring and found > 0):
                found = now
            else:
                turn_places(game, masks, tally, one, three, two)


@kernel
def first_misfit(game, masks, tally, free, start):
    """[K3] The first place from `start` on whose card a stuck hand cannot have held; where none is, the start."""
    for step in range(free.size):
        place = free[(start + step) % free.size]
        if is_misfit(game, masks, tally, place):
            return place
    return free[start]


@kernel
def is_misfit(game, masks, tally, place):
    """[K3] The card on a place could have been played, or was one of two that count."""
    card = play.bit(game.deal[place])
    for number in range(game.stucks):
        if game.holder[place] == game.stuck_seat[number] and game.order[place] < game.stuck_taken[number]:
            if masks[number, PLAYABLE] & card != 0:
                return True
            if masks[number, COUNTING] & card != 0 and tally[number, COUNTING] > 1:
                return True
    return False


@kernel
def turn_places(game, masks, tally, one, two, three):
    """The first place's card goes to the second, that one's to the third, and the third's to the first.

    Where the third is the first, two cards change places.
    """
    if three == one:
        swap(game, masks, tally, one, two)
    elif two == one:
        swap(game, masks, tally, one, three)
    else:
        swap(game, masks, tally, one, two)
        swap(game, masks, tally, one, three)


@kernel
def swap(game, masks, tally, place, other):
    """Two cards change places."""
    card, second = game.deal[place], game.deal[other]
    note(game, masks, tally, place, card, -1)
    note(game, masks, tally, other, second, -1)
    note(game, masks, tally, place, second, 1)
    note(game, masks, tally, other, card, 1)
    game.deal[place], game.deal[other] = second, card


@kernel
def may_turn(box, game, facts, one, two, three):
    """[S3] Cards may change places so: types stay as many in every pile, and played cards where they were taken."""
    if two in (one, three):
        return False
    if not may_go(box, game, facts, one, two, three) or not may_go(box, game, facts, two, three, one):
        return False
    return three == one or may_go(box, game, facts, three, one, two)


@kernel
def may_go(box, game, facts, place, other, third):
    """[S3] A card may go to another place: of its type, unless one of the places that change is of the same pile."""
    card, pile = game.deal[place], pile_of(box, other)
    fits = box.card_type[card] == box.card_type[game.deal[other]] or pile_of(box, place) == pile
    fits = fits or (third != other and pile_of(box, third) == pile)
    return fits and may_lie(game, facts, other, card)


@kernel
def may_lie(game, facts, place, card):
    """[K1] A card that was played came from a place that its player had taken by then."""
    if facts[card, BY] == NOBODY:
        return True
    return game.holder[place] == facts[card, BY] and game.order[place] < facts[card, AFTER]


@kernel
def fill_hands(box, game, seat):
    """The other hands are what their seats have taken and not played."""
    for place in range(CARDS):
        if game.holder[place] != NOBODY and game.holder[place] != seat:
            game.hand[game.holder[place]] |= play.bit(game.deal[place])
    for number in range(game.plays):
        if game.played_by[number] != seat:
            game.hand[game.played_by[number]] &= ~play.bit(game.played[number])
