from collections.abc import Callable
from os import PathLike
from types import SimpleNamespace
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

__version__: str

FirstClick = Literal["safe", "opening", "any"]

class Solution(TypedDict):
    solutions: int
    mine_probability: NDArray[np.float64]
    safe: NDArray[np.int64]
    mines: NDArray[np.int64]

class Candidates(TypedDict):
    cells: NDArray[np.int64]
    mine: NDArray[np.float64]
    chosen: int

class Candidate(TypedDict):
    cell: tuple[int, int]
    mine: float
    progress: float
    safety: float
    win: float | None
    numbers: list[float]

class Explanation(TypedDict):
    text: str
    reason: Literal["first click", "certain", "guess"]
    cells: list[tuple[int, int]]
    candidates: list[Candidate]

def probabilities(
    views: NDArray[np.int8],
    mines: int | NDArray[np.integer],
    *,
    out: NDArray[np.float64] | None = None,
    on_error: Literal["raise", "nan"] = "raise",
    threads: int | None = None,
    node_limit: int = ...,
) -> NDArray[np.float64]: ...
def safe_cells(
    views: NDArray[np.int8],
    mines: int | NDArray[np.integer],
    *,
    out: NDArray[np.bool_] | None = None,
    on_error: Literal["raise", "nan"] = "raise",
    threads: int | None = None,
    node_limit: int = ...,
) -> NDArray[np.bool_]: ...
def layouts(
    views: NDArray[np.int8],
    mines: int | NDArray[np.integer],
    *,
    on_error: Literal["raise", "nan"] = "raise",
    threads: int | None = None,
    node_limit: int = ...,
) -> list[int | None]: ...
def solve(view: NDArray[np.int8], mines: int, *, node_limit: int = ...) -> Solution: ...
def render(view: NDArray[np.int8], mines: int) -> str: ...
def constraints(view: NDArray[np.int8], mines: int) -> str: ...
def parse(text: str) -> tuple[NDArray[np.int8], int]: ...
def players() -> list[tuple[str, str, str, str]]: ...

class Player:
    def __init__(self, name: str, model: str | PathLike[str] | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def recipe(self) -> str: ...
    def act(
        self,
        views: NDArray[np.int8],
        mines: int | NDArray[np.integer],
        *,
        first_click: FirstClick = "safe",
        seed: int = 0,
        threads: int | None = None,
        node_limit: int = ...,
    ) -> NDArray[np.int64]: ...
    def candidates(
        self, view: NDArray[np.int8], mines: int, *, first_click: FirstClick = "safe", seed: int = 0
    ) -> Candidates: ...
    def explain(
        self, view: NDArray[np.int8], mines: int, *, first_click: FirstClick = "safe", seed: int = 0
    ) -> Explanation: ...

class Boards:
    def __init__(
        self,
        count: int,
        width: int,
        height: int,
        mines: int,
        *,
        first_click: str,
        cascade: bool,
        invalid_ends: bool,
        max_steps: int | None,
        rewards: list[float],
        probabilities: bool,
        counts: bool,
        certain_moves: bool,
        no_guess: bool,
        autoreset: str,
        threads: int | None,
    ) -> None: ...
    def reset(
        self, seeds: NDArray[np.uint64] | None = None, mask: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.bool_], NDArray[np.float64] | None]: ...
    def step(
        self, actions: NDArray[np.integer]
    ) -> tuple[
        NDArray[np.int8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.int8] | None,
        NDArray[np.float64] | None,
        NDArray[np.float64] | None,
    ]: ...

def evaluate(
    policy: str | Player | Callable[[NDArray[np.int8]], NDArray[np.integer]], settings: SimpleNamespace
) -> dict[str, Any]: ...
def compare(
    a: str | Player | Callable[[NDArray[np.int8]], NDArray[np.integer]],
    b: str | Player | Callable[[NDArray[np.int8]], NDArray[np.integer]],
    settings: SimpleNamespace,
    sprt: str | None,
    confidence: str,
) -> dict[str, Any]: ...
