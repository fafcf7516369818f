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
from oddville_env.cli.commands import learning
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learning.meter import ProgressMeter
from oddville_training.learning.run_folder import saved_config
from oddville_training.oddville.selfplay.plan import OddVilleFolder, Plan
from oddville_training.selfplay import run as skeleton
from oddville_training.tournament.suite import suite_of
from support.program import Run, fails, works

SMALL = ("--against", "random", "--envs", 2, "--steps", 128)


def test_resumed_run_keeps_its_settings(train: Run, tmp_path: Path) -> None:
    assert train(*SMALL, "--seed", 7, "--players", 3).code == 0
    for other in ("--players 2", "--seed 0", "--table 21 13", "--max-rounds 20", "--reward rank", "--against greedy"):
        fails(train("--resume", "--steps", 256, *other.split()), "not")
    same = ("--players", 3, "--seed", 7, "--table", 17, 9, "--max-rounds", 100, "--against", "random")
    said = works(train("--resume", "--steps", 256, *same))
    assert "the model is run/model.safetensors" in said.out.replace("\n", "")
    assert saved_config(tmp_path / "run").steps == 256


def test_resume_with_external_opponents_names_them_again(train: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def bot(observation, mask):\n    return int(mask.argmax())\n")
    assert train("--against", "./mine.py:bot,random", "--envs", 2, "--steps", 128).code == 0
    fails(train("--resume", "--steps", 256), "name it on the command line too")
    assert train("--resume", "--steps", 256, "--against", "./mine.py:bot", "random").code == 0


def test_run_is_evaluated_unless_ctrl_c_ended_it(train: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    measure = lambda _, model, **settings: asked.append((str(model), settings["players"]))  # noqa: E731
    monkeypatch.setattr(learning, "measure", measure)
    assert (train(*SMALL, "--players", 3, "--evaluate").code, asked) == (0, [("run/model.safetensors", 3)])
    shutil.rmtree("run")
    monkeypatch.setattr(ProgressMeter, "show", lambda *_: signal.raise_signal(signal.SIGINT))
    said = train("--against", "random", "--envs", 2, "--taught", 0, "--evaluate")
    assert (said.code, len(asked)) == (0, 1)
    assert "the model is" in said.out
    assert "oddville evaluate run/model.safetensors" in " ".join(said.err.split())


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
        ("--best-response greedy", "its best_response is None, not 'greedy' as --best-response says"),
    ):
        fails(selfplay("--resume", *words.split()), sentence)
    said = works(selfplay("--resume", "--workers", "1"))
    assert "the model is champion:network=run/network.safetensors" in said.out
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {"plan.json", "curves.svg", "tensorboard", "stages"}
    fails(selfplay("--config", "plan.toml", "--workers", "1"), "already holds a run")


@pytest.mark.parametrize(("agent", "rival"), [("champion", "learned_3"), ("champion:network=mine.net", "mine.net")])
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
    assert selfplay("--best-response", agent, "--evaluate").code == 0
    assert ([(plan.rival, plan.start) for plan in plans], asked) == ([(rival, "learned_3")], [[agent]])


@pytest.mark.parametrize(
    ("agent", "rival"), [("champion", "learned_3"), ("champion:network=learned", "learned"), ("greedy", "greedy")]
)
def test_plan_of_a_best_response_names_its_rival(agent: str, rival: str) -> None:
    plan = Plan.asked({"best_response": agent}, resume=False)
    assert plan is not None
    assert (plan.rival, str(plan.options()["best_response"])) == (rival, agent)


def test_exploit_prints_a_line_of_json_and_ctrl_c_keeps_its_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_training.oddville.selfplay.stages.PART", 2)
    words = ("exploit", "random", "--folder", "run", "--games", 2, "--workers", 1, "--minutes", 1e-9)
    said = works(run(*words, "--json", "-"))
    found = json.loads(said.out)
    assert (said.out.count("\n"), found["network"]) == (1, "run/response.safetensors")
    assert f"random is exploitable by {found['exploitability']:.1%} of games" in " ".join(said.err.split())
    monkeypatch.setattr(skeleton.Watch, "done", lambda *_: signal.raise_signal(signal.SIGINT))
    said = run(*words)
    assert said.code == 130
    assert "finished games and networks are in run: the same call continues" in " ".join(said.err.split())
    assert len([*Path("run").rglob("games-*.npz")]) == 2


def test_damaged_run_is_reported_not_executed(
    run: Run, selfplay: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.toml").write_text(TINY_PLAN)
    assert selfplay("--config", "plan.toml", "--workers", 1).code == 0
    finished = tmp_path / "run"
    stage, damaged = finished / "stages" / "warm", "is damaged: delete it, and the resumed run makes it again"
    for name, fields in (
        ("report.json", {"loss": {"after": {}}}),
        ("report.json", {"seconds": {"games": "x" * 100, "rows": 0, "fit": 0}}),
        ("evaluation-2.json", {"greedy": {"games": 10**400, "won": 0.5, "low": 0, "high": 1}}),
    ):
        whole = (stage / name).read_text()
        (stage / name).write_text(json.dumps(json.loads(whole) | fields))
        fails(selfplay("--resume", "--workers", "1"), f"{name} {damaged}")
        (stage / name).write_text(whole)
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


def test_trained_model_is_an_agent_of_every_command_and_is_resumed(oldtown: Run) -> None:
    model = Path("run/model.safetensors")
    assert oldtown("train", "--folder", "run", *SMALL, "--players", 3).code == 0
    assert oldtown("evaluate", model, "--against", "random", "--games", 4).code == 0
    assert oldtown("simulate", "--agents", f"{model},random", "--games", 2, "--out", "games.jsonl").code == 0
    assert oldtown("watch", "--agents", f"{model},{model}:sample=true", "--delay", 0).code == 0
    assert oldtown("analyse", "games.jsonl", "--move", 20, "--agent", model).code == 0
    said = works(oldtown("tournament", model, "random", "--blocks", 2, "--workers", 1, "--out", "cup"))
    pl = pytest.importorskip("polars", reason="the extra tournament is not installed")
    assert pl.read_parquet("cup/results.parquet")["failure"].is_null().all()
    resumed = ("train", "--folder", "run", "--resume", "--steps", 256)
    fails(oldtown(*resumed, "--lone-confirm"), "its lone_confirm is False")
    said = works(oldtown(*resumed, "--players", 3))
    assert "the model is run/model.safetensors" in said.out


def test_policy_is_imitated_and_training_is_resumed_from_it(oldtown: Run) -> None:
    said = oldtown("imitate", "heuristic", "--games", 4, "--players", 3, "--workers", 1, "--out", "data", "--fit")
    assert said.code == 0, said.err
    assert "the model is data/model.safetensors" in said.out
    begun = ("train", "--folder", "run", "--init", "data/model.safetensors", "--players", 3, "--lone-confirm")
    said = works(oldtown(*begun, *SMALL))
    about = json.loads(Path("run/checkpoints/0000000128/model.json").read_text())
    assert (about["format"], about["config"]["lone_confirm"]) == ("oldtown-model", True)


def test_value_learns_by_self_play_and_is_evaluated(oldtown: Run) -> None:
    plan = "players = [3]\nwarm_games = [24]\nrounds = 1\ngames = [6]\nbatch = 64\nevaluation = 12\n"
    Path("small.toml").write_text(plan)
    said = works(oldtown("selfplay", "--folder", "run", "--config", "small.toml", "--seed", 2, "--workers", 1))
    assert oldtown("selfplay", "--folder", "run", "--resume").code == 0
    model = "champion:network=run/network.safetensors"
    assert f"the model is {model}" in said.out
    assert oldtown("evaluate", model, "--against", "random", "--games", 3).code == 0


def test_benchmark_prints_the_row_of_an_agent(oldtown: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suite_of(OLDTOWN)
    small = suite._replace(players=(2,), anchors=tuple(anchor._replace(blocks=1) for anchor in suite.anchors[:2]))
    monkeypatch.setattr("oddville_training.tournament.suite.suite_of", lambda *_: small)
    said = works(oldtown("benchmark", "greedy", "--workers", 1))
    assert said.out.startswith("| `greedy` 1 | v1 | ")
    assert "| heuristic, 2 | champion:turns=4, 2 |" in said.err
