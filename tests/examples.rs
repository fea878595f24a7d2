//! Tests that the examples of the program's help work. `tests/lint` checks the commands of the
//! README and of messages.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use rayon::prelude::*;

use crate::program::{Finished, PIPELINE, TempPath, tempdir, write_file};
use mineflow::cli::command_line;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Settings that determine the amount of work, with small values for the test. Settings specific to
/// a command come first.
const TINY: &[(&str, &str)] = &[
    ("bench --games", "1"),
    ("calibrate --games", "2"),
    ("generate --kind classifier --games", "60"),
    ("generate --kind q --games", "2"),
    ("generate --games", "2"),
    ("train-classifier --iterative --episodes", "2"),
    ("train-classifier --iterative --rows", "3000"),
    ("train-classifier --data rows --epochs", "1"),
    ("train-network --epochs", "2"),
    ("train-q --iterative --episodes", "2"),
    ("train-q --games", "1"),
    ("train-trees --rounds", "3"),
    ("samegame tune --boards", "1"),
    ("tune --samples", "3"),
    ("tune --elite", "2"),
    ("tune --iterations", "1"),
    ("guess-set --kinds", "beginner:safe=20"),
    ("guess-set --games", "40"),
    ("guess-set --layouts", "8"),
    ("guess-set --looking-layouts", "8"),
    ("--rows", "3000"),
    ("--eval-games", "20"),
    ("--games", "2"),
    ("--matches", "2"),
    ("--count", "2"),
    ("--iterations", "1"),
    ("--playouts", "10"),
    ("--roll-outs", "100"),
    ("--depth", "2"),
    ("--budget", "playouts=64"),
    ("choose --set", "set/tune.parquet"),
    ("--confirm", "games=20"),
];

/// Returns every command that has no subcommands, with the examples of its help.
fn examples() -> Vec<(String, Vec<String>)> {
    fn leaves(command: &clap::Command, path: &str, found: &mut Vec<(String, Vec<String>)>) {
        for inner in command
            .get_subcommands()
            .filter(|inner| inner.get_name() != "help")
        {
            let path = format!("{path} {}", inner.get_name())
                .trim_start()
                .to_owned();
            if inner.has_subcommands() {
                leaves(inner, &path, found);
                continue;
            }
            let help = inner
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let lines = help
                .lines()
                .filter_map(|line| line.strip_prefix("  pipeline "))
                .map(str::to_owned)
                .collect();
            found.push((path, lines));
        }
    }
    let mut found = Vec::new();
    leaves(&command_line(), "", &mut found);
    found
}

/// Returns an example reduced to the smallest possible size: both the sizes that the example gives
/// and those that it leaves to defaults are replaced.
fn tiny(command: &str, example: &str) -> String {
    let mut words: Vec<&str> = example.split(' ').collect();
    let arguments = |path: &str| {
        let whole = command_line();
        let leaf = path.split(' ').fold(&whole, |command, name| {
            command.find_subcommand(name).expect("it is a command")
        });
        leaf.get_arguments()
            .filter_map(|argument| argument.get_long())
            .map(|name| format!("--{name}"))
            .collect::<Vec<_>>()
    };
    let takes = arguments(command);
    let mut given = BTreeSet::new();
    for &(key, value) in TINY {
        let (before, flag) = key.rsplit_once(' ').unwrap_or(("", key));
        if !example.starts_with(before)
            || !takes.iter().any(|name| name == flag)
            || !given.insert(flag)
        {
            continue;
        }
        match words.iter().position(|word| *word == flag) {
            Some(at) if flag == "--budget" && example.starts_with("samegame") => {
                words[at + 1] = "nodes=200";
            }
            Some(at) => words[at + 1] = value,
            // Sizes that exclude each other, or belong to another mode, are changed only if the
            // example gives them.
            None if !before.is_empty() || flag == "--eval-games" => words.extend([flag, value]),
            None => {}
        }
    }
    if command == "serve" && !words.contains(&"--port") {
        words.extend(["--port", "0"]);
    }
    words
        .join(" ")
        .replace("--port 8080", "--port 0")
        .replace("quickstart.toml", "smoke.toml")
        .replace("nodes=10000,nodes=100000", "nodes=100,nodes=200")
}

