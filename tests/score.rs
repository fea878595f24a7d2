//! Tests of guess sets and of the scores of players on them.

use std::fs;
use std::path::Path;

use mineflow::learn::data::{GuessSetRow, read_guess_set, write_guess_set};
use mineflow::minesweeper::player::PlayerSpec;

use crate::models::fixture;
use crate::program::{
    assert_has, fails, json_of, pipeline, prints, read_bytes, read_text, tempdir, write_file,
};

/// Returns the name, loss and confidence interval of these players on all guesses of the set.
fn scores(players: &str, set: &str) -> Vec<(String, f64, f64, f64)> {
    let rows = prints(format!("score --players {players} --set {set} --json"));
    rows.lines()
        .map(json_of)
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
    let set = folder.join("set");
    // No position of this board after its first click has more than 1,000 layouts.
    pipeline(format!(
        "guess-set --player 4.0 --kinds 4x4/4:safe=300 --games 400 --layouts 8 --looking-layouts 8 --out {set}"))
    .success();
    let best = "corner-first+dss+posterior+endgame:layouts=1000:nodes=1000000+least-mine";
    let file = set.join("report.parquet");
    let found = scores(&format!("{best},7.0,1.0"), &file.to_string());
    let loss = |name: &str| found.iter().find(|score| score.0 == name).unwrap().1;
    assert_eq!(found[0].1, 0.0, "{found:?}");
    // The best player has no loss, and thus the paired difference of another player from it equals
    // the loss of the other player.
    for name in ["7.0", "1.0"] {
        let less = found
            .iter()
            .find(|score| score.0.starts_with(&format!("{name} less ")));
        assert_eq!(less.unwrap().1, loss(name), "{found:?}");
    }
    assert!(loss("7.0") > 0.0 && loss("1.0") > loss("7.0"), "{found:?}");
    for (_, loss, low, high) in found {
        assert!(low <= loss && loss <= high, "{low} {loss} {high}");
    }
    // With `--out`, the scores are written to a folder as a table.
    let out = folder.join("score");
    let command = format!("score --players 7.0 --set {file} --out {out}");
    pipeline(&command).success();
    let table = read_text(out.join("score.csv"));
    assert!(
        table.starts_with(
            "player,version,set,board,first_click,unknown,guesses,loss,low,high\n7.0,"
        ),
        "{table}"
    );
    let damaged = folder.join("damaged.parquet");
    let mut bytes = read_bytes(&file);
    bytes.truncate(bytes.len() / 2);
    write_file(&damaged, bytes);
    let other = fixture("data/missing.parquet");
    for (set, expected) in [
        ("no/set.parquet", "there is no guess set"),
        (&damaged.to_string(), "damaged.parquet"),
        (&other, "missing.parquet has no column `guess`"),
        (&out.to_string(), "score"),
    ] {
        assert_has(fails(format!("score --players 7.0 --set {set}")), expected);
    }
}

#[test]
fn a_damaged_guess_is_refused_by_its_number() {
    let folder = tempdir();
    let set = folder.join("set");
    pipeline(format!(
        "guess-set --player 4.0 --kinds 4x4/4:safe=40 --games 60 --layouts 8 --looking-layouts 8 --out {set}"))
    .success();
    let rows = read_guess_set(&set.join("report.parquet")).unwrap();
    type Change = fn(&mut Vec<GuessSetRow>);
    let changes: [(&str, Change); 5] = [
        ("its rows are not consecutive", |rows| {
            let first = rows[0].clone();
            rows.push(first);
        }),
        ("a value is 7, not a number from 0 to 1", |rows| {
            rows[0].blocks[2] = 7.0
        }),
        ("of its candidates are marked as chosen, not 1", |rows| {
            rows[0].chosen = !rows[0].chosen;
        }),
        ("its rows differ in the board, the position", |rows| {
            rows[0].seed += 1
        }),
        ("`unknown` is", |rows| {
            let guess = rows[0].guess;
            for row in rows.iter_mut().filter(|row| row.guess == guess) {
                row.weight = 0.0;
            }
        }),
    ];
    for (index, (expected, change)) in changes.into_iter().enumerate() {
        let mut rows = rows.clone();
        change(&mut rows);
        let file = format!("{index}.parquet");
        let number = format!("guess {}", rows[0].guess);
        write_guess_set(&folder, &file, rows).unwrap();
        let path = folder.join(&file);
        let said = fails(format!("score --players 7.0 --set {path}"));
        assert!(
            [expected, &file, &number]
                .iter()
                .all(|text| said.contains(*text)),
            "{said}"
        );
    }
}

#[test]
fn a_choice_outside_the_candidates_is_valued_on_the_same_layouts() {
    let folder = tempdir();
    let set = folder.join("set");
    pipeline(format!(
        "guess-set --player 11.0-fast --kinds beginner:safe=80 --games 100 --layouts 200 --looking-layouts 8 --out {set}"))
    .success();
    let set = set.join("tune.parquet").to_string();
    // A player that samples its candidates chooses cells that no good player would choose.
    let lots = "posterior+least-mine:candidates=sampled";
    let found = scores(&format!("{lots},11.0-fast"), &set);
    assert!(found[0].1 > 1.0 + found[1].1, "{found:?}");
}

/// Checks that every entry of `data/entries` was scored on the committed set. Our players without a
/// `--model` option must have their current version.
#[test]
fn entries_are_scores_of_todays_players_on_the_committed_set() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let set = data.join("guesses-report.parquet");
    let hash = mineflow::store::sha256(&read_bytes(&set));
    let mut players = Vec::new();
    for entry in fs::read_dir(data.join("entries")).unwrap() {
        let text = read_text(entry.unwrap().path());
        let about = json_of(text.lines().next().unwrap());
        let other_model = about["command"].as_str().unwrap().contains("--model");
        for line in text.lines().skip(1) {
            let row = json_of(line);
            assert_eq!(row["set"], hash[..12], "{line}");
            let version = row["version"].as_str().unwrap();
            if !version.is_empty() && !other_model {
                let player: PlayerSpec = row["player"].as_str().unwrap().parse().unwrap();
                assert_eq!(player.version(), version, "{line}");
                players.push((player.name, line.to_owned()));
            }
        }
    }
    let command = format!("score --players 11.0-fast --set {} --json", set.display());
    let expected: Vec<&str> = players
        .iter()
        .filter(|(name, _)| name == "11.0-fast")
        .map(|(_, line)| line.as_str())
        .collect();
    let found = prints(&command);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}
