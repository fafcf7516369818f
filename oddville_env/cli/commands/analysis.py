"""`analyse`: a recorded decision, all moves of recorded games, or two agents on their positions."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.table import Table
from rich.text import Text

from oddville_env.cli import options
from oddville_env.cli.commands.records import check_picture, game_of, write_picture
from oddville_env.cli.options import NONE, Settings, option, typed
from oddville_env.cli.output import is_standard_output, out_file, terminal, write_json
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError, SettingError, located, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import find_agents, needs_extra

ANALYST, JUDGE = "search:ms=1000", "search:sims=1000"
TABLES = (".parquet", ".csv")
MODES = {
    "move": {"index", "agent", "seed", "out", "json"},
    "judge": {"agent", "seed", "out", "resume"},
    "compare": {"agent", "seed", "out", "json"},
}
"""What is asked, and the options that go with it."""
ROW = {
    **dict.fromkeys(("game", "move"), "Int64"),
    **{"agent": "String", "seat": "Int64", "word": "String", "best": "String"},
    **dict.fromkeys(("before", "after", "loss", "standard_error"), "Float64"),
    "judge": "String",
}
"""The columns of a judge's table, and the types that polars has for them."""
COMPARED = {
    **dict.fromkeys(("game", "move", "seat"), "Int64"),
    **dict.fromkeys(("word", "one", "other"), "String"),
    **dict.fromkeys(("cost", "other_cost"), "Float64"),
}
"""The columns of a table of positions where two agents choose different moves."""
LISTED = 5  # of these positions, on the screen
USUAL = f"{ANALYST} for one decision, else {JUDGE}"

Number = Annotated[int | None, option("Analyse one decision: its number, from 1, as `replay` shows it.", "--move")]
Judge = Annotated[bool, option("Judge all moves of all games: a row for each in --out.", "--judge")]
Compare = Annotated[
    str | None, option("Count how often this agent and --agent choose the same move, and list the other moves.")
]
Agent = Annotated[str | None, option("Analysing agent, e.g. search:ms=5000 or search:sims=20000.", default=USUAL)]
Out = Annotated[
    Path | None, options.out_option("Picture of the best moves (.svg, .png; - prints SVG), or table (.parquet, .csv).")
]
Resume = Annotated[bool, option("Judge only games that --out lacks.", "--resume")]


def analyse(
    context: typer.Context,
    game_type: GameType,
    file: options.File,
    move: Number = None,
    index: options.Index = 0,
    judge: Judge = False,
    compare: Compare = None,
    agent: Agent = None,
    seed: Annotated[int, option("Seed of the agent.")] = 0,
    out: Out = None,
    resume: Resume = False,
    json_out: options.JsonOut = None,
    data: Settings = NONE,
) -> None:
    """Analyse a recorded decision (--move), judge all moves (--judge), or compare two agents (--compare)."""
    names = dict.fromkeys(("move", "index", "judge", "compare", "agent", "seed", "out", "resume", "json"))
    _check_mode(typed(context, names, {"json": "json_out"}))
    asked = Analysed(game_type, file, agent or (JUDGE if move is None else ANALYST), seed, json_out, data)
    if move is not None:
        asked.decision(move, index, out)
    elif compare is not None:
        asked.compare(compare, out)
    else:
        asked.judge(out, resume)


def _check_mode(given: Iterable[str]) -> None:
    """Raises SettingError for options that exclude each other, or where none says what is asked."""
    modes = [mode for mode in MODES if mode in given]
    if len(modes) != 1:
        found = " and ".join(f"--{mode}" for mode in modes) or "none"
        raise SettingError(f"expected one of --{', --'.join(MODES)}, not {found}")
    for name in given:
        if name not in MODES[modes[0]] | {*modes}:
            allowed = ", --".join(sorted(MODES[modes[0]]))
            raise SettingError(f"--{name} cannot be combined with --{modes[0]}, expected some of --{allowed}")


