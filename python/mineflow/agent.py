"""Minesweeper for language-model agents: an OpenEnv server. Needs `mineflow[agent]`.

`python -m mineflow.agent` serves the environment over HTTP and WebSocket as OpenEnv specifies. Each connection to `/ws` has its own
episode, and thus many episodes run in parallel. Any OpenEnv client can play:

>>> from openenv.core import GenericEnvClient                     # doctest: +SKIP
>>> with GenericEnvClient(base_url="http://127.0.0.1:8000").sync() as env:  # doctest: +SKIP
...     result = env.reset(seed=7, board="9x9/10", reward="regret", split="held-out")
...     result = env.step({"row": 0, "column": 0})
...     print(result.observation["text"], result.reward, result.done)

`MinesweeperEnvironment` is the same environment without a server.
"""

from __future__ import annotations

import argparse
import uuid
from typing import Any, Literal

import numpy as np

try:
    from fastapi.responses import JSONResponse
    from openenv.core.env_server import create_app
    from openenv.core.env_server.interfaces import Environment, EnvironmentMetadata
    from openenv.core.env_server.types import Action, ConcurrencyConfig, Observation, State
    from pydantic import Field, ValidationError
except ImportError as error:
    why = f"mineflow.agent needs OpenEnv ({error}): pip install 'mineflow[agent]'"
    raise (SystemExit if __name__ == "__main__" else ImportError)(why) from None

from . import __version__, _mineflow
from .gymnasium import Minesweeper
from .rules import Rewards

__all__ = ["MinesweeperAction", "MinesweeperEnvironment", "MinesweeperObservation", "MinesweeperState", "REWARDS", "app"]

REWARDS = {
    "win": Rewards(win=1.0),
    "safe": Rewards(win=0.0, safe=1.0),
    "regret": Rewards(win=0.0, regret=-1.0),
}
"""The reward schemes. "win" gives 1 for the step that wins. "safe" gives 1 for each action that opens a safe cell. "regret" gives the
minimum mine probability minus that of the opened cell, from exact probabilities: the best reward is 0, and it does not depend on luck."""

_SPLITS = {"train": 0, "held-out": 2**32}
"""The offsets that the splits add to the seed. Seeds of episodes are below 2^32, and thus the splits share no seed."""
_MOST_CELLS = 2500


class MinesweeperAction(Action):
    """Opens a covered cell."""

    row: int = Field(ge=0, description="row of the cell, counted from 0 at the top")
    column: int = Field(ge=0, description="column of the cell, counted from 0 at the left")


class MinesweeperObservation(Observation):
    """The position after a move."""

    text: str = Field(description="the board, one row per line: H a covered cell, 0 to 8 the number of an open one")
    constraints: str = Field(description="the constraints of the open numbers: how many mines are among which covered cells")
    legal_moves: list[tuple[int, int]] = Field(description="the covered cells, [row, column]")
    won: bool = Field(default=False, description="whether the game is won")
    mine: bool = Field(default=False, description="whether the move opened a mine")
    regret: float | None = Field(
        default=None, description="the mine probability of the opened cell minus the minimum mine probability; null beyond the solver's limits"
    )


class MinesweeperState(State):
    """The settings of an episode. The mines are not part of it."""

    board: str = ""
    first_click: str = ""
    reward: str = ""
    split: str = ""
    seed: int | None = None
    max_steps: int | None = None
    certain_moves: bool = False


