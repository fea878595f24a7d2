//! MAC-UCB and FC-UCB at a guess (Koriche and others, "General Game Playing with Stochastic CSP", sections 4.2 to 4.4).
//!
//! The stage of the guess is solved for its feasible cells; these arms are sampled by UCB1, `mean + sqrt(2 ln n / n_i)`,
//! each sample being a layout drawn from the exact posterior and played out. What a reward, a threshold and a cut are:
//!
//! - **Reward**: 1 for a game won, 0 for one lost. There is one role, against chance.
//! - **Two stages joined** (`exact=2`). The posterior says how likely each number is, and after each number how safe the
//!   safest move of the next stage is. So the value of an arm is `sum over d of P(d) times S(d) times w(d)`, and samples are asked
//!   for `w(d)` alone: how often the game is won once both moves were safe. What is certain in the next stage is opened by the
//!   samples too. A number that leaves no cell unknown is a game won.
//! - **What arms have in common.** `w` differs little from arm to arm, less than a hundred samples can tell. The share that all
//!   arms won together counts as `weight` samples in each of them.
//! - **Threshold**: the mean of the best arm. The first line samples the safest arm alone; then it rises at the end of each line,
//!   after a twentieth of the playouts or two samples an arm, whichever is more.
//! - **Certain cut**: the stage is solved again for the threshold. Its utility bounds what can be won, so that cells go that
//!   are mines too often, whatever the samples said: those with `1 - P` below the threshold; and then those whose two stages are.
//! - **Confidence cut**: an arm goes whose upper confidence bound is below the threshold. The bound is that of all values
//!   of chance together.
//! - **Final move**: the highest mean, ties by samples, then at random.
//!
//! In two things this isn't the paper's: a line ends after its second stage, of which the safest move is taken, as the next would need
//! the posterior of every view that may follow; and playouts follow 7.0's rules made cheap, not uniform moves, which would win no
//! game. The threshold is the highest of several noisy means, so that it tends to be too high; but no cut takes a cell whose bound is
//! above it. `exact=0:weight=0:samples=10` leaves all to the samples, ten an arm and line.

use std::fmt;
use std::time::Duration;

use super::super::syntax::{PartText, RecipeError};
use super::arm::{Arm, Common};
use super::guess::{Guess, Question, Risk};
use super::next_stage::NextStage;
use super::playout::LeastEstimate;
use super::search_options::{SearchBudget, read_budget};
use super::stage::{GuessStage, MINE, StageQuestion};
use crate::Cell;
use crate::features::Position;
use crate::solver::{Analysis, Layouts};
use mineflow_rng::Rng;
use mineflow_search::bandit::{any_of_best, arm_to_take};
use mineflow_search::scsp::Method;
use mineflow_search::{Budget, Rollout, Spending, State};

/// The options that `mac-ucb` and `fc-ucb` share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageOptions {
    pub budget: SearchBudget,
    /// Samples an arm after which the threshold rises; `None` for a twentieth of the playouts, at least two an arm.
    pub samples: Option<u32>,
    /// A search for feasible cells stops after this many branchings, and the posterior stands in for it.
    pub nodes: u64,
    /// Stages whose risk is exact: 0 for none, the paper's letter; 1 for the guess itself, 2 for the next move as well.
    pub exact: u32,
    /// Samples that the share won by all arms together counts as in each of them.
    pub weight: u32,
}

impl Default for StageOptions {
    fn default() -> Self {
        let budget = SearchBudget::Playouts(1000);
        Self { budget, samples: None, nodes: 100_000, exact: 2, weight: 2000 }
    }
}

/// What a deliberation looks at.
pub(in crate::player) struct Table<'a> {
    pub(in crate::player) position: &'a Position<'a>,
    /// The probabilities of the candidates, NaN elsewhere.
    pub(in crate::player) mine: &'a [f64],
    pub(in crate::player) layouts: &'a Layouts,
    pub(in crate::player) stage: &'a mut GuessStage,
    /// The position, counted, and scratch for those that follow it.
    pub(in crate::player) parent: &'a Analysis,
    pub(in crate::player) child: &'a mut Analysis,
}

