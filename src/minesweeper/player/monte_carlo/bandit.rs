//! The choice of a guess by MAC-UCB (Koriche et al., "General Game Playing with Stochastic CSP",
//! sections 4.2 to 4.4).
//!
//! - **Stage** (4.2): the solutions of the guess's stage are the cells that may be safe. MAC on the
//!   network of a position finds exactly the cells that the solver left open, and thus no network
//!   is built. A cell's utility at this stage is `1 - P`.
//! - **UCB** (4.3): each cell is an arm. The arm with the highest `mean + sqrt(2 ln n / n_i)` is
//!   sampled. A reward is 1 for a game won, 0 for a game lost; there is one role, playing against
//!   chance. The risk of the guess itself enters exactly, as a factor of `1 - P`.
//! - **Threshold** (4.4): the highest mean. After each batch of samples, arms are cut whose utility
//!   `1 - P` is below the threshold, because it is an upper bound on their expected reward, and
//!   arms whose upper confidence bound is below it.
//! - **Final move**: the arm with the highest mean. Ties go to the arm with the most samples, then
//!   are broken at random.
//!
//! There are two differences from Koriche et al. Only candidates near the lowest P are arms,
//! because a thousand samples can't rank all cells of a board. Playouts follow a cheap version of
//! the rules of player 7.0 instead of uniformly random moves, which would win almost no game.

use super::guess_game::{GuessGame, LeastEstimate};
use crate::Cell;
use mineflow_rng::Rng;
use mineflow_search::{
    Rollout, State,
    bandit::{any_of_best, ucb1},
};

/// The number of batches of samples.
const BATCHES: u64 = 4;

/// A cell and the results of the playouts that opened it.
struct Arm {
    cell: Cell,
    /// The probability that the cell is safe.
    safety: f64,
    sum: f64,
    visits: u64,
}

impl Arm {
    /// Returns the mean reward; 0 without samples.
    fn mean(&self) -> f64 {
        self.sum / self.visits.max(1) as f64
    }
}

/// Returns the cell that UCB rates highest after at most `playouts` playouts from `root`. Cells
/// come with their mine probabilities.
pub(super) fn best_arm(
    root: &GuessGame<'_>,
    cells: &[(Cell, f64)],
    playouts: u64,
    rng: &mut Rng,
) -> Cell {
    let mut arms: Vec<Arm> = cells
        .iter()
        .map(|&(cell, mine)| Arm {
            cell,
            safety: 1.0 - mine,
            sum: 0.0,
            visits: 0,
        })
        .collect();
    let mut guess = root.clone();
    let mut line = Vec::new();
    let mut made = 0;
    for batch in 1..=BATCHES {
        while made < playouts * batch / BATCHES {
            let bound = |arm: &Arm| ucb1(arm.mean(), arm.visits, made);
            let arm = any_of_best(arms.iter().map(bound), rng);
            let arm = &mut arms[arm];
            guess.restart(root, rng);
            guess.play(arm.cell, rng);
            line.clear();
            LeastEstimate.playout(&mut guess, &mut line, rng);
            arm.sum += guess.reward();
            arm.visits += 1;
            made += 1;
        }
        let threshold = arms.iter().map(Arm::mean).fold(0.0, f64::max);
        arms.retain(|arm| {
            let bound = ucb1(arm.mean(), arm.visits, made);
            // The mean of rounded rewards may exceed the safety by rounding errors.
            arm.safety.min(bound) >= threshold || arm.mean() == threshold
        });
        if arms.len() == 1 {
            break;
        }
    }
    let values = arms.iter().map(|arm| (arm.mean(), arm.visits));
    arms[any_of_best(values, rng)].cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        View,
        solver::{Analysis, Budget, Layouts},
    };
    use mineflow_rng::Seed;

    #[test]
    fn of_guesses_with_equal_risk_the_informative_one_is_found() {
        // Each 1 has a mine on one side. A safe cell between them shows where the other mine is, a
        // cell at an end does not.
        let view = View::from_rows(&["#1##1#"], 2).unwrap();
        let mut analysis = Analysis::new();
        let mut layouts = Layouts::default();
        analysis.begin(view.grid(), view.mines());
        analysis.update(&view).unwrap();
        analysis
            .layouts(&mut layouts, &mut Budget::unlimited())
            .unwrap();
        let arms = [0, 2, 3, 5].map(|cell| (Cell(cell), 0.5));
        let root = GuessGame::new(&view, &layouts, &arms);
        for seed in 0..5 {
            let best = best_arm(&root, &arms, 400, &mut Seed::new(seed).rng());
            assert!([Cell(2), Cell(3)].contains(&best), "{best:?}");
        }
    }
}
