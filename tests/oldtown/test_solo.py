"""Chapter O: puzzles, their solutions and proofs, the generator, and the solo game."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from oddville_env.core.errors import IllegalMoveError, NotationError, RecordError
from oddville_env.oldtown.deduction import solver
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, PuzzleError, printed_puzzles, puzzle_of
from oddville_env.oldtown.deduction.solver import find
from oddville_env.oldtown.solo.game import OldTownSolo
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oldtown import naive
from support.proof_checker import Reader
from support.town import DECK


@pytest.mark.parametrize("field", ["puzzle", "level"])
@pytest.mark.parametrize("label", [True, 10**400, -(10**5000), "a\nb", "\ud800", "\x1b[31m", "x" * 41], ids=range(7))
def test_what_a_puzzle_is_called_is_a_number_or_a_short_text_that_can_be_printed(field: str, label: object) -> None:
    plain = printed_puzzles()[0].plain()
    with pytest.raises(PuzzleError, match=f"field {field}: expected a short text or a number"):
        puzzle_of({**plain, field: label})


@pytest.mark.rule("O1, O2")
def test_a_puzzle_read_back_is_the_same_and_names_sixteen_buildings_and_a_wrong_one_is_told_in_a_sentence() -> None:
    for puzzle in printed_puzzles():
        assert (puzzle_of(puzzle.plain()), len(puzzle.town(DECK))) == (puzzle, 16)
    plain = printed_puzzles()[0].plain()
    for wrong, sentence in (
        ({"a": [*plain["a"], 19]}, "from 1 to 18, found 19"),
        ({"mine_count": 2}, "mine_count says 2"),
        ({"a": plain["a"][1:], "solution": None}, "name 15 buildings"),
    ):
        with pytest.raises(PuzzleError, match=sentence):
            puzzle_of(plain | wrong)


@pytest.mark.rule("O4")
def test_the_printed_puzzles_have_their_printed_placement_and_the_eighth_five_more() -> None:
    placements = [{solution.placement for solution in find(puzzle).solutions} for puzzle in printed_puzzles()]
    assert [len(found) for found in placements] == [1] * 7 + [6]
    assert all(puzzle.solution in found for puzzle, found in zip(printed_puzzles(), placements, strict=True))
    for puzzle in printed_puzzles():
        assert prove(puzzle).is_unique == (puzzle.name != "8")
    mine = [set(solution.mine) for solution in find(printed_puzzles()[6]).solutions]
    assert mine == [{"printers", "saloon", "hotel"}, {"printers", "judge", "hotel"}]


@pytest.mark.rule("O4")
def test_a_proof_tells_only_what_it_needs() -> None:
    lengths = [len(prove(puzzle).steps) for puzzle in printed_puzzles()]
    assert max(lengths[:6]) < 150
    assert lengths[6] < 200
    first = prove(printed_puzzles()[0])
    assert not any(step.text.startswith("Suppose") for step in first.steps)
    assert first.steps[-1].text == "Every building has its lot: this is a solution."


WIDE = Puzzle((), tuple((37 + number, key) for number, key in enumerate(DECK.keys[:16])), (), (DECK.keys[0],), 1)
"""Every building has half of the town: thousands of placements."""


@pytest.mark.rule("O6")
def test_a_puzzle_with_too_many_placements_to_know_is_refused_rather_than_judged_by_the_first_ones() -> None:
    assert not find(WIDE).complete
    assert len(find(WIDE, most=2000).solutions) == 2000
    with pytest.raises(PuzzleError, match="1000 placements or more"):
        OldTownSolo(WIDE)
    assert all(find(puzzle).complete for puzzle in printed_puzzles())


@pytest.mark.rule("O3")
def test_search_that_would_take_too_long_ends_and_says_that_it_is_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MOST_TRIES", 50)
    some = find(printed_puzzles()[6])
    assert len(some.solutions) < 2
    assert not some.complete
    assert len(find(WIDE._replace(mine=None, mine_count=4), most=10**4).solutions) < 50


@pytest.mark.rule("O5")
def test_a_word_builds_on_an_empty_lot_and_a_wrong_word_may_not_be_said_again() -> None:
    game = OldTownSolo(1)
    assert (len(game.legal_moves), game.push("build:hotel@1")) == (16 * 16, -1)
    assert "build:hotel@1" not in game.legal_moves
    with pytest.raises(IllegalMoveError):
        game.push("build:hotel@1")
    with pytest.raises(NotationError):
        game.push("build:hotel@17")
    game.push("build:hotel@11")
    assert not [word for word in game.legal_moves if "hotel" in word or word.endswith("@11")]


@pytest.mark.rule("O6")
def test_a_word_is_right_if_some_solution_agrees_with_it_and_with_all_that_stands() -> None:
    puzzle = printed_puzzles()[7]
    placements = sorted({solution.placement for solution in find(puzzle).solutions})
    first, second = placements[:2]
    lot, game = next(lot for lot in range(16) if first[lot] != second[lot]), OldTownSolo(8)
    assert game.push(f"build:{first[lot]}@{lot + 1}") == 1
    never = next(at for at in range(16) if all(placement[at] != second[lot] for placement in placements) and at != lot)
    assert game.push(f"build:{second[lot]}@{never + 1}") == -1
    assert OldTownSolo(8).push(f"build:{second[lot]}@{lot + 1}") == 1


@pytest.mark.rule("O7")
def test_sixteen_is_perfect_and_one_mistake_more_than_allowed_ends_the_game() -> None:
    game = OldTownSolo(3)
    for lot, building in enumerate(printed_puzzles()[2].solution or (), 1):
        game.push(f"build:{building}@{lot}")
    assert (game.is_solved, game.is_over, game.score, game.legal_moves) == (True, True, 16, [])
    assert OldTownSolo.from_record(game.record()).position() == game.position()
    with pytest.raises(RecordError, match="score"):
        OldTownSolo.from_record({**game.record(), "score": 15})
    bad = OldTownSolo(1, mistakes=1, moves=["build:hotel@1", "build:hotel@2"])
    assert (bad.is_over, bad.is_solved, bad.score) == (True, False, -2)


@pytest.mark.rule("O3, O8")
@pytest.mark.parametrize("level", LEVELS)
def test_a_generated_puzzle_is_unique_and_has_no_clue_too_many(level: str) -> None:
    for puzzle in islice(generate(level, 1), 5):
        found = find(puzzle).solutions
        assert {solution.placement for solution in found} == {puzzle.solution}
        worlds = naive.Puzzle(naive.DECK, puzzle.plain()).solutions()
        told = {(tuple(sorted(world, key=world.__getitem__)), own) for world, owns in worlds for own in owns}
        assert {(each.placement, frozenset(each.mine)) for each in found} == told
        lots, cards = {key: lot for lot, key in enumerate(puzzle.solution)}, [DECK.cards[card - 1] for card in puzzle.c]
        for own in puzzle.mine:
            assert any((lots[DECK.keys[card.building]], lots[own]) in card.pairs for card in cards)
        for name in ("a", "b", "c"):
            clues = getattr(puzzle, name)
            for clue in clues:
                less = puzzle._replace(**{name: tuple(each for each in clues if each != clue)})
                assert len(less.town(DECK)) < 16 or len(find(less).solutions) > 1


@pytest.mark.rule("O9")
def test_levels_have_their_numbers_of_own_buildings_and_a_list_withheld_leaves_one_placement() -> None:
    mine = {level: next(generate(level, 2)).mine_count for level in LEVELS}
    assert mine == {level: shape.mine for level, shape in LEVELS.items()} == {"easy": 1, "medium": 2, "hard": 3}
    puzzle = next(generate("medium", 3, hide_mine=True))
    assert puzzle.mine is None
    assert {solution.placement for solution in find(puzzle).solutions} == {puzzle.solution}


# Proofs

MOST = 12  # solutions of a puzzle with a clue too few, whose proof is still read


def check(puzzle: Puzzle) -> None:
    """The proof convinces a reader who believes nothing, of the solutions that the solver finds."""
    reader, proof = Reader(puzzle, DECK), prove(puzzle)
    reader.read([step.plain(DECK) for step in proof.steps])
    assert reader.empty == []
    found = sorted((solution.placement, sorted(solution.mine)) for solution in find(puzzle).solutions)
    assert sorted((placement, sorted(own)) for placement, own in reader.solutions) == found


def with_a_clue_too_few(puzzle: Puzzle) -> Iterator[Puzzle]:
    """The puzzle without one of its clues, as long as 16 are named and there are few solutions."""
    for name in ("a", "b", "c"):
        for place in range(len(getattr(puzzle, name))):
            clues = getattr(puzzle, name)
            less = puzzle._replace(**{name: clues[:place] + clues[place + 1 :]}, solution=None)
            if len(less.town(DECK)) == 16 and 0 < len(find(less).solutions) <= MOST:
                yield less


@pytest.mark.rule("O4")
@pytest.mark.parametrize("puzzle", printed_puzzles(), ids=lambda puzzle: puzzle.name)
def test_a_printed_puzzle_is_solved_as_by_the_naive_solver_and_proved_without_a_gap(puzzle: Puzzle) -> None:
    worlds = naive.Puzzle(naive.DECK, puzzle.plain()).placements()
    found = {each.placement for each in find(puzzle).solutions}
    assert {tuple(sorted(world, key=world.__getitem__)) for world in worlds} == found
    check(puzzle)


@pytest.mark.rule("O4")
@pytest.mark.parametrize(("level", "hide_mine", "number"), [
    *(("easy", False, 12), ("medium", False, 12), ("hard", False, 12)),
    *(("easy", True, 12), ("medium", True, 4), ("hard", True, 2)),
])  # fmt: skip
def test_a_generated_puzzle_is_proved_without_a_gap(level: str, hide_mine: bool, number: int) -> None:
    for puzzle in islice(generate(level, 7, hide_mine), number):
        check(puzzle)


@pytest.mark.rule("O4")
@pytest.mark.parametrize(("level", "hide_mine"), [("easy", True), ("easy", False), ("medium", False), ("hard", False)])
def test_a_puzzle_with_several_placements_is_proved_without_a_gap(level: str, hide_mine: bool) -> None:
    checked = 0
    for puzzle in islice(generate(level, 11, hide_mine), 3):
        for less in with_a_clue_too_few(puzzle):
            check(less)
            checked += 1
    assert checked > 5


def test_own_buildings_that_make_a_card_impossible_are_told_so() -> None:
    puzzle = printed_puzzles()[0]
    named = DECK.keys[DECK.cards[puzzle.c[0] - 1].building]
    check(puzzle._replace(mine=(named,), mine_count=1, solution=None))


def test_solo_games_agree_at_every_word() -> None:
    for puzzle in printed_puzzles()[:6]:
        game, twin, rng = OldTownSolo(puzzle), naive.NaiveSolo(naive.DECK, puzzle.plain()), Random(1)
        while not game.is_over:
            assert (game.legal_moves, game.position()) == (twin.legal(), twin.position())
            right = [f"build:{key}@{lot}" for lot, key in enumerate(puzzle.solution or (), 1)]
            words = [word for word in right if word in game.legal_moves] if rng.random() < 0.9 else game.legal_moves
            word = rng.choice(words)
            assert game.push(word) == twin.play(word)
        assert twin.over
        assert game.record() == twin.record()
