//! Tests that records match the files: damage is detected, and foreign files do no harm.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::Command;

use crate::program::{
    Finished, TempPath, assert_has, change_journal, command, fails, left, pipeline, read_bytes,
    read_text, tempdir, write_file,
};

/// Runs a command, damages the file `file` of its folder with `damage`, and runs the command again.
/// Asserts that the folder is restored; returns the second run.
fn mends(of: &str, file: &str, damage: impl Fn(&Path)) -> Finished {
    let dir = tempdir();
    let out = dir.join("run");
    let line = format!("{of} --out {out}");
    pipeline(&line).success();
    let before = left(&out);
    damage(&out.join(file));
    assert_ne!(left(&out), before, "{of}");
    let again = pipeline(&line).success();
    assert!(left(&out) == before, "{of}, {file}");
    again
}

/// Changes one byte in the middle of a file.
fn change(file: &Path) {
    let mut bytes = read_bytes(file);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    write_file(file, bytes);
}

#[test]
fn changed_results_of_finished_work_are_made_again() {
    let trees = "train-trees --rows 3000 --rounds 5 --eval-games 0";
    let rows = "generate --rows 3000 --games-per-shard 20";
    for (of, file, words) in [
        (trees, "artifact.json", "artifact.json is damaged"),
        (trees, "importance.csv", "importance.csv is damaged"),
        (trees, "metrics.jsonl", "metrics.jsonl is damaged"),
        (rows, "rows/00001.parquet", ""),
        (rows, "decisions/00000.parquet", "resuming"),
        (rows, "journal.jsonl", "journal.jsonl is damaged"),
        (
            "compare 7.0 1.0 --boards 9x9/10 --games 900",
            "compare.csv",
            "",
        ),
        ("samegame eval --count 3 --size 6x6", "boards.csv", ""),
    ] {
        let said = mends(of, file, change).stderr();
        assert_has(&said, words);
    }
    let said = mends(trees, "artifact.json", |file| {
        fs::remove_file(file).unwrap()
    });
    assert_has(said.stderr(), "artifact.json is missing");
}

#[test]
fn every_command_refuses_the_folder_of_another_command_and_leaves_it_unchanged() {
    let dir = tempdir();
    let rows = dir.join("rows");
    pipeline(format!("generate --rows 500 --out {rows}")).success();
    let games = dir.join("games");
    pipeline(format!("eval --players 4.0 --games 20 --out {games}")).success();
    write_file(
        dir.join("p.toml"),
        "format = 1\n[stage.a]\ncommand = \"eval\"\nplayers = \"4.0\"\ngames = 10\n",
    );
    let pipeline_file = format!("run {}", dir.join("p.toml"));
    let report = format!("report --runs {games}");
    let others = [
        "eval --players 1.0 --games 600",
        "compare 7.0 1.0",
        "generate --rows 60000",
        "fit-alpha",
        "calibrate --players 4.0",
        "train-trees --rows 500",
        "train-classifier --iterative",
        "train-q --alpha 0.3",
        "samegame eval",
        "samegame tune",
        "tune dss+posterior+edge --range margin=0..1 --set data/guesses-tune.parquet",
        "ggp match --game pipelines/ggp/tic-tac-toe.kif --players uct,random",
        &report,
        &pipeline_file,
    ];
    for before in others {
        for (folder, owner) in [(&rows, "generate"), (&games, "eval")] {
            if before.starts_with(owner) {
                continue;
            }
            let files = left(folder);
            let said = fails(format!("{before} --out {folder}"));
            assert_has(&said, format!("is a folder of `{owner}`"));
            assert!(left(folder) == files, "{before}");
        }
    }
}

/// Generates a data folder and changes its journal to name `file` as the rows of the first shard.
fn naming(file: &str) -> TempPath {
    let dir = tempdir();
    pipeline(format!("generate --rows 500 --out {dir}")).success();
    change_journal(&dir, "\"rows/00000.parquet\"", &format!("\"{file}\""));
    dir
}

#[test]
fn files_outside_a_folder_and_endless_files_are_not_read() {
    for outside in [
        "/dev/zero",
        "../rows.parquet",
        "/etc/passwd",
        "a/../../b",
        "",
    ] {
        let dir = naming(outside);
        for of in ["data verify", "data show", "train-trees --out x --data"] {
            let said = fails(format!("{of} {dir}"));
            assert_has(&said, "is not in the folder");
        }
    }
    let dir = naming("zero");
    std::os::unix::fs::symlink("/dev/zero", dir.join("zero")).unwrap();
    assert_has(
        fails(format!("train-trees --out {dir}-trees --data {dir}")),
        "it is not a regular file",
    );
    for endless in [
        "run /dev/zero",
        "samegame eval --boards /dev/zero",
        "solve /dev/zero",
    ] {
        let run = pipeline(endless);
        assert!(
            run.stderr().starts_with("error: ") && run.stderr().contains("bytes"),
            "{endless}: {}",
            run.stderr()
        );
    }
}

#[test]
fn a_pipe_is_written_to_and_stays_a_pipe() {
    let dir = tempdir();
    let pipe = dir.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&*pipe)
            .status()
            .unwrap()
            .success()
    );
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || read_bytes(pipe)
    });
    mineflow::store::write(&pipe, b"all of it").unwrap();
    assert_eq!(reader.join().unwrap(), b"all of it");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn a_file_that_asks_for_all_memory_is_one_error() {
    let said = fails("data show tests/fixtures/data/endless.parquet");
    assert!(
        said.starts_with("error: not enough memory (") && said.ends_with(" bytes)\n"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    // Even if the manifest and the journal agree, rows are not read if the decisions of their shard
    // made another number of rows.
    let dir = tempdir();
    pipeline(format!("generate --rows 500 --out {dir}")).success();
    let manifest = dir.join("manifest.json");
    let text = read_text(&manifest);
    write_file(
        &manifest,
        text.replace("\"rows\": 500", "\"rows\": 60000000"),
    );
    change_journal(&dir, "\"rows\":500", "\"rows\":60000000");
    let said = pipeline(format!("data verify {dir}")).code(1).stdout();
    assert_has(
        &said,
        "has 60000000 rows; the decisions of its shard made 500",
    );
}

#[test]
fn control_characters_are_escaped_and_long_values_are_truncated() {
    let long = "x".repeat(3000);
    for (arguments, quoted) in [
        (
            vec!["eval", "--players", "\u{1b}[31mred", "--games", "1"],
            r"\u{1b}[31mred",
        ),
        (
            vec!["eval", "--players", "4.0", "--boards", "9x9\u{7}"],
            "`9x9` is not a board",
        ),
        (vec!["eval", "--players", &long], "xxx..."),
        (vec!["run", "\u{202e}toml.p"], r"\u{202e}toml.p"),
        (vec!["run\u{9b}"], r"run\u{9b}"),
    ] {
        let run = Finished::of(command("").args(&arguments)).code(2);
        let said = run.stderr();
        assert!(
            said.starts_with("error: ") && said.contains(quoted),
            "{said}"
        );
        let obeyed = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
        assert!(
            !said.contains(obeyed) && said.lines().all(|line| line.len() < 1000),
            "{said:?}"
        );
    }
    let dir = tempdir();
    write_file(
        dir.join("p.toml"),
        "format = 1\n[stage.a]\ncommand = \"\\u001b[31m\"\n",
    );
    let said = fails(format!("run {dir}/p.toml"));
    assert_has(&said, r"`\u{1b}[31m` is not a command");
}
