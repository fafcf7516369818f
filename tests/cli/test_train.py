"""`oddville train`: what may be asked for, and how a run goes on."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

from oddville_agents.oddville.value.network.files import LEARNED
from oddville_env.cli import main
from oddville_env.cli.commands import evaluate
from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.learning.meter import ProgressMeter
from oddville_training.learning.run_folder import saved_config
from oddville_training.oddville.selfplay import command
from oddville_training.oddville.selfplay.folder import RunFolder
from oddville_training.oddville.selfplay.plan import Plan

Train = Callable[..., tuple[int, str, str]]
SMALL = ("--against", "random", "--envs", "2", "--steps", "128")


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Train:
    """Run `oddville train --folder run` with these words, in a folder of its own: exit code, output, errors."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["oddville", "train", "--folder", "run", *words])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        return code, *capsys.readouterr()

    return run


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
    train: Train, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = train(*words)
    assert code == 1
    assert sentence in " ".join(err.split())
    assert len(err.strip().splitlines()) == 1
    assert len(err) < 400
    assert "Traceback" not in out + err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("words", [("--players", "9" * 5000), ("--against",), ("--minutes", "soon")])
def test_what_cannot_be_read_is_a_mistake_of_the_command_line(train: Train, words: tuple[str, ...]) -> None:
    code, out, err = train(*words)
    assert code == 2
    assert "Traceback" not in out + err
    assert len(err) < 1500


def test_a_run_goes_on_only_with_what_it_was_set_to(train: Train, tmp_path: Path) -> None:
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


