"""Minesweeper for NeMo Gym: a resources server whose rollouts of a row all play the game of the row's seed.

    python -c 'import json, app; [print(json.dumps(app.row(seed, board="6x6/5"))) for seed in range(100)]' >rows.jsonl

`minesweeper.yaml` is the configuration of the server and of an agent.
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, HTTPException, Request
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import BaseModel, PrivateAttr

from mineflow.episode import SETTINGS, Episode

PROMPT = """\
Play Minesweeper. H is a covered cell, and a number says how many of the eight cells around it are mines. Open all cells that are not mines,
with the tool open. Rows and columns are counted from 0, from the top left.

"""

OPEN = {
    "type": "function",
    "name": "open",
    "description": "Open a covered cell. The answer is the board after it.",
    "parameters": {
        "type": "object",
        "properties": {"row": {"type": "integer"}, "column": {"type": "integer"}},
        "required": ["row", "column"],
        "additionalProperties": False,
    },
    "strict": True,
}


def row(seed: int, **settings: Any) -> dict[str, Any]:
    """Returns a row of the data: the prompt with the covered board, the tool, the seed and the settings of `Episode`."""
    board = Episode(seed=seed, **settings).text
    asked = {"input": [{"role": "user", "content": PROMPT + board}], "tools": [OPEN]}
    return {"responses_create_params": asked, "seed": seed} | settings


class Row(BaseSeedSessionRequest, extra="allow"):
    """A row of the data."""

    seed: int | None = None


class Opening(BaseModel):
    """The arguments of the tool."""

    row: int
    column: int


class Verified(BaseVerifyResponse):
    """The reward of a game: the sum of the rewards of its moves."""

    won: bool
    steps: int


class MinesweeperConfig(BaseResourcesServerConfig):
    """The settings of games whose row leaves them out: those of `mineflow.episode.Episode` but the seed."""

    board: str = "beginner"
    first_click: str = "safe"
    reward: str = "regret"
    split: str = "train"
    max_steps: int | None = None
    certain_moves: bool = False


class MinesweeperServer(SimpleResourcesServer):
    """Plays the games of sessions."""

    config: MinesweeperConfig
    _games: dict[str, Episode] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        app = super().setup_webserver()
        app.post("/open")(self.open)
        return app

    async def seed_session(self, request: Request, body: Row) -> BaseSeedSessionResponse:
        """Begins the game of a row. A row without a seed is refused, because its rollouts would play different games."""
        if body.seed is None:
            raise HTTPException(422, "the row has no seed; rollouts of a row must play the same game")
        of_row = body.model_dump()
        settings = {name: of_row.get(name, getattr(self.config, name, None)) for name in SETTINGS}
        try:
            self._games[request.session[SESSION_ID_KEY]] = Episode(**settings)
        except ValueError as error:
            raise HTTPException(422, str(error)) from error
        return BaseSeedSessionResponse()

    def _game(self, request: Request) -> Episode:
        """Returns the game of a session."""
        game = self._games.get(request.session[SESSION_ID_KEY])
        if game is None:
            raise HTTPException(409, "the session has no game; call /seed_session first")
        return game

    async def open(self, request: Request, body: Opening) -> dict[str, Any]:
        """Opens a cell. A wrong cell is told to the model, and the game does not change."""
        game = self._game(request)
        try:
            game.open(body.row, body.column)
        except ValueError as error:
            return {"error": str(error)}
        return {"board": game.said, "done": game.done}

    async def verify(self, request: Request, body: BaseVerifyRequest) -> Verified:
        """Ends a game. A game that was given up costs 1, as much as opening a proved mine."""
        game = self._game(request)
        del self._games[request.session[SESSION_ID_KEY]]
        return Verified(**body.model_dump(), reward=game.total - (not game.done), won=game.won, steps=game.steps)


if __name__ == "__main__":
    MinesweeperServer.run_webserver()
