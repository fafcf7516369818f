"""The parts of a report, and its chapters: findings on one number of players in sentences, tables and pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from oddville_training.report import pictures
from oddville_training.report.findings import Findings
from oddville_training.statistics.intervals import Estimate
from oddville_training.statistics.ratings import PRIOR

NUMBERS = {1: "One", 2: "Two", 3: "Three", 4: "Four"}
SURE = 0.975  # of the resamples: from here on an order counts as sure
FEW = 10  # blocks of a pairing: below that intervals are rough
DASH = "-"  # nothing to tell


@dataclass(frozen=True)
class ReportTable:
    """A table; the first column is text, the others are figures."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    caption: str
    words: bool = False  # all columns are text


@dataclass(frozen=True)
class Picture:
    """A picture: its file's name without the ending, and what one sees in it."""

    title: str
    name: str
    svg: str
    caption: str


@dataclass(frozen=True)
class Chapter:
    """All about one number of players."""

    title: str
    summary: str
    parts: list[ReportTable | Picture]


@dataclass(frozen=True)
class Report:
    """Everything that the templates show; facts: what the run was, name -> value."""

    title: str
    facts: dict[str, str]
    agents: ReportTable | None
    chapters: list[Chapter]


def chapter(findings: Findings) -> Chapter:
    """Put the findings into words."""
    parts: list[Callable[[Findings], ReportTable | Picture]] = [_standing, _ratings]
    if findings.standings.meetings.any():
        parts += [_superiority, _matrix]
    parts += [_course, _sources, _seats, _lengths, _play]
    if len(findings.failures):
        parts.append(_failures)
    players = findings.standings.players
    title = f"{NUMBERS.get(players, players)} player{'s' if players > 1 else ''}"
    return Chapter(title, _summary(findings), [part(findings) for part in parts])


def _summary(findings: Findings) -> str:
    stood = findings.standings
    best = stood.agents[0]
    sentences = [
        f"{best.agent} won most often: {_percent(best.wins)} of its games, where equals win {stood.par:.0%}.",
        f"Games: {stood.games:,}, in blocks of equal deals: {stood.blocks:,}.",
    ]
    worths = [each.worth for each in stood.agents if each.worth]
    if worths:
        sentences.append(
            f"With equal deals one game told as much as {np.median(worths):.2f} games on deals of their own"
            " (the median of the agents)."
        )
    if findings.fewest < FEW:
        sentences.append(f"Some pairings have fewer than {FEW} blocks: the intervals are rough.")
    return " ".join(sentences)


def _standing(findings: Findings) -> ReportTable:
    stood = findings.standings
    elos = {each.agent: each.elo.value for each in findings.ratings.agents}
    rows = [
        (
            each.agent,
            f"{each.games:,}",
            _percent(each.wins),
            f"{each.rank.value:.2f} ({each.rank.low:.2f} to {each.rank.high:.2f})",
            f"{elos[each.agent]:z.0f}",
            f"{score:.1f}",
            _known(each.worth),
        )
        for each, score in zip(stood.agents, findings.agents["score"], strict=True)
    ]
    caption = (
        "Won is the share of the agent's seats that won; an agent at several seats of a game counts at each. In"
        f" brackets 95 % intervals by bootstrap over deals ({stood.resamples:,} resamples). Worth tells how many games"
        " without equal deals one game of the agent stands for."
    )
    return ReportTable("Standing", ("agent", "games", "won", "mean rank", "rating", "points", "worth"), rows, caption)


def _ratings(findings: Findings) -> Picture:
    rated = findings.ratings
    steps = [
        (above, upper.agent, lower.agent)
        for above, upper, lower in zip(np.diag(rated.superiority, 1), rated.agents, rated.agents[1:], strict=False)
        if not np.isnan(above)
    ]
    doubts = [
        f"{upper} is above {lower} in {above:.0%} of the resamples" for above, upper, lower in steps if above < SURE
    ]
    sentences = [f"Elo points with 95 % intervals, by Plackett-Luce with a seat effect; {rated.anchor}."]
    if doubts:
        sentences.append(f"Not every place is certain: {', '.join(doubts)}.")
    elif steps:
        sentences.append(f"Every place is certain: each is above the next in at least {SURE:.1%} of the resamples.")
    svg = pictures.draw_ratings(f"ratings{rated.players}", rated)
    return Picture("Ratings", f"ratings-{rated.players}", svg, " ".join([*sentences, PRIOR, *rated.notes]))


