//! Tests of luck-corrected measurement: the mean is the same for any value model, and the variance
//! is lower for a good one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mineflow_arena::{Arena, Confidence, Configuration, Ledger, Paired, PairedMean, Part, Plan};
use mineflow_arena::{Record, Records, Verdict};
use mineflow_minesweeper::optimum::Layouts;
use mineflow_minesweeper::player::{GameEnd, Limits, Outcome, PlayerSpec, Seat, ValueModel};
use mineflow_minesweeper::{Board, FirstClick, Grid, Minefield};
use mineflow_model::{Artifact, Registry, Row};
use mineflow_rng::Seed;
use rand::RngExt;
use serde_json::{Value, json};

use crate::files::{read_bytes, repository, tempdir, write_file};

/// Plays games and returns the result of each game with and without luck correction.
fn played(
    player: &str,
    board: &str,
    first_click: FirstClick,
    games: u32,
    model: &ValueModel,
) -> Vec<(f64, f64)> {
    let value_model = Some(model.clone());
    let (player, board) = (player.parse().unwrap(), board.parse().unwrap());
    let configurations = vec![Configuration {
        player,
        board,
        first_click,
        value_model,
    }];
    let (part, limits) = (Part::WHOLE, Limits::default());
    let plan = Plan {
        configurations,
        games,
        part,
        seed: Seed::new(12),
        limits,
        sprt: None,
        threads: 2,
    };
    let mut arena = Arena::in_memory(plan);
    arena.play(&AtomicBool::new(false), &mut |_| ()).unwrap();
    let tally = &arena.ledger().tallies()[0];
    let won = |game: usize| f64::from((tally.won()[game / 64] >> (game % 64) & 1) as u8);
    tally
        .corrected()
        .unwrap()
        .enumerate()
        .map(|(game, corrected)| (corrected, won(game)))
        .collect()
}

#[test]
fn the_value_model_is_that_of_the_board_and_those_of_the_folder_come_first() {
    let board: Board = "8x8/10".parse().unwrap();
    let built_in = Registry::built_in().unwrap();
    let sha256 = |registry: &Registry, board: Board| {
        ValueModel::registered(registry, board, FirstClick::Safe)
            .unwrap()
            .sha256
    };
    let of = |name: &str| built_in.row(name).unwrap().sha256.clone();
    assert_eq!(sha256(&built_in, board), of("value-8x8-10-safe"));
    assert_eq!(sha256(&built_in, "7x8/10".parse().unwrap()), of("value"));

    let folder = tempdir();
    let mut registry = Registry::open_or_new(Some(&folder)).unwrap();
    let mut import = |player: &str, published: &str| {
        let file = repository()
            .join("models")
            .join(&built_in.row(published).unwrap().file);
        let artifact = Artifact::read(&file).unwrap();
        let row = Row::new(player, &artifact, "value-v1").unwrap();
        registry.publish(&row, &artifact.bytes).unwrap();
        registry.clone()
    };
    let general = import("value", "value-9x9-10-safe");
    assert_eq!(sha256(&general, board), of("value-9x9-10-safe"));
    let own = import("value-8x8-10-safe", "value-30x16-99-safe");
    assert_eq!(sha256(&own, board), of("value-30x16-99-safe"));
}

/// Returns a value model without information: trees with random numbers in their leaves.
fn noise() -> ValueModel {
    let registry = Registry::built_in().unwrap();
    let row = registry.row("value-8x8-10-safe").unwrap();
    let file = repository().join("models").join(&row.file);
    let mut trees: Value = serde_json::from_slice(&read_bytes(file)).unwrap();
    let mut rng = Seed::new(4).rng();
    for tree in trees
        .pointer_mut("/learner/gradient_booster/model/trees")
        .unwrap()
        .as_array_mut()
        .unwrap()
    {
        let leaves: Vec<_> = tree["left_children"]
            .as_array()
            .unwrap()
            .iter()
            .map(|child| *child == json!(-1))
            .collect();
        for (node, _) in leaves.iter().enumerate().filter(|(_, is_leaf)| **is_leaf) {
            tree["split_conditions"][node] = json!(rng.random_range(-0.4..0.4));
        }
    }
    let dir = tempdir();
    let file = dir.join("noise.json");
    write_file(&file, trees.to_string());
    ValueModel::load(&file).unwrap()
}

/// Plays one game on every layout that the first-click rule allows, and returns the luck of each
/// game.
fn luck_on_all_layouts(
    player: &str,
    board: Board,
    rule: FirstClick,
    model: &ValueModel,
) -> Vec<f64> {
    let player = player.parse::<PlayerSpec>().unwrap().build();
    let mut seat = Seat::new(player, board, rule, Limits::default()).measure_luck(model.clone());
    let (grid, seed) = (Arc::new(Grid::new(board)), Seed::new(1));
    let first = seat.first_cell(seed).unwrap().unwrap();
    let played = |mines: u64| {
        let cells = board.all_cells().filter(|cell| mines >> cell.0 & 1 == 1);
        let field = Minefield::from_mines(grid.clone(), cells);
        seat.play_field(&field, seed).unwrap().luck
    };
    Layouts::of(board, rule, first).iter().map(played).collect()
}

/// For each first-click rule, a board on which the first click leaves a few hundred layouts.
const ENUMERATED: [(FirstClick, &str); 3] = [
    (FirstClick::Any, "4x3/3"),
    (FirstClick::Safe, "4x3/3"),
    (FirstClick::Opening, "5x4/3"),
];

