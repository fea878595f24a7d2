"""Measures the strength of players with `evaluate`, `compare` and `score`, on the games of `pipeline eval` and `pipeline compare`."""

from __future__ import annotations

import hashlib
import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _mineflow



class Policy:
    """A policy that knows its games: a base class for agents with a memory, or with a model of the first click.

    `evaluate`, `compare` and `score` call `new_games` before they first ask about games, and `act` for each move. In `score`, each guess is
    a game.
    """

    def new_games(self, games: NDArray[np.int64], mines: int, first_click: str) -> None:
        """Begins games: their numbers int64[K], the number of mines of each, and "safe", "opening" or "any"."""

    def act(self, views: NDArray[np.int8], games: NDArray[np.int64]) -> ArrayLike:
        """Returns B cells by their row-major index, given the views int8[B, H, W] and the numbers of their games int64[B]."""
        raise NotImplementedError

    def __call__(self, views: NDArray[np.int8]) -> ArrayLike:
        """Returns the cells for views of unknown games."""
        return self.act(views, np.full(len(views), -1))

    _open: NDArray[np.int64] = np.empty(0, np.int64)

    def _asked(self, views: NDArray[np.int8], games: NDArray[np.int64], mines: int, first_click: str) -> ArrayLike:
        new = (views < 0).all(axis=(1, 2)) | ~np.isin(games, self._open)
        self._open = games
        if new.any():
            self.new_games(games[new], mines, first_click)
        return self.act(views, games)


Playable: TypeAlias = "str | _mineflow.Player | Policy | Callable[[NDArray[np.int8]], ArrayLike]"
"""A player by name or recipe, a `Player`, a `Policy`, or a function from views int8[B, H, W] to B cells by their row-major index."""


@dataclass(frozen=True)
class Evaluation:
    """The results of a player. The confidence level of the intervals is 95 %."""

    player: str
    board: str
    first_click: str
    games: int
    wins: int
    timeouts: int
    """The number of games not won because a limit was reached."""
    guesses: int
    """The number of moves that might have lost; a first click that cannot lose is not counted."""
    win_ratio: float
    interval: tuple[float, float]
    """The confidence interval of the win rate. It is the exact one of Clopper and Pearson if luck was measured and
    `corrected_interval` is None, otherwise Wilson's."""
    corrected_win_ratio: float | None
    """The luck-corrected win rate. It has the same expectation and, except for weak players, a lower variance."""
    corrected_interval: tuple[float, float] | None
    """None if the games are too few to trust it, or if the correction raises the variance, as it does for weak players, whose guesses the
    value model doesn't expect; then the raw rate is the better estimate."""
    won: NDArray[np.bool_]
    """Whether each game was won, [games]."""
    corrected: NDArray[np.float64] | None
    """The luck-corrected result of each game, [games]."""

    def __str__(self) -> str:
        text = f"{self.player} on {self.board}, first click {self.first_click}: "
        text += f"{self.wins} of {self.games} games won, {_percent(self.win_ratio, self.interval)}"
        if self.corrected_win_ratio is not None and self.corrected_interval is not None:
            text += f", luck-corrected {_percent(self.corrected_win_ratio, self.corrected_interval)}"
        elif self.corrected_win_ratio is not None:
            text += "; the luck-corrected rate has no interval, or a wider one"
        return text


@dataclass(frozen=True)
class Comparison:
    """The results of two players on the same games. Differences are `a` minus `b`."""

    board: str
    first_click: str
    games: int
    a: Evaluation
    b: Evaluation
    both: int
    only_a: int
    only_b: int
    neither: int
    difference: float
    interval: tuple[float, float]
    p_value: float
    """The p-value of McNemar's exact test, two-sided."""
    corrected_difference: float | None
    corrected_interval: tuple[float, float] | None
    corrected_p_value: float | None
    verdict: str
    """"a_stronger", "b_stronger" or "no_difference_shown"; with a sequential test "accepted", "rejected" or "open"."""
    llr: float | None
    """The logarithm of the likelihood ratio of the sequential test."""

    def __str__(self) -> str:
        text = f"{self.a.player} against {self.b.player} on {self.board}: {self.verdict.replace('_', ' ')}, "
        text += f"a difference of {_points(self.difference, self.interval)}"
        if self.corrected_difference is not None and self.corrected_interval is not None:
            text += f", luck-corrected {_points(self.corrected_difference, self.corrected_interval)}"
        elif self.corrected_difference is not None:
            text += ", no luck-corrected interval that can be trusted from so few games, or none narrower"
        return text


