"""Chapter C: the twelve characters, one short function each; the other chapters call them where a rule bends."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, Character

from . import board, coins, limits
from .actions import Kind, allow
from .state import LAST_WORKER, RESOURCES, ROW

GHOST_COINS = 3  # C7
BUILDER_PRICE = 2  # C11
DISCOUNT = 1  # C2, C5


@kernel
def has(game, seat, character):
    """[G1 G4] The seat has the character and may use it."""
    return game.owner[character] == seat


@kernel
def human_resources_manager(game, seat):
    """[C1] Any worker card may take any resource."""
    return has(game, seat, Character.HUMAN_RESOURCES_MANAGER)


@kernel
def landowner(game, seat):
    """[C2] The discount of a resource taken with a worker card, in coins."""
    return DISCOUNT if has(game, seat, Character.LANDOWNER) else 0


@kernel
def seignior(game, seat):
    """[C3] After a resource taken with a worker card the seat may take a second one."""
    return has(game, seat, Character.SEIGNIOR)


@kernel
def can_flip(game, seat):
    """[C4] The cheater may once in its turn turn a coin over."""
    return has(game, seat, Character.CHEATER) and not game.flipped and game.coins[seat] > 0


@kernel
def cheater(box, game, seat):
    """[C4] The coin gained last becomes a held building; this is no payment."""
    limits.hold(box, game, seat, coins.take_last_coin(game, seat))
    game.flipped = True


@kernel
def mistress(game, seat):
    """[C5] The discount of recovering, in coins."""
    return DISCOUNT if has(game, seat, Character.MISTRESS) else 0


@kernel
def can_swap(game, seat):
    """[C6] The bookkeeper may once in its turn exchange a held building."""
    return has(game, seat, Character.BOOKKEEPER) and not game.swapped and game.holding[seat] > 0


@kernel
def bookkeeper(box, game, seat, index, position):
    """[C6] The held building takes the position in the row; the row's one becomes the last of held."""
    card = limits.let_go(game, seat, index)
    limits.hold(box, game, seat, game.row[position])
    game.row[position] = card
    game.swapped = True


@kernel
def ghost(game, seat, shown):
    """[C7] Every worker card shows 3 coins, or its own number, if larger."""
    return max(shown, GHOST_COINS) if has(game, seat, Character.GHOST) else shown


@kernel
def tax_collector(game, payer):
    """[C8] Whenever another seat pays coins, its owner gains 1 from the deck."""
    owner = game.owner[Character.TAX_COLLECTOR]
    if owner != NOBODY and owner != payer:
        coins.gain(game, owner, 1)


@kernel
def benefactor(game, seat):
    """[C9] Its owner gains 1 coin at the start of each of its turns."""
    if has(game, seat, Character.BENEFACTOR):
        coins.gain(game, seat, 1)


@kernel
def lamplighter(game, seat):
    """[C10] The bonuses of all adjacent cards are received, joined by a street or not."""
    return has(game, seat, Character.LAMPLIGHTER)


@kernel
def builder(game):
    """[C11] The seat that may build too when the turn is otherwise over, else NOBODY."""
    owner = game.owner[Character.BUILDER]
    return owner if game.built and owner != game.active else NOBODY


@kernel
def can_square(game, seat, resource):
    """[C12 L3] The traveller may once in the game pay a resource whose field on the square is empty."""
    if not has(game, seat, Character.TRAVELLER) or on_square(game, seat):
        return False
    return game.on_square[resource] == NOBODY and game.stock[seat, resource] > 0


@kernel
def traveller(box, game, seat, resource):
    """[C12] A worker comes off the resource to supply, and one from supply goes to the field."""
    board.pay_resource(box, game, seat, resource)
    game.on_square[resource] = seat
    settle_worker(game, seat)


@kernel
def on_square(game, seat):
    """[C12 V2] The seat has a worker on the square."""
    for resource in range(RESOURCES):
        if game.on_square[resource] == seat:
            return True
    return False


@kernel
def settle_worker(game, seat):
    """[E1] A worker goes from supply to the city for good; the first seat's sixth is the trigger."""
    game.supply[seat] -= 1
    game.settled[seat] += 1
    if game.settled[seat] == LAST_WORKER and game.trigger == NOBODY:
        game.trigger = seat


@kernel
def pay(game, seat, price):
    """[P3 P4] One payment, if it is more than 0; then the tax collector [C8]."""
    if price > 0:
        coins.put_back(game, seat, price)
        tax_collector(game, seat)


@kernel
def legal_abilities(box, game, mask):
    """[T4] The words of flip (C4), swap (C6) and square (C12)."""
    seat = game.to_move
    if can_flip(game, seat):
        allow(box, game, mask, Kind.FLIP)
    if can_swap(game, seat):
        for index in range(game.holding[seat]):
            for position in range(ROW):
                allow(box, game, mask, Kind.SWAP, index, position)
    for resource in range(RESOURCES):
        if can_square(game, seat, resource):
            allow(box, game, mask, Kind.SQUARE, resource)


@kernel
def apply_ability(box, game, kind, first, second):
    """[T4] Use an ability; the phase continues."""
    seat = game.to_move
    if kind == Kind.FLIP:
        cheater(box, game, seat)
    elif kind == Kind.SWAP:
        bookkeeper(box, game, seat, first, second)
    else:
        traveller(box, game, seat, first)
