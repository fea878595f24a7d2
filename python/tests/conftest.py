"""Fixtures: positions for the tests."""

import numpy as np
import pytest

import mineflow


def walked(board, views, seed=0):
    """Returns one position per environment after four random steps. If a step ends the game, returns the position before this step."""
    import mineflow.gymnasium as of

    envs = of.MinesweeperVector(views, "safe", board=board, threads=1)
    rng = np.random.default_rng(seed)
    seen, infos = envs.reset(seed=seed)
    for _ in range(4):
        weights = infos["action_mask"] * rng.random(infos["action_mask"].shape)
        after, _, ended, _, infos = envs.step(weights.argmax(axis=1))
        seen = np.where(ended[:, None, None], seen, after)
    return seen


@pytest.fixture(scope="session")
def positions():
    """Positions of beginner games, int8[200, 9, 9]."""
    return walked("beginner", 200)


@pytest.fixture(scope="session")
def places():
    """The position of the documentation's examples: 1 # / # #, with one mine."""
    return np.array([[1, -1], [-1, -1]], np.int8)


def pytest_report_header():
    return f"mineflow {mineflow.__version__}, numpy {np.__version__}"
