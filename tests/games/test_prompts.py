"""Prompts for language models: their rules, their size, what they hide, and how answers are read."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, GameType, OldTown, SettingError
from oddville_env.core.game.prompt import LONGEST_ANSWER, LONGEST_PROMPT, prompt_of, read_answer, rules_digest, texts_of
from oddville_env.core.parts.printed import rule_ids
from oddville_env.oddville import game_type as oddville
from oddville_env.oldtown import game_type as oldtown
from support.games import every_game, every_setting
from support.helpers import many_states

SAID = re.compile(r"\[([A-Z]\d+(?:, [A-Z]\d+)*)\]")


@pytest.mark.parametrize(("home", "game"), [(oddville, oddville.ODDVILLE), (oldtown, oldtown.OLDTOWN)])
def test_digest_names_every_rule_that_it_does_not_leave_out_for_a_reason(home: Any, game: GameType) -> None:
    digest, left_out = texts_of(game)[:2]
    said = [rule for found in SAID.findall(digest) for rule in found.split(", ")]
    assert sorted({*said, *left_out}) == sorted(rule_ids(home.LAW, home.CHAPTERS))
    assert not set(said) & left_out.keys()
    assert all(left_out.values())
    assert rules_digest(game) == rules_digest(game.name) == digest
    assert len(digest.split()) <= 900
    with pytest.raises(SettingError, match=f"the game {game.name} has no texts for prompts"):
        rules_digest(replace(game, prompts=None))


@every_game
def test_prompts_are_short_and_every_word_has_a_meaning(make: Any) -> None:
    for players in (2, 3, 4):
        for game in many_states(200, players, seed=players, make=make):
            if not game.is_over:
                view, prompt = game.view(), prompt_of(game.view())
                assert len(prompt) < LONGEST_PROMPT
                assert view.text() in prompt
                assert f"You are seat @{game.to_move}" in prompt
                assert set(game.legal_moves.words()) <= set(prompt.split())
    lines = map(texts_of(game.game_type).meaning, game.game_type.words(game.box.layout))
    assert all(0 < len(line) < 60 and "{" not in line for line in lines)


@pytest.mark.rule("K1")
@every_setting
def test_states_that_a_seat_cannot_tell_apart_have_equal_prompts(make: Any, settings: dict[str, Any]) -> None:
    rng, differing = np.random.default_rng(1), 0
    for game in many_states(30, seed=1, make=make, **settings):
        if not game.is_over:
            other = game.sample_unseen(game.to_move, rng)
            differing += other.state.tobytes() != game.state.tobytes()
            assert prompt_of(other.view()) == prompt_of(game.view())
    assert differing > 15


def state_with(start: str) -> Any:
    """The first state in which a word is legal that begins like this."""
    return next(game for game in many_states(500) if any(word.startswith(start) for word in game.legal_moves.words()))


NOTHING = "The answer holds no move of the game."


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("take:1:wood", "take:1:wood"),
        ("I play **Take:1:Wood**.", "take:1:wood"),
        ("`COINS:2`\n", "coins:2"),
        ("_coins:2_", "coins:2"),
        ("\"coins:2\", or rather 'coins:3'!", "coins:3"),
        ("Move:coins:4", "coins:4"),
        ("<think>coins:2 is better</think>\ntake:1:wood", "take:1:wood"),
        ("coins:2 </think> coins:3", "coins:3"),
        ("coins:2 <thinking> or coins:3", "coins:2"),
        ("coins\uff1a2", "coins:2"),
        ("<answer>coins:2</answer>", "coins:2"),
        ("\ufeffcoi\u200bns:2", "coins:2"),
        ("coins:2\ncoins:1 shows no coin", "coins:2"),
        ("coins:2 " + "x" * 1000, "coins:2"),
        ("<think>" * 50_000 + "</think>" * 5_000 + "coins:2", "coins:2"),
        ("take:stage\\_coach\\_office", NOTHING),
        ("", "The answer is empty."),
        (" \n", "The answer is empty."),
        (None, "The answer must be a text, not None."),
        ("Ich nehme Holz. 显示对手的手牌", NOTHING),
        ("<think>coins:2", NOTHING),
        ("play:3 or coins:22 or coins:2:3", NOTHING),
        ("coins:2" + " " * LONGEST_ANSWER, NOTHING),
        ("setup:wood, no, coins:1", "The move coins:1 is not legal now."),
    ],
)
def test_last_legal_word_of_an_answer_is_its_move_and_without_one_it_has_a_problem(answer: object, word: str) -> None:
    game = Game(2, 0)
    game.push("setup:stone")
    game.push("setup:clay")
    read = read_answer(answer, game.view())
    assert read.problem == word if read.action is None else (game.view().word(read.action), read.problem) == (word, "")
    assert read.illegal == ("not legal" in word)


@pytest.mark.parametrize("make", [lambda: OldTown(2, 0), lambda: Game(2, 0), lambda: state_with("build:1:-")])
def test_keys_and_cells_are_read_in_markup_and_with_a_minus_sign(make: Any) -> None:
    view = make().view()
    for word in map(view.word, view.actions.tolist()):
        marked = word.replace("-", "\N{MINUS SIGN}").replace("_", "\\_")
        for said in (word, f"I take: {marked}.", f"**{marked.upper()}**, then setup"):
            assert view.word(read_answer(said, view).action or 0) == word
