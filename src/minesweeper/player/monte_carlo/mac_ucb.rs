//! MAC-UCB and FC-UCB at a guess (Koriche and others, "General Game Playing with Stochastic CSP", sections 4.2 to 4.4).
//!
//! The stage of the guess is solved for its feasible cells; these arms are sampled by UCB1, `mean + sqrt(2 ln n / n_i)`,
//! each sample being a layout drawn from the exact posterior and played out. What a reward, a threshold and a cut are:
//!
//! - **Reward**: 1 for a game won, 0 for one lost. There is one role, against chance.
//! - **Mean of an arm**: the expected utility of the policy that opens the cell, `sum over d of P(d) times the mean of the
//!   samples in which it showed d`. The posterior is known, so that only the numbers' values are estimated; numbers that no
//!   sample has shown yet count as the others do together; a mine counts 0.
//! - **Threshold**: the mean of the best arm. It starts at 0 and rises at the end of each line, once every arm has had its
//!   samples.
//! - **Certain cut**: the stage is solved again for the threshold. Its utility bounds what can be won, so that cells go that
//!   are mines too often, whatever the samples said: those with `1 - P` below the threshold.
//! - **Confidence cut**: an arm goes whose upper confidence bound is below the threshold. The bound is that of all values
//!   of chance together. With rewards of 0 and 1 and a thousand samples it hardly ever is.
//! - **Final move**: the highest mean, ties by samples, then at random.
//!
//! In two things this isn't the paper's: a line ends after its first stage, as the next would need the posterior of every
//! view that may follow; and playouts follow 7.0's rules made cheap, not uniform moves, which would win no game. The
//! threshold is the highest of several noisy means, so that it tends to be too high; but the certain cut never takes a cell
//! that is less likely to be a mine than the arm whose mean the threshold is.

use std::fmt;
use std::time::Duration;

use super::super::syntax::{PartText, RecipeError};
use super::guess::{Guess, Question, Risk};
use super::playout::LeastEstimate;
use super::search_options::{SearchBudget, read_budget};
use super::stage::{GuessStage, MINE, OUTCOMES, StageQuestion};
use crate::minesweeper::Cell;
use crate::minesweeper::features::Position;
use crate::minesweeper::solver::Layouts;
use crate::rng::Rng;
use crate::search::bandit::{ArmValue, arm_to_sample, arm_to_take};
use crate::search::scsp::Method;
use crate::search::{Budget, Rollout, Spending, State, Ucb1};

/// The options that `mac-ucb` and `fc-ucb` share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageOptions {
    pub budget: SearchBudget,
    /// Samples an arm after which the threshold rises.
    pub samples: u32,
    /// A search for feasible cells stops after this many branchings, and the posterior stands in for it.
    pub nodes: u64,
}

impl Default for StageOptions {
    fn default() -> Self {
        Self { budget: SearchBudget::Playouts(1000), samples: 10, nodes: 100_000 }
    }
}

/// What a deliberation looks at.
pub(in crate::minesweeper::player) struct Table<'a> {
    pub(in crate::minesweeper::player) position: &'a Position<'a>,
    /// The probabilities of the candidates, NaN elsewhere.
    pub(in crate::minesweeper::player) mine: &'a [f64],
    pub(in crate::minesweeper::player) layouts: &'a Layouts,
    pub(in crate::minesweeper::player) stage: &'a mut GuessStage,
}

