"""What a seat cannot know is in nothing that it sees; both games as a picture, as text, and in parts for pages."""

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from oddville_agents import Agent, BatchAgent
from oddville_env import Game, IllegalMoveError, OldTown, SettingError
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.game.prompt import full_prompt
from oddville_env.core.game.scene import drawings_of
from oddville_env.core.game.view import BatchView, View
from oddville_env.core.svg.palette import SEAT_NAMES
from support.environments import GAMES
from support.games import NAMES, every_encoding, every_game, every_setting, moments
from support.helpers import many_states, random_game, told
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
def test_every_legal_move_touches_spots_of_the_table_as_its_seat_sees_it_and_has_words(make: Any) -> None:
    scene = moments(make)[0].game_type.scene()
    for game in [*moments(make), *many_states(30, 3, seed=2, make=make)]:
        position = game.position(game.to_move)
        spots = spots_of(scene.table(game.box, game.state, position)) | ALWAYS
        paths = [tuple(scene.move(move.word, position)["path"]) for move in game.legal_moves]
        assert all(paths)
        assert set().union(*paths) <= spots
        assert len(set(paths)) == len(paths)
        assert not any(a != b and b[: len(a)] == a for a in paths for b in paths), "a path goes on where one ends"
    game = make(2, 1)
    kinds = [kind.kind for kind in game.game_type.scene().kinds]
    assert kinds == list(dict.fromkeys(word.split(":")[0] for word in game.game_type.words(game.box.layout)))
    assert all(kind.text for kind in game.game_type.scene().kinds)


@every_game
def test_every_drawing_that_a_table_or_an_event_names_can_be_drawn_and_others_are_refused(make: Any) -> None:
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
    game = make(2, 1)
    for name in NO_DRAWINGS[make]:
        with pytest.raises(SettingError, match="no drawing"):
            game.game_type.scene().draw(game.box, name)


NO_DRAWINGS = {
    Game: ["", "building-99", "building-1-9", "building-01", "coin-x", "pawn-7", "star-1", "script"],
    OldTown: ["plan-61", "plan-3-4", "house-castle", "hat-4", "picture", "back-1"],
}


def all_that_is_seen(game: Any, seat: int) -> list[Any]:
    """All that a seat sees of a game: canonical state, position, text, table, observations, moves, prompt and more."""
    kind, state = game.game_type, copied(game.state)
    kind.entries.canonicalize_hidden(game.box.record, state, 0, seat)
    position, shown = game.position(seat), kind.scene()
    seen = [position, state.tobytes(), game.text(seat), shown.table(game.box, game.state, position)]
    for encoding in kind.encodings:
        encoder = kind.make_encoder(game.box, encoding)
        out = np.full(encoder.size, 99, encoder.dtype)  # nothing of what was there may be left
        encoder.write(game.box.record, game.state, 0, seat, out)
        seen.append(out.tobytes())
    if game.to_move != seat:
        return seen
    seen += [game.legal_moves.words(), game.view().state.tobytes(), full_prompt(game.view())]
    return seen + [array.tobytes() for array in game.view().afterstates("summary")]


@pytest.mark.rule("K1")
@every_setting
def test_states_that_a_seat_cannot_tell_apart_give_it_the_same_everywhere(make: Any, settings: dict[str, Any]) -> None:
    rng, differing = np.random.default_rng(1), 0
    for game in many_states(30, seed=1, make=make, **settings):
        before = told(game)
        for seat in range(game.players):
            other = game.sample_unseen(seat, rng)
            differing += other.state.tobytes() != game.state.tobytes()
            assert (other.problems(), all_that_is_seen(other, seat)) == ([], all_that_is_seen(game, seat))
        assert told(game) == before
    assert differing > 20


