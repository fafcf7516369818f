"""The agents for puzzles that a spec may name: `make_agent("solver", "oldtown.solo")`."""

BUILT_IN: dict[str, str] = {
    "solver": "oddville_agents.oldtown.solo.solver:SolverAgent",
    "policy": "oddville_agents.oldtown.solo.policy:PolicyAgent",
}
PLUG_INS = "oddville_env.agents.oldtown.solo"
"""The entry-point group of other packages' agents."""
NETWORKS = ""
LADDER = ("random", "policy", "solver")
MEASURED_AGAINST = ("random",)
TRAINED_AGAINST = ("random",)
SELF_PLAY = ""
