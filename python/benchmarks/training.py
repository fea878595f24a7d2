"""Compares the CPU time of a pass of `pipeline train-network` with PyTorch's on the same rows.

    python python/benchmarks/training.py PIPELINE ROWS    (PyTorch, pyarrow)

Both train layers of 64 and 64 on the rows of a folder of `pipeline generate --rows N`, with Adam, batches of 1,024 and one thread.
A pass is a quarter of the difference between trainings of five passes and of one, so that neither start nor reading counts.
"""

import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet
import torch


def ours(pipeline, rows, passes):
    """Returns the CPU seconds of a training."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [pipeline, "--threads", "1", "--quiet", "train-network", "--data", rows, "--layers", "64 relu, 64 relu",
             "--epochs", str(passes), "--out", pathlib.Path(folder, "network")],
            check=True, stdout=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def theirs(inputs, targets, passes):
    """Returns the CPU seconds of a training by PyTorch."""
    torch.manual_seed(1)
    network = torch.nn.Sequential(
        torch.nn.Linear(inputs.shape[1], 64), torch.nn.ReLU(), torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1)
    )
    optimizer = torch.optim.Adam(network.parameters())
    loss_of = torch.nn.BCEWithLogitsLoss()
    began = time.process_time()
    for _ in range(passes):
        order = torch.randperm(len(inputs))
        for batch in order.split(1024):
            optimizer.zero_grad()
            loss = loss_of(network(inputs[batch]).squeeze(1), targets[batch])
            loss.backward()
            optimizer.step()
    return time.process_time() - began


def main():
    pipeline, rows = sys.argv[1:]
    torch.set_num_threads(1)
    table = pyarrow.parquet.read_table(pathlib.Path(rows, "rows"))
    label = table.column_names.index("label")
    columns = [torch.from_numpy(column.to_numpy().astype("float32")) for column in table.columns[: label + 1]]
    inputs = torch.stack(columns[:label], dim=1)
    inputs = (inputs - inputs.mean(0)) / inputs.std(0).clamp(min=1e-6)
    targets = columns[label]
    # The program trains on the games that it holds out for neither validation nor testing, four fifths of the rows.
    four_fifths = len(inputs) * 4 // 5
    inputs = inputs[:four_fifths]
    targets = targets[:four_fifths]
    for _ in range(3):
        mine = (ours(pipeline, rows, 5) - ours(pipeline, rows, 1)) / 4
        torchs = (theirs(inputs, targets, 5) - theirs(inputs, targets, 1)) / 4
        print(f"{four_fifths:,} rows a pass: {mine:.2f} CPU s, PyTorch {torch.__version__} {torchs:.2f} CPU s, ratio {mine / torchs:.2f}")


if __name__ == "__main__":
    main()