class MinesweeperEnvironment(Environment[MinesweeperAction, MinesweeperObservation, MinesweeperState]):
    """An OpenEnv environment in which each episode is one game of Minesweeper."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._game: Minesweeper | None = None
        self._state = MinesweeperState()
        self._done = False
        self._seen: np.ndarray[Any, np.dtype[np.int8]] = np.full((1, 1), -1, np.int8)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        board: str = "beginner",
        first_click: Literal["safe", "opening", "any"] = "safe",
        reward: Literal["win", "safe", "regret"] = "win",
        split: Literal["train", "held-out"] = "train",
        max_steps: int | None = None,
        certain_moves: bool = False,
        **unknown: Any,
    ) -> MinesweeperObservation:
        """Begins an episode.

        seed: from 0 to 2^32 - 1. The same seed, board and split give the same game. Without a seed, a random one is drawn.
        board: WIDTHxHEIGHT/MINES of at most 2,500 cells, or "beginner", "intermediate", "expert".
        first_click: the first cell is not a mine ("safe"), neither are its neighbours ("opening"), or it may be a mine ("any").
        reward: "win", "safe" or "regret" (`REWARDS`).
        split: "train" or "held-out"; the two splits have different games.
        max_steps: the number of steps after which the episode ends; at most, and by default, the number of cells.
        certain_moves: whether the solver opens all cells that are proved safe, so that the agent only guesses.

        Raises ValueError for invalid settings.
        """
        if unknown:
            raise ValueError(f"reset has no setting {', '.join(unknown)}")
        _check("seed", seed, int, optional=True)
        _check("episode_id", episode_id, str, optional=True)
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
        game = Minesweeper(
            board=board, first_click=first_click, rewards=REWARDS[reward], regret=True, certain_moves=certain_moves
        )
        cells = int(game.action_space.n)
        if cells > _MOST_CELLS:
            raise ValueError(f"board: {board} has {cells} cells, more than {_MOST_CELLS}")
        if max_steps is not None and not 1 <= max_steps <= cells:
            raise ValueError(f"max_steps: {max_steps} is not from 1 to {cells}, the cells of the board")
        self._game = game
        self._seen, _info = game.reset(seed=seed + _SPLITS[split])
        self._done = False
        self._state = MinesweeperState(
            episode_id=episode_id or str(uuid.uuid4()),
            board=board,
            first_click=first_click,
            reward=reward,
            split=split,
            seed=seed,
            max_steps=max_steps or cells,
            certain_moves=certain_moves,
        )
        return self._observed()

    def step(self, action: MinesweeperAction, timeout_s: float | None = None, **_: Any) -> MinesweeperObservation:
        """Opens a cell.

        Raises ValueError before the first reset, after the end of the episode, and for a cell that is off the board or open. The
        episode does not change then.
        """
        if self._game is None:
            raise ValueError("there is no episode: reset first; each HTTP request is a session of its own, play over /ws")
        if self._done:
            raise ValueError("the episode is over: reset to begin another")
        height, width = self._seen.shape
        if action.row >= height or action.column >= width:
            raise ValueError(f"({action.row}, {action.column}) is off the board of {height} rows and {width} columns")
        if self._seen[action.row, action.column] >= 0:
            raise ValueError(f"({action.row}, {action.column}) is open; legal_moves lists the covered cells")
        self._seen, reward, ended, _truncated, info = self._game.step(action.row * width + action.column)
        self._state.step_count += 1
        self._done = ended or self._state.step_count == self._state.max_steps
        return self._observed(reward, won=info["won"], mine=ended and not info["won"], regret=info["regret"])

    def _observed(
        self, reward: float | None = None, won: bool = False, mine: bool = False, regret: float = 0.0
    ) -> MinesweeperObservation:
        covered = [] if self._done else np.argwhere(self._seen < 0).tolist()
        return MinesweeperObservation(
            done=self._done,
            reward=_finite(reward),
            text=_mineflow.render(self._seen, self._game.mines),
            constraints=_mineflow.constraints(self._seen, self._game.mines),
            legal_moves=covered,
            won=won,
            mine=mine,
            regret=_finite(regret),
        )

    @property
    def state(self) -> MinesweeperState:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(
            name="minesweeper",
            description="Minesweeper on any board, with exact probabilities behind its rewards",
            version=__version__,
        )


def _check(name: str, value: Any, kind: type, optional: bool = False) -> None:
    """Raises ValueError if a setting has another type. True and False are no integers."""
    if not (optional and value is None) and type(value) is not kind:
        raise ValueError(f"{name}: {value!r} is not {'an integer' if kind is int else 'a string' if kind is str else 'true or false'}")


def _finite(number: float | None) -> float | None:
    """Replaces NaN and infinity by None, because JSON cannot represent them."""
    return None if number is None or not np.isfinite(number) else float(number)


def app(sessions: int = 1000, idle_s: float = 3600.0) -> Any:
    """Returns the FastAPI application.

    sessions: the maximum number of simultaneous connections; further ones are refused.
    idle_s: the number of seconds without a request after which the session of a connection ends.
    """
    served = create_app(
        MinesweeperEnvironment,
        MinesweeperAction,
        MinesweeperObservation,
        env_name="minesweeper",
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle_s),
    )

    async def refused(_request: Any, error: Exception) -> JSONResponse:
        if isinstance(error, ValidationError):
            raise error
        return JSONResponse({"detail": str(error)}, status_code=422)

    served.add_exception_handler(ValueError, refused)
    return served


def _main() -> None:
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m mineflow.agent", description="Serve Minesweeper to agents as an OpenEnv environment.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at [%(default)s]")
    parser.add_argument("--port", type=int, default=8000, help="port [%(default)s]")
    parser.add_argument("--sessions", type=int, default=1000, help="maximum number of simultaneous connections [%(default)s]")
    parser.add_argument("--idle", type=float, default=3600.0, help="seconds after which an idle session ends [%(default)s]")
    given = parser.parse_args()
    uvicorn.run(app(given.sessions, given.idle), host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    _main()
