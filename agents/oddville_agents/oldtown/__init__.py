"""Old Town's agents."""

from oddville_agents.roster import AFTERSTATES_BASELINES, Roster

ROSTER = Roster(
    built_in={
        "greedy": "oddville_agents.oldtown.greedy:GreedyAgent",
        "casual": "oddville_agents.oldtown.heuristic.choice:OldTownCasualAgent",
        "search": "oddville_agents.oldtown.race:SearchAgent",
        "champion": "oddville_agents.oldtown.race:ChampionAgent",
        "heuristic": "oddville_agents.oldtown.heuristic.choice:HeuristicAgent",
    },
    baselines={
        **AFTERSTATES_BASELINES,
        "selfplay-5": ("oddville_agents.oldtown.race:ChampionAgent", {"turns": 4}),
        "selfplay-20": ("oddville_agents.oldtown.race:ChampionAgent", {}),
    },
    networks="oddville_agents.oldtown.networks:NETWORKS",
    ladder=("random", "greedy", "heuristic"),
    measured_against=("random", "greedy", "heuristic"),
    levels=("casual:temperature=4", "casual:temperature=1.5", "heuristic", "champion", "search:ms=1000"),
    trained_against=(*3 * ("greedy",), "random"),
    self_play="oldtown.selfplay.stages",
)
