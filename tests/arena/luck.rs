//! Luck-corrected measurement: the same mean whatever the value model says, and less variance where it says something.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mineflow_arena::{Arena, Configuration, PairedMean, Part, Plan};
use mineflow_minesweeper::player::{Limits, PlayerSpec, Seat, ValueModel};
use mineflow_minesweeper::{Board, FirstClick, Grid, Minefield};
use mineflow_model::Registry;
use mineflow_rng::Seed;
use rand::RngExt;
use serde_json::{Value, json};

use crate::files::{repository, tempdir};

/// What each game counts without its luck, and with it.
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

/// A model that says anything: trees whose leaves hold random numbers.
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

/// Mean and error of the luck of games.
fn luck(
    player: &str,
    board: &str,
    first_click: FirstClick,
    games: u32,
    model: &ValueModel,
) -> PairedMean {
    let played = played(player, board, first_click, games, model);
    PairedMean::of(played.iter().map(|(corrected, won)| won - corrected))
}

#[test]
fn luck_is_nothing_on_average_whatever_the_model_says() {
    let noise = noise();
    for (player, first_click) in [
        ("7.0", FirstClick::Any),
        ("3.0", FirstClick::Safe),
        ("2.5", FirstClick::Opening),
        ("10.0-fast", FirstClick::Safe),
    ] {
        let luck = luck(player, "5x4/5", first_click, 6000, &noise);
        assert!(
            luck.error > 0.02 / 6000f64.sqrt(),
            "luck is measured at all: {player}: {luck:?}"
        );
        assert!(
            luck.mean.abs() < 4.0 * luck.error,
            "{player}, {first_click}: {luck:?}"
        );
    }
}

#[test]
fn luck_over_all_layouts_adds_up_to_nothing() {
    let board: Board = "4x3/3".parse().unwrap();
    let grid = Arc::new(Grid::new(board));
    let noise = noise();
    for player in ["7.0", "10.0", "1.0", "4.0"] {
        let player = player.parse::<PlayerSpec>().unwrap().build();
        let mut seat = Seat::new(player, board, FirstClick::Any, Limits::default())
            .measure_luck(noise.clone());
        let (mut sum, mut most) = (0.0, 0.0_f64);
        for mines in (0u32..1 << 12).filter(|mines| mines.count_ones() == 3) {
            let cells: Vec<_> = board
                .all_cells()
                .filter(|cell| mines >> cell.0 & 1 == 1)
                .collect();
            let luck = seat
                .play_field(&Minefield::from_mines(grid.clone(), cells), Seed::new(1))
                .unwrap()
                .luck;
            sum += luck;
            most = most.max(luck.abs());
        }
        assert!(most > 0.1 && f64::abs(sum) < 1e-9, "{sum}, at most {most}");
    }
}

fn published(name: &str) -> ValueModel {
    let row = Registry::built_in().unwrap().row(name).unwrap().clone();
    ValueModel::load(&repository().join("models").join(row.file)).unwrap()
}

#[test]
fn published_models_take_half_of_the_variance() {
    for board in ["30x16/99", "16x16/40", "9x9/10"] {
        let model = published(&format!("value-{}-safe", board.replace('/', "-")));
        let games = 1500;
        let played = played("7.0", board, FirstClick::Safe, games, &model);
        let error = PairedMean::of(played.iter().map(|(corrected, _)| *corrected)).error;
        let raw = PairedMean::of(played.iter().map(|(_, won)| *won)).error;
        assert!(error < 0.71 * raw, "{board}: {error} and {raw}");
    }
}
