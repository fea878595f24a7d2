//! The games of a series of SameGame: every algorithm plays every board with every budget.

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};

use super::BudgetText;
use mineflow_arena::{Keeping, Part, Piece, numbers::round};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, Move, Puzzle};

/// The games of a series, ordered by index: all boards with the first algorithm and budget, then
/// all boards with the next budget, and so on.
pub(super) struct Games {
    pub puzzles: Vec<Puzzle>,
    pub algorithms: Vec<Algorithm>,
    pub budgets: Vec<BudgetText>,
    pub seed: u64,
}

/// A finished game, which is a line of the journal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayedBoard {
    /// Index of the game.
    pub game: usize,
    pub score: i32,
    pub cleared: bool,
    pub playouts: u64,
    pub nodes: u64,
    pub mean_depth: Option<f64>,
    pub deepest: Option<f64>,
    /// Missing in journals of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection_depth: Option<f64>,
    pub moves: Vec<Move>,
}

/// The cost of a game.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cost {
    /// Index of the game.
    pub game: usize,
    pub cpu_seconds: f64,
}

impl Piece for PlayedBoard {
    type Cost = Cost;
    const KEEPING: Keeping = Keeping {
        things: "games",
        has_costs: true,
        journal_stays: true,
    };

    fn number(&self) -> usize {
        self.game
    }

    fn number_of(cost: &Cost) -> usize {
        cost.game
    }
}

impl Games {
    pub fn boards(&self) -> usize {
        self.puzzles.len()
    }

    /// Returns the index of a game's board, from 0.
    pub fn board(&self, game: usize) -> usize {
        game % self.boards()
    }

    /// Returns the algorithm and budget of a game.
    pub fn rivals(&self, game: usize) -> (Algorithm, BudgetText) {
        let place = game / self.boards();
        (
            self.algorithms[place / self.budgets.len()],
            self.budgets[place % self.budgets.len()],
        )
    }

    /// Returns the games of a shard of the run. A shard has all games of some of the boards.
    pub fn own(&self, part: Part) -> impl Iterator<Item = usize> {
        let own = part.range(self.boards() as u64);
        let games = 0..self.algorithms.len() * self.budgets.len() * self.boards();
        games.filter(move |&game| own.contains(&(self.board(game) as u64)))
    }

    /// Plays a game.
    pub fn play(&self, game: usize) -> (PlayedBoard, Cost) {
        let (board, (algorithm, budget)) = (self.board(game), self.rivals(game));
        // All algorithms and budgets play a board with the same seed.
        let seed = Seed::new(self.seed).child("samegame", board as u64);
        let clock = ThreadTime::now();
        let outcome = algorithm.solve(&self.puzzles[board], budget.budget(), seed);
        let cost = Cost {
            game,
            cpu_seconds: round(clock.elapsed().as_secs_f64(), 6),
        };
        let record = PlayedBoard {
            game,
            score: outcome.score,
            cleared: outcome.cleared,
            playouts: outcome.playouts,
            nodes: outcome.nodes,
            mean_depth: outcome.mean_depth,
            deepest: outcome.deepest,
            selection_depth: outcome.selection_depth,
            moves: outcome.line,
        };
        (record, cost)
    }
}
