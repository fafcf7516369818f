"""The command `dataset`: records in, one data set out."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from oddville_env.core.errors import RecordError, SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import needs_extra
from oddville_env.envs.rewards import make_reward
from oddville_training.dataset.decisions import replayed
from oddville_training.dataset.files import WRITERS


def check_name(out: Path) -> None:
    """Raises SettingError where a data set cannot have this name, or its writer is not installed."""
    if out.suffix not in WRITERS:
        raise SettingError(f"--out must end in {', '.join(WRITERS)}, not {shown(out.name)}")
    with needs_extra(f"{out.suffix} needs", "data"):
        for needed in WRITERS[out.suffix].needs:
            import_module(needed)
    WRITERS[out.suffix].check_name(out)


def write(
    file: Path,
    lines: Iterable[tuple[int, str]],
    out: Path,
    game_type: GameType,
    encoding: str,
    reward: str = "outcome",
    data: Mapping[str, Any] = {},
    watch: Callable[[int], None] = lambda games: None,
) -> tuple[int, int]:
    """Write the decisions of a file's records in the format that the suffix of `out` names.

    Args:
        file: named in errors.
        lines: (line number, JSON) of each record.
        encoding: of the observations.
        reward: as `make_reward` names it.
        data: settings that a record does not hold, such as `cards`.
        watch: called with the number of games so far.

    Returns:
        The numbers of games and of decisions.

    Raises:
        RecordError, SettingError, OSError: nothing is left behind then.
    """
    check_name(out)
    games = decisions = 0
    given = {name: str(value) if isinstance(value, Path) else value for name, value in data.items()}
    with WRITERS[out.suffix](out, game_type, encoding=encoding, reward=reward, **given) as writer:
        for games, game in enumerate(replayed(file, lines, game_type, encoding, make_reward(reward), data), 1):
            writer.add(game)
            decisions += len(game.decisions.action)
            watch(games)
        if not games:
            raise RecordError(f"{file}: there is no record in it")
        writer.finish()
    return games, decisions
