"""Minesweeper: exact mine probabilities, fast environments, strong players and luck-corrected measurements.

>>> import numpy, mineflow
>>> view = numpy.array([[1, -1], [-1, -1]], dtype=numpy.int8)
>>> mineflow.probabilities(view[None], mines=1).round(3)
array([[[  nan, 0.333],
        [0.333, 0.333]]])

Views are int8 arrays: -1 is a covered cell, 0 to 8 an open one. The environments are in `mineflow.gymnasium`.
"""

from ._mineflow import (
    Player,
    __version__,
    constraints,
    explain,
    features,
    layouts,
    parse,
    players,
    predict,
    probabilities,
    render,
    safe_cells,
    solve,
)
from .measure import Comparison, Evaluation, Policy, Score, ScoreRow, compare, evaluate, score
from .stream import Positions, positions
from .rules import PRESETS, Rewards, Rules

__all__ = [
    "PRESETS",
    "Comparison",
    "Evaluation",
    "Player",
    "Policy",
    "Positions",
    "Rewards",
    "Rules",
    "Score",
    "ScoreRow",
    "__version__",
    "compare",
    "constraints",
    "evaluate",
    "explain",
    "features",
    "layouts",
    "parse",
    "players",
    "positions",
    "predict",
    "probabilities",
    "render",
    "safe_cells",
    "score",
    "solve",
]
