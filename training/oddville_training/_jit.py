"""The decorator of compiled code that trains and judges agents: its cache depends on the sources of all packages."""

from pathlib import Path

import oddville_agents
from oddville_env.core.jit import PACKAGE, kernels_of

kernel = kernels_of(PACKAGE, Path(oddville_agents.__file__).resolve().parent, Path(__file__).resolve().parent)
