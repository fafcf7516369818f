"""Games at their start, middle and end, played by greedy agents, with long names."""

from functools import cache
from typing import Any

from oddville_agents.play import play
from oddville_agents.spec import make_agent
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.live_game import LiveGame
from support.page.live import Live, Tab

PLAYERS, SEED = 4, 3
NAMES = ("Wilhelmina Wonnegaum", "MMMMMMMMMMMMMMMMMMMM", "Ann", "Maximilian Montgomer")
SEVEN = 10  # a seed in whose game seat 0 comes to hold seven cards
STAGES = ("start", "middle", "end")


def is_middle(game: str, position: dict[str, Any], words: list[str]) -> bool:
    """There is much on the table, and much to touch."""
    seat = position["seats"][0]
    if game == "oddville":
        return any(word.startswith("build:2:") for word in words) and len(seat["characters"]) > 1
    return len(words) > 3 and any(word.startswith("show:") for word in words)


@cache
def words_of(game: str, players: int = PLAYERS, seed: int = SEED) -> tuple[str, ...]:
    """A whole game between greedy agents."""
    kind, actions = game_type(game), []
    table = LiveGame(kind, kind.box(kind.settings(players)))
    play(table, [make_agent("greedy", game) for _ in range(players)], seed, lambda _, action: actions.append(action))
    words = kind.words(table.box.layout)
    return tuple(words[action] for action in actions)


@cache
def words_to(game: str, stage: str) -> tuple[str, ...]:
    """The moves that lead to a stage: at the start and in the middle seat 0 is to move."""
    words, played = words_of(game), game_type(game).game(PLAYERS, SEED)
    if stage == "end":
        return words
    for number, word in enumerate(words):
        legal = played.legal_moves.words()
        if played.to_move == 0 and (stage == "start" or is_middle(game, played.position(), legal)):
            return words[:number]
        played.push(word)
    raise AssertionError("this game has no such middle: take another seed")


def seven_cards(live: Live, turn: int = 0) -> dict[str, Any]:
    """A game of Old Town for two in which seat 0 holds seven cards and the seat `turn` is to move."""
    new = live.make("human", "human", game="oldtown", seed=SEVEN, names=NAMES[:2])
    session = live.session(new)
    for word in words_of("oldtown", 2, SEVEN):
        seat = session.game.position()["seats"][0]
        playable = turn or any(each.startswith("play:") for each in session.game.legal_moves.words())
        if len(seat["hand"]) == 7 and session.game.to_move == turn and playable:
            return new
        session.push(word)
    raise AssertionError("no hand of seven: take another seed")


def made(live: Live, game: str, stage: str) -> dict[str, Any]:
    """A game at a stage; seat 0 is to be entered with its own key."""
    new = live.make(*["human"] * PLAYERS, game=game, seed=SEED, names=NAMES)
    for word in words_to(game, stage):
        live.session(new).push(word)
    return new


def at_stage(live: Live, tab: Tab, game: str, stage: str, **options: Any) -> Any:
    """A user in seat 0 of a game at a stage."""
    new = made(live, game, stage)
    visitor = tab(**options).enter(live.address, new, new["keys"]["seats"][0])
    visitor.made = new
    return visitor


def play_to(live: Live, made: dict[str, Any], kind: str) -> None:
    """Play a new game as greedy agents do, before anybody looks, until the first seat may make a move of a kind."""
    session = live.session(made)
    for word in words_of(session.game_type.name, len(session.seats), session.seed):
        if session.game.to_move == 0 and any(each.startswith(kind) for each in session.game.legal_moves.words()):
            return
        session.push(word)
    raise AssertionError(f"no {kind} comes up: take another seed")
