"""Scores two simple policies on a guess set, as JSON Lines for `data/entries`.

    pip install ./python pyarrow                # in the repository
    python score_policies.py least_mine ../../data/guesses-report.parquet
    python score_policies.py random ../../data/guesses-report.parquet

A policy gets the views of guesses on one board, int8[N, H, W] with -1 for covered cells, and returns one cell for each view, by its
row-major index.
"""

import argparse

import numpy as np

import mineflow

MINES = {(16, 30): 99, (16, 16): 40, (9, 9): 10}
RNG = np.random.default_rng(1)


def least_mine(views):
    """Opens the cell with the lowest mine probability, the first one of equal cells."""
    mine = mineflow.probabilities(views, MINES[views.shape[1:]]).reshape(len(views), -1)
    return np.nanargmin(mine, axis=1)


def random(views):
    """Opens a random covered cell."""
    covered = views.reshape(len(views), -1) < 0
    return np.where(covered, RNG.random(covered.shape), -1).argmax(axis=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy", choices=["least_mine", "random"])
    parser.add_argument("set", help="a Parquet file of `pipeline guess-set`")
    given = parser.parse_args()
    print(mineflow.score(globals()[given.policy], given.set).json_lines(), end="")
