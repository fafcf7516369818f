"""Examples for every command's help."""

EXAMPLES = {
    "agents": ("agents", "agents --json -"),
    "analyse": (
        "analyse games.jsonl --move 33",
        "analyse games.jsonl --move 33 --agent search:ms=5000 --out thoughts.svg",
    ),
    "bench": ("bench", "bench --quick", "bench --json figures.json"),
    "benchmark": ("benchmark ./mine.py:Bot", "benchmark greedy --out runs/greedy"),
    "check": ("cards check", "cards check my_cards"),
    "copy": ("cards copy my_cards",),
    "dataset": ("dataset games.jsonl --out games.parquet", "dataset games.jsonl.gz --out games.npz --reward margin"),
    "doctor": ("doctor", "doctor --json -"),
    "draw": ("draw games.jsonl --out table.svg", "draw games.jsonl --index 3 --move 20 --out table.png"),
    "evaluate": (
        "evaluate runs/mine/model.safetensors",
        "evaluate ./mine.py:Bot --against random,greedy --players 3 --games 600",
    ),
    "export": ("export champion --out champion.onnx", "export ./runs/first/model.safetensors --out policy.onnx"),
    "film": ("film games.jsonl --out game.gif", "film games.jsonl --index 3 --out game.html"),
    "imitate": (
        "imitate greedy --games 20000 --out data/greedy --fit",
        "imitate search:sims=200 --games 500 --players 4 --out data/search",
    ),
    "ladder": ("ladder --players 4", "ladder --players 2,3 --blocks 100 --out runs/ladder"),
    "generate": ("puzzles generate --level hard --count 100 --seed 1 --out hard.jsonl",),
    "perft": ("perft --depth 5", "perft --depth 3 --players 4 --seed 2"),
    "play": (
        "play",
        "play --seats human,greedy --port 8000",
        "play --seats human,human --with-help",
        "play --terminal --seats human,greedy,greedy",
    ),
    "play_puzzles": ("puzzles play", "puzzles play --puzzle 7", "puzzles play --level hard --seed 1"),
    "replay": ("replay games.jsonl --index 3", "replay games.jsonl --positions"),
    "print": ("puzzles print --out rulebook.html", "puzzles print hard.jsonl --out hard.html"),
    "report": ("report runs/cup",),
    "selfplay": (
        "selfplay --folder runs/value --evaluate",
        "selfplay --preset champion --folder runs/champion --resume",
    ),
    "simulate": (
        "simulate --agents greedy,random --games 100",
        "simulate --agents greedy,search:ms=50 --seed 1 --out games.jsonl --json summary.json",
    ),
    "solve": ("solve 7", "solve hard.jsonl --index 3 --json proof.json"),
    "tables": ("tables actions", "tables features"),
    "tournament": (
        "tournament greedy,random,./mine.py:Bot --out runs/cup",
        "tournament greedy random --players 2,3 --blocks 500 --out runs/cup",
    ),
    "train": ("train --folder runs/first --minutes 3 --evaluate", "train --folder runs/first --minutes 30 --resume"),
    "verify": ("verify games.jsonl", "verify games.jsonl.gz --json -"),
    "view": ("view games.jsonl",),
    "warm": ("warm",),
    "watch": ("watch", "watch --agents greedy,search:ms=500 --delay 0.5"),
}
"""By the command's name (of two with one name, by its function's), one line each, without the name of the program."""
