//! Features that describe the number that a candidate will show, and the position in which the next
//! guess must be made, after all moves proved safe are played.

use rand::SeedableRng;

use crate::{
    CellSet,
    ahead::{LayoutPlayout, Scored, Stop, lay},
    solver::{Analysis, Layouts, TIE},
};
use mineflow_rng::Rng;

/// The number of layouts drawn for each guess. On each of them, every candidate that is safe there
/// is opened, and the moves proved safe after it are played.
const LAYOUTS: usize = 16;

/// Returns the features of the number that a candidate, a mine with probability `mine`, will show.
pub(super) fn shown(parent: &Analysis, of: &Scored, mine: f64, child: &mut Analysis) -> [f32; 4] {
    let mut entropy = 0.0;
    let mut likeliest: f64 = 0.0;
    let mut numbers = 0.0;
    let mut known = 0.0;
    for (number, chance) in of.ahead.possible_numbers() {
        entropy -= chance * libm::log(chance);
        likeliest = likeliest.max(chance);
        if chance > TIE {
            numbers += 1.0;
        }
        child.follow(parent);
        if child.suppose(of.cell, number).is_ok() {
            known += chance * (parent.unknown() - child.unknown()) as f64;
        }
    }
    if mine > 0.0 {
        entropy -= mine * libm::log(mine);
    }
    [entropy, likeliest, numbers, known].map(|feature| feature as f32)
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
    pub fn find(
        &mut self,
        (parent, layouts): (&Analysis, &Layouts),
        scored: &[Scored],
        roll_out: &mut LayoutPlayout,
    ) {
        let cells = parent.grid().board().cells();
        // The seed depends on the position alone, so that the same position always gets the same
        // layouts.
        let mut rng =
            Rng::seed_from_u64((parent.unknown() as u64) << 16 | parent.mines_left() as u64);
        let mut drawn = layouts.drawing();
        self.sums.clear();
        self.sums.resize(scored.len(), (Stop::default(), 0.0));
        for _ in 0..LAYOUTS {
            layouts.draw(&mut drawn, &mut rng);
            lay(&drawn, cells, &mut self.mines);
            for (of, (sum, tried)) in scored.iter().zip(&mut self.sums) {
                if !self.mines.contains(of.cell)
                    && let Ok(stop) = roll_out.next_guess(parent, of.cell, &self.mines)
                {
                    *sum = sum.map(stop, |sum, stop| sum + stop);
                    *tried += 1.0;
                }
            }
        }
    }

    /// Returns the means in the order of the candidates. A candidate that was never safe gets
    /// zeros.
    pub fn means(&self) -> impl Iterator<Item = Stop> + '_ {
        let mean = |&(sum, tried): &(Stop, f64)| match tried {
            0.0 => Stop::default(),
            _ => sum.map(sum, |sum, _| sum / tried),
        };
        self.sums.iter().map(mean)
    }
}
