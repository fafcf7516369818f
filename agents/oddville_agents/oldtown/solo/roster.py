"""Agents for puzzles: `make_agent("solver", "oldtown.solo")`."""

from oddville_agents.roster import Roster

ROSTER = Roster(
    built_in={
        "solver": "oddville_agents.oldtown.solo.agents:SolverAgent",
        "policy": "oddville_agents.oldtown.solo.agents:PolicyAgent",
    },
    plug_ins="oddville_env.agents.oldtown.solo",
    ladder=("random", "policy", "solver"),
)
