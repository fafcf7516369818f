"""`train`, `selfplay`, `imitate` and `benchmark`: what a run is, how it is resumed, and damaged runs."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="the extra train is not installed")

from oddville_agents.oddville.value.network import LEARNED
from oddville_env import OldTown
from oddville_env.cli import oldtown as oldtown_main
from oddville_env.cli.commands import learning
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learning.meter import ProgressMeter
from oddville_training.learning.run_folder import saved_config
from oddville_training.oddville.selfplay.plan import OddVilleFolder, Plan
from oddville_training.oddville.selfplay.stages import run as self_play
from oddville_training.selfplay import run as skeleton
from oddville_training.tournament.suite import suite_of
from support import forked
from support.helpers import random_game
from support.program import Run, fails

SMALL = ("--against", "random", "--envs", 2, "--steps", 128)


def test_resumed_run_keeps_its_settings(train: Run, tmp_path: Path) -> None:
    assert train(*SMALL, "--seed", "7", "--players", "3")[0] == 0
    others = ["--players 2", "--seed 0", "--table 21 13", "--max-rounds 20", "--envs 4", "--reward rank"]
    for other in [*others, "--against greedy"]:
        fails(train("--resume", "--steps", "256", *other.split()), "not")
    same = ("--players", "3", "--seed", "7", "--table", "17", "9", "--max-rounds", "100", "--against", "random")
    code, out, _ = train("--resume", "--steps", "256", *same)
    assert code == 0
    assert "the model is run/model.safetensors" in out.replace("\n", "")
    assert saved_config(tmp_path / "run").steps == 256


def test_resume_with_external_opponents_names_them_again(train: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def bot(observation, mask):\n    return int(mask.argmax())\n")
    mine = ("--against", "./mine.py:bot,random")
    assert train(*mine, "--envs", "2", "--steps", "128")[0] == 0
    fails(train("--resume", "--steps", "256"), "name it on the command line too")
    assert train("--resume", "--steps", "256", *mine)[0] == 0
    assert train("--resume", "--steps", "384", "--against", "./mine.py:bot", "random")[0] == 0


def test_run_that_ctrl_c_ended_is_not_evaluated(train: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProgressMeter, "show", lambda *_: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(learning, "measure", lambda *_, **__: pytest.fail("it was evaluated"))
    code, out, err = train("--against", "random", "--envs", "2", "--taught", "0", "--evaluate")
    assert code == 0
    assert "the model is" in out
    assert "oddville evaluate run/model.safetensors" in " ".join(err.split())


def test_run_that_came_to_its_end_is_evaluated(train: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    measure = lambda _, model, **settings: asked.append((str(model), settings["players"]))  # noqa: E731
    monkeypatch.setattr(learning, "measure", measure)
    assert train(*SMALL, "--players", "3", "--evaluate")[0] == 0
    assert asked == [("run/model.safetensors", 3)]


def test_ctrl_c_while_the_program_is_loaded_ends_it_quietly() -> None:
    code = """
import sys

class Interrupts:
    def find_spec(self, name, *_):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
from oddville_env import OldTown
from oddville_env.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code, "train"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


TINY_PLAN = "warm_games = [21]\ngames = [21]\nrounds = 1\nevaluation = 12\nbatch = 64\n"


