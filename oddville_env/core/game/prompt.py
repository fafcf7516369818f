"""Prompts for language models: the rules in short, a position with its legal moves, and a reader of answers."""

import re
from html import unescape
from typing import NamedTuple
from unicodedata import normalize

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType, PromptTexts, game_type
from oddville_env.core.game.view import View
from oddville_env.core.svg.palette import SEAT_NAMES

LONGEST_PROMPT = 6000  # characters; moves are grouped by kind where a line for each would exceed it
MOST_TRIES = 100  # answers to a decision
LONGEST_ANSWER = 100_000  # characters at the end of an answer that are read
REQUEST = "Answer with one legal word. You may think first: the last legal word of your answer counts. Example: "
THINKING = r"think|thinking|thought|reasoning"
OPENED, CLOSED = re.compile(rf"<(?:{THINKING})>"), re.compile(rf"</(?:{THINKING})>")
TAG, MARKUP = re.compile(r"</?[a-z]+>"), re.compile(r"[*`\\\u200b-\u200f\u2060\ufeff]")  # and signs without width
TOKEN = re.compile(r"(?<![^\W_])[a-z]+(?:[:@>]-?\w+|,-?\d+)*")
"""What may be a word of a game: parts behind `:`, `@` and `>`, and the line of a cell behind a comma."""
HEAD = re.compile("[:@]")


class Answer(NamedTuple):
    """The reading of an answer.

    action: the id of its last legal word, None where there is none; problem: then what is wrong, as a sentence;
    illegal: the problem is a move of the game that is not legal now, otherwise the answer holds no move.
    """

    action: int | None
    problem: str = ""
    illegal: bool = False


def texts_of(game: GameType) -> PromptTexts:
    """Returns the texts of a game's prompts; raises SettingError for a game without them."""
    if game.prompts is None:
        raise SettingError(f"the game {game.name} has no texts for prompts")
    return game.prompts


def rules_digest(game: GameType | str) -> str:
    """Returns the rules of a game in at most 900 words, with the ids of the law.

    Args:
        game: The game, or its name.

    Raises:
        SettingError: There is no such game, or it has no digest.
    """
    return texts_of(game_type(game)).digest


def position_text(view: View) -> str:
    """Returns the text of a position as the seat to move sees it, with the game's notes."""
    return "\n".join(filter(None, (view.text(), texts_of(view.game_type).notes(view))))


def prompt_of(view: View) -> str:
    """Returns the prompt of a decision: seat, position, legal words with their meanings, form of the answer.

    It holds nothing that the seat cannot know, and not the rules: `rules_digest` has those. Raises SettingError for a
    game without texts for prompts.
    """
    texts = texts_of(view.game_type)
    words = sorted(view.word(action) for action in view.actions.tolist())
    head = f"You are seat @{view.seat} ({SEAT_NAMES[view.seat]}) of {view.players} in a game of {view.game_type.title}."
    form = f"{head} It is your decision.\n\n{position_text(view)}\nLegal words:\n{{}}\n\n{REQUEST}{words[0]}\n"
    single = form.format("\n".join(f"{word}  {texts.meaning(word)}" for word in words))
    return single if len(single) < LONGEST_PROMPT else form.format("\n".join(_by_kind(words, texts)))


def full_prompt(view: View, problem: str = "") -> str:
    """Returns all that a model is asked at a decision: rules, prompt, and the problem of its last answer, if any.

    Raises SettingError for a game without texts for prompts.
    """
    asked = f"{rules_digest(view.game_type)}\n{prompt_of(view)}"
    if not problem:
        return asked
    return f"{asked}\nYour last answer was not accepted. {problem} Answer with one of the legal words.\n"


def _by_kind(words: list[str], texts: PromptTexts) -> list[str]:
    """A line for each kind of word, with the meaning of the first one."""
    kinds: dict[str, list[str]] = {}
    for word in words:
        kinds.setdefault(HEAD.split(word)[0], []).append(word)
    return [f"{' '.join(same)}  ({same[0]}: {texts.meaning(same[0])})" for same in kinds.values()]


def read_answer(answer: object, view: View) -> Answer:
    """Returns the move of an answer: its last legal word outside of thinking, in any case, quoted or marked up.

    Args:
        answer: The answer of a model; anything but a text is unreadable.
        view: The position that it answers.
    """
    if not isinstance(answer, str):
        return Answer(None, f"The answer must be a text, not {shown(answer)}.")
    ids = {word: action for action, word in enumerate(view.game_type.words(view.box.layout))}
    found = [ids[word] for token in TOKEN.findall(plain_answer(answer)) if (word := _word(token, ids))]
    legal = [action for action in found if view.mask[action]]
    if legal:
        return Answer(legal[-1])
    if found:
        return Answer(None, f"The move {view.word(found[-1])} is not legal now.", illegal=True)
    return Answer(None, "The answer holds no move of the game." if answer.strip() else "The answer is empty.")


def plain_answer(answer: str) -> str:
    """Returns the end of an answer without thinking and markup, in small letters."""
    text = CLOSED.split(normalize("NFKC", unescape(answer[-LONGEST_ANSWER:])).lower())[-1]
    return MARKUP.sub("", TAG.sub(" ", OPENED.split(text)[0])).replace("\N{MINUS SIGN}", "-")


def _word(token: str, ids: dict[str, int]) -> str | None:
    """The word of a game that a token ends with: `move:done` says `done`."""
    parts = token.strip("_").split(":")
    return next((word for start in range(len(parts)) if (word := ":".join(parts[start:])) in ids), None)
