//! Listwise loss: what trees learn by it, and that it is the same however they are interrupted.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use mineflow::learn::data::Table;
use mineflow::learn::model::{Forest, ForestScratch};
use mineflow::learn::train::Lists;
use mineflow::learn::train::trees::{Loss, Trees, TreesSettings, TreesTraining};
use mineflow::rng::Seed;
use rand::RngExt;

const COLUMNS: [&str; 3] = ["rank", "x", "of the list"];
const RANK: usize = 0;
const TEMPERATURE: f64 = 0.1;

/// Lists of four rows, labelled `x` squared and something a hundred times as large that all rows of the list share.
fn table(lists: usize, seed: u64) -> Table {
    let mut rng = Seed::new(seed).rng();
    let mut table = Table::new(COLUMNS.len());
    for list in 0..lists {
        let shared: f32 = rng.random_range(-100.0..100.0);
        for rank in 0..4 {
            let x: f32 = rng.random_range(-1.0..1.0);
            table.features.extend([rank as f32, x, rng.random_range(-1.0..1.0)]);
            table.target.push(x * x + shared);
            table.game.push(list as u64);
        }
    }
    table
}

fn training(loss: Loss, threads: usize) -> TreesTraining {
    let rounds = NonZeroUsize::new(40).unwrap();
    let settings = TreesSettings { rounds: 40, patience: rounds, ..TreesSettings::default() };
    TreesTraining::new(settings, loss, table(1000, 1), table(300, 2), threads).unwrap()
}

const LISTWISE: Loss = Loss::Listwise { rank: RANK, temperature: TEMPERATURE };

fn finished(mut training: TreesTraining) -> Trees {
    while training.losses().len() < 40 {
        training.grow(7, &AtomicBool::new(false), &mut |_| ()).unwrap();
    }
    training.finish().unwrap().unwrap()
}

fn bytes(trees: &Trees) -> Vec<u8> {
    trees.to_xgboost(&COLUMNS, &[]).unwrap()
}

/// The share of lists whose best row is found.
fn found_best(trees: &Trees) -> f64 {
    let held_out = table(500, 3);
    let predicted = trees.predict(&held_out.features).unwrap();
    let best = |values: &[f32]| (0..4).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
    let lists = predicted.chunks(4).zip(held_out.target.chunks(4));
    lists.filter(|(found, labels)| best(found) == best(labels)).count() as f64 / 500.0
}

#[test]
fn rows_are_compared_within_their_list_alone() {
    let (lists, squares) = (finished(training(LISTWISE, 1)), finished(training(Loss::SquaredError, 1)));
    let (by_lists, by_squares) = (found_best(&lists), found_best(&squares));
    assert!(by_lists > 0.85 && by_squares < 0.6, "{by_lists} {by_squares}");
    let forest = Forest::from_bytes(&bytes(&lists)).unwrap();
    let rows = table(50, 4).features;
    let mut found = Vec::new();
    forest.predict(&rows, &mut found, &mut ForestScratch::default());
    let expected = lists.predict(&rows).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-6));
}

#[test]
fn the_loss_is_that_of_the_definition_and_least_where_labels_are_predicted() {
    let mut pair = Table::new(3);
    pair.features = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    pair.target = vec![5.1, 5.0];
    let lists = Lists::of(&pair, RANK, TEMPERATURE);
    let loss = |predicted: &[f32]| lists.loss(predicted, &pair.target);
    // The first has the chance 1 / (1 + 1/e).
    let chance = 1.0 / (1.0 + (-1.0_f64).exp());
    let expected = |first: f64| -(chance * first.ln() + (1.0 - chance) * (1.0 - first).ln());
    assert!((loss(&[0.0, 0.0]) - 2.0_f64.ln()).abs() < 1e-6);
    assert!((loss(&[0.2, 0.0]) - expected(1.0 / (1.0 + (-2.0_f64).exp()))).abs() < 1e-6);
    let least = loss(&[-0.3, -0.4]);
    assert!((least - expected(chance)).abs() < 1e-6);
    assert!(least < loss(&[0.11, 0.0]) && least < loss(&[0.09, 0.0]));
}

#[test]
fn the_same_trees_grow_on_any_number_of_threads_and_from_a_checkpoint() {
    let unbroken = bytes(&finished(training(LISTWISE, 1)));
    assert!(bytes(&finished(training(LISTWISE, 3))) == unbroken);
    let mut first = training(LISTWISE, 2);
    first.grow(9, &AtomicBool::new(false), &mut |_| ()).unwrap();
    let mut second = training(LISTWISE, 2);
    second.resume(&first.checkpoint().unwrap().unwrap(), first.losses().to_vec()).unwrap();
    assert!(bytes(&finished(second)) == unbroken);
}
