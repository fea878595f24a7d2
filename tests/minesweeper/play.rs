//! Tests of queries about a position: mine probabilities with their proofs, and the advice of
//! players.

use crate::files::assert_has;
use mineflow_minesweeper::play::{Adviser, Judge, SavedGame, conflict, open_in_order};
use mineflow_minesweeper::player::{GameStart, PlayerSpec, Reason};
use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::{Cell, FirstClick, Game, Status, View};
use mineflow_rng::Seed;

const NODES: u64 = 1_000_000;

/// Returns game `number` of seed 1, and the information that players have about it.
fn game(board: &str, number: u64) -> (Game, GameStart) {
    let (board, first_click) = (board.parse().unwrap(), FirstClick::Safe);
    let seed = Seed::new(1).child("game", number);
    let mut game = Game::new(board, first_click);
    game.start(seed);
    (
        game,
        GameStart {
            board,
            first_click,
            seed: seed.child("player", 0),
        },
    )
}

#[test]
fn mine_probabilities_are_the_posterior() {
    let mut adviser = Adviser::new("7.0".parse().unwrap(), NODES);
    for (number, first) in (0..).zip([0, 40, 77, 200, 255, 8, 80, 100]) {
        let (mut game, start) = game("16x16/40", number);
        game.open(Cell(first)).unwrap();
        while game.status() == Status::Playing {
            let (view, odds) = (game.view(), adviser.odds(game.view()).unwrap());
            let solution = Solver::new().solve(view, &mut Budget::unlimited()).unwrap();
            for cell in view.board().all_cells() {
                let p = solution.mine_probability[cell.index()];
                assert_eq!(odds.mine(cell), (!p.is_nan()).then_some(p));
            }
            let advice = adviser.advise(view, &start).unwrap();
            open_in_order(&mut game, &advice.moves);
        }
    }
}

#[test]
fn advice_does_not_depend_on_what_was_asked_before() {
    let mut certain = 0;
    for player in ["7.0", "4.0", "agent", "2.5", "5.0", "5.5", "6.0", "6.5"] {
        let new = || Adviser::new(player.parse().unwrap(), NODES);
        let (mut game, start) = game("9x9/10", 0);
        let mut adviser = new();
        while game.status() == Status::Playing {
            let advice = adviser.advise(game.view(), &start).unwrap();
            assert_eq!(
                new().advise(game.view(), &start).unwrap(),
                advice,
                "{player}"
            );
            if advice.reason == Reason::Certain {
                let odds = adviser.odds(game.view()).unwrap();
                assert!(
                    advice
                        .moves
                        .iter()
                        .all(|&cell| odds.mine(cell) == Some(0.0))
                );
                certain += advice.moves.len();
            }
            open_in_order(&mut game, &advice.moves);
        }
    }
    assert!(certain > 0, "no player was certain of a cell");
}

#[test]
fn a_player_without_an_answer_says_why() {
    let (mut game, start) = game("9x9/10", 0);
    game.open(Cell(40)).unwrap();
    let why = Adviser::new("1.0".parse().unwrap(), 1)
        .advise(game.view(), &start)
        .unwrap_err();
    assert_eq!(why.to_string(), "the limit of 1 nodes is reached");
}

fn played(game: u64) -> SavedGame {
    let rules = ("9x9/10".parse().unwrap(), FirstClick::Safe);
    let spec: PlayerSpec = "7.0".parse().unwrap();
    SavedGame::play(
        ("7.0", &mut *spec.build()),
        rules,
        (1, game),
        None,
        &mut Budget::unlimited(),
    )
    .unwrap()
}

#[test]
fn what_is_not_a_saved_game_is_refused() {
    let line = played(0).line();
    for (from, to, words) in [
        ("\"board\":\"9x9/10\"", "\"board\":\"9x9\"", "`board`"),
        (
            "\"board\":\"9x9/10\"",
            "\"board\":\"9x9/11\"",
            "10 mines, the board 11",
        ),
        ("\"moves\":\"f", "\"moves\":\"x", "move 1"),
        ("\"moves\":\"f0", "\"moves\":\"f81", "move 1"),
        (
            "\"end\":\"won\"",
            "\"end\":\"lost\"",
            "otherwise than `end`",
        ),
        ("\"game\"", "\"gam\"", "not a saved game"),
    ] {
        let error = line
            .replacen(from, to, 1)
            .parse::<SavedGame>()
            .expect_err(words)
            .to_string();
        assert_has(&error, words);
    }
}

#[test]
fn a_conflict_names_the_cells_that_cause_it_and_no_other() {
    let view = View::from_rows(&["1#1000", "111000", "000000", "000011", "00002#"], 2).unwrap();
    let cells = conflict(&view, &mut Budget::unlimited());
    // The 2 has only one covered neighbour, which contradicts it if the other neighbours are
    // known to be safe. No cell next to the other mine belongs to the conflict.
    assert!(
        cells.contains(&view.board().cell(4, 4).unwrap()),
        "{cells:?}"
    );
    assert!(cells.iter().all(|cell| cell.index() >= 12), "{cells:?}");
    for left_out in &cells {
        let mut part = View::new(view.grid().clone(), view.mines());
        for &cell in cells.iter().filter(|cell| *cell != left_out) {
            part.open(cell, view.number(cell).unwrap()).unwrap();
        }
        assert_eq!(conflict(&part, &mut Budget::unlimited()), []);
    }
    let fine = View::from_rows(&["1#1", "111"], 1).unwrap();
    assert_eq!(conflict(&fine, &mut Budget::unlimited()), []);
}

#[test]
fn candidates_are_the_cells_of_a_guess() {
    let view = View::from_rows(&["1#", "1#", "1#"], 1).unwrap();
    let judged = Judge::new(None, &"11.0".parse().unwrap())
        .judge(&view, &mut Budget::unlimited())
        .unwrap();
    assert!(
        judged.candidates.is_empty(),
        "the middle is a mine, the others are safe"
    );
    let view = View::from_rows(&["1#", "##"], 1).unwrap();
    let judged = Judge::new(None, &"11.0".parse().unwrap())
        .judge(&view, &mut Budget::unlimited())
        .unwrap();
    assert_eq!(judged.candidates.len(), 3);
    assert!(
        judged
            .candidates
            .iter()
            .all(|candidate| (candidate.mine - 1.0 / 3.0).abs() < 1e-12)
    );
}
