"""Reward functions for language models that answer a position with one move, by exact probabilities and thus without luck.

Trainers such as TRL call `regret(completions, position=[...])` with a column of positions, as `mineflow.render` or `mineflow.constraints`
writes them. A completion is a text, or a list of messages whose last one counts. Its move is the last cell that it names, as `(row, column)` or
`{"row": 3, "column": 4}`, counted from 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _mineflow

__all__ = ["certain", "move", "regret"]

Completion: TypeAlias = "str | Sequence[Mapping[str, Any]]"

_MOVE = re.compile(r'"row"\s*:\s*(\d+)\s*,\s*"column"\s*:\s*(\d+)|\(\s*(\d+)\s*,\s*(\d+)\s*\)')


def move(text: str) -> tuple[int, int] | None:
    """Returns the row and column of the last cell that a text names, or None."""
    named = _MOVE.findall(text)
    if not named:
        return None
    row, column = (int(number) for number in named[-1] if number)
    return row, column


def regret(completions: Sequence[Completion], position: Sequence[str], **_: Any) -> list[float]:
    """Returns the lowest mine probability minus that of the chosen cell, -1 to 0, for each completion. The best move gets 0; an answer
    without a covered cell gets -1.

    Raises ValueError for a position that can't be read or contradicts itself.
    """
    chosen = _all_chosen(completions, position)
    return [-1.0 if mine is None else float(least - mine) for mine, least in chosen]


def certain(completions: Sequence[Completion], position: Sequence[str], **_: Any) -> list[float | None]:
    """Returns 1 for a cell that is proved safe and 0 for any other answer, or None for each completion of a position without a proved cell.

    Raises ValueError for a position that can't be read or contradicts itself.
    """
    chosen = _all_chosen(completions, position)
    return [None if least > 0.0 else float(mine == 0.0) for mine, least in chosen]


def _all_chosen(completions: Sequence[Completion], positions: Sequence[str]) -> list[tuple[float | None, float]]:
    if len(completions) != len(positions):
        raise ValueError(f"position: {len(positions)} positions for {len(completions)} completions")
    return [_chosen(*pair) for pair in zip(completions, positions, strict=True)]


def _chosen(completion: Completion, position: str) -> tuple[float | None, float]:
    """Returns the mine probability of the chosen cell, None if it names no covered cell, and the lowest one of the position."""
    text = completion if isinstance(completion, str) else str(completion[-1]["content"])
    mine = _mine(position)
    least, cell = float(np.nanmin(mine)), move(text)
    if cell is None:
        return None, least
    row, column = cell
    inside = row < mine.shape[0] and column < mine.shape[1]
    return (float(mine[row, column]) if inside and not np.isnan(mine[row, column]) else None), least


@lru_cache(maxsize=4096)
def _mine(position: str) -> NDArray[np.float64]:
    """Returns the mine probability of each covered cell, [H, W]."""
    view, mines = _mineflow.parse(position)
    probabilities: NDArray[np.float64] = _mineflow.probabilities(view[None], mines)[0]
    return probabilities
