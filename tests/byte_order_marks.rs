//! Some editors write a byte order mark at the start of a text, or carriage returns without line
//! feeds. Every text that a user may write is read with and without them.

use std::fs;

use crate::program::{pipeline, read_text, tempdir, write_file};

/// Commands that read `FILE`, each with the contents of the file.
const READERS: &[(&str, &str)] = &[
    ("solve FILE", "3x2x1\n1HH\n1HH\n"),
    ("solve --mines 1 FILE", "1##\n1##\n"),
    (
        "solve --json FILE",
        "{\"id\":1,\"width\":3,\"height\":1,\"mines\":1,\"rows\":[\"#1#\"]}\n{\"id\":2,\"width\":3,\"height\":1,\"mines\":1,\"rows\":[\"#1#\"]}\n",
    ),
    (
        "samegame solve FILE --algorithm greedy --seed 1",
        "1122\n2211\n1221\n",
    ),
    (
        "samegame solve FILE --algorithm greedy --json",
        "{\"boards\": [[[1, 1, 2, 2], [2, 2, 1, 1], [1, 2, 2, 1]]]}",
    ),
    (
        "ggp check FILE",
        include_str!("../pipelines/ggp/tic-tac-toe.kif"),
    ),
    (
        "run FILE --dry-run --out runs",
        "format = 1\n[stage.play]\ncommand = \"eval\"\nplayers = \"4.0\"\n",
    ),
    (
        "models show FILE",
        include_str!("fixtures/xgboost-logistic.json"),
    ),
];

/// Replaces the digits in the line of `ggp check` that reports the CPU time of building the game,
/// because two runs may differ there. Returns any other line unchanged.
fn without_time(line: &str) -> String {
    if line.starts_with("made in ") {
        line.replace(|letter: char| letter.is_ascii_digit(), "0")
    } else {
        line.to_owned()
    }
}

#[test]
fn every_reader_takes_byte_order_marks_and_carriage_returns() {
    let dir = tempdir();
    let file = dir.join("file");
    let games = dir.join("kept");
    pipeline(format!(
        "eval --players 4.0 --games 2 --keep-games 2 -q --out {games}"
    ))
    .success();
    let games = read_text(games.join("games.jsonl"));
    for (command, text) in READERS
        .iter()
        .copied()
        .chain([("replay FILE", games.as_str())])
    {
        let said = |text: &str| {
            write_file(&file, text);
            let run = pipeline(command.replace("FILE", &file.to_string())).success();
            run.stdout()
        };
        let (plain, marked) = (said(text), said(&format!("\u{feff}{text}")));
        // The hash of a file includes its byte order mark.
        let without_hash = |said: &str| {
            said.lines()
                .filter(|line| !line.contains("sha256"))
                .map(without_time)
                .collect::<Vec<_>>()
        };
        assert_eq!(without_hash(&plain), without_hash(&marked), "{command}");
        // In JSON Lines only a line feed ends a line.
        if command != "solve --json FILE" {
            let returns = said(&text.replace('\n', "\r"));
            assert_eq!(without_hash(&plain), without_hash(&returns), "{command}");
        }
    }
    // A registry that was edited by hand may start with a byte order mark too.
    let registry = dir.join("models");
    fs::create_dir(&registry).unwrap();
    write_file(
        registry.join("registry.json"),
        "\u{feff}{\"format\": 1, \"artifacts\": []}",
    );
    pipeline(format!("models list --models {registry}")).success();
}
