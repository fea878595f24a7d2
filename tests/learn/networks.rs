//! Tests of training networks: what the networks learn, and that interruptions don't change the
//! result.

use std::sync::atomic::AtomicBool;

use mineflow_learn::data::Table;
use mineflow_learn::train::{
    Defaults, Device, Layer, Layers, Network, Optimizer, Parts, RowsError, Schedule, TrainError,
    Trainer, TrainerSettings,
};
use mineflow_minesweeper::features::{classifier_v2, q_v2};
use mineflow_model::{Activation, Column, FeatureSet, Metadata, Mlp, Model as _, Target};
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

fn constant(learning_rate: f64) -> Schedule {
    Schedule {
        learning_rate,
        rounds: 1,
        decay: 0.0,
        parts: None,
    }
}

fn settings(features: &'static FeatureSet) -> TrainerSettings {
    let defaults = Defaults::of(features.target);
    TrainerSettings {
        network: Network {
            features,
            hidden: defaults.hidden(),
        },
        optimizer: defaults.optimizer,
        weight_decay: 0.0,
        schedule: constant(0.003),
        clip: None,
        batch: 256,
        device: Device::Ndarray,
        seed: Seed::new(1),
        threads: 1,
    }
}

fn classifier_settings() -> TrainerSettings {
    settings(&classifier_v2::SET)
}

fn q_settings() -> TrainerSettings {
    settings(&q_v2::SET)
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
        let mut trainer = Trainer::new(settings.clone(), &train).unwrap();
        let before = trainer.validate(&held_out).unwrap();
        let losses: Vec<f64> = (0..15)
            .map(|index| epoch(&mut trainer, &train, index))
            .collect();
        let after = trainer.validate(&held_out).unwrap();
        assert!(losses[14] < losses[0], "{losses:?}");
        assert!(
            after < wanted && after < before / 2.0,
            "{}: {before} to {after}",
            settings.network.hidden
        );
    }
}

