//! Tests of games followed move by move with cached components, compared with counting each
//! position from scratch.

use mineflow_minesweeper::solver::{Analysis, Budget, Line, Outlook, TIE, Weighting};
use mineflow_minesweeper::{Board, FirstClick, Game, Status};
use mineflow_rng::Seed;

/// Plays a game by opening cells that are proved safe, or the safest cell if none is proved, and
/// compares every position. Returns the number of positions.
fn compare(board: Board, seed: u64, line: &mut Line) -> usize {
    let budget = &mut Budget::unlimited();
    let mut game = Game::new(board, FirstClick::Opening);
    game.start(Seed::new(seed));
    game.open(board.cell(0, 0).unwrap()).unwrap();
    let mut at = Analysis::new();
    at.begin(game.view().grid(), board.mines());
    let mut compared = 0;
    while game.status() == Status::Playing {
        at.update(game.view()).unwrap();
        line.begin(&at);
        line.count(budget).unwrap();
        let found = line.outlook();
        if at.safe().is_empty() {
            let Outlook {
                ln_layouts,
                certain,
                safety,
                ..
            } = at.outlook(budget).unwrap();
            assert_eq!(found.certain, certain);
            assert!(
                (found.safety - safety).abs() < 1e-12,
                "{found:?} and {safety}"
            );
            assert!(
                (found.ln_layouts - ln_layouts).abs() < 1e-9,
                "{found:?} and {ln_layouts}"
            );
            compared += 1;
        }
        let safest = line.safest();
        let mine = at
            .probabilities(Weighting::Posterior, budget)
            .unwrap()
            .mine
            .clone();
        let learnt = line.learn().unwrap();
        assert!(!learnt || !at.safe().is_empty());
        assert_eq!(line.unknown(), at.unknown());
        let next = match at.safe().first() {
            Some(&cell) => cell,
            None => {
                let (cell, p) = safest.expect("a game that goes on has a cell to open");
                let least = mine.iter().copied().fold(1.0, f64::min);
                assert!((p - least).abs() < TIE && (mine[cell.index()] - least).abs() < TIE);
                cell
            }
        };
        if !game.view().is_open(next) {
            game.open(next).unwrap();
        }
    }
    compared
}

#[test]
fn cached_components_do_not_change_the_result() {
    // All games of all boards share one `Line`, which meets most components more than once. The
    // largest board has more boundary cells than can be counted by component, and thus its
    // positions are counted as a whole.
    let mut line = Line::default();
    let mut compared = 0;
    for (board, games) in [("9x9/10", 300), ("30x16/99", 150), ("120x120/1900", 1)] {
        compared += (0..games)
            .map(|seed| compare(board.parse().unwrap(), seed, &mut line))
            .sum::<usize>();
    }
    assert!(compared > 900, "{compared}");
}
