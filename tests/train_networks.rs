//! Networks in training: what they learn, and that it is the same however they are interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use mineflow::learn::data::Table;
use mineflow::learn::model::{Activation, Metadata, Mlp};
use mineflow::learn::train::{
    Device, Layer, Network, Optimizer, Output, Schedule, TrainError, Trainer, TrainerSettings, classifier, q,
};
use mineflow::learn::{Column, FeatureSet, Target};
use mineflow::minesweeper::features::{classifier_v2, q_v2};
use mineflow::rng::Seed;
use rand::RngExt;

use crate::program::{command, pipeline, tempdir, unfinish};

/// So many rows of nine inputs on very different scales, with the targets that `target` gives for the inputs in -1..1.
fn table(rows: usize, seed: u64, target: impl Fn(&[f32]) -> f32) -> Table {
    let mut rng = Seed::new(seed).rng();
    let mut table = Table { width: 9, ..Table::default() };
    for row in 0..rows {
        let inputs: [f32; 9] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        table.target.push(target(&inputs));
        table.features.extend(inputs.iter().enumerate().map(|(column, x)| 100.0 * column as f32 + 10.0 * x));
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
    let (network, optimizer) = (classifier::network(&classifier_v2::SET), classifier::OPTIMIZER);
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
    TrainerSettings { network: q::network(&q_v2::SET), optimizer: q::OPTIMIZER, ..classifier_settings() }
}

fn epoch(trainer: &mut Trainer, table: &Table, epoch: u64) -> f64 {
    trainer.epoch(table, epoch, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap()
}

fn mlp(trainer: &Trainer) -> Mlp {
    trainer.mlp(Metadata::new("synthetic")).unwrap()
}

#[test]
fn held_out_loss_falls_well_below_that_of_a_guess() {
    for (settings, target, wanted) in [
        (classifier_settings(), safe_if_high as fn(&[f32]) -> f32, 0.25),
        (q_settings(), smooth as fn(&[f32]) -> f32, 0.02),
    ] {
        let (train, held_out) = (table(20_000, 1, target), table(2000, 2, target));
        let mut trainer = Trainer::new(settings, &train).unwrap();
        let before = trainer.validate(&held_out).unwrap();
        let losses: Vec<f64> = (0..15).map(|index| epoch(&mut trainer, &train, index)).collect();
        let after = trainer.validate(&held_out).unwrap();
        assert!(losses[14] < losses[0], "{losses:?}");
        assert!(after < wanted && after < before / 2.0, "{}: {before} to {after}", settings.network.name);
    }
}

#[test]
fn a_small_batch_is_learnt_by_heart() {
    for (settings, target) in
        [(classifier_settings(), safe_if_high as fn(&[f32]) -> f32), (q_settings(), smooth as fn(&[f32]) -> f32)]
    {
        let train = table(1000, 3, target);
        let overfit = Trainer::new(settings, &train).unwrap().overfit(&train, 16, 10_000, 0.01).unwrap();
        assert_eq!(overfit.rows, 16);
        assert!(overfit.loss < overfit.wanted, "{overfit:?}");
    }
}

#[test]
fn a_batch_that_is_not_learnt_in_time_is_told() {
    let train = table(1000, 3, safe_if_high);
    let overfit = Trainer::new(classifier_settings(), &train).unwrap().overfit(&train, 16, 3, 0.01).unwrap();
    assert!(overfit.loss > overfit.wanted && overfit.steps == 3, "{overfit:?}");
}

/// Both losses against their definitions in double precision, through the exported network.
#[test]
fn the_loss_is_cross_entropy_or_the_mean_square() {
    for (settings, target) in
        [(classifier_settings(), safe_if_high as fn(&[f32]) -> f32), (q_settings(), smooth as fn(&[f32]) -> f32)]
    {
        let rows = table(5000, 4, target);
        let mut trainer = Trainer::new(settings, &rows).unwrap();
        epoch(&mut trainer, &rows, 0);
        let mut outputs = Vec::new();
        mlp(&trainer).predict(&rows.features, &mut outputs, &mut Default::default());
        let one = |(&output, &target): (&f32, &f32)| {
            let (output, target) = (f64::from(output), f64::from(target));
            match settings.network.output {
                Output::Probability => -(target * output.ln() + (1.0 - target) * (1.0 - output).ln()),
                Output::Value(_) => (output - target).powi(2),
            }
        };
        let expected = outputs.iter().zip(&rows.target).map(one).sum::<f64>() / 5000.0;
        let found = trainer.validate(&rows).unwrap();
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
}

/// A batch of one row, one step of plain descent's sign: Adam's first step moves every weight by the learning rate, against
/// the sign of the derivative, which finite differences give.
#[test]
fn the_first_step_goes_against_the_numerical_gradient() {
    const COLUMNS: [Column; 2] =
        [Column::float("a", "", (-1.0, 1.0), "any"), Column::float("b", "", (-1.0, 1.0), "any")];
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
    let rows = Table { features, width: 2, target: vec![1.0, 0.0, 1.0, 0.0], game: vec![0; 4] };
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
        Trainer::from_artifact(settings, &moved).unwrap().validate(&rows).unwrap()
    };
    epoch(&mut trainer, &rows, 0);
    let after = mlp(&trainer);
    for layer in 0..2 {
        let numbers = |mlp: &Mlp| [&mlp.layers()[layer].weight[..], &mlp.layers()[layer].bias].concat();
        for (index, (before, after)) in numbers(&before).into_iter().zip(numbers(&after)).enumerate() {
            let derivative = (loss_with(layer, index, 0.01) - loss_with(layer, index, -0.01)) / 0.02;
            let expected = -1e-4 * derivative.signum() as f32;
            assert!(derivative.abs() > 1e-4, "the test can tell nothing from a flat place");
            assert!(
                (after - before - expected).abs() < 5e-6,
                "layer {layer}, {index}: {derivative}, {}",
                after - before
            );
        }
    }
}

#[test]
fn going_on_from_a_checkpoint_gives_the_bits_of_an_unbroken_run() {
    for (settings, target) in
        [(classifier_settings(), safe_if_high as fn(&[f32]) -> f32), (q_settings(), smooth as fn(&[f32]) -> f32)]
    {
        let (train, other) = (table(3000, 1, target), table(2500, 5, target));
        let mut unbroken = Trainer::new(settings, &train).unwrap();
        epoch(&mut unbroken, &train, 0);
        let text = unbroken.checkpoint().to_string();
        let mut resumed = Trainer::from_checkpoint(settings, serde_json::from_str(&text).unwrap()).unwrap();
        assert_eq!(epoch(&mut unbroken, &other, 1), epoch(&mut resumed, &other, 1));
        assert_eq!(mlp(&unbroken).to_bytes(), mlp(&resumed).to_bytes());
        assert_eq!(unbroken.checkpoint(), resumed.checkpoint());
    }
}

/// The batches are of more rows than are worked through at once.
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let train = table(5000, 1, safe_if_high);
    let bytes = [1, 2, 3].map(|threads| {
        let settings = TrainerSettings { batch: 2000, threads, ..classifier_settings() };
        let mut trainer = Trainer::new(settings, &train).unwrap();
        let loss = epoch(&mut trainer, &train, 0);
        (mlp(&trainer).to_bytes(), loss.to_bits(), trainer.validate(&train).unwrap().to_bits())
    });
    assert_eq!(bytes[0], bytes[1]);
    assert_eq!(bytes[0], bytes[2]);
}

#[test]
fn a_rate_that_falls_ends_in_smaller_steps() {
    let train = table(5000, 1, safe_if_high);
    let change_of_the_last_round = |decay| {
        let schedule = Schedule { learning_rate: 0.01, rounds: 4, decay };
        let mut trainer = Trainer::new(TrainerSettings { schedule, ..classifier_settings() }, &train).unwrap();
        for round in 0..3 {
            epoch(&mut trainer, &train, round);
        }
        let before = mlp(&trainer);
        epoch(&mut trainer, &train, 3);
        let weights = |mlp: &Mlp| mlp.layers().iter().flat_map(|layer| layer.weight.clone()).collect::<Vec<_>>();
        weights(&before).iter().zip(weights(&mlp(&trainer))).map(|(a, b)| (a - b).abs()).sum::<f32>()
    };
    assert!(change_of_the_last_round(1.0) < 0.5 * change_of_the_last_round(0.0));
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
    assert!(matches!(Trainer::at_mean(q_settings(), last, &[mlp(&other)]), Err(TrainError::OtherLayers("table 2"))));
}

#[test]
fn a_gradient_that_is_cut_back_learns_all_the_same() {
    let train = table(5000, 1, smooth);
    let mut trainer = Trainer::new(TrainerSettings { clip: Some(0.01), ..q_settings() }, &train).unwrap();
    let mut free = Trainer::new(q_settings(), &train).unwrap();
    let losses: Vec<f64> = (0..5).map(|round| epoch(&mut trainer, &train, round)).collect();
    for round in 0..5 {
        epoch(&mut free, &train, round);
    }
    assert!(losses[4] < losses[0], "{losses:?}");
    assert_ne!(mlp(&trainer).to_bytes(), mlp(&free).to_bytes());
}

#[test]
fn the_exported_network_gives_what_the_trainer_gives() {
    for (settings, target) in
        [(classifier_settings(), safe_if_high as fn(&[f32]) -> f32), (q_settings(), smooth as fn(&[f32]) -> f32)]
    {
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
        assert!(matches!(trainer.compare(&other, &held_out), Err(TrainError::Parity { .. })));
    }
}

#[test]
fn a_training_that_runs_away_names_its_batch() {
    let train = table(2000, 1, smooth);
    let wild = TrainerSettings { schedule: Schedule::constant(1e38), ..q_settings() };
    let mut trainer = Trainer::new(wild, &train).unwrap();
    match trainer.epoch(&train, 0, &AtomicBool::new(false), &mut |_| {}) {
        Err(TrainError::RanAway { batch, rows, .. }) => assert!(batch > 0 && rows.len() == 256, "{batch}, {rows:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn rows_that_nothing_can_be_learnt_from_are_refused() {
    let good = table(300, 1, safe_if_high);
    let message = |table: &Table| Trainer::new(classifier_settings(), table).err().map(|error| error.to_string());
    assert_eq!(message(&good), None);
    assert_eq!(message(&Table { width: 9, ..Table::default() }).unwrap(), "there are no training rows");
    let narrow = Table { width: 3, ..good.clone() };
    assert_eq!(message(&narrow).unwrap(), "the training rows have 3 numbers, the network reads 9 (classifier-v2)");
    let mut hole = good.clone();
    hole.features[9 * 7 + 5] = f32::NAN;
    assert_eq!(message(&hole).unwrap(), "training row 7, probability: NaN is not a number to learn from");
    let mut label = good.clone();
    label.target[4] = 0.5;
    assert_eq!(message(&label).unwrap(), "training row 4: the target 0.5 is not 0 (mine) or 1 (safe)");

    let mut trainer = Trainer::new(classifier_settings(), &good).unwrap();
    let stop = AtomicBool::new(false);
    assert!(matches!(trainer.epoch(&narrow, 0, &stop, &mut |_| {}), Err(TrainError::Width { found: 3, .. })));
    assert!(matches!(trainer.validate(&hole), Err(TrainError::NotFinite { split: "validation", .. })));
}

#[test]
fn a_checkpoint_of_another_network_is_refused() {
    let train = table(300, 1, safe_if_high);
    let mut trainer = Trainer::new(classifier_settings(), &train).unwrap();
    epoch(&mut trainer, &train, 0);
    let stored = trainer.checkpoint();
    assert!(Trainer::from_checkpoint(classifier_settings(), stored.clone()).is_ok());
    assert!(matches!(Trainer::from_checkpoint(q_settings(), stored.clone()), Err(TrainError::Checkpoint(_))));
    let other_optimizer = TrainerSettings { optimizer: Optimizer::RmsProp, ..classifier_settings() };
    assert!(matches!(Trainer::from_checkpoint(other_optimizer, stored.clone()), Err(TrainError::Checkpoint(_))));
    let mut newer = stored.clone();
    newer["format"] = 2.into();
    assert!(matches!(Trainer::from_checkpoint(classifier_settings(), newer), Err(TrainError::Checkpoint(_))));
    assert!(matches!(Trainer::from_artifact(q_settings(), &mlp(&trainer)), Err(TrainError::OtherLayers("table 2"))));
}

#[test]
fn a_constant_input_does_no_harm() {
    let mut train = table(2000, 1, safe_if_high);
    train.features.chunks_exact_mut(9).for_each(|row| row[8] = 30.0);
    let mut trainer = Trainer::new(classifier_settings(), &train).unwrap();
    assert!(epoch(&mut trainer, &train, 0).is_finite());
    assert_eq!((mlp(&trainer).mean()[8], mlp(&trainer).deviation()[8]), (30.0, 1.0));
}

/// Arguments of a small iterative training of the classifier, and of Q from the network in `start`.
fn small_trainings(start: &Path) -> [String; 2] {
    let classifier = "train-classifier --iterative --episodes 6 --rows 6000 --eval-games 40 --batch 600 --average 3";
    let start = start.display();
    let q = format!(
        "train-q --iterative --from {start} --games 1 --episodes 6 --eval-games 40 --batch 64 --clip 0.5 --average 2"
    );
    [classifier.to_owned(), q]
}

/// A network to start Q from.
fn q_network(folder: &Path) -> PathBuf {
    let out = folder.join("6.5");
    pipeline(&format!("train-q --alpha 0.3 --games 1 --eval-games 0 --batch 64 --out {}", out.display())).success();
    out.join("artifact.safetensors")
}

fn file(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The metrics without what the clock says.
fn metrics(folder: &Path) -> Vec<serde_json::Value> {
    let text = String::from_utf8(file(folder, "metrics.jsonl")).unwrap();
    let line = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        for name in ["rows_per_second", "seconds", "wall_time"] {
            line[name] = 0.into();
        }
        line
    };
    text.lines().map(line).collect()
}

/// Everything that a finished training leaves and that is to be the same.
fn left_by(folder: &Path) -> (Vec<Vec<u8>>, Vec<serde_json::Value>) {
    let mut names: Vec<_> =
        fs::read_dir(folder.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let ends = ["artifact.safetensors", "checkpoint.json", "checkpoints.csv", "manifest.json"];
    names.extend(ends.map(|name| folder.join(name)));
    (names.iter().map(|path| fs::read(path).unwrap()).collect(), metrics(folder))
}

/// The numbers of the rounds in the file of events, one a record after the first; each record tells its length.
fn rounds_in_events(folder: &Path) -> Vec<u8> {
    let bytes = file(folder, "tensorboard/events.out.tfevents.0.mineflow");
    let (mut at, mut rounds) = (0, Vec::new());
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        // Behind the length, its checksum and the time stands the key of the step.
        rounds.push(bytes[at + 12 + 10]);
        at += length + 16;
    }
    rounds.split_off(1)
}

#[test]
fn one_and_two_threads_and_a_killed_training_end_in_the_same_bytes() {
    let directory = tempdir();
    let start = q_network(directory.path());
    for (index, training) in small_trainings(&start).into_iter().enumerate() {
        let folder = |name: &str| directory.path().join(format!("{index}-{name}"));
        let run = |name: &str, threads: u32| format!("{training} --threads {threads} --out {}", folder(name).display());
        pipeline(&run("one", 1)).success();
        pipeline(&run("two", 2)).success();
        let unbroken = left_by(&folder("one"));
        assert_eq!(unbroken.1.len(), 6);
        assert_eq!(unbroken, left_by(&folder("two")), "{training}: threads");
        assert_eq!(rounds_in_events(&folder("one")), [1, 2, 3, 4, 5, 6]);

        let mut kills = 0;
        for episodes in [1, 3, 4] {
            let mut child = command(&run("killed", 2)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let began = Instant::now();
            let done = |name: &str| fs::read(folder("killed").join(name)).unwrap_or_default();
            while done("metrics.jsonl").iter().filter(|&&byte| byte == b'\n').count() < episodes {
                assert!(began.elapsed() < Duration::from_secs(60), "no episode within a minute");
                std::thread::sleep(Duration::from_millis(1));
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += usize::from(done("artifact.safetensors").is_empty());
        }
        assert!(kills > 0, "every kill came too late");
        pipeline(&run("killed", 2)).success();
        assert_eq!(unbroken, left_by(&folder("killed")), "{training}: killed");
        assert_eq!(rounds_in_events(&folder("killed")), [1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn the_published_network_is_the_one_that_wins_most_validation_games() {
    let directory = tempdir();
    let out = directory.path().join("run");
    let training = "train-classifier --iterative --episodes 8 --rows 4000 --eval-games 39 --average 2 --progress plain";
    let shown = pipeline(&format!("{training} --out {}", out.display())).success().stderr();
    let line =
        shown.lines().find(|line| line.starts_with("episode 8 of 8: loss 0.")).unwrap_or_else(|| panic!("{shown}"));
    assert!(line.contains(", held out 0.") && line.contains(" % (") && line.ends_with(" rows/s, 0 s left"), "{line}");

    let text = String::from_utf8(file(&out, "checkpoints.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<std::collections::HashMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 9, "{text}");
    // Ten games on each of four boards, and four times as many at the second look.
    assert!(rows.iter().all(|row| row["games"] == "40"), "{text}");
    let second: Vec<_> = rows.iter().filter(|row| row["second_games"] == "160").collect();
    assert!((5..=7).contains(&second.len()), "{text}");
    let wins = |row: &std::collections::HashMap<String, String>| row["second_wins"].parse::<u32>().unwrap();
    let best = second.iter().max_by_key(|row| wins(row)).unwrap();
    let published: Vec<_> = rows.iter().filter(|row| row["published"] == "true").collect();
    assert_eq!((published.len(), published[0]), (1, *best), "{text}");

    let name = match best["checkpoint"].as_str() {
        "average" => "average".to_owned(),
        number => format!("{number:0>4}"),
    };
    assert_eq!(file(&out, "artifact.safetensors"), file(&out, &format!("checkpoints/{name}.safetensors")));
    let manifest: serde_json::Value = serde_json::from_slice(&file(&out, "manifest.json")).unwrap();
    assert_eq!(manifest["result"]["published"], best["checkpoint"].as_str());
    assert_eq!((&manifest["settings"]["decay"], &manifest["settings"]["average"]), (&0.5.into(), &2.into()));
}

#[test]
fn without_validation_games_the_mean_of_the_last_rounds_is_published_or_the_last() {
    let directory = tempdir();
    for (average, expected) in [("2", "average"), ("0", "0003"), ("1", "0003")] {
        let out = directory.path().join(average);
        let training = "train-classifier --iterative --episodes 3 --rows 3000 --eval-games 0 --average";
        pipeline(&format!("{training} {average} --out {}", out.display())).success();
        let published = file(&out, &format!("checkpoints/{expected}.safetensors"));
        assert_eq!(file(&out, "artifact.safetensors"), published, "{average}");
        assert!(metrics(&out).iter().all(|line| line.get("win_ratio").is_none()));
    }
}

#[test]
fn a_finished_training_says_so_and_another_one_is_refused() {
    let directory = tempdir();
    let out = directory.path().join("run");
    let run = |more: &str| {
        let training = "train-classifier --iterative --episodes 1 --rows 3000 --eval-games 0";
        format!("{training} --out {} {more}", out.display())
    };
    let first = pipeline(&run("")).success();
    let before = left_by(&out);
    let again = pipeline(&run("")).success();
    assert!(again.stderr().contains("finished before"), "{}", again.stderr());
    assert_eq!(first.stdout(), again.stdout());
    let other = pipeline(&run("--batch 100")).code(2);
    assert!(other.stderr().contains("batch is 1024 there and 100 here"), "{}", other.stderr());
    assert_eq!(before, left_by(&out));

    // What was published is made again where it was changed.
    let artifact = file(&out, "artifact.safetensors");
    fs::write(out.join("artifact.safetensors"), &artifact[..artifact.len() - 1]).unwrap();
    let mended = pipeline(&run("")).success();
    assert!(mended.stderr().contains("artifact.safetensors is damaged; it is made again"), "{}", mended.stderr());
    assert_eq!((first.stdout(), before), (mended.stdout(), left_by(&out)));

    // A checkpoint that was changed is not a reason to start again in silence.
    unfinish(&out);
    let checkpoint = String::from_utf8(file(&out, "checkpoint.json")).unwrap();
    fs::write(out.join("checkpoint.json"), checkpoint.replacen("\"parameters\":[[", "\"parameters\":[[0,", 1)).unwrap();
    let damaged = pipeline(&run("")).code(2);
    assert!(damaged.stderr().contains("checkpoint.json is damaged"), "{}", damaged.stderr());
}

#[test]
fn a_training_that_runs_away_writes_down_its_batch() {
    let directory = tempdir();
    let out = directory.path().join("run");
    let run =
        format!("train-q --alpha 0.3 --games 1 --eval-games 0 --batch 64 --learning-rate 1e38 --out {}", out.display());
    let failed = pipeline(&run).code(2).stderr();
    assert!(
        failed.contains("ran-away.csv") && failed.contains("of batch") && failed.contains("--learning-rate"),
        "{failed}"
    );
    let batch = String::from_utf8(file(&out, "ran-away.csv")).unwrap();
    assert!(batch.starts_with("row,game,sc_nw,") && batch.lines().count() == 65, "{batch}");
    assert!(!out.join("artifact.safetensors").exists());
}

#[test]
fn rows_of_a_single_game_leave_nothing_to_judge_by() {
    let directory = tempdir();
    let out = directory.path().join("run");
    let run = format!("train-classifier --iterative --episodes 1 --rows 1 --eval-games 0 --out {}", out.display());
    let failed = pipeline(&run).code(2).stderr();
    assert!(failed.contains("there are no validation rows") && failed.contains("generate more games"), "{failed}");
}

#[test]
fn overfit_learns_and_keeps_nothing() {
    for training in ["train-classifier --iterative", "train-q --alpha 0.3"] {
        let overfit = pipeline(&format!("{training} --overfit")).success();
        assert!(overfit.stdout().starts_with("16 rows learnt by heart in "), "{}", overfit.stdout());
        let slow = pipeline(&format!("{training} --overfit --learning-rate 1e-9")).code(1);
        assert!(slow.stdout().contains("not learnt by heart"), "{}", slow.stdout());
    }
}

#[test]
fn a_network_knows_how_its_sub_states_are_made() {
    let directory = tempdir();
    let mlp = Mlp::from_bytes(&fs::read(q_network(directory.path())).unwrap()).unwrap();
    let notes = &mlp.metadata().notes;
    assert_eq!((notes["theta"].as_str(), notes["location_score"].as_str()), ("0,0,0,0.3", "opening"));
    assert_eq!((notes["command"].as_str(), notes["discount"].as_str()), ("train-q", "linear"));
    assert_eq!(mlp.metadata().features, "q-v2");
}

#[test]
fn data_folders_are_learnt_from_and_noted() {
    let directory = tempdir();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let generate = "generate --boards 9x9/10 --games";
    pipeline(&format!("{generate} 150 --score opening --out {}", path("rows"))).success();
    pipeline(&format!("{generate} 300 --kind q --alpha 0.25 --discount exponential:0.9 --out {}", path("q"))).success();
    let train = |command: &str, data: &str, out: &str| {
        pipeline(&format!("{command} --data {} --epochs 2 --eval-games 0 --batch 64 --out {}", path(data), path(out)))
    };
    train("train-classifier", "rows", "5.5").success();
    train("train-q", "q", "6.5").success();
    for (out, expected) in [
        ("5.5", vec![("location_score", "opening")]),
        ("6.5", vec![("theta", "0,0,0,0.25"), ("location_score", "opening"), ("discount", "exponential:0.9")]),
    ] {
        let mlp = Mlp::from_bytes(&fs::read(directory.path().join(out).join("artifact.safetensors")).unwrap()).unwrap();
        for (note, value) in expected {
            assert_eq!(mlp.metadata().notes[note], value, "{out}: {note}");
        }
        let metrics = metrics(&directory.path().join(out));
        assert_eq!(metrics.len(), 2);
        assert_eq!((&metrics[1]["round"], &metrics[1]["number"]), (&"epoch".into(), &2.into()));
        assert_eq!(metrics[0]["rows"], metrics[1]["rows"]);
    }
    let mixed = train("train-classifier --player 4.0", "rows", "no").code(2).stderr();
    assert!(mixed.contains("cannot be used with"), "{mixed}");
    let wrong = train("train-q", "rows", "no").code(2).stderr();
    assert!(wrong.contains("holds rows of `classifier-v2`, not of `q-v2`"), "{wrong}");
    let missing = train("train-q", "nowhere", "no").code(2).stderr();
    assert!(missing.contains("nowhere has no manifest.json"), "{missing}");
    assert!(!directory.path().join("no").exists());
}