/// Compares both losses, through the exported network, with their definitions in double precision.
#[test]
fn the_loss_is_cross_entropy_or_the_mean_square() {
    for (settings, target) in both() {
        let rows = table(5000, 4, target);
        let mut trainer = Trainer::new(settings.clone(), &rows).unwrap();
        epoch(&mut trainer, &rows, 0);
        let mut outputs = Vec::new();
        mlp(&trainer).append(&rows.features, &mut outputs, &mut Default::default());
        let one = |(&output, &target): (&f32, &f32)| {
            let (output, target) = (f64::from(output), f64::from(target));
            match settings.network.features.target {
                Target::Safe => -(target * output.ln() + (1.0 - target) * (1.0 - output).ln()),
                _ => (output - target).powi(2),
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
    let settings = TrainerSettings {
        network: Network {
            features: &TWO_COLUMNS,
            hidden: "3 tanh".parse().unwrap(),
        },
        schedule: constant(1e-4),
        batch: 4,
        seed: Seed::new(7),
        ..settings(&TWO_COLUMNS)
    };
    let features = vec![0.3, -1.0, 1.0, 0.5, -0.7, 0.2, 0.1, 0.9];
    let rows = Table {
        features,
        width: 2,
        target: vec![1.0, 0.0, 1.0, 0.0],
        game: vec![0; 4],
    };
    let mut trainer = Trainer::new(settings.clone(), &rows).unwrap();
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
        Trainer::from_artifact(settings.clone(), &moved)
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
        Err(TrainError::OtherLayers { .. })
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
        let mut trainer = Trainer::new(settings.clone(), &train).unwrap();
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
        Err(TrainError::OtherLayers { .. })
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

#[test]
fn layers_are_read_and_wrong_ones_are_refused_with_an_example() {
    let layers: Layers = "64 relu,9tanh, 1  linear".parse().unwrap();
    assert_eq!(layers.to_string(), "64 relu, 9 tanh, 1 linear");
    assert_eq!(layers.0[1], Layer::new(9, Activation::Tanh));
    for wrong in [
        "",
        "64",
        "relu 64",
        "0 relu",
        "4097 relu",
        "9 sigmoid",
        "9 relu,",
        "9 gelu",
    ] {
        let refused = wrong.parse::<Layers>().unwrap_err();
        assert!(refused.contains("such as `64 relu`"), "{wrong}: {refused}");
    }
}

#[test]
fn every_optimiser_learns_and_goes_on_from_its_checkpoint() {
    let train = table(4000, 1, smooth);
    for (optimizer, rate) in [
        (Optimizer::Adam, 0.003),
        (Optimizer::AdamW, 0.003),
        (Optimizer::RmsProp, 0.003),
        (Optimizer::Sgd, 0.05),
    ] {
        let settings = TrainerSettings {
            optimizer,
            weight_decay: 0.001,
            schedule: Schedule {
                rounds: 6,
                parts: "warm-up 10, cosine".parse().ok(),
                ..constant(rate)
            },
            ..q_settings()
        };
        let mut trainer = Trainer::new(settings.clone(), &train).unwrap();
        let before = trainer.validate(&train).unwrap();
        for round in 0..3 {
            epoch(&mut trainer, &train, round);
        }
        let mut resumed = Trainer::from_checkpoint(settings, trainer.checkpoint()).unwrap();
        for round in 3..6 {
            assert_eq!(
                epoch(&mut trainer, &train, round),
                epoch(&mut resumed, &train, round)
            );
        }
        assert_eq!(mlp(&trainer).to_bytes(), mlp(&resumed).to_bytes());
        let after = trainer.validate(&train).unwrap();
        assert!(after < 0.7 * before, "{optimizer}: {before} to {after}");
        // 16 batches in each of six rounds, of which ten warm up: the cosine ends after 96 steps.
        assert_eq!((trainer.rate_at(0, 9), trainer.rate_at(5, 96)), (rate, 0.0));
        let half = trainer.rate_at(3, 53);
        assert!((half - rate / 2.0).abs() < 1e-9, "{half}");
    }
}

#[test]
fn a_schedule_longer_than_the_training_is_refused() {
    let train = table(1000, 1, smooth);
    let parts: Parts = "warm-up 5, linear".parse().unwrap();
    let settings = TrainerSettings {
        schedule: Schedule {
            parts: Some(parts),
            ..constant(0.001)
        },
        ..q_settings()
    };
    let mut trainer = Trainer::new(settings, &train).unwrap();
    let refused = trainer.epoch(&train, 0, &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(
        refused,
        Err(TrainError::Schedule {
            least: 6,
            steps: 4,
            ..
        })
    ));
}

/// Gains are small numbers. The exported network predicts them in wins, and training goes on from it
/// with the same weights.
#[test]
fn gains_are_learnt_in_their_own_unit() {
    static GAINS: FeatureSet = FeatureSet {
        target: Target::Gain,
        ..q_v2::SET
    };
    let gain = |inputs: &[f32]| 0.02 * smooth(inputs);
    let (train, held_out) = (table(8000, 1, gain), table(2000, 2, gain));
    let settings = settings(&GAINS);
    let mut trainer = Trainer::new(settings.clone(), &train).unwrap();
    for round in 0..15 {
        epoch(&mut trainer, &train, round);
    }
    let network = mlp(&trainer);
    let mut outputs = Vec::new();
    network.append(&held_out.features, &mut outputs, &mut Default::default());
    let squares = outputs.iter().zip(&held_out.target);
    let squares = squares.map(|(output, target)| f64::from(output - target).powi(2));
    let expected = (squares.sum::<f64>() / 2000.0).sqrt();
    let loss = trainer.validate(&held_out).unwrap();
    let shown = settings.network.shown_loss(loss);
    assert!((shown - expected).abs() < 1e-6, "{shown} {expected}");
    assert!(expected < 0.005, "{expected}");
    trainer.compare(&network, &held_out).unwrap();
    let again = Trainer::from_artifact(settings, &network).unwrap();
    assert_eq!(again.validate(&held_out).unwrap(), loss);
}

/// Returns the learning rates of four rounds of two batches.
fn rates(parts: &str, planned: usize) -> Vec<f64> {
    let schedule = Schedule {
        rounds: 4,
        decay: 0.5,
        parts: parts.parse().ok(),
        ..constant(0.5)
    };
    let rates = (0..4).flat_map(|round| {
        let steps = (2 * round as usize, planned);
        schedule.of_round(round, 2, steps).unwrap().take(2)
    });
    rates.map(|rate| (rate * 1e4).round() / 1e4).collect()
}

#[test]
fn the_rate_decays_by_rounds_or_follows_its_parts_by_steps() {
    let constant = [0.5; 4];
    assert_eq!(
        rates("", 8),
        [&constant[..], &[0.5, 0.375, 0.25, 0.125]].concat()
    );
    // The cosine has 4 steps: (1 + cos(k pi / 4)) / 4.
    assert_eq!(
        rates("warm-up 2,constant1, cosine", 7),
        [0.25, 0.5, 0.5, 0.5, 0.4268, 0.25, 0.0732, 0.0]
    );
    assert_eq!(
        rates("step", 5),
        [0.5, 0.5, 0.05, 0.05, 0.005, 0.005, 0.005, 0.005]
    );
}

#[test]
fn what_is_no_schedule_is_refused() {
    for (wrong, why) in [
        ("cosine,", "write warm-up, constant, linear, cosine or step"),
        ("warm-up", "such as `warm-up 500`"),
        ("linear 0", "such as `linear 500`"),
        ("linear 5x", "such as `linear 500`"),
    ] {
        assert!(wrong.parse::<Parts>().unwrap_err().contains(why), "{wrong}");
    }
    let parts: Parts = "warm-up4, linear".parse().unwrap();
    assert_eq!(parts.to_string(), "warm-up 4, linear");
}
