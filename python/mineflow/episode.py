"""One game for a language-model agent: checked settings, moves by row and column, and rewards. Needs `mineflow[gymnasium]`.

`mineflow.agent`, `mineflow.trl` and the environments for other trainers play episodes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _mineflow
from .gymnasium import Minesweeper
from .rules import Rewards

__all__ = ["REWARDS", "SETTINGS", "Episode"]

REWARDS = {
    "win": Rewards(win=1.0),
    "safe": Rewards(win=0.0, safe=1.0),
    "regret": Rewards(win=0.0, regret=-1.0),
}
"""The reward schemes. "win" gives 1 for the step that wins. "safe" gives 1 for each action that opens a safe cell. "regret" gives the
minimum mine probability minus that of the opened cell, from exact probabilities: the best reward of a step is 0, and it does not depend on
luck. A sum over a game does: a lost game has no later steps, and a game that is never played loses nothing."""

SETTINGS = ("seed", "board", "first_click", "reward", "split", "max_steps", "certain_moves")
"""The settings of an episode."""

_SPLITS = {"train": 0, "held-out": 2**32}
"""The offsets that the splits add to the seed. Seeds of episodes are below 2^32, and thus the splits share no seed."""
_MOST_CELLS = 2500


class Episode:
    """A game that begins before its first move.

    seed: from 0 to 2^32 - 1. The same seed, board and split give the same game. Without a seed, a random one is drawn.
    board: WIDTHxHEIGHT/MINES of at most 2,500 cells, or "beginner", "intermediate", "expert".
    first_click: the first cell is not a mine ("safe"), neither are its neighbours ("opening"), or it may be a mine ("any").
    reward: "win", "safe" or "regret" (`REWARDS`).
    split: "train" or "held-out"; the two splits have different games.
    max_steps: the number of steps after which the episode ends; at most, and by default, the number of cells.
    certain_moves: whether the solver opens all cells that are proved safe, so that the agent only guesses.

    Raises ValueError for invalid settings.
    """

    def __init__(
        self,
        seed: int | None = None,
        board: str = "beginner",
        first_click: str = "safe",
        reward: str = "win",
        split: str = "train",
        max_steps: int | None = None,
        certain_moves: bool = False,
    ) -> None:
        _check("seed", seed, int, optional=True)
        _check("board", board, str)
        _check("first_click", first_click, str)
        _check("reward", reward, str)
        _check("split", split, str)
        _check("max_steps", max_steps, int, optional=True)
        _check("certain_moves", certain_moves, bool)
        if reward not in REWARDS:
            raise ValueError(f"reward: {reward!r} is none of {', '.join(REWARDS)}")
        if split not in _SPLITS:
            raise ValueError(f"split: {split!r} is none of {', '.join(_SPLITS)}")
        if seed is None:
            seed = int(np.random.default_rng().integers(2**32))
        if not 0 <= seed < 2**32:
            raise ValueError(f"seed: {seed} is not from 0 to 4294967295")
        self._game = Minesweeper(
            board=board, first_click=first_click, rewards=REWARDS[reward], regret=True, certain_moves=certain_moves
        )
        cells = int(self._game.action_space.n)
        if cells > _MOST_CELLS:
            raise ValueError(f"board: {board} has {cells} cells, more than {_MOST_CELLS}")
        if max_steps is not None and not 1 <= max_steps <= cells:
            raise ValueError(f"max_steps: {max_steps} is not from 1 to {cells}, the cells of the board")
        self.view: NDArray[np.int8]
        self.view, _info = self._game.reset(seed=seed + _SPLITS[split])
        self.seed, self.max_steps = seed, max_steps or cells
        self.steps = 0
        self.done = self.won = self.mine = False
        self.reward: float | None = None
        """The reward of the last step; None before the first one, or if it is beyond the solver's limits."""
        self.regret: float | None = 0.0
        """The mine probability of the last opened cell minus the minimum; None beyond the solver's limits."""
        self.total = 0.0
        """The sum of the rewards."""

    def open(self, row: int, column: int) -> None:
        """Opens a cell.

        Raises ValueError after the end of the episode, and for a cell that is off the board or open. The episode does not change then.
        """
        if self.done:
            raise ValueError("the episode is over: reset to begin another")
        _check("row", row, int)
        _check("column", column, int)
        height, width = self.view.shape
        if not (0 <= row < height and 0 <= column < width):
            raise ValueError(f"({row}, {column}) is off the board of {height} rows and {width} columns")
        if self.view[row, column] >= 0:
            raise ValueError(f"({row}, {column}) is open; choose a covered cell")
        self.view, reward, ended, _truncated, info = self._game.step(row * width + column)
        self.steps += 1
        self.done = ended or self.steps == self.max_steps
        self.won, self.mine = info["won"], ended and not info["won"]
        self.reward, self.regret = _finite(reward), _finite(info["regret"])
        self.total += self.reward or 0.0

    @property
    def text(self) -> str:
        """The board, one row per line: H a covered cell, 0 to 8 the number of an open one."""
        return _mineflow.render(self.view, self._game.mines)

    @property
    def constraints(self) -> str:
        """The constraints of the open numbers: how many mines are among which covered cells."""
        return _mineflow.constraints(self.view, self._game.mines)

    @property
    def legal_moves(self) -> list[tuple[int, int]]:
        """The covered cells, (row, column); none after the end."""
        return [] if self.done else [(row, column) for row, column in np.argwhere(self.view < 0).tolist()]

    @property
    def said(self) -> str:
        """What an agent is told after a step: the outcome at the end, otherwise the board."""
        if self.won:
            return "All safe cells are open: the game is won."
        if self.mine:
            return "A mine was opened: the game is lost."
        return self.text + (f"The game is over after {self.steps} steps.\n" if self.done else "")


def _check(name: str, value: Any, kind: type, optional: bool = False) -> None:
    """Raises ValueError if a setting has another type. True and False are no integers."""
    is_numpy = kind is int and isinstance(value, np.integer)
    if not (optional and value is None) and type(value) is not kind and not is_numpy:
        raise ValueError(f"{name}: {value!r} is not {'an integer' if kind is int else 'a string' if kind is str else 'true or false'}")


def _finite(number: float) -> float | None:
    """Replaces NaN and infinity by None, because JSON cannot represent them."""
    return float(number) if math.isfinite(number) else None
