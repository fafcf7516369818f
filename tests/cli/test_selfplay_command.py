"""`oddville selfplay`: what a run begins and goes on with, and what is said of plans and reports that are damaged."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

from oddville_agents.oddville.value.network.files import LEARNED
from oddville_env.cli import main
from oddville_env.cli.commands import evaluate
from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.oddville.selfplay.folder import OddVilleFolder
from oddville_training.oddville.selfplay.plan import Plan
from oddville_training.oddville.selfplay.stages import run as self_play
from oddville_training.selfplay import run as skeleton
from support import forked
from support.program import Run

SMALL = ("--against", "random", "--envs", "2", "--steps", "128")


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
        (("--workers", "0"), "workers must be"),
        (("--minutes", "nan"), "minutes must be a number above 0"),
        (("--executor", "nowhere"), "executor must be processes or ray"),
        (("--seed", "-1"), "seed must be"),
        (("--resume",), "holds no run to resume"),
    ],
)
def test_a_run_of_self_play_that_cannot_be_ends_in_a_sentence(
    selfplay: Run, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = selfplay(*words)
    assert code == 1
    assert sentence in " ".join(err.split())
    assert "Traceback" not in out + err
    assert not (tmp_path / "run").exists()


def test_self_play_is_trained_stopped_and_gone_on_with(selfplay: Run, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    code, _, err = selfplay("--config", "plan.toml", "--workers", "1", "--minutes", "0.0000001")
    assert code == 1
    assert "no network yet" in " ".join(err.split())
    code, out, _ = selfplay("--resume", "--workers", "1")
    assert code == 0
    assert "the model is champion:network=run/network.safetensors" in out
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {"plan.json", "curves.svg", "tensorboard", "stages"}
    code, _, err = selfplay("--config", "plan.toml", "--workers", "1")
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
    selfplay: Run, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    selfplay("--config", "plan.toml", "--workers", "1", "--minutes", "0.0000001")
    code, _, err = selfplay("--resume", *words)
    assert code == 1
    assert sentence in " ".join(err.split())


WITHOUT = """
import json
import sys
foreign = {"polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema"}
ours = {"oddville_env", "oddville_agents", "oddville_training"}
for name in [name for name in sys.modules if name.partition(".")[0] in foreign | ours]:
    del sys.modules[name]  # this process is a fork of one that has loaded them
sys.modules.update(dict.fromkeys(foreign))
from oddville_env.cli import main
from oddville_env.cli.commands import evaluate
measure = evaluate.measure
evaluate.measure = lambda *words, **more: measure(*words, **{**more, "games": 4, "workers": 1})
if __name__ == "__main__":
    for number, words in enumerate(json.loads(sys.argv[1])):
        sys.argv = ["oddville", *words, "--folder", f"run{number}"]
        try:
            main()
        except SystemExit as end:
            assert not end.code, words
