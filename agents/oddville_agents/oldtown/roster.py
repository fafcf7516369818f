"""The agents of Old Town that a spec may name, and where its models and plug-ins are found."""

BUILT_IN: dict[str, str] = {
    "greedy": "oddville_agents.oldtown.greedy.agent:GreedyAgent",
    "search": "oddville_agents.oldtown.search.agent:SearchAgent",
    "champion": "oddville_agents.oldtown.champion.agent:ChampionAgent",
    "heuristic": "oddville_agents.oldtown.heuristic.agent:HeuristicAgent",
}
PLUG_INS = "oddville_env.agents.oldtown"
"""The entry-point group of other packages' agents."""
NETWORKS = "oddville_agents.oldtown.networks:NETWORKS"
"""What trained models are made of."""
LADDER = ("random", "greedy", "heuristic")
"""Specs, the weaker ones first."""
MEASURED_AGAINST = ("random", "greedy", "heuristic")
"""Specs that models are held against where nobody names others."""
TRAINED_AGAINST = (*3 * ("greedy",), "random")
"""Specs that a policy is trained against where nobody names others: dealt out to the environments."""
SELF_PLAY = "oldtown.selfplay.command"
"""The module of `oddville_training` whose `run` learns by playing itself: the value network."""
