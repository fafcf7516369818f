"""`oddville train`: what may be asked for, and how a run goes on."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

from oddville_env.cli.commands import evaluate
from oddville_training.learning.meter import ProgressMeter
from oddville_training.learning.run_folder import saved_config
from support.program import Run

SMALL = ("--against", "random", "--envs", "2", "--steps", "128")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seed", "-1"), "seed must be a whole number from 0 to 4294967295, not -1"),
        (("--seed", str(2**32)), "seed must be"),
        (("--threads", "100000"), "threads must be a whole number from 1 to 256, not 100000"),
        (("--minutes", "nan"), "minutes must be a number above 0"),
        (("--minutes", "inf"), "minutes must be a number above 0"),
        (("--steps", "0"), "steps must be"),
        (("--envs", str(10**12)), "envs must be"),
        (("--envs", "0"), "envs must be"),
        (("--players", "9" * 4000), "players must be"),
        (("--players", "5"), "players must be"),
        (("--reward", "money"), "reward must be one of outcome, rank, margin, not 'money'"),
        (("--max-rounds", "0"), "max_rounds must be"),
        (("--table", "18", "9"), "must be odd"),
        (("--against", "nobody"), "no agent is called"),
    ],
)
def test_a_setting_that_no_run_can_have_ends_in_a_sentence_and_makes_no_folder(
    train: Run, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = train(*words)
    assert code == 1
    assert sentence in " ".join(err.split())
    assert len(err.strip().splitlines()) == 1
    assert len(err) < 400
    assert "Traceback" not in out + err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("words", [("--players", "9" * 5000), ("--against",), ("--minutes", "soon")])
def test_what_cannot_be_read_is_a_mistake_of_the_command_line(train: Run, words: tuple[str, ...]) -> None:
    code, out, err = train(*words)
    assert code == 2
    assert "Traceback" not in out + err
    assert len(err) < 1500


def test_a_run_goes_on_only_with_what_it_was_set_to(train: Run, tmp_path: Path) -> None:
    assert train(*SMALL, "--seed", "7", "--players", "3")[0] == 0
    for name, *value in (
        ("--players", "2"),
        ("--seed", "0"),
        ("--table", "21", "13"),
        ("--max-rounds", "20"),
        ("--envs", "4"),
        ("--reward", "rank"),
        ("--against", "greedy"),
    ):
        code, _, err = train("--resume", "--steps", "256", name, *value)
        assert code == 1, name
        assert "not" in err
        assert len(err.strip().splitlines()) == 1
    same = ("--players", "3", "--seed", "7", "--table", "17", "9", "--max-rounds", "100", "--against", "random")
    code, out, _ = train("--resume", "--steps", "256", *same)
    assert code == 0
    assert "the model is run/model.safetensors" in out.replace("\n", "")
    assert saved_config(tmp_path / "run").steps == 256


def test_opponents_with_code_of_their_own_are_named_again_to_go_on(train: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def bot(observation, mask):\n    return int(mask.argmax())\n")
    mine = ("--against", "./mine.py:bot,random")
    assert train(*mine, "--envs", "2", "--steps", "128")[0] == 0
    code, _, err = train("--resume", "--steps", "256")
    assert code == 1
    assert "name it on the command line too" in " ".join(err.split())
    assert train("--resume", "--steps", "256", *mine)[0] == 0
    assert train("--resume", "--steps", "384", "--against", "./mine.py:bot", "random")[0] == 0


def test_a_run_that_ctrl_c_ended_is_not_evaluated(train: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProgressMeter, "show", lambda *_: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(evaluate, "measure", lambda *_, **__: pytest.fail("it was evaluated"))
    code, out, err = train("--against", "random", "--envs", "2", "--taught", "0", "--evaluate")
    assert code == 0
    assert "the model is" in out
    assert "oddville evaluate run/model.safetensors" in " ".join(err.split())


def test_a_run_that_came_to_its_end_is_evaluated(train: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    measure = lambda _, model, **settings: asked.append((str(model), settings["players"]))  # noqa: E731
    monkeypatch.setattr(evaluate, "measure", measure)
    assert train(*SMALL, "--players", "3", "--evaluate")[0] == 0
    assert asked == [("run/model.safetensors", 3)]


def test_a_run_that_has_begun_begins_with_no_model(train: Run) -> None:
    code, _, err = train("--resume", "--init", "model.safetensors")
    assert code == 1
    assert "--init cannot be combined with --resume" in " ".join(err.split())


def test_ctrl_c_while_the_program_is_loaded_ends_it_quietly() -> None:
    code = """
import sys

class Interrupts:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
from oddville_env.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code, "train"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")
