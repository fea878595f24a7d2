"""Tests of players, and tests that measurements of players equal those of the program."""

import json
import os
import subprocess

import numpy as np
import pytest

import mineflow
from mineflow import Player, compare, evaluate

PIPELINE = os.environ.get("PIPELINE")
NAMED = ["4.0", "5.5", "11.0"]
KINDS = [("beginner", "safe"), ("8x8/10", "any"), ("16x16/40", "opening")]


def test_players_have_names_and_recipes():
    names = {name: recipe for name, recipe, *_ in mineflow.players()}
    assert {"1.0", "11.0", "agent"} <= names.keys()
    assert Player("3.0").recipe == names["3.0"] and repr(Player("3.0")) == 'Player("3.0")'
    assert Player("dss+components+min-p").recipe == names["3.0"]
    for name, words in [("99.0", "player: "), ("", "player: "), ("dss+nothing", "nothing")]:
        with pytest.raises(ValueError, match=words):
            Player(name)
    with pytest.raises(ValueError, match="player: "):
        Player("5.0", model="/nowhere/trees.json")
    with pytest.raises(ValueError, match="player: "):
        Player("7.0", model="/nowhere/trees.json")


@pytest.mark.parametrize("name", [*NAMED, "7.0", "agent"])
def test_a_player_opens_a_covered_cell_and_a_safe_one_where_there_is_one(name, positions):
    cells = Player(name).act(positions, 10)
    rows = np.arange(len(positions))
    flat = positions.reshape(len(positions), -1)
    assert (flat[rows, cells] < 0).all()
    for threads in (1, 2):
        np.testing.assert_array_equal(Player(name).act(positions, 10, threads=threads), cells)
    if name in ("7.0", "11.0"):
        begun = (flat >= 0).any(axis=1)
        safe = mineflow.safe_cells(positions, 10).reshape(len(positions), -1)
        assert safe[rows, cells][safe.any(axis=1) & begun].all()


def test_a_player_says_what_it_chooses_from_and_why(places):
    player = Player("11.0")
    found = player.candidates(places, 1)
    assert found["cells"].tolist() == [1, 2, 3] and found["chosen"] == player.act(places[None], 1)[0]
    np.testing.assert_allclose(found["mine"], 1 / 3)
    explained = player.explain(places, 1)
    assert explained["reason"] == "guess" and "guesses" in explained["text"] and "33.33 %" in explained["text"]
    assert "in 1 of 3 solutions of these 3 cells" in explained["text"]
    assert len(explained["candidates"]) == 3
    for candidate in explained["candidates"]:
        np.testing.assert_allclose(candidate["mine"], 1 / 3)
        np.testing.assert_allclose(sum(candidate["numbers"]) + candidate["mine"], 1)
    certain = np.array([[0, -1]], np.int8)
    assert player.explain(certain, 0)["reason"] == "certain"
    assert player.candidates(certain, 0)["mine"].tolist() == [0.0]
    fresh = np.full((9, 9), -1, np.int8)
    assert player.explain(fresh, 10)["reason"] == "first click"


def test_positions_without_a_move_are_refused_by_index(places):
    over = np.array([[0, 1, -1]], np.int8)
    views = np.array([[[-1, -1, -1]], over], np.int8)
    with pytest.raises(ValueError, match=r"views\[1\]: no safe cell is covered"):
        Player("11.0").act(views, 1)
    with pytest.raises(ValueError, match=r"views\[1\]: .*contradicts itself"):
        Player("11.0").act(np.array([places, [[8, 8], [-1, -1]]], np.int8), 1)
    with pytest.raises(ValueError, match="first_click"):
        Player("11.0").act(views, 1, first_click="none")


def test_positions_without_a_move_may_be_ignored(places):
    finished = [[0, 1, -1], [0, 1, 1]]
    all_open = [[0, 0, 0], [0, 0, 0]]
    contradictory = [[8, -1, 8], [-1, -1, -1]]
    malformed = [[77, -2, -1], [-1, -1, -1]]
    views = np.array([finished, [[-1] * 3] * 2, all_open, contradictory, malformed, [[1, -1, -1], [1, -1, -1]]], np.int8)
    playable = np.array([False, True, False, False, False, True])
    for name in ("4.0", "11.0", "agent"):
        player = Player(name)
        cells = player.act(views, 1, on_error="ignore")
        assert cells[~playable].tolist() == [2, -1, 1, 1]
        np.testing.assert_array_equal(cells[playable], player.act(views[playable], 1))
        with pytest.raises(ValueError, match=r"views\[0\]: no safe cell is covered"):
            player.act(views, 1)
    np.testing.assert_array_equal(Player("11.0").act(np.repeat(views, 900, 0), 1, on_error="ignore")[::900], cells_of("11.0", views))
    few = Player("11.0").act(views, [1, 99, 0, 1, 1, -5], on_error="ignore")
    assert few[[1, 5]].tolist() == [0, 1], "so are views whose mines don't fit"
    assert Player("11.0").act(views[5:], 1, on_error="ignore", node_limit=0).tolist() == [1]
    for word in ("nan", "Ignore"):
        with pytest.raises(ValueError, match=f'on_error: `{word}` is neither "raise" nor "ignore"'):
            Player("11.0").act(views, 1, on_error=word)
    with pytest.raises(ValueError, match='on_error: `ignore` is neither "raise" nor "nan"'):
        mineflow.probabilities(views, 1, on_error="ignore")


