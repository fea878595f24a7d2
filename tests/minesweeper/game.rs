//! Tests of the referee: first-click rules, flood fill, illegal moves.

use std::sync::Arc;

use mineflow_minesweeper::{
    Board, Cell, FirstClick, Game, Grid, Minefield, MoveError, Status, View,
};
use mineflow_rng::Seed;
use proptest::prelude::*;

fn board(text: &str) -> Board {
    text.parse().expect("it is a board")
}

/// Returns the number of games in which each cell is a mine after a first click on `clicked`.
fn mine_counts(board: Board, rule: FirstClick, clicked: Cell, games: u64) -> Vec<u64> {
    let mut game = Game::new(board, rule);
    let mut counts = vec![0; board.cells()];
    for seed in 0..games {
        game.start(Seed::new(seed));
        game.open(clicked).expect("the first click is legal");
        let field = game.field().expect("the mines are laid");
        assert_eq!(field.mine_cells().count(), board.mines());
        field
            .mine_cells()
            .for_each(|cell| counts[cell.index()] += 1);
    }
    counts
}

#[test]
fn a_game_can_be_given_its_mines_and_the_next_draws_its_own() {
    let board = board("4x3/2");
    let field = Minefield::from_mines(Arc::new(Grid::new(board)), [Cell(3), Cell(11)]);
    let mut game = Game::new(board, FirstClick::Opening);
    game.start_on(&field);
    assert_eq!(game.first_click(), FirstClick::Opening);
    assert_eq!(game.open(Cell(0)).unwrap(), Status::Playing);
    assert_eq!(game.view().opened().len(), 9);
    assert_eq!(game.open(Cell(7)).unwrap(), Status::Won);
    game.start(Seed::new(1));
    assert!(game.field().is_none() && game.view().opened().is_empty());
}

#[test]
fn a_first_click_keeps_its_promise_and_every_other_cell_is_equally_likely_to_be_a_mine() {
    const GAMES: u64 = 20_000;
    // The last opening protects all nine cells of the board, and thus the seven mines go to the
    // eight neighbours of the middle.
    for (text, rule, clicked, kept, p) in [
        ("5x4/6", FirstClick::Safe, 7, vec![7], 6.0 / 19.0),
        ("4x4/4", FirstClick::Any, 5, vec![], 4.0 / 16.0),
        (
            "6x5/9",
            FirstClick::Opening,
            7,
            vec![0, 1, 2, 6, 7, 8, 12, 13, 14],
            9.0 / 21.0,
        ),
        ("3x3/7", FirstClick::Opening, 4, vec![4], 7.0 / 8.0),
    ] {
        let counts = mine_counts(board(text), rule, Cell(clicked), GAMES);
        let (mean, deviation) = (GAMES as f64 * p, (GAMES as f64 * p * (1.0 - p)).sqrt());
        for (cell, count) in counts.into_iter().enumerate() {
            if kept.contains(&cell) {
                assert_eq!(count, 0, "{text}");
            } else {
                let off = (count as f64 - mean).abs();
                assert!(off <= 5.0 * deviation, "{text}: {count} at {p}");
            }
        }
    }
}

#[test]
fn two_first_clicks_on_one_seed_meet_almost_the_same_board() {
    let board = board("expert");
    let mines = |clicked| {
        let mut game = Game::new(board, FirstClick::Safe);
        game.start(Seed::new(3));
        game.open(clicked).expect("the first click is legal");
        game.field()
            .expect("the mines are laid")
            .mine_cells()
            .collect::<Vec<_>>()
    };
    let (a, b) = (mines(Cell(0)), mines(Cell(200)));
    assert!(a.iter().filter(|cell| !b.contains(cell)).count() <= 1);
}

#[test]
fn a_zero_opens_its_neighbours_despite_flags() {
    let field = Minefield::from_mines(Arc::new(Grid::new(board("4x3/1"))), [Cell(11)]);
    let mut game = Game::on(field);
    game.set_flag(Cell(1), true).expect("the cell is covered");
    assert_eq!(game.open(Cell(0)), Ok(Status::Won));
    assert_eq!(game.view().to_string(), "0000\n0011\n001#");
}

#[test]
fn without_a_cascade_a_zero_opens_no_other_cell() {
    let field = Minefield::from_mines(Arc::new(Grid::new(board("4x3/1"))), [Cell(11)]);
    let mut game = Game::on(field).with_cascade(false);
    assert_eq!(game.open(Cell(0)), Ok(Status::Playing));
    assert_eq!(game.view().to_string(), "0###\n####\n####");
    for cell in 1..10 {
        assert_eq!(game.open(Cell(cell)), Ok(Status::Playing));
    }
    assert_eq!(game.open(Cell(10)), Ok(Status::Won));
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let field = Minefield::from_mines(Arc::new(Grid::new(board("3x1/1"))), [Cell(2)]);
    let mut game = Game::on(field);
    assert_eq!(game.open(Cell(3)), Err(MoveError::OffBoard(3)));
    assert_eq!(game.open(Cell(1)), Ok(Status::Playing));
    assert_eq!(game.open(Cell(1)), Err(MoveError::AlreadyOpen(1)));
    assert_eq!(game.open(Cell(2)), Ok(Status::Lost));
    assert_eq!(game.open(Cell(0)), Err(MoveError::GameOver));
    assert_eq!(game.view().to_string(), "#1#");
}

#[test]
fn a_view_refuses_impossible_positions() {
    let mut view = View::new(Arc::new(Grid::new(board("2x2/1"))), 1);
    assert_eq!(view.open(Cell(4), 1), Err(MoveError::OffBoard(4)));
    assert_eq!(view.set_flag(Cell(9), true), Err(MoveError::OffBoard(9)));
    assert_eq!(view.open(Cell(0), 9), Err(MoveError::NotANumber(9)));
    assert_eq!(view.open(Cell(0), 1), Ok(()));
    assert_eq!(view.open(Cell(0), 1), Err(MoveError::AlreadyOpen(0)));
}

proptest! {
    #[test]
    fn numbers_count_the_mines_around(width in 1usize..12, height in 1usize..12, share in 0.0..1.0f64, seed: u64) {
        let mines = (share * (width * height) as f64) as usize;
        let grid = Arc::new(Grid::new(Board::new(width, height, mines).unwrap()));
        let mut field = Minefield::new(grid.clone());
        field.lay(mines, &[], &mut Seed::new(seed).rng());
        prop_assert_eq!(field.mine_cells().count(), mines);
        for cell in grid.board().all_cells() {
            let around = grid.neighbors(cell).filter(|&d| field.is_mine(d)).count();
            prop_assert_eq!(usize::from(field.number(cell)), around);
        }
    }
}
