//! Tests of `pipeline samegame` as a process.

use std::path::Path;

use crate::program::{
    Finished, assert_has, command, fails, json_of, pipeline, read_text, tempdir, write_file,
};

const BOARD: &str = "B.\nAB\nBB\n";

fn read(folder: &Path, name: &str) -> String {
    read_text(folder.join(name))
}

#[test]
fn a_board_is_solved_and_its_moves_replay_to_the_score() {
    let folder = tempdir();
    let file = folder.join("board.txt");
    write_file(&file, "AABB\nBBAA\nAABB\n");
    let arguments = format!("samegame solve {file} --budget nodes=1000");
    let solved = pipeline(&arguments).success().stdout();
    assert!(
        solved.starts_with("AABB\nBBAA\nAABB\n\nmoves ") && solved.contains("the board is cleared"),
        "{solved}"
    );
    let moves = solved
        .lines()
        .find_map(|line| line.strip_prefix("moves "))
        .unwrap();
    let score = solved
        .lines()
        .find_map(|line| line.strip_prefix("score "))
        .unwrap();
    let score = score.split_whitespace().next().unwrap();
    write_file(folder.join("moves.txt"), moves);
    let replay = |moves: &str| {
        let mut replay = command(format!("samegame solve {file} --replay"));
        Finished::of(replay.arg(moves)).success().stdout()
    };
    let replayed = replay(moves);
    assert!(
        replayed.contains(&format!("score {score} in ")) && replayed.contains("cleared"),
        "{replayed}"
    );
    assert_eq!(replay(&folder.join("moves.txt").to_string()), replayed);
    assert_eq!(
        pipeline(&arguments).success().stdout(),
        solved,
        "the same seed, the same game"
    );
    let json = pipeline(format!("{arguments} --json")).success().stdout();
    assert_has(
        &json,
        format!("\"score\":{score},\"cleared\":true,\"moves\":[["),
    );
}

#[test]
fn a_move_that_removes_nothing_is_shown() {
    let folder = tempdir();
    let file = folder.join("board.txt");
    write_file(&file, BOARD);
    let mut replay = command(format!("samegame solve {file} --replay"));
    let shown = Finished::of(replay.arg("0,0 1,1")).code(1).stdout();
    assert_has(
        &shown,
        "move 2 of 2, 1,1, removes no group of the board above",
    );
    let mut open = command(format!("samegame solve {file} --replay"));
    assert!(
        Finished::of(open.arg("0,0"))
            .success()
            .stdout()
            .contains("score 1 in 1 moves; the game is over")
    );
}

#[test]
fn a_board_of_one_colour_and_one_without_moves_are_played() {
    let folder = tempdir();
    let one = pipeline("samegame solve --random 1 --colours 1 --budget nodes=1000")
        .success()
        .stdout();
    assert!(
        one.contains("score 50729 in 1 moves") && one.contains("cleared"),
        "(225 - 2)^2 + 1000: {one}"
    );
    let file = folder.join("over.txt");
    write_file(&file, "AB\nBA\n");
    let over = pipeline(format!("samegame solve {file} --budget playouts=10"))
        .success()
        .stdout();
    assert!(
        over.contains("score 0 in 0 moves") && over.contains("left over:\nAB\nBA"),
        "{over}"
    );
    let large = pipeline("samegame solve --random 1 --size 25x25 --colours 8 --budget playouts=50")
        .success()
        .stdout();
    assert_eq!(large.lines().next().map(str::len), Some(25));
}

#[test]
fn invalid_input_gets_an_error() {
    let folder = tempdir();
    let file = |name: &str, text: &str| {
        write_file(folder.join(name), text);
        folder.join(name).to_string()
    };
    let says = |arguments: &str, words: &str| {
        let stderr = fails(arguments);
        assert_has(&stderr, words);
    };
    says(
        &format!("samegame solve {}", file("x.txt", "AX")),
        "`X` is not a colour",
    );
    says(
        &format!(
            "samegame solve {}",
            file("y.json", "{\"boards\": [[[0, 1], [2]]]}")
        ),
        "row 1 from the top, counted from 0, has 1 cells",
    );
    says(
        &format!("samegame solve {}", file("z.json", "{\"boards\": 7}")),
        "expected a sequence",
    );
    says(
        &format!("samegame solve {} --board 2", file("b.txt", BOARD)),
        "holds 1 board",
    );
    says(
        "samegame solve /nowhere/at/all",
        "can't read /nowhere/at/all",
    );
    says(
        "samegame solve --random 1 --budget nodes=0",
        "`nodes=0` is not a budget",
    );
    says(
        "samegame solve --random 1 --budget time=-1s",
        "is not a budget",
    );
    says(
        "samegame solve --random 1 --algorithm chess",
        "`chess` is not an algorithm; there are sp-mcts",
    );
    says(
        "samegame solve --random 1 --algorithm sp-mcts:x=1",
        "`sp-mcts` has no option `x`; it has c, d, t",
    );
    says(
        "samegame solve --random 1 --algorithm sp-mcts:epsilon=2",
        "a number from 0 to 1",
    );
    says(
        "samegame solve --random 1 --algorithm sp-mcts:per=day",
        "write game or move",
    );
    says(
        "samegame solve --random 1 --algorithm sp-mcts:c=1:c=2",
        "`sp-mcts` is given `c` twice",
    );
    says(
        "samegame solve --random 1 --algorithm nrpa:play-outs=4",
        "did you mean `playouts`?",
    );
    says(
        "samegame solve --random 1 --algorithm sp-mcts:play-out=random",
        "did you mean `playout`?",
    );
    says(
        "samegame solve --random 1 --algorithm sp-mcts:expand=every-play-out",
        "every-playout or all-at-once",
    );
    says(
        "samegame solve --random 1 --budget play-outs=10",
        "write nodes=N, playouts=N or time=10s",
    );
    says("samegame solve --random 1 --colours 9", "--colours");
    says("samegame solve --random 1 --size 26x1", "is not a size");
    says(
        "samegame solve --random 1 --replay 1;2",
        "is not a list of moves",
    );
    says(
        &format!("samegame eval --boards {} --count 2", file("c.txt", BOARD)),
        "2 boards are asked for",
    );
}

#[test]
fn a_series_has_a_row_for_each_board_and_names_its_algorithms_in_full() {
    let folder = tempdir();
    let out = &folder;
    let of =
        "samegame eval --count 4 --size 8x8 --algorithms sp-mcts,sp-mcts:per=move:playout=random";
    let said = pipeline(format!("{of} --budgets nodes=300,playouts=200 --out {out}"))
        .success()
        .stdout();
    assert_eq!(read(&folder, "boards.csv").lines().count(), 1 + 4 * 4);
    assert_has(&said, "sp-mcts:playout=random:per=move");
    let other = format!("samegame eval --count 5 --size 8x8 --out {out}");
    assert_has(fails(&other), "was begun with other settings");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_prints_the_best_moves_so_far() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let mut child = crate::program::command(
        "samegame solve --random 1 --budget playouts=1e12 --progress plain --json",
    )
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    // The search goes on: it has said so.
    assert_has(said.next().unwrap().unwrap(), "searching");
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let answer = json_of(&ended.stdout);
    assert!(
        answer["score"].as_i64().unwrap() > 0 && !answer["moves"].as_array().unwrap().is_empty(),
        "{answer}"
    );
}
