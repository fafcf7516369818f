"""What is written on the command line: lists, standard output, huge and strange values, help."""

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from oddville.test_bad_input import mutated
from oddville_env import Game
from oddville_env.cli.lists import numbers_of, specs_of
from oddville_env.core.errors import SettingError
from oddville_env.core.system.extras import PACKAGES
from oddville_env.oddville.cards import base_cards, load_cards
from support.helpers import random_game
from support.program import Run, Said

LONGEST = 2000  # characters of all that is said about a mistake


def sentence(said: Said) -> str:
    """The one sentence, or the panel, that a mistake ends with."""
    assert said.code in (1, 2), said
    assert "Traceback" not in said.out + said.err
    assert len(said.err) < LONGEST
    if said.code == 1 and ".csv: this file is missing" not in said.err:
        assert len(said.err.strip().splitlines()) == 1, said.err
    return " ".join(said.err.replace("│", " ").split())


# Lists


@pytest.mark.parametrize(
    ("words", "specs"),
    [
        (["a,b"], ["a", "b"]),
        (["a", "b"], ["a", "b"]),
        (["a,", "b"], ["a", "b"]),
        (["a, b"], ["a", "b"]),
        (["search:ms=50,threads=2,random", "x"], ["search:ms=50,threads=2", "random", "x"]),
        (["a,,b"], ["a", "", "b"]),
    ],
)
def test_a_list_of_specs_has_commas_or_spaces(words: list[str], specs: list[str]) -> None:
    assert specs_of(words) == specs


def test_a_list_of_numbers_has_commas_or_spaces() -> None:
    assert numbers_of("players", ["2,3", "4"], "numbers") == [2, 3, 4]
    with pytest.raises(SettingError, match="--players must be numbers, not"):
        numbers_of("players", ["9" * 5000], "numbers")


@pytest.mark.parametrize("agents", [["greedy,random"], ["greedy", "random"], ["greedy,", "random"]])
@pytest.mark.parametrize("table", [["5,3"], ["5", "3"]])
def test_lists_are_written_in_one_way_or_the_other(run: Run, agents: list[str], table: list[str]) -> None:
    said = run("simulate", "--agents", *agents, "--games", 2, "--table", *table, "--max-rounds=3", "--json", "-")

    assert [seat["agent"] for seat in json.loads(said.out)["seats"]] == ["greedy", "random"]


def test_an_option_with_an_equals_sign_begins_a_list_too(run: Run) -> None:
    said = run("simulate", "--agents=greedy", "random", "--games=1", "--table=5,3", "--json=-")

    assert said.code == 0


def test_a_list_with_nothing_in_it_is_told(run: Run) -> None:
    assert "expected at least one" in sentence(run("evaluate", "random", "--against", "--games", 2))
    assert "expected at least one" in sentence(run("simulate", "--agents"))


# Standard output


def test_records_go_to_standard_output(run: Run, tmp_path: Path) -> None:
    said = run("simulate", "--agents", "random,random", "--games", 3, "--out", "-")

    assert [json.loads(line)["players"] for line in said.out.splitlines()] == [2, 2, 2]
    assert "3 games, 0 cut off" in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_picture_goes_to_standard_output(run: Run, games: Path) -> None:
    said = run("draw", games, "--out", "-")

    assert said.out == Game.from_record(games.read_text().splitlines()[0]).svg()


def test_json_of_verify_tells_every_record(run: Run, games: Path) -> None:
    games.write_text(games.read_text() + "{}\n")

    said = run("verify", games, "--json", "-")

    told = json.loads(said.out)
    assert (said.code, told["records"], told["good"], [bad["line"] for bad in told["bad"]]) == (1, 4, 3, [4])
    assert "3 of 4 records" in said.err


