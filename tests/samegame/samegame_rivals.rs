//! Searches on SameGame boards: what they claim is replayed, and compared with the best there is on small boards.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use mineflow_rng::Seed;
use mineflow_samegame::{
    Beam, Board, Greedy, IdaStar, Large, Layers, Nested, Nrpa, Optimality, Position, Puzzle, ScoredLine, SearchResult,
    Shape, Small, TestSet,
};

use crate::files::repository;

fn random(width: usize, height: usize, colours: usize, index: u64) -> Puzzle {
    Puzzle::random(width, height, colours, Seed::new(5).child("puzzle", index)).unwrap()
}

/// The score of the best line, by looking at all of them.
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

/// Every search on one board, with settings that take little time.
fn all<S: Shape>(board: &Board<S>, seed: Seed) -> Vec<(&'static str, SearchResult)> {
    vec![
        ("ida-star", IdaStar { positions: 2_000 }.solve(board).0),
        ("greedy", Greedy { games: 100 }.solve(board)),
        ("nested", Nested { level: 1, ..Nested::default() }.solve(board, seed)),
        ("nested beam", Nested { level: 1, width: 3, ..Nested::default() }.solve(board, seed)),
        ("nested informed", Nested { level: 1, width: 2, informed: 3, ..Nested::default() }.solve(board, seed)),
        (
            "nested beam of cells",
            Nested { level: 1, layers: Layers::Cells, width: 3, ..Nested::default() }.solve(board, seed),
        ),
        ("nrpa", Nrpa { level: 2, iterations: 10, ..Nrpa::default() }.solve(board, seed)),
        ("beam", Beam { width: 10, ..Beam::default() }.solve(board)),
    ]
}

fn replayed<S: Shape>(board: &Board<S>, found: &SearchResult) -> i32 {
    let mut position = Position::new(*board);
    position.replay(&found.solution.moves).expect("every move names a group");
    let mut open = Vec::new();
    position.board.moves(&mut open);
    assert!(open.is_empty(), "the line ends before the game");
    position.score()
}

#[test]
fn lines_replay_to_their_scores() {
    for (index, (width, height, colours)) in [(15, 15, 5), (6, 4, 3), (1, 9, 2), (16, 16, 8)].into_iter().enumerate() {
        let board: Board<Small> = random(width, height, colours, index as u64).board();
        for (name, found) in all(&board, Seed::new(1)) {
            assert_eq!(replayed(&board, &found), found.solution.score, "{name} on {width}x{height}x{colours}");
            assert!(found.positions >= found.solution.moves.len() as u64, "{name}");
        }
    }
}

#[test]
fn boards_beyond_sixteen_columns_are_searched_too() {
    let board: Board<Large> = random(17, 9, 4, 1).board();
    for (name, found) in all(&board, Seed::new(1)) {
        assert_eq!(replayed(&board, &found), found.solution.score, "{name}");
    }
}

#[test]
fn both_shapes_are_searched_alike() {
    let puzzle = random(12, 10, 4, 2);
    assert_eq!(all(&puzzle.board::<Small>(), Seed::new(3)), all(&puzzle.board::<Large>(), Seed::new(3)));
}

#[test]
fn the_same_seed_gives_the_same_line_and_another_seed_another() {
    let board: Board = random(15, 15, 5, 3).board();
    let (one, other) = (all(&board, Seed::new(1)), all(&board, Seed::new(2)));
    assert_eq!(one, all(&board, Seed::new(1)));
    for search in [2, 3, 4, 5] {
        assert_ne!(one[search].1.solution, other[search].1.solution);
    }
}

#[test]
fn a_game_that_is_over_has_no_line() {
    for text in ["A", "AB\nBA", "."] {
        let board: Board = text.parse::<Puzzle>().unwrap().board();
        for (name, found) in all(&board, Seed::new(1)) {
            assert_eq!((found.solution.score, found.solution.moves.len()), (board.ending(), 0), "{name} on {text}");
        }
    }
}

#[test]
fn ida_star_proves_the_best_line_of_small_boards() {
    for index in 0..30 {
        let board: Board = random(4, 5, 3, index).board();
        let (found, proof) = IdaStar { positions: 10_000_000 }.solve(&board);
        assert_eq!(proof, Optimality::Best);
        assert_eq!(found.solution.score, best(board, &mut HashMap::new()), "board {index}");
        assert_eq!(replayed(&board, &found), found.solution.score);
    }
}

#[test]
fn ida_star_stops_at_its_budget_and_proves_nothing() {
    let board: Board = random(15, 15, 5, 0).board();
    let (found, proof) = IdaStar { positions: 777 }.solve(&board);
    assert_eq!((found.positions, proof), (777, Optimality::None));
}

