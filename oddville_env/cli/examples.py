"""Examples for every command's help."""

EXAMPLES = {
    "agents": ("oddville agents", "oddville agents --json -"),
    "analyse": (
        "oddville analyse games.jsonl --move 33",
        "oddville analyse games.jsonl --move 33 --agent search:ms=5000 --out thoughts.svg",
    ),
    "bench": ("oddville bench", "oddville bench --quick", "oddville bench --json figures.json"),
    "benchmark": ("oddville benchmark ./mine.py:Bot", "oddville benchmark greedy --out runs/greedy"),
    "check": ("oddville cards check", "oddville cards check my_box"),
    "copy": ("oddville cards copy my_box",),
    "draw": (
        "oddville draw games.jsonl --out table.svg",
        "oddville draw games.jsonl --index 3 --move 20 --out table.png",
    ),
    "evaluate": (
        "oddville evaluate runs/mine/model.safetensors",
        "oddville evaluate ./mine.py:Bot --against random,greedy --players 3 --games 600",
    ),
    "film": ("oddville film games.jsonl --out game.gif", "oddville film games.jsonl --index 3 --out game.html"),
    "ladder": ("oddville ladder --players 4", "oddville ladder --players 2,3 --blocks 100 --out runs/ladder"),
    "perft": ("oddville perft --depth 5", "oddville perft --depth 3 --players 4 --seed 2"),
    "play": (
        "oddville play",
        "oddville play --seats human,search:ms=500 --port 8000",
        "oddville play --terminal --seats human,greedy,greedy",
    ),
    "replay": ("oddville replay games.jsonl --index 3", "oddville replay games.jsonl --positions"),
    "report": ("oddville report runs/cup",),
    "simulate": (
        "oddville simulate --agents greedy,random --games 100",
        "oddville simulate --agents greedy,search:ms=50 --seed 1 --out games.jsonl --json summary.json",
    ),
    "tables": ("oddville tables actions", "oddville tables features"),
    "tournament": (
        "oddville tournament greedy,random,./mine.py:Bot --out runs/cup",
        "oddville tournament greedy random --players 2,3 --blocks 500 --out runs/cup",
    ),
    "train": (
        "oddville train --folder runs/first --minutes 3 --evaluate",
        "oddville train --folder runs/first --minutes 30 --resume",
    ),
    "verify": ("oddville verify games.jsonl", "oddville verify games.jsonl.gz --json -"),
    "view": ("oddville view games.jsonl",),
    "warm": ("oddville warm",),
    "watch": ("oddville watch", "oddville watch --agents greedy,search:ms=500 --delay 0.5"),
}
"""By the command's name, one line each."""
