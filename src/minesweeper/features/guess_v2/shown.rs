//! Features that describe the number that a candidate will show, and the position in which the next
//! guess must be made, after all moves proved safe are played.

use rand::SeedableRng;

use crate::CellSet;
use crate::ahead::{LayoutPlayout, Scored, Stop, lay};
use crate::solver::{Analysis, Layouts, TIE};
use mineflow_rng::Rng;

/// The number of layouts drawn for each guess. On each of them, every candidate that is safe there
/// is opened, and the moves proved safe after it are played.
const LAYOUTS: usize = 16;

/// Features of the number that a candidate will show.
#[derive(Default)]
pub(super) struct Shown {
    /// The entropy of the outcome in nats; a mine is one of the outcomes.
    entropy: f64,
    /// The probability of the likeliest number.
    likeliest: f64,
    /// The number of different numbers that the candidate may show.
    numbers: u32,
    /// The expected number of cells that single numbers decide after the candidate is opened,
    /// including the candidate.
    known: f64,
}

impl Shown {
    /// Computes the features of a candidate that is a mine with probability `mine`.
    pub(super) fn of(parent: &Analysis, of: &Scored, mine: f64, child: &mut Analysis) -> Self {
        let mut shown = Self::default();
        for (number, &chance) in (0..)
            .zip(&of.ahead.numbers)
            .filter(|&(_, &chance)| chance > 0.0)
        {
            shown.entropy -= chance * libm::log(chance);
            shown.likeliest = shown.likeliest.max(chance);
            shown.numbers += u32::from(chance > TIE);
            child.follow(parent);
            if child.suppose(of.cell, number).is_ok() {
                shown.known += chance * (parent.unknown() - child.unknown()) as f64;
            }
        }
        if mine > 0.0 {
            shown.entropy -= mine * libm::log(mine);
        }
        shown
    }

    pub(super) fn columns(&self) -> [f32; 4] {
        [
            self.entropy as f32,
            self.likeliest as f32,
            self.numbers as f32,
            self.known as f32,
        ]
    }
}

/// For each candidate, statistics of the position in which the next guess must be made, averaged
/// over layouts.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    mines: CellSet,
    /// For each candidate, the sum of the statistics over the layouts in which the candidate is
    /// safe, and the number of these layouts.
    sums: Vec<(Stop, f64)>,
}

impl Stops {
    /// Plays the moves proved safe after each candidate is opened, on the same layouts for all
    /// candidates.
    pub(super) fn find(
        &mut self,
        (parent, layouts): (&Analysis, &Layouts),
        scored: &[Scored],
        roll_out: &mut LayoutPlayout,
    ) {
        let Self { mines, sums } = self;
        let cells = parent.grid().board().cells();
        // The seed depends on the position alone, so that the same position always gets the same
        // layouts.
        let mut rng =
            Rng::seed_from_u64((parent.unknown() as u64) << 16 | parent.mines_left() as u64);
        let mut drawn = layouts.drawing();
        sums.clear();
        sums.resize(scored.len(), (Stop::default(), 0.0));
        for _ in 0..LAYOUTS {
            layouts.draw(&mut drawn, &mut rng);
            lay(&drawn, cells, mines);
            for (of, (sum, tried)) in scored.iter().zip(&mut *sums) {
                if !mines.contains(of.cell)
                    && let Ok(stop) = roll_out.next_guess(parent, of.cell, mines)
                {
                    *sum = sum.map(stop, |sum, stop| sum + stop);
                    *tried += 1.0;
                }
            }
        }
    }

    /// Returns the means in the order of the candidates. A candidate that was never safe gets
    /// zeros.
    pub(super) fn means(&self) -> impl Iterator<Item = Stop> + '_ {
        let mean = |&(sum, tried): &(Stop, f64)| match tried {
            0.0 => Stop::default(),
            _ => sum.map(sum, |sum, _| sum / tried),
        };
        self.sums.iter().map(mean)
    }
}
