"""Chapter N: bonuses wait until the seat resolves them or gives them up."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import Bonus

from . import board
from .actions import Kind, allow
from .state import BONUSES, RESOURCES


@kernel
def nothing_pending(game):
    """[N6] The phase is over when nothing is pending."""
    for bonus in range(BONUSES):
        if game.pending[bonus] > 0:
            return False
    return True


@kernel
def legal_bonuses(box, game, mask):
    """[N2-N5] Every way to resolve a pending bonus; all but a transform need a worker in supply."""
    seat = game.to_move
    if game.supply[seat] > 0:
        for resource in range(RESOURCES):
            if game.pending[resource] > 0:
                allow(box, game, mask, Kind.BONUS, resource)
            if game.pending[Bonus.ANY] > 0:
                allow(box, game, mask, Kind.ANY, resource)
            if game.pending[Bonus.DOUBLE] > 0 and game.stock[seat, resource] > 0:
                allow(box, game, mask, Kind.DOUBLE, resource)
    if game.pending[Bonus.TRANSFORM] > 0:
        legal_transforms(box, game, seat, mask)


@kernel
def legal_transforms(box, game, seat, mask):
    """[N5] From any slot with an own worker to another resource."""
    for resource in range(RESOURCES):
        for slot in range(box.upper_slot + 1):
            if board.lodges(box, game, seat, resource, slot):
                for other in range(RESOURCES):
                    if other != resource:
                        allow(box, game, mask, Kind.MOVE, resource, slot, other)


@kernel
def apply_bonus(box, game, kind, first, second, third):
    """[N2-N6] Resolve one pending bonus, once."""
    seat = game.to_move
    if kind == Kind.MOVE:
        game.pending[Bonus.TRANSFORM] -= 1
        board.take_off(box, game, seat, first, second)
        board.gain_resource(box, game, seat, third)
        return
    if kind == Kind.BONUS:
        game.pending[first] -= 1
    elif kind == Kind.ANY:
        game.pending[Bonus.ANY] -= 1
    else:
        game.pending[Bonus.DOUBLE] -= 1
    board.gain_resource(box, game, seat, first)


@kernel
def give_up(game):
    """[N6] The bonuses still pending are given up."""
    for bonus in range(BONUSES):
        game.pending[bonus] = 0
