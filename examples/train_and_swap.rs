//! Generates training rows in memory, trains a few boosted trees on them, and plays with player 5.0
//! using these trees instead of its own.
//!
//! `cargo run --release --example train_and_swap`

use std::error::Error;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;

use mineflow::arena::Estimate;
use mineflow::arena::{Arena, Configuration, Part, Plan};
use mineflow::learn::data::Table;
use mineflow::learn::train::Loss;
use mineflow::learn::train::trees::{TreesSettings, TreesTraining};
use mineflow::minesweeper::features::{PositionFeatures, RowSettings, classifier_v2};
use mineflow::minesweeper::player::{GameStart, Limits, PlayerSpec};
use mineflow::minesweeper::solver::Budget;
use mineflow::minesweeper::{Board, Cell, FirstClick, Game, Status};
use mineflow::rng::Seed;

const FEATURES: &dyn PositionFeatures = &classifier_v2::ClassifierV2;

/// Plays games with 4.5 and returns the training rows: for every candidate cell of each guess, its
/// features and the label, which is 1 if the cell is safe.
fn rows(board: Board, seed: Seed, games: u64) -> Result<Table, Box<dyn Error>> {
    let mut player = "4.5".parse::<PlayerSpec>()?.build();
    let mut game = Game::new(board, FirstClick::Safe);
    let mut table = Table::new(FEATURES.set().width());
    for number in 0..games {
        let seed = seed.child("game", number);
        game.start(seed);
        player.begin(&GameStart {
            board,
            first_click: FirstClick::Safe,
            seed: seed.child("player", 0),
        });
        while game.status() == Status::Playing {
            let decision = player.decide(game.view(), &mut Budget::unlimited())?;
            if let (Some(position), Some(field)) = (decision.position(game.view()), game.field()) {
                let candidates: Vec<Cell> = position.candidates().collect();
                table.features.extend(FEATURES.rows(
                    &position,
                    &RowSettings::default(),
                    &candidates,
                ));
                table.target.extend(
                    candidates
                        .iter()
                        .map(|&cell| f32::from(!field.is_mine(cell))),
                );
                table.game.resize(table.target.len(), seed.value());
            }
            for &cell in decision.cells {
                if game.status() == Status::Playing && !game.view().is_open(cell) {
                    game.open(cell)?;
                }
            }
        }
    }
    Ok(table)
}

fn main() -> Result<(), Box<dyn Error>> {
    let board: Board = "beginner".parse()?;
    let (train, validation) = (
        rows(board, Seed::new(1), 2000)?,
        rows(board, Seed::new(2), 500)?,
    );
    println!(
        "{} rows to learn from, {} to stop by",
        train.rows(),
        validation.rows()
    );

    let settings = TreesSettings {
        rounds: NonZeroU32::new(10).ok_or("no rounds")?,
        ..TreesSettings::default()
    };
    let mut training = TreesTraining::new(settings, Loss::Logarithmic, validation, 2)?;
    training.train_on(train)?;
    training.grow(u32::MAX, &AtomicBool::new(false), &mut |round, loss| {
        println!("tree {round}: validation log-loss {loss:.4}");
    })?;
    let trees = training.finish()?.ok_or("no tree was grown")?;

    // The artifact names the feature set that it was trained on. A player that computes another
    // feature set rejects the artifact.
    let set = FEATURES.set();
    let path = std::env::temp_dir().join("mineflow-train-and-swap.json");
    std::fs::write(
        &path,
        trees.to_xgboost(set.names, &[("features", set.name.to_owned())])?,
    )?;
    let players = ["4.5".parse()?, PlayerSpec::with_model_file("5.0", &path)?];

    let at = |player| Configuration {
        player,
        board,
        first_click: FirstClick::Safe,
        value_model: None,
    };
    let configurations = players.map(at).to_vec();
    let plan = Plan {
        configurations,
        games: 2000,
        part: Part::WHOLE,
        seed: Seed::new(3),
        limits: Limits::default(),
        sprt: None,
        threads: 2,
    };
    let mut arena = Arena::in_memory(plan);
    arena.play(&AtomicBool::new(false), &mut |_| ())?;
    for (Configuration { player, .. }, tally) in arena
        .plan()
        .configurations
        .iter()
        .zip(arena.ledger().tallies())
    {
        let Estimate { value, low, high } = Estimate::of_wins(tally.wins, tally.games);
        println!(
            "{}: {:.1} % won ({:.1} - {:.1})",
            player.name,
            100.0 * value,
            100.0 * low,
            100.0 * high
        );
    }
    Ok(())
}
