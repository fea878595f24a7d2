//! Tests of no-guess boards: each can be solved by proofs of its level, and no other board is
//! accepted.

use mineflow_minesweeper::no_guess::{Level, Measures, NoGuess};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Minefield};
use mineflow_rng::Seed;

use crate::other_proofs::expected;

#[test]
fn levels_agree_with_independent_proofs() {
    let mut seen = [0; 4];
    for (board, rule) in [
        ("9x9/10", FirstClick::Opening),
        ("8x8/14", FirstClick::Opening),
        ("6x4/5", FirstClick::Any),
    ] {
        let board: Board = board.parse().unwrap();
        let first = board.cell(1, 2).unwrap();
        let mut no_guess = NoGuess::new(board, rule);
        let mut game = Game::new(board, rule);
        for index in 0..300 {
            let seed = Seed::new(7).child("game", index);
            let level = no_guess.level(seed, first);
            game.start(seed);
            let only_single = expected(&mut game, first);
            assert_eq!(
                level.map(|level| level == Level::SingleNumbers),
                only_single,
                "{board}, board {index}"
            );
            assert_eq!(
                game.field().unwrap().to_string(),
                no_guess.field().to_string()
            );
            seen[level.map_or(3, |level| level as usize)] += 1;
        }
    }
    assert!(seen.iter().all(|&boards| boards > 10), "{seen:?}");
}

#[test]
fn openings_and_clicks_of_a_board_counted_by_hand() {
    let field: Minefield = "*....\n.....\n....*\n*.*..".parse().unwrap();
    // One opening at the top right; the numbers that don't touch it are counted below.
    let measures = Measures::of(&field);
    assert_eq!(measures.openings, 1);
    let beside_none = 4 * 5 - 4 - opened_by_the_opening(&field);
    assert_eq!(measures.clicks, 1 + beside_none);
}

fn opened_by_the_opening(field: &Minefield) -> usize {
    let zero = |cell: Cell| !field.is_mine(cell) && field.number(cell) == 0;
    let near_zero = |cell: Cell| field.grid().neighbors(cell).any(zero);
    field
        .board()
        .all_cells()
        .filter(|&cell| !field.is_mine(cell) && (zero(cell) || near_zero(cell)))
        .count()
}
