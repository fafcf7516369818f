"""The page's files: texts, modules and their tools, colours and shapes, no way out, the bundle of releases."""

import gzip
import json
import re
import runpy
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from oddville_env.core.game.game_type import game_type, known_games
from oddville_env.core.svg import palette as shared
from oddville_env.oddville.cards import Bonus, Character, Counts, Resource, Suit
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.scoring import SOURCES
from oddville_env.oddville.rules.state import Phase
from oddville_env.oddville.svg import symbols
from oddville_env.oddville.svg.symbols import RESOURCE_COLOURS, SUIT_COLOURS
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.deduction.sentences import Sight
from oddville_env.oldtown.rules.clues import Verdict
from oddville_env.oldtown.rules.state import SOURCES as TOWN_SOURCES
from oddville_env.oldtown.rules.state import Phase as TownPhase
from oddville_env.oldtown.scene import SCENE as TOWN_SCENE
from oddville_env.oldtown.solo.generator import LEVELS
from oddville_env.web.info import page_index
from oddville_env.web.messages import page_types
from oddville_env.web.messages.protocol import MESSAGES
from oddville_env.web.messages.sent import SENT
from support.page.live import Tab, serving

STATIC = Path(__file__).parents[2] / "oddville_env" / "web" / "static"
TOOLS = Path(__file__).with_name("page")
MODULES = sorted(STATIC.rglob("*.js"))
LANGUAGES = ("en", "de", "nl")
IMPORT = re.compile(r'(?:^import|\bfrom) "(\.[^"]+)"', re.MULTILINE)
MOST_LINES = 350
MOST_BYTES = 100_000  # of all that a browser is sent for all games together, packed as it is sent
OPTIONAL = {"gain", "notice", "few", "keys", "openPuzzle", "puzzleLesson"}
"""What a page of a game may leave out."""
NEWEST_THAT_LACKS = (20, 18)  # the last Node that does not know modules by what stands in them
SHELL = ("base", "table", "beside", "around", "")  # its folders from the ground up
SECONDS = 300
DRAWN = {
    "seats of OddVille": ("oddville", [f"pawn-{seat}" for seat in range(4)]),
    "seats of Old Town": ("oldtown", [f"hat-{seat}" for seat in range(4)]),
    "guilds": ("oddville", [f"suit-{suit.word}" for suit in SUIT_COLOURS]),
    "resources": ("oddville", [f"resource-{resource.word}" for resource in RESOURCE_COLOURS]),
    "bonuses": (
        "oddville",
        [f"bonus-{word}" for word in ("wood", "clay", "stone", "crystal", "any", "coin", "double")],
    ),
    "tokens": ("oldtown", [f"token-{building.key}" for building in base_deck().buildings]),
    "houses": ("oldtown", [f"house-{building.key}" for building in base_deck().buildings]),
}
"""Things that are told apart by their drawings: the game, the drawings' names."""
PLACE = re.compile(r"\{(\w+)")


def texts(language: str) -> dict[str, str]:
    """All texts of a language: key -> words."""
    pairs: list[tuple[str, str]] = []
    for file in sorted(STATIC.rglob(f"texts/{language}.json")):
        pairs += json.loads(file.read_text(), object_pairs_hook=list)
    found = dict(pairs)
    assert len(found) == len(pairs), "a key stands twice in the texts"
    return found


def source() -> str:
    return "\n".join(file.read_text() for file in MODULES)


def test_every_language_has_every_text_with_its_placeholders() -> None:
    english = texts("en")
    for language in LANGUAGES:
        assert list(texts(language)) == list(english), language
        assert all(texts(language).values()), language
    assert {file.stem for file in STATIC.rglob("texts/*.json")} == set(LANGUAGES)
    places = [{key: set(PLACE.findall(words)) for key, words in texts(language).items()} for language in LANGUAGES]
    assert all(other == places[0] for other in places[1:])


