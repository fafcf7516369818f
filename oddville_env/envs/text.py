"""Any game as a Gymnasium environment of texts: observations are prompts, actions the answers of a language model."""

from typing import Any

from gymnasium import spaces

from oddville_env.core.checked import whole_number
from oddville_env.core.game.game_type import NOBODY, GameType, game_type
from oddville_env.core.game.prompt import LONGEST_ANSWER, MOST_TRIES, Answer, full_prompt, read_answer, texts_of
from oddville_env.envs.arguments import Opponents, RewardKeywords
from oddville_env.envs.potentials import Potential
from oddville_env.envs.rewards import Reward
from oddville_env.envs.single import LearningSeatEnv

RANGES = ((0x20, 0x180), (0x2010, 0x2028), (0x2500, 0x2580))
LETTERS = "\n" + "".join(chr(code) for first, end in RANGES for code in range(first, end))
"""Latin letters, signs and the lines of tables: spaces name them, but an answer may hold any others."""


class TextEnv(LearningSeatEnv[str, str]):
    """`gymnasium.make("OddVilleText-v0", opponents="greedy")`: one learning seat that reads and writes text.

    An observation is what `TextAgent` asks a model: rules, position, legal words. An action is an answer: its last
    legal word is played. After an answer without one the same decision is asked again with the reason, which
    `info["problem"]` holds too (empty otherwise); `info["illegal"]` is True if the answer held another move of the
    game. The last of `tries` such answers loses the game. At the end the observation is the position, and the info
    holds `scores` and `ranks` by seat, and `seat`.

    Args:
        game: The game, or its name.
        opponents: An agent for all other seats, or one for each, clockwise from the learning seat.
        tries: The number of answers to a decision.
        seat: The learning seat; None draws one for each game.
        reward: `outcome`, `rank`, `margin` or a function of (scores, ranks), paid at the end.
        potential: `margin`, `win_chance`, in OddVille `expected_margin`, or a function of `Positions`, paid as it
            changes; None for none.
        discount: The learner's discount, by which a potential is paid.
        render_mode: `ansi`, `rgb_array`, `human` or None.
        settings: Settings of the game, such as `players`.

    Raises:
        SettingError: For a wrong argument.
        AgentError: For a wrong opponent.
    """

    def __init__(
        self,
        game: GameType | str,
        opponents: Opponents = "random",
        *,
        tries: int = 3,
        seat: int | None = None,
        reward: str | Reward = "outcome",
        potential: str | Potential | None = None,
        discount: float = 1.0,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        played = game_type(game)
        texts_of(played)
        checked = played.settings(**settings)
        paid = RewardKeywords(reward=reward, potential=potential, discount=discount)
        super().__init__(played, checked, opponents, played.encodings[0], seat=seat, render_mode=render_mode, **paid)
        self._tries = whole_number("tries", tries, 1, MOST_TRIES)
        self._left, self._answer = self._tries, Answer(None)

    def _spaces(self) -> tuple[spaces.Text, spaces.Text]:
        answers = spaces.Text(LONGEST_ANSWER, min_length=0, charset=LETTERS)
        return spaces.Text(20_000, charset=LETTERS), answers  # room for the rules and a prompt

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Deal a game and ask for the learning seat's first move, as other environments of one learning seat do."""
        self._left, self._answer = self._tries, Answer(None)
        return super().reset(seed=seed, options=options)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the last legal word of an answer, then the opponents' moves; without one, ask again or lose.

        Raises:
            AgentFaultError: For an opponent's error or illegal move.
        """
        self._guard.check()
        self._answer = read_answer(action, self.live.view())
        if self._answer.action is not None:
            self._left = self._tries
            return self._play(self._answer.action)
        self._left -= 1
        return (self._observation(), 0.0, False, False, self._info()) if self._left else self._lose()

    def _observation(self) -> str:
        if self.live.to_move == NOBODY:
            position = self.live.game_type.position(self.live.box, self.live.state, 0, self.seat)
            return self.live.game_type.draw_text(position, self.live.box)
        return full_prompt(self.live.view(), self._answer.problem)

    def _info(self) -> dict[str, Any]:
        return super()._info() | {"problem": self._answer.problem, "illegal": self._answer.illegal}
