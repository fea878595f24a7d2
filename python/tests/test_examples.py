"""Tests that the examples in `examples/python` run at a small size, and that the program can play with the models that they train."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

PIPELINE = os.environ.get("PIPELINE")
EXAMPLES = pathlib.Path(os.environ.get("EXAMPLES", pathlib.Path(__file__).parents[2] / "examples" / "python"))


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def lacks(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


needs_program = pytest.mark.skipif(not PIPELINE, reason="PIPELINE names no program")


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated") / "rows"
    run(PIPELINE, "generate", "--rows", "20000", "--out", str(folder), "--quiet")
    return folder


def test_the_agent_learns():
    text = run(sys.executable, EXAMPLES / "train_agent.py", "--steps", "300", "--games", "500")
    before, after = (int(wins) for wins in re.findall(r": (\d+) of 500 games won", text))
    assert after > before + 10, text


@lacks("torch")
def test_ppo_trains_plays_and_writes_its_curve(tmp_path):
    few = ["--board", "4x4/2", "--minutes", "0.05", "--boards", "8", "--channels", "8", "--layers", "1", "--games", "50"]
    text = run(sys.executable, EXAMPLES / "ppo.py", *few, "--out", tmp_path / "ppo.pt")
    assert "of 50 games won" in text and (tmp_path / "ppo.pt").exists()
    assert (tmp_path / "ppo.csv").read_text().startswith("minutes,steps,regret,won\n0.00,256,")


@lacks("torch")
def test_the_network_of_the_whole_board_trains_continues_and_plays(tmp_path):
    few = ["--board", "5x4/3", "--channels", "8", "--blocks", "1", "--games", "50", "--out", tmp_path / "board.pt"]
    assert "of 50 games won" in run(sys.executable, EXAMPLES / "whole_board.py", *few, "--positions", "64")
    assert "of 50 games won" in run(sys.executable, EXAMPLES / "whole_board.py", *few, "--positions", "128")
    lines = (tmp_path / "board.csv").read_text().splitlines()
    assert lines[0] == "minutes,positions,loss,risk,missed" and [line.split(",")[1] for line in lines[1:]] == ["64", "128"]


@lacks("torch")
def test_the_published_network_of_the_whole_board_wins_expert_games():
    text = run(sys.executable, EXAMPLES / "whole_board.py", "--out", EXAMPLES / "whole_board.pt", "--games", "40")
    assert int(text.split(": ")[1].split()[0]) > 8, text


@lacks("pyarrow")
def test_written_positions_have_exact_probabilities_and_a_card(tmp_path):
    import numpy as np
    from pyarrow import parquet

    import mineflow

    few = ["--board", "8x6/9", "--positions", "1500", "--out", tmp_path / "set"]
    assert "1,500 positions" in run(sys.executable, EXAMPLES / "write_positions.py", *few)
    table = parquet.read_table(tmp_path / "set" / "positions.parquet")
    views, mine = (np.array(table[name].to_pylist()).reshape(1500, 6, 8) for name in ("view", "mine"))
    np.testing.assert_allclose(mine, mineflow.probabilities(views.astype(np.int8), 9), atol=1e-12)
    card = (tmp_path / "set" / "README.md").read_text()
    assert "8x6/9 (6 rows, 8 columns, 9 mines)" in card and "int8[48]" in card


@lacks("pyarrow")
def test_the_entry_of_a_simple_policy_is_reproduced():
    data = EXAMPLES.parents[1] / "data"
    if not data.is_dir():
        pytest.skip("outside the repository")
    printed = run(sys.executable, EXAMPLES / "score_policies.py", "least_mine", data / "guesses-report.parquet")
    entry = (data / "entries" / "least-mine.jsonl").read_text()
    assert printed == "".join(entry.splitlines(keepends=True)[1:])


@needs_program
@pytest.mark.parametrize(
    ("example", "player", "file", "options"),
    [
        pytest.param("train_trees.py", "5.0", "trees.json", ["--rounds", "5"], marks=lacks("polars", "xgboost")),
        pytest.param(
            "train_network.py",
            "5.5",
            "network.safetensors",
            ["--epochs", "2"],
            marks=lacks("polars", "safetensors", "torch"),
        ),
    ],
)
def test_what_is_trained_elsewhere_plays_here(example, player, file, options, rows, tmp_path):
    trained = tmp_path / file
    text = run(sys.executable, EXAMPLES / example, rows, trained, "--games", "300", *options)
    assert f"{player} ({file}) against {player} on 9x9/10" in text
    models = tmp_path / "models"
    run(PIPELINE, "models", "import", player, str(trained), "--models", str(models))
    played = run(PIPELINE, "eval", "--players", player, "--models", str(models), "--games", "300", "--json")
    import mineflow

    wins = mineflow.evaluate(mineflow.Player(player, model=trained), games=300, luck_corrected=False).wins
    assert f'"wins":{wins},' in played.replace(" ", "")