def _superiority(findings: Findings) -> ReportTable:
    rated = findings.ratings
    rows = [
        (each.agent, *(DASH if np.isnan(above) else f"{above:.1%}" for above in row))
        for each, row in zip(rated.agents, rated.superiority, strict=True)
    ]
    head = ("", *(each.agent for each in rated.agents))
    return ReportTable(
        "Who is stronger", head, rows, "How likely the agent of the row is rated above that of the column."
    )


def _matrix(findings: Findings) -> Picture:
    stood = findings.standings
    games = stood.together[stood.meetings > 0]
    caption = (
        "How often, in per cent, the agent of the row finished before that of the column; above half is violet, below"
        f" is orange. Two agents met in {_range(games.min(), games.max())} games."
    )
    return Picture(
        "Who beats whom", f"matrix-{stood.players}", pictures.draw_matrix(f"matrix{stood.players}", stood), caption
    )


def _course(findings: Findings) -> Picture:
    stood, went = findings.standings, findings.history
    shown = len(stood.names[: pictures.MOST_CURVES])
    which = "all agents" if shown == len(stood.names) else f"the first {shown} agents"
    best = stood.names[0]
    early, late = (went.high - went.low)[[0, -1], went.names.index(best)]
    caption = (
        f"The win share of {which} as the blocks came in, with its 95 % band; dashed is par. The band of {best} was"
        f" {early:.1%} wide in the beginning and {late:.1%} in the end."
    )
    svg = pictures.draw_history(f"course{stood.players}", went, stood.names, stood.par)
    return Picture("How the standing came about", f"course-{stood.players}", svg, caption)


def _sources(findings: Findings) -> Picture:
    means, players = findings.agents, findings.standings.players
    most = means.row(int(means["score"].arg_max() or 0), named=True)
    source = max(findings.sources, key=lambda name: most[name], default=None)
    caption = (
        f"Points a game by where they came from, in the order of the standing. {most['agent']} made the most points, "
        f"{most['score']:.1f}{f', of them {most[source]:.1f} with {source}' if source else ''}."
    )
    svg = pictures.draw_sources(f"points{players}", means, findings.sources)
    return Picture("Points", f"points-{players}", svg, caption)


def _seats(findings: Findings) -> Picture:
    stood = findings.standings
    off = [str(seat) for seat, share in enumerate(stood.seats) if not share.low <= stood.par <= share.high]
    verdict = f"seat {' and '.join(off)} lies outside par" if off else "none lies outside par"
    effects = ", ".join(
        f"seat {seat} {_signed(each.value)} ({_signed(each.low)} to {_signed(each.high)})"
        for seat, each in enumerate(findings.ratings.seats)
    )
    caption = (
        f"How often each seat won, with 95 % intervals: {verdict}. Apart from who sat there they are worth, in Elo"
        f" points: {effects}."
    )
    return Picture("Seats", f"seats-{stood.players}", pictures.draw_seats(f"seats{stood.players}", stood), caption)


def _lengths(findings: Findings) -> Picture:
    rounds, players = findings.rounds, findings.standings.players
    early, late = np.percentile(rounds, [25, 75])
    caption = (
        f"How long games were: half of them took {early:.0f} to {late:.0f} rounds, all"
        f" {_range(rounds.min(), rounds.max())}. {findings.truncated:,} were cut off by the limit of rounds."
    )
    return Picture("Length of games", f"lengths-{players}", pictures.draw_lengths(f"lengths{players}", rounds), caption)


def _play(findings: Findings) -> ReportTable:
    rows = [
        (row["agent"], _known(row["ms"]), f"{row['slowest_ms']:.1f}", f"{row['triggers']:.1%}", f"{row['failed']:,}")
        for row in findings.agents.iter_rows(named=True)
    ]
    head = ("agent", "ms a decision", "slowest, ms", "ended the game", "failures")
    caption = "Thinking time, how often the agent's seat ended the game, and games that it lost by a failure."
    return ReportTable("Play", head, rows, caption)


def _failures(findings: Findings) -> ReportTable:
    rows = [(agent, why, f"{games:,}") for agent, why, games in findings.failures.iter_rows()]
    caption = "Why agents failed: such a game is counted as lost in the last rank."
    return ReportTable("Failures", ("agent", "why", "games"), rows, caption, words=True)


def _known(value: float | None) -> str:
    return DASH if value is None else f"{value:.2f}"


def _percent(share: Estimate) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _signed(points: float) -> str:
    """Whole points with their sign, which 0 does not have."""
    return f"{round(points):+d}" if round(points) else "0"


def _range(low: float, high: float) -> str:
    return f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}"
