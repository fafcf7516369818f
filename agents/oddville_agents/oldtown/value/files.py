"""Old Town's value networks as files."""

from pathlib import Path

from oddville_agents.networks.value_files import ValueFiles
from oddville_agents.oldtown.value.layout import DIGEST
from oddville_agents.oldtown.value.network import HIDDEN, LAST, TENSORS

LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FILES = ValueFiles("oldtown-value", DIGEST, {f"{HIDDEN}-{LAST}": TENSORS}, LEARNED)
read_network, write_network, network_of = FILES.read, FILES.write, FILES.named
