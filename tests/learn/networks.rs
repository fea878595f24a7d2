//! Tests of training networks: what the networks learn, and that interruptions don't change the
//! result.

use std::sync::atomic::AtomicBool;

use mineflow_learn::data::Table;
use mineflow_learn::train::{
    Device, Layer, Network, Optimizer, Output, RowsError, Schedule, TrainError, Trainer,
    TrainerSettings, classifier, q,
};
use mineflow_minesweeper::features::{classifier_v2, q_v2};
use mineflow_model::{Activation, Column, FeatureSet, Metadata, Mlp, Target};
use mineflow_rng::Seed;
use rand::RngExt;

/// Returns `rows` rows of nine inputs on very different scales, with the targets that `target`
/// computes from the inputs scaled to -1..1.
fn table(rows: usize, seed: u64, target: impl Fn(&[f32]) -> f32) -> Table {
    let mut rng = Seed::new(seed).rng();
    let mut table = Table {
        width: 9,
        ..Table::default()
    };
    for row in 0..rows {
        let inputs: [f32; 9] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        table.target.push(target(&inputs));
        table.features.extend(
            inputs
                .iter()
                .enumerate()
                .map(|(column, x)| 100.0 * column as f32 + 10.0 * x),
        );
        table.game.push(row as u64);
    }
    table
}

fn safe_if_high(inputs: &[f32]) -> f32 {
    f32::from(inputs[0] * inputs[1] + inputs[2] > 0.0)
}

fn smooth(inputs: &[f32]) -> f32 {
    (inputs[0] - 0.5 * inputs[1] * inputs[2]).tanh()
}

fn classifier_settings() -> TrainerSettings {
    let (network, optimizer) = (
        classifier::network(&classifier_v2::SET),
        classifier::OPTIMIZER,
    );
    TrainerSettings {
        network,
        optimizer,
        schedule: Schedule::constant(0.003),
        clip: None,
        batch: 256,
        device: Device::Ndarray,
        seed: Seed::new(1),
        threads: 1,
    }
}

fn q_settings() -> TrainerSettings {
    TrainerSettings {
        network: q::network(&q_v2::SET),
        optimizer: q::OPTIMIZER,
        ..classifier_settings()
    }
}

/// Computes the target of a row.
type Learnt = fn(&[f32]) -> f32;

/// Returns the settings of both networks, each with a function to learn.
fn both() -> [(TrainerSettings, Learnt); 2] {
    [
        (classifier_settings(), safe_if_high),
        (q_settings(), smooth),
    ]
}

fn epoch(trainer: &mut Trainer, table: &Table, epoch: u64) -> f64 {
    trainer
        .epoch(table, epoch, &AtomicBool::new(false), &mut |_| {})
        .unwrap()
        .unwrap()
}

fn mlp(trainer: &Trainer) -> Mlp {
    trainer.mlp(Metadata::new("synthetic")).unwrap()
}

#[test]
fn validation_loss_falls_well_below_that_of_an_untrained_network() {
    for (settings, target, wanted) in [
        (
            classifier_settings(),
            safe_if_high as fn(&[f32]) -> f32,
            0.25,
        ),
        (q_settings(), smooth as fn(&[f32]) -> f32, 0.02),
    ] {
        let (train, held_out) = (table(20_000, 1, target), table(2000, 2, target));
        let mut trainer = Trainer::new(settings, &train).unwrap();
        let before = trainer.validate(&held_out).unwrap();
        let losses: Vec<f64> = (0..15)
            .map(|index| epoch(&mut trainer, &train, index))
            .collect();
        let after = trainer.validate(&held_out).unwrap();
        assert!(losses[14] < losses[0], "{losses:?}");
        assert!(
            after < wanted && after < before / 2.0,
            "{}: {before} to {after}",
            settings.network.name
        );
    }
}