def test_opponents_with_code_of_their_own_are_named_again_to_go_on(train: Train, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def bot(observation, mask):\n    return int(mask.argmax())\n")
    mine = ("--against", "./mine.py:bot,random")
    assert train(*mine, "--envs", "2", "--steps", "128")[0] == 0
    code, _, err = train("--resume", "--steps", "256")
    assert code == 1
    assert "name it on the command line too" in " ".join(err.split())
    assert train("--resume", "--steps", "256", *mine)[0] == 0
    assert train("--resume", "--steps", "384", "--against", "./mine.py:bot", "random")[0] == 0


def test_a_run_that_ctrl_c_ended_is_not_evaluated(train: Train, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProgressMeter, "show", lambda *_: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(evaluate, "measure", lambda *_, **__: pytest.fail("it was evaluated"))
    code, out, err = train("--against", "random", "--envs", "2", "--taught", "0", "--evaluate")
    assert code == 0
    assert "the model is" in out
    assert "oddville evaluate run/model.safetensors" in " ".join(err.split())


def test_a_run_that_came_to_its_end_is_evaluated(train: Train, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    measure = lambda _, model, **settings: asked.append((str(model), settings["players"]))  # noqa: E731
    monkeypatch.setattr(evaluate, "measure", measure)
    assert train(*SMALL, "--players", "3", "--evaluate")[0] == 0
    assert asked == [("run/model.safetensors", 3)]


TINY_PLAN = "warm_games = [21]\ngames = [21]\nrounds = 1\nevaluation = 12\nbatch = 64\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--preset", "nothing"),
            "there is no preset 'nothing', expected champion, first, hour, night, quick, response",
        ),
        (("--best-response", "random"), "a best response is learned to greedy, champion or champion:network=FILE"),
        (("--preset", "quick", "--config", "plan.toml"), "both name a plan"),
        (("--config", "missing.toml"), "missing.toml cannot be read"),
        (("--against", "random"), "--against means nothing with --algo selfplay"),
        (("--workers", "0"), "workers must be"),
        (("--minutes", "nan"), "minutes must be a number above 0"),
        (("--executor", "nowhere"), "executor must be processes or ray"),
        (("--seed", "-1"), "seed must be"),
        (("--resume",), "holds no run to go on with"),
    ],
)
def test_a_run_of_self_play_that_cannot_be_ends_in_a_sentence(
    train: Train, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = train("--algo", "selfplay", *words)
    assert code == 1
    assert sentence in " ".join(err.split())
    assert "Traceback" not in out + err
    assert not (tmp_path / "run").exists()


def test_options_of_self_play_mean_nothing_to_ppo(train: Train) -> None:
    code, _, err = train("--preset", "quick")
    assert code == 1
    assert "--preset means nothing with --algo ppo" in " ".join(err.split())


def test_self_play_is_trained_stopped_and_gone_on_with(train: Train, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    code, _, err = train("--algo", "selfplay", "--config", "plan.toml", "--workers", "1", "--minutes", "0.0000001")
    assert code == 1
    assert "no network yet" in " ".join(err.split())
    code, out, _ = train("--algo", "selfplay", "--resume", "--workers", "1")
    assert code == 0
    assert "the model is champion:network=run/network.safetensors" in out
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {"plan.json", "curves.svg", "tensorboard", "stages"}
    code, _, err = train("--algo", "selfplay", "--config", "plan.toml", "--workers", "1")
    assert code == 1
    assert "already holds a run" in " ".join(err.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--seed", "7"), "its seed is 0, not 7 as --seed says"),
        (("--players", "4"), "its players is 2, not 4 as --players says"),
        (("--threads", "2"), "its threads is 1, not 2 as --threads says"),
        (("--best-response", "greedy"), "its best_response is None, not 'greedy' as --best-response says"),
    ],
)
def test_self_play_that_goes_on_is_asked_for_no_other_settings(
    train: Train, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    train("--algo", "selfplay", "--config", "plan.toml", "--workers", "1", "--minutes", "0.0000001")
    code, _, err = train("--algo", "selfplay", "--resume", *words)
    assert code == 1
    assert sentence in " ".join(err.split())


def test_a_run_that_has_begun_begins_with_no_model(train: Train) -> None:
    code, _, err = train("--resume", "--init", "model.safetensors")
    assert code == 1
    assert "--init means nothing with --resume" in " ".join(err.split())


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


FEW_GAMES = """
from oddville_env.cli import main
from oddville_env.cli.commands import evaluate
measure = evaluate.measure
evaluate.measure = lambda *words, **more: measure(*words, **{**more, "games": 4})
if __name__ == "__main__":
    main()
"""
SELFPLAY = ("--algo", "selfplay", "--config", "plan.toml", "--workers", "1", "--evaluate")


@pytest.mark.parametrize("words", [SELFPLAY, SMALL], ids=["selfplay", "ppo"])
def test_the_extra_train_is_enough_to_train(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    foreign = ("polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema")
    (tmp_path / "program.py").write_text(f"import sys; sys.modules.update(dict.fromkeys({foreign}))\n{FEW_GAMES}")
    command = [sys.executable, "program.py", "train", *words, "--folder", "run"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("agent", "rival"), [("champion", "learned"), ("greedy", "greedy"), ("champion:network=mine.net", "mine.net")]
)
def test_a_best_response_learns_to_beat_one_agent_and_is_measured_against_it(
    train: Train, monkeypatch: pytest.MonkeyPatch, agent: str, rival: str
) -> None:
    plans: list[Plan] = []
    asked: list[object] = []

    def begin(folder: Path, plan: Plan, resume: bool, *_: object) -> Path:
        plans.append(RunFolder(folder).begin(plan, resume))
        return Path(shutil.copy(LEARNED, folder / "network.safetensors"))

    monkeypatch.setattr(command, "learn", begin)
    monkeypatch.setattr(evaluate, "measure", lambda *_, **settings: asked.append([*map(str, settings["against"])]))
    code, out, _ = train("--best-response", agent, "--evaluate")
    assert code == 0
    assert "the model is champion:network=run/network.safetensors" in out
    assert [(plan.rival, plan.start) for plan in plans] == [(rival, "learned")]
    assert asked == [[agent]]


def test_a_best_response_is_learned_by_self_play_alone(train: Train) -> None:
    code, _, err = train("--algo", "ppo", "--best-response", "champion")
    assert code == 1
    assert "--best-response means nothing with --algo ppo" in " ".join(err.split())


# Folders of strangers


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of self-play that is finished, not to be changed."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "plan.toml").write_text(TINY_PLAN)
    command.run(ODDVILLE, folder / "run", {"config": folder / "plan.toml", "workers": 1}, False, None)
    return folder / "run"


@pytest.fixture
def finished(whole_run: Path, tmp_path: Path) -> Path:
    """The folder of a run of self-play that is finished."""
    return Path(shutil.copytree(whole_run, tmp_path / "run"))


def test_a_rival_that_a_plan_names_is_read_as_a_network_and_never_run(
    train: Train, finished: Path, tmp_path: Path
) -> None:
    evil = "from pathlib import Path\nPath('ran').touch()\nclass Bot: pass\n"
    for name in ("evil.py", "champion:network=evil.py"):
        (tmp_path / name).write_text(evil)
    plan = json.loads((finished / "plan.json").read_text())
    (finished / "plan.json").write_text(json.dumps(plan | {"rival": "evil.py:Bot:x=1"}))
    code, _, err = train("--algo", "selfplay", "--resume", "--evaluate", "--workers", "1")
    assert code == 1
    assert "evil.py:Bot:x=1 cannot be read" in " ".join(err.split())
    assert not (tmp_path / "ran").exists()


def test_a_folder_whose_name_looks_like_a_spec_is_evaluated_as_the_folder_it_is(
    train: Train, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('ran').touch()\nclass Bot: pass\n")
    finished.rename(tmp_path / "evil.py:Bot:x=1,y=2")
    measure = evaluate.measure
    monkeypatch.setattr(evaluate, "measure", lambda *words, **more: measure(*words, **{**more, "games": 2}))
    monkeypatch.setattr(sys, "argv", ["oddville", "train", "--algo", "selfplay", "--resume", "--evaluate",
                                      "--folder", "evil.py:Bot:x=1,y=2"])  # fmt: skip
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("report.json", {"rows": None}),
        ("report.json", {"loss": {"after": {}}}),
        ("report.json", {"seconds": {"games": "x" * 100, "rows": 0, "fit": 0}}),
        ("evaluation-2.json", {"greedy": {"games": 0, "won": 0.5, "low": 0, "high": 1}}),
        ("evaluation-2.json", {"greedy": {"games": 10**400, "won": 0.5, "low": 0, "high": 1}}),
        ("evaluation-2.json", {"greedy:weights=simple": 1}),
    ],
)
def test_damaged_reports_of_a_run_are_told_in_a_sentence(
    train: Train, finished: Path, name: str, fields: dict[str, object]
) -> None:
    path = finished / "stages" / "warm" / name
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))
    code, out, err = train("--algo", "selfplay", "--resume", "--workers", "1")
    assert code == 1
    assert f"{name} is damaged: delete it, and --resume makes it anew" in " ".join(err.split())
    assert "Traceback" not in out + err


