//! The choice of a guess by MAC-UCB (Koriche et al., "General Game Playing with Stochastic CSP", sections 4.2 to 4.4).
//!
//! The stage of the guess is solved for its feasible cells. These cells are the arms of a bandit, which UCB1 samples by
//! `mean + sqrt(2 ln n / n_i)`. Each sample draws a layout from the exact posterior and plays the game on it to the end. Definitions:
//!
//! - **Reward**: 1 for a game won, 0 for a game lost. There is one role, playing against chance.
//! - **Joined stages**: The posterior gives the probability `P(d)` that the cell shows `d`, and the safety `S(d)` of the safest move of the
//!   next stage after `d`. The value of an arm is thus `sum over d of P(d) times S(d) times w(d)`. Samples estimate only `w(d)`, the win
//!   rate after both moves were safe. The samples also open the cells that the next stage proves safe. A number that leaves no unknown cell
//!   is a win.
//! - **Pooling**: the differences of `w` between arms are smaller than a hundred samples can resolve. The win rate over the samples of all
//!   arms is therefore used as a prior that counts as 2,000 samples in each arm.
//! - **Threshold**: the mean of the best arm. The first batch of samples is drawn only from the safest arm. The threshold may rise at the
//!   end of each batch. A batch is a twentieth of the playouts or two samples an arm, whichever is more.
//! - **Certain cut**: the stage is solved again for the threshold. Its utility is an upper bound on the win probability, and thus cells
//!   whose safety `1 - P` is below the threshold are cut whatever their samples say. After the first batch, the arms whose bound over both
//!   stages is below the threshold are cut too.
//! - **Confidence cut**: an arm whose upper confidence bound is below the threshold is cut. There is one bound for all outcomes of chance
//!   together.
//! - **Final move**: the arm with the highest mean. Ties go to the arm with the most samples, then are broken at random.
//!
//! There are two differences from Koriche et al. First, only two stages are solved, and the second one takes the safest move, because a
//! third stage would need the posterior of every view that may follow. Second, playouts follow a cheap version of the rules of player 7.0
//! instead of uniformly random moves, which would win almost no game. The threshold is a maximum of noisy means and thus tends to be too
//! high, but no cut removes an arm whose bound is above it.

use super::super::choose::{Chooser, Guess};
use super::super::decision::NoMove;
use super::arm::{Arm, Common};
use super::guess_game::{GuessGame, Question};
use super::next_stage::NextStage;
use super::playout::LeastEstimate;
use super::stage::{GuessStage, MINE, StageQuestion};
use crate::Cell;
use crate::solver::{Analysis, Layouts};
use mineflow_rng::Rng;
use mineflow_search::bandit::{any_of_best, arm_to_take};
use mineflow_search::{Budget, Rollout, Spending, State};

/// The number of samples that the pooled win rate counts as in each arm.
const WEIGHT: u32 = 2000;

/// A chooser of guesses by MAC-UCB.
#[derive(Debug)]
pub(in crate::player) struct StageChooser {
    playouts: u64,
    layouts: Layouts,
    stage: GuessStage,
    /// Scratch memory for a position that may follow the guess.
    child: Analysis,
}

impl StageChooser {
    pub(in crate::player) fn new(playouts: u64) -> Self {
        let (layouts, stage, child) = (Layouts::default(), GuessStage::default(), Analysis::new());
        Self {
            playouts,
            layouts,
            stage,
            child,
        }
    }
}

impl Chooser for StageChooser {
    /// Chooses a guess by MAC-UCB. If only one cell is feasible, the choice ends after the first batch of samples.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Self {
            playouts,
            layouts,
            stage,
            child,
        } = self;
        guess.analysis.layouts(layouts, guess.budget)?;
        stage.build(guess.position, guess.budget)?;
        let spending = Spending::new(Budget::playouts(*playouts));
        let mut cells = Vec::new();
        stage.feasible(StageQuestion::default(), &mut cells);
        cells.retain(|cell| !mine[cell.index()].is_nan());
        let view = guess.position.view;
        if cells.is_empty() {
            // Every candidate is a mine in all layouts.
            return Ok(view.covered().find(|cell| !mine[cell.index()].is_nan()));
        }
        let shown = |cell: &Cell| *stage.shown(*cell).expect("feasible cells are covered");
        let arms: Vec<Arm> = cells
            .iter()
            .map(|cell| Arm::new(*cell, shown(cell)))
            .collect();
        let all: Vec<(Cell, f64)> = arms.iter().map(|arm| (arm.cell, arm.shown[MINE])).collect();
        let root = GuessGame::new(Question {
            view,
            layouts,
            arms: &all,
            width: 1,
        });
        let sampling = Sampling {
            root: &root,
            guess: root.clone(),
            line: Vec::new(),
        };
        let parent = &*guess.analysis;
        let (playouts, threshold) = (*playouts, 0.0);
        let mut arms = Arms {
            arms,
            playouts,
            threshold,
            stage,
            parent,
            child,
            cells,
            spending,
            sampling,
        };
        arms.sample_safest(guess.rng);
        arms.sample_all(guess.rng);
        Ok(Some(arms.best(guess.rng)))
    }
}

