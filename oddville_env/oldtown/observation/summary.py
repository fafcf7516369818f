"""The encoding `summary`: some hundred numbers of float32 about -1..1, for plain networks that learn on few games.

It tells what the rules compute of the board and of the observer's cards, and gives no advice.
"""

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, lead_piece, lead_writer, scale, scales
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, CARDS_OF, LOTS, NOTHING, TYPE_OF, CardType
from oddville_env.oldtown.observation.features import TABLE, TURN, TYPES, put_lots, put_seats, put_turn
from oddville_env.oldtown.rules import clues, play, turn, worlds
from oddville_env.oldtown.rules.state import EVERY_LOT, MOST_MINE, SEATS, TOKENS, Phase

put_leads = lead_writer(SEATS, turn.score)
UNITS: dict[str, int | tuple[int, ...]] = {"clock": (30, 30, 2, 4), "seats": (40, 6, 6)}
SUMMARY = (
    *(piece._replace(unit=UNITS.get(piece.name, 1)) for piece in (*TURN, *TABLE)),
    lead_piece(SEATS),
    Piece("supply", (BUILDINGS,), 1, "buildings in supply"),
    Piece("tokens", (BUILDINGS,), TOKENS, "tokens of each building, 0 where it stands or is unknown", 0, TOKENS),
    Piece("standing", (BUILDINGS,), 1, "buildings that stand"),
    Piece("on_lot", (LOTS,), TOKENS, "tokens on each lot", 0, 3),
    Piece("taken", (LOTS,), 1, "lots on which a building stands"),
    Piece("unseen", (TYPES,), CARDS, "cards neither in the observer's hand nor out of a hand, by type A C B", 0, 20),
    Piece("hand", (CARDS,), 1, "the observer's cards by their numbers"),
    Piece("counts", (CARDS,), 1, "those of them that confirm or contradict now, so that they count for a pair"),
    Piece("points", (CARDS, MOST_MINE), FULL, "points for playing each of them now with the observer's first and "
          "second own building; one that asks for none stands first", 0, TOKENS),
    Piece("plays", (CARDS, MOST_MINE), 1, "whether it could be played so, if the observer were to move"),
)  # fmt: skip

SPREAD = np.array(
    [sum((lots >> lot & 1) << worlds.BYTE * lot for lot in range(worlds.BYTE)) for lots in range(worlds.LOW_BYTE + 1)],
    np.uint64,
)
"""For each set of eight lots a number with a byte for each lot: sums of them count by lot."""

CARDS_OF_TYPE = np.array([sum(1 << card for card in range(CARDS) if TYPE_OF[card] == kind) for kind in CardType])
"""The set of all cards of each type."""
NUMBER_OF = np.array([CARDS_OF[kind] for kind in CardType])
NOT_JUDGED = NOTHING - 1
SHOWN = 1 << CARDS
BY_CHOICE = [(name, "i1", (CARDS, MOST_MINE)) for name in ("own", "verdict", "points")]
OF_BOARD = [("known", "i8"), ("shows", "i8"), ("world", worlds.WORLD), ("sets", "u2", BUILDINGS)]
JUDGED = np.dtype((np.record, OF_BOARD + BY_CHOICE))
"""What cards do on a board, which many moves leave as it is: `sets` is the board, `world` what a look at it found,
`own` the own building with which a card was judged. `shows` are the cards of the last observation, and SHOWN."""

LOW, HIGH, UNIT = scales([piece for piece in SUMMARY if CARDS not in piece.shape])
HEAD = len(UNIT)  # numbers before those of cards
COUNTS, POINTS = HEAD + CARDS, HEAD + 2 * CARDS
PLAYS = POINTS + CARDS * MOST_MINE


@kernel
def update_summary(boxes, games, index, me, memory, out):
    """Write what seat `me` sees of a game over what memory[index], a record of JUDGED, says of out [N] float32."""
    box, game, kept, head = boxes[0], games[index], memory[index], out[:HEAD]
    judge_hand(box, game, me, kept)
    head[:] = 0
    at = put_turn(box, game, head, 0)
    at = put_seats(box, game, me, head, at)
    at = put_leads(box, game, me, head, at)
    at = put_tokens(game, kept.world, head, at)
    put_unseen(box, game, me, head, at)
    scale(head, LOW, HIGH, UNIT)
    put_hand(box, game, me, kept, out)


@kernel
def write_summary(boxes, games, index, me, out):
    """The same, whatever out holds, of a game of which nothing is kept."""
    update_summary(boxes, games[index : index + 1], 0, me, np.zeros(1, JUDGED), out)


