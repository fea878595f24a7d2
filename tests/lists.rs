//! Listwise loss: what trees and networks learn by it, and that it is the same however they are interrupted.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use mineflow::learn::data::Table;
use mineflow::learn::model::{Activation, Forest, ForestScratch, Metadata, Mlp, MlpScratch};
use mineflow::learn::train::trees::{Loss, Trees, TreesSettings, TreesTraining};
use mineflow::learn::train::{Device, Layer, Lists, Network, Optimizer, Output, Schedule, Trainer, TrainerSettings};
use mineflow::learn::{Column, FeatureSet, Target};
use mineflow::rng::Seed;
use rand::RngExt;

const COLUMNS: [&str; 3] = ["rank", "x", "of the list"];
const RANK: usize = 0;
const TEMPERATURE: f64 = 0.1;

/// Lists of four rows, labelled `x` squared and something a hundred times as large that all rows of the list share.
fn table(lists: usize, seed: u64) -> Table {
    with_shared(lists, seed, 100.0)
}

fn with_shared(lists: usize, seed: u64, shared: f32) -> Table {
    let mut rng = Seed::new(seed).rng();
    let mut table = Table::new(COLUMNS.len());
    for list in 0..lists {
        let shared: f32 = rng.random_range(-shared..shared);
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
fn found_best(predict: impl Fn(&[f32]) -> Vec<f32>) -> f64 {
    let held_out = table(500, 3);
    let predicted = predict(&held_out.features);
    let best = |values: &[f32]| (0..4).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
    let lists = predicted.chunks(4).zip(held_out.target.chunks(4));
    lists.filter(|(found, labels)| best(found) == best(labels)).count() as f64 / 500.0
}

#[test]
fn rows_are_compared_within_their_list_alone() {
    let (lists, squares) = (finished(training(LISTWISE, 1)), finished(training(Loss::SquaredError, 1)));
    let by = |trees: &Trees| found_best(|rows| trees.predict(rows).unwrap());
    let (by_lists, by_squares) = (by(&lists), by(&squares));
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

const NUMBERS: [Column; 3] = [
    Column::float("rank", "", (0.0, 3.0), "place"),
    Column::float("x", "", (-1.0, 1.0), "any"),
    Column::float("of the list", "", (-1.0, 1.0), "any"),
];
static LISTS: FeatureSet =
    FeatureSet { name: "lists", columns: &NUMBERS, names: &COLUMNS, target: Target::Gain, turn: |_, _| () };
const NETWORK: Network = Network {
    name: "lists",
    features: &LISTS,
    hidden: &[Layer::new(16, Activation::Relu)],
    output: Output::Rank { rank: RANK, temperature: TEMPERATURE as f32 },
};

fn trainer(threads: usize, from: &Table) -> Trainer {
    let settings = TrainerSettings {
        network: NETWORK,
        optimizer: Optimizer::Adam,
        schedule: Schedule::constant(0.01),
        clip: None,
        batch: 200,
        device: Device::Ndarray,
        seed: Seed::new(1),
        threads,
    };
    Trainer::new(settings, from).unwrap()
}

/// Labels of lists for a network, which lie in -1 to 1, and of which two differ by as much as the temperature.
fn labelled(lists: usize, seed: u64) -> Table {
    let mut table = with_shared(lists, seed, 2.0);
    table.target.iter_mut().for_each(|target| *target /= 3.0);
    table
}

#[test]
fn a_network_learns_lists_and_its_loss_is_that_of_the_definition() {
    let (train, held_out) = (labelled(2000, 1), labelled(300, 2));
    let mut networks = [1, 3].map(|threads| trainer(threads, &train));
    let mut last = Vec::new();
    for trainer in &mut networks {
        for epoch in 0..6 {
            trainer.epoch(&train, epoch, &AtomicBool::new(false), &mut |_| ()).unwrap().unwrap();
        }
        last.push(trainer.mlp(Metadata::new("lists")).unwrap());
    }
    assert!(last[0] == last[1], "threads change the network");
    let predict = |network: &Mlp, rows: &[f32]| {
        let mut found = Vec::new();
        network.predict(rows, &mut found, &mut MlpScratch::default());
        found
    };
    let share = found_best(|rows| predict(&last[0], rows));
    assert!(share > 0.9, "{share}");
    let lists = Lists::of(&held_out, RANK, f64::from(TEMPERATURE as f32));
    let expected = lists.loss(&predict(&last[0], &held_out.features), &held_out.target);
    let found = networks[0].validate(&held_out).unwrap();
    assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    assert!(networks[0].compare(&last[0], &held_out).unwrap() < 1e-6);
}

#[test]
fn lists_of_several_lengths_stay_together() {
    // One list of three rows and one of a single row, whatever is in them.
    let mut table = Table::new(3);
    table.features = [0.0, 1.0, 2.0, 0.0].iter().flat_map(|&rank| [rank, 0.3 * rank - 0.2, 0.1]).collect();
    table.target = vec![0.02, -0.05, 0.03, 0.4];
    table.game = vec![1, 1, 1, 2];
    let trainer = trainer(1, &table);
    let mut found = Vec::new();
    let network = trainer.mlp(Metadata::new("lists")).unwrap();
    network.predict(&table.features, &mut found, &mut MlpScratch::default());
    let expected = Lists::of(&table, RANK, f64::from(TEMPERATURE as f32)).loss(&found, &table.target);
    assert!((trainer.validate(&table).unwrap() - expected).abs() < 1e-6);
}
