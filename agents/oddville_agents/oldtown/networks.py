"""The policy networks of Old Town. torch is imported only for learning."""

from oddville_agents.oldtown.policy_model import Sizes, graph_of, play, shapes_of
from oddville_agents.policies.models import Architecture, Networks
from oddville_env.core.checked import several, text, whole
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oldtown.cards.words import BUILDINGS, C_CARDS
from oddville_env.oldtown.observation import encoder_of
from oddville_env.oldtown.rules.actions import Layout


def _network(encoder: Encoder, sizes: Sizes) -> object:
    from oddville_agents.oldtown.policy import BuildingsNetwork

    return BuildingsNetwork(encoder, sizes)


NETWORKS = Networks(
    game="oldtown",
    architectures={"buildings": Architecture(Sizes, shapes_of, _network, play, graph_of)},
    layout_kinds={
        "keys": several(text(), BUILDINGS, BUILDINGS),
        "named": several(whole(0, BUILDINGS - 1), C_CARDS, C_CARDS),
    },
    plain_layout=lambda layout: {"keys": list(layout.keys), "named": list(layout.named)},
    layout=lambda plain: Layout(tuple(plain["keys"]), tuple(plain["named"])),
    encoder_of=encoder_of,
    misfit=lambda layout: f"another deck, this one needs a model with the layout_digest {layout.digest}",
    score_index=0,
)
