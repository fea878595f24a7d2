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
//! - **What arms have in common.** `w` differs little from arm to arm, less than a hundred samples can show. The share that all
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

use super::super::choose::{Chooser, Guess};
use super::super::decision::NoMove;
use super::arm::{Arm, Common};
use super::guess_game::{GuessGame, Question, Risk};
use super::next_stage::NextStage;
use super::playout::LeastEstimate;
use super::stage::{GuessStage, MINE, StageQuestion};
use super::stage_options::StageOptions;
use crate::Cell;
use crate::solver::{Analysis, Layouts};
use mineflow_rng::Rng;
use mineflow_search::bandit::{any_of_best, arm_to_take};
use mineflow_search::scsp::Method;
use mineflow_search::{Rollout, Spending, State};

/// Solves and samples guesses.
#[derive(Debug)]
pub(in crate::player) struct StageChooser {
    options: StageOptions,
    method: Method,
    layouts: Layouts,
    stage: GuessStage,
    /// Scratch: a position that may follow.
    child: Analysis,
}

impl StageChooser {
    pub(in crate::player) fn new(options: StageOptions, method: Method) -> Self {
        let (layouts, stage, child) = (Layouts::default(), GuessStage::default(), Analysis::new());
        Self { options, method, layouts, stage, child }
    }
}

impl Chooser for StageChooser {
    /// Nothing is sampled where only one cell is feasible.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Self { options, method, layouts, stage, child } = self;
        guess.analysis.layouts(layouts, guess.budget)?;
        stage.build(guess.position, guess.budget)?;
        let spending = Spending::new(options.budget.into());
        let question = StageQuestion { threshold: 0.0, method: *method, nodes: options.nodes };
        let mut cells = Vec::new();
        stage.feasible(question, &mut cells);
        cells.retain(|cell| !mine[cell.index()].is_nan());
        let view = guess.position.view;
        if cells.is_empty() {
            // Certain mines are all that may be chosen.
            return Ok(view.covered().find(|cell| !mine[cell.index()].is_nan()));
        }
        let shown = |cell: &Cell| *stage.shown(*cell).expect("feasible cells are covered");
        let arms: Vec<Arm> = cells.iter().map(|cell| Arm::new(*cell, shown(cell))).collect();
        let all: Vec<(Cell, f64)> = arms.iter().map(|arm| (arm.cell, arm.shown[MINE])).collect();
        let risk = if options.exact == 0 { Risk::Drawn } else { Risk::Exact };
        let root = GuessGame::new(Question { view, layouts, arms: &all, width: 1, risk });
        let sampling = Sampling { root: &root, guess: root.clone(), line: Vec::new() };
        let parent = &*guess.analysis;
        let mut arms = Arms { arms, options, question, stage, parent, child, cells, spending, sampling };
        if options.exact > 0 {
            arms.sample_safest(guess.rng);
        }
        arms.sample_all(guess.rng);
        Ok(Some(arms.best(guess.rng)))
    }
}

/// The arms of a guess that are left, with the threshold that they have to reach.
struct Arms<'a> {
    arms: Vec<Arm>,
    options: &'a StageOptions,
    question: StageQuestion,
    stage: &'a mut GuessStage,
    /// The position, counted, and scratch for those that follow it.
    parent: &'a Analysis,
    child: &'a mut Analysis,
    /// Scratch: feasible cells.
    cells: Vec<Cell>,
    spending: Spending,
    sampling: Sampling<'a>,
}

impl Arms<'_> {
    /// Samples the safest arm alone. The solution of the highest utility is fixed first; what it is worth shows which others
    /// are looked at.
    fn sample_safest(&mut self, rng: &mut Rng) {
        let Self { arms, options, parent, child, spending, sampling, .. } = self;
        let safest = arms.iter_mut().min_by(|a, b| a.shown[MINE].total_cmp(&b.shown[MINE])).expect("cells were found");
        look_ahead(options, safest, parent, child);
        for _ in 0..options.samples_of_line(1) {
            if spending.is_over() || safest.is_exact() {
                break;
            }
            spending.add_playout();
            sampling.sample(safest, rng);
        }
        let best = safest.cell;
        let common = Common::of(arms, options.weight);
        let threshold = arms.iter().find(|arm| arm.cell == best).map_or(0.0, |arm| arm.mean(common));
        self.cut(best, threshold);
        let Self { arms, options, parent, child, .. } = self;
        arms.iter_mut().for_each(|arm| look_ahead(options, arm, parent, child));
        arms.retain(|arm| arm.cell == best || arm.bound() >= threshold);
    }

    /// Samples by UCB1, and cuts after each line, until one arm is left.
    fn sample_all(&mut self, rng: &mut Rng) {
        while self.arms.len() > 1 && !self.spending.is_over() && !self.arms.iter().all(Arm::is_exact) {
            let Self { arms, options, spending, sampling, .. } = self;
            let mut common = Common::of(arms, options.weight);
            for _ in 0..options.samples_of_line(arms.len()) {
                if spending.is_over() {
                    break;
                }
                spending.add_playout();
                let samples = samples(arms);
                let place = any_of_best(arms.iter().map(|arm| arm.upper_bound(common, samples)), rng);
                sampling.sample(&mut arms[place], rng);
                common = Common::of(arms, options.weight);
            }
            let best = &self.arms[self.place_of_best(rng)];
            let (best, threshold) = (best.cell, f64::max(self.question.threshold, best.mean(common)));
            self.cut(best, threshold);
            let samples = samples(&self.arms);
            self.arms.retain(|arm| arm.cell == best || arm.upper_bound(common, samples) >= threshold);
        }
    }

    /// The cell to open.
    fn best(&self, rng: &mut Rng) -> Cell {
        self.arms[self.place_of_best(rng)].cell
    }

    fn place_of_best(&self, rng: &mut Rng) -> usize {
        let common = Common::of(&self.arms, self.options.weight);
        arm_to_take(self.arms.iter().map(|arm| arm.value(common)), rng)
    }

    /// The certain cut: solves the stage again for a new threshold.
    fn cut(&mut self, best: Cell, threshold: f64) {
        let Self { arms, question, stage, cells, .. } = self;
        question.threshold = threshold;
        if arms.iter().any(|arm| 1.0 - arm.shown[MINE] < threshold) {
            stage.feasible(*question, cells);
            arms.retain(|arm| arm.cell == best || cells.binary_search(&arm.cell).is_ok());
        }
    }
}

/// Joins the next stage to the guess, where it is to be exact.
fn look_ahead(options: &StageOptions, arm: &mut Arm, parent: &Analysis, child: &mut Analysis) {
    if options.exact == 2 {
        let cell = arm.cell;
        arm.look_ahead(|number| NextStage::solve(parent, cell, number, child));
    }
}

/// Plays games to their end.
struct Sampling<'a> {
    root: &'a GuessGame<'a>,
    guess: GuessGame<'a>,
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

fn samples(arms: &[Arm]) -> u32 {
    arms.iter().map(Arm::samples).sum()
}
