"""How exploitable Old Town's champion is, at least: a network that learns to beat it alone, as it looks ahead too.

    python training/benchmarks/best_response.py --folder runs/response

An approximate best response (Timbers et al. 2022) of few games. It begins with the network of `champion`. In each round
the agent that plays by the newest network sits against `champion`, in both seats of equal deals, and the network is
fitted to TD(lambda) of what that seat alone has seen. A round that is over is not played again.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer

from oddville_agents import make_agent
from oddville_agents.agent import Agent
from oddville_agents.oldtown.race import ChampionAgent
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.network import SIZE, network_of, write_network
from oddville_agents.play import play
from oddville_agents.spec import AgentSpec
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.live_game import LiveGame
from oddville_training.oldtown.selfplay.games import ROOM, Noted, note
from oddville_training.oldtown.selfplay.network import Rows, chances, fit, new_network, take_over, tensors_of
from oddville_training.oldtown.selfplay.stages import td_targets
from oddville_training.program import meter, run
from oddville_training.selfplay.fit import FitParams
from oddville_training.tournament.evaluate import evaluate

GAME, RIVAL, PLAYERS = game_type("oldtown"), "champion", 2
TD_LAMBDA = 0.9  # what a target takes from what followed
FIT = FitParams(epochs=2, batch=512, rate=3e-4)
FILE = JsonFormat("oldtown-best-response", 1, "result of a best response", SettingError)


def main(
    folder: Annotated[Path, typer.Option(help="Folder of networks and result, also of an earlier run.")],
    rounds: Annotated[int, typer.Option(min=1, help="Of games and a fit.")] = 3,
    games: Annotated[int, typer.Option(min=2, help="Of each round.")] = 1000,
    evaluation: Annotated[int, typer.Option(min=2, help="Games against `champion` afterwards, on other deals.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Of the deals and fits.")] = 0,
) -> None:
    """Learn to beat `champion`, and tell how often that wins."""
    torch.set_num_threads(1)
    with alone_in(folder, SettingError):
        newest = "learned"
        for number in range(rounds):
            network = folder / f"games-{games}-seed-{seed}-round-{number}.safetensors"
            if not network.exists():
                learn(network, newest, games, [seed, number])
            newest = str(network)
        response = make_agent(AgentSpec("champion", {"network": newest}), "oldtown")
        found = evaluate(response, [RIVAL], evaluation, PLAYERS, seed + 1, game=GAME).against[0]
        won = {"games": found.games, "wins": found.wins, "low": found.low, "high": found.high}
        FILE.write(folder / "result.json", {"network": Path(newest).name, "against": RIVAL} | won)
    typer.echo(f"against {RIVAL}: {found.wins:.1%} ({found.low:.1%} to {found.high:.1%}) of {found.games}")


def learn(out: Path, newest: str, games: int, seed: list[int]) -> None:
    """Play games of a round by a network, a name or a file, and write the network that is fitted to them."""
    noted = play_games(newest, games, seed)
    network = new_network(noted.seen, seed[0])
    take_over(network, network_of(newest))
    targets = td_targets(noted, chances(network, noted.seen), TD_LAMBDA)
    fit(network, Rows(noted.seen, targets, noted.games), FIT, seed[0])
    write_network(out, tensors_of(network), {"rival": RIVAL, "games": games, "seed": seed})


def play_games(network: str, games: int, seed: list[int]) -> Noted:
    """What the seat that plays by a network sees at each decision of its games against the rival."""
    live = LiveGame(GAME, GAME.box(GAME.settings(PLAYERS)))
    agents: list[Agent] = [ChampionAgent(network), make_agent(RIVAL, "oldtown")]
    deals = np.random.default_rng(seed).integers(2**63, size=-(-games // PLAYERS))
    evaluator, parts = make_evaluator(network_of(network))[0], []
    with meter("games") as shown:
        task = shown.add_task("playing", total=len(deals) * PLAYERS)
        for number in range(len(deals) * PLAYERS):
            seat = number % PLAYERS
            deal = int(deals[number // PLAYERS])
            parts.append(play_one(live, agents[::-1] if seat else agents, seat, deal, number, evaluator))
            shown.advance(task)
    return Noted(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def play_one(live: LiveGame, agents: list[Agent], seat: int, deal: int, number: int, evaluator: np.void) -> Noted:
    """What a seat sees in one game, and what it won of it. evaluator: what is seen is written into it first."""
    rows, wins = 0, np.zeros(ROOM, np.float32)
    noted = Noted(np.zeros((ROOM, SIZE), np.float32), np.full(ROOM, seat, np.int8), np.full(ROOM, number), wins)

    def look(live: LiveGame, action: int) -> None:
        nonlocal rows
        if rows < ROOM:
            rows = note(live.box.record[0], live.state, 0, seat, evaluator, noted, rows)

    outcome = play(live, agents, deal, look)
    wins[:] = (outcome.ranks[seat] == 1) / outcome.ranks.count(1)
    return Noted(*(array[:rows] for array in noted))._replace(seen=noted.seen[:rows].astype(np.float16))


if __name__ == "__main__":
    run(main)
