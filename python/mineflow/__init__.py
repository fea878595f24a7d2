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
    layouts,
    parse,
    players,
    probabilities,
    render,
    safe_cells,
    solve,
)
from .measure import Comparison, Evaluation, Score, ScoreRow, compare, evaluate, score
from .rules import PRESETS, Rewards, Rules

__all__ = [
    "PRESETS",
    "Comparison",
    "Evaluation",
    "Player",
    "Rewards",
    "Rules",
    "Score",
    "ScoreRow",
    "__version__",
    "compare",
    "constraints",
    "evaluate",
    "explain",
    "layouts",
    "parse",
    "players",
    "probabilities",
    "render",
    "safe_cells",
    "score",
    "solve",
]
