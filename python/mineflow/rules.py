"""Rules of environments and their presets, and what things are worth in them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rewards:
    """What is added to the reward of a step.

    win: the step wins the game.
    safe: the action opens a safe cell.
    mine: the action opens a mine.
    invalid: the action names an open cell.
    regret: a factor of the risk that was taken less the least risk there was, 0 to 1; -1.0 punishes a needless risk by its size.
    """

    win: float = 1.0
    safe: float = 0.0
    mine: float = 0.0
    invalid: float = 0.0
    regret: float = 0.0


@dataclass(frozen=True)
class Rules:
    """The rules of a game.

    board: WIDTHxHEIGHT/MINES, or "beginner", "intermediate", "expert".
    first_click: "safe" (the first cell is no mine), "opening" (nor are its neighbours, as far as there is room) or "any".
    cascade: whether a cell without mines around opens its neighbours.
    invalid: what an action on an open cell does: "ignore" (nothing) or "end" (the game is over, not won).
    max_steps: the steps after which a game is cut off; None is never.
    """

    board: str = "beginner"
    first_click: str = "safe"
    cascade: bool = True
    invalid: str = "ignore"
    max_steps: int | None = None
    rewards: Rewards = field(default_factory=Rewards)


PRESETS: dict[str, Rules] = {
    "safe": Rules(first_click="safe"),
    "opening": Rules(first_click="opening"),
    "any": Rules(first_click="any"),
    # jumanji's Minesweeper-v0: the first cell may be a mine, no cell opens others, an invalid action ends the game.
    "jumanji": Rules("10x10/10", "any", cascade=False, invalid="end", rewards=Rewards(win=0.0, safe=1.0)),
    # TextArena's Minesweeper-v0; its other boards are 5x5/5, 10x10/20 and 12x12/30. A mine ends the game here, there only the second
    # mistake in a row does.
    "textarena": Rules("8x8/10", "opening", max_steps=100),
}
"""Presets by name."""