@kernel
def put_tokens(game, world, out, at):
    """Pieces supply to taken; world is what was found by a look at the board."""
    tokens, end = at + BUILDINGS, at + 3 * BUILDINGS
    supply, standing, on_lot = out[at:tokens], out[tokens + BUILDINGS : end], out[end : end + LOTS]
    for building in range(BUILDINGS):
        supply[building] = game.supply[building]
        standing[building] = worlds.is_single(np.int64(game.sets[building]))
    low, high = np.uint64(0), np.uint64(0)
    for member in range(world.members):
        lots = world.sets[member]
        out[tokens + world.who[member]] = worlds.count(lots)
        low += SPREAD[lots & worlds.LOW_BYTE]
        high += SPREAD[lots >> worlds.BYTE]
    for lot in range(worlds.BYTE):
        on_lot[lot] = low >> np.uint64(worlds.BYTE * lot) & np.uint64(worlds.LOW_BYTE)
        on_lot[worlds.BYTE + lot] = high >> np.uint64(worlds.BYTE * lot) & np.uint64(worlds.LOW_BYTE)
    put_lots(out, end + LOTS, EVERY_LOT & ~world.lots)
    return end + 2 * LOTS


@kernel
def put_unseen(box, game, me, out, at):
    """Piece unseen; cards of a type have numbers that follow each other."""
    known = game.hand[me]
    for number in range(game.plays):
        known |= play.bit(game.played[number])
    for kind in range(TYPES):
        out[at + kind] = NUMBER_OF[kind] - worlds.count(known & CARDS_OF_TYPE[kind])
    return at + TYPES


@kernel
def put_hand(box, game, me, kept, out):
    """Pieces hand to plays: what the board says of each of the observer's cards."""
    hide_cards(kept, out)
    hand = game.hand[me]
    kept.shows = hand | SHOWN
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        out[HEAD + card] = 1
        for choice in range(clues.choices(box, card)):
            verdict = kept.verdict[card, choice]
            if clues.counts(verdict):
                out[COUNTS + card] = 1
            if clues.may_play(box, verdict):
                out[PLAYS + card * MOST_MINE + choice] = 1
            out[POINTS + card * MOST_MINE + choice] = kept.points[card, choice] / np.float32(TOKENS)


@kernel
def hide_cards(kept, out):
    """Clear the pieces hand to plays of the cards that they show."""
    if kept.shows == 0:
        out[HEAD:] = 0
    cards = kept.shows & ~SHOWN
    while cards != 0:
        card = play.lowest_card(cards)
        cards &= cards - 1
        out[HEAD + card] = out[COUNTS + card] = 0
        for choice in range(MOST_MINE):
            out[POINTS + card * MOST_MINE + choice] = out[PLAYS + card * MOST_MINE + choice] = 0


@kernel
def judge_hand(box, game, me, kept):
    """Judge the observer's cards that have not been judged on this board with the same own buildings."""
    if kept.known == 0 or not is_board(game, kept.sets):
        kept.known = 1
        overwrite(kept.sets, game.sets)
        worlds.look(game, kept.world)
        kept.own[:] = NOT_JUDGED
    hand = game.hand[me]
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        for choice in range(clues.choices(box, card)):
            own = NOTHING if box.card_type[card] == CardType.A else game.mine[me, choice]  # an A card asks for none
            if kept.own[card, choice] != own:
                judge_card(box, game, card, choice, own, kept)


@kernel
def is_board(game, sets):
    """Whether the buildings have these sets."""
    different = 0
    for building in range(BUILDINGS):
        different |= sets[building] ^ game.sets[building]
    return different == 0


@kernel
def judge_card(box, game, card, choice, own, kept):
    """Note the verdict on a card with an own building, and the points that it would bring."""
    verdict, points = clues.judge(box, game, kept.world, card, own), 0
    if verdict == clues.Verdict.CHANGE:
        points = play.points_of(box, game, kept.world, card, own)
    kept.own[card, choice], kept.verdict[card, choice], kept.points[card, choice] = own, verdict, points


@kernel
def step(box, game, action, mask, kept):
    """What `turn.step` does, by judgements that are kept."""
    turn.apply_word(box, game, action)
    turn.clear(game, mask)
    if game.phase != Phase.MAIN:
        turn.legal_words(box, game, mask)
        return
    judge_hand(box, game, game.to_move, kept)
    hand = game.hand[game.to_move]
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        for choice in range(clues.choices(box, card)):
            play.mark(box, game, mask, card, game.mine[game.to_move, choice], kept.verdict[card, choice])
    turn.legal_beside_plays(box, game, mask)