def test_json_of_agents_names_each_with_its_class(run: Run, tmp_path: Path) -> None:
    assert run("agents", "--json", "agents.json").code == 0

    told = json.loads((tmp_path / "agents.json").read_text())
    assert {"name", "what", "class", "options"} == set(told[0])
    assert {"random", "greedy", "search"} <= {agent["name"] for agent in told}


@pytest.mark.parametrize(
    "words",
    [
        "simulate --agents random,random --games 1 --out {}",
        "simulate --agents random,random --games 1 --json {}",
        "evaluate random --against random --games 2 --json {}",
        "verify games.jsonl --json {}",
        "agents --json {}",
        "draw games.jsonl --out {}",
        "analyse games.jsonl --move 1 --agent random --json {}",
        "analyse games.jsonl --move 1 --agent random --out {}",
        "film games.jsonl --out {}",
    ],
)
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_is_written_to_or_refused_and_never_becomes_a_file(
    run: Run, games: Path, words: str, name: str
) -> None:
    said = run(*words.format(name).split())
    if said.code:
        sentence(said)
    assert [path.name for path in games.parent.iterdir()] == ["games.jsonl"]


def test_json_of_simulate_sums_up(run: Run) -> None:
    told = json.loads(run("simulate", "--agents", "random,random", "--games", 4, "--json", "-").out)

    assert told["games"] == 4
    assert sum(seat["won"] for seat in told["seats"]) == 1


# Names that look like something else


def test_square_brackets_in_names_are_no_markup(run: Run, tmp_path: Path) -> None:
    agent = tmp_path / "[b]mine[" / "b].py"
    agent.parent.mkdir()
    agent.write_text("def first(observation, mask):\n    return int(mask.argmax())\n")

    said = run("simulate", "--agents", "./[b]mine[/b].py:first,random", "--games", 1, "--max-rounds", 2)

    assert said.code == 0
    assert "[b]mine[/b]" in said.out.replace("\n", "").replace(" ", "").replace("│", "")


# Strange values


HUGE = [
    "9" * 25,
    "9" * 5000,
    "-" + "9" * 30,
    "nan",
    "inf",
    "-inf",
    "1e400",
    "0x10",
    "",
    " ",
    "\0",
    "x" * 9000,
    "[/b]",
    "1.5",
]


@pytest.mark.parametrize(
    "words",
    [
        "simulate --agents random,random --games {}",
        "simulate --agents random,random --games 1 --max-rounds {}",
        "simulate --agents random,random --games 1 --table {},3",
        "simulate --agents random,random --games 1 --cards {}",
        "simulate --agents {},random --games 1",
        "watch --agents random,random --delay {} --max-rounds 0",
        "perft --players {}",
        "perft --depth {}",
        "replay games.jsonl --index {}",
        "draw games.jsonl --out a.svg --move {}",
        "draw games.jsonl --out a/{}",
        "film games.jsonl --index 99 --out a.html --delay {}",
        "film games.jsonl --out {}",
        "analyse games.jsonl --move {} --agent search:sims=1",
        "tables {}",
        "verify {}",
        "cards check {}",
    ],
)
def test_strange_values_are_told_in_a_sentence_and_nothing_is_made(run: Run, games: Path, words: str) -> None:
    for value in HUGE:
        sentence(run(*(word.replace("{}", value) for word in words.split())))
        assert [path.name for path in games.parent.iterdir()] == ["games.jsonl"], value


@pytest.mark.parametrize("seed", ["9" * 25, "9" * 4000])
def test_any_seed_deals(run: Run, seed: str) -> None:
    assert run("simulate", "--agents", "random,random", "--games", 2, "--seed", seed).code == 0


@pytest.mark.parametrize(
    "words",
    [
        "simulate --agents random,nobody --out new/a.jsonl",
        "simulate --agents random,random --games 0 --out new/a.jsonl --json new/b.json",
        "draw games.jsonl --index 9 --out new/a.svg",
        "film games.jsonl --index 9 --out new/a.gif",
        "analyse games.jsonl --move 9999 --out new/a.svg",
        "verify gone.jsonl --json new/a.json",
        "evaluate nobody --json new/a.json",
    ],
)
def test_folders_are_made_only_for_what_is_written(run: Run, games: Path, words: str) -> None:
    sentence(run(*words.split()))

    assert not (games.parent / "new").exists()


