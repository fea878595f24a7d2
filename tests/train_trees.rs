//! Trees in training: what they learn, when they stop, and that it is the same however they are interrupted.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use mineflow::learn::data::Table;
use mineflow::learn::model::{Forest, ForestScratch, Model};
use mineflow::learn::train::trees::{Loss, Pause, Trees, TreesSettings, TreesTraining, score};
use mineflow::rng::Seed;
use rand::RngExt;

use crate::program::{command, pipeline, tempdir};

const COLUMNS: [&str; 3] = ["x", "y", "noise"];

/// Rows of three numbers; the label is 1 with the chance that `chance` gives for the first two.
fn table(rows: usize, seed: u64, chance: impl Fn(f32, f32) -> f64) -> Table {
    let mut rng = Seed::new(seed).rng();
    let mut table = Table::new(3);
    for row in 0..rows {
        let numbers: [f32; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        table.target.push(f32::from(rng.random_bool(chance(numbers[0], numbers[1]))));
        table.features.extend(numbers);
        table.game.push(row as u64);
    }
    table
}

fn checkerboard(x: f32, y: f32) -> f64 {
    if x * y > 0.0 { 0.9 } else { 0.1 }
}

fn settings(rounds: usize, patience: usize) -> TreesSettings {
    TreesSettings { rounds, patience: NonZeroUsize::new(patience).unwrap(), ..TreesSettings::default() }
}

fn training(settings: TreesSettings, threads: usize) -> TreesTraining {
    TreesTraining::new(settings, Loss::Logarithmic, table(4000, 1, checkerboard), table(1000, 2, checkerboard), threads)
        .unwrap()
}

fn grow(training: &mut TreesTraining, rounds: usize) -> Pause {
    training.grow(rounds, &AtomicBool::new(false), &mut |_| ()).unwrap()
}

fn finished(mut training: TreesTraining) -> Trees {
    assert_eq!(grow(&mut training, usize::MAX), Pause::Finished);
    training.finish().unwrap().unwrap()
}

fn bytes(trees: &Trees) -> Vec<u8> {
    trees.to_xgboost(&COLUMNS, &[("features", "synthetic".to_owned())]).unwrap()
}

#[test]
fn trees_learn_and_weigh_the_columns_that_matter() {
    let trees = finished(training(settings(40, 40), 1));
    let held_out = table(4000, 3, checkerboard);
    let (log_loss, auc) = score(&trees.predict(&held_out.features).unwrap(), &held_out.target).unwrap();
    // Nobody can do better than the label's own chance: 0.325, and an area of 0.9.
    assert!(log_loss < 0.36 && auc > 0.88, "{log_loss} {auc}");
    let importance = trees.importance(3);
    assert!(importance[2].total_gain < 0.2 * importance[0].total_gain.min(importance[1].total_gain), "{importance:?}");
}

#[test]
fn the_file_read_back_agrees_with_the_trainer() {
    let trees = finished(training(settings(20, 20), 1));
    let forest = Forest::from_bytes(&bytes(&trees)).unwrap();
    assert_eq!((forest.features(), forest.trees(), forest.width()), (Some("synthetic"), trees.best_round, 3));
    assert_eq!(forest.columns(), COLUMNS);
    let rows = table(1000, 4, checkerboard).features;
    let mut found = Vec::new();
    forest.predict(&rows, &mut found, &mut ForestScratch::default());
    let expected = trees.predict(&rows).unwrap();
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-6));
}

#[test]
fn growing_stops_when_it_no_longer_helps_and_the_best_round_is_kept() {
    let noise = |_: f32, _: f32| 0.5;
    let mut training =
        TreesTraining::new(settings(500, 7), Loss::Logarithmic, table(2000, 1, noise), table(2000, 2, noise), 1)
            .unwrap();
    assert_eq!(grow(&mut training, 500), Pause::Finished);
    let losses = training.losses().to_vec();
    let best = (0..losses.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b])).unwrap();
    assert_eq!(losses.len(), best + 1 + 7);
    let trees = training.finish().unwrap().unwrap();
    assert_eq!((trees.best_round, trees.validation_loss), (best + 1, losses[best]));
    assert_eq!(Forest::from_bytes(&bytes(&trees)).unwrap().trees(), best + 1);
}

#[test]
fn growing_on_from_a_checkpoint_gives_what_an_unbroken_training_gives() {
    let unbroken = finished(training(settings(30, 30), 1));
    let mut first = training(settings(30, 30), 1);
    assert_eq!(grow(&mut first, 11), Pause::Rounds);
    let checkpoint = first.checkpoint().unwrap().unwrap();
    let mut second = training(settings(30, 30), 1);
    // A round that was noted after the checkpoint is grown again.
    let noted = first.losses().iter().copied().chain([0.1]).collect();
    second.resume(&checkpoint, noted).unwrap();
    assert_eq!(second.losses(), first.losses());
    assert_eq!(bytes(&finished(second)), bytes(&unbroken));

    let error = training(settings(30, 30), 1).resume(&checkpoint, vec![0.5; 10]).unwrap_err().to_string();
    assert!(error.contains("11 trees") && error.contains("10 rounds"), "{error}");
    let error = training(settings(30, 30), 1).resume(&checkpoint[..50], vec![0.5; 30]).unwrap_err().to_string();
    assert!(error.contains("the checkpoint can't be read"), "{error}");
}

#[test]
fn any_number_of_threads_grows_the_same_trees() {
    let [one, two, three] = [1, 2, 3].map(|threads| bytes(&finished(training(settings(15, 15), threads))));
    assert!(one == two && two == three);
}

