"""Minesweeper for TRL's `GRPOTrainer`. Needs `mineflow[gymnasium]`; TRL itself is not imported.

    GRPOTrainer(model, train_dataset=rows, environment_factory=mineflow.trl.Minesweeper, ...)

Each row has a `prompt` and a `seed`, and may have the other settings of `mineflow.episode.Episode` as columns, such as `reward`, by default
"regret", under which a model that stops early loses nothing. All completions of a row play the board of its seed; only mines that a rollout's
first click moves differ. The trainer adds the sum of the episode's rewards to those of its other reward functions.
"""

from __future__ import annotations

from typing import Any

from .episode import SETTINGS, Episode

__all__ = ["Minesweeper"]


class Minesweeper:
    """One rollout's game. Its public methods, except `reset` and `get_reward`, are the tools of the model."""

    def __init__(self) -> None:
        self._episode: Episode | None = None

    def reset(self, **row: Any) -> str:
        """Begins the game of a row and returns the board. Columns that are no settings are ignored.

        Raises ValueError for a row without a seed, with which the completions of a group would play different boards, and for invalid
        settings.
        """
        if row.get("seed") is None:
            raise ValueError("the row has no seed: add a column `seed`, so that all completions of a row play the same board")
        given = {name: row[name] for name in SETTINGS if row.get(name) is not None}
        self._episode = Episode(**({"reward": "regret"} | given))
        return self._episode.text

    def open(self, row: int, column: int) -> str:
        """Opens a covered cell. A number says how many of the eight neighbours are mines.

        Args:
            row: The row of the cell, counted from 0 at the top.
            column: The column of the cell, counted from 0 at the left.

        Returns:
            The board, in which H is a covered cell and 0 to 8 an open one, or the outcome at the end of the game.
        """
        if self._episode is None:
            raise ValueError("no game in progress: call reset first")
        self._episode.open(row, column)
        return self._episode.said

    def get_reward(self) -> float:
        """Returns the sum of the rewards of the game so far."""
        return 0.0 if self._episode is None else self._episode.total