# Records


@pytest.mark.parametrize("command", ["verify", "replay", "draw --out a.svg", "film --out a.html"])
def test_a_mutated_record_is_read_or_refused_in_a_sentence(run: Run, tmp_path: Path, command: str) -> None:
    chance = random.Random(command)
    record = random_game(2, 3, moves=25).record()
    name, *options = command.split()
    for _ in range(16):
        (tmp_path / "a.jsonl").write_text(_text(mutated(record, chance)) + "\n")
        said = run(name, "a.jsonl", *options)
        assert said.code in (0, 1)
        if said.code:
            sentence(said)


def _text(record: Any) -> str:
    try:
        return json.dumps(record)
    except (TypeError, ValueError):
        return json.dumps(record, default=repr) if not _too_long(record) else "{"


def _too_long(record: Any) -> bool:
    try:
        json.dumps(record, default=repr)
    except ValueError:
        return True
    return False


# Card sets


def test_cards_check_without_a_folder_checks_the_base_set(run: Run) -> None:
    assert base_cards().digest[:12] in run("cards", "check").out


def test_cards_copy_makes_a_card_set_of_ones_own(run: Run, tmp_path: Path) -> None:
    assert run("cards", "copy", "deep/mine").code == 0
    assert load_cards(tmp_path / "deep" / "mine") == base_cards()
    assert "not empty" in sentence(run("cards", "copy", "deep/mine"))


@pytest.mark.parametrize("words", [("cards", "copy"), ("cards", "draw", "--seed", 5)])
def test_a_card_set_is_written_into_what_an_earlier_try_left_and_nothing_else(
    run: Run, words: tuple[object, ...]
) -> None:
    assert run(*words, "mine").code == 0
    whole = {file.name: file.read_bytes() for file in Path("mine").iterdir()}
    Path("mine/square.csv").unlink()
    assert run(*words, "mine").code == 0
    assert {file.name: file.read_bytes() for file in Path("mine").iterdir()} == whole
    for name in ("square.csv", "notes.txt"):
        Path("mine/square.csv").unlink()
        Path("mine", name).write_text("my own")
        assert "not empty" in sentence(run(*words, "mine"))
        assert Path("mine", name).read_text() == "my own"


@pytest.mark.parametrize("words", [["train", "--folder", "a"], ["imitate", "random", "--out", "a"]])
def test_what_is_missing_for_training_names_the_small_torch_first(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    for module in list(sys.modules):
        if module.startswith("oddville_training"):
            monkeypatch.delitem(sys.modules, module)
    for package in PACKAGES["train"]:
        monkeypatch.setitem(sys.modules, package, None)

    said = sentence(run(*words))

    assert said.index("pip install torch==2.13.0") < said.index("pip install 'oddville-env[train]'")


OF_FOLDERS = [
    "tournament random greedy --blocks 1 --workers 1 --out -",
    "ladder --blocks 1 --workers 1 --out -",
    "benchmark random --workers 1 --out -",
    "report -",
    "cards copy -",
    "cards draw -",
    "imitate random --games 1 --workers 1 --out -",
    "train --steps 64 --folder -",
    "selfplay --preset first --workers 1 --folder -",
    "dataset games.jsonl --out -",
    "film games.jsonl --out -",
    "play --folder -",
]


@pytest.mark.parametrize("words", OF_FOLDERS)
def test_no_folder_is_called_like_standard_output(run: Run, games: Path, words: str) -> None:
    before = sorted(games.parent.iterdir())
    assert sentence(run(*words.split()))
    assert sorted(games.parent.iterdir()) == before
