"""Chapters T and E: whose word it is, what may be said, and what comes after it."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY

from . import board, bonuses, building, characters, limits, setup, workers
from .actions import Kind, allow
from .state import RESOURCES, WORKER_CARDS, Phase


@kernel
def recover_price(game, seat):
    """[T2 C5] 1 coin for each card still in hand."""
    return max(workers.hand_size(game, seat) - characters.mistress(game, seat), 0)


@kernel
def can_recover(game, seat):
    """[T2] With 1-3 cards in hand, once, and with coins for the price."""
    if game.recovered or workers.hand_size(game, seat) == WORKER_CARDS:
        return False
    return game.coins[seat] >= recover_price(game, seat)


@kernel
def recover(game):
    """[T2] All played cards come back."""
    seat = game.to_move
    characters.pay(game, seat, recover_price(game, seat))
    workers.take_back(game, seat)
    game.recovered = True


@kernel
def legal_returns(box, game, mask):
    """[T5] A seat whose supply is empty may take any of its workers off the board."""
    seat = game.to_move
    if game.supply[seat] > 0:
        return
    for resource in range(RESOURCES):
        for slot in range(box.upper_slot + 1):
            if board.lodges(box, game, seat, resource, slot):
                allow(box, game, mask, Kind.RETURN, resource, slot)


@kernel
def legal_main(box, game, mask):
    """[T1 T2] A worker card or a build; after recovering only a worker card."""
    workers.legal_workers(box, game, mask)
    if not game.recovered:
        building.legal_builds(box, game, mask)
    if can_recover(game, game.to_move):
        allow(box, game, mask, Kind.RECOVER)


@kernel
def legal_builder(box, game, mask):
    """[C11] The builder's owner may build for 2 coins."""
    if game.coins[game.to_move] >= characters.BUILDER_PRICE:
        building.legal_builds(box, game, mask)


@kernel
def legal_words(box, game, mask):
    """[T4 T5 T6] Mark what may be said in the phase; the mask is clear before."""
    phase = game.phase
    if phase == Phase.SETUP:
        setup.legal_setup(box, game, mask)
    elif phase == Phase.DISCARD:
        limits.legal_discard(box, game, mask)
    elif phase == Phase.MAIN:
        legal_main(box, game, mask)
    elif phase == Phase.EXTRA:
        workers.legal_extra(box, game, mask)
    elif phase == Phase.BONUS:
        bonuses.legal_bonuses(box, game, mask)
    elif phase == Phase.BUILDER:
        legal_builder(box, game, mask)
    if may_return(phase):
        legal_returns(box, game, mask)
    if may_use_abilities(game):
        characters.legal_abilities(box, game, mask)
    if is_optional(phase):
        allow(box, game, mask, Kind.DONE)


@kernel
def is_optional(phase):
    """[T6] Phases that `done` ends."""
    return phase == Phase.EXTRA or phase == Phase.BONUS or phase == Phase.END or phase == Phase.BUILDER


@kernel
def may_return(phase):
    """[T5] Elsewhere it cannot help."""
    return phase == Phase.MAIN or phase == Phase.EXTRA or phase == Phase.BONUS


@kernel
def may_use_abilities(game):
    """[T4 C11] In one's own turn, so not in the builder's window."""
    if game.to_move != game.active:
        return False
    return may_return(game.phase) or game.phase == Phase.END


@kernel
def legal(box, game, mask):
    """All legal moves of a game: mask [A] bool; none when the game is over."""
    clear(game, mask)
    legal_words(box, game, mask)


@kernel
def clear(game, mask):
    """No move is legal."""
    mask[:] = False
    game.legal_count = 0


@kernel
def only_done(game):
    """[T6] In an optional phase `done` is the only word that could be said."""
    return is_optional(game.phase) and game.legal_count == 1


