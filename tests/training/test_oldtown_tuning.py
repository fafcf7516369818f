"""Old Town's weights: fitted by least squares, corrected by neurons, and the puzzles' teacher."""

import numpy as np
import pytest

from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS
from oddville_env.oldtown.settings import make_box
from oddville_training.oldtown.puzzles import START, learn, log_loss, make_lessons
from oddville_training.oldtown.regress import LeastSquares, regress


def test_a_fit_finds_the_weights_that_made_the_leads() -> None:
    rng, fit = np.random.default_rng(1), LeastSquares()
    rows, true = rng.normal(size=(5000, 2, NUMBERS)), rng.normal(size=(2, NUMBERS))
    rows[:, :, 5] = 0.0
    true[:, 5] = 0.0
    fit.add(rows, (rows * true).sum((1, 2)))
    weights = fit.weights()
    assert np.allclose([weights["late"][0], weights["early"][0]], true, atol=0.02)


def test_equal_seeds_give_equal_weights_and_a_lead_counts() -> None:
    box, names = make_box(2), [feature.name for feature in FEATURES]
    one, fit = regress(box, 60, 2, seed=1, progress=False)
    other, _ = regress(box, 60, 2, seed=1, progress=False)
    assert (one == other).all()
    assert fit.positions > 60 * 2 * 20
    assert one["late"][0, names.index("lead")] + one["late"][0, names.index("ahead")] > 0.5


def test_neurons_that_learn_keep_to_the_range_and_play_as_the_record_says() -> None:
    torch = pytest.importorskip("torch")
    from oddville_training.oldtown.neurons import HeuristicNetwork, train

    weights, losses = train(make_box(2), 4, 40, 2, seed=1, progress=False)
    assert len(losses) == 2
    assert losses[-1] < 0.7
    assert weights["neurons"][0] == 4
    rng = np.random.default_rng(2)
    seen, left = rng.normal(size=(50, NUMBERS)), rng.uniform(size=50)
    network = HeuristicNetwork(weights, np.ones(NUMBERS), 4)
    record = weights[0]
    plain = seen @ record["late"] + left * (seen @ record["early"])
    inputs = np.column_stack([seen, left])
    drive = inputs @ record["inner"][:4].T + record["bias"][:4]
    expected = plain + np.maximum(drive, 0) @ record["outer"][:4]
    found = network(torch.tensor(seen).float(), torch.tensor(left).float()).detach().numpy()
    assert np.allclose(found, expected, atol=1e-2)


def test_the_teacher_of_puzzles_gets_better_and_equal_seeds_teach_the_same() -> None:
    lessons, box = make_lessons(12, seed=9), make_box(2).record
    assert all(
        lessons.sets[row, building, lot]
        for row in range(len(lessons.solutions))
        for lot, building in enumerate(lessons.solutions[row])
    )
    weights, loss = learn(lessons, 15, progress=False)
    assert loss < log_loss(box, np.array(START), *lessons)
    again, _ = learn(make_lessons(12, seed=9), 15, progress=False)
    assert (weights == again).all()
