"""Trains a residual network of the whole board to predict exact mine probabilities, and plays with it.

    pip install "mineflow[gymnasium]" torch
    python whole_board.py --out whole_board.pt              # evaluates the published network, which lies beside this file
    python whole_board.py --board expert --out expert.pt    # trains another one

The network sees only a view: for each cell, one of ten channels says what it shows, and another one is the share of mines among the covered
cells. One forward pass predicts the mine probability of every cell, and the lowest prediction is played. A quarter of the positions are the
guesses of `mineflow.positions`, and the others come from games in which the network chooses the order of the moves: it opens the cells that
are proved safe, the safest by its own prediction first. If no cell is proved safe, the cell with the lowest exact probability is opened.
Thus the cells that the network finds hardest stay covered, and are learned. All labels are exact and every batch is mirrored at random.

The default 250,000 positions of expert take about 20 CPU minutes of one core, and the evaluation 10. Training can be interrupted: the same
command continues it with new games. The curve, whole_board.csv, has the CPU minutes, the number of positions, the loss, the risk of a move
(the exact mine probability of the cell with the lowest prediction minus the lowest one) and the share of moves that are not safe although
some cell is proved safe.
"""

import argparse
import csv
import os
import pathlib
import time

import numpy as np
import torch
from torch import nn

import mineflow
from mineflow.gymnasium import Minesweeper, MinesweeperVector

OWN, GUESSES = 48, 16  # positions of a batch
MOVES = 8  # the most cells that are opened between two positions of a game
CERTAIN, FAR = 2.0, 0.1  # the weights of proved cells and of cells without an open neighbour in the loss
RATE, WARM = 2e-3, 100  # the highest learning rate, and the number of batches before it is reached
SURE = -7.0  # the policy opens all cells with log-odds below this without another look