def cells_of(name, views):
    return Player(name).act(views, 1, on_error="ignore")


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_player_plays_a_vector_of_environments(mode):
    """In the mode "NextStep", finished games wait for one step while others continue. Moves for finished games are not played."""
    import mineflow.gymnasium as of

    envs = of.MinesweeperVector(64, "safe", board="5x5/3", autoreset_mode=mode)
    player = Player("7.0")
    seen, infos = envs.reset(seed=1)
    wins = games = 0
    for _ in range(60):
        cells = player.act(seen, 3, on_error="ignore")
        allowed = infos["action_mask"][np.arange(64), cells]
        assert (allowed[cells >= 0] == 1).all()
        seen, _, ended, _, infos = envs.step(cells)
        wins += infos["won"].sum()
        games += ended.sum()
    assert games > 200 and wins > 0.7 * games


def test_seeds_may_be_of_any_size():
    for seed in (2**64, 2**127 + 3, 2**200):
        one, again = (evaluate("1.0", "4x4/2", games=200, seed=seed, luck_corrected=False).won for _ in range(2))
        np.testing.assert_array_equal(one, again)
        other = evaluate("1.0", "4x4/2", games=200, seed=seed + 1, luck_corrected=False).won
        assert (one != other).any()
        assert compare("1.0", "4.0", "4x4/2", games=200, seed=seed, luck_corrected=False).a.wins == one.sum()
        view = np.full((20, 8, 8), -1, np.int8)
        assert (Player("1.0").act(view, 10, seed=seed) >= 0).all()
        assert Player("4.0").candidates(view[0], 10, seed=seed)["chosen"] is not None
        assert Player("4.0").explain(view[0], 10, seed=seed)["text"]
    with pytest.raises(TypeError):
        evaluate("4.0", games=1, seed=1.5)


def seven(views):
    """Plays as 7.0 does, but as a function, which gets only views."""
    return Player("7.0").act(views, 10)


def test_a_function_is_measured_like_a_player():
    own = evaluate(seven, games=400, batch=64)
    named = evaluate("7.0", games=400)
    assert own.player == "seven" and named.player == "7.0"
    # Ties are broken with another seed, and thus only nearly all games have the same result.
    assert (own.won == named.won).mean() > 0.9
    assert abs(own.corrected_win_ratio - named.corrected_win_ratio) < 0.02
    np.testing.assert_allclose(own.guesses, named.guesses, rtol=0.1)
    again = evaluate(seven, games=400, batch=7, threads=1)
    np.testing.assert_array_equal(own.won, again.won)
    np.testing.assert_array_equal(own.corrected, again.corrected)


def test_luck_correction_has_the_same_mean_and_less_spread():
    result = evaluate("7.0", "8x8/10", first_click="any", games=3000)
    low, high = result.corrected_interval
    assert result.interval[0] < result.corrected_win_ratio < result.interval[1]
    assert high - low < 0.7 * (result.interval[1] - result.interval[0])
    np.testing.assert_allclose(result.corrected.mean(), result.corrected_win_ratio)
    assert result.won.sum() == result.wins and result.games == 3000 and "8x8/10" in str(result)


def test_random_play_is_judged_without_luck_too():
    rng = np.random.default_rng(10)

    def random(views):
        flat = views.reshape(len(views), -1)
        return ((flat < 0) * rng.random(flat.shape)).argmax(axis=1)

    result = evaluate(random, "4x4/2", games=2000)
    low, high = result.corrected_interval or result.interval
    assert low - 0.02 < result.win_ratio < high + 0.02 and result.guesses > 0


def test_a_few_games_have_the_exact_interval_of_the_raw_rate():
    result = evaluate("7.0", games=5)
    assert result.corrected_interval is None and "the luck-corrected rate has no interval, or a wider one" in str(result)
    assert result.interval[1] - result.interval[0] > 0.4
    result = compare("7.0", "4.0", games=1)
    assert result.corrected_interval is None and result.corrected_p_value is None
    assert result.verdict == "no_difference_shown" and result.interval[1] - result.interval[0] > 1


@pytest.mark.parametrize("threads", [1, 2])
def test_results_do_not_depend_on_threads(threads):
    expected = evaluate("11.0", "8x8/10", games=300, threads=3)
    found = evaluate("11.0", "8x8/10", games=300, threads=threads)
    np.testing.assert_array_equal(found.won, expected.won)
    np.testing.assert_array_equal(found.corrected, expected.corrected)


def test_without_a_cascade_a_player_that_opens_what_is_safe_wins_the_same_games():
    games = [evaluate("7.0", "10x10/10", first_click="any", games=500, cascade=cascade) for cascade in (True, False)]
    np.testing.assert_array_equal(games[0].won, games[1].won)
    assert games[0].guesses == games[1].guesses