impl StageOptions {
    pub(in crate::minesweeper::player) fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let usual = Self::default();
        let budget = read_budget(part)?.unwrap_or(usual.budget);
        let samples = part.take_number("samples", "a whole number from 1 to 1000000", 1..=1_000_000)?;
        let nodes = part.take_number("nodes", "a whole number from 1 to 1000000000", 1..=1_000_000_000)?;
        Ok(Self { budget, samples: samples.unwrap_or(usual.samples), nodes: nodes.unwrap_or(usual.nodes) })
    }

    /// The cell to open. Nothing is sampled where only one cell is feasible.
    pub(in crate::minesweeper::player) fn choose(
        &self,
        table: Table<'_>,
        method: Method,
        rng: &mut Rng,
    ) -> Option<Cell> {
        let Table { position, mine, layouts, stage } = table;
        let mut spending = Spending::new(match self.budget {
            SearchBudget::Playouts(playouts) => Budget::playouts(playouts),
            SearchBudget::Milliseconds(milliseconds) => Budget::time(Duration::from_millis(milliseconds)),
        });
        let question = StageQuestion { threshold: 0.0, method, nodes: self.nodes };
        let mut cells = Vec::new();
        stage.feasible(question, &mut cells);
        cells.retain(|cell| !mine[cell.index()].is_nan());
        if cells.is_empty() {
            // Certain mines are all that may be chosen.
            return position.view.covered().find(|cell| !mine[cell.index()].is_nan());
        }
        let shown = |cell: &Cell| *stage.shown(*cell).expect("feasible cells are covered");
        let mut arms: Vec<Arm> = cells.iter().map(|cell| Arm::new(*cell, shown(cell))).collect();
        let all: Vec<(Cell, f64)> = arms.iter().map(|arm| (arm.cell, arm.shown[MINE])).collect();
        let question_of_samples = Question { view: position.view, layouts, arms: &all, width: 1, risk: Risk::Drawn };
        let root = Guess::new(question_of_samples);
        let mut guess = root.clone();
        let (mut line, mut threshold) = (Vec::new(), 0.0);
        while arms.len() > 1 && !spending.is_over() {
            for _ in 0..u64::from(self.samples) * arms.len() as u64 {
                if spending.is_over() {
                    break;
                }
                spending.add_playout();
                let place = arm_to_sample(arms.iter().map(Arm::value), samples(&arms), rng);
                let cell = arms[place].cell;
                guess.restart(&root, rng);
                let outcome = guess.outcome_of(cell);
                guess.play(cell, rng);
                line.clear();
                LeastEstimate.playout(&mut guess, &mut line, rng);
                arms[place].add(outcome, guess.reward(0));
            }
            let best = arm_to_take(arms.iter().map(Arm::value), rng);
            threshold = f64::max(threshold, arms[best].mean());
            let best = arms[best].cell;
            if arms.iter().any(|arm| 1.0 - arm.shown[MINE] < threshold) {
                stage.feasible(StageQuestion { threshold, ..question }, &mut cells);
                arms.retain(|arm| arm.cell == best || cells.binary_search(&arm.cell).is_ok());
            }
            let samples = samples(&arms);
            arms.retain(|arm| arm.cell == best || arm.upper_bound(samples) >= threshold);
        }
        Some(arms[arm_to_take(arms.iter().map(Arm::value), rng)].cell)
    }
}

/// The budget always, the others where they differ from the usual.
impl fmt::Display for StageOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        write!(f, "{}", self.budget)?;
        if self.samples != usual.samples {
            write!(f, ":samples={}", self.samples)?;
        }
        if self.nodes != usual.nodes {
            write!(f, ":nodes={}", self.nodes)?;
        }
        Ok(())
    }
}

/// A cell and what came of the samples that opened it.
struct Arm {
    cell: Cell,
    shown: [f64; OUTCOMES],
    samples: u32,
    /// By what the cell showed: samples, and games won.
    tried: [u32; MINE],
    won: [f64; MINE],
}

impl Arm {
    fn new(cell: Cell, shown: [f64; OUTCOMES]) -> Self {
        Self { cell, shown, samples: 0, tried: [0; MINE], won: [0.0; MINE] }
    }

    fn add(&mut self, outcome: usize, reward: f64) {
        self.samples += 1;
        if outcome != MINE {
            self.tried[outcome] += 1;
            self.won[outcome] += reward;
        }
    }

    fn mean(&self) -> f64 {
        let together = self.won.iter().sum::<f64>() / f64::from(self.tried.iter().sum::<u32>().max(1));
        let of_number = |number: usize| match self.tried[number] {
            0 => together,
            tried => self.won[number] / f64::from(tried),
        };
        (0..MINE).map(|number| self.shown[number] * of_number(number)).sum()
    }

    fn value(&self) -> ArmValue {
        ArmValue { mean: self.mean(), visits: self.samples }
    }

    /// UCB1, with this many samples of all arms.
    fn upper_bound(&self, samples: u32) -> f64 {
        Ucb1::upper_bound(self.mean(), self.samples, samples)
    }
}

fn samples(arms: &[Arm]) -> u32 {
    arms.iter().map(|arm| arm.samples).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_weigh_the_numbers_by_the_posterior() {
        let mut shown = [0.0; OUTCOMES];
        (shown[0], shown[1], shown[MINE]) = (0.5, 0.25, 0.25);
        let mut arm = Arm::new(Cell(0), shown);
        assert_eq!(arm.upper_bound(10), f64::INFINITY);
        [(0, 1.0), (0, 0.0), (MINE, 0.0), (MINE, 0.0)].iter().for_each(|&(outcome, won)| arm.add(outcome, won));
        // 0 wins half of its games; 1 wasn't shown yet and counts as the others do.
        assert_eq!(arm.mean(), 0.5 * 0.5 + 0.25 * 0.5);
        arm.add(1, 1.0);
        assert_eq!(arm.mean(), 0.5 * 0.5 + 0.25);
        assert_eq!(arm.upper_bound(10), 0.5 + (2.0 * 10.0_f64.ln() / 5.0).sqrt());
    }
}
