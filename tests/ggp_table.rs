//! `pipeline ggp table`: the same bytes however it was run, and rows that add up.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::program::{command, kill_when, pipeline, tempdir};

const SETTINGS: &str = "--experiments table3,table4,figure5 --games tic-tac-toe=30it,kaseklau=10it --cooperative \
                        matching-pennies=20it --matches 6 --factors 1,2 --in-a-row 3";
const TABLES: [&str; 3] = ["table3.csv", "table4.csv", "figure5.csv"];

fn arguments(out: &Path, threads: u32) -> String {
    let sheets = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp");
    format!("ggp table {SETTINGS} --sheets {} --out {} --threads {threads}", sheets.display(), out.display())
}

fn tables(out: &Path) -> Vec<String> {
    TABLES.iter().map(|name| fs::read_to_string(out.join(name)).unwrap()).collect()
}

#[test]
fn tables_are_the_same_for_any_number_of_threads_and_after_a_kill() {
    let dir = tempdir();
    let (whole, killed) = (dir.path().join("whole"), dir.path().join("killed"));
    pipeline(&arguments(&whole, 2)).success();
    let is_begun = || killed.join("table3.csv").exists();
    assert!(kill_when(&mut command(&arguments(&killed, 1)), is_begun), "it ended before it was killed");
    pipeline(&arguments(&killed, 1)).success();
    assert_eq!(tables(&killed), tables(&whole));
    // A match that was changed by hand is played again.
    let file = whole.join("series/tic-tac-toe-mac-ucb-against-uct-30it/matches.csv");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.replacen(",true,", ",false,", 1)).unwrap();
    pipeline(&arguments(&whole, 1)).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    assert_eq!(tables(&killed), tables(&whole));

    let (mut series, mut parts) = (0, 0);
    for text in tables(&whole) {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for row in reader.deserialize::<HashMap<String, String>>().map(Result::unwrap) {
            let number = |name: &str| row[name].parse::<f64>().unwrap();
            let matches = number("matches");
            assert_eq!(number("wins") + number("draws") + number("losses"), matches);
            assert!((number("score") - 100.0 * (number("wins") + 0.5 * number("draws")) / matches).abs() < 0.01);
            assert!(number("low") <= number("score") && number("score") <= number("high"));
            if let Some(kind) = row.get("kind") {
                assert_eq!((row["opponent"].is_empty(), matches), (kind == "cooperative", 6.0));
                series += 1;
            } else {
                // Two rows of three matches, counted by their place.
                assert!(matches == 2.0 && number("from") == number("to"));
                parts += 1;
            }
        }
    }
    // Two games of two players, and one that each of the two plays alone.
    assert_eq!((series, parts), (3 * 3 + 3 * 2, (2 + 2) * 3));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let dir = tempdir();
    let said =
        |options: &str| pipeline(&format!("ggp table --out {} {options}", dir.path().display())).code(2).stderr();
    assert!(said("--games tic-tac-toe=30it").contains("figure6 shares out CPU time"));
    assert!(said("--games tic-tac-toe").contains("names no budget"));
    assert!(said("--shares 0.5,1.5").contains("not a share from 0 to 1"));
    assert!(said("--experiments table5").contains("write table3, table4, figure5 or figure6"));
    assert!(said("--games no-such-game=1ms --experiments table3").contains("no-such-game.kif"));
    assert!(said("--experiments figure5 --sprt -5:5").contains("and those of figure5 do"));
    let three = "ggp table --experiments table3 --games chinese-checkers=1it --sprt -5:5 --out";
    let refused = pipeline(&format!("{three} {}", dir.path().join("three").display())).code(2).stderr();
    assert!(
        refused.contains("--sprt takes games of two roles, and pipelines/ggp/chinese-checkers.kif has 3"),
        "{refused}"
    );
}

#[test]
fn a_series_ends_as_soon_as_its_test_decides() {
    let dir = tempdir();
    let (games, out) = ("--games tic-tac-toe=20it --cooperative matching-pennies=20it", dir.path().display());
    let players = "--mac-ucb mac-ucb --fc-ucb fc-ucb --uct uct:explore=1000";
    let run = format!("ggp table --experiments table3 {games} {players} --matches 400 --sprt -5:5 --out {out}");
    pipeline(&run).success();
    let table = fs::read_to_string(dir.path().join("table3.csv")).unwrap();
    let rows: Vec<HashMap<String, String>> =
        csv::Reader::from_reader(table.as_bytes()).deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let matches: u32 = row["matches"].parse().unwrap();
        match row["test"].as_str() {
            "" => assert_eq!((&*row["kind"], matches), ("cooperative", 400)),
            "open" => assert_eq!(matches, 400),
            "accepted" => assert!(matches < 400 && row["score"].parse::<f64>().unwrap() > 50.0, "{row:?}"),
            _ => assert!(matches < 400 && row["score"].parse::<f64>().unwrap() < 50.0, "{row:?}"),
        }
    }
    assert!(rows.iter().any(|row| row["test"] == "accepted"), "{table}");
    assert_eq!(rows[0]["version"], rows[1]["version"], "both are of mac-ucb");
    assert_ne!(rows[0]["opponent_version"], rows[1]["opponent_version"], "uct and fc-ucb");
}

#[test]
fn of_two_players_for_three_roles_one_plays_against_two_of_the_other() {
    let run = "ggp match --game pipelines/ggp/chinese-checkers.kif --players random,uct --matches 3 --budget 1it";
    let dir = tempdir();
    pipeline(&format!("{run} --horizon 30 --out {}", dir.path().display())).success();
    let table = fs::read_to_string(dir.path().join("matches.csv")).unwrap();
    for who in ["0,random;uct;uct,", "1,uct;uct;random,", "2,uct;random;uct,"] {
        assert!(table.contains(&format!("\n{who}")), "{who} is not in\n{table}");
    }
}
