"""Trains the classifier of player 5.5 with PyTorch, and compares it with the built-in one.

    pip install ./python polars safetensors torch      # in the repository
    pipeline generate --rows 2000000 --out rows
    python train_network.py rows network.safetensors
    pipeline models import 5.5 network.safetensors --models my-models    # from now on 5.5 with --models my-models

The rows are those of `pipeline generate`: nine features of a covered cell (`classifier-v2`), and whether the cell was safe. The network is
that of table 1 of Sinha et al.: 9, 9, 5 and 5 units with ReLU, and a sigmoid output.
"""

import argparse

import numpy as np
import polars
import torch
from safetensors.numpy import save_file

import mineflow

FEATURES = ["width", "height", "mines", "row", "col", "probability", "boundary_size", "argmin_cell", "location_score"]
WIDTHS = [9, 9, 9, 5, 5, 1]


def read(folder):
    """Returns the features float32[R, 9] and labels float32[R] of nine games in ten, then those of the held-out tenth."""
    table = polars.read_parquet(f"{folder}/rows")
    held_out = (table["game"] % 10 == 9).to_numpy()
    features, labels = table.select(FEATURES).to_numpy(), table["label"].to_numpy()
    return (features[~held_out], labels[~held_out]), (features[held_out], labels[held_out])


def train(features, labels, epochs, rate=2e-3, batch=4096):
    """Trains the network. Returns its layers, and the means and standard deviations of the inputs."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    mean, deviation = features.mean(0), features.std(0)
    deviation[deviation == 0] = 1
    inputs = torch.from_numpy((features - mean) / deviation)
    targets = torch.from_numpy(labels)
    layers = [torch.nn.Linear(inner, outer) for inner, outer in zip(WIDTHS, WIDTHS[1:], strict=False)]
    network = torch.nn.Sequential(*[part for layer in layers for part in (layer, torch.nn.ReLU())][:-1])
    optimizer = torch.optim.Adam(network.parameters(), rate)
    steps = epochs * (len(inputs) // batch + 1)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.01, steps)
    loss_of = torch.nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        order, total = torch.randperm(len(inputs)), 0.0
        for rows in order.split(batch):
            loss = loss_of(network(inputs[rows])[:, 0], targets[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch + 1}: log-loss {total / len(inputs):.4f}")
    return layers, mean, deviation


def write(path, layers, mean, deviation):
    """Writes the file that mineflow reads. `docs/src/formats.md` describes its layout."""
    tensors = {"input.mean": mean, "input.deviation": deviation}
    for index, layer in enumerate(layers):
        tensors[f"layers.{index}.weight"] = layer.weight.detach().numpy()
        tensors[f"layers.{index}.bias"] = layer.bias.detach().numpy()
    activations = ",".join(["relu"] * (len(layers) - 1) + ["sigmoid"])
    metadata = {"format": "1", "kind": "mlp", "features": "classifier-v2", "activations": activations}
    save_file(tensors, path, metadata=metadata)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("rows", help="a folder of `pipeline generate`")
    arguments.add_argument("file", help="where the network is written")
    arguments.add_argument("--epochs", type=int, default=10)
    arguments.add_argument("--games", type=int, default=20_000)
    given = arguments.parse_args()

    (features, labels), held_out = read(given.rows)
    layers, mean, deviation = train(features, labels, given.epochs)
    write(given.file, layers, mean, deviation)
    print(f"{len(features)} rows learnt, {len(held_out[0])} held out, {np.mean(held_out[1]):.3f} of them safe")
    # mineflow reads the file back with its own inference, and compares the model with the built-in one on the same games.
    print(mineflow.compare(mineflow.Player("5.5", model=given.file), "5.5", games=given.games))


if __name__ == "__main__":
    main()