def test_two_players_are_compared_on_the_same_games():
    result = compare("7.0", "dss+components+min-p", "8x8/10", games=2000, luck_corrected=True)
    assert result.a.player == "7.0" and result.a.games == result.games == 2000
    assert result.both + result.only_a + result.only_b + result.neither == 2000
    assert result.only_a == (result.a.won & ~result.b.won).sum()
    assert result.interval[0] <= result.difference <= result.interval[1]
    assert result.verdict in ("a_stronger", "no_difference_shown") and "7.0 against" in str(result)
    function = compare(seven, "7.0", games=300, luck_corrected=False)
    assert function.corrected_difference is None and abs(function.difference) < 0.05


def test_a_sequential_test_ends_early():
    def worst(views):
        flat = views.reshape(len(views), -1)
        mine = np.nan_to_num(mineflow.probabilities(views, 10, threads=1), nan=-1).reshape(flat.shape)
        return np.where((flat >= 0).any(axis=1), mine.argmax(axis=1), 0)

    result = compare("7.0", worst, games=20_000, luck_corrected=False, sprt=(0, 5))
    assert result.verdict == "accepted" and result.games == 500 and result.llr > 2.9


@pytest.mark.parametrize(
    ("policy", "kwargs", "words"),
    [
        ("99.0", {}, "player: "),
        (3, {}, "policy: expected a name, a recipe, a Player, a Policy or a function"),
        ("7.0", {"board": "9x9"}, "board: "),
        ("7.0", {"first_click": "none"}, "first_click: "),
        ("7.0", {"games": 0}, "games: 0, and must be 1 to"),
        ("7.0", {"games": 2**31}, "games: 2147483648, and must be 1 to"),
        (seven, {"batch": 2**40}, "batch: 1099511627776, and must be 1 to"),
        ("7.0", {"value_model": "/nowhere.json"}, "value_model: "),
        (lambda views: np.zeros(len(views), np.int64), {}, "policy: of game 0, move 0 of the batch: .*cell 0 is open"),
        (lambda views: np.full(len(views), 81), {}, "policy: move 0 of the batch is 81; cells are 0 to 80"),
        (lambda views: np.zeros(1, np.int64), {}, r"policy: its answer: expected an array or a list of \d+ integers"),
        (lambda views: None, {}, "got NoneType"),
    ],
)
def test_what_cannot_be_measured_is_refused(policy, kwargs, words):
    with pytest.raises(ValueError, match=words):
        evaluate(policy, **{"games": 50, **kwargs})


def test_what_a_function_raises_comes_through():
    def wrong(views):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        evaluate(wrong, games=3)


@pytest.mark.skipif(not PIPELINE, reason="PIPELINE names no program")
def test_the_program_plays_the_same_games(tmp_path):
    """For every player and board, the program has the same wins in each game, the same guesses, and the same luck to the last bit."""
    for board, rule in KINDS:
        folder = tmp_path / f"{board.replace('/', '-')}-{rule}"
        command = [PIPELINE, "eval", "--players", ",".join(NAMED), "--boards", board, "--first-click", rule]
        command += ["--games", "300", "--seed", "3", "--luck-corrected", "--out", str(folder), "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        records = [json.loads(line)[1] for line in (folder / "journal.jsonl").read_text().splitlines()]
        for index, name in enumerate(NAMED):
            result = evaluate(name, board, first_click=rule, games=300, seed=3)
            own = [record for record in records if record["configuration"] == index]
            won, luck = np.zeros(300, bool), np.zeros(300, np.int64)
            for record in own:
                first, games, digits = record["first"], record["games"], record["won"]
                words = [int(digits[at : at + 16], 16) for at in range(0, len(digits), 16)]
                bits = [words[game // 64] >> game % 64 & 1 for game in range(games)]
                won[first : first + games] = bits
                units = [int(record["luck"][at : at + 8], 16) for at in range(0, 8 * games, 8)]
                luck[first : first + games] = np.array(units, np.uint32).astype(np.int32)
            np.testing.assert_array_equal(result.won, won)
            np.testing.assert_array_equal(result.corrected, won - luck / 2**24)
            assert result.guesses == sum(record["guesses"] for record in own)


@pytest.mark.skipif(not PIPELINE, reason="PIPELINE names no program")
def test_the_program_counts_the_same_bits(positions):
    lines = "".join(
        json.dumps({"width": 9, "height": 9, "mines": 10, "rows": mineflow.render(view, 10).splitlines()[1:]}) + "\n"
        for view in positions
    )
    answers = subprocess.run([PIPELINE, "solve", "--json"], input=lines, capture_output=True, text=True, check=True)
    found = mineflow.probabilities(positions, 10)
    for index, line in enumerate(answers.stdout.splitlines()):
        answer = json.loads(line)
        expected = np.array([[np.nan if p is None else p for p in row] for row in answer["mine_probability"]])
        np.testing.assert_array_equal(found[index], expected)
        solution = mineflow.solve(positions[index], 10)
        assert str(solution["solutions"]) == answer["solutions"]
        assert solution["safe"].tolist() == answer["safe"] and solution["mines"].tolist() == answer["mines"]
