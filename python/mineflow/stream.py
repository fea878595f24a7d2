"""`positions`: labelled positions from an endless series of games, to train models of the whole board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _mineflow

_Guesses: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.float64]]"

_GAMES = 256
"""The number of games that are played at a time. Positions don't depend on it."""


class Positions(NamedTuple):
    """A batch of positions in which no covered cell is proved safe, and thus a guess is made."""

    views: NDArray[np.int8]
    """int8[B, H, W]: -1 is a covered cell, 0 to 8 an open one."""
    mine: NDArray[np.float64]
    """float64[B, H, W]: the exact mine probability of each covered cell, NaN for open cells."""
    certain: NDArray[np.bool_]
    """bool[B, H, W]: the covered cells that are proved mines."""
    regret: NDArray[np.float64]
    """float64[B, H, W]: the mine probability of each covered cell minus the lowest one, as in `Rewards(regret=...)`; NaN for open cells."""
    game: NDArray[np.int64]
    """int64[B]: the number of the game. The positions of a game are correlated; split data by game."""


def positions(
    board: str = "expert",
    batch: int = 1024,
    seed: int = 1,
    *,
    first_click: str = "safe",
    player: str = "7.0",
    threads: int | None = 1,
) -> Iterator[Positions]:
    """Returns an iterator over the positions of games 0, 1, 2, ... of a seed in which `player` guesses, without end, `batch` at a time.

    The games are those of `evaluate` with the same seed. The same arguments give the same positions for any number of threads.

    player: a player with exact probabilities, such as 7.0, 11.0-fast or 11.0, the strongest and slowest.

    Raises ValueError for an invalid board, rule, batch (1 to 65,536) or player.
    """
    if not 1 <= batch <= 65_536:
        raise ValueError(f"batch: {batch} is not from 1 to 65536")
    of = _mineflow.Player(player)
    # A call without games checks the arguments.
    _mineflow.guesses(of, board, first_click, seed, 0, 0, threads)
    return _batches(lambda first: _mineflow.guesses(of, board, first_click, seed, first, _GAMES, threads), batch)


def _batches(play: Callable[[int], _Guesses], batch: int) -> Iterator[Positions]:
    first, left, parts = 0, 0, []
    while True:
        while left < batch:
            parts.append(play(first))
            first, left = first + _GAMES, left + len(parts[-1][0])
        games, views, mine = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        while left >= batch:
            chances = mine[:batch]
            least = np.nanmin(chances, axis=(1, 2), keepdims=True)
            yield Positions(views[:batch], chances, chances == 1.0, chances - least, games[:batch])
            games, views, mine = games[batch:], views[batch:], mine[batch:]
            left -= batch
        parts = [(games, views, mine)]