def test_texts_are_those_that_are_used_and_every_refusal_of_the_server_has_one() -> None:
    """Keys that are put together (`bonus_${bonus}`) count by their beginning."""
    assert set(re.findall(r'\bt\("(\w+)"', source())) - texts("en").keys() == set()
    whole = set(re.findall(r'"(\w+)"', source()))
    starts = tuple(set(re.findall(r"`(\w+_)\$\{", source())))
    assert {key for key in texts("en") if key not in whole and not key.startswith(starts)} == set()
    # by `why` where a code has several sentences; `forbidden` and `too_large` are of no request of the page
    sources = [file.read_text() for file in (STATIC.parent).rglob("*.py")]
    refused = re.compile(r'RefusalError\(\s*"(\w+)", (?:f?"(?:[^"\\]|\\.)*"|[\w.()]+)(?:, "(\w+)")?')
    found = {why or code for text in sources for code, why in refused.findall(text)}
    assert len(found) > 20
    wanted = {f"error_{why}" for why in found - {"too_large", "not_found", "forbidden"}}
    assert wanted - texts("en").keys() == set()


def test_words_of_both_games_have_texts() -> None:
    found = texts("en")
    wanted = {f"resource_{resource.word}" for resource in Resource} | {f"suit_{suit.word}" for suit in Suit}
    wanted |= {f"bonus_{bonus.word}" for bonus in Bonus} | {f"counts_{counts.word}" for counts in Counts}
    wanted |= {f"{what}_{character.word}" for what in ("character", "power") for character in Character}
    wanted |= {f"power_{character.word}_long" for character in Character}
    wanted |= {f"source_{name}" for name in (*SOURCES, *TOWN_SOURCES)}
    wanted |= {f"move_{kind.name.lower()}" for kind in Kind} | {f"prompt_{phase.word}" for phase in Phase}
    wanted |= {f"town_prompt_{phase.word}" for phase in TownPhase}
    wanted |= {f"verdict_{verdict.word}" for verdict in Verdict if verdict != Verdict.SILENT}
    wanted |= {f"why_{sight}" for sight in Sight} | {f"level_{level}" for level in LEVELS}
    wanted |= {f"town_move_{kind}" for kind, *_ in TOWN_SCENE.kinds if kind != "draw"}
    assert wanted - found.keys() == set()
    deck = base_deck()
    for building in deck.buildings:
        assert found[f"building_{building.key}"] == building.name
    for card in deck.cards:
        if card.pairs:
            assert found[f"relation_{re.sub('[^a-z0-9]+', '_', card.text.lower())}"] == card.text


def test_page_uses_the_colours_of_the_drawings_and_dashes_the_edge_of_touched_things() -> None:
    written = dict(re.findall(r"--([\w-]+): (#\w+);", (STATIC / "style" / "palette.css").read_text()))
    assert written
    for name, colour in written.items():
        key = name.upper().replace("-", "_")
        assert colour == getattr(symbols, key, getattr(shared, key, None)), name
    styles = " ".join(sheet.read_text() for sheet in (STATIC / "style").glob("*.css"))
    for chosen in (".cell.chosen rect", ".token.chosen .token-row", "circle.field.chosen"):
        (rule,) = re.findall(re.escape(chosen) + r" \{([^}]*)\}", styles)
        assert "stroke-dasharray" in rule, chosen


def test_module_is_short_and_says_what_it_does_and_the_shell_names_no_game() -> None:
    for module in MODULES:
        text = module.read_text()
        assert text.count("\n") <= MOST_LINES, module
        assert text.startswith("/**"), module
    for module in (STATIC / "shell").rglob("*.js"):
        games = "|".join(known_games())
        assert not re.search(rf"\b({games})/|\"({games})\"", module.read_text()), module.name


def test_every_game_with_a_scene_has_a_page_with_all_fields() -> None:
    pages = [STATIC / name for name in known_games() if game_type(name).scene]
    assert len(pages) > 1
    shell = "\n".join(file.read_text() for file in (STATIC / "shell").rglob("*.js"))
    asked = set(re.findall(r"(?<!/)\bgame\.(\w+)\b(?!\?)", shell)) - {"id"} - OPTIONAL
    for page in pages:
        said = re.findall(r"^export (?:const|function) (\w+)", (page / "sentences.js").read_text(), re.MULTILINE)
        assert asked <= {*re.findall(r"^  (\w+)[:,]", (page / "game.js").read_text(), re.MULTILINE), *said}, page


@pytest.mark.parametrize("group", DRAWN)
def test_coloured_things_differ_in_shape_or_letter_too(group: str) -> None:
    game, names = DRAWN[group]
    kind = game_type(game)
    scene, box = kind.scene(), kind.box(kind.settings(4))
    drawn = {name: re.sub(r"#[0-9A-Fa-f]{6}", "", scene.draw(box, name).svg) for name in names}
    assert {(one, other) for one, other in combinations(drawn, 2) if drawn[one] == drawn[other]} == set()


