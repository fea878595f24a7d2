"""How well do players play? `evaluate` and `compare`, on the games of `pipeline eval` and `pipeline compare`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _mineflow

Policy: TypeAlias = "str | _mineflow.Player | Callable[[NDArray[np.int8]], ArrayLike]"
"""A player by name or recipe, a `Player`, or a function from views int8[B, H, W] to B cells by their row-major index."""


@dataclass(frozen=True)
class Evaluation:
    """How a player did. Intervals are of 95 %."""

    player: str
    board: str
    first_click: str
    games: int
    wins: int
    timeouts: int
    """Games not won because a limit was reached."""
    guesses: int
    """Moves that might have lost; a promised first click is none."""
    win_ratio: float
    interval: tuple[float, float]
    """Of the win ratio (Wilson)."""
    corrected_win_ratio: float | None
    """The mean without the luck of the guesses: the same expectation, less spread."""
    corrected_interval: tuple[float, float] | None
    won: NDArray[np.bool_]
    """Whether each game was won, [games]."""
    corrected: NDArray[np.float64] | None
    """What each game counts without luck, [games]."""

    def __str__(self) -> str:
        text = f"{self.player} on {self.board}, first click {self.first_click}: "
        text += f"{self.wins} of {self.games} games won, {_percent(self.win_ratio, self.interval)}"
        if self.corrected_win_ratio is not None and self.corrected_interval is not None:
            text += f", luck-corrected {_percent(self.corrected_win_ratio, self.corrected_interval)}"
        return text


@dataclass(frozen=True)
class Comparison:
    """Two players on the same games. Differences are of `a` less `b`."""

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
    """McNemar's exact test, two-sided."""
    corrected_difference: float | None
    corrected_interval: tuple[float, float] | None
    corrected_p_value: float | None
    verdict: str
    """"a_stronger", "b_stronger" or "no_difference_shown"; of a sequential test "accepted", "rejected" or "open"."""
    llr: float | None
    """The logarithm of the likelihood ratio of the sequential test."""

    def __str__(self) -> str:
        text = f"{self.a.player} against {self.b.player} on {self.board}: {self.verdict.replace('_', ' ')}, "
        text += f"a difference of {_points(self.difference, self.interval)}"
        if self.corrected_difference is not None and self.corrected_interval is not None:
            text += f", luck-corrected {_points(self.corrected_difference, self.corrected_interval)}"
        return text


@dataclass(frozen=True)
class ScoreRow:
    """What choices lose in the guesses of one kind of board."""

    board: str
    first_click: str
    unknown: str
    """The share of the board that is unknown, such as "0-0.25", or "all"."""
    guesses: int
    loss: float
    """Percentage points of win ratio a game."""
    interval: tuple[float, float]
    """Of the loss, of 95 %."""


@dataclass(frozen=True)
class Score:
    """What the choices of a player lose on a set of guesses."""

    player: str
    version: str
    """The version of a player with a name, "" for a function."""
    set: str
    """The first 12 digits of the SHA-256 of the file of guesses, "" for columns."""
    rows: list[ScoreRow]
    """Of each kind of board all guesses, then by the share of the board that is unknown."""
    losses: NDArray[np.float64]
    """What each choice loses, in wins, [guesses]; single ones may be negative, as the best candidate is only estimated."""

    def json_lines(self) -> str:
        """The rows as `pipeline score --json` prints them."""
        lines = (
            {"player": self.player, "version": self.version, "set": self.set}
            | {"board": row.board, "first_click": row.first_click, "unknown": row.unknown, "guesses": row.guesses}
            | {"loss": row.loss, "low": row.interval[0], "high": row.interval[1]}
            for row in self.rows
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
    policy: Policy,
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
    """Plays games 0 to `games` - 1 of a seed: those of `pipeline eval --seed`, the same for every player and number of threads.

    policy: a name, a recipe, a `Player`, or a function from views int8[B, H, W] to B whole numbers: the cells to open, by their
        row-major index. It is asked for up to `batch` games at once and sees nothing but the views; it is judged like any player.
    seed: an integer from 0 of any size; below 2^64 it is that of `pipeline eval --seed`.
    luck_corrected: also estimate the win ratio without the luck of the guesses, by exact chances and the board's value model.
    cascade: whether a cell without mines around opens its neighbours.
    value_model: a model file for that, in place of the published one.
    node_limit: search nodes a game of a player with a name; a game that needs more is lost.
    threads: how many work; None is one a core.

    Raises ValueError for a player, board or rule that is none, and for a function's move that can't be made; whatever the function
    raises comes through.
    """
    settings = _settings(
        board, first_click, games, seed, luck_corrected, cascade, value_model, node_limit, batch, threads
    )
    return Evaluation(**_mineflow.evaluate(policy, settings))


def compare(
    a: Policy,
    b: Policy,
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
    """Plays the same games with two players and says which one wins more often, as `pipeline compare` does.

    sprt: (low, high): stop as soon as a sequential test with errors of 5 % says whether the difference is `low` or `high`, in points
        of the win ratio; `games` is then the most. It looks after every 500 games of both.
    confidence: of verdict and intervals, in per cent.

    The other arguments and errors are those of `evaluate`.
    """
    settings = _settings(
        board, first_click, games, seed, luck_corrected, cascade, value_model, node_limit, batch, threads
    )
    test = None if sprt is None else f"{sprt[0]}:{sprt[1]}"
    found = _mineflow.compare(a, b, settings, test, f"{confidence:g}")
    return Comparison(**{**found, "a": Evaluation(**found["a"]), "b": Evaluation(**found["b"])})


def score(
    policy: Policy,
    guesses: str | PathLike[str] | Mapping[str, Any],
    *,
    node_limit: int | None = None,
    threads: int | None = None,
) -> Score:
    """Scores a player on a set of guesses, as `pipeline score` does: what its choices lose against the best candidate of each guess.

    No game is played, so luck has no part, and a minute shows differences that take hundreds of thousands of games.

    policy: as of `evaluate`; a function gets the views of the guesses and answers with the cells that it would open.
    guesses: a Parquet file of `pipeline guess-set`, read with pyarrow or polars, whichever is installed; or its columns by name, such as
        a pandas or polars data frame.
    node_limit: search nodes a decision of a player with a name; a decision that needs more counts as the worst candidate.
    threads: how many work; None is one a core.

    Raises ValueError for an unknown player, an invalid set, or a cell of a function that is not covered; ImportError if no package can
    read the file.
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
    found = _mineflow.score(policy, SimpleNamespace(**lists, blocks=blocks), name, node_limit, threads)
    return Score(**{**found, "rows": [ScoreRow(**row) for row in found["rows"]]})


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
    "exact",
    "lines",
    "value",
    "error",
)
_BLOCKS = tuple(f"block_{number}" for number in range(1, 9))


def _columns(file: str | PathLike[str]) -> Mapping[str, Any]:
    """The columns of a Parquet file."""
    try:
        from pyarrow import parquet
    except ImportError:
        try:
            import polars
        except ImportError:
            raise ImportError("reading a set of guesses needs pyarrow or polars; pip install pyarrow") from None
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