class Network(nn.Module):
    """Maps views int8[B, H, W] and the number of mines to the log-odds [B, H, W] that each cell is a mine."""

    def __init__(self, channels: int, blocks: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(11, channels, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(blocks))
        self.last = nn.Conv2d(channels, 1, 1)

    def forward(self, views: torch.Tensor, mines: int) -> torch.Tensor:
        # The share of mines also shows the network where the board ends.
        covered = (views < 0).sum((1, 2)).clamp(min=1)
        share = (mines / covered).view(-1, 1, 1, 1).expand(-1, 1, *views.shape[1:])
        shown = nn.functional.one_hot(views.long() + 1, 10).permute(0, 3, 1, 2)
        hidden = torch.cat([shown, share], 1).to(memory_format=torch.channels_last)
        hidden = torch.relu(self.first(hidden))
        for block in self.blocks:
            hidden = hidden + torch.relu(block(hidden))
        return self.last(hidden).squeeze(1)


class Games:
    """Games in which the network chooses the order of the moves."""

    def __init__(self, board: str, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.envs = MinesweeperVector(OWN, "opening", board=board, autoreset_mode="SameStep", threads=1)
        self.views, _ = self.envs.reset(seed=seed)

    def advance(self, odds: np.ndarray, mine: np.ndarray) -> None:
        """Opens up to MOVES proved cells of each game, those with the lowest odds first, or else the safest cell."""
        odds, mine = odds.reshape(OWN, -1), np.nan_to_num(mine.reshape(OWN, -1), nan=1.0)
        safe = mine == 0.0
        order = np.where(safe, odds, np.inf).argsort(1)
        guess = (mine + 1e-9 * self.rng.random(mine.shape)).argmin(1)
        for move in range(self.rng.integers(1, MOVES + 1)):
            left = np.minimum(move, safe.sum(1) - 1)
            cells = np.where(left < 0, guess, order[np.arange(OWN), left])
            self.views, *_ = self.envs.step(cells)


def loss_of(odds, views, mine):
    """Returns the weighted mean of the cross entropy of the covered cells, given the exact probabilities, NaN for open cells."""
    covered = (~mine.isnan()).float()
    near = nn.functional.max_pool2d((views >= 0).float(), 3, 1, 1)
    target = mine.nan_to_num().float()
    proved = (target == 0.0) | (target == 1.0)
    weights = covered * (FAR + (1 - FAR) * near) * (1 + (CERTAIN - 1) * proved)
    losses = nn.functional.binary_cross_entropy_with_logits(odds, target, reduction="none")
    return (weights * losses).sum() / weights.sum()


def train(network, given, board, mines):
    """Trains until `--positions` are seen, and writes the checkpoint and the curve."""
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    done = {"positions": 0, "minutes": 0.0}
    curve = pathlib.Path(given.out).with_suffix(".csv")
    if os.path.exists(given.out):
        done = torch.load(given.out)
        network.load_state_dict(done["network"])
        if "optimizer" in done:
            optimizer.load_state_dict(done["optimizer"])
    else:
        curve.write_text("minutes,positions,loss,risk,missed\n")
    # A continued training plays other games than those before.
    seed = given.seed + done["positions"]
    rng, games = np.random.default_rng(seed), [Games(board, seed + OWN * number) for number in range(4)]
    guesses = mineflow.positions(board, GUESSES, seed, first_click="opening")
    began, sums, batches = time.process_time(), np.zeros(3), 0
    spent, total = done["minutes"], done["positions"]
    while total < given.positions:
        own, extra = games[batches % len(games)], next(guesses)
        mine = mineflow.probabilities(own.views, mines, on_error="nan", threads=1)
        views, exact = np.concatenate([own.views, extra.views]), np.concatenate([mine, extra.mine])
        flips = [axis for axis in (1, 2) if rng.random() < 0.5]
        seen, target = (torch.from_numpy(np.flip(array, flips).copy()) for array in (views, exact))
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (batches + 1) / WARM) * (1 - total / given.positions)
        odds = network(seen, mines)
        loss = loss_of(odds, seen, target)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        odds = np.flip(odds.detach().numpy(), flips)[:OWN]
        covered = np.where(own.views < 0, odds, np.inf).reshape(OWN, -1)
        flat = np.nan_to_num(mine.reshape(OWN, -1), nan=1.0)
        chosen, least = flat[np.arange(OWN), covered.argmin(1)], flat.min(1)
        sums += [loss.item(), (chosen - least).mean(), ((chosen > 0) & (least == 0)).mean()]
        own.advance(odds, mine)
        total, batches = total + OWN + GUESSES, batches + 1
        if batches % 50 == 0 or total >= given.positions:
            minutes = spent + (time.process_time() - began) / 60
            means = sums / (batches % 50 or 50)
            with curve.open("a", newline="") as file:
                csv.writer(file, lineterminator="\n").writerow([f"{minutes:.2f}", total, *(f"{mean:.5f}" for mean in means)])
            shown = f"loss {means[0]:.4f}, risk {means[1]:.5f}, missed {means[2]:.5f}"
            print(f"{minutes:.1f} minutes, {total:,} positions, {shown}", flush=True)
            sums[:] = 0
            saved = {"network": network.state_dict(), "positions": total, "minutes": minutes}
            if total < given.positions:
                saved["optimizer"] = optimizer.state_dict()
            torch.save(saved, given.out + ".part")
            os.replace(given.out + ".part", given.out)


class WholeBoard(mineflow.Policy):
    """Opens the cell with the lowest prediction. If no prediction is sure, it is the mean over mirrored boards."""

    def __init__(self, network: Network) -> None:
        self.network, self.sure = network, {}

    def new_games(self, games, mines, first_click):
        self.mines = mines
        self.sure |= {game: [] for game in games.tolist()}

    def odds(self, views, flips=()):
        with torch.no_grad():
            odds = self.network(torch.from_numpy(np.flip(views, flips).copy()), self.mines).numpy()
        return np.where(views < 0, np.flip(odds, flips), np.inf).reshape(len(views), -1)

    def act(self, views, games):
        cells, flat = np.full(len(views), -1), views.reshape(len(views), -1)
        for index, game in enumerate(games.tolist()):
            left = [cell for cell in self.sure[game] if flat[index, cell] < 0]
            cells[index], self.sure[game] = (left[0], left[1:]) if left else (-1, [])
        asked = np.flatnonzero(cells < 0)
        if len(asked):
            odds = self.odds(views[asked])
            unsure = odds.min(1) > SURE
            if unsure.any():
                ways = [self.odds(views[asked[unsure]], flips) for flips in ((1,), (2,), (1, 2))]
                odds[unsure] = (odds[unsure] + sum(ways)) / 4
            cells[asked] = odds.argmin(1)
            for game, row in zip(games[asked].tolist(), odds, strict=True):
                order = row.argsort()[: (row <= SURE).sum()]
                self.sure[game] = order[1:].tolist()
        return cells


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--board", default="expert")
    arguments.add_argument("--positions", type=int, default=250_000, help="positions to train on")
    arguments.add_argument("--channels", type=int, default=32)
    arguments.add_argument("--blocks", type=int, default=12)
    arguments.add_argument("--seed", type=int, default=1_000_000, help="seed of the training games")
    arguments.add_argument("--games", type=int, default=4000, help="games of the evaluation, of seed 1")
    arguments.add_argument("--out", default="whole_board.pt", help="the checkpoint; the curve is written beside it")
    arguments.add_argument("--score", metavar="SET", help="a guess set of which to print the scores, instead of evaluating games")
    given = arguments.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    network = Network(given.channels, given.blocks).to(memory_format=torch.channels_last)
    mines = Minesweeper(board=given.board).mines
    train(network, given, given.board, mines)
    if given.score:
        return print(mineflow.score(WholeBoard(network), given.score).json_lines(), end="")
    kind = dict(first_click="opening", games=given.games, luck_corrected=False, batch=256)
    return print(mineflow.evaluate(WholeBoard(network), given.board, **kind))


if __name__ == "__main__":
    main()
