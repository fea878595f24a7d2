"""Trains the boosted trees of player 5.0 with XGBoost, and compares them with the built-in ones.

    pip install ./python polars xgboost      # in the repository
    pipeline generate --rows 2000000 --out rows
    python train_trees.py rows trees.json
    pipeline models import 5.0 trees.json --models my-models    # from now on 5.0 with --models my-models
"""

import argparse

import polars
import xgboost

import mineflow

FEATURES = ["width", "height", "mines", "row", "col", "probability", "boundary_size", "argmin_cell", "location_score"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("rows", help="a folder of `pipeline generate`")
    arguments.add_argument("file", help="where the trees are written")
    arguments.add_argument("--rounds", type=int, default=30)
    arguments.add_argument("--games", type=int, default=20_000)
    given = arguments.parse_args()

    table = polars.read_parquet(f"{given.rows}/rows")
    held_out = table["game"] % 10 == 9
    parts = [table.filter(~held_out), table.filter(held_out)]
    train, validation = (
        xgboost.DMatrix(part.select(FEATURES).to_numpy(), part["label"].to_numpy(), feature_names=FEATURES)
        for part in parts
    )
    settings = {"objective": "binary:logistic", "max_depth": 6, "eta": 0.3, "nthread": 1, "seed": 1}
    # The score never rises with the mine probability.
    settings["monotone_constraints"] = {"probability": -1}
    booster = xgboost.train(settings, train, given.rounds, [(validation, "validation")], verbose_eval=10)
    # Programs that read the file compute the feature set that it names, or reject the file.
    booster.set_attr(features="classifier-v2")
    booster.save_model(given.file)
    print(mineflow.compare(mineflow.Player("5.0", model=given.file), "5.0", games=given.games))


if __name__ == "__main__":
    main()
