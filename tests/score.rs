//! Sets of guesses, and the scores of players on them.

use std::fs;

use serde_json::Value;

use crate::program::{pipeline, tempdir};

/// The scores of these players on all guesses of the set, by name.
fn scores(players: &str, set: &str) -> Vec<(String, f64, f64, f64)> {
    let rows = pipeline(&format!("score --players {players} --set {set} --json"))
        .success()
        .stdout();
    rows.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|row| row["unknown"] == "all")
        .map(|row| {
            let number = |name: &str| row[name].as_f64().unwrap();
            let player = row["player"].as_str().unwrap().to_owned();
            (player, number("loss"), number("low"), number("high"))
        })
        .collect()
}

#[test]
fn optimal_play_loses_nothing_if_values_are_exact() {
    let folder = tempdir();
    let set = folder.path().join("set");
    // No position of this board after its first click has more than 1,000 layouts.
    pipeline(&format!(
        "guess-set --player 4.0 --kinds 4x4/4:safe=300 --games 400 --layouts 8 --looking-layouts 8 --out {}",
        set.display()
    ))
    .success();
    let best = "corner-first+dss+posterior+endgame:layouts=1000:nodes=1000000+least-mine";
    let file = set.join("report.parquet");
    let found = scores(&format!("{best},7.0,1.0"), &file.display().to_string());
    let loss = |name: &str| found.iter().find(|score| score.0 == name).unwrap().1;
    assert_eq!(found[0].1, 0.0, "{found:?}");
    assert!(loss("7.0") > 0.0 && loss("1.0") > loss("7.0"), "{found:?}");
    for (_, loss, low, high) in found {
        assert!(low <= loss && loss <= high, "{low} {loss} {high}");
    }
    // The same scores in a folder, where the rows are a table.
    let out = folder.path().join("score");
    let command = format!(
        "score --players 7.0 --set {} --out {}",
        file.display(),
        out.display()
    );
    pipeline(&command).success();
    let table = fs::read_to_string(out.join("score.csv")).unwrap();
    assert!(
        table.starts_with("player,version,board,first_click,unknown,guesses,loss,low,high\n7.0,"),
        "{table}"
    );
    let damaged = folder.path().join("damaged.parquet");
    let mut bytes = fs::read(&file).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&damaged, bytes).unwrap();
    for (set, expected) in [
        (damaged.as_path(), "damaged.parquet"),
        (out.as_path(), "score"),
    ] {
        let error = pipeline(&format!("score --players 7.0 --set {}", set.display()))
            .code(2)
            .stderr();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_choice_outside_the_candidates_is_valued_on_the_same_layouts() {
    let folder = tempdir();
    let set = folder.path().join("set");
    pipeline(&format!(
        "guess-set --player 10.0-fast --kinds beginner:safe=80 --games 100 --layouts 200 --looking-layouts 8 --out {}",
        set.display()
    ))
    .success();
    let set = set.join("tune.parquet").display().to_string();
    // A player that draws lots chooses cells that no good player would choose.
    let lots = "posterior+least-mine:candidates=sampled";
    let found = scores(&format!("{lots},10.0-fast"), &set);
    assert!(found[0].1 > 1.0 + found[1].1, "{found:?}");
}