@kernel
def apply_word(box, game, action):
    """Carry out one legal move, without what follows by itself."""
    kind = box.kind[action]
    first, second, third = box.part[action, 0], box.part[action, 1], box.part[action, 2]
    if kind == Kind.SETUP:
        apply_setup(box, game, first)
    elif kind == Kind.RECOVER:
        recover(game)
    elif kind == Kind.COINS or kind == Kind.TAKE or kind == Kind.BUY:
        workers.apply_worker(box, game, kind, first, second)
    elif kind == Kind.BUILD:
        if game.phase == Phase.BUILDER:
            characters.pay(game, game.to_move, characters.BUILDER_PRICE)
        building.apply_build(box, game, first, second)
    elif kind == Kind.EXTRA:
        workers.apply_extra(box, game, first)
    elif kind == Kind.DROP:
        limits.apply_discard(game, first)
    elif kind == Kind.RETURN:
        board.take_off(box, game, game.to_move, first, second)
    elif kind == Kind.DONE:
        end_phase(box, game)
    elif kind == Kind.FLIP or kind == Kind.SWAP or kind == Kind.SQUARE:
        characters.apply_ability(box, game, kind, first, second)
    else:
        bonuses.apply_bonus(box, game, kind, first, second, third)


def _step(marks):
    @kernel
    def step(box, game, action, mask):
        """[T6] Play one legal move, skip what could only be ended, and mark the next legal moves in mask [A] bool."""
        apply_word(box, game, action)
        while game.phase != Phase.OVER:
            if game.phase != Phase.DISCARD and limits.too_many(game):
                limits.interrupt(game)
            if game.phase != Phase.BONUS or not bonuses.nothing_pending(game):
                if not (marks or is_optional(game.phase)):
                    return
                legal(box, game, mask)
                if not only_done(game):
                    return
            end_phase(box, game)
        if marks:
            clear(game, mask)

    return step


step = _step(marks=True)
advance = _step(marks=False)
"""The same without the next legal moves, but in an optional phase: mask is working memory elsewhere."""


@kernel
def end_phase(box, game):
    """[T6] Continue with the phase that follows an optional one."""
    if game.phase == Phase.EXTRA:
        workers.end_extra(game)
    elif game.phase == Phase.BONUS:
        bonuses.give_up(game)
        building.end_build(box, game)
        end_building(box, game)
    elif game.phase == Phase.END:
        open_window(box, game)
    else:
        end_turn(box, game)


@kernel
def end_building(box, game):
    """[C11] In one's own turn abilities may follow; after the builder's window nothing does."""
    if game.to_move == game.active:
        game.phase = Phase.END
    else:
        end_turn(box, game)


@kernel
def open_window(box, game):
    """[C11] The turn is otherwise over: the builder's owner may build too."""
    owner = characters.builder(game)
    if owner == NOBODY:
        end_turn(box, game)
    else:
        game.phase = Phase.BUILDER
        game.to_move = owner


@kernel
def apply_setup(box, game, resource):
    """[S6] A worker for nothing to the upper slot, anticlockwise, the first seat last; then it takes the first turn."""
    board.put_worker(game, game.to_move, resource, box.upper_slot, box.upper_slot)
    if game.to_move == game.first:
        begin_turn(game, game.first)
    else:
        game.active = game.to_move = (game.to_move - 1) % box.players


@kernel
def begin_turn(game, seat):
    """[T1 C9] A seat's turn begins; a round counts from the first seat's one."""
    if seat == game.first:
        game.rounds += 1
    game.active = game.to_move = seat
    game.phase = Phase.MAIN
    forget_turn(game)
    characters.benefactor(game, seat)


@kernel
def forget_turn(game):
    """Reset the fields that speak of the last turn."""
    game.recovered = game.flipped = game.swapped = game.built = False


@kernel
def end_turn(box, game):
    """[E1 E4] The game ends with the trigger's turn, or is cut off after the last round; else the next seat's turn."""
    following = (game.active + 1) % box.players
    last_round = following == game.first and game.rounds >= box.max_rounds
    if game.trigger != NOBODY or last_round:
        game.truncated = game.trigger == NOBODY
        game.phase = Phase.OVER
        game.to_move = NOBODY
        forget_turn(game)
    else:
        begin_turn(game, following)