def test_page_makes_no_markup_of_text_and_requests_only_its_own_server() -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", source())
    pages = [*STATIC.rglob("*.html"), *STATIC.rglob("*.css"), *STATIC.rglob("*.svg"), *MODULES]
    addresses = {found for page in pages for found in re.findall(r"(?:https?:)?//[\w.-]+\.\w+", page.read_text())}
    assert addresses <= {"http://www.w3.org"}


@pytest.mark.parametrize("name", known_games())
def test_index_names_every_module_of_the_shell_and_of_the_game(name: str) -> None:
    named = re.findall(r'modulepreload" href="static/([^"]+)"', page_index([game_type(name)]))
    folders = ("shell", "plain", name)
    wanted = [str(module.relative_to(STATIC)) for module in MODULES if module.relative_to(STATIC).parts[0] in folders]
    assert sorted(named) == sorted(wanted)


def said(*command: str) -> str:
    """What a command says; it fails the test where it does not end well."""
    ran = subprocess.run(command, cwd=TOOLS, capture_output=True, text=True, timeout=SECONDS)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    return ran.stdout


def tool(name: str) -> str:
    """A tool of package.json, where it is installed."""
    path = TOOLS / "node_modules" / ".bin" / name
    if not path.exists() or shutil.which("node") is None:
        pytest.skip(f"no {name}: `npm --prefix tests/web/page install` gives the page's tools to these tests")
    return str(path)


def test_modules_are_formatted_and_linted() -> None:
    said(tool("biome"), "check", "--config-path=.", str(STATIC), str(TOOLS))


def test_modules_match_the_types_of_the_protocol() -> None:
    said(tool("tsc"), "--project", ".")


def test_modules_pass_their_node_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node: the page's modules are tested in browsers alone")
    version = tuple(map(int, re.findall(r"\d+", said(node, "--version"))))
    if version[:2] <= NEWEST_THAT_LACKS:
        pytest.skip("this Node is too old for the page's modules: 20.19 is the oldest")
    assert re.search(r"^# pass [1-9]", said(node, "--test"), re.MULTILINE)


def test_printed_types_are_those_of_the_schemas() -> None:
    told = "run `python -m oddville_env.web.messages.page_types`"
    assert page_types.FILE.read_text() == page_types.printed(), told
    assert [kind for kind in (*MESSAGES, *SENT) if f'type: "{kind}"' not in page_types.printed()] == []


def test_folders_of_the_shell_import_downward() -> None:
    arrows = set()
    for module in (STATIC / "shell").rglob("*.js"):
        here = module.relative_to(STATIC / "shell").as_posix()
        for path in IMPORT.findall(module.read_text()):
            arrows.add((dirname(here), dirname(normpath(join(dirname(here), path)))))
    arrows -= {(here, there) for here, there in arrows if there.startswith("texts")}
    assert arrows
    assert all(SHELL.index(there) <= SHELL.index(here) for here, there in arrows)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as a wheel holds it."""
    esbuild, static = tool("esbuild"), tmp_path_factory.mktemp("bundled") / "static"
    shutil.copytree(STATIC, static)
    runpy.run_path(str(STATIC.parents[2] / "setup.py"))["bundle"](static, esbuild)
    return static


def test_bundled_page_is_light_and_has_one_script_and_one_style(bundled: Path) -> None:
    sent = [bundled / name for name in ("index.html", "page.css", "page.js", "icon.svg")]
    assert sum(len(gzip.compress(file.read_bytes())) for file in sent) < MOST_BYTES
    assert re.findall(r'(?:src|href)="static/([^"]+)"', sent[0].read_text()) == ["icon.svg", "page.css", "page.js"]
    assert {file.name for file in bundled.rglob("*") if file.suffix in (".js", ".css")} == {"page.js", "page.css"}
    assert not re.search(r"\bimport\b", sent[2].read_text())


def test_bundled_page_shows_a_table(bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tab: Tab) -> None:
    for module in ("app", "info"):
        monkeypatch.setattr(f"oddville_env.web.{module}.FOLDER", bundled)
    for live in serving(tmp_path, *known_games()):
        for game in known_games():
            made, visitor = live.make("human", "human", game=game), tab(fresh=True)
            visitor.enter(live.address, made, made["keys"]["host"]).page.locator("[data-spot]").first.wait_for()
