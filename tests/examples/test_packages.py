"""A game and agents in packages of their own are found by their entry points."""

import re
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pathlib import Path

import pytest

from oddville_agents import built_in
from oddville_env.core.errors import SettingError
from oddville_env.core.game import game_type as games
from oddville_env.core.game.game_type import game_type, known_games
from oddville_env.core.system.interrupts import listening
from support import forked

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PACKAGES = ("game_package", "agent_package")
Program = Callable[..., str]


def as_if_installed(package: str, site: Path) -> list[str]:
    """Return what PYTHONPATH needs to find a package with its entry points: nothing if it is installed."""
    project = tomllib.loads((EXAMPLES / package / "pyproject.toml").read_text())["project"]
    try:
        distribution(project["name"])
    except PackageNotFoundError:
        info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
        groups = {"console_scripts": project.get("scripts", {}), **project.get("entry-points", {})}
        with (info / "entry_points.txt").open("w") as file:
            for group, points in groups.items():
                print(f"[{group}]", *(f"{name} = {place}" for name, place in points.items()), sep="\n", file=file)
        return [str(EXAMPLES / package / "src")]
    return []


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Runs Python code in a process that finds both packages; what it prints."""
    site = tmp_path_factory.mktemp("site")
    paths = [str(site), *(path for package in PACKAGES for path in as_if_installed(package, site))]

    def run(code: str, *words: str) -> str:
        (site / "code.txt").write_text(f"import sys\nsys.path[:0] = {paths}\n{code}\n")
        done = forked.run(site / "code.txt", *words, folder=site)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


KUHN = "from kuhn_poker import main; main()"


def test_game_of_another_package_passes_pettingzoo_api_test(program: Program) -> None:
    said = program("""
from pettingzoo.test import api_test
from oddville_env.core.game.game_type import game_type, known_games
from oddville_env.envs.aec import GameAECEnv, in_wrappers
assert known_games() == ("oddville", "oldtown", "kuhn")
kuhn = game_type("kuhn")
api_test(in_wrappers(lambda: GameAECEnv(kuhn, kuhn.settings(), encoding="features"))(), num_cycles=50)
""")
    assert "Passed API test" in said


def test_kuhn_poker_pays_correctly_for_all_deals_and_lines(program: Program) -> None:
    program("""
from itertools import permutations
from kuhn_poker.game import Kuhn
paid = {"pass pass": 1, "bet bet": 2, "pass bet bet": 2, "bet pass": (1, -1), "pass bet pass": (-1, 1)}
for cards in permutations(range(3)):
    for line, chips in paid.items():
        better = 1 if cards[0] > cards[1] else -1
        scores = chips if isinstance(chips, tuple) else (chips * better, -chips * better)
        record = {"format": "kuhn-record", "version": 1, "players": 2, "cards": list(cards), "moves": line.split(),
                  "scores": list(scores), "ranks": [1 + (one < 0) for one in scores]}
        game = Kuhn.from_record(record)
        assert game.is_over and game.record() == record, record
""")


def test_game_of_another_package_is_made_by_gymnasium(program: Program) -> None:
    program("""
import gymnasium
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("kuhn_poker:Kuhn-v0", opponents="honest")
check_env(env.unwrapped, skip_render_check=True)
""")


def test_agent_of_another_package_beats_random_in_the_packages_program(program: Program) -> None:
    words = "simulate --agents honest,random --games 400 --seed 1 --out games.jsonl"
    said = program(KUHN, *words.split())
    assert float(re.search(r"honest.*?([\d.]+)%", said)[1]) > 50
    program(KUHN, "verify", "games.jsonl")


def test_agent_of_another_package_is_named_like_a_built_in_one(program: Program) -> None:
    program("""
from oddville_agents import built_in, make_agent
from oddville_env import Game, OldTown
for game, name in ((Game(2, 1), "oddville"), (OldTown(2, 1), "oldtown")):
    assert "thrifty" in built_in(name)
    word = str(game.ask(make_agent("thrifty:likes=play", name)))
    assert word in game.legal_moves, word
""")


def install_entry_point(monkeypatch: pytest.MonkeyPatch, name: str, place: str) -> None:
    monkeypatch.setattr(games, "entry_points", lambda group: [EntryPoint(name, place, group)])


@pytest.mark.parametrize("torn", [b"[oddville_env.games]\nchess = mine:CHESS\n[torn", b"\xff\xfe"])
def test_damaged_entry_points_cause_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, torn: bytes) -> None:
    about = tmp_path / "torn-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: torn\nVersion: 1.0\n")
    (about / "entry_points.txt").write_bytes(torn)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(UserWarning, match=r"entry_points.txt of the package torn cannot be read"):
        assert known_games()[:2] == ("oddville", "oldtown")
    with pytest.warns(UserWarning, match=r"entry_points.txt of the package torn cannot be read"):
        assert "greedy" in built_in("oddville")


@pytest.mark.parametrize(("place", "raised", "sentence"), [
    ("nowhere.to.be:FOUND", "", "the game chess cannot be loaded from nowhere"),
    ("json:loads", "", "json:loads must be a GameType that is named chess"),
    ("oddville_env.oldtown.game_type:OLDTOWN", "", "game_type:OLDTOWN must be a GameType that is named chess"),
    ("exits:GAME", "SystemExit(3)", "the game chess cannot be loaded from exits"),
    ("interrupts:GAME", "KeyboardInterrupt", "the game chess cannot be loaded from interrupts"),
])  # fmt: skip
def test_entry_point_that_is_no_game_is_a_setting_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str, raised: str, sentence: str
) -> None:
    if raised:
        (tmp_path / f"{place.split(':')[0]}.py").write_text(f"raise {raised}")
        monkeypatch.syspath_prepend(tmp_path)
    install_entry_point(monkeypatch, "chess", place)
    assert known_games() == ("oddville", "oldtown", "chess")
    with listening(), pytest.raises(SettingError, match=sentence):
        game_type("chess")


def test_package_cannot_take_the_name_of_a_built_in_game(monkeypatch: pytest.MonkeyPatch) -> None:
    install_entry_point(monkeypatch, "oddville", "json:loads")
    assert (known_games(), game_type("oddville").title) == (("oddville", "oldtown"), "OddVille")
