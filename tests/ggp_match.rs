//! Tests that the rows of `pipeline ggp match` are consistent with several games and line-ups.

use std::collections::HashMap;
use std::path::Path;

use crate::program::{
    Rows, assert_has, fails, left, pipeline, prints, read_text, rows, tempdir, write_file,
};

/// Runs matches of these games, each given by the name of a sheet.
fn matches(games: &[&str], options: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp");
    let sheets = games.iter().map(|game| {
        folder
            .join(game)
            .with_extension("kif")
            .display()
            .to_string()
    });
    format!(
        "ggp match --game {} {options}",
        sheets.collect::<Vec<_>>().join(",")
    )
}

/// Checks that wins, scores and intervals are consistent.
fn check(rows: &Rows, matches: f64) {
    for row in rows {
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        assert!(number("matches") == matches, "{row:?}");
        assert_eq!(number("wins") + number("draws") + number("losses"), matches);
        assert!(
            (number("score") - 100.0 * (number("wins") + 0.5 * number("draws")) / matches).abs()
                < 0.01
        );
        assert!(number("low") <= number("score") && number("score") <= number("high"));
    }
}

#[test]
fn each_game_and_pair_has_its_own_standing_and_is_played_as_if_alone() {
    let dir = tempdir();
    let whole = dir.join("whole");
    let players = "--players mac-ucb,fc-ucb --against uct,fc-ucb --matches 20 --budget 30it";
    let run = matches(
        &["tic-tac-toe", "kaseklau"],
        &format!("{players} --out {whole}"),
    );
    pipeline(&run).success();
    let before = left(&whole);
    // A match that was edited by hand is played again.
    let file = whole.join("matches.csv");
    let table = read_text(&file);
    write_file(&file, table.replacen(",true,", ",false,", 1));
    pipeline(&run).success();
    assert!(left(&whole) == before);

    let standings = rows(&whole, "standings.csv");
    check(&standings, 20.0);
    let of = |row: &HashMap<String, String>| {
        ["game", "player", "opponent"].map(|name| row[name].clone())
    };
    let pairs = [["mac-ucb", "uct"], ["mac-ucb", "fc-ucb"], ["fc-ucb", "uct"]];
    let all = ["tic-tac-toe", "kaseklau"]
        .into_iter()
        .flat_map(|game| pairs.map(|[a, b]| [game, a, b]));
    assert!(
        standings
            .iter()
            .map(of)
            .eq(all.map(|names| names.map(str::to_owned))),
        "{standings:?}"
    );
    assert_eq!(
        standings[0]["version"], standings[1]["version"],
        "both are of mac-ucb"
    );
    assert_ne!(
        standings[0]["opponent_version"], standings[1]["opponent_version"],
        "uct and fc-ucb"
    );

    // The matches of each game and pair are the same as without the other games and pairs.
    let alone = dir.join("alone");
    let options = format!("--players mac-ucb,fc-ucb --matches 20 --budget 30it --out {alone}");
    pipeline(matches(&["kaseklau"], &options)).success();
    let together = rows(&whole, "matches.csv")
        .into_iter()
        .skip(80)
        .take(20)
        .map(|mut row| {
            assert_eq!(row.remove("game").unwrap(), "kaseklau");
            row.remove("index");
            row
        });
    let without_index = rows(&alone, "matches.csv").into_iter().map(|mut row| {
        row.remove("index");
        row
    });
    assert!(together.eq(without_index));
}

#[test]
fn matches_in_a_row_are_counted_by_place_and_single_player_matches_by_all_points() {
    let dir = tempdir();
    let out = |name: &str| dir.join(name);
    let in_a_row = format!(
        "--players mac-ucb --against uct --matches 6 --series 3 --budget 10it --out {}",
        out("row")
    );
    pipeline(matches(&["tic-tac-toe", "kaseklau"], &in_a_row)).success();
    let places = rows(&out("row"), "standings.csv");
    check(&places, 2.0);
    assert!(
        places
            .iter()
            .map(|row| row["from"].as_str())
            .eq(["1", "2", "3"].repeat(2))
    );
    let alone = format!(
        "--players mac-ucb,uct --alone --matches 6 --budget 10it --out {}",
        out("alone")
    );
    pipeline(matches(&["matching-pennies"], &alone)).success();
    let standings = rows(&out("alone"), "standings.csv");
    check(&standings, 6.0);
    assert!(
        standings.len() == 2
            && standings
                .iter()
                .all(|row| row["kind"] == "cooperative" && row["opponent"].is_empty())
    );
}