class Analysed(NamedTuple):
    """A file of records, and the agent that thinks about them."""

    game_type: GameType
    file: Path
    agent: str
    seed: int
    json_out: Path | None
    data: Settings

    def decision(self, move: int, index: int, out: Path | None) -> None:
        """Analyse one decision."""
        if out is not None:
            check_picture(out)
        analysis = find_agents("play")
        game = game_of(self.game_type, self.file, index, self.data)
        moves = len(game.moves)
        if not 1 <= move <= moves:
            raise RecordError(f"{self.file}: the game has {moves} moves, --move must be from 1 to that, not {move}")
        while len(game.moves) >= move:
            played = game.pop()
        with terminal(err=True).status("thinking"):
            found = analysis.analyse(game, self.agent, self.seed, played.word)
        title = f"move {move}, seat {found.seat} to move: {found.iterations:,} iterations in {found.seconds:.2f} s"
        terminal(out, self.json_out).print(analysis.table(found, title))
        if out is not None:
            write_picture(out, analysis.picture(found, game))
        write_json(self.json_out, found.as_json())

    def compare(self, other: str, out: Path | None) -> None:
        """Count how often two agents choose the same move, where there are several, and list the other positions."""
        polars = None if out is None else _polars("--compare", out)[0]
        choices = find_agents("judge").choices

        games = list(self._of_games(lambda _, game, text: choices(game, self.agent, other, self.seed), {}))
        rows = [(number, choice) for number, game in enumerate(games) for choice in game]
        found = sorted((row for row in rows if row[1].one != row[1].other), key=lambda row: -row[1].difference)
        differing = [{"game": number, **choice._asdict()} for number, choice in found]
        same = len(rows) - len(differing)
        share = same / max(len(rows), 1)
        within = 1.96 * sqrt(share * (1 - share) / max(len(rows), 1))
        sentence = f"{self.agent} and {other} choose the same move in {share:.1%} ± {within:.1%}"
        heard = is_standard_output(self.json_out)
        typer.echo(f"{sentence} of {len(rows):,} decisions of {len(games):,} games", err=heard)
        if differing:
            terminal(self.json_out).print(_differences(differing[:LISTED], self.agent, other))
        if out is not None:
            _write_table(polars, differing, COMPARED, out)
        write_json(self.json_out, {"agents": [self.agent, other], "decisions": len(rows), "same": same})

    def judge(self, out: Path | None, resume: bool) -> None:
        """Write what a judge says of every move; games that were judged before Ctrl-C or an error are kept."""
        polars, out = _polars("--judge", out)
        rows = self._kept(polars, out) if resume and out.exists() else []
        begun, done = len(rows), defaultdict[int, list[str]](list)
        for row in rows:
            done[row["game"]].append(row["word"])
        try:
            for game in self._of_games(self._rows, done):
                rows += game
        finally:
            if len(rows) > begun:
                _write_table(polars, rows, ROW, out)
                _print_sums(rows, out)
        if rows and len(rows) == begun:
            _print_sums(rows, out, ", and none of them is new")

    def _of_games(self, look: Callable[..., Iterator[Any]], done: Mapping[int, list[str]]) -> Iterator[list[Any]]:
        """All that `look(number, game, line)` yields of each game that is not done; Ctrl-C ends the games.

        done: the moves of games by their numbers. Raises SettingError where a game has other moves.
        """
        number, looked = -1, 0
        try:
            with terminal(err=True).status("reading") as status:
                for number, (line, text) in enumerate(numbered_lines(self.file, RecordError)):
                    with located(f"{self.file}, line {line}", RecordError):
                        game = self.game_type.game.from_record(text, **self.data)
                    if number in done:
                        if [move.word for move in game.moves] != done[number]:
                            raise SettingError(f"--resume: the table has other moves of game {number} than {self.file}")
                        continue
                    found, moves = [], len(game.moves)
                    for each in look(number, game, text):
                        found.append(each)
                        status.update(f"game {number}, decision {len(found)} of {moves}")
                    yield found
                    looked += 1
        except KeyboardInterrupt:
            typer.echo(f"interrupted after {looked} games", err=True)
        if number < 0:
            raise RecordError(f"{self.file}: there is no record in it")

    def _rows(self, number: int, game: Any, text: str) -> Iterator[dict[str, Any]]:
        agents = json.loads(text).get("agents")
        seated = agents if isinstance(agents, list) and len(agents) == game.players else [None] * game.players
        for move, verdict in enumerate(find_agents("judge").verdicts(game, self.agent, self.seed), 1):
            player = seated[verdict.seat]
            found = {"agent": None if player is None else str(player), **verdict._asdict(), "judge": self._judge}
            yield {"game": number, "move": move, **found}

    @property
    def _judge(self) -> str:
        return f"{self.agent}, seed {self.seed}"

    def _kept(self, polars: Any, out: Path) -> list[dict[str, Any]]:
        """The rows that a file has. Raises SettingError where they cannot be read, or are another judge's."""
        kinds = _kinds(polars, ROW)
        try:
            frame = polars.read_csv(out) if out.suffix == ".csv" else polars.read_parquet(out)
            frame = frame.select(*kinds).cast(kinds)
        except (polars.exceptions.PolarsError, OSError) as error:
            reason = str(error).partition("\n")[0]
            raise SettingError(f"--resume: {out} cannot be continued ({reason})") from None
        judges = sorted(map(str, set(frame["judge"])))
        if judges and judges != [self._judge]:
            raise SettingError(f"--resume: {out} is by the judge {shown(', '.join(judges))}, not by {self._judge}")
        return list(frame.to_dicts())