@dataclass(frozen=True)
class ScoreRow:
    """The mean loss of the choices in the guesses of one kind of board."""

    board: str
    first_click: str
    unknown: str
    """The range of the fraction of unknown cells, such as "0-0.25", or "all" for all guesses."""
    guesses: int
    loss: float
    """The loss in percentage points of the win rate per game."""
    interval: tuple[float, float]
    """The 95 % confidence interval of the loss."""


@dataclass(frozen=True)
class Score:
    """The loss of a player's choices on a guess set."""

    player: str
    version: str
    """The version of a named player; "" for a function."""
    set: str
    """The first 12 digits of the SHA-256 of the file of guesses; "" for columns."""
    rows: list[ScoreRow]
    """For each kind of board, a row for all guesses, then one for each range of the fraction of unknown cells."""
    losses: NDArray[np.float64]
    """The loss of each choice in win probability, [guesses]. A single loss may be negative, because the best candidate is estimated."""

    def json_lines(self) -> str:
        """Returns the rows as `pipeline score --json` prints them."""
        # JSON has no infinite numbers, which the interval of a single guess has.
        ends = [[end if math.isfinite(end) else None for end in row.interval] for row in self.rows]
        lines = (
            {"player": self.player, "version": self.version, "set": self.set}
            | {"board": row.board, "first_click": row.first_click, "unknown": row.unknown, "guesses": row.guesses}
            | {"loss": row.loss, "low": low, "high": high}
            for row, (low, high) in zip(self.rows, ends, strict=True)
        )
        return "".join(json.dumps(line) + "\n" for line in lines)

    def __str__(self) -> str:
        return "\n".join(
            f"{self.player} on {row.board}, first click {row.first_click}: loses {row.loss:.3f} points a game "
            f"({row.interval[0]:.3f} to {row.interval[1]:.3f}) in {row.guesses} guesses"
            for row in self.rows
            if row.unknown == "all"
        )


def _percent(ratio: float, interval: tuple[float, float]) -> str:
    return f"{100 * ratio:.2f} % ({100 * interval[0]:.2f} - {100 * interval[1]:.2f})"


def _points(difference: float, interval: tuple[float, float]) -> str:
    return f"{100 * difference:+.2f} points ({100 * interval[0]:+.2f} to {100 * interval[1]:+.2f})"


def evaluate(
    policy: Playable,
    board: str = "beginner",
    *,
    first_click: str = "safe",
    games: int = 1000,
    seed: int = 1,
    luck_corrected: bool = True,
    cascade: bool = True,
    value_model: str | PathLike[str] | None = None,
    node_limit: int | None = None,
    batch: int = 1024,
    threads: int | None = None,
) -> Evaluation:
    """Plays games 0 to `games` - 1 of a seed and returns the results.

    The games are those of `pipeline eval --seed`, the same for every player and number of threads.

    policy: a name, a recipe, a `Player`, or a function from views int8[B, H, W] to B whole numbers: the cells to open, by their
        row-major index. The function gets the views of up to `batch` games at once, and its moves are measured like those of any player.
        A `Policy` also gets the numbers of the games.
    seed: a non-negative integer of any size. Seeds below 2^64 give the same games as `pipeline eval --seed`.
    luck_corrected: also estimates the luck-corrected win rate, with exact probabilities and the value model of the board.
    cascade: whether a cell without neighbouring mines opens its neighbours.
    value_model: a file with another value model for the luck correction.
    node_limit: the maximum number of search nodes per game of a named player; a game that needs more is lost.
    threads: the number of threads; None uses one per core.

    Raises ValueError for an invalid player, board or rule, and for an illegal move of a function. Exceptions of the function are passed
    on.
    """
    settings = _settings(
        board, first_click, games, seed, luck_corrected, cascade, value_model, node_limit, batch, threads
    )
    return Evaluation(**_mineflow.evaluate(policy, settings))