/// Asserts that the luck is measured and sums to zero over all layouts.
fn assert_adds_up_to_nothing(player: &str, model: &ValueModel) {
    for (rule, board) in ENUMERATED {
        let luck = luck_on_all_layouts(player, board.parse().unwrap(), rule, model);
        let sum: f64 = luck.iter().sum();
        let most = luck.iter().fold(0.0_f64, |most, luck| most.max(luck.abs()));
        assert!(
            luck.len() > 100 && most > 0.1 && sum.abs() < 1e-9,
            "{player}, {rule}: {sum} over {} layouts, at most {most}",
            luck.len()
        );
    }
}

#[test]
fn luck_over_all_layouts_sums_to_zero_for_any_model() {
    let noise = noise();
    for player in ["1.0", "2.5", "3.0", "4.0", "7.0", "11.0-fast", "11.0"] {
        assert_adds_up_to_nothing(player, &noise);
    }
}

#[test]
fn luck_by_a_published_model_sums_to_zero() {
    assert_adds_up_to_nothing("11.0", &published("value"));
}

fn published(name: &str) -> ValueModel {
    let row = Registry::built_in().unwrap().row(name).unwrap().clone();
    ValueModel::load(&repository().join("models").join(row.file)).unwrap()
}

#[test]
fn published_models_halve_the_variance() {
    for board in ["30x16/99", "16x16/40", "9x9/10"] {
        let model = published(&format!("value-{}-safe", board.replace('/', "-")));
        let games = 1500;
        let played = played("7.0", board, FirstClick::Safe, games, &model);
        let error = PairedMean::of(played.iter().map(|(corrected, _)| *corrected)).error;
        let raw = PairedMean::of(played.iter().map(|(_, won)| *won)).error;
        assert!(error < 0.71 * raw, "{board}: {error} and {raw}");
    }
}

/// Returns the share of series of `games` games for which `contains` returns true, over at most
/// 1,000 series.
fn coverage<T>(results: &[T], games: usize, contains: impl Fn(&[T]) -> bool) -> f64 {
    let series = results.chunks_exact(games).take(1000);
    let (all, held) = (
        series.len(),
        series.filter(|series| contains(series)).count(),
    );
    held as f64 / all as f64
}

/// The lengths of the series, each with the share of intervals that must contain the true value.
const COVERAGE: [(usize, f64); 7] = [
    (1, 0.9),
    (2, 0.9),
    (5, 0.9),
    (20, 0.93),
    (50, 0.93),
    (200, 0.93),
    (500, 0.93),
];

#[test]
fn intervals_of_few_games_contain_the_true_win_rate() {
    let model = published("value-9x9-10-safe");
    let played = played("7.0", "9x9/10", FirstClick::Safe, 100_000, &model);
    // The win rate of ten million games.
    let truth = 0.91559;
    let by_normal = coverage(&played, 5, |series| {
        let mean = PairedMean::of(series.iter().map(|(corrected, _)| *corrected));
        (mean.mean - truth).abs() < 1.96 * mean.error
    });
    assert!(by_normal < 0.7, "{by_normal}");
    for (games, least) in COVERAGE {
        let held = coverage(&played, games, |series| {
            let mut record = Record::new(0, 0);
            for (corrected, won) in series {
                let end = if *won == 1.0 {
                    GameEnd::Won
                } else {
                    GameEnd::Lost
                };
                let (luck, guesses, nodes) = (won - corrected, 0, 0);
                let outcome = Outcome {
                    end,
                    guesses,
                    luck,
                    nodes,
                };
                record.add(outcome, true);
            }
            let mut ledger = Ledger::new(1, 0..games as u32);
            ledger.add(&record).unwrap();
            let rate = ledger.tallies()[0].win_rate();
            let shown = rate.interval.unwrap_or(rate.raw);
            assert!(shown.width() > 0.0 && shown.contains(shown.value));
            shown.contains(truth)
        });
        assert!(held >= least, "{games} games: {held}");
    }
}

/// The corrected and the raw results of two players in the same game.
type PlayedPair = ((f64, f64), (f64, f64));

#[test]
fn intervals_of_few_pairs_contain_the_true_difference() {
    let model = published("value-9x9-10-safe");
    let of = |player| played(player, "9x9/10", FirstClick::Safe, 100_000, &model);
    let pairs: Vec<_> = of("11.0-fast").into_iter().zip(of("7.0")).collect();
    let difference = |series: &[PlayedPair]| {
        PairedMean::of(
            series
                .iter()
                .map(|(a, b)| a.0 - b.0)
                .collect::<Vec<_>>()
                .into_iter(),
        )
    };
    let truth = difference(&pairs).mean;
    for (games, least) in COVERAGE {
        let held = coverage(&pairs, games, |series| {
            let count = |a: f64, b: f64| {
                let is = |((_, won_a), (_, won_b)): &&PlayedPair| (*won_a, *won_b) == (a, b);
                series.iter().filter(is).count() as u64
            };
            let paired = Paired {
                both: count(1.0, 1.0),
                only_a: count(1.0, 0.0),
                only_b: count(0.0, 1.0),
                neither: count(0.0, 0.0),
            };
            let (confidence, mean) = (Confidence::default(), difference(series));
            let raw = paired.interval(confidence);
            let improves = mean.improves(raw, confidence);
            let shown = if improves {
                mean.interval(confidence)
            } else {
                raw
            };
            let verdict = Verdict::of_all_games(paired, improves.then_some(mean), confidence);
            assert!(shown.width() > 0.0 && mean.p_value() >= 0.5_f64.powi(games as i32 - 1));
            assert!(games > 5 || verdict == Verdict::NoDifferenceShown);
            shown.contains(truth)
        });
        assert!(held >= least, "{games} games: {held}");
    }
}
