//! Tests that results are byte-identical under all conditions. Each of a table of small command
//! lines runs on 1, 2 and 3 threads, is killed and resumed, resumes from a torn journal, is
//! extended, and runs in shards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mineflow::tasks::table::TASKS;

use crate::files::repository;
use crate::program::{
    Finished, assert_has, command, json_of, kill_when, left, pipeline, prints, read_bytes, tempdir,
    unfinish, write_file,
};

/// Defines one test per command line. The command line in `after` runs first and writes the folder
/// that replaces `BEFORE`.
macro_rules! command_lines {
    ($($name:ident: $line:literal $(after $before:literal)?,)*) => {
        const LINES: &[&str] = &[$($line),*];
        $(#[test]
        fn $name() {
            check($line, concat!($($before)?));
        })*
    };
}

command_lines! {
    eval: "eval --players 1.0,4.0,7.0 --boards 9x9/10 --games 600",
    eval_of_players_with_models: "eval --players 5.0,5.5,6.0,6.5,11.0-fast --boards 9x9/10 --games 120",
    eval_of_players_that_search: "eval --players dss+posterior+sp-mcts:playouts=60,dss+posterior+mac-ucb:playouts=60 --boards 6x6/7 --games 60",
    eval_that_keeps_games: "eval --players 3.5,agent --boards 9x9/10,16x16/40 --games 200 --keep-games 30",
    eval_luck_corrected: "eval --players 7.0,3.0 --boards 9x9/10 --games 1500 --luck-corrected",
    compare: "compare 7.0 1.0 --boards 9x9/10 --games 900 --luck-corrected",
    compare_until_decided: "compare 7.0 4.0 --boards 9x9/10,16x16/40 --games 4000 --sprt 0:1 --luck-corrected --node-limit 3000 --keep-games 600",
    calibrate: "calibrate --players 2.5,4.0,5.0 --boards beginner,7x6/9 --games 130",
    ggp_match_of_pairs: "ggp match --game pipelines/ggp/tic-tac-toe.kif,pipelines/ggp/kaseklau.kif --players mac-ucb,fc-ucb --against uct,fc-ucb --matches 20 --budget 30it",
    ggp_match_in_a_row: "ggp match --game pipelines/ggp/tic-tac-toe.kif --players uct,mac-ucb --matches 25 --series 2 --budget 20it",
    ggp_match_alone: "ggp match --game pipelines/ggp/matching-pennies.kif --players mac-ucb,uct --alone --matches 30 --budget 50it",
    ggp_match_until_decided: "ggp match --game pipelines/ggp/tic-tac-toe.kif --players uct,random --budget 20it --matches 400 --sprt 0:5",
    samegame_eval: "samegame eval --count 12 --size 8x8 --budgets nodes=2000,playouts=200 --algorithms sp-mcts,sp-mcts:per=move:playout=random,greedy:games=2,nrpa:iterations=10",
    samegame_eval_until_decided: "samegame eval --size 8x8 --algorithms nrpa:level=1,greedy:games=1 --count 400 --sprt -250:-50",
    samegame_tune: "samegame tune --samples 6 --elite 3 --iterations 4 --boards 3 --size 6x6 --budget playouts=1500",
    generate: "generate --rows 20000 --games-per-shard 100",
    generate_with_exploration: "generate --games 200 --widths 5..9 --explore 0.1 --games-per-shard 16",
    generate_with_players_that_draw_lots: "generate --kind q --games 3 --widths 5..9 --player 4.5 --games-per-shard 100",
    generate_with_limited_players: "generate --rows 1000 --widths 5..9 --player 1.0 --games-per-shard 20",
    generate_for_q: "generate --kind q --alpha 0.5 --rows 9000 --games-per-shard 100",
    generate_guesses_with_a_teacher: "generate --kind guesses --player 11.0-fast --boards 16x16/40 --rows 300 --least-layouts 50 --teacher roll-outs:layouts=4:unknown=0.9 --games-per-shard 20",
    generate_guesses: "generate --kind guesses --boards 9x9/10 --games 60 --least-layouts 20 --games-per-shard 10",
    guess_set: "guess-set --player 11.0-fast --kinds beginner:safe=60,6x6/8:opening=20 --games 80 --layouts 40 --looking-layouts 16",
    score: "score --players 1.0,4.5,11.0-fast --set BEFORE/report.parquet"
        after "guess-set --player 11.0-fast --kinds beginner:safe=60 --games 80 --layouts 40 --looking-layouts 16",
    tune: "tune dss+posterior+edge --range margin=0..0.3 --set BEFORE --samples 6 --elite 2 --iterations 3"
        after "guess-set --player 11.0-fast --kinds beginner:safe=60,6x6/8:safe=40 --games 80 --layouts 40 --looking-layouts 16",
    models_explain: "models explain FIXTURES/xgboost-logistic.json --data BEFORE --split validation"
        after "generate --rows 20000 --games-per-shard 100",
    data_relabel: "data relabel BEFORE --teacher roll-outs:layouts=8"
        after "generate --kind guesses --boards 9x9/10 --games 60 --least-layouts 20 --teacher roll-outs:layouts=4:unknown=1 --games-per-shard 10",
    fit_alpha: "fit-alpha --widths 5..6 --alphas 3 --games 150",
    train_trees: "train-trees --rows 8000 --rounds 60 --checkpoint-every 2 --eval-games 50",
    train_trees_from_windows: "train-trees --data BEFORE --window 4000 --eval-games 0 --rounds 25 --patience 100 --checkpoint-every 5"
        after "generate --boards 9x9/10 --games 3000 --games-per-shard 100",
    train_trees_from_windows_of_which_some_have_no_training_game: "train-trees --data BEFORE --window 1 --eval-games 0 --rounds 150 --patience 200 --checkpoint-every 7"
        after "generate --boards 9x9/12 --games 60 --games-per-shard 1",
    train_trees_from_trees: "train-trees --rows 8000 --from BEFORE --rounds 40 --checkpoint-every 2 --eval-games 0"
        after "train-trees --rows 3000 --rounds 4 --eval-games 0",
    train_network: "train-network --data BEFORE --layers 12relu,8tanh --optimizer adamw --schedule warm-up9,cosine --epochs 12 --patience 9 --average 2 --batch 64"
        after "generate --boards 9x9/10 --games 600 --games-per-shard 100",
    train_network_from_windows: "train-network --data BEFORE --window 2000 --optimizer sgd --schedule constant,step --epochs 7 --eval-games 4"
        after "generate --kind q --alpha 0.5 --boards 9x9/10 --games 2000 --games-per-shard 100",
    train_network_on_gains: "train-network --data BEFORE --epochs 8 --batch 64"
        after "generate --kind guesses --boards 9x9/10 --games 300 --least-layouts 20 --games-per-shard 25",
    train_classifier: "train-classifier --iterative --episodes 6 --rows 3000 --batch 2000 --eval-games 8 --average 2",
    train_classifier_from_windows: "train-classifier --data BEFORE --window 3000 --eval-games 0 --epochs 4 --batch 64 --average 2"
        after "generate --boards 9x9/10 --games 3000 --games-per-shard 100",
    train_q: "train-q --alpha 0.3 --games 2 --epochs 3 --eval-games 8",
    train_q_from_its_own_games: "train-q --iterative --from BEFORE/artifact.safetensors --games 1 --episodes 6 --eval-games 40 --batch 64 --clip 0.5 --average 2"
        after "train-q --alpha 0.3 --games 1 --eval-games 0 --batch 64",
    train_q_from_windows: "train-q --data BEFORE --window 500 --eval-games 0 --epochs 4 --batch 64 --average 2"
        after "generate --kind q --boards 9x9/10 --games 1500 --games-per-shard 50",
    train_ranker_from_windows: "train-trees --data BEFORE --window 2000 --leaf-weight 1 --rounds 25 --patience 100 --checkpoint-every 5"
        after "generate --kind guesses --boards 9x9/10 --games 300 --least-layouts 20 --games-per-shard 25",
    run: "run pipelines/smoke.toml",
    run_of_a_loop: "run FIXTURES/loop.toml",
}

