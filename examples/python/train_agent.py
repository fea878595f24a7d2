"""Trains a small agent in the vector environment. It learns only from views and from the outcomes of its moves.

    pip install "mineflow[gymnasium]"
    python train_agent.py

For each covered cell, the features are the contents of the eight neighbours, and for each neighbouring number the number of covered cells
around it. Logistic regression estimates whether the cell is safe, and the agent opens the cell with the highest estimate. Training takes a
minute on one core and needs only numpy.
"""

import argparse

import numpy as np

import mineflow
from mineflow.gymnasium import MinesweeperVector

BOARD = "beginner"
# The kinds of a neighbour: a number with 0 to 8 covered cells around it (9 times 9 kinds), a covered cell, or off the board.
COVERED, OUTSIDE, KINDS = 81, 82, 83
PLACES = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]


def around(cells, outside):
    """Returns the values of the eight neighbours of every cell, [N, H, W, 8]."""
    padded = np.pad(cells, ((0, 0), (1, 1), (1, 1)), constant_values=outside)
    height, width = cells.shape[1:]
    return np.stack([padded[:, row : row + height, col : col + width] for row, col in PLACES], axis=-1)


def kinds(views):
    """Returns the kinds of the eight neighbours of every cell, int64[N, H * W, 8]."""
    covered = around(views < 0, False).sum(axis=-1)
    seen = np.where(views < 0, COVERED, 9 * views.astype(np.int64) + covered)
    return around(seen, OUTSIDE).reshape(len(views), views[0].size if len(views) else 0, len(PLACES))


class Agent:
    """A logistic regression with one weight for each kind of neighbour, and a bias."""

    def __init__(self):
        self.weights = np.zeros(KINDS + 1)

    def scores(self, views):
        """Returns the log-odds that each cell is safe, [N, H * W]; minus infinity for open cells."""
        scores = self.weights[kinds(views)].sum(axis=-1) + self.weights[-1]
        return np.where(views.reshape(len(views), -1) < 0, scores, -np.inf)

    def __call__(self, views):
        return self.scores(views).argmax(axis=1)

    def learn(self, views, cells, safe, rate):
        """Makes a gradient step on the logarithmic loss of the moves that were made."""
        used = kinds(views)[np.arange(len(views)), cells]
        error = safe - 1 / (1 + np.exp(-(self.weights[used].sum(axis=1) + self.weights[-1])))
        np.add.at(self.weights, used, rate * error[:, None] / len(views))
        self.weights[-1] += rate * error.mean()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--steps", type=int, default=4000)
    arguments.add_argument("--boards", type=int, default=256)
    arguments.add_argument("--games", type=int, default=4000)
    given = arguments.parse_args()

    rng = np.random.default_rng(1)
    agent = Agent()
    untaught = mineflow.evaluate(agent, BOARD, games=given.games)
    envs = MinesweeperVector(given.boards, "safe", board=BOARD, autoreset_mode="SameStep", threads=1)
    views, infos = envs.reset(seed=1)
    for step in range(given.steps):
        scores = agent.scores(views)
        chance = np.where(rng.random(given.boards) < 0.1, 10.0, 0.0)[:, None]
        cells = (scores + chance * rng.random(scores.shape)).argmax(axis=1)
        begun = (views >= 0).any(axis=(1, 2))
        after, _, ended, _, infos = envs.step(cells)
        # The first click is always safe, and thus nothing can be learnt from it.
        safe = ~ended | infos["final_info"]["won"] if "final_info" in infos else ~ended
        if begun.any():
            agent.learn(views[begun], cells[begun], safe[begun], rate=8.0 * (1 - step / given.steps))
        views = after
    print("before", untaught)
    print("after ", mineflow.evaluate(agent, BOARD, games=given.games))


if __name__ == "__main__":
    main()
