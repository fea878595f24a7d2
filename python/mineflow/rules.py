"""The rules and rewards of environments, and presets of rules."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Rewards:
    """The terms whose sum is the reward of a step.

    win: added if the step wins the game.
    safe: added if the action opens a safe cell.
    mine: added if the action opens a mine.
    invalid: added if the action names an open cell.
    regret: the factor of the regret, which is the mine probability of the opened cell minus the minimum one, 0 to 1. With -1.0, the reward
        falls by the regret.
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
    first_click: "safe" (the first cell is not a mine), "opening" (neither are its neighbours, as far as there is room) or "any".
    cascade: whether a cell without neighbouring mines opens its neighbours.
    invalid: the effect of an action on an open cell: "ignore" (none) or "end" (the game ends and is not won).
    max_steps: the number of steps after which a game is truncated; None for no limit.
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
    # TextArena's Minesweeper-v0, whose other boards are 5x5/5, 10x10/20 and 12x12/30. Here a mine ends the game; in TextArena, only a
    # second mistake in a row ends it.
    "textarena": Rules("8x8/10", "opening", max_steps=100),
    # GEM's game:Minesweeper-v0-hard. The easy board is 5x5/5 with 25 steps, the default one 8x8/10 with 20. GEM also asks for a flag on every
    # mine, and pays for the share of the safe cells that a step opens.
    "gem": Rules("8x8/12", "opening", max_steps=64),
    # KORGym's 38-minesweeper draws squares with a side of 10 to 20 and 10 mines to twice the side; this board is in the middle. There, an
    # opened number also opens the zeros beside it, and flags on all mines win too.
    "korgym": Rules("15x15/20", "any", max_steps=100),
    # The Minesweeper notebook of Unsloth: a cell that is open or off the board ends the game.
    "unsloth": Rules("6x6/5", "any", invalid="end"),
}
"""Presets by name."""