/// Compares both losses, through the exported network, with their definitions in double precision.
#[test]
fn the_loss_is_cross_entropy_or_the_mean_square() {
    for (settings, target) in both() {
        let rows = table(5000, 4, target);
        let mut trainer = Trainer::new(settings, &rows).unwrap();
        epoch(&mut trainer, &rows, 0);
        let mut outputs = Vec::new();
        mlp(&trainer).predict(&rows.features, &mut outputs, &mut Default::default());
        let one = |(&output, &target): (&f32, &f32)| {
            let (output, target) = (f64::from(output), f64::from(target));
            match settings.network.output {
                Output::Probability => {
                    -(target * output.ln() + (1.0 - target) * (1.0 - output).ln())
                }
                Output::Value(_) => (output - target).powi(2),
            }
        };
        let expected = outputs.iter().zip(&rows.target).map(one).sum::<f64>() / 5000.0;
        let found = trainer.validate(&rows).unwrap();
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

/// Trains one step on a batch of one row. Adam's first step moves every weight by the learning rate
/// against the sign of the gradient, which is computed by finite differences.
#[test]
fn the_first_step_goes_against_the_numerical_gradient() {
    const COLUMNS: [Column; 2] = [
        Column::float("a", "", (-1.0, 1.0), "any"),
        Column::float("b", "", (-1.0, 1.0), "any"),
    ];
    static TWO_COLUMNS: FeatureSet = FeatureSet {
        name: "tiny",
        columns: &COLUMNS,
        names: &Column::names(&COLUMNS),
        target: Target::Safe,
        turn: |_, _| (),
    };
    const TINY: Network = Network {
        name: "tiny",
        features: &TWO_COLUMNS,
        hidden: &[Layer::new(3, Activation::Tanh)],
        output: Output::Probability,
    };
    let settings = TrainerSettings {
        network: TINY,
        optimizer: Optimizer::Adam,
        schedule: Schedule::constant(1e-4),
        clip: None,
        batch: 4,
        device: Device::Ndarray,
        seed: Seed::new(7),
        threads: 1,
    };
    let features = vec![0.3, -1.0, 1.0, 0.5, -0.7, 0.2, 0.1, 0.9];
    let rows = Table {
        features,
        width: 2,
        target: vec![1.0, 0.0, 1.0, 0.0],
        game: vec![0; 4],
    };
    let mut trainer = Trainer::new(settings, &rows).unwrap();
    let before = mlp(&trainer);
    let loss_with = |layer: usize, index: usize, change: f32| {
        let mut layers = before.layers().to_vec();
        let weights = layers[layer].weight.len();
        if index < weights {
            layers[layer].weight[index] += change
        } else {
            layers[layer].bias[index - weights] += change
        }
        let (mean, deviation) = (before.mean().to_vec(), before.deviation().to_vec());
        let moved = Mlp::new(layers, mean, deviation, Metadata::new("tiny")).unwrap();
        Trainer::from_artifact(settings, &moved)
            .unwrap()
            .validate(&rows)
            .unwrap()
    };
    epoch(&mut trainer, &rows, 0);
    let after = mlp(&trainer);
    for layer in 0..2 {
        let numbers =
            |mlp: &Mlp| [&mlp.layers()[layer].weight[..], &mlp.layers()[layer].bias].concat();
        for (index, (before, after)) in numbers(&before)
            .into_iter()
            .zip(numbers(&after))
            .enumerate()
        {
            let derivative =
                (loss_with(layer, index, 0.01) - loss_with(layer, index, -0.01)) / 0.02;
            let expected = -1e-4 * derivative.signum() as f32;
            assert!(
                derivative.abs() > 1e-4,
                "the test can tell nothing from a flat place"
            );
            assert!(
                (after - before - expected).abs() < 5e-6,
                "layer {layer}, {index}: {derivative}, {}",
                after - before
            );
        }
    }
}

#[test]
fn the_averaged_network_has_the_mean_of_the_weights() {
    let train = table(3000, 1, smooth);
    let mut trainer = Trainer::new(q_settings(), &train).unwrap();
    let networks = [0, 1, 2].map(|round| {
        epoch(&mut trainer, &train, round);
        mlp(&trainer)
    });
    let [first, second, last] = &networks;
    let averaged = Trainer::at_mean(q_settings(), last, &[first.clone(), second.clone()]).unwrap();
    assert!(averaged.compare(&mlp(&averaged), &train).is_ok());
    let weight = |mlp: &Mlp| mlp.layers()[1].weight[3];
    let mean = networks.iter().map(weight).sum::<f32>() / 3.0;
    assert!((weight(&mlp(&averaged)) - mean).abs() < 1e-6 && mlp(&averaged).mean() == last.mean());
    let other = Trainer::new(classifier_settings(), &table(300, 1, safe_if_high)).unwrap();
    assert!(matches!(
        Trainer::at_mean(q_settings(), last, &[mlp(&other)]),
        Err(TrainError::OtherLayers("table 2"))
    ));
}

#[test]
fn training_works_with_gradient_clipping() {
    let train = table(5000, 1, smooth);
    let mut trainer = Trainer::new(
        TrainerSettings {
            clip: Some(0.01),
            ..q_settings()
        },
        &train,
    )
    .unwrap();
    let mut free = Trainer::new(q_settings(), &train).unwrap();
    let losses: Vec<f64> = (0..5)
        .map(|round| epoch(&mut trainer, &train, round))
        .collect();
    for round in 0..5 {
        epoch(&mut free, &train, round);
    }
    assert!(losses[4] < losses[0], "{losses:?}");
    assert_ne!(mlp(&trainer).to_bytes(), mlp(&free).to_bytes());
}

#[test]
fn the_exported_network_agrees_with_the_trainer() {
    for (settings, target) in both() {
        let (train, held_out) = (table(5000, 1, target), table(1500, 2, target));
        let mut trainer = Trainer::new(settings, &train).unwrap();
        epoch(&mut trainer, &train, 0);
        let read_back = Mlp::from_bytes(&mlp(&trainer).to_bytes()).unwrap();
        let largest = trainer.compare(&read_back, &held_out).unwrap();
        assert!(largest > 0.0 && largest <= 1e-5, "{largest}");

        let mut layers = read_back.layers().to_vec();
        layers[4].bias[0] += 1e-3;
        let (mean, deviation) = (read_back.mean().to_vec(), read_back.deviation().to_vec());
        let other = Mlp::new(layers, mean, deviation, Metadata::new("synthetic")).unwrap();
        assert!(matches!(
            trainer.compare(&other, &held_out),
            Err(TrainError::Parity { .. })
        ));
    }
}

#[test]
fn unusable_training_rows_are_refused() {
    let good = table(300, 1, safe_if_high);
    let narrow = Table {
        width: 3,
        ..good.clone()
    };
    let mut hole = good.clone();
    hole.features[9 * 7 + 5] = f32::NAN;
    let mut label = good.clone();
    label.target[4] = 0.5;
    for (rows, fault) in [
        (&Table::new(9), "there are no training rows"),
        (&narrow, "have 3 columns, not 9"),
        (&hole, "training row 7, column 5: NaN"),
        (&label, "training row 4: the target 0.5"),
    ] {
        let refused = Trainer::new(classifier_settings(), rows).err().unwrap();
        assert!(refused.to_string().contains(fault), "{refused}");
    }

    let mut trainer = Trainer::new(classifier_settings(), &good).unwrap();
    let stop = AtomicBool::new(false);
    assert!(matches!(
        trainer.epoch(&narrow, 0, &stop, &mut |_| {}),
        Err(TrainError::Rows(RowsError::Width { found: 3, .. }))
    ));
    assert!(matches!(
        trainer.validate(&hole),
        Err(TrainError::Rows(RowsError::NotFinite {
            split: "validation",
            ..
        }))
    ));
}

#[test]
fn a_checkpoint_of_another_network_is_refused() {
    let train = table(300, 1, safe_if_high);
    let mut trainer = Trainer::new(classifier_settings(), &train).unwrap();
    epoch(&mut trainer, &train, 0);
    let stored = trainer.checkpoint();
    assert!(Trainer::from_checkpoint(classifier_settings(), stored.clone()).is_ok());
    assert!(matches!(
        Trainer::from_checkpoint(q_settings(), stored.clone()),
        Err(TrainError::Checkpoint(_))
    ));
    let other_optimizer = TrainerSettings {
        optimizer: Optimizer::RmsProp,
        ..classifier_settings()
    };
    assert!(matches!(
        Trainer::from_checkpoint(other_optimizer, stored.clone()),
        Err(TrainError::Checkpoint(_))
    ));
    let mut newer = stored.clone();
    newer["format"] = 2.into();
    assert!(matches!(
        Trainer::from_checkpoint(classifier_settings(), newer),
        Err(TrainError::Checkpoint(_))
    ));
    assert!(matches!(
        Trainer::from_artifact(q_settings(), &mlp(&trainer)),
        Err(TrainError::OtherLayers("table 2"))
    ));
}

#[test]
fn a_constant_input_does_no_harm() {
    let mut train = table(2000, 1, safe_if_high);
    train
        .features
        .chunks_exact_mut(9)
        .for_each(|row| row[8] = 30.0);
    let mut trainer = Trainer::new(classifier_settings(), &train).unwrap();
    assert!(epoch(&mut trainer, &train, 0).is_finite());
    assert_eq!(
        (mlp(&trainer).mean()[8], mlp(&trainer).deviation()[8]),
        (30.0, 1.0)
    );
}
