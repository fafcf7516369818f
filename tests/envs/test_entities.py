"""The encoding `entities`: rows [T, D] in every environment, with the numbers of the flat encodings."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_env.core.parts.pieces import PRESENT, SEAT, Piece, encoder_of
from oddville_env.oddville.observation import FORMS
from oddville_env.oddville.observation import entities as of_oddville
from oddville_env.oldtown.observation import entities as of_oldtown
from oddville_env.oldtown.rules.state import TOKENS
from support.environments import GAMES, every_game

SHAPES = {"oddville": (113, 52), "oldtown": (99, 75)}


@every_game
def test_every_environment_shows_rows_within_its_space(name: str) -> None:
    sb3 = pytest.importorskip("oddville_env.envs.sb3", reason="the environment needs the extra train")
    aec, single, seats, all_seats = GAMES[name]
    bare, one, many = (make(encoding="entities") for make in (aec.raw_env, single, lambda **how: seats(5, **how)))
    every, shape = all_seats(5, encoding="entities"), SHAPES[name]
    bare.reset(seed=1)
    for _ in range(3):
        bare.step(int(bare.infos[bare.agent_selection]["action_mask"].argmax()))
        space, seen = bare.observation_space("player_0")["observation"], bare.observe("player_1")["observation"]
        assert (space.shape, space.contains(seen)) == (shape, True)
    assert one.observation_space.shape == shape
    assert one.observation_space.contains(one.reset(seed=1)[0])
    assert many.observation_space.contains(many.reset(seed=1)[0])
    shown, _ = every.reset(1)
    assert every.single_observation_space.shape == shown.shape[1:] == shape
    assert all(map(every.single_observation_space.contains, shown))
    starts, ids, after = every.afterstates()
    assert after.shape == (len(ids), *shape)
    for table in range(5):
        view = every.batch.view(np.array([table])).one(0)
        assert np.array_equal(view.observation("entities"), shown[table])
        assert np.array_equal(view.afterstates("entities")[1], after[starts[table] : starts[table + 1]])
    learner = sb3.SeatVecEnv(many)
    assert (learner.observation_space.shape, learner.reset().shape) == (shape, (5, *shape))


def positions(name: str, players: int, steps: int, tables: int = 64) -> Iterator[tuple[Any, Any, np.ndarray]]:
    """An environment of random games before each of so many steps, what its seats to move see, by kinds of rows."""
    env = GAMES[name].all_seats(tables, players=players, encoding="entities")
    sampler, (shown, _) = env.sampler(players), env.reset(players)
    for _ in range(steps):
        yield env, env.encoder.views(shown), shown
        shown, *_ = env.step(sampler.sample(env.batch))


@every_game
@pytest.mark.parametrize("players", [2, 4])
def test_rows_hold_the_numbers_of_the_flat_encodings(name: str, players: int) -> None:
    """Rows without a thing are zero; of the others those that the encoding `features` has as well."""
    check = {"oddville": check_oddville, "oldtown": check_oldtown}[name]
    for env, rows, shown in positions(name, players, steps=40):
        assert not shown[shown[..., PRESENT] == 0].any()
        flat = env.batch.view(np.arange(env.num_envs)).observations("features")
        check(rows, env.batch.game_type.make_encoder(env.batch.box, "features").views(flat))


def check_oddville(rows: Any, flat: Any) -> None:
    def numbers(kind: str, first: int, size: int) -> np.ndarray:
        units = np.array(of_oddville.ENTITIES[list(of_oddville.KINDS).index(kind)].unit)
        found: np.ndarray = (rows[kind] * units).round()[..., first : first + size]
        return found

    first, seats, many = of_oddville.NUMBERS, slice(SEAT, SEAT + 4), len(flat["row"])
    for kind in ("row", "held"):
        cards = flat[kind].reshape(many, -1, of_oddville.DESCRIBED + 1)
        assert np.array_equal(rows[kind][..., PRESENT], cards[..., 0])
        assert np.array_equal(numbers(kind, first, of_oddville.DESCRIBED), cards[..., 1:])
    assert np.array_equal(rows["city"][..., PRESENT].sum(1), flat["clock"][:, 3])
    values = numbers("city", first + of_oddville.DESCRIBED, 1)
    assert np.array_equal(values.sum((1, 2)), flat["city"][..., -1].sum((1, 2), dtype=int))
    assert np.array_equal(rows["city"][..., seats].sum(1), flat["city"][..., -5:-1].sum((1, 2)))
    assert np.array_equal(numbers("seats", first + 4, 5), flat["seats"])
    assert np.array_equal(numbers("seats", first + 9, 8), np.concatenate([flat["hand"], flat["stock"]], -1))
    assert np.array_equal(numbers("resources", first + 4, 1)[..., 0], flat["take_price"])
    slots = numbers("resources", first + 5, 16).reshape(many, 4, 4, 4)
    assert np.array_equal(slots[:, :, [*range(flat["slots"].shape[2] - 1), 3]], flat["slots"])
    assert np.array_equal(numbers("resources", first + 21, 4), flat["square"])
    assert np.array_equal(rows["characters"][..., seats].swapaxes(1, 2), flat["characters"])
    assert np.array_equal(numbers("characters", first + 17, 1)[..., 0], flat["tops"])
    assert np.array_equal(numbers("workers", first, 4), flat["takes"])
    assert np.array_equal(rows["workers"][..., seats].swapaxes(1, 2), flat["hand"])
    free = flat["sides"].any(-1) & ~flat["city"].any(-1)
    free[:, 0, flat["city"].shape[2] // 2] = False  # the square, a card without numbers
    sides = numbers("cells", first, 8)
    assert np.array_equal(sides.sum(1), (flat["sides"] * free[..., None]).sum((1, 2)))


def check_oldtown(rows: Any, flat: Any) -> None:
    first, seats, lots = of_oldtown.NUMBERS, slice(SEAT, SEAT + 4), slice(of_oldtown.LOT, of_oldtown.LOT + 16)
    cards, buildings = rows["cards"][..., first:], rows["buildings"]
    assert np.array_equal(cards[..., 3], flat["hand"])
    assert np.array_equal(cards[..., 4], flat["played"])
    assert np.array_equal(cards[..., 5], flat["shown"])
    for hand, clues, row in zip(flat["hand"], flat["clues"], rows["cards"], strict=True):
        held = row[np.flatnonzero(hand)][:20]
        own = np.concatenate([held[:, first : first + 3], held[:, of_oldtown.BUILDING : first]], 1)
        assert np.array_equal(own, clues[: len(own)])
    assert np.array_equal(buildings[..., lots], flat["tokens"] | flat["standing"])
    places = np.stack([flat["supply"], flat["unknown"]], 1)
    assert np.array_equal(buildings[..., first : first + 2].swapaxes(1, 2), places)
    assert np.array_equal(buildings[..., first + 3] * TOKENS, flat["tokens"].sum(-1))
    assert np.array_equal(buildings[..., seats].swapaxes(1, 2), flat["mine"])
    assert np.array_equal((rows["lots"][..., first] * 3).round(), flat["tokens"].sum(1))
    assert np.array_equal(rows["lots"][..., first + 1], flat["standing"].sum(1))


def shuffle_held(game: Any, box: Any, rng: np.random.Generator) -> np.ndarray:
    order, held = rng.permutation(game["holding"][game["to_move"]]), game["held"][game["to_move"]]
    held[: len(order)] = held[order]
    return order


def shuffle_city(game: Any, box: Any, rng: np.random.Generator) -> np.ndarray:
    order = np.concatenate([[0], 1 + rng.permutation(game["city_size"] - 1)])  # the square is the first entry
    for name in ("city_card", "city_cell", "city_owner", "value"):
        game[name][: len(order)] = game[name][order]
    game["ground"][game["city_cell"][: len(order)]] = np.arange(len(order))
    return order


def shuffle_cells(game: Any, box: Any, rng: np.random.Generator) -> np.ndarray:
    order = rng.permutation(game["frontier_size"])
    game["frontier"][: len(order)] = game["frontier"][order]
    return order


def shuffle_buildings(game: Any, box: Any, rng: np.random.Generator) -> np.ndarray:
    order = rng.permutation(18)
    for name in ("sets", "supply"):
        game[name] = game[name][order]
    mine = game["mine"]
    mine[mine >= 0] = np.argsort(order)[mine[mine >= 0]]
    return order


Shuffle = Callable[[Any, Any, np.random.Generator], np.ndarray]
"""(game, box, generator) -> the order in which the things of a kind lie now."""


@pytest.mark.parametrize(("name", "kind", "shuffle", "own"), [
    ("oddville", "held", shuffle_held, ()),
    ("oddville", "city", shuffle_city, ()),
    ("oddville", "cells", shuffle_cells, ()),
    ("oldtown", "buildings", shuffle_buildings, slice(of_oldtown.BUILDING, of_oldtown.LOT)),
], ids=lambda each: each if isinstance(each, str) else "")  # fmt: skip
def test_things_in_another_order_change_their_rows_alone(name: str, kind: str, shuffle: Shuffle, own: Any) -> None:
    """own: columns that tell the place. Cards of Old Town name buildings: what the board says of them may change."""
    rng, moved = np.random.default_rng(1), 0
    for env, rows, shown in positions(name, 3, steps=100):
        box, games = env.batch.box, env.batch.games.copy()
        expected = {each: part.copy() for each, part in rows.items()}
        for game, part in zip(games, expected[kind], strict=True):
            order, fixed = shuffle(game, box, rng), part[:, own].copy()
            part[: len(order)] = part[order]
            part[:, own] = fixed
            moved += bool((order != np.arange(len(order))).any())
        out = np.empty((len(games), env.encoder.size), np.float32)
        memory = np.zeros(len(games), env.encoder.loops.memory)
        env.encoder.loops.observe(box.record, games, env.batch.seats, memory, out, 0, len(games))
        for each, part in env.encoder.views(out.reshape(shown.shape)).items():
            judged = part.shape[-1] if (kind, each) != ("buildings", "cards") else of_oldtown.JUDGEMENTS
            assert np.array_equal(part[..., :judged], expected[each][..., :judged]), each
    assert moved > 1000


@pytest.mark.parametrize("shape", [(3, 51), (52,), (2, 2, 52), ()])
def test_piece_that_is_no_rows_of_the_width_is_refused_in_a_sentence(shape: tuple[int, ...]) -> None:
    pieces = (*of_oddville.ENTITIES, Piece("more", shape, 1, ""))
    forms = {"mine": FORMS["entities"]._replace(pieces=lambda layout: pieces)}
    with pytest.raises(SettingError) as refused:
        encoder_of(forms, "mine", GAMES["oddville"].all_seats(1).batch.box.layout)
    assert str(refused.value) == f"encoding 'mine': piece 'more' must be rows [T, 52], not of shape {shape}"
