"""Chapters T, D and E: whose word it is, what may be said, and what comes after it."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import A_CARDS, BUILDINGS, C_CARDS, NOBODY, NOTHING

from . import hidden, play, setup, worlds
from .actions import Kind, allow
from .state import MOST_MINE, PAIR, STANDING_AT_END, End, Phase, Stack


@kernel
def legal_main(box, game, mask):
    """[T2 T3 T4] A play or a pair; a seat that can do neither draws; where nothing is left to draw it passes."""
    play.legal_plays(box, game, mask)
    legal_beside_plays(box, game, mask)


@kernel
def legal_beside_plays(box, game, mask):
    """[T2 T3 T4] The rest of them, once plays are marked and cards that count are noted."""
    play.legal_shows(box, game, mask)
    if game.legal_count == 0:
        setup.legal_draws(box, game, mask)
    if game.legal_count == 0:
        allow(box, game, mask, Kind.PASS)


@kernel
def legal_words(box, game, mask):
    """[T5] Mark what may be said in the phase; the mask is clear before."""
    phase = game.phase
    if phase == Phase.SETUP or phase == Phase.TAKE:
        setup.legal_takes(box, game, mask)
    elif phase == Phase.MAIN:
        legal_main(box, game, mask)
    elif phase == Phase.SHOW:
        play.legal_shows(box, game, mask)
    elif phase == Phase.REMOVE:
        play.legal_removals(box, game, mask)
    elif phase == Phase.DRAW:
        setup.legal_draws(box, game, mask)


@kernel
def legal(box, game, mask):
    """All legal moves of a game: mask [A] bool; none when the game is over."""
    clear(game, mask)
    legal_words(box, game, mask)


@kernel
def clear(game, mask):
    """No move is legal."""
    for action in range(mask.size):
        mask[action] = False
    game.legal_count = 0


@kernel
def legal_anew(box, game, mask):
    """[Q1] The same for a position that stands by itself: in phase show its main phase is judged again before."""
    if game.phase == Phase.SHOW:
        play.legal_plays(box, game, mask)  # notes which cards count
    legal(box, game, mask)


@kernel
def step(box, game, action, mask):
    """[T1] Play one legal move with all that follows by itself, and mark the next legal moves in mask [A] bool."""
    apply_word(box, game, action)
    legal(box, game, mask)


@kernel
def advance(box, game, action, mask):
    """[T1] The same without marking the next moves."""
    apply_word(box, game, action)


@kernel
def apply_word(box, game, action):
    """[E2] Carry out one legal move; any word but a pass ends the passes in a row."""
    kind = box.kind[action]
    if kind != Kind.PASS:
        game.passes = 0
    first, second = box.part[action, 0], box.part[action, 1]
    if kind == Kind.TAKE:
        apply_take(box, game, first)
    elif kind == Kind.SHOW:
        apply_show(box, game, first)
    elif kind == Kind.REMOVE:
        play.apply_removal(game, first, second)
        end_action(box, game, PAIR)
    elif kind == Kind.DRAW:
        apply_draw(box, game, first)
    elif kind == Kind.PASS:
        apply_pass(box, game)
    else:
        apply_play(box, game, kind, first, second)


@kernel
def apply_take(box, game, building):
    """[S5 B2] In setup each seat takes two in a row, and after the last one the first turn begins."""
    setup.take_building(game, building)
    if game.phase == Phase.TAKE:
        open_main(box, game)
    elif setup.mine_size(game, game.to_move) == MOST_MINE:
        game.to_move = (game.to_move + 1) % box.players
        if game.to_move == game.first:
            begin_turn(box, game, game.first)


@kernel
def apply_play(box, game, kind, first, second):
    """[T2 D1] A play, then one card is drawn."""
    card, own = first, second
    if kind == Kind.PLAY_B:
        card = A_CARDS + C_CARDS + first
    elif kind == Kind.PLAY_C:
        card = A_CARDS + first
        own = second + (second >= box.named[card])
    play.apply_play(box, game, card, own)
    end_action(box, game, 1)


@kernel
def apply_show(box, game, card):
    """[Q2 Q3 Q5] The first card of a pair waits for the second; then a token goes, if there is one."""
    if game.shown == NOTHING:
        game.shown = card
        game.phase = Phase.SHOW
        return
    play.discard(game, game.shown)
    play.discard(game, card)
    game.shown = NOTHING
    game.counting = 0
    if play.any_token(game):
        game.phase = Phase.REMOVE
    else:
        end_action(box, game, PAIR)


@kernel
def apply_draw(box, game, stack):
    """[D2 T3] A card from a stack: one of those due, or instead of an action."""
    if game.phase == Phase.MAIN:
        hidden.note_stuck(game)
        setup.draw_card(box, game, stack)
        end_turn(box, game)
    else:
        setup.draw_card(box, game, stack)
        game.draws -= 1
        draw_what_is_due(box, game)


@kernel
def apply_pass(box, game):
    """[T4 E2] Nothing can be done; when all seats in a row have passed, the game is over."""
    hidden.note_stuck(game)
    game.passes += 1
    if game.passes == box.players:
        finish(game, End.EXHAUSTED)
    else:
        end_turn(box, game)


@kernel
def end_action(box, game, draws):
    """[D1 E1] After an action cards are drawn, unless the 16th building stands."""
    game.counting = 0
    if standing(game) == STANDING_AT_END:
        finish(game, End.COMPLETE)
    else:
        game.draws = draws
        draw_what_is_due(box, game)


@kernel
def draw_what_is_due(box, game):
    """[D3] With one stack there is no choice and no word; with none nothing is drawn."""
    while game.draws > 0:
        common, own = game.common > 0, game.own[game.to_move] > 0
        if common and own:
            game.phase = Phase.DRAW
            return
        if common or own:
            setup.draw_card(box, game, Stack.COMMON if common else Stack.OWN)
            game.draws -= 1
        else:
            game.draws = 0
    end_turn(box, game)


@kernel
def end_turn(box, game):
    """[T1] The next seat clockwise has its turn."""
    begin_turn(box, game, (game.to_move + 1) % box.players)


@kernel
def begin_turn(box, game, seat):
    """[T1] A seat's turn begins: own buildings are filled up first."""
    game.turn += 1
    game.to_move = seat
    open_main(box, game)


@kernel
def open_main(box, game):
    """[T5 B2] A seat that has no building to take comes to its action."""
    game.counting = 0
    game.phase = Phase.TAKE if setup.must_take(box, game) else Phase.MAIN


@kernel
def standing(game):
    """[E1] The number of buildings that stand."""
    number = 0
    for building in range(BUILDINGS):
        number += worlds.is_single(int(game.sets[building]))
    return number


@kernel
def finish(game, end):
    """[E1 E2] The game is over."""
    game.phase, game.end, game.to_move = Phase.OVER, end, NOBODY
    game.draws = game.counting = 0


@kernel
def score(box, game, seat):
    """[E3] A seat's points, those of P7."""
    return game.score[seat]


@kernel
def scores(box, game, out):
    """[E3] Every seat's points: out [P] int."""
    for seat in range(box.players):
        out[seat] = score(box, game, seat)


@kernel
def ranks(box, points, out):
    """[E4] Ranks from 1, equals sharing the better one: points [P] int -> out [P] int."""
    for seat in range(box.players):
        out[seat] = 1
        for other in range(box.players):
            out[seat] += points[other] > points[seat]