/// The remaining arms of a guess, and the threshold that they must reach.
struct Arms<'a> {
    arms: Vec<Arm>,
    playouts: u64,
    threshold: f64,
    stage: &'a mut GuessStage,
    /// The position of the guess, whose posterior has been counted; `child` is scratch memory for positions that may follow it.
    parent: &'a Analysis,
    child: &'a mut Analysis,
    /// Scratch memory for feasible cells.
    cells: Vec<Cell>,
    spending: Spending,
    sampling: Sampling<'a>,
}

impl Arms<'_> {
    /// Samples only the safest arm, which is the solution of the highest utility. The mean of this arm is the first threshold, by which
    /// other arms are cut.
    fn sample_safest(&mut self, rng: &mut Rng) {
        let samples = self.samples_of_line(1);
        let Self {
            arms,
            parent,
            child,
            spending,
            sampling,
            ..
        } = self;
        let safest = arms
            .iter_mut()
            .min_by(|a, b| a.shown[MINE].total_cmp(&b.shown[MINE]))
            .expect("cells were found");
        look_ahead(safest, parent, child);
        for _ in 0..samples {
            if spending.is_over() || safest.is_exact() {
                break;
            }
            spending.add_playout();
            sampling.sample(safest, rng);
        }
        let best = safest.cell;
        let common = Common::of(arms, WEIGHT);
        let threshold = arms
            .iter()
            .find(|arm| arm.cell == best)
            .map_or(0.0, |arm| arm.mean(common));
        self.cut(best, threshold);
        let Self {
            arms,
            parent,
            child,
            ..
        } = self;
        arms.iter_mut()
            .for_each(|arm| look_ahead(arm, parent, child));
        arms.retain(|arm| arm.cell == best || arm.bound() >= threshold);
    }

    /// Samples the arms by UCB1, with cuts after each batch, until one arm is left, the playouts are spent, or all arms are known exactly.
    fn sample_all(&mut self, rng: &mut Rng) {
        while self.arms.len() > 1
            && !self.spending.is_over()
            && !self.arms.iter().all(Arm::is_exact)
        {
            let line = self.samples_of_line(self.arms.len());
            let Self {
                arms,
                spending,
                sampling,
                ..
            } = self;
            let mut common = Common::of(arms, WEIGHT);
            for _ in 0..line {
                if spending.is_over() {
                    break;
                }
                spending.add_playout();
                let samples = samples(arms);
                let place =
                    any_of_best(arms.iter().map(|arm| arm.upper_bound(common, samples)), rng);
                sampling.sample(&mut arms[place], rng);
                common = Common::of(arms, WEIGHT);
            }
            let best = &self.arms[self.place_of_best(rng)];
            let (best, threshold) = (best.cell, f64::max(self.threshold, best.mean(common)));
            self.cut(best, threshold);
            let samples = samples(&self.arms);
            self.arms
                .retain(|arm| arm.cell == best || arm.upper_bound(common, samples) >= threshold);
        }
    }

    /// Returns the number of samples in a batch, after which the threshold is updated.
    fn samples_of_line(&self, arms: usize) -> u64 {
        (2 * arms as u64).max(self.playouts / 20)
    }

    /// Returns the cell to open.
    fn best(&self, rng: &mut Rng) -> Cell {
        self.arms[self.place_of_best(rng)].cell
    }

    fn place_of_best(&self, rng: &mut Rng) -> usize {
        let common = Common::of(&self.arms, WEIGHT);
        arm_to_take(self.arms.iter().map(|arm| arm.value(common)), rng)
    }

    /// Applies the certain cut: solves the stage again for a new threshold and removes the arms that are not feasible.
    fn cut(&mut self, best: Cell, threshold: f64) {
        self.threshold = threshold;
        let Self {
            arms, stage, cells, ..
        } = self;
        if arms.iter().any(|arm| 1.0 - arm.shown[MINE] < threshold) {
            stage.feasible(
                StageQuestion {
                    threshold,
                    ..StageQuestion::default()
                },
                cells,
            );
            arms.retain(|arm| arm.cell == best || cells.binary_search(&arm.cell).is_ok());
        }
    }
}

/// Solves the next stage for every number that the cell of `arm` may show.
fn look_ahead(arm: &mut Arm, parent: &Analysis, child: &mut Analysis) {
    let cell = arm.cell;
    arm.look_ahead(|number| NextStage::solve(parent, cell, number, child));
}

/// The state of sampled games, which are played to their end.
struct Sampling<'a> {
    root: &'a GuessGame<'a>,
    guess: GuessGame<'a>,
    line: Vec<Cell>,
}

impl Sampling<'_> {
    /// Plays one game that opens the cell of `arm`, and adds the result to the samples of `arm`.
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