def _polars(mode: str, out: Path | None) -> tuple[Any, Path]:
    """The library that writes tables, and the file. Raises SettingError where there is none, or no such extra."""
    if out is None or out.suffix not in TABLES:
        found = shown(out.name) if out else "none"
        raise SettingError(f"{mode} needs an --out that ends in {' or '.join(TABLES)}, not {found}")
    with needs_extra(f"{mode} needs", "data"):
        import polars
    return polars, out


def _kinds(polars: Any, columns: Mapping[str, str]) -> dict[str, Any]:
    return {name: getattr(polars, kind) for name, kind in columns.items()}


def _write_table(polars: Any, rows: Sequence[dict[str, Any]], columns: Mapping[str, str], out: Path) -> None:
    frame = polars.DataFrame(rows, schema=_kinds(polars, columns))
    with out_file(out, "wb") as table:
        (frame.write_csv if out.suffix == ".csv" else frame.write_parquet)(table)


def _differences(rows: Iterable[Mapping[str, Any]], one: str, other: str) -> Table:
    """Positions where two agents choose different moves, and what each choice costs as the other agent sees it."""
    table = Table("game", "move", "seat")
    for agent in (one, other):
        table.add_column(Text(agent), overflow="fold")
        table.add_column("cost", justify="right")
    for row in rows:
        place = (str(row[name]) for name in ("game", "move", "seat"))
        costs = ("-" if cost is None else f"{cost:.1%}" for cost in (row["other_cost"], row["cost"]))
        table.add_row(*place, row["one"], next(costs), row["other"], next(costs))
    return table


def _print_sums(rows: Sequence[dict[str, Any]], out: Path, new: str = "") -> None:
    terminal().print(_sums(rows))
    typer.echo(f"{len(rows)} moves of {len({row['game'] for row in rows})} games are in {out}{new}")


def _sums(rows: Iterable[dict[str, Any]]) -> Table:
    """The mean loss of each agent, or of each seat where the records name no agents, and how often the judge agreed."""
    table = Table("player", "moves", "judge's own choice", "mean loss")
    players: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        players.setdefault(row["agent"] or f"seat {row['seat']}", []).append(row)
    for name, own in players.items():
        losses = [row["loss"] for row in own if row["loss"] is not None]
        agreed = sum(row["word"] == row["best"] for row in own) / len(own)
        table.add_row(name, f"{len(own):,}", f"{agreed:.1%}", f"{sum(losses) / max(len(losses), 1):.2%}")
    return table
