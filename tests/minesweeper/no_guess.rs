//! Tests of no-guess boards: each can be solved by proofs of its level, and no other board is
//! accepted.

use mineflow_minesweeper::no_guess::{Level, NoGuess};
use mineflow_minesweeper::{Board, FirstClick, Game};
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
