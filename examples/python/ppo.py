"""Trains a convolutional policy by proximal policy optimisation (PPO, Schulman et al. 2017), and evaluates it.

    pip install "mineflow[gymnasium]" torch
    python ppo.py --rules unsloth --channels 32 --layers 3 --minutes 10 --out ppo.pt

The network sees only views: for each cell, one of ten channels says what it shows. The action mask leaves the covered cells. The reward of
a step is minus its regret, the exact mine probability of the opened cell minus the lowest one, which does not depend on luck;
`--reward win` pays 1 for a safe step or a win and -1 for a mine instead. The curve, ppo.csv, has the CPU minutes of training, the number of
steps, the mean regret of a step and the share of the finished games that were won.
"""

import argparse
import csv
import time
from dataclasses import replace

import numpy as np
import torch
from torch import nn

import mineflow
from mineflow.gymnasium import MinesweeperVector

REWARDS = {"regret": mineflow.Rewards(win=0.0, regret=-1.0), "win": mineflow.Rewards(win=1.0, safe=1.0, mine=-1.0)}
STEPS, EPOCHS, PARTS = 32, 3, 8
DISCOUNT, TRACE, CLIP, ENTROPY = 0.5, 0.9, 0.2, 0.003


class Network(nn.Module):
    """Maps views int8[B, H, W] to the logits of the cells [B, H * W], minus infinity for open ones, and to values [B]."""

    def __init__(self, channels: int, layers: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(11, channels, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(layers))
        self.policy, self.value = nn.Conv2d(channels, 1, 1), nn.Linear(channels, 1)

    def forward(self, views: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        # A channel of ones shows the network where the board ends.
        shown = nn.functional.one_hot(views.long() + 1, 10).permute(0, 3, 1, 2).float()
        hidden = torch.relu(self.first(torch.cat([shown, torch.ones_like(shown[:, :1])], 1)))
        for block in self.blocks:
            hidden = hidden + torch.relu(block(hidden))
        logits = self.policy(hidden).flatten(1).masked_fill(views.flatten(1) >= 0, -1e9)
        return logits, self.value(hidden.mean((2, 3))).squeeze(1)


def rollout(network, envs, views):
    """Plays STEPS steps in all environments. Returns the batch, the next views, the regrets, and the numbers of finished and won games."""
    batch = {name: [] for name in ("views", "actions", "chances", "values", "rewards", "ended")}
    regrets, finished, won = [], 0, 0
    for _ in range(STEPS):
        with torch.no_grad():
            logits, values = network(torch.from_numpy(views))
        drawn = torch.distributions.Categorical(logits=logits)
        actions = drawn.sample()
        batch["views"].append(torch.from_numpy(views.copy()))
        views, rewards, ended, _, infos = envs.step(actions.numpy())
        won, finished = won + int(infos["won"].sum()), finished + int(ended.sum())
        regrets.append(np.nanmean(infos["regret"]))
        batch["actions"].append(actions)
        batch["chances"].append(drawn.log_prob(actions))
        batch["values"].append(values)
        batch["rewards"].append(torch.from_numpy(rewards).float())
        batch["ended"].append(torch.from_numpy(ended))
    with torch.no_grad():
        batch["values"].append(network(torch.from_numpy(views))[1])
    return {name: torch.stack(values) for name, values in batch.items()}, views, float(np.mean(regrets)), finished, won


def advantages(batch):
    """Returns the generalised advantages of the steps (Schulman et al. 2016), [STEPS, N]."""
    found, later = torch.zeros_like(batch["rewards"]), torch.zeros_like(batch["rewards"][0])
    for step in reversed(range(STEPS)):
        goes_on = 1.0 - batch["ended"][step].float()
        error = batch["rewards"][step] + DISCOUNT * goes_on * batch["values"][step + 1] - batch["values"][step]
        later = error + DISCOUNT * TRACE * goes_on * later
        found[step] = later
    return found


def learn(network, optimizer, batch):
    """Makes EPOCHS passes over a batch with the clipped objective."""
    gained = advantages(batch)
    targets = (gained + batch["values"][:-1]).flatten()
    gained = ((gained - gained.mean()) / (gained.std() + 1e-8)).flatten()
    views, actions, chances = (batch[name].flatten(0, 1) for name in ("views", "actions", "chances"))
    for _ in range(EPOCHS):
        for part in torch.randperm(len(views)).chunk(PARTS):
            logits, values = network(views[part])
            drawn = torch.distributions.Categorical(logits=logits)
            ratio = torch.exp(drawn.log_prob(actions[part]) - chances[part])
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            gain = torch.minimum(ratio * gained[part], clipped * gained[part]).mean()
            loss = 0.5 * (values - targets[part]).square().mean() - gain - ENTROPY * drawn.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rules", choices=mineflow.PRESETS, default="safe")
    arguments.add_argument("--board", help="another board than that of the rules")
    arguments.add_argument("--minutes", type=float, default=10.0, help="CPU minutes of training")
    arguments.add_argument("--reward", choices=REWARDS, default="regret")
    arguments.add_argument("--boards", type=int, default=128, help="environments at once")
    arguments.add_argument("--channels", type=int, default=64)
    arguments.add_argument("--layers", type=int, default=6)
    arguments.add_argument("--games", type=int, default=10_000, help="games of the evaluation")
    arguments.add_argument("--out", default="ppo.pt", help="where the weights are written; the curve is written beside it")
    arguments.add_argument("--score", metavar="SET", help="score the trained weights in --out on a guess set instead of training")
    given = arguments.parse_args()

    torch.manual_seed(1)
    network = Network(given.channels, given.layers)

    def ppo(views):
        with torch.no_grad():
            return network(torch.from_numpy(views))[0].argmax(1)

    if given.score:
        network.load_state_dict(torch.load(given.out))
        return print(mineflow.score(ppo, given.score).json_lines(), end="")
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    rules = mineflow.PRESETS[given.rules]
    rules = replace(rules, board=given.board or rules.board, rewards=REWARDS[given.reward])
    envs = MinesweeperVector(given.boards, rules, regret=True, autoreset_mode="SameStep", threads=1)
    views, _ = envs.reset(seed=1)
    began, steps = time.process_time(), 0
    with open(given.out.removesuffix(".pt") + ".csv", "w", newline="") as file:
        curve = csv.writer(file, lineterminator="\n")
        curve.writerow(["minutes", "steps", "regret", "won"])
        while (minutes := (time.process_time() - began) / 60) < given.minutes:
            # The rate falls to zero at the end.
            optimizer.param_groups[0]["lr"] = 1e-3 * (1 - minutes / given.minutes)
            batch, views, regret, finished, won = rollout(network, envs, views)
            learn(network, optimizer, batch)
            steps += STEPS * given.boards
            curve.writerow([f"{minutes:.2f}", steps, f"{regret:.4f}", f"{won / max(finished, 1):.4f}"])
            file.flush()
    torch.save(network.state_dict(), given.out)
    rule = dict(first_click=rules.first_click, cascade=rules.cascade)
    return print(mineflow.evaluate(ppo, rules.board, **rule, games=given.games))


if __name__ == "__main__":
    main()
