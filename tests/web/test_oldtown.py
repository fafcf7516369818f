"""Old Town over the wire: moves by spots, and nothing that a seat may not know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddville_env import OldTown
from oddville_env.core.game.game_type import game_type
from oddville_env.web.messages.analysis import turning_moves
from oddville_env.web.sessions.access import Keys
from oddville_env.web.sessions.session import Session
from support.page.hidden_cards import cards_in
from support.page.live import Live, serving


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    yield from serving(tmp_path / "games", "oldtown")


def test_the_check_for_hidden_cards_finds_them_wherever_they_are() -> None:
    told = {"a": {"hand": [3, 4]}, "b": ["hand:0:5"], "c": "plan-6", "word": "show:7", "card": 8, "n": 9, "hand": 2}
    assert cards_in(told) == {3, 4, 5, 6, 7, 8}


def test_a_record_is_replayed_with_all_hands_open(live: Live) -> None:
    game = OldTown(3, seed=2)
    for _ in range(20):
        game.push(sorted(game.legal_moves.words())[0])
    record = game.record()
    made = live.http.post(f"{live.address}api/games", json={"game": "oldtown", "upload": record}).json()
    with live.browser(made["id"], made["keys"]["watch"]) as watcher:
        state = watcher.ask("go", "state", move=12)
        hands = [[card["card"] for card in seat["hand"]] for seat in state["table"]["seats"]]
        game = live.session(made).at(12)
        assert hands == [seat["hand"] for seat in game.position()["seats"]]
        assert state["played_next"] == record["moves"][12]


def test_drawn_card_is_luck_and_no_turning_move() -> None:
    kind, game = game_type("oldtown"), OldTown(2, seed=2)
    while not any(move.word.startswith("draw") for move in game.moves[4:]):
        game.push(sorted(game.legal_moves.words())[0])
    session = Session("x" * 22, kind, game, [], Keys.fresh(2), {})
    falling = [[1 - 0.05 * number] * 2 for number in range(session.moves + 1)]
    turns = turning_moves(session, falling, [None] * session.moves)
    assert turns
    assert not any(turn["word"].startswith("draw") for turn in turns)


def test_legal_moves_tell_what_they_do_and_why(live: Live) -> None:
    made = live.make("human", "human", game="oldtown", seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        plays: list[dict[str, Any]] = []
        while len(plays) < 10:
            browser.uncover()
            moves = [move for group in browser.state["legal"] for move in group["moves"]]
            plays += [move for move in moves if move["word"].startswith("play")]
            browser.play(sorted(browser.words())[-1])
        for move in plays:
            gone = len(move["goes"]) + 5 * len({each["building"] for each in move["comes"] + move["stands"]})
            assert move["why"][0]["card"] == move["parts"]["card"]
            assert 0 <= max(move["scores"]) <= gone
            assert move["why"][0]["text"].startswith(f"Card {move['parts']['card']} ")
