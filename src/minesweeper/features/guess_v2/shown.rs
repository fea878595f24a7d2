//! What a candidate shows, and where the certain moves after it end.

use rand::SeedableRng;

use crate::CellSet;
use crate::ahead::{LayoutPlayout, Scored, Stop, lay};
use crate::solver::{Analysis, Layouts, TIE};
use mineflow_rng::Rng;

/// Layouts on which certain moves are followed.
const LAYOUTS: usize = 16;

/// What the number of a candidate will show.
#[derive(Default)]
pub(super) struct Shown {
    /// In nats, a mine being one of the values.
    entropy: f64,
    /// The chance of the likeliest number.
    likeliest: f64,
    /// Numbers that it may show.
    numbers: u32,
    /// The expected number of cells that single numbers decide then.
    known: f64,
}

impl Shown {
    /// Of a candidate that is a mine with the probability `mine`.
    pub(super) fn of(parent: &Analysis, of: &Scored, mine: f64, child: &mut Analysis) -> Self {
        let mut shown = Self::default();
        for (number, &chance) in (0..)
            .zip(&of.ahead.numbers)
            .filter(|&(_, &chance)| chance > 0.0)
        {
            shown.entropy -= chance * chance.ln();
            shown.likeliest = shown.likeliest.max(chance);
            shown.numbers += u32::from(chance > TIE);
            child.follow(parent);
            if child.suppose(of.cell, number).is_ok() {
                shown.known += chance * (parent.unknown() - child.unknown()) as f64;
            }
        }
        if mine > 0.0 {
            shown.entropy -= mine * mine.ln();
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

/// Where certain moves end after each candidate, as a mean over layouts.
#[derive(Clone, Debug, Default)]
pub(super) struct Stops {
    mines: CellSet,
    /// The sum over layouts in which the candidate is safe, and how many these are.
    sums: Vec<(Stop, f64)>,
}

impl Stops {
    /// Follows the candidates on the same layouts.
    pub(super) fn find(
        &mut self,
        (parent, layouts): (&Analysis, &Layouts),
        scored: &[Scored],
        roll_out: &mut LayoutPlayout,
    ) {
        let Self { mines, sums } = self;
        let cells = parent.grid().board().cells();
        // The same layouts whenever the position is met.
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

    /// The means, in the order of the candidates; zeros for one that was never safe.
    pub(super) fn means(&self) -> impl Iterator<Item = Stop> + '_ {
        let mean = |&(sum, tried): &(Stop, f64)| match tried {
            0.0 => Stop::default(),
            _ => sum.map(sum, |sum, _| sum / tried),
        };
        self.sums.iter().map(mean)
    }
}