#[test]
fn a_beam_that_holds_every_position_finds_the_best_line() {
    for index in 0..30 {
        let board: Board = random(4, 5, 3, index).board();
        let found = Beam { width: 100_000, ..Beam::default() }.solve(&board);
        assert_eq!(found.solution.score, best(board, &mut HashMap::new()), "board {index}");
    }
}

#[test]
fn nested_searches_find_the_best_line_of_most_small_boards() {
    let mut hits = [0; 4];
    for index in 0..20 {
        let board: Board = random(4, 5, 3, index).board();
        let best = best(board, &mut HashMap::new());
        let scores = [
            Nested::default().solve(&board, Seed::new(1)),
            Nested { level: 1, width: 200, ..Nested::default() }.solve(&board, Seed::new(1)),
            Nested { level: 1, width: 200, layers: Layers::Cells, ..Nested::default() }.solve(&board, Seed::new(1)),
            Nrpa { iterations: 10, ..Nrpa::default() }.solve(&board, Seed::new(1)),
        ]
        .map(|found| found.solution.score);
        assert!(scores.iter().all(|&score| score <= best), "board {index}: {scores:?} above the best, {best}");
        (0..4).for_each(|search| hits[search] += u32::from(scores[search] == best));
    }
    // The tabu colour, which makes for points on large boards, keeps NRPA from most of the best lines of small ones.
    assert!(hits[0] >= 15 && hits[1] >= 19 && hits[2] >= 19, "{hits:?} of 20");
}

#[test]
fn of_several_nested_searches_the_best_counts() {
    let mut gained = 0;
    for index in 0..4 {
        let board: Board = random(15, 15, 5, index).board();
        let beam = |searches, layers| {
            let nested = Nested { level: 1, width: 2, searches, layers, ..Nested::default() };
            nested.solve(&board, Seed::new(1)).solution.score
        };
        let [one, two, eight] = [1, 2, 8].map(|searches| beam(searches, Layers::InTurn));
        assert_eq!(one, beam(1, Layers::Moves));
        assert!(one <= two && two <= eight, "{one} {two} {eight}");
        gained += eight - one;
    }
    assert!(gained > 0);
}

#[test]
fn searches_that_know_the_best_line_make_it_better() {
    let mut gained = 0;
    for index in 0..4 {
        let board: Board = random(15, 15, 5, index).board();
        let [none, some] = [0, 12].map(|informed| {
            let nested = Nested { level: 1, width: 3, informed, ..Nested::default() };
            nested.solve(&board, Seed::new(1))
        });
        assert!(none.solution.score <= some.solution.score && none.positions < some.positions);
        gained += some.solution.score - none.solution.score;
    }
    assert!(gained > 0);
}

#[test]
fn more_levels_score_more() {
    let mean = |solve: &dyn Fn(&Board) -> SearchResult| {
        let boards = (0..6).map(|index| random(15, 15, 5, 100 + index).board());
        boards.map(|board| solve(&board).solution.score).sum::<i32>() / 6
    };
    let nested = |level| mean(&|board| Nested { level, ..Nested::default() }.solve(board, Seed::new(1)));
    let nrpa = |level| mean(&|board| Nrpa { level, iterations: 10, ..Nrpa::default() }.solve(board, Seed::new(1)));
    let (playout, nested) = (nested(0), nested(1));
    let (low, high) = (nrpa(1), nrpa(3));
    assert!(playout + 500 < nested && low + 500 < high, "{playout} {nested}, {low} {high}");
}

/// The committed lines, on the boards they belong to, which have no licence and are not committed.
#[test]
#[ignore = "needs the standard boards, which have no licence: their folder in MINEFLOW_TEST_DATA"]
fn the_best_lines_of_the_standard_test_set_replay_and_clear() {
    let root = repository();
    let lines = fs::read_to_string(root.join("tests/fixtures/samegame20-lines.json")).unwrap();
    let lines = ScoredLine::parse_all(&lines).unwrap();
    assert_eq!(lines.len(), 20);
    let folder = std::env::var_os("MINEFLOW_TEST_DATA").expect("MINEFLOW_TEST_DATA names the folder");
    let boards = fs::read_to_string(Path::new(&folder).join("samegame20.json")).expect("the file is there");
    let boards = TestSet::parse(&boards).unwrap();
    for (number, line) in &lines {
        let mut position = Position::new(boards.puzzles[number - 1].board::<Small>());
        assert_eq!(position.replay(&line.moves), Ok(()), "board {number}");
        assert_eq!(position.score(), line.score, "board {number}");
        assert!(position.board.is_cleared(), "board {number}");
    }
    assert!(lines.values().map(|line| line.score).sum::<i32>() > 80_000);
}
