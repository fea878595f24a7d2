//! Tests of training trees: what the trees learn, and when training stops.

use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;

use mineflow_learn::data::Table;
use mineflow_learn::train::Loss;
use mineflow_learn::train::trees::{Trees, TreesError, TreesSettings, TreesTraining, score};
use mineflow_model::{AnyModel, Forest, Model, ModelScratch};
use mineflow_rng::Seed;
use rand::RngExt;

const COLUMNS: [&str; 3] = ["x", "y", "noise"];

fn forest_of(trees: &Trees) -> Forest {
    match AnyModel::from_bytes(&bytes(trees)) {
        Ok(AnyModel::Forest(forest)) => forest,
        other => panic!("{other:?}"),
    }
}

/// Returns rows of three numbers. The label is 1 with the probability that `chance` computes from
/// the first two numbers.
fn table(rows: usize, seed: u64, chance: impl Fn(f32, f32) -> f64) -> Table {
    let mut rng = Seed::new(seed).rng();
    let mut table = Table::new(3);
    for row in 0..rows {
        let numbers: [f32; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        table
            .target
            .push(f32::from(rng.random_bool(chance(numbers[0], numbers[1]))));
        table.features.extend(numbers);
        table.game.push(row as u64);
    }
    table
}

fn checkerboard(x: f32, y: f32) -> f64 {
    if x * y > 0.0 { 0.9 } else { 0.1 }
}

fn settings(rounds: u32, patience: u32) -> TreesSettings {
    TreesSettings {
        rounds: NonZeroU32::new(rounds).unwrap(),
        patience: NonZeroU32::new(patience).unwrap(),
        ..TreesSettings::default()
    }
}

fn training(settings: TreesSettings, threads: usize) -> TreesTraining {
    let tables = (table(4000, 1, checkerboard), table(1000, 2, checkerboard));
    training_on(settings, tables, threads).unwrap()
}

fn training_on(
    settings: TreesSettings,
    (train, validation): (Table, Table),
    threads: usize,
) -> Result<TreesTraining, TreesError> {
    let mut training = TreesTraining::new(settings, Loss::Logarithmic, validation, threads)?;
    training.train_on(train)?;
    Ok(training)
}

/// Grows trees and returns whether the training run is finished.
fn grow(training: &mut TreesTraining, rounds: u32) -> bool {
    let stop = AtomicBool::new(false);
    assert!(!training.grow(rounds, &stop, &mut |_, _| ()).unwrap());
    training.is_finished()
}

fn finished(mut training: TreesTraining) -> Trees {
    assert!(grow(&mut training, u32::MAX));
    training.finish().unwrap().unwrap()
}

fn bytes(trees: &Trees) -> Vec<u8> {
    trees
        .to_xgboost(&COLUMNS, &[("features", "synthetic".to_owned())])
        .unwrap()
}

#[test]
fn trees_of_a_falling_column_never_rise_with_it() {
    // The probability rises with x while x is negative and falls afterwards. Only unconstrained
    // trees can follow it.
    let hill = |x: f32, y: f32| {
        if x < 0.0 {
            f64::from(0.5 + 0.4 * x + 0.05 * y)
        } else {
            f64::from(0.5 - 0.4 * x)
        }
    };
    let rises = |falling| {
        let settings = TreesSettings {
            falling,
            ..settings(20, 20)
        };
        let tables = (table(6000, 1, hill), table(1000, 2, hill));
        let training = training_on(settings, tables, 1).unwrap();
        let trees = finished(training);
        let row = |x: i32| [x as f32 / 100.0, 0.3, 0.1];
        let rows: Vec<f32> = (-100..=100).flat_map(row).collect();
        trees
            .predict(&rows)
            .unwrap()
            .windows(2)
            .filter(|pair| pair[1] > pair[0])
            .count()
    };
    assert!(rises(None) > 3);
    assert_eq!(rises(Some(0)), 0);
}

#[test]
fn trees_learn_and_give_relevant_columns_importance() {
    let trees = finished(training(settings(40, 40), 1));
    let held_out = table(4000, 3, checkerboard);
    let (log_loss, auc) = score(
        &trees.predict(&held_out.features).unwrap(),
        &held_out.target,
    )
    .unwrap();
    // The label's own probabilities, the best possible predictions, have a log loss of 0.325 and an
    // AUC of 0.9.
    assert!(log_loss < 0.36 && auc > 0.88, "{log_loss} {auc}");
    let importance = trees.importance(3);
    assert!(
        importance[2].total_gain < 0.2 * importance[0].total_gain.min(importance[1].total_gain),
        "{importance:?}"
    );
}

#[test]
fn the_file_read_back_agrees_with_the_trainer() {
    let trees = finished(training(settings(20, 20), 1));
    let forest = forest_of(&trees);
    assert_eq!(
        (forest.features(), forest.trees(), forest.width()),
        (Some("synthetic"), trees.best_round, 3)
    );
    assert_eq!(forest.columns(), COLUMNS);
    let rows = table(1000, 4, checkerboard).features;
    let mut found = Vec::new();
    forest.append(&rows, &mut found, &mut ModelScratch::default());
    let expected = trees.predict(&rows).unwrap();
    assert!(
        found
            .iter()
            .zip(&expected)
            .all(|(a, b)| (a - b).abs() <= 1e-6)
    );
}

#[test]
fn training_stops_early_and_keeps_the_best_round() {
    let noise = |_: f32, _: f32| 0.5;
    let tables = (table(2000, 1, noise), table(2000, 2, noise));
    let mut training = training_on(settings(500, 7), tables, 1).unwrap();
    assert!(grow(&mut training, 500));
    let losses = training.losses().to_vec();
    let best = (0..losses.len())
        .min_by(|&a, &b| losses[a].total_cmp(&losses[b]))
        .unwrap();
    assert_eq!(losses.len(), best + 1 + 7);
    let trees = training.finish().unwrap().unwrap();
    assert_eq!(
        (trees.best_round, trees.validation_loss),
        (best + 1, losses[best])
    );
    assert_eq!(forest_of(&trees).trees(), best + 1);
}

#[test]
fn later_trees_may_grow_on_rows_of_one_label() {
    let one_label = || Table {
        target: vec![1.0; 4000],
        ..table(4000, 3, checkerboard)
    };
    let mut training = training(settings(30, 30), 1);
    assert!(!grow(&mut training, 5));
    training.train_on(one_label()).unwrap();
    assert!(!grow(&mut training, 5));
    assert!(training.losses().iter().all(|loss| loss.is_finite()));
}

#[test]
fn unusable_training_rows_are_refused() {
    let good = || table(100, 1, checkerboard);
    let with = |change: &dyn Fn(&mut Table)| {
        let mut table = good();
        change(&mut table);
        table
    };
    let cases: [(Table, Table, &str); 7] = [
        (Table::new(3), good(), "no training rows"),
        (good(), Table::new(3), "no validation rows"),
        (
            with(&|t| t.features[7] = f32::NAN),
            good(),
            "training row 2, column 1: NaN",
        ),
        (
            good(),
            with(&|t| t.features[3] = f32::INFINITY),
            "validation row 1, column 0: inf",
        ),
        (
            with(&|t| t.target[5] = 0.5),
            good(),
            "training row 5: the target 0.5 is not 0 or 1",
        ),
        (
            with(&|t| t.target.fill(1.0)),
            good(),
            "every one of the 100 training rows has the target 1",
        ),
        (
            with(&|t| t.width = 2),
            good(),
            "the training rows have 2 columns, not 3",
        ),
    ];
    for (train, validation, expected) in cases {
        let error = training_on(settings(5, 5), (train, validation), 1)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
    let bad = TreesSettings {
        learning_rate: -1.0,
        ..settings(5, 5)
    };
    let error = training_on(bad, (good(), good()), 1)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("these settings can't be used") && error.contains("eta"),
        "{error}"
    );
}

#[test]
fn boosting_goes_on_from_the_trees_of_a_file() {
    let first = finished(training(settings(3, 3), 1));
    let (file, rounds) = (bytes(&first), first.best_round);
    let from = |threads| {
        let mut more = training(settings(8, 8), threads);
        more.start_from(Trees::from_xgboost(&file, rounds).unwrap());
        more
    };
    let mut more = from(1);
    grow(&mut more, 3);
    let (checkpoint, losses) = (more.checkpoint().unwrap().unwrap(), more.losses().to_vec());
    let more = finished(more);
    assert!(more.best_round > rounds && more.best_round <= rounds + 8);
    assert!(more.validation_loss < first.validation_loss);
    let forest = forest_of(&more);
    assert_eq!(forest.trees(), more.best_round);

    let mut resumed = from(2);
    resumed.resume(&checkpoint, losses).unwrap();
    assert_eq!(bytes(&finished(resumed)), bytes(&more));
    assert!(Trees::from_xgboost(b"{}", 3).is_err());
}