"""


SELFPLAY = ("selfplay", "--config", "plan.toml", "--workers", "1", "--evaluate")


def test_the_extra_train_is_enough_to_train(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    (tmp_path / "program.py").write_text(WITHOUT)
    done = forked.run(tmp_path / "program.py", json.dumps([SELFPLAY, ("train", *SMALL)]), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} >= {"run0", "run1"}


@pytest.mark.parametrize(
    ("agent", "rival"), [("champion", "learned"), ("greedy", "greedy"), ("champion:network=mine.net", "mine.net")]
)
def test_a_best_response_learns_to_beat_one_agent_and_is_measured_against_it(
    selfplay: Run, monkeypatch: pytest.MonkeyPatch, agent: str, rival: str
) -> None:
    plans: list[Plan] = []
    asked: list[object] = []

    def begin(_: object, folder: Path, plan: Plan, resume: bool, *__: object) -> Path:
        plans.append(OddVilleFolder(folder).begin(plan, resume))
        return Path(shutil.copy(LEARNED, folder / "network.safetensors"))

    monkeypatch.setattr(skeleton, "learn", begin)
    monkeypatch.setattr(evaluate, "measure", lambda *_, **settings: asked.append([*map(str, settings["against"])]))
    code, out, _ = selfplay("--best-response", agent, "--evaluate")
    assert code == 0
    assert "the model is champion:network=run/network.safetensors" in out
    assert [(plan.rival, plan.start) for plan in plans] == [(rival, "learned")]
    assert asked == [[agent]]


# Folders of strangers


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of self-play that is finished, not to be changed."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "plan.toml").write_text(TINY_PLAN)
    self_play(ODDVILLE, folder / "run", {"config": folder / "plan.toml", "workers": 1}, False, None)
    return folder / "run"


@pytest.fixture
def finished(whole_run: Path, tmp_path: Path) -> Path:
    """The folder of a run of self-play that is finished."""
    return Path(shutil.copytree(whole_run, tmp_path / "run"))


def test_a_rival_that_a_plan_names_is_read_as_a_network_and_never_run(
    selfplay: Run, finished: Path, tmp_path: Path
) -> None:
    evil = "from pathlib import Path\nPath('ran').touch()\nclass Bot: pass\n"
    for name in ("evil.py", "champion:network=evil.py"):
        (tmp_path / name).write_text(evil)
    plan = json.loads((finished / "plan.json").read_text())
    (finished / "plan.json").write_text(json.dumps(plan | {"rival": "evil.py:Bot:x=1"}))
    code, _, err = selfplay("--resume", "--evaluate", "--workers", "1")
    assert code == 1
    assert "evil.py:Bot:x=1 cannot be read" in " ".join(err.split())
    assert not (tmp_path / "ran").exists()


def test_a_folder_whose_name_looks_like_a_spec_is_evaluated_as_the_folder_it_is(
    selfplay: Run, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evil.py").write_text("from pathlib import Path\nPath('ran').touch()\nclass Bot: pass\n")
    finished.rename(tmp_path / "evil.py:Bot:x=1,y=2")
    measure = evaluate.measure
    monkeypatch.setattr(evaluate, "measure", lambda *words, **more: measure(*words, **{**more, "games": 2}))
    monkeypatch.setattr(sys, "argv", ["oddville", "selfplay", "--resume", "--evaluate",
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
    selfplay: Run, finished: Path, name: str, fields: dict[str, object]
) -> None:
    path = finished / "stages" / "warm" / name
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))
    code, out, err = selfplay("--resume", "--workers", "1")
    assert code == 1
    assert f"{name} is damaged: delete it, and --resume makes it anew" in " ".join(err.split())
    assert "Traceback" not in out + err


def test_a_report_that_is_nested_deeply_or_no_file_is_told_in_a_sentence(selfplay: Run, finished: Path) -> None:
    path = finished / "stages" / "warm" / "report.json"
    path.write_text("[" * 3000 + "]" * 3000)
    assert "too deep in each other" in selfplay("--resume", "--workers", "1")[2]
    path.unlink()
    path.symlink_to("/dev/zero")
    assert "it is no regular file" in " ".join(selfplay("--resume", "--workers", "1")[2].split())


def test_evaluations_of_no_number_of_players_are_not_looked_at(selfplay: Run, finished: Path) -> None:
    (finished / "stages" / "warm" / "evaluation-x.json").write_text("{}")
    assert selfplay("--resume", "--workers", "1")[0] == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_plan_that_is_a_pipe_or_much_too_large_is_refused_at_once(selfplay: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plan.toml")
    code, _, err = selfplay("--config", "plan.toml")
    assert (code, "plan.toml cannot be read (it is no regular file)" in " ".join(err.split())) == (1, True)
    (tmp_path / "plan.toml").unlink()
    (tmp_path / "plan.toml").touch()
    os.truncate(tmp_path / "plan.toml", 10 << 30)
    code, _, err = selfplay("--config", "plan.toml")
    assert (code, "it is larger than 16 MB" in " ".join(err.split())) == (1, True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["drawn:5-3", "drawn:0-999999999"])
def test_drawn_card_sets_of_a_plan_are_some_but_not_too_many(selfplay: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN + f'cards = ["{name}"]\n')
    code, _, err = selfplay("--config", "plan.toml", "--workers", "1")
    assert (code, "must name 1 to 10000 card sets" in " ".join(err.split())) == (1, True)
