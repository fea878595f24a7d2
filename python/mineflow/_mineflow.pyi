from collections.abc import Callable, Iterable
from os import PathLike
from types import SimpleNamespace
from typing import Any, Literal, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_FirstClick: TypeAlias = Literal["safe", "opening", "any"]

class _Solution(TypedDict):
    solutions: int
    mine_probability: NDArray[np.float64]
    safe: NDArray[np.int64]
    mines: NDArray[np.int64]

class _Step(TypedDict):
    rule: Literal["number", "pair", "count", "ways", "layouts"]
    numbers: list[tuple[int, int]]
    cells: list[tuple[int, int]]
    mines: bool
    after: list[int]

class _Proof(TypedDict):
    cell: tuple[int, int]
    mine: bool
    steps: list[_Step]

class _Candidates(TypedDict):
    cells: NDArray[np.int64]
    mine: NDArray[np.float64]
    chosen: int

class _Candidate(TypedDict):
    cell: tuple[int, int]
    mine: float
    progress: float
    safety: float
    win: float | None
    error: float | None
    behind: tuple[float, float] | None
    numbers: list[float]

class _Explanation(TypedDict):
    text: str
    reason: Literal["first click", "certain", "guess"]
    cells: list[tuple[int, int]]
    candidates: list[_Candidate]

def probabilities(
    views: NDArray[np.int8],
    mines: ArrayLike,
    *,
    out: NDArray[np.float64] | None = None,
    on_error: Literal["raise", "nan"] = "raise",
    threads: int | None = None,
    node_limit: int = 50_000_000,
) -> NDArray[np.float64]: ...
def safe_cells(
    views: NDArray[np.int8],
    mines: ArrayLike,
    *,
    out: NDArray[np.bool_] | None = None,
    on_error: Literal["raise", "nan"] = "raise",
    threads: int | None = None,
    node_limit: int = 50_000_000,
) -> NDArray[np.bool_]: ...
def layouts(
    views: NDArray[np.int8],
    mines: ArrayLike,
    *,
    on_error: Literal["raise", "nan"] = "raise",
    threads: int | None = None,
    node_limit: int = 50_000_000,
) -> list[int | None]: ...
def solve(view: NDArray[np.int8], mines: int, *, node_limit: int = 50_000_000) -> _Solution: ...
def explain(view: NDArray[np.int8], mines: int, *, node_limit: int = 50_000_000) -> list[_Proof]: ...
def features(
    views: NDArray[np.int8],
    mines: ArrayLike,
    set: Literal["classifier-v2", "q-v2", "guess-v2", "value-v1"],
    *,
    player: str = "7.0",
    threads: int | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.int64]]: ...
def predict(file: str | PathLike[str], rows: NDArray[np.float32]) -> NDArray[np.float32]: ...
def render(view: NDArray[np.int8], mines: int) -> str: ...
def constraints(view: NDArray[np.int8], mines: int) -> str: ...
def parse(text: str) -> tuple[NDArray[np.int8], int]: ...
def players() -> list[tuple[str, str, str, str]]: ...

@final
class Player:
    def __new__(cls, name: str, model: str | PathLike[str] | None = None) -> Player: ...
    @property
    def name(self) -> str: ...
    @property
    def recipe(self) -> str: ...
    @property
    def version(self) -> str: ...
    def act(
        self,
        views: NDArray[np.int8],
        mines: ArrayLike,
        *,
        first_click: _FirstClick = "safe",
        seed: int = 0,
        threads: int | None = None,
        node_limit: int = 50_000_000,
        on_error: Literal["raise", "ignore"] = "raise",
    ) -> NDArray[np.int64]: ...
    def __copy__(self) -> Player: ...
    def __deepcopy__(self, memo: Any, /) -> Player: ...
    def __getnewargs__(self) -> tuple[str, PathLike[str] | None]: ...
    def __getstate__(self) -> str: ...
    def __setstate__(self, recipe: str) -> None: ...
    def candidates(
        self, view: NDArray[np.int8], mines: int, *, first_click: _FirstClick = "safe", seed: int = 0
    ) -> _Candidates: ...
    def explain(
        self, view: NDArray[np.int8], mines: int, *, first_click: _FirstClick = "safe", seed: int = 0
    ) -> _Explanation: ...

@final
class Boards:
    def __new__(
        cls,
        count: int,
        board: str,
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
    ) -> Boards: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def mines(self) -> int: ...
    def reset(
        self, seeds: Iterable[int | None] | None = None, mask: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.float64] | None]: ...
    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[np.int8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        NDArray[np.int8],
        NDArray[np.bool_],
        NDArray[np.float64] | None,
        NDArray[np.float64] | None,
        NDArray[np.int8] | None,
        NDArray[np.float64] | None,
    ]: ...
    def state(self) -> NDArray[np.uint8]: ...
    def restore(
        self, states: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.float64] | None]: ...
    def __getnewargs_ex__(self) -> tuple[tuple[int, str], dict[str, Any]]: ...
    def __getstate__(self) -> NDArray[np.uint8]: ...
    def __setstate__(self, states: NDArray[np.uint8]) -> None: ...

def guesses(
    player: Player, board: str, first_click: str, seed: int, first: int, count: int, threads: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.float64]]: ...
def evaluate(
    policy: str | Player | Callable[[NDArray[np.int8]], ArrayLike], settings: SimpleNamespace
) -> dict[str, Any]: ...
def compare(
    a: str | Player | Callable[[NDArray[np.int8]], ArrayLike],
    b: str | Player | Callable[[NDArray[np.int8]], ArrayLike],
    settings: SimpleNamespace,
    sprt: str | None,
    confidence: str,
) -> dict[str, Any]: ...
def score(
    policy: str | Player | Callable[[NDArray[np.int8]], ArrayLike],
    columns: SimpleNamespace,
    set: str,
    node_limit: int | None,
    threads: int | None,
    watch: Callable[[int, int], None],
) -> dict[str, Any]: ...
