"""The rules of a game by chapter, as the page shows them."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

CHAPTER = re.compile(r"^## ([A-Z])\. (.+)$")
RULE = re.compile(r"^- ([A-Z]\d+) (.+)$")


@lru_cache(maxsize=8)
def chapters(law: Path) -> list[dict[str, Any]]:
    """The numbered rules of a law file, chapter by chapter."""
    found: list[dict[str, Any]] = []
    inside = False
    for line in law.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            head = CHAPTER.match(line)
            inside = head is not None
            if head:
                found.append({"id": head[1], "title": head[2], "rules": []})
        elif inside and (rule := RULE.match(line)):
            found[-1]["rules"].append({"id": rule[1], "text": rule[2]})
        elif inside and line.startswith("  ") and found[-1]["rules"]:
            found[-1]["rules"][-1]["text"] += f" {line.strip()}"
    return found
