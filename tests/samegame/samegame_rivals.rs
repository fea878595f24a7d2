//! Tests of searches on SameGame boards: their lines are replayed and compared with the optimum on
//! small boards.

use std::collections::HashMap;
use std::path::Path;

use mineflow_rng::Seed;
use mineflow_samegame::{
    Board, FinishedGame, Greedy, Large, Nrpa, Position, Puzzle, ScoredLine, Shape, Small, TestSet,
};

use crate::files::{read_text, repository};

fn random(width: usize, height: usize, colours: usize, index: u64) -> Puzzle {
    Puzzle::random(width, height, colours, Seed::new(5).child("puzzle", index)).unwrap()
}

/// Returns the score of the best line, by exhaustive search.
fn best<S: Shape>(board: Board<S>, known: &mut HashMap<Board<S>, i32>) -> i32 {
    if let Some(&score) = known.get(&board) {
        return score;
    }
    let mut moves = Vec::new();
    board.moves(&mut moves);
    let follow = moves.iter().map(|&a_move| {
        let mut next = Position::new(board);
        next.remove(a_move).unwrap();
        next.points + best(next.board, known)
    });
    let score = follow.max().unwrap_or_else(|| board.ending());
    known.insert(board, score);
    score
}

/// Runs every search on one board, with fast settings; returns the results by name.
fn all<S: Shape>(board: &Board<S>, seed: Seed) -> Vec<(&'static str, FinishedGame)> {
    vec![
        ("greedy", Greedy { games: 100 }.solve(board)),
        (
            "nrpa",
            Nrpa {
                level: 2,
                iterations: 10,
                ..Nrpa::default()
            }
            .solve(board, seed),
        ),
    ]
}

fn replayed<S: Shape>(board: &Board<S>, found: &FinishedGame) -> i32 {
    let mut position = Position::new(*board);
    position
        .replay(&found.line)
        .expect("every move names a group");
    let mut open = Vec::new();
    position.board.moves(&mut open);
    assert!(open.is_empty(), "the line ends before the game");
    position.score()
}

#[test]
fn lines_replay_to_their_scores() {
    for (index, (width, height, colours)) in [(15, 15, 5), (6, 4, 3), (1, 9, 2), (16, 16, 8)]
        .into_iter()
        .enumerate()
    {
        let board: Board<Small> = random(width, height, colours, index as u64).board();
        for (name, found) in all(&board, Seed::new(1)) {
            assert_eq!(
                replayed(&board, &found),
                found.score,
                "{name} on {width}x{height}x{colours}"
            );
            assert!(found.nodes >= found.line.len() as u64, "{name}");
        }
    }
}

#[test]
fn boards_beyond_sixteen_columns_are_searched_too() {
    let board: Board<Large> = random(17, 9, 4, 1).board();
    for (name, found) in all(&board, Seed::new(1)) {
        assert_eq!(replayed(&board, &found), found.score, "{name}");
    }
}

#[test]
fn both_shapes_give_the_same_search() {
    let puzzle = random(12, 10, 4, 2);
    assert_eq!(
        all(&puzzle.board::<Small>(), Seed::new(3)),
        all(&puzzle.board::<Large>(), Seed::new(3))
    );
}

#[test]
fn the_same_seed_gives_the_same_line_and_another_seed_another() {
    let board: Board = random(15, 15, 5, 3).board();
    let (one, other) = (all(&board, Seed::new(1)), all(&board, Seed::new(2)));
    assert_eq!(one, all(&board, Seed::new(1)));
    assert_ne!(one[1].1.line, other[1].1.line, "NRPA draws at random");
}

#[test]
fn a_game_that_is_over_has_no_line() {
    for text in ["A", "AB\nBA", "."] {
        let board: Board = text.parse::<Puzzle>().unwrap().board();
        for (name, found) in all(&board, Seed::new(1)) {
            assert_eq!(
                (found.score, found.line.len()),
                (board.ending(), 0),
                "{name} on {text}"
            );
        }
    }
}

#[test]
fn no_search_finds_more_than_the_best_line_of_small_boards() {
    for index in 0..20 {
        let board: Board = random(4, 5, 3, index).board();
        let best = best(board, &mut HashMap::new());
        for (name, found) in all(&board, Seed::new(1)) {
            assert!(
                found.score <= best,
                "{name} on board {index}: {} above {best}",
                found.score
            );
        }
    }
}

#[test]
fn more_levels_score_more() {
    let mean = |level| {
        let boards = (0..6).map(|index| random(15, 15, 5, 100 + index).board::<Small>());
        let nrpa = Nrpa {
            level,
            iterations: 10,
            ..Nrpa::default()
        };
        boards
            .map(|board| nrpa.solve(&board, Seed::new(1)).score)
            .sum::<i32>()
            / 6
    };
    let (low, high) = (mean(1), mean(3));
    assert!(low + 500 < high, "{low}, {high}");
}

/// Replays the committed lines on their boards, which have no licence and are not committed.
#[test]
#[ignore = "needs the standard boards, which have no licence: their folder in MINEFLOW_TEST_DATA"]
fn the_best_lines_of_the_standard_test_set_replay_and_clear() {
    let root = repository();
    let lines = read_text(root.join("tests/fixtures/samegame20-lines.json"));
    let lines = ScoredLine::parse_all(&lines).unwrap();
    assert_eq!(lines.len(), 20);
    let folder =
        std::env::var_os("MINEFLOW_TEST_DATA").expect("MINEFLOW_TEST_DATA names the folder");
    let boards = read_text(Path::new(&folder).join("samegame20.json"));
    let boards = TestSet::parse(&boards).unwrap();
    for (number, line) in &lines {
        let mut position = Position::new(boards.puzzles[number - 1].board::<Small>());
        assert_eq!(position.replay(&line.moves), Ok(()), "board {number}");
        assert_eq!(position.score(), line.score, "board {number}");
        assert!(position.board.is_cleared(), "board {number}");
    }
    assert!(lines.values().map(|line| line.score).sum::<i32>() > 80_000);
}
