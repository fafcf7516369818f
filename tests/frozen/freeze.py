"""Store today's facts, all of them or those of the names given: `PYTHONPATH=tests python -m frozen.freeze [NAME ...]`.

A fact is stored anew only where a version changes it on purpose, which CHANGELOG.md then says.
"""

import json
import os
import sys
import tempfile

from frozen.ask import DATA
from frozen.facts import FACTS


def main(names: list[str]) -> None:
    path = DATA / "facts.json"
    facts = json.loads(path.read_text()) if path.exists() else {}
    for name in names or FACTS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            facts[name] = json.loads(json.dumps(FACTS[name]()))
        print(name, flush=True)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(facts[name])}" for name in FACTS)
    path.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
