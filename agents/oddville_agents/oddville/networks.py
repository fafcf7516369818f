"""The policy networks of OddVille."""

from oddville_agents.oddville.policy.graph import policy_graph
from oddville_agents.oddville.policy.network import ProjectNetwork, Sizes
from oddville_agents.policies.networks import Networks
from oddville_agents.policies.torch_network import by_torch
from oddville_env.core.checked.kinds import several, whole
from oddville_env.oddville.observation import encoder_of
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.settings import LONGEST_SIDE


def misfit(layout: Layout) -> str:
    """Return the end of the error for a model of another table."""
    columns, lines, slots = layout
    return f"another table, this one needs a model for {columns} columns, {lines} lines and {slots} slots a resource"


NETWORKS = Networks(
    game="oddville",
    architectures={"projects": by_torch(Sizes, ProjectNetwork, policy_graph)},
    layout_kinds={"table": several(whole(1, LONGEST_SIDE), 2, 2), "slots": whole(1, LONGEST_SIDE)},
    plain_layout=lambda layout: {"table": [layout.columns, layout.lines], "slots": layout.slots},
    layout=lambda plain: Layout(plain["table"][0], plain["table"][1], plain["slots"]),
    encoder_of=encoder_of,
    misfit=misfit,
    score_place=-1,
)
