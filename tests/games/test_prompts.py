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


@every_game
def test_prompts_are_short_and_explain_every_legal_word(make: Any) -> None:
    for players in (2, 3, 4):
        for game in many_states(200, players, seed=players, make=make):
            if not game.is_over:
                view, prompt = game.view(), prompt_of(game.view())
                assert len(prompt) < LONGEST_PROMPT
                assert view.text() in prompt
                assert f"You are seat @{game.to_move}" in prompt
                assert set(game.legal_moves.words()) <= set(prompt.split())


@every_game
def test_every_kind_of_move_has_a_meaning(make: Any) -> None:
    game = make(2, 0).game_type
    meaning = texts_of(game).meaning
    lines = [meaning(word) for word in game.words(make(2, 0).box.layout)]
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
        ("coins:2\ncoins:1 shows no coin", "coins:2"),
        ("coins:2 " + "x" * 1000, "coins:2"),
        ("<think>" * 50_000 + "</think>" * 5_000 + "coins:2", "coins:2"),
    ],
)
def test_last_legal_word_of_an_answer_is_its_move(answer: str, word: str) -> None:
    view = _main().view()
    read = read_answer(answer, view)
    assert read.action is not None
    assert (view.word(read.action), read.problem) == (word, "")


@pytest.mark.parametrize(
    ("answer", "problem", "illegal"),
    [
        ("", "The answer is empty.", False),
        (" \n", "The answer is empty.", False),
        (None, "The answer must be a text, not None.", False),
        ("Ich nehme Holz.", "The answer holds no move of the game.", False),
        ("<think>coins:2", "The answer holds no move of the game.", False),
        ("play:3 or coins:22 or coins:2:3", "The answer holds no move of the game.", False),
        ("coins:2" + " " * LONGEST_ANSWER, "The answer holds no move of the game.", False),
        ("setup:wood, no, coins:1", "The move coins:1 is not legal now.", True),
    ],
)
def test_an_answer_without_a_legal_word_has_a_problem(answer: object, problem: str, illegal: bool) -> None:
    assert read_answer(answer, _main().view()) == (None, problem, illegal)


@pytest.mark.parametrize(
    ("make", "answer", "word"),
    [
        (OldTown, "I take the Stage\\_Coach\\_Office: take:stage\\_coach\\_office.", "take:stage_coach_office"),
        (Game, "SETUP:stone (not wood)", "setup:stone"),
    ],
)
def test_marked_up_keys_are_read(make: Any, answer: str, word: str) -> None:
    view = make(2, 0).view()
    assert view.word(read_answer(answer, view).action or 0) == word


def test_cells_with_a_minus_sign_are_read() -> None:
    game = _state_with("build:")
    word = next(word for word in game.legal_moves.words() if "-" in word and word.startswith("build:"))
    for said in (word, word.replace("-", "\N{MINUS SIGN}"), f"**{word}**, then done"):
        read = read_answer(said, game.view())
        assert game.view().word(read.action or 0) == word
    swapped = next(word for word in game.legal_moves.words() if word.startswith("take:"))
    assert game.view().word(read_answer(f"{word} {swapped}", game.view()).action or 0) == swapped


def test_a_game_without_texts_for_prompts_is_refused() -> None:
    with pytest.raises(SettingError, match="the game oldtown has no texts for prompts"):
        rules_digest(replace(oldtown.OLDTOWN, prompts=None))


def _main() -> Any:
    game = Game(2, 0)
    game.push("setup:stone")
    game.push("setup:clay")
    return game


def _state_with(start: str) -> Any:
    for game in many_states(500):
        if any(word.startswith(start) and "-" in word for word in game.legal_moves.words()):
            return game
    raise AssertionError
