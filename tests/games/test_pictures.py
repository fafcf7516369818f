"""Both games as a picture, as plain text, and in parts for pages."""

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

import pytest

from oddville_env import Game, OldTown
from oddville_env.core.errors import SettingError
from oddville_env.core.game.scene import drawings_of
from oddville_env.core.svg.palette import SEAT_NAMES
from support.games import NAMES, every_game, every_setting, moments
from support.helpers import many_states
from support.pictures import SVG, texts, words

PLAIN = {f"{SVG}{name}" for name in ("svg", "g", "title", "rect", "circle", "path", "text", "tspan")}


@every_game
def test_a_picture_is_well_formed_and_self_contained_and_depends_on_the_position_alone(make: Any) -> None:
    assert {game.phase for game in moments(make)} == set(type(moments(make)[0].phase))
    for game in moments(make):
        svg, kind = game.svg(), game.game_type
        root = ElementTree.fromstring(svg)
        assert (root.tag, root.get("version")) == (f"{SVG}svg", "1.1")
        assert {node.tag for node in root.iter()} <= PLAIN
        assert not any(key.endswith(("href", "style", "class")) for node in root.iter() for key in node.attrib)
        again = json.loads(json.dumps(game.position()))
        assert kind.draw(again, game.box) == svg
        assert kind.draw_text(again, game.box) == game.text() == str(game)
    assert moments(make)[0]._repr_svg_() == moments(make)[0].svg()


@every_game
def test_a_picture_says_who_is_to_move_the_scores_and_how_it_ended(make: Any) -> None:
    describe = import_module(f"oddville_env.{NAMES[make]}.describe")
    for game in moments(make):
        position, written = game.position(), words(game.svg())
        assert describe.headline(position) in written
        assert describe.prompt(position) in written
        assert all(name in written for name in SEAT_NAMES[: game.players])
        if game.is_over:
            best = [SEAT_NAMES[seat] for seat, rank in enumerate(game.outcome.ranks) if rank == 1]
            assert describe.headline(position).startswith(" and ".join(best))
            assert (game.outcome.end or "") in written
        else:
            assert describe.headline(position).startswith(SEAT_NAMES[game.to_move])


@every_setting
def test_pictures_of_a_film_are_equally_large_and_show_what_others_show(make: Any, settings: dict[str, Any]) -> None:
    sizes = set()
    for game in many_states(12, seed=1, make=make, **settings):
        fixed = game.game_type.draw(game.position(), game.box, fixed=True)
        root = ElementTree.fromstring(fixed)
        sizes.add((root.get("width"), root.get("height")))
        assert texts(fixed) == texts(game.svg())
    assert len(sizes) == 1
    assert all(int(pixels) % 2 == 0 for pixels in sizes.pop())


@every_game
def test_the_text_has_at_most_100_columns_and_takes_no_more_of_a_terminal_than_there_is(make: Any) -> None:
    for game in moments(make):
        told = [line for line in game.text().splitlines() if "and my building" not in line]
        assert max(map(len, told)) <= 100
        assert "\x1b" not in game.text()
        shown = game.game_type.draw_text(game.position(), game.box, (60, 30)).splitlines()
        assert len(shown) <= 30
        assert max(map(len, shown)) <= 60
        assert game.game_type.draw_text(game.position(), game.box, (200, 200)) == game.text()


def spots_of(value: Any) -> set[str]:
    """All spots that a table names, and the cells that the page shows."""
    if isinstance(value, Mapping):
        own = {value["spot"]} if "spot" in value else set()
        if "window" in value:
            (left, right), (top, bottom) = value["window"]["columns"], value["window"]["lines"]
            own |= {f"cell:{x},{y}" for x in range(left, right + 1) for y in range(top, bottom + 1)}
        return own.union(*map(spots_of, value.values()))
    return set().union(*map(spots_of, value)) if isinstance(value, list) else set()


ALWAYS = {"pass", "character:traveller", "character:cheater"}


@every_game
def test_every_legal_move_touches_spots_of_the_table_as_its_seat_sees_it(make: Any) -> None:
    scene = moments(make)[0].game_type.scene()
    for game in [*moments(make), *many_states(30, 3, seed=2, make=make)]:
        position = game.position(game.to_move)
        spots = spots_of(scene.table(game.box, game.state, position)) | ALWAYS
        paths = [tuple(scene.move(move.word, position)["path"]) for move in game.legal_moves]
        assert all(paths)
        assert set().union(*paths) <= spots
        assert len(set(paths)) == len(paths)
        assert not any(a != b and b[: len(a)] == a for a in paths for b in paths), "a path goes on where one ends"


@every_game
def test_every_drawing_that_a_table_or_an_event_names_can_be_drawn(make: Any) -> None:
    scene, named = moments(make)[0].game_type.scene(), set()
    for game in many_states(15, 4, seed=2, make=make):
        before = game.position()
        named |= drawings_of(scene.table(game.box, game.state, before))
        for word in game.legal_moves.words()[:2]:
            after = game.copy()
            after.push(word)
            named |= drawings_of(scene.events(before, after.position(), word))
    for name in named:
        drawing = scene.draw(game.box, name)
        ElementTree.fromstring(f"<svg>{drawing.svg}</svg>")
        assert drawing.text


NO_DRAWINGS = {
    Game: ["", "building-99", "building-1-9", "building-01", "coin-x", "pawn-7", "star-1", "script"],
    OldTown: ["plan-61", "plan-3-4", "house-castle", "hat-4", "picture", "back-1"],
}


@every_game
def test_a_drawing_that_does_not_exist_is_refused(make: Any) -> None:
    game = make(2, 1)
    for name in NO_DRAWINGS[make]:
        with pytest.raises(SettingError, match="no drawing"):
            game.game_type.scene().draw(game.box, name)


@every_game
def test_every_kind_of_move_has_words(make: Any) -> None:
    game = make(2, 1)
    kinds = [kind.kind for kind in game.game_type.scene().kinds]
    assert kinds == list(dict.fromkeys(word.split(":")[0] for word in game.game_type.words(game.box.layout)))
    assert all(kind.text for kind in game.game_type.scene().kinds)