def test_a_report_that_is_nested_deeply_or_no_file_is_told_in_a_sentence(train: Train, finished: Path) -> None:
    path = finished / "stages" / "warm" / "report.json"
    path.write_text("[" * 3000 + "]" * 3000)
    assert "too deep in each other" in train("--algo", "selfplay", "--resume", "--workers", "1")[2]
    path.unlink()
    path.symlink_to("/dev/zero")
    assert "it is no regular file" in " ".join(train("--algo", "selfplay", "--resume", "--workers", "1")[2].split())


def test_evaluations_of_no_number_of_players_are_not_looked_at(train: Train, finished: Path) -> None:
    (finished / "stages" / "warm" / "evaluation-x.json").write_text("{}")
    assert train("--algo", "selfplay", "--resume", "--workers", "1")[0] == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_plan_that_is_a_pipe_or_much_too_large_is_refused_at_once(train: Train, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan.toml")
    code, _, err = train("--algo", "selfplay", "--config", "plan.toml")
    assert (code, "plan.toml cannot be read (it is no regular file)" in " ".join(err.split())) == (1, True)
    (tmp_path / "plan.toml").unlink()
    (tmp_path / "plan.toml").touch()
    os.truncate(tmp_path / "plan.toml", 10 << 30)
    code, _, err = train("--algo", "selfplay", "--config", "plan.toml")
    assert (code, "it is larger than 16 MB" in " ".join(err.split())) == (1, True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["drawn:5-3", "drawn:0-999999999"])
def test_drawn_card_sets_of_a_plan_are_some_but_not_too_many(train: Train, tmp_path: Path, name: str) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN + f'cards = ["{name}"]\n')
    code, _, err = train("--algo", "selfplay", "--config", "plan.toml", "--workers", "1")
    assert (code, "must name 1 to 10000 card sets" in " ".join(err.split())) == (1, True)
