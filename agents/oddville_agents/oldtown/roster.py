"""The agents of Old Town that a spec may name, and where its models and plug-ins are found."""

BUILT_IN: dict[str, str] = {}
PLUG_INS = "oddville_env.agents.oldtown"
"""The entry-point group of other packages' agents."""
MODEL_LOADER = ""
"""(path, options) -> the agent of a trained model; there are none yet."""
LADDER = ("random",)
"""Specs, the weaker ones first."""
MEASURED_AGAINST = ("random",)
"""Specs that models are held against where nobody names others."""
