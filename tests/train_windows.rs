//! Rows that don't fit into memory: learnt from window by window: the same bytes on any number of threads, interrupted or not.

use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use mineflow::learn::data::{DataError, Drawn, ExtraMemory, Manifest, ReadLimits, Split, Windows, read_table};
use mineflow::learn::train::trees::score;
use mineflow::minesweeper::features::classifier_v2;
use mineflow::model::{Forest, ForestScratch, Mlp, MlpScratch};
use mineflow::rng::Seed;

use crate::program::{NEVER, command, kill_when, lines_of, pipeline, tempdir};

const BESIDE: ExtraMemory = ExtraMemory { bytes: 4, held_out: 1 };

/// A folder with rows of a kind in many shards.
fn generate(folder: &Path, arguments: &str) -> PathBuf {
    let data = folder.join("data");
    pipeline(&format!("generate {arguments} --out {}", data.display())).success();
    data
}

fn plan(data: &Path, asked: Option<u64>, memory: u64) -> Result<Option<Windows>, DataError> {
    let drawn = Drawn { seed: Seed::new(1), turned: false };
    let (paths, asked) = ([data.to_owned()], asked.map(|rows| NonZeroU64::new(rows).unwrap()));
    Windows::plan(&paths, &classifier_v2::SET, asked, drawn, (memory, BESIDE))
}

/// Games with their rows, in an order of their own.
fn sorted(mut games: Vec<u64>) -> Vec<u64> {
    games.sort_unstable();
    games
}

#[test]
fn a_pass_over_the_windows_has_every_training_row_once_and_never_too_many() {
    let directory = tempdir();
    let data = generate(directory.path(), "--boards 9x9/10,16x16/40 --games 400 --games-per-shard 37");
    let limits = ReadLimits { stop: &NEVER, memory: u64::MAX };
    let whole = read_table(std::slice::from_ref(&data), &classifier_v2::SET, Split::Train, limits).unwrap();
    let shards = Manifest::of_finished(&data).unwrap().shards;
    let largest = shards.iter().map(|shard| shard.counts.rows).max().unwrap();
    for rows in [largest, 3 * largest, 10 * largest] {
        let windows = plan(&data, Some(rows), u64::MAX).unwrap().unwrap();
        assert!(windows.count() > 1 && windows.count() <= shards.len(), "{rows}: {}", windows.count());
        let pass = |pass| (0..windows.count()).map(move |window| (pass, window));
        let read = |(pass, window)| windows.read(pass, window, &NEVER).unwrap();
        let mut orders = Vec::new();
        for number in 0..3 {
            let tables: Vec<_> = pass(number).map(read).collect();
            assert!(tables.iter().all(|table| (1..=rows as usize).contains(&table.rows())), "{rows}");
            let games: Vec<u64> = tables.iter().flat_map(|table| table.game.clone()).collect();
            assert!(sorted(games.clone()) == sorted(whole.game.clone()), "{rows}, pass {number}");
            orders.push(games);
        }
        assert!(read((1, 0)) == read((1, 0)));
        assert!(orders[0] != orders[1] && orders[1] != orders[2], "every pass has an order of its own");
    }
    let windows = plan(&data, Some(2 * largest), u64::MAX).unwrap().unwrap();
    let held_out = windows.held_out(Split::Validation, &NEVER).unwrap();
    assert!(held_out.game.iter().all(|&game| Split::of(game) == Split::Validation));
    assert!((largest / 4..2 * largest).contains(&(held_out.rows() as u64)), "{}", held_out.rows());
}

#[test]
fn windows_are_taken_where_rows_do_not_fit_and_the_size_that_an_error_names_suffices() {
    let directory = tempdir();
    let data = generate(directory.path(), "--boards 9x9/10 --games 20000 --games-per-shard 500");
    let rows = Manifest::of_finished(&data).unwrap().totals.rows;
    assert!(rows > 1 << 16, "{rows}");
    // All rows and what is read of them, 48 bytes a row each.
    assert!(plan(&data, None, 96 * rows).unwrap().is_none());
    assert!(plan(&data, None, 96 * rows - 1).unwrap().is_some());
    assert_eq!(plan(&data, None, 6 << 20).unwrap().unwrap().rows(), 1 << 16);
    let DataError::Window { needed, memory: 1000, .. } = plan(&data, None, 1000).unwrap_err() else {
        panic!("another error")
    };
    assert!(plan(&data, None, needed).unwrap().is_some() && plan(&data, None, needed - 1).is_err());
    let out = directory.path().join("out");
    let train = format!("train-trees --data {} --eval-games 0 --out {}", data.display(), out.display());
    let said = pipeline(&format!("{train} --memory 1MiB")).code(2).stderr();
    let least: u64 = said.split("takes ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(said.contains("rows at a time") && said.lines().count() == 2 && !out.exists(), "{said}");
    let said = pipeline(&format!("{train} --memory {least}MiB")).success().stderr();
    assert!(said.contains("windows of up to 65,536 rows"), "{said}");
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"window\": 65536"), "{manifest}");
    for wrong in ["train-classifier --iterative", "train-q", "train-trees --rows 500"] {
        pipeline(&format!("{wrong} --window 9 --out {}", directory.path().join("no").display())).code(2);
    }
}