@every_game
def test_opponents_of_environments_are_handed_only_what_their_seat_may_know(make: Any) -> None:
    """View, BatchView and the games to search in, by the bytes of all states."""
    handed: list[tuple[np.ndarray, int, np.ndarray, np.ndarray]] = []

    class Spy(Agent):
        name = "spy"

        def act(self, view: View) -> int:
            assert view.position() == one.game.position(view.seat)
            handed.append((copied(one.live.state), view.seat, view.state, view.game().state))
            return int(view.actions[0])

        def batch_agent(self, tables: int) -> BatchAgent:
            return SpyOnMany()

    class SpyOnMany(BatchAgent):
        def act(self, view: BatchView, actions: np.ndarray) -> None:
            for place, table in enumerate(view.tables.tolist()):
                truth, single = copied(many.batch.games[table : table + 1]), view.one(place)
                handed.append((truth, single.seat, view.states[place : place + 1], single.game().state))
            actions[view.tables] = view.masks[view.tables].argmax(1)

    one, many = GAMES[NAMES[make]].single(Spy(), 3, seat=0), GAMES[NAMES[make]].seats(4, Spy(), 3)
    for env, steps in ((one, 10), (many, 8)):
        env.reset(seed=5)
        for _ in range(steps):
            env.step(env.action_masks().argmax(-1))
    box, entries = one.live.box, one.live.game_type.entries
    hidden, unlike = "deck" if make is Game else "deal", 0
    for truth, seat, shown, searched in handed:
        states = [copied(state) for state in (truth, shown, searched)]
        for state in states:
            entries.canonicalize_hidden(box.record, state, 0, seat)
        assert shown.tobytes() == states[0].tobytes() == states[1].tobytes() == states[2].tobytes()
        unlike += (searched[0][hidden] != truth[0][hidden]).any()
    assert unlike > len(handed) / 2 > 20


@every_game
def test_pictures_of_states_that_a_seat_cannot_tell_apart_are_alike(make: Any) -> None:
    game = random_game(3, 2, moves=30, make=make)
    for seat in range(3):
        other = game.sample_unseen(seat, np.random.default_rng(seat))
        assert other.svg(view=seat) == game.svg(view=seat)


@every_setting
def test_sample_depends_on_its_generator_alone_and_is_played_and_replayed(make: Any, settings: dict[str, Any]) -> None:
    game = random_game(seed=3, moves=12, make=make, **settings)
    first, second, *others = (game.sample_unseen(0, np.random.default_rng(seed)) for seed in (5, 5, 6, 7, 8))
    assert (told(first), len({sample.state.tobytes() for sample in (first, *others)})) == (told(second), 4)
    for game in many_states(5, seed=50, make=make, **settings):
        sample = game.sample_unseen(0, np.random.default_rng(1))
        assert make.from_record(sample.record()).position() == sample.position()
        while not sample.is_over:
            sample.push(sample.legal_moves.words()[-1])
        assert make.from_record(sample.record()).record() == sample.record()


@every_game
def test_a_samples_moves_cannot_be_taken_back_but_later_ones_can(make: Any) -> None:
    sample = random_game(2, 3, moves=20, make=make).sample_unseen(0, np.random.default_rng(0))
    before = told(sample)
    with pytest.raises(IllegalMoveError):
        sample.pop()
    sample.push(next(iter(sample.legal_moves)))
    sample.pop()
    assert told(sample) == before


@every_game
def test_every_byte_of_a_state_belongs_to_a_field(make: Any) -> None:
    dtype = make(2, 1).state.dtype
    state = np.frombuffer(np.full(dtype.itemsize, 7, np.uint8), dtype)
    assert state.copy().tobytes() == state.tobytes()
    assert sum(dtype[name].itemsize for name in dtype.names) == dtype.itemsize


@every_encoding
def test_one_layout_serves_any_number_of_players_and_holds_its_bounds(make: Any, encoding: str) -> None:
    sizes = set()
    for players in (2, 3, 4):
        for game in many_states(15, players, make=make):
            encoder = game.game_type.make_encoder(game.box, encoding)
            sizes.add(encoder.size)
            for seat in range(players):
                seen = encoder.observation(game.box.record, game.state, 0, seat)
                assert ((encoder.low <= seen) & (seen <= encoder.high)).all()
    assert len(sizes) == 1


@every_encoding
def test_views_are_the_pieces_of_the_vector_in_its_memory(make: Any, encoding: str) -> None:
    game = make(2, 1)
    encoder = game.game_type.make_encoder(game.box, encoding)
    names = [piece.name for piece in encoder.pieces]
    assert len(set(names)) == len(names)
    assert sum(piece.size for piece in encoder.pieces) == encoder.size == encoder.high.size
    assert all(piece.high >= 1 >= piece.low and piece.text for piece in encoder.pieces)
    batch = np.arange(3 * encoder.size).reshape(3, *encoder.shape)
    for vector, lead in ((batch, (3,)), (batch[1], ()), (batch[:, None], (3, 1))):
        views = encoder.views(vector)
        assert list(views) == names
        for piece in encoder.pieces:
            assert views[piece.name].shape == (*lead, *piece.shape)
            assert np.shares_memory(views[piece.name], vector)
        parts = [views[name].reshape(*lead, -1) for name in names]
        assert np.array_equal(np.concatenate(parts, -1), vector.reshape(*lead, -1))
