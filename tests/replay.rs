//! Tests of games that `eval` saves, and of `pipeline replay`.

use std::collections::BTreeMap;

use serde_json::json;

use crate::program::{
    assert_has, fails, json_of, pipeline, prints, read_bytes, read_text, rows, tempdir, write_file,
};

#[test]
fn saved_games_are_those_of_the_table() {
    let folder = tempdir();
    let of = "eval --players 7.0,agent --boards 8x8/10,beginner --games 30 --keep-games 30 --out";
    pipeline(format!("{of} {folder}")).success();
    let games = read_text(folder.join("games.jsonl"));
    // The wins of each configuration, in the order of the table.
    let wins: Vec<usize> = rows(&folder, "eval.csv")
        .iter()
        .map(|row| row["wins"].parse().unwrap())
        .collect();
    let lines: Vec<&str> = games.lines().collect();
    let kept: Vec<usize> = lines
        .chunks(30)
        .map(|games| {
            games
                .iter()
                .filter(|line| line.contains("\"end\":\"won\""))
                .count()
        })
        .collect();
    assert_eq!(kept, wins);
}

/// The listed results add up to the table, and are those of the saved games.
#[test]
fn compare_lists_and_saves_its_games() {
    let folder = tempdir();
    let of = "compare 7.0 agent --boards 8x8/10 --games 200 --keep-games 30 --luck-corrected";
    pipeline(format!("{of} --out {folder}")).success();
    let mut games = csv::Reader::from_path(folder.join("games.csv")).unwrap();
    let games: Vec<BTreeMap<String, f64>> = games
        .records()
        .map(|row| {
            let names = ["won_a", "won_b", "luck_a", "luck_b"].map(str::to_owned);
            let row = row.unwrap();
            names
                .into_iter()
                .zip(row.iter().skip(5).map(|value| value.parse().unwrap()))
                .collect()
        })
        .collect();
    let sum = |name: &str| games.iter().map(|game| game[name]).sum::<f64>();
    let table = rows(&folder, "compare.csv").remove(0);
    let is = |column: &str, value: f64| {
        let told: f64 = table[column].parse().unwrap();
        assert!((told - value / 200.0).abs() < 2e-6, "{column}: {told}");
    };
    is("win_ratio_a", sum("won_a"));
    is("win_ratio_b", sum("won_b"));
    is("luck", sum("luck_a") - sum("luck_b"));
    let saved = read_text(folder.join("games.jsonl"));
    let won = saved
        .lines()
        .map(|line| f64::from(u8::from(line.contains("\"end\":\"won\""))));
    let listed = ["won_a", "won_b"]
        .iter()
        .flat_map(|name| games[..30].iter().map(move |game| game[*name]));
    assert!(won.eq(listed));
}

#[test]
fn a_saved_game_is_listed_shown_and_exported() {
    let folder = tempdir();
    let out = folder.join("run");
    pipeline(format!(
        "eval --players 11.0 --games 5 --keep-games 2 --out {out}"
    ))
    .success();
    let file = out.join("games.jsonl");
    let shown = |options: &str| prints(format!("replay {file} {options}"));
    assert_eq!(shown("").lines().count(), 3, "two games and a head");
    let moves = shown("--game 1");
    assert!(
        moves.starts_with("11.0 on 9x9/10, game 1 of seed 1: "),
        "{moves}"
    );
    let explained = shown("--game 1 --explain");
    assert_has(&explained, "move 0\n");
    assert_has(&explained, "11.0 opens");
    assert!(!explained.contains("moves otherwise"), "{explained}");
    assert!(shown("--game 1 --form rawvf").starts_with("RawVF_Version: Rev6\n"));
    let line = read_text(&file).lines().nth(1).unwrap().to_owned();
    assert_eq!(shown("--game 1 --form line").trim_end(), line);
    let mbf = folder.join("board.mbf");
    shown(&format!("--game 1 --mbf {mbf}"));
    assert_eq!(read_bytes(&mbf).len(), 4 + 2 * 10);
    let boards = folder.join("boards");
    shown(&format!("--mbf {boards}"));
    assert_eq!(read_bytes(boards.join("000001.mbf")), read_bytes(mbf));
    let table = read_text(boards.join("games.csv"));
    let second = table.lines().nth(2).unwrap();
    let won = u8::from(line.contains("\"end\":\"won\""));
    assert_eq!(second, format!("000001.mbf,11.0,9x9/10,safe,1,1,{won}"));
}

#[test]
fn an_invalid_game_is_one_error_that_names_the_place() {
    let folder = tempdir();
    let file = folder.join("games.jsonl");
    write_file(&file, "\n{\"player\":1}\n");
    let error = fails(format!("replay {file}"));
    assert_has(&error, "line 2");
    assert_has(&error, "not a saved game");
    let kept = "eval --players 7.0 --games 2 --keep-games 1";
    let error = fails(format!("{kept} --time-limit 5s --out {folder}/x"));
    assert_has(&error, "--keep-games");
    assert_has(&error, "--node-limit");
    assert_has(fails(kept), "--out");
}

/// A replay on 4x2 cells: the first click opens everything except a 50/50, which is guessed
/// correctly.
pub(crate) const REPLAY: &str = "RawVF_Version: Rev6\nProgram: FreeSweeper\nPlayer: Ada\nWidth: 4\nHeight: 2\nMines: 1\nBoard:\n000*\n0000\n\
                      Events:\n0.000 lc (8 8)\n0.100 lr (8 8)\n1.500 lc (56 24)\n1.600 lr (56 24)\n";

#[test]
fn a_replay_of_another_program_is_judged() {
    let folder = tempdir();
    let file = folder.join("game.rawvf");
    write_file(&file, REPLAY);
    let shown = |options: &str| prints(format!("replay {file} {options}"));
    let table = shown("");
    assert!(
        table.starts_with("Ada on 4x2/1, FreeSweeper: won\n"),
        "{table}"
    );
    assert_has(&table, "50/50");
    assert_has(&table, "=50.00");
    let game = json_of(shown("--json"));
    let guess = &game["moves"][1];
    assert_eq!(
        (&guess["verdict"], &guess["cell"], &guess["exact"]),
        (&json!("50/50"), &json!([1, 3]), &json!(true))
    );
    assert_eq!(
        (&guess["mark"], &guess["loss_error"]),
        (&json!("forced"), &json!(0.0))
    );
    assert_eq!(
        (&game["end"], &game["survival"]),
        (&json!("won"), &json!(0.5))
    );
    let board = folder.join("board.mbf");
    shown(&format!("--mbf {board}"));
    for (name, text, expected) in [
        ("board", read_bytes(board), "no click on its board"),
        ("cut", REPLAY.as_bytes()[..90].to_vec(), "RawVF"),
        ("noise", vec![200; 99], "no replay in a known format"),
    ] {
        let path = folder.join(name);
        write_file(&path, text);
        let error = fails(format!("replay {path}"));
        assert_has(&error, expected);
        assert_has(&error, name);
    }
    assert_has(
        fails(format!("replay {file} --game 0")),
        "replay of one game",
    );
}