#[test]
fn every_stage_has_a_line() {
    // Pipelines that have lines run these as stages.
    let in_pipelines = ["report", "choose"];
    let tasks = TASKS.iter();
    for task in tasks.filter(|task| !in_pipelines.contains(&task.name)) {
        assert!(
            LINES
                .iter()
                .any(|line| line.starts_with(&format!("{} ", task.name))),
            "{}",
            task.name
        );
    }
}

/// Runs a command to its end. Exit code 1 is accepted, because `compare` ends with it if no
/// difference is shown.
fn finish(command: &mut Command) -> Finished {
    let run = Finished::of(command);
    if run.is_over() { run } else { run.success() }
}

fn assert_same(expected: &Path, found: &Path, how: &str) {
    let (expected, found) = (left(expected), left(found));
    let names = expected.keys().chain(found.keys());
    let differing: Vec<_> = names
        .filter(|name| expected.get(*name) != found.get(*name))
        .collect();
    assert_eq!(differing, Vec::<&PathBuf>::new(), "{how}");
}

/// Returns the total size in bytes of all files below a folder. Files that are renamed or removed
/// in the meantime are skipped.
fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_below(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}

/// Copies the finished folder `whole` to `torn`, in the state after a kill: with the first `length`
/// bytes of its journal, and with half-written files.
fn tear(whole: &Path, torn: &Path, length: usize) {
    fs::create_dir_all(torn).unwrap();
    for (name, bytes) in left(whole) {
        let to = torn.join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        write_file(to, bytes);
    }
    unfinish(torn);
    let journal = read_bytes(torn.join("journal.jsonl"));
    write_file(torn.join("journal.jsonl"), &journal[..length]);
    for half in [".manifest.json.tmp", ".journal.jsonl.tmp"] {
        write_file(torn.join(half), "{");
    }
}

