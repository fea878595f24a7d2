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

try:
    from fastapi.responses import JSONResponse
    from openenv.core.env_server import create_app
    from openenv.core.env_server.interfaces import Environment, EnvironmentMetadata
    from openenv.core.env_server.types import Action, ConcurrencyConfig, Observation, State
    from pydantic import Field, ValidationError
except ImportError as error:
    why = f"mineflow.agent needs OpenEnv ({error}): pip install 'mineflow[agent]'"
    raise (SystemExit if __name__ == "__main__" else ImportError)(why) from None

from . import __version__
from .episode import REWARDS, Episode

__all__ = ["MinesweeperAction", "MinesweeperEnvironment", "MinesweeperObservation", "MinesweeperState", "REWARDS", "app"]


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
        self._episode: Episode | None = None
        self._state = MinesweeperState()

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
        """Begins an episode with the settings of `mineflow.episode.Episode`. Raises ValueError for invalid ones."""
        if unknown:
            raise ValueError(f"reset has no setting {', '.join(unknown)}")
        if not (episode_id is None or isinstance(episode_id, str)):
            raise ValueError(f"episode_id: {episode_id!r} is not a string")
        self._episode = Episode(seed, board, first_click, reward, split, max_steps, certain_moves)
        self._state = MinesweeperState(
            episode_id=episode_id or str(uuid.uuid4()),
            board=board,
            first_click=first_click,
            reward=reward,
            split=split,
            seed=self._episode.seed,
            max_steps=self._episode.max_steps,
            certain_moves=certain_moves,
        )
        return self._observed(self._episode)

    def step(self, action: MinesweeperAction, timeout_s: float | None = None, **_: Any) -> MinesweeperObservation:
        """Opens a cell.

        Raises ValueError before the first reset, after the end of the episode, and for a cell that is off the board or open. The
        episode does not change then.
        """
        if self._episode is None:
            raise ValueError("there is no episode: reset first; each HTTP request is a session of its own, play over /ws")
        self._episode.open(action.row, action.column)
        self._state.step_count = self._episode.steps
        return self._observed(self._episode)

    def _observed(self, at: Episode) -> MinesweeperObservation:
        return MinesweeperObservation(
            done=at.done,
            reward=at.reward,
            text=at.text,
            constraints=at.constraints,
            legal_moves=at.legal_moves,
            won=at.won,
            mine=at.mine,
            regret=at.regret,
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
