"""The report of a tournament: from a run's folder to tables, ratings and pictures, as a page and as files."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from oddville_env.core.disk.files import write_whole
from oddville_env.core.disk.reading import read_json
from oddville_env.core.errors import shown
from oddville_env.core.game.game_type import game_type, known_games
from oddville_env.core.system.progress import console_if
from oddville_training.report.chapter import Picture, Report, ReportTable, chapter
from oddville_training.report.findings import Findings, figures, find, pairs
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament.manifest import MANIFEST
from oddville_training.tournament.results import read_results

LONGEST = 500  # characters of a text of the manifest
FACTS = {  # of the manifest, as a reader calls them
    "seed": "seed",
    "blocks": "blocks of each pairing, at most",
    "formats": "formats",
    "challenger": "challenger",
    "sprt": "sequential test, Elo points",
    "verdict": "verdict",
    "package": "package",
    "cards": "cards",
    "deck": "deck",
    "layout": "layout",
    "machine": "machine",
    "wall_seconds": "seconds",
}


def make_report(folder: Path | str, progress: bool = True) -> Path:
    """Write `report.html`, `report.md`, `pictures/`, `ratings.json` and `pairwise.csv`, and return the page's path.

    folder: of a tournament, with `results.parquet` and, if it is there, `manifest.json`; progress: show it, on stderr.
    Equal results give equal files. Raises ResultsError.
    """
    folder = Path(folder)
    manifest, rows, findings = _manifest(folder / MANIFEST), read_results(folder), []
    if rows.is_empty():
        raise ResultsError(f"{folder} holds no game yet: a report needs a finished block")
    with console_if(progress).status("the report") as status:
        for (players,), games in rows.sort("players", "block", "game", "seat").group_by("players", maintain_order=True):
            status.update(f"the report on games of {players}")
            findings.append(find(games))
        chapters = [chapter(each) for each in findings]
        facts = {caption: _shown(manifest[key]) for key, caption in FACTS.items() if manifest.get(key) is not None}
        report = Report(_title(manifest), facts, _agents(manifest), chapters)
    _write(folder, report, findings)
    return folder / "report.html"


def _write(folder: Path, report: Report, findings: list[Findings]) -> None:
    for part in (part for each in report.chapters for part in each.parts):
        if isinstance(part, Picture):
            write_whole(folder / "pictures" / f"{part.name}.svg", part.svg)
    rated = {"format": "oddville-ratings", "version": 1, "players": [figures(each) for each in findings]}
    write_whole(folder / "ratings.json", json.dumps(rated, indent=1, ensure_ascii=False) + "\n")
    paired = pl.concat([pairs(each) for each in findings], how="vertical_relaxed")
    # Texts that a spreadsheet would take for a formula begin with an apostrophe, which it takes for text.
    plain = paired.with_columns(pl.col(pl.String).str.replace(r"^([=+@\t\r-])", "'$1"))
    write_whole(folder / "pairwise.csv", plain.write_csv())
    write_whole(folder / "report.md", _page("report.md.jinja", report))
    write_whole(folder / "report.html", _page("report.html.jinja", report))


def _page(template: str, report: Report) -> str:
    """A report by a template; in HTML everything is escaped but the pictures, in Markdown what the filter `md` gets."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape="html" in template,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"md": _markdown, "svg": Markup}
    environment.tests["table"] = lambda part: isinstance(part, ReportTable)
    return environment.get_template(template).render(report=report)


def _markdown(text: str) -> str:
    """A text that Markdown shows as it is, in a table too."""
    text = re.sub(r"([\\`*_\[\]#~])", r"\\\1", " ".join(text.split()))
    return re.sub(r"[&<>|$]", lambda letter: f"&#{ord(letter[0])};", text)


def _manifest(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    manifest = read_json(path, "the manifest of a tournament", ResultsError)
    if not isinstance(manifest, dict):
        raise ResultsError(f"{path} is no manifest of a tournament, expected an object")
    return manifest


def _title(manifest: Mapping[str, Any]) -> str:
    name = manifest.get("game", "")
    return f"An {game_type(name).title} tournament" if name in known_games() else "A tournament"


def _agents(manifest: Mapping[str, Any]) -> ReportTable | None:
    """The agents, where the manifest names them."""
    listed = manifest.get("agents")
    agents = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    if not agents:
        return None
    head = ("name", "spec", "version")
    rows = [tuple(_shown(each.get(key)) for key in head) for each in agents]
    return ReportTable("Agents", head, rows, "The agents, as the run knew them.", words=True)


def _shown(value: Any) -> str:
    """A value of a manifest as text: a list or an object of plain values, one behind the other."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_plain(key)} {_plain(each)}" for key, each in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else _plain(value)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode()
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return f"{value:,.1f}" if isinstance(value, float) else shown(value)
