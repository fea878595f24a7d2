//! Implements a player that opens proved-safe cells, and otherwise the cell with the lowest mine
//! probability.
//!
//! `cargo run --release --example write_a_player`

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use mineflow::arena::Estimate;
use mineflow::arena::Workers;
use mineflow::minesweeper::player::{
    Decision, GameEnd, GameStart, Limits, NoMove, Player, Reason, Seat, board_seed,
};
use mineflow::minesweeper::solver::{Budget, Solver};
use mineflow::minesweeper::{Board, Cell, FirstClick, View};
use mineflow::rng::Seed;

#[derive(Default)]
struct LeastLikely {
    solver: Solver,
    /// The cells of the last decision, which the returned [`Decision`] borrows.
    cells: Vec<Cell>,
}

impl Player for LeastLikely {
    /// Does nothing, because the player keeps no state between games.
    fn begin(&mut self, _: &GameStart) {}

    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove> {
        let solution = self.solver.solve(view, budget)?;
        self.cells = solution.safe;
        if !self.cells.is_empty() {
            return Ok(Decision::new(Reason::Certain, &self.cells));
        }
        let mine = |cell: &Cell| solution.mine_probability[cell.index()];
        self.cells
            .extend(view.covered().min_by(|a, b| mine(a).total_cmp(&mine(b))));
        Ok(Decision::new(Reason::Guess, &self.cells))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let board: Board = "beginner".parse()?;
    let seeds = board_seed(Seed::new(1), board);
    let (games, mut wins) = (1000, 0);

    // Each worker has its own player. Neither the seed of a game nor its result depends on the
    // worker.
    let workers = Workers {
        threads: 2,
        stop: &AtomicBool::new(false),
    };
    workers.run_in_order(
        0..games,
        || {
            Seat::new(
                Box::new(LeastLikely::default()),
                board,
                FirstClick::Safe,
                Limits::default(),
            )
        },
        |seat, game| seat.play(seeds.child("game", game)),
        |outcome| {
            if let Some(outcome) = outcome {
                wins += u64::from(outcome?.end == GameEnd::Won);
            }
            Ok::<_, Box<dyn Error>>(ControlFlow::Continue(()))
        },
    )?;

    let Estimate { value, low, high } = Estimate::of_wins(wins, games);
    println!(
        "{wins} of {games} games won: {:.1} % ({:.1} - {:.1})",
        100.0 * value,
        100.0 * low,
        100.0 * high
    );
    Ok(())
}