/// What a training leaves, by the names of its files, without what the clock says.
fn left_by(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(path) = folders.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let clock = path.ends_with("cost.csv") || path.ends_with("lock");
            if path.is_dir() {
                folders.push(path);
            } else if !clock {
                files.push((path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn any_number_of_threads_and_a_killed_training_over_windows_end_in_the_same_bytes() {
    let directory = tempdir();
    let classifier =
        generate(&directory.path().join("classifier"), "--boards 9x9/10 --games 3000 --games-per-shard 100");
    let q = generate(&directory.path().join("q"), "--kind q --boards 9x9/10 --games 1500 --games-per-shard 50");
    let guesses = "--kind guesses --boards 9x9/10 --games 300 --least-layouts 20 --games-per-shard 25";
    let guesses = generate(&directory.path().join("guesses"), guesses);
    let networks = "--eval-games 0 --epochs 5 --batch 64 --average 2";
    let trees = "--patience 100 --checkpoint-every 5";
    let trainings = [
        (format!("train-classifier --data {} --window 3000 {networks}", classifier.display()), 4),
        (format!("train-q --data {} --window 500 {networks}", q.display()), 4),
        (format!("train-trees --data {} --window 4000 --eval-games 0 --rounds 25 {trees}", classifier.display()), 15),
        (format!("train-ranker --data {} --window 2000 --leaf-weight 1 --rounds 25 {trees}", guesses.display()), 15),
    ];
    for (training, noted) in trainings {
        let name = training.split(' ').next().unwrap();
        let out = |which: &str| directory.path().join(format!("{name}-{which}"));
        let run = |which: &str, threads: u32| format!("{training} --threads {threads} --out {}", out(which).display());
        pipeline(&run("one", 1)).success();
        pipeline(&run("two", 2)).success();
        let unbroken = left_by(&out("one"));
        assert_eq!(unbroken, left_by(&out("two")), "{training}: threads");
        let lines = || lines_of(&out("killed").join("metrics.jsonl"));
        // A network keeps every window that it has learnt from.
        let is_begun = || {
            let checkpoint = fs::read_to_string(out("killed").join("checkpoint.json")).unwrap_or_default();
            checkpoint.contains("\"begun\":{")
        };
        let is_network = training.contains(networks);
        let mut kills = 0;
        for rounds in [0, 1, noted].into_iter().filter(|&rounds| rounds > 0 || is_network) {
            let is_reached = || if rounds == 0 { is_begun() } else { lines() >= rounds };
            kills += usize::from(kill_when(&mut command(&run("killed", 2)), is_reached));
        }
        assert!(kills > 0, "{training}: every kill came too late");
        pipeline(&run("killed", 1)).success();
        assert_eq!(unbroken, left_by(&out("killed")), "{training}: killed");
        let other = pipeline(&run("killed", 1).replace("--window ", "--window 1")).code(2).stderr();
        assert!(other.contains("window is"), "{other}");
    }
}

/// Log-loss on rows of other games than any training has seen.
fn log_loss(artifact: &Path, judged_by: &Path) -> f64 {
    let limits = ReadLimits { stop: &NEVER, memory: u64::MAX };
    let rows = read_table(&[judged_by.to_owned()], &classifier_v2::SET, Split::All, limits).unwrap();
    let (bytes, mut predicted) = (fs::read(artifact).unwrap(), Vec::new());
    if artifact.extension().is_some_and(|extension| extension == "json") {
        let forest = Forest::from_bytes(&bytes).unwrap();
        forest.predict(&rows.features, &mut predicted, &mut ForestScratch::default());
    } else {
        Mlp::from_bytes(&bytes).unwrap().predict(&rows.features, &mut predicted, &mut MlpScratch::default());
    }
    score(&predicted, &rows.target).unwrap().0
}

#[test]
#[ignore = "measures for minutes; prints a table"]
fn what_windows_cost() {
    let rows = 600_000;
    let directory = tempdir();
    let judged_by = generate(&directory.path().join("judge"), "--rows 300000 --seed 1000");
    println!("seed,command,learnt,log_loss");
    for seed in 1..=3 {
        let of = |name: &str, rows: u64| {
            let folder = directory.path().join(format!("{name}-{seed}"));
            generate(&folder, &format!("--rows {rows} --games-per-shard 128 --seed {seed}"))
        };
        let all = of("all", rows);
        let sample = of("sample", rows / 8);
        for training in ["train-trees --patience 30", "train-classifier --epochs 5"] {
            let command = training.split(' ').next().unwrap();
            let ways = [("all rows", &all, None), ("a sample of an eighth", &sample, None)].into_iter();
            let windows = [4, 8, 32].map(|parts| ("windows", &all, Some(rows / parts)));
            for (name, data, window) in ways.chain(windows) {
                let window = window.map_or(String::new(), |rows: u64| format!(" --window {rows}"));
                let out = directory.path().join("out");
                let _ = fs::remove_dir_all(&out);
                let run = format!("{training} --data {} --eval-games 0 --seed {seed}{window}", data.display());
                pipeline(&format!("{run} --out {}", out.display())).success();
                let ends = ["artifact.json", "artifact.safetensors"].map(|end| out.join(end));
                let artifact = ends.iter().find(|path| path.exists()).unwrap();
                println!("{seed},{command},{name}{window},{:.6}", log_loss(artifact, &judged_by));
            }
        }
    }
}