#[test]
fn a_request_to_stop_ends_after_the_round() {
    let mut stopped = training(settings(30, 30), 1);
    let stop = AtomicBool::new(true);
    assert_eq!(stopped.grow(30, &stop, &mut |_| ()).unwrap(), Pause::Stopped);
    assert_eq!(stopped.losses().len(), 1);
}

#[test]
fn rows_that_nothing_can_be_learnt_from_are_refused() {
    let good = || table(100, 1, checkerboard);
    let with = |change: &dyn Fn(&mut Table)| {
        let mut table = good();
        change(&mut table);
        table
    };
    let cases: [(Table, Table, &str); 7] = [
        (Table::new(3), good(), "no training rows"),
        (good(), Table::new(3), "no validation rows"),
        (with(&|t| t.features[7] = f32::NAN), good(), "training row 2, column 1: NaN"),
        (good(), with(&|t| t.features[3] = f32::INFINITY), "validation row 1, column 0: inf"),
        (with(&|t| t.target[5] = 0.5), good(), "training row 5 has the label 0.5"),
        (with(&|t| t.target.fill(1.0)), good(), "every one of the 100 training rows has the label 1"),
        (good(), with(&|t| t.width = 2), "the validation rows have 2 columns, not 3"),
    ];
    for (train, validation, expected) in cases {
        let error = TreesTraining::new(settings(5, 5), Loss::Logarithmic, train, validation, 1)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
    let bad = TreesSettings { learning_rate: -1.0, ..settings(5, 5) };
    let error = TreesTraining::new(bad, Loss::Logarithmic, good(), good(), 1).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("these settings can't be used") && error.contains("eta"), "{error}");
}

/// Everything in a folder but its lock.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().is_some_and(|name| name != "lock"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn one_and_two_threads_make_the_same_folder_and_its_trees_can_play() {
    let directory = tempdir();
    let run = |threads: u32| {
        let out = directory.path().join(threads.to_string());
        let run = format!("train-trees --rows 20000 --eval-games 30 --threads {threads} --out {}", out.display());
        pipeline(&run).success();
        contents(&out)
    };
    let files = run(1);
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["artifact.json", "checkpoint.bin", "importance.csv", "manifest.json", "metrics.jsonl"]);
    assert_eq!(files, run(2));

    let artifact = directory.path().join("1/artifact.json");
    let eval = format!("eval --players 5.0 --model 5.0={} --games 50 --json", artifact.display());
    let row: serde_json::Value = serde_json::from_str(&pipeline(&eval).success().stdout()).unwrap();
    assert_eq!((row["player"].as_str(), row["games"].as_u64()), (Some("5.0"), Some(50)));
    let wrong = pipeline(&format!("eval --players 5.5 --model 5.5={} --games 5", artifact.display())).code(2);
    assert!(wrong.stderr().contains("needs a network"), "{}", wrong.stderr());
    let wrong = pipeline(&format!("eval --players 4.0 --model 5.0={}", artifact.display())).code(2);
    assert!(wrong.stderr().contains("--model names player 5.0, and those who play are 4.0"), "{}", wrong.stderr());
}

#[test]
fn what_was_killed_and_resumed_equals_what_was_not() {
    let directory = tempdir();
    let run = |out: &Path| {
        let growing = "--rows 20000 --rounds 400 --patience 400 --checkpoint-every 5 --eval-games 0";
        format!("train-trees {growing} --out {}", out.display())
    };
    let unbroken = directory.path().join("unbroken");
    pipeline(&run(&unbroken)).success();
    // A run that ends before it can be killed shows nothing: again, then.
    let broken = (0..5).map(|attempt| directory.path().join(format!("broken-{attempt}"))).find(|broken| {
        let mut child = command(&run(broken)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while !broken.join("checkpoint.bin").exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint within a minute");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        !broken.join("artifact.json").exists()
    });
    let broken = broken.expect("one of five runs is killed before its end");
    pipeline(&run(&broken)).success();
    // Checkpoints are cut from where the run began, so the last one may be another; all that is made of them is the same.
    let made =
        |folder: &Path| contents(folder).into_iter().filter(|(name, _)| name != "checkpoint.bin").collect::<Vec<_>>();
    assert_eq!(made(&broken), made(&unbroken));
    let again = pipeline(&run(&broken)).success();
    assert!(again.stderr().contains("finished before"), "{}", again.stderr());
    let other = pipeline(&format!("{} --depth 3", run(&broken))).code(2);
    assert!(other.stderr().contains("depth is 6 there and 3 here"), "{}", other.stderr());
}

#[test]
fn trees_are_grown_from_a_data_folder() {
    let directory = tempdir();
    let (data, out) = (directory.path().join("data"), directory.path().join("out"));
    pipeline(&format!("generate --rows 20000 --out {}", data.display())).success();
    let run = format!("train-trees --data {} --eval-games 0 --json --out {}", data.display(), out.display());
    let result: serde_json::Value = serde_json::from_str(&pipeline(&run).success().stdout()).unwrap();
    let rows = |split: &str| result[format!("{split}_rows")].as_u64().unwrap();
    assert!(rows("train") + rows("validation") + rows("test") >= 20_000, "{result}");
    assert!(rows("train") > 5 * rows("test") && rows("validation") > 1000, "{result}");
    assert_eq!(result["win_ratio"], serde_json::Value::Null);

    let nothing = directory.path().join("nothing");
    fs::create_dir(&nothing).unwrap();
    let wrong = pipeline(&format!("train-trees --data {} --out {}", nothing.display(), out.display())).code(2);
    assert!(wrong.stderr().contains("is not a data folder"), "{}", wrong.stderr());
}
