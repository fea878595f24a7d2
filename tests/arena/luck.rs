//! Tests of luck-corrected measurement: the mean is the same for any value model, and the variance is lower for a good one.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mineflow_arena::{Arena, Configuration, PairedMean, Part, Plan};
use mineflow_minesweeper::optimum::Layouts;
use mineflow_minesweeper::player::{Limits, PlayerSpec, Seat, ValueModel};
use mineflow_minesweeper::{Board, FirstClick, Grid, Minefield};
use mineflow_model::{Publication, Registry};
use mineflow_rng::Seed;
use rand::RngExt;
use serde_json::{Value, json};

use crate::files::{repository, tempdir};

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
    let mut registry = Registry::open_or_new(Some(folder.path())).unwrap();
    let mut import = |player: &str, published: &str| {
        let file = repository()
            .join("models")
            .join(&built_in.row(published).unwrap().file);
        let bytes = fs::read(&file).unwrap();
        let publication = Publication {
            player,
            source: &file,
            bytes: &bytes,
            features: None,
            command: "",
        };
        registry.publish(&publication).unwrap();
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
    let mut trees: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
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
    let file = dir.path().join("noise.json");
    fs::write(&file, trees.to_string()).unwrap();
    ValueModel::load(&file).unwrap()
}

/// Plays one game on every layout that the first-click rule allows, and returns the luck of each game.
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
