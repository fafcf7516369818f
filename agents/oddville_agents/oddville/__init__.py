"""OddVille's agents."""

from oddville_agents.roster import AFTERSTATES_BASELINES, Roster

ROSTER = Roster(
    built_in={
        "greedy": "oddville_agents.oddville.greedy:GreedyAgent",
        "casual": "oddville_agents.oddville.greedy:OddVilleCasualAgent",
        "search": "oddville_agents.oddville.search.agent:SearchAgent",
        "champion": "oddville_agents.oddville.champion:ChampionAgent",
    },
    baselines={
        **AFTERSTATES_BASELINES,
        "selfplay-5": ("oddville_agents.oddville.champion:ChampionAgent", {"reply": False}),
        "selfplay-20": ("oddville_agents.oddville.champion:ChampionAgent", {"reply": False}),
    },
    networks="oddville_agents.oddville.networks:NETWORKS",
    ladder=("random", "greedy:weights=simple", "greedy", "search:sims=200"),
    measured_against=("random", "greedy:weights=simple", "greedy"),
    levels=("casual:temperature=0.12", "casual:temperature=0.02", "greedy", "champion", "search:ms=1000"),
    trained_against=("greedy:weights=simple",),
    self_play="oddville.selfplay.stages",
)
