"""Questions about positions as a data set for language models, with answers by the engine: what is legal, what a card
does now, who wins if the game ends now.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.checked import check_seed, whole_number
from oddville_env.core.errors import GameError, SettingError, shown
from oddville_env.core.game.game_type import GameType, PromptTexts, Question, game_type
from oddville_env.core.game.prompt import plain_answer, position_text, texts_of
from oddville_env.core.game.view import View
from oddville_env.core.svg.palette import SEAT_NAMES

FORMAT, VERSION = "game-question", 1
MOST_LEGAL, NEAR, FAR = 6, 4, 2
"""Words that a question about legal moves offers; near ones differ from a legal one in the last part."""
FORM = 'End your answer with a line that begins with "Answer:", followed by {}.'
MARK = "answer:"


class Kind(NamedTuple):
    """A kind of questions. ask: makes one, None where the position has none; form: of the answer; single: one word."""

    ask: Any
    form: str
    single: bool = False


def _legal(view: View, texts: PromptTexts, rng: np.random.Generator) -> Question:
    """Which of some words are legal."""
    words = view.game_type.words(view.box.layout)
    legal = [words[action] for action in rng.permutation(view.actions)[:MOST_LEGAL]]
    stems = {word.rpartition(":")[0] for word in legal}
    others = [words[action] for action in rng.permutation(np.flatnonzero(~view.mask))]
    near = [word for word in others if word.rpartition(":")[0] in stems][:NEAR]
    far = [word for word in others if word not in near][:FAR]
    choices = tuple(str(word) for word in rng.permutation([*legal, *near, *far]))
    listed = "\n".join(f"{word}  {texts.meaning(word)}" for word in choices)
    return Question(f"Which of these words are legal now?\n{listed}\n", " ".join(sorted(legal)), choices)


def _winner(view: View, texts: PromptTexts, rng: np.random.Generator) -> Question:
    """Who wins if the game ends now."""
    seats = [f"@{seat}" for seat in texts.winners(view.position())]
    choices = tuple(f"@{seat}" for seat in range(view.players))
    return Question("Which seat wins, or which seats share the win, if the game ends now?", " ".join(seats), choices)


KINDS = {
    "legal": Kind(_legal, "all legal ones of these words, separated by spaces"),
    "card": Kind(lambda view, texts, rng: texts.card(view, rng), "one word or number", single=True),
    "winner": Kind(_winner, "the seats, separated by spaces, as in @0 @1"),
}


def entries(
    game: GameType | str, seed: int, kinds: Sequence[str] = tuple(KINDS), players: int = 2
) -> Iterator[dict[str, Any]]:
    """Returns entries without end, the same ones for the same arguments: question, answer, choices, kind and game.

    The positions are of random games, as the seat to move sees them; the kinds take turns.

    Args:
        game: The game, or its name.
        seed: The seed of the questions.
        kinds: `legal`, `card` and `winner`, or some of them.
        players: The number of players.

    Raises:
        SettingError: For another kind, and for a game without texts for prompts.
    """
    game = game_type(game)
    texts, seed = texts_of(game), check_seed(seed)
    if not kinds or any(kind not in KINDS for kind in kinds):
        raise SettingError(f"the kinds must be some of {', '.join(KINDS)}, not {shown(', '.join(kinds))}")
    whole_number("players", players, game.players[0], game.players[-1])
    return (_entry(game, texts, players, kinds[number % len(kinds)], [seed, number]) for number in count())


def _entry(game: GameType, texts: PromptTexts, players: int, kind: str, seed: list[int]) -> dict[str, Any]:
    rng, question = np.random.default_rng(seed), None
    while question is None:
        view = _position(game, players, rng)
        question = KINDS[kind].ask(view, texts, rng)
    head = f"You are seat @{view.seat} ({SEAT_NAMES[view.seat]}) of {players} in a game of {game.title}."
    asked = f"{question.text}\n{FORM.format(KINDS[kind].form)}\n"
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "kind": kind,
        "question": f"{texts.digest}\n{head}\n\n{position_text(view)}\n{asked}",
        "answer": question.answer,
        "choices": list(question.choices),
    }


def _position(game: GameType, players: int, rng: np.random.Generator) -> View:
    """A position of a random game, which plays each kind of legal moves equally often."""
    played = game.game(players, seed=int(rng.integers(2**63)))
    words = game.words(played.box.layout)
    while not played.is_over:
        heads: dict[str, list[int]] = {}
        for action in np.flatnonzero(played.mask).tolist():
            heads.setdefault(words[action].partition(":")[0], []).append(action)
        same = list(heads.values())[int(rng.integers(len(heads)))]
        played.push(same[int(rng.integers(len(same)))])
    played.take_back(int(rng.integers(len(played.moves))))
    view: View = played.view()
    return view


def score(answer: object, entry: Mapping[str, Any], strict: bool = False) -> float:
    """Returns the intersection of the correct and the given words divided by their union, from 0 to 1.

    Words count behind the last `Answer:`, without it in the last line that has some. Case, markup and `<think>` blocks
    are ignored.

    Args:
        answer: The answer of a model; anything but a text scores 0.
        entry: An entry of the data set.
        strict: Whether an answer scores 0 unless its last line has the form that the question asks for.

    Raises:
        SettingError: It is no entry, or one of a newer version.
    """
    check_entry(entry, FORMAT, VERSION, SettingError)
    if not isinstance(answer, str):
        return 0.0
    right, word = set(entry["answer"].split()), "|".join(map(re.escape, entry["choices"])) or r"-?\d+"
    if strict:
        form = re.fullmatch(rf"Answer: ((?:{word})(?: (?:{word}))*)", (answer.splitlines() or [""])[-1])
        said = set(form[1].split()) if form else set()
    else:
        _, mark, text = plain_answer(answer).rpartition(MARK)
        lines = [found for line in text.splitlines() if (found := re.findall(rf"(?<![\w-])(?:{word})(?![\w:])", line))]
        read = [each for line in (lines if mark else lines[-1:]) for each in line]
        said = set(read[-1:] if KINDS[entry["kind"]].single else read)
    return len(right & said) / len(right | said)


def check_entry(entry: Mapping[str, Any], name: str, version: int, error: type[GameError]) -> None:
    """Raises the error unless an entry of a data set has this format and version."""
    found = entry.get("version")
    if entry.get("format") != name or type(found) is not int or found < 1:
        raise error(f"the entry has the format {shown(entry.get('format'))}, expected {name!r}")
    if found != version:
        raise error(f"the entry has version {found} of {name}, newer than version {version}: update oddville-env")