def test_self_play_is_stopped_and_resumed_with_its_own_settings(selfplay: Run, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    said = selfplay("--config", "plan.toml", "--workers", "1", "--minutes", "0.0000001")
    assert (said.code, "no network yet" in " ".join(said.err.split())) == (1, True)
    for words, sentence in (
        ("--seed 7", "its seed is 0, not 7 as --seed says"),
        ("--players 4", "its players is 2, not 4 as --players says"),
        ("--threads 2", "its threads is 1, not 2 as --threads says"),
        ("--best-response greedy", "its best_response is None, not 'greedy' as --best-response says"),
    ):
        fails(selfplay("--resume", *words.split()), sentence)
    code, out, _ = selfplay("--resume", "--workers", "1")
    assert code == 0
    assert "the model is champion:network=run/network.safetensors" in out
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {"plan.json", "curves.svg", "tensorboard", "stages"}
    fails(selfplay("--config", "plan.toml", "--workers", "1"), "already holds a run")


WITHOUT = """
import json
import sys
foreign = {"polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema"}
ours = {"oddville_env", "oddville_agents", "oddville_training"}
for name in [name for name in sys.modules if name.partition(".")[0] in foreign | ours]:
    del sys.modules[name]  # this process is a fork of one that has loaded them
sys.modules.update(dict.fromkeys(foreign))
from oddville_env import OldTown
from oddville_env.cli import main
from oddville_env.cli.commands import learning
measure = learning.measure
learning.measure = lambda *words, **more: measure(*words, **{**more, "games": 4, "workers": 1})
if __name__ == "__main__":
    for number, words in enumerate(json.loads(sys.argv[1])):
        sys.argv = ["oddville", *words, "--folder", f"run{number}"]
        try:
            main()
        except SystemExit as end:
            assert not end.code, words
"""


SELFPLAY = ("selfplay", "--config", "plan.toml", "--workers", "1", "--evaluate")


def test_extra_train_suffices_for_training(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    (tmp_path / "program.py").write_text(WITHOUT)
    done = forked.run(tmp_path / "program.py", json.dumps([SELFPLAY, ("train", *map(str, SMALL))]), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} >= {"run0", "run1"}


@pytest.mark.parametrize(
    ("agent", "rival"), [("champion", "learned"), ("greedy", "greedy"), ("champion:network=mine.net", "mine.net")]
)
def test_best_response_learns_to_beat_one_agent_and_is_measured_against_it(
    selfplay: Run, monkeypatch: pytest.MonkeyPatch, agent: str, rival: str
) -> None:
    plans: list[Plan] = []
    asked: list[object] = []

    def begin(_: object, folder: Path, plan: Plan, resume: bool, *__: object) -> Path:
        plans.append(OddVilleFolder(folder).begin(plan, resume))
        return Path(shutil.copy(LEARNED, folder / "network.safetensors"))

    monkeypatch.setattr(skeleton, "learn", begin)
    monkeypatch.setattr(learning, "measure", lambda *_, **settings: asked.append([*map(str, settings["against"])]))
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


def test_no_folder_or_plan_of_a_run_is_executed(
    run: Run, selfplay: Run, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil, measure = "from pathlib import Path\nPath('ran').touch()\nclass Bot: pass\n", learning.measure
    for name in ("evil.py", "champion:network=evil.py"):
        (tmp_path / name).write_text(evil)
    monkeypatch.setattr(learning, "measure", lambda *words, **more: measure(*words, **{**more, "games": 2}))
    spec = shutil.copytree(finished, tmp_path / "evil.py:Bot:x=1,y=2")
    assert run("selfplay", "--resume", "--evaluate", "--folder", spec.name).code == 0
    plan = json.loads((finished / "plan.json").read_text())
    (finished / "plan.json").write_text(json.dumps(plan | {"rival": "evil.py:Bot:x=1"}))
    said = selfplay("--resume", "--evaluate", "--workers", "1")
    assert (said.code, "evil.py:Bot:x=1 cannot be read" in " ".join(said.err.split())) == (1, True)
    assert not (tmp_path / "ran").exists()


def test_damaged_reports_of_a_run_are_reported(selfplay: Run, finished: Path) -> None:
    stage, damaged = finished / "stages" / "warm", "is damaged: delete it, and --resume makes it anew"
    (stage / "evaluation-x.json").write_text("{}")  # no number of players: not looked at
    assert selfplay("--resume", "--workers", "1").code == 0
    for name, fields in (
        ("report.json", {"loss": {"after": {}}}),
        ("report.json", {"seconds": {"games": "x" * 100, "rows": 0, "fit": 0}}),
        ("evaluation-2.json", {"greedy": {"games": 10**400, "won": 0.5, "low": 0, "high": 1}}),
    ):
        whole = (stage / name).read_text()
        (stage / name).write_text(json.dumps(json.loads(whole) | fields))
        fails(selfplay("--resume", "--workers", "1"), f"{name} {damaged}")
        (stage / name).write_text(whole)
    (stage / "report.json").write_text("[" * 3000 + "]" * 3000)
    fails(selfplay("--resume", "--workers", "1"), "too deep in each other")
    (stage / "report.json").unlink()
    (stage / "report.json").symlink_to("/dev/zero")
    fails(selfplay("--resume", "--workers", "1"), "it is no regular file")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short run, not to be changed."""
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["oldtown", "train", "--folder", "run", *map(str, SMALL), "--players", "3"])
        with pytest.raises(SystemExit) as ended:
            oldtown_main()
    assert not ended.value.code
    return folder / "run"


def test_trained_model_is_an_agent_of_every_command(oldtown: Run, trained: Path) -> None:
    model = trained / "model.safetensors"
    assert oldtown("evaluate", model, "--against", "random", "--games", 4).code == 0
    assert oldtown("simulate", "--agents", f"{model},random", "--games", 2, "--out", "games.jsonl").code == 0
    assert oldtown("watch", "--agents", f"{model},{model}:sample=true", "--delay", 0).code == 0
    Path("mine.jsonl").write_text(json.dumps(random_game(2, 1, make=OldTown).record()) + "\n")
    assert oldtown("analyse", "mine.jsonl", "--move", 20, "--agent", model).code == 0
    words = ("tournament", model, "random", "--blocks", 2, "--workers", 1, "--out", "cup")
    said = oldtown(*words)
    assert said.code == 0, said.err
    pl = pytest.importorskip("polars", reason="the extra tournament is not installed")
    assert pl.read_parquet("cup/results.parquet")["failure"].is_null().all()


def test_oldtown_run_is_resumed(oldtown: Run, trained: Path) -> None:
    shutil.copytree(trained, "run")
    fails(oldtown("train", "--folder", "run", "--resume", "--steps", 256, "--players", 2), "its players is 3, not 2")
    fails(
        oldtown("train", "--folder", "run", "--resume", "--steps", 256, "--lone-confirm"), "its lone_confirm is False"
    )
    said = oldtown("train", "--folder", "run", "--resume", "--steps", 256, "--players", 3)
    assert said.code == 0, said.err
    assert "the model is run/model.safetensors" in said.out


def test_policy_is_imitated_and_training_is_resumed_from_it(oldtown: Run) -> None:
    words = ("imitate", "heuristic", "--games", 4, "--players", 3, "--workers", 1, "--out", "data", "--fit")
    said = oldtown(*words)
    assert said.code == 0, said.err
    assert "the model is data/model.safetensors" in said.out
    begun = ("train", "--folder", "run", "--init", "data/model.safetensors", "--players", 3, "--lone-confirm")
    said = oldtown(*begun, *SMALL)
    assert said.code == 0, said.err
    shutil.copy("run/checkpoints/0000000128/model.json", "about.json")
    about = json.loads(Path("about.json").read_text())
    assert (about["format"], about["config"]["lone_confirm"]) == ("oldtown-model", True)


def test_value_learns_by_self_play_and_is_evaluated(oldtown: Run) -> None:
    Path("small.toml").write_text(
        "players = [3]\nwarm_games = [24]\nrounds = 1\ngames = [6]\nbatch = 64\nevaluation = 12\n"
    )
    words = ("selfplay", "--folder", "run", "--config", "small.toml", "--seed", 2, "--workers", 1)
    said = oldtown(*words)
    assert said.code == 0, said.err
    assert "the model is champion:network=run/network.safetensors" in said.out
    fails(oldtown(*words), "already holds a run")
    assert oldtown("selfplay", "--folder", "run", "--resume").code == 0
    assert (
        oldtown("evaluate", "champion:network=run/network.safetensors", "--against", "random", "--games", 3).code == 0
    )


def test_benchmark_prints_the_row_of_an_agent(oldtown: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suite_of(OLDTOWN)
    small = suite._replace(players=(2,), anchors=tuple(anchor._replace(blocks=1) for anchor in suite.anchors[:2]))
    monkeypatch.setattr("oddville_training.tournament.suite.suite_of", lambda *_: small)
    said = oldtown("benchmark", "greedy", "--workers", 1)
    assert said.code == 0, said.err
    assert said.out.startswith("| `greedy` 1 | v1 | ")
    assert "| heuristic, 2 | champion, 2 |" in said.err
