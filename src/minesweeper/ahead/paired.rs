//! Compares choices by roll-outs of 11.0-fast on common layouts.

use rand::{RngExt, SeedableRng};

use super::layout_playout::{Guesser, LayoutPlayout, Policy, lay};
use crate::{
    Cell, CellSet,
    solver::{Analysis, Budget, CountError, EndgameLimits, Layouts},
};
use mineflow_rng::{Rng, Seed};

/// The policy of 11.0-fast after the first guess.
const POLICY: Policy = Policy {
    looks: u32::MAX,
    guesser: Guesser::LeastMine,
    end: EndgameLimits {
        layouts: 100,
        nodes: 20_000,
    },
};
/// The number of standard errors on each side of a 95 % interval.
const WIDTH: f64 = 1.96;
/// The number of layouts between two checks whether the differences are known.
const ROUND: u32 = 64;
/// The difference that is accurate enough, in wins.
const ENOUGH: f64 = 0.01;

/// Cells to open at once, and the probability that all of them are safe.
pub type Choice<'a> = (&'a [Cell], f64);

/// The win probability of a choice, estimated by roll-outs. Errors are half the widths of 95 %
/// intervals.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rated {
    pub win: f64,
    pub error: f64,
    /// The win probability of the first choice minus that of this one, on common layouts.
    pub behind: f64,
    pub behind_error: f64,
}

/// Rates choices, and keeps scratch memory between positions.
#[derive(Clone, Debug, Default)]
pub struct Paired {
    layouts: Layouts,
    playout: LayoutPlayout,
}

impl Paired {
    /// Rates `choices` in the position of `parent`, whose probabilities must have been computed, on
    /// up to `most` layouts drawn from `seed`. It stops earlier once all differences to the first
    /// choice are known to a percentage point, or at the time limit of `budget`.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::layouts`].
    pub fn rate(
        &mut self,
        parent: &mut Analysis,
        choices: &[Choice<'_>],
        (most, seed): (u32, Seed),
        budget: &mut Budget,
    ) -> Result<Vec<Rated>, CountError> {
        parent.layouts(&mut self.layouts, budget)?;
        let cells = parent.grid().board().cells();
        let mut rng = seed.rng();
        let mut drawn = self.layouts.drawing();
        let mut mines = CellSet::new(cells);
        // The value of each choice in each layout; `None` where one of its cells is a mine.
        let mut values = vec![Vec::new(); choices.len()];
        for number in 1..=most {
            self.layouts.draw(&mut drawn, &mut rng);
            lay(&drawn, cells, &mut mines);
            let line_seed = rng.random();
            for (&(opened, _), values) in choices.iter().zip(&mut values) {
                let is_safe = opened.iter().all(|&cell| !mines.contains(cell));
                let rng = &mut Rng::seed_from_u64(line_seed);
                // A line that exceeds the solver's limits is ignored.
                let line = || self.playout.value(parent, opened, &mines, POLICY, rng).ok();
                values.push(is_safe.then(line).flatten());
            }
            if number % ROUND == 0 {
                let known = rated(choices, &values);
                let is_known = |rated: &Rated| rated.behind_error <= ENOUGH;
                if budget.check_clock().is_err() || number > ROUND && known.iter().all(is_known) {
                    return Ok(known);
                }
            }
        }
        Ok(rated(choices, &values))
    }
}

/// Estimates each win probability by the exact safety times the mean value of the safe layouts.
fn rated(choices: &[Choice<'_>], values: &[Vec<Option<f64>>]) -> Vec<Rated> {
    let of_choice = |(&(_, safety), values): (&Choice<'_>, &Vec<Option<f64>>)| {
        let tried = values.iter().flatten().count().max(1) as f64;
        let mean = values.iter().flatten().sum::<f64>() / tried;
        let scale = safety / tried;
        // The contribution of each layout to the error of the estimate.
        let errors = values
            .iter()
            .map(|value| value.map_or(0.0, |value| scale * (value - mean)));
        (safety * mean, errors.collect::<Vec<f64>>())
    };
    let all: Vec<_> = choices.iter().zip(values).map(of_choice).collect();
    let (best, best_errors) = &all[0];
    let size = |errors: &mut dyn Iterator<Item = f64>| {
        WIDTH * errors.map(|error| error * error).sum::<f64>().sqrt()
    };
    let of = |(win, errors): &(f64, Vec<f64>)| Rated {
        win: *win,
        error: size(&mut errors.iter().copied()),
        behind: best - win,
        behind_error: size(&mut best_errors.iter().zip(errors).map(|(a, b)| a - b)),
    };
    all.iter().map(of).collect()
}
