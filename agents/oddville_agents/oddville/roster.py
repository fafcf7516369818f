"""The agents of OddVille that a spec may name, and where its models and plug-ins are found."""

BUILT_IN = {
    "greedy": "oddville_agents.oddville.greedy.agent:GreedyAgent",
    "search": "oddville_agents.oddville.search.agent:SearchAgent",
    "champion": "oddville_agents.oddville.champion.agent:ChampionAgent",
}
PLUG_INS = "oddville_env.agents"
"""The entry-point group of other packages' agents."""
NETWORKS = "oddville_agents.oddville.networks:NETWORKS"
"""What trained models are made of."""
LADDER = ("random", "greedy:weights=simple", "greedy", "search:sims=200")
"""Specs, the weaker ones first."""
MEASURED_AGAINST = ("random", "greedy:weights=simple", "greedy")
"""Specs that models are held against where nobody names others."""
TRAINED_AGAINST = ("greedy:weights=simple",)
"""Specs that a policy is trained against where nobody names others: dealt out to the environments."""
SELF_PLAY = "oddville.selfplay.command"
"""The module of `oddville_training` whose `run` learns by playing itself: a learned value."""