def compare(
    a: Playable,
    b: Playable,
    board: str = "beginner",
    *,
    first_click: str = "safe",
    games: int = 10_000,
    seed: int = 1,
    luck_corrected: bool = True,
    sprt: tuple[float, float] | None = None,
    confidence: float = 95.0,
    cascade: bool = True,
    value_model: str | PathLike[str] | None = None,
    node_limit: int | None = None,
    batch: int = 1024,
    threads: int | None = None,
) -> Comparison:
    """Plays the same games with two players and tests which one wins more often, as `pipeline compare` does.

    sprt: (low, high): stops as soon as a sequential test with error rates of 5 % decides whether the difference is `low` or `high`, in
        percentage points of the win rate. The test is evaluated after every 500 games of both players; `games` is then the maximum.
    confidence: the confidence level of the verdict and of the intervals of the differences, in per cent.

    The other arguments and errors are those of `evaluate`.
    """
    settings = _settings(
        board, first_click, games, seed, luck_corrected, cascade, value_model, node_limit, batch, threads
    )
    test = None if sprt is None else f"{sprt[0]}:{sprt[1]}"
    found = _mineflow.compare(a, b, settings, test, f"{confidence:g}")
    return Comparison(**{**found, "a": Evaluation(**found["a"]), "b": Evaluation(**found["b"])})


def score(
    policy: Playable,
    guesses: str | PathLike[str] | Mapping[str, Any],
    *,
    node_limit: int | None = None,
    threads: int | None = None,
) -> Score:
    """Returns the loss of a player's choices on a guess set, relative to the best candidate of each guess, as `pipeline score` does.

    No game is played, and thus the score does not depend on luck. In a minute, it shows differences for which games need hours. It leaves
    out first clicks, proved cells that a player fails to open, and positions that only other players reach.

    policy: as in `evaluate`; a function gets the views of the guesses and returns the cells that it would open.
    guesses: a Parquet file of `pipeline guess-set`, read with pyarrow or polars, whichever is installed; or its columns by name, such as
        a pandas or polars data frame.
    node_limit: the maximum number of search nodes per decision of a named player; a decision that needs more counts as the worst candidate.
    threads: the number of threads; None uses one per core.

    Raises ValueError for an unknown player, an invalid set, or if a function chooses a cell that is not covered; ImportError if no package
    can read the file.
    """
    columns = _columns(guesses) if isinstance(guesses, (str, PathLike)) else guesses
    missing = [name for name in (*_COLUMNS, *_BLOCKS) if name not in columns]
    if missing:
        raise ValueError(f"guesses: the columns {', '.join(missing)} are missing")
    lists = {name: np.asarray(columns[name]).tolist() for name in _COLUMNS}
    blocks = [np.asarray(columns[name]).tolist() for name in _BLOCKS]
    lengths = {len(column) for column in (*lists.values(), *blocks)}
    if len(lengths) > 1:
        raise ValueError("guesses: the columns have different lengths")
    name = hashlib.sha256(Path(guesses).read_bytes()).hexdigest()[:12] if isinstance(guesses, (str, PathLike)) else ""
    found = _mineflow.score(policy, SimpleNamespace(**lists, blocks=blocks), name, node_limit, threads, _Progress())
    return Score(**{**found, "rows": [ScoreRow(**row) for row in found["rows"]]})


class _Progress:
    """Prints to stderr how many guesses are scored: continually on a terminal, elsewhere every ten seconds."""

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()
        self._pause = 0.5 if sys.stderr.isatty() else 10.0

    def __call__(self, done: int, planned: int) -> None:
        now = time.monotonic()
        if now - self._said < self._pause or not done:
            return
        self._said = now
        left = (now - self._began) / done * (planned - done)
        start, end = ("\r", " ") if sys.stderr.isatty() else ("", "\n")
        print(f"{start}score: {done:,} of {planned:,} guesses, {left:.0f} s left", end=end, file=sys.stderr, flush=True)
        if done == planned and end == " ":
            print(file=sys.stderr)


_COLUMNS = (
    "guess",
    "board",
    "first_click",
    "position",
    "unknown",
    "weight",
    "seed",
    "layouts",
    "row",
    "column",
    "chosen",
    "exact",
    "lines",
    "value",
    "error",
)
_BLOCKS = tuple(f"block_{number}" for number in range(1, 9))


def _columns(file: str | PathLike[str]) -> Mapping[str, Any]:
    """Returns the columns of a Parquet file by name."""
    try:
        from pyarrow import parquet
    except ImportError:
        try:
            import polars
        except ImportError:
            raise ImportError("reading a guess set needs pyarrow or polars; pip install pyarrow") from None
        return {column.name: column.to_numpy() for column in polars.read_parquet(str(file))}
    table = parquet.read_table(str(file))
    return {name: table[name].to_numpy() for name in table.column_names}


def _settings(
    board: str,
    first_click: str,
    games: int,
    seed: int,
    luck_corrected: bool,
    cascade: bool,
    value_model: str | PathLike[str] | None,
    node_limit: int | None,
    batch: int,
    threads: int | None,
) -> SimpleNamespace:
    return SimpleNamespace(**locals())