impl StageOptions {
    pub(in crate::player) fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let usual = Self::default();
        let budget = read_budget(part)?.unwrap_or(usual.budget);
        let samples = part.take_number("samples", "a whole number from 1 to 1000000", 1..=1_000_000)?;
        let nodes = part.take_number("nodes", "a whole number from 1 to 1000000000", 1..=1_000_000_000)?;
        let exact = part.take_number("exact", "0, 1 or 2", 0..=2)?;
        let weight = part.take_number("weight", "a whole number from 0 to 1000000", 0..=1_000_000)?;
        Ok(Self {
            budget,
            samples: samples.or(usual.samples),
            nodes: nodes.unwrap_or(usual.nodes),
            exact: exact.unwrap_or(usual.exact),
            weight: weight.unwrap_or(usual.weight),
        })
    }

    /// The cell to open. Nothing is sampled where only one cell is feasible.
    pub(in crate::player) fn choose(&self, table: Table<'_>, method: Method, rng: &mut Rng) -> Option<Cell> {
        let Table { position, mine, layouts, stage, parent, child } = table;
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
        let risk = if self.exact == 0 { Risk::Drawn } else { Risk::Exact };
        let root = Guess::new(Question { view: position.view, layouts, arms: &all, width: 1, risk });
        let mut sampling = Sampling { root: &root, guess: root.clone(), line: Vec::new() };
        let mut threshold = 0.0;
        if self.exact > 0 {
            // The solution of the highest utility is fixed first; what it is worth tells which others are looked at.
            let safest =
                arms.iter_mut().min_by(|a, b| a.shown[MINE].total_cmp(&b.shown[MINE])).expect("cells were found");
            self.look_ahead(safest, parent, child);
            for _ in 0..self.samples_of_line(1) {
                if spending.is_over() || safest.is_exact() {
                    break;
                }
                spending.add_playout();
                sampling.sample(safest, rng);
            }
            let best = safest.cell;
            let common = Common::of(&arms, self.weight);
            threshold = arms.iter().find(|arm| arm.cell == best).map_or(0.0, |arm| arm.mean(common));
            self.cut(&mut arms, best, StageQuestion { threshold, ..question }, stage, &mut cells);
            arms.iter_mut().for_each(|arm| self.look_ahead(arm, parent, child));
            arms.retain(|arm| arm.cell == best || arm.bound() >= threshold);
        }
        while arms.len() > 1 && !spending.is_over() && !arms.iter().all(Arm::is_exact) {
            let mut common = Common::of(&arms, self.weight);
            for _ in 0..self.samples_of_line(arms.len()) {
                if spending.is_over() {
                    break;
                }
                spending.add_playout();
                let samples = samples(&arms);
                let place = any_of_best(arms.iter().map(|arm| arm.upper_bound(common, samples)), rng);
                sampling.sample(&mut arms[place], rng);
                common = Common::of(&arms, self.weight);
            }
            let best = arm_to_take(arms.iter().map(|arm| arm.value(common)), rng);
            threshold = f64::max(threshold, arms[best].mean(common));
            let best = arms[best].cell;
            self.cut(&mut arms, best, StageQuestion { threshold, ..question }, stage, &mut cells);
            let samples = samples(&arms);
            arms.retain(|arm| arm.cell == best || arm.upper_bound(common, samples) >= threshold);
        }
        let common = Common::of(&arms, self.weight);
        Some(arms[arm_to_take(arms.iter().map(|arm| arm.value(common)), rng)].cell)
    }

    /// Samples between two rises of the threshold.
    fn samples_of_line(&self, arms: usize) -> u64 {
        let arms = arms as u64;
        match (self.samples, self.budget) {
            (Some(samples), _) => u64::from(samples) * arms,
            (None, SearchBudget::Playouts(playouts)) => (2 * arms).max(playouts / 20),
            (None, SearchBudget::Milliseconds(_)) => (10 * arms).max(50),
        }
    }

    /// Joins the next stage to the guess, where it is to be exact.
    fn look_ahead(&self, arm: &mut Arm, parent: &Analysis, child: &mut Analysis) {
        if self.exact == 2 {
            let cell = arm.cell;
            arm.look_ahead(|number| NextStage::solve(parent, cell, number, child));
        }
    }

    /// The certain cut: solves the stage again for the threshold.
    fn cut(
        &self,
        arms: &mut Vec<Arm>,
        best: Cell,
        question: StageQuestion,
        stage: &mut GuessStage,
        cells: &mut Vec<Cell>,
    ) {
        if arms.iter().any(|arm| 1.0 - arm.shown[MINE] < question.threshold) {
            stage.feasible(question, cells);
            arms.retain(|arm| arm.cell == best || cells.binary_search(&arm.cell).is_ok());
        }
    }
}

/// Plays games to their end.
struct Sampling<'a> {
    root: &'a Guess<'a>,
    guess: Guess<'a>,
    line: Vec<Cell>,
}

impl Sampling<'_> {
    /// One more sample of `arm`.
    fn sample(&mut self, arm: &mut Arm, rng: &mut Rng) {
        let Self { root, guess, line } = self;
        guess.restart(root, rng);
        guess.play(arm.cell, rng);
        let outcome = guess.outcome_of(arm.cell);
        if let Some(next) = arm.next(outcome) {
            if next.safety < 1.0 && guess.simulation.hides_mine(next.cells[0]) {
                arm.add(outcome, None);
                return;
            }
            guess.open_all(&next.cells);
        }
        line.clear();
        LeastEstimate.playout(guess, line, rng);
        arm.add(outcome, Some(guess.simulation.is_won()));
    }
}

/// The budget always, the others where they differ from the usual.
impl fmt::Display for StageOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        write!(f, "{}", self.budget)?;
        if let Some(samples) = self.samples {
            write!(f, ":samples={samples}")?;
        }
        let others = [
            ("nodes", self.nodes, usual.nodes),
            ("exact", self.exact.into(), usual.exact.into()),
            ("weight", self.weight.into(), usual.weight.into()),
        ];
        others
            .iter()
            .filter(|(_, value, usual)| value != usual)
            .try_for_each(|(key, value, _)| write!(f, ":{key}={value}"))
    }
}

fn samples(arms: &[Arm]) -> u32 {
    arms.iter().map(Arm::samples).sum()
}