#[test]
fn a_table_of_timed_matches_shows_the_time_that_was_used() {
    let out = tempdir().join("out");
    let options = format!("--players mac-ucb,uct --matches 2 --budget 5ms --out {out}");
    let printed = prints(matches(&["tic-tac-toe"], &options));
    assert_has(&printed, "CPU ms/move  solving %");
    let row = rows(&out, "standings.csv").remove(0);
    for column in ["cpu_ms_per_move", "opponent_cpu_ms_per_move", "solving"] {
        assert!(row[column].parse::<f64>().unwrap() > 0.0, "{row:?}");
    }
}

#[test]
fn invalid_games_and_players_are_refused() {
    let dir = tempdir();
    let out = dir.join("out");
    let said = |games: &[&str], options: &str| {
        fails(matches(
            games,
            &format!("{options} --budget 1it --out {out}"),
        ))
    };
    assert_has(
        said(&["tic-tac-toe", "no-such-game"], "--players uct,random"),
        "no-such-game.kif",
    );
    assert_has(
        said(&["tic-tac-toe"], "--players uct --against uct"),
        "name another one",
    );
    assert_has(
        said(&["tic-tac-toe"], "--players uct --against random --alone"),
        "cannot be used with",
    );
    assert_has(
        said(&["tic-tac-toe"], "--players uct --alone --sprt 0:5"),
        "two players, not 1",
    );
    let many = "--players mac-ucb,fc-ucb --against uct,fc-ucb --matches 10000000";
    assert_has(said(&["tic-tac-toe"; 150], many), "are too many");
    let refused = said(
        &["tic-tac-toe", "chinese-checkers"],
        "--players uct --against random --sprt -5:5",
    );
    assert_has(&refused, "--sprt takes games of two roles");
    assert_has(&refused, "chinese-checkers.kif has 3");
    let refused = said(
        &["kaseklau", "tic-tac-toe"],
        "--players uct,random --luck-corrected",
    );
    assert_has(&refused, "tic-tac-toe.kif has no chance");
}

#[test]
fn the_matches_of_a_pair_end_as_soon_as_its_test_decides() {
    let dir = tempdir();
    let options = "--players mac-ucb,fc-ucb --against uct:explore=1000,fc-ucb --matches 400 --budget 20it --sprt -5:5";
    let out = dir.join("out");
    let more = format!("{options} --out {out}");
    assert_has(
        prints(matches(&["tic-tac-toe", "kaseklau"], &more)),
        "mac-ucb against fc-ucb at kaseklau above 50 %: ",
    );
    let rows = rows(&out, "standings.csv");
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let matches: u32 = row["matches"].parse().unwrap();
        match row["test"].as_str() {
            "open" => assert_eq!(matches, 400),
            "accepted" => assert!(
                matches < 400 && row["score"].parse::<f64>().unwrap() > 50.0,
                "{row:?}"
            ),
            _ => assert!(
                matches < 400 && row["score"].parse::<f64>().unwrap() < 50.0,
                "{row:?}"
            ),
        }
    }
    assert!(rows.iter().any(|row| row["test"] == "accepted"), "{rows:?}");
}

#[test]
fn of_two_players_for_three_roles_one_plays_against_two_of_the_other() {
    let run = "ggp match --game pipelines/ggp/chinese-checkers.kif --players random,uct --matches 3 --budget 1it";
    let dir = tempdir();
    pipeline(format!("{run} --horizon 30 --out {dir}")).success();
    let table = read_text(dir.join("matches.csv"));
    for who in [
        "0,random;uct;uct,",
        "1,uct;uct;random,",
        "2,uct;random;uct,",
    ] {
        assert_has(&table, format!("\n{who}"));
    }
}
