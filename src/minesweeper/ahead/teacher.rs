//! Values all candidates by roll-outs.

use super::{
    layout_playout::LayoutPlayout,
    roll_outs::{Arm, RollOuts},
};
use crate::solver::{Analysis, Layouts};
use mineflow_rng::Rng;

/// Runs roll-outs for all candidates on the same number of layouts, and then more roll-outs for
/// those that may be the best.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Teacher {
    pub roll_outs: RollOuts,
    /// Number of additional layouts for all candidates within two standard errors of the best; 0
    /// for none.
    pub more: u32,
}

impl Teacher {
    /// Runs the roll-outs of `arms`. `of` is the position and its consistent layouts.
    pub fn teach(
        &self,
        of: (&Analysis, &Layouts),
        arms: &mut [Arm],
        roll_out: &mut LayoutPlayout,
        rng: &mut Rng,
    ) {
        self.roll_outs
            .try_all(of, arms, self.roll_outs.layouts, roll_out, rng);
        let by_value = |a: &Arm, b: &Arm| a.value().total_cmp(&b.value());
        let Some(best) = arms.iter().copied().max_by(by_value) else {
            return;
        };
        // The published rows and the ranker trained on them were made with the system's function.
        // Games don't depend on it.
        #[allow(clippy::disallowed_methods)]
        let may_be_best =
            |arm: &Arm| best.value() - arm.value() <= 2.0 * best.error().hypot(arm.error());
        let mut close: Vec<Arm> = arms.iter().copied().filter(may_be_best).collect();
        if close.len() < 2 {
            return;
        }
        self.roll_outs
            .try_all(of, &mut close, self.more, roll_out, rng);
        for tried in close {
            arms.iter_mut()
                .filter(|arm| arm.cell == tried.cell)
                .for_each(|arm| *arm = tried);
        }
    }
}
