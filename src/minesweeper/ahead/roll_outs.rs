//! Values guesses by roll-outs on consistent layouts.

use rand::{RngExt, SeedableRng};

use super::layout_playout::{Guesser, LayoutPlayout, Policy, lay};
use crate::{
    Cell, CellSet,
    solver::{Analysis, EndgameLimits, Layouts},
};
use mineflow_rng::Rng;

/// Node limit of the optimal play that ends a roll-out.
const ENDGAME_NODES: u32 = 20_000;

/// Chooses a guess by roll-outs: plays the best candidates of two-step safety to the end on layouts
/// from the posterior.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RollOuts {
    /// Number of layouts of the first round.
    pub layouts: u32,
    /// Number of candidates of the first round.
    pub arms: usize,
    /// Highest share of the board's cells that may be unknown; above it, no roll-outs are made.
    pub unknown: f64,
    /// Maximum number of layouts at which optimal play ends a roll-out.
    pub endgame: u32,
    /// Number of first guesses of a roll-out that are made by
    /// [`TwoStep::of_living_cells`](super::TwoStep::of_living_cells); `guesser` makes the later
    /// ones. The first guesses show most of what a candidate leads to. With two of them, candidates
    /// rank almost as in roll-outs in which all guesses are made this way, at 1.6 times the cost of
    /// roll-outs without any.
    pub looks: u32,
    pub guesser: Guesser,
}

impl Default for RollOuts {
    fn default() -> Self {
        Self {
            layouts: 48,
            arms: 6,
            unknown: 0.5,
            endgame: 100,
            looks: 0,
            guesser: Guesser::default(),
        }
    }
}

/// A candidate, with the statistics of its roll-outs.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    pub cell: Cell,
    safety: f64,
    tried: u32,
    sum: f64,
    /// Sum of the squared values.
    squares: f64,
    /// Prior estimate of its gain over the other candidates, in wins.
    prior: f64,
}

impl Arm {
    /// Creates a candidate that is safe with probability `safety`, without a prior.
    pub fn new(cell: Cell, safety: f64) -> Self {
        Self {
            cell,
            safety,
            tried: 0,
            sum: 0.0,
            squares: 0.0,
            prior: 0.0,
        }
    }

    /// Sets the prior estimate of the candidate's gain over the other candidates, in wins.
    pub fn expecting(self, prior: f64) -> Self {
        Self { prior, ..self }
    }

    /// Returns the win probability if the cell is opened next, 0 to 1, as estimated by the
    /// roll-outs so far.
    pub fn value(&self) -> f64 {
        self.safety * self.sum / f64::from(self.tried.max(1))
    }

    /// Returns the standard error of [`Arm::value`].
    pub(super) fn error(&self) -> f64 {
        let tried = f64::from(self.tried.max(1));
        let mean = self.sum / tried;
        self.safety * ((self.squares / tried - mean * mean).max(0.0) / tried).sqrt()
    }
}

impl RollOuts {
    /// Returns the policy of the roll-outs.
    fn policy(&self) -> Policy {
        let end = EndgameLimits {
            layouts: self.endgame,
            nodes: ENDGAME_NODES,
        };
        Policy {
            looks: self.looks,
            guesser: self.guesser,
            end,
        }
    }

    /// Runs roll-outs on `times` layouts, which are the same for all arms; each layout is used for
    /// the arms whose cell is safe in it.
    pub fn try_all(
        &self,
        (parent, layouts): (&Analysis, &Layouts),
        arms: &mut [Arm],
        times: u32,
        roll_out: &mut LayoutPlayout,
        rng: &mut Rng,
    ) {
        let cells = parent.grid().board().cells();
        let mut drawn = layouts.drawing();
        let mut mines = CellSet::new(cells);
        for _ in 0..times {
            layouts.draw(&mut drawn, rng);
            lay(&drawn, cells, &mut mines);
            let seed = rng.random();
            for arm in arms.iter_mut().filter(|arm| !mines.contains(arm.cell)) {
                let rng = &mut Rng::seed_from_u64(seed);
                // A line that exceeds the solver's limits is ignored.
                if let Ok(value) = roll_out.value(parent, &[arm.cell], &mines, self.policy(), rng) {
                    arm.sum += value;
                    arm.squares += value * value;
                    arm.tried += 1;
                }
            }
        }
    }

    /// Returns the cell of the best arm, or `None` if there are no arms. The method is sequential
    /// halving: after each round the better half continues, on twice as many layouts. The prior
    /// counts as much as `weight` layouts.
    pub fn best(
        &self,
        of: (&Analysis, &Layouts),
        mut arms: Vec<Arm>,
        weight: f64,
        roll_out: &mut LayoutPlayout,
        rng: &mut Rng,
    ) -> Option<Cell> {
        let mut times = self.layouts;
        let mut tried = 0.0;
        while arms.len() > 1 {
            self.try_all(of, &mut arms, times, roll_out, rng);
            tried += f64::from(times);
            let score = |arm: &Arm| tried * arm.value() + weight * arm.prior;
            arms.sort_by(|a, b| score(b).total_cmp(&score(a)));
            arms.truncate(arms.len().div_ceil(2));
            times *= 2;
        }
        arms.first().map(|arm| arm.cell)
    }
}
