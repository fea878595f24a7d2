"""Tests of what models of other libraries need: features, predictions of model files, policies that know their games, and positions."""

import itertools

import numpy as np
import pytest

import mineflow


def test_the_features_of_a_position_worked_out_by_hand(places):
    """1 # / # #, with one mine: each of the three covered cells is a mine with probability 1/3."""
    rows, cells = mineflow.features(places[None], 1, "classifier-v2")
    assert cells.tolist() == [[0, 1], [0, 2], [0, 3]] and rows.dtype == np.float32
    # width, height, mines, row, col, probability, boundary_size, argmin_cell; the location score follows.
    np.testing.assert_allclose(rows[1, :8], [2, 2, 1, 1, 0, 1 / 3, 3, 1], rtol=1e-6)
    rows, cells = mineflow.features(np.stack([places, places]), 1, "value-v1")
    assert cells.tolist() == [[0, -1], [1, -1]] and rows.shape == (2, 25)
    # certain, unknown, mines_left, density, covered_share, ln_layouts, least
    np.testing.assert_allclose(rows[0, :7], [0, 3, 1, 1 / 3, 3 / 4, np.log(3), 1 / 3], rtol=1e-6)
    assert mineflow.features(places[None], 1, "guess-v2")[0].shape == (3, 95)
    # Without a model, alpha is 1 and the score of a cell is its probability; -1 is an open cell, -2 off the board.
    rows, _ = mineflow.features(places[None], 1, "q-v2")
    np.testing.assert_allclose(rows[2], [-1, 1 / 3, -2, 1 / 3, 1 / 3, -2, -2, -2, -2], rtol=1e-6)
    with pytest.raises(ValueError, match="set: `q-v1` is none of classifier-v2"):
        mineflow.features(places[None], 1, "q-v1")
    with pytest.raises(ValueError, match=r"views\[0\]: .*contradicts itself"):
        mineflow.features(np.array([[[8, 8], [-1, -1]]], np.int8), 1, "classifier-v2")


def highest(scores, cells, count):
    """Returns the cell with the highest score of each view."""
    best = np.full(count, -np.inf)
    chosen = np.zeros(count, np.int64)
    for score, (view, cell) in zip(scores, cells, strict=True):
        if score > best[view]:
            best[view], chosen[view] = score, cell
    return chosen


def trained(positions, fit):
    """Trains a classifier on the rows of positions, in which the safe cells are drawn by their probabilities."""
    rows, _ = mineflow.features(positions, 10, "classifier-v2")
    return fit(rows, np.random.default_rng(1).random(len(rows)) >= rows[:, 5]), rows


@pytest.mark.parametrize("objective", ["binary", "regression"])
def test_lightgbm_predicts_the_same_here(positions, objective, tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    few = {"objective": objective, "num_leaves": 15, "num_threads": 1, "verbose": -1}
    booster, rows = trained(positions, lambda rows, safe: lightgbm.train(few, lightgbm.Dataset(rows, safe), 40))
    file = tmp_path / "trees.txt"
    booster.save_model(file)
    np.testing.assert_allclose(mineflow.predict(file, rows)[:, 0], booster.predict(rows), atol=1e-6, rtol=0)
    with pytest.raises(ValueError, match="3 columns, the model reads 9"):
        mineflow.predict(file, rows[:, :3])
    if objective == "binary":
        wins = mineflow.evaluate(f"5.0:model={file}", games=200, luck_corrected=False)
        assert wins.player == "5.0 (trees.txt)" and wins.wins > 100


def test_a_model_of_scikit_learn_plays(positions):
    """The ten lines of the guide."""
    ensemble = pytest.importorskip("sklearn.ensemble")
    model, _ = trained(positions, lambda rows, safe: ensemble.HistGradientBoostingClassifier().fit(rows, safe))

    def policy(views):
        rows, cells = mineflow.features(views, 10, "classifier-v2")
        return highest(model.predict_proba(rows)[:, 1], cells, len(views))

    assert mineflow.evaluate(policy, games=50).wins > 20


class Remembers(mineflow.Policy):
    """Plays as 7.0 does, and notes what it is told."""

    def __init__(self):
        self.begun, self.told, self.moves = [], set(), 0

    def new_games(self, games, mines, first_click):
        self.begun += games.tolist()
        self.told.add((mines, first_click))

    def act(self, views, games):
        assert set(games.tolist()) <= set(self.begun) and len(views) == len(games)
        self.moves += len(views)
        return mineflow.Player("7.0").act(views, 3)


def test_a_policy_is_told_of_each_game_once():
    policy = Remembers()
    result = mineflow.evaluate(policy, "5x5/3", first_click="opening", games=40, batch=8)
    assert policy.begun == list(range(40)) and policy.told == {(3, "opening")} and result.player == "Remembers"
    mineflow.evaluate(policy, "5x5/3", games=3)
    assert policy.begun[40:] == [0, 1, 2] and (3, "safe") in policy.told

    class Raises(mineflow.Policy):
        def act(self, views, games):
            raise KeyError("no model")

    with pytest.raises(KeyError, match="no model"):
        mineflow.evaluate(Raises(), games=1)


def test_positions_are_the_guesses_of_games_with_exact_labels():
    batches = list(itertools.islice(mineflow.positions("9x9/10", 32, seed=3), 40))
    for batch in batches[:4]:
        exact = mineflow.probabilities(batch.views, 10)
        # The player updates its analysis move by move, and thus the last bit may differ.
        np.testing.assert_allclose(batch.mine, exact, rtol=1e-12)
        assert (np.nanmin(batch.mine, axis=(1, 2)) > 0).all()
        np.testing.assert_array_equal(batch.certain, exact == 1.0)
        assert np.nanmin(batch.regret) == 0.0
    games = np.concatenate([batch.game for batch in batches])
    assert (np.diff(games) >= 0).all() and games[-1] > 256
    again = mineflow.positions("9x9/10", 32, seed=3, threads=2)
    for one, two in zip(batches, again, strict=False):
        for a, b in zip(one, two, strict=True):
            np.testing.assert_array_equal(a, b)
    for wrong, why in (
        ({"batch": 0}, "batch: 0"),
        ({"board": "9x9"}, "board"),
        ({"first_click": "lucky"}, "first_click"),
        ({"player": "4.0"}, "computes no exact probabilities"),
    ):
        with pytest.raises(ValueError, match=why):
            mineflow.positions(**({"board": "9x9/10"} | wrong))