/// Creates a folder as a user has it, with the pipelines and models of the repository and the input
/// files of the examples.
fn desk() -> TempPath {
    let dir = tempdir();
    for name in ["pipelines", "notebooks-free-reports", "data", "models"] {
        copy(&Path::new(ROOT).join(name), &dir.join(name));
    }
    for made in [
        "run pipelines/smoke.toml --out runs/quickstart",
        "generate --kind classifier --games 60 --out rows",
        "generate --kind guesses --boards 6x6/8 --games 60 --out guesses",
        "guess-set --kinds 6x6/8:safe=40 --games 40 --layouts 8 --looking-layouts 8 --out set",
        "eval --players 4.0 --games 5 --keep-games 5 --out kept",
        "eval --players 4.0 --games 64 --shard 1/2 --out shard.1",
        "eval --players 4.0 --games 64 --shard 2/2 --out shard.2",
    ] {
        run(&dir, made).success();
    }
    for part in 1..=4 {
        run(
            &dir,
            &format!("eval --players 4.0 --games 256 --shard {part}/4 --out strength.{part}"),
        )
        .success();
    }
    let at = |name: &str| dir.join(name);
    fs::copy(at("kept/games.jsonl"), at("games.jsonl")).unwrap();
    fs::copy(at("runs/quickstart/trees/artifact.json"), at("trees.json")).unwrap();
    fs::copy(
        at("runs/quickstart/classifier/artifact.safetensors"),
        at("network.safetensors"),
    )
    .unwrap();
    copy(&at("runs/quickstart/q-single"), &at("q"));
    for ranker in ["new", "old"] {
        fs::create_dir(at(ranker)).unwrap();
        fs::copy(
            at("models/11.0/769b67e0139c.json"),
            at(ranker).join("artifact.json"),
        )
        .unwrap();
    }
    for (name, text) in [
        ("position.mine", "3x2x1\n1HH\n1HH\n"),
        // The format of a replay is recognised by its content, not by its name.
        ("game.avf", crate::replay::REPLAY),
        ("rows.txt", "1####\n#####\n#####\n#####\n#####\n"),
        (
            "positions.jsonl",
            "{\"id\":1,\"width\":3,\"height\":1,\"mines\":1,\"rows\":[\"#1#\"]}\n",
        ),
        ("board.txt", "1122\n2211\n1221\n"),
        (
            "boards.json",
            "{\"boards\": [[[1, 1, 2, 2], [2, 2, 1, 1], [1, 2, 2, 1]]]}",
        ),
    ] {
        write_file(at(name), text);
    }
    dir
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn program(desk: &Path, arguments: &str) -> Command {
    let mut command = Command::new(PIPELINE);
    command
        .current_dir(desk)
        .env_remove("MINEFLOW_MODELS")
        .args(arguments.split(' '))
        .stdin(Stdio::null());
    command
}

fn run(desk: &Path, arguments: &str) -> Finished {
    Finished::of(&mut program(desk, arguments))
}

/// Runs an example and returns a description of the failure, if there is one.
fn wrong(desk: &Path, arguments: &str) -> Option<String> {
    if arguments.starts_with("serve") {
        let mut server = program(desk, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        server.kill().unwrap();
        let said = server.wait_with_output().unwrap().stderr;
        return (!line.starts_with("listening on "))
            .then(|| format!("pipeline {arguments}: {}", String::from_utf8_lossy(&said)));
    }
    let output = program(desk, arguments).output().unwrap();
    // Exit code 1 is a valid answer, for example if two players don't differ.
    let ended = matches!(output.status.code(), Some(0 | 1));
    (!ended).then(|| {
        format!(
            "pipeline {arguments}: {:?}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

#[test]
fn every_command_has_two_or_three_examples() {
    let all = examples();
    assert!(all.len() >= 20, "{all:?}");
    for (command, examples) in all {
        assert!(
            (2..=3).contains(&examples.len()),
            "{command} has {} examples",
            examples.len()
        );
        assert!(
            examples.iter().all(|example| example.starts_with(&command)),
            "{command}"
        );
    }
}

#[cfg(feature = "train")]
#[test]
fn the_examples_of_every_command_run_as_shown() {
    let desk = desk();
    let mut all = Vec::new();
    for (command, examples) in examples() {
        for example in &examples {
            all.push(tiny(&command, example));
        }
    }
    // If two examples name the same folder, their settings differ: each example works in a folder
    // of its own.
    let out = |(index, example): (usize, String)| match example.split_once(" --out ") {
        Some((before, rest)) => format!("{before} --out made/{index}-{}", rest.replace('/', "-")),
        None => example,
    };
    fs::create_dir(desk.join("made")).unwrap();
    let all: Vec<String> = all.into_iter().enumerate().map(out).collect();
    let wrong: Vec<String> = all
        .par_iter()
        .filter_map(|example| wrong(&desk, example))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