fn check(line: &str, before: &str) {
    let dir = tempdir();
    // Each run has its own working folder and writes to `out` there, because a stage records the
    // paths of its inputs.
    let out = |name: &str| dir.join(name).join("out");
    if !before.is_empty() {
        pipeline(format!("{before} --out {}", out("before").display())).success();
    }
    let sheets = repository().join("pipelines/").display().to_string();
    let line = line
        .replace("BEFORE", &out("before").display().to_string())
        .replace("pipelines/", &sheets)
        .replace(
            "FIXTURES",
            &repository().join("tests/fixtures").display().to_string(),
        );
    let run_in = |name: &str, line: &str, more: &str| {
        fs::create_dir_all(dir.join(name)).unwrap();
        let mut command = command(format!("{line} {more} --out out"));
        command.current_dir(dir.join(name));
        command
    };
    let run = |name: &str, more: &str| run_in(name, &line, more);
    let whole = out("whole");
    let said = finish(&mut run("whole", "--threads 1")).stdout();
    finish(&mut run("two", "--threads 2"));
    assert_same(&whole, &out("two"), "2 threads");

    // The run is killed after a share of its bytes is written, no matter how fast the machine is.
    // If the run ends earlier, it is repeated.
    let all = bytes_below(&whole) as f64;
    let killed = (0..10)
        .map(|attempt| format!("killed-{attempt}"))
        .find(|killed| {
            let is_written = |share: f64| bytes_below(&out(killed)) as f64 >= share * all;
            let kill = |share| kill_when(&mut run(killed, "--threads 3"), || is_written(share));
            [0.02, 0.2, 0.4, 0.7].map(kill).contains(&true)
        });
    let killed = killed.expect("one of ten runs is killed before its end");
    finish(&mut run(&killed, "--threads 3"));
    assert_same(&whole, &out(&killed), "killed, 3 threads");

    if let Ok(journal) = fs::read(whole.join("journal.jsonl")) {
        let last = journal[..journal.len() - 1]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .unwrap()
            + 1;
        for length in [journal.len() * 2 / 3, last, last + 1, journal.len() - 1] {
            let torn = format!("torn-{length}");
            tear(&whole, &out(&torn), length);
            let resumed = finish(&mut run(&torn, "--threads 2")).stderr();
            assert_has(&resumed, "resuming in");
            assert_same(&whole, &out(&torn), &torn);
        }
    }
    let task = TASKS
        .iter()
        .find(|task| line.starts_with(&format!("{} ", task.name)));
    let is_tested = line.contains("--sprt");
    let Some(task) = task.filter(|task| !is_tested || task.name == "compare") else {
        return;
    };
    // A series that ends by a sequential test has no fixed number of games.
    if task.grows && !is_tested {
        let games = line
            .split("--games ")
            .nth(1)
            .unwrap()
            .split(' ')
            .next()
            .unwrap();
        let fewer = format!("--games {}", games.parse::<u32>().unwrap() / 3);
        finish(&mut run_in(
            "grown",
            &line.replace(&format!("--games {games}"), &fewer),
            "",
        ));
        finish(&mut run("grown", ""));
        assert_same(&whole, &out("grown"), "grown");
    }
    for parts in [2, 3].into_iter().filter(|_| task.parts.is_some()) {
        let merged = format!("merged-{parts}");
        let mut merge = format!("merge {}", out(&merged).display());
        // The shards may be named in any order.
        for part in (1..=parts).rev() {
            let folder = format!("part-{part}-{parts}");
            finish(&mut run(&folder, &format!("--shard {part}/{parts}")));
            merge += &format!(" {}", out(&folder).display());
        }
        assert_eq!(
            finish(&mut command(&merge)).stdout().lines().count(),
            said.lines().count(),
            "{merge}"
        );
        assert_same(&whole, &out(&merged), &merge);
    }
}

/// Checks that commands without resumable results print the same on any number of threads.
#[test]
fn what_is_printed_is_the_same_on_any_number_of_threads() {
    for line in [
        "optimum 5x4/4 4x4/5 --first-click any --all --players 3.0 --json",
        "calibrate --players 4.5,5.5 --boards beginner,8x8/12 --games 100 --json",
    ] {
        let printed = |threads: u32| {
            let printed = prints(format!("{line} --threads {threads}"));
            let without_time = |text: &str| {
                let mut row = json_of(text);
                row.as_object_mut().unwrap().remove("cpu_seconds");
                row
            };
            printed.lines().map(without_time).collect::<Vec<_>>()
        };
        let one = printed(1);
        assert!(
            !one.is_empty() && one == printed(2) && one == printed(3),
            "{line}"
        );
    }
}
