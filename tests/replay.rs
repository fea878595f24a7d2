//! Tests of games that `eval` saves, and of `pipeline replay`.

use std::fs;

use serde_json::{Value, json};

use crate::program::{Finished, assert_has, command, fails, pipeline, prints, tempdir};

#[test]
fn saved_games_are_those_of_the_table() {
    let folder = tempdir();
    let of = "eval --players 7.0,agent --boards 8x8/10,beginner --games 30 --keep-games 30 --out";
    pipeline(&format!("{of} {}", folder.path().display())).success();
    let [games, table] = ["games.jsonl", "eval.csv"]
        .map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    // The wins of each configuration, in the order of the table.
    let wins: Vec<usize> = table
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(8).unwrap().parse().unwrap())
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

#[test]
fn a_saved_game_is_listed_shown_and_exported() {
    let folder = tempdir();
    let out = folder.path().join("run");
    pipeline(&format!(
        "eval --players 11.0 --games 5 --keep-games 2 --out {}",
        out.display()
    ))
    .success();
    let file = out.join("games.jsonl");
    let shown = |options: &str| prints(&format!("replay {} {options}", file.display()));
    assert_eq!(shown("").lines().count(), 3, "two games and a head");
    let moves = shown("--game 1");
    assert!(
        moves.starts_with("11.0 on 9x9/10, game 1 of seed 1: "),
        "{moves}"
    );
    assert!(shown("--game 1 --form rawvf").starts_with("RawVF_Version: Rev6\n"));
    let line = fs::read_to_string(&file)
        .unwrap()
        .lines()
        .nth(1)
        .unwrap()
        .to_owned();
    assert_eq!(shown("--game 1 --form line").trim_end(), line);
    let mbf = folder.path().join("board.mbf");
    shown(&format!("--game 1 --mbf {}", mbf.display()));
    assert_eq!(fs::read(&mbf).unwrap().len(), 4 + 2 * 10);
    let boards = folder.path().join("boards");
    shown(&format!("--mbf {}", boards.display()));
    assert_eq!(
        fs::read(boards.join("000001.mbf")).unwrap(),
        fs::read(mbf).unwrap()
    );
    let table = fs::read_to_string(boards.join("games.csv")).unwrap();
    let second = table.lines().nth(2).unwrap();
    let won = u8::from(line.contains("\"end\":\"won\""));
    assert_eq!(second, format!("000001.mbf,11.0,9x9/10,safe,1,1,{won}"));
}

#[test]
fn an_invalid_game_is_one_error_that_names_the_place() {
    let folder = tempdir();
    let file = folder.path().join("games.jsonl");
    fs::write(&file, "\n{\"player\":1}\n").unwrap();
    let error = fails(&format!("replay {}", file.display()));
    assert_has(&error, "line 2");
    assert_has(&error, "not a saved game");
    let timed = command("eval --players 7.0 --games 2 --keep-games 1 --time-limit 5s")
        .arg("--out")
        .arg(folder.path().join("x"))
        .output();
    let error = String::from_utf8(timed.unwrap().stderr).unwrap();
    assert_has(&error, "--keep-games");
    assert_has(&error, "--node-limit");
    let alone = Finished::of(&mut command("eval --players 7.0 --games 2 --keep-games 1"))
        .code(2)
        .stderr();
    assert_has(&alone, "--out");
}

/// A replay on 4x2 cells: the first click opens everything except a 50/50, which is guessed
/// correctly.
pub(crate) const REPLAY: &str = "RawVF_Version: Rev6\nProgram: FreeSweeper\nPlayer: Ada\nWidth: 4\nHeight: 2\nMines: 1\nBoard:\n000*\n0000\n\
                      Events:\n0.000 lc (8 8)\n0.100 lr (8 8)\n1.500 lc (56 24)\n1.600 lr (56 24)\n";

#[test]
fn a_replay_of_another_program_is_judged() {
    let folder = tempdir();
    let file = folder.path().join("game.rawvf");
    fs::write(&file, REPLAY).unwrap();
    let shown = |options: &str| prints(&format!("replay {} {options}", file.display()));
    let table = shown("");
    assert!(
        table.starts_with("Ada on 4x2/1, FreeSweeper: won\n"),
        "{table}"
    );
    assert_has(&table, "50/50");
    assert_has(&table, "=50.00");
    let game: Value = serde_json::from_str(&shown("--json")).unwrap();
    let guess = &game["moves"][1];
    assert_eq!(
        (&guess["verdict"], &guess["cell"], &guess["exact"]),
        (&json!("50/50"), &json!([1, 3]), &json!(true))
    );
    assert_eq!(
        (&game["end"], &game["survival"]),
        (&json!("won"), &json!(0.5))
    );
    let board = folder.path().join("board.mbf");
    shown(&format!("--mbf {}", board.display()));
    for (name, text, expected) in [
        ("board", fs::read(board).unwrap(), "no click on its board"),
        ("cut", REPLAY.as_bytes()[..90].to_vec(), "RawVF"),
        ("noise", vec![200; 99], "no replay in a known format"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let error = fails(&format!("replay {}", path.display()));
        assert_has(&error, expected);
        assert_has(&error, name);
    }
    assert_has(
        &fails(&format!("replay {} --game 0", file.display())),
        "replay of one game",
    );
}
