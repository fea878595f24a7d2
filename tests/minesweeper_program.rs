//! Tests of `pipeline` on Minesweeper boards: optimal play, no-guess boards, and games of players
//! that search.

use std::fs;

use mineflow::minesweeper::{Board, Game, mbf};

use crate::other_proofs::expected;
use crate::program::{assert_has, fails, pipeline, prints, read_bytes, tempdir};

#[test]
fn the_table_begins_with_optimal_play_and_no_player_wins_more() {
    let json =
        prints("optimum 4x4/4 3x3/1 --first-click safe,opening --players 1.0,4.0,agent --json");
    let rows: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 4 * 4);
    assert_eq!(
        (&rows[0]["won"], &rows[0]["layouts"]),
        (&961.into(), &1365.into())
    );
    for rows in rows.chunks(4) {
        assert!(
            rows[0]["player"].is_null()
                && rows[0]["version"].is_null()
                && rows[0]["below_best"] == 0.0,
            "{json}"
        );
        for row in &rows[1..] {
            assert!(
                row["player"].is_string()
                    && row["version"]
                        .as_str()
                        .is_some_and(|version| version.len() == 12)
                    && row["below_best"].as_f64() >= Some(0.0),
                "{json}"
            );
            assert!(
                row["won"].as_u64() > Some(0) && row["won"].as_u64() <= row["layouts"].as_u64(),
                "{json}"
            );
        }
    }
}

#[test]
fn a_board_that_is_too_large_is_refused_before_anything_is_computed() {
    for (board, words) in [
        (
            "9x9/10",
            "9x9/10 has 81 cells; best play is computed on boards of at most 64",
        ),
        ("3x3/9", "3x3/9 has no safe cell"),
        ("8x8/20", "layouts of the mines after a first click (safe)"),
    ] {
        let run = pipeline(format!("optimum 4x4/4 {board}")).code(2);
        assert_eq!(run.stdout(), "");
        assert_has(run.stderr(), words);
    }
}

#[test]
fn board_files_are_the_same_for_any_number_of_threads() {
    let dir = tempdir();
    let out = |name: &str| dir.join(name);
    for (name, threads) in [("one", 1), ("two", 2)] {
        let line = format!(
            "boards --no-guess 9x9/10 --first 4,4 --count 20 --level pairs --out {} --threads {threads} --seed 3",
            out(name)
        );
        let said = pipeline(&line).success().stderr();
        assert_has(&said, "kept 20 of ");
    }
    let mut files: Vec<_> = fs::read_dir(out("one"))
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    files.sort();
    assert_eq!(files.len(), 21);
    let board: Board = "9x9/10".parse().unwrap();
    for file in &files {
        let bytes = read_bytes(out("one").join(file));
        assert_eq!(bytes, read_bytes(out("two").join(file)), "{file:?}");
        if file.to_string_lossy().ends_with(".mbf") {
            let mut game = Game::on(mbf::read(&bytes).unwrap());
            assert_eq!(expected(&mut game, board.cell(4, 4).unwrap()), Some(false));
        }
    }
    let again = format!("boards --no-guess 9x9/10 --out {}", out("one"));
    assert_has(fails(&again), "not an empty folder");
    assert_has(
        fails("boards --no-guess 9x9/10 --first 9,0"),
        "columns 0 to 8",
    );
    assert_has(
        fails("boards --no-guess 2x2/4"),
        "2x2/4 has no safe cell, thus there is no game",
    );
    let none =
        pipeline("boards --no-guess 3x1/1 --first-click any --level pairs --tries 100 --json")
            .code(1);
    assert_has(none.stderr(), "kept 0 of 100 boards");
}
