//! Features that describe the positions after each number that a candidate may show.

use super::columns::next;
use crate::{
    Cell,
    ahead::{BONUS, Influence, LookScratch, Scored, TwoStep},
    features::joined,
    solver::{Analysis, Budget, CountError, Weighting},
};

/// Evaluates the positions after a candidate shows its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Next {
    child: Analysis,
    mine: Vec<f64>,
    looking: LookScratch,
    influence: Influence,
}

impl Next {
    pub fn columns(&mut self, parent: &Analysis, of: &Scored) -> [f32; next::OWN] {
        let mut means = [0.0; 6];
        let mut ln_layouts = 0.0;
        let mut decided = 0.0;
        let mut safe = 0.0;
        for (number, chance) in of.ahead.possible_numbers() {
            let Ok(values) = self.after(parent, of.cell, number) else {
                continue;
            };
            for (mean, value) in means.iter_mut().zip(values) {
                *mean += chance * value;
            }
            ln_layouts += chance * self.child.counted().ln_layouts();
            decided += chance * (parent.unknown() - self.child.unknown()) as f64;
            safe += chance;
        }
        if safe > 0.0 {
            ln_layouts /= safe;
        }
        let near = || {
            let around = parent.grid().neighbors(of.cell);
            around.filter(|&cell| parent.is_unknown(cell))
        };
        let dead = near().filter(|&cell| parent.is_dead(cell)).count();
        let budget = &mut Budget::unlimited();
        let even = match self.influence.bound(parent, of.cell) {
            bound if bound > 0.0 => self.influence.share(parent, of.cell, budget).unwrap_or(0.0),
            _ => 0.0,
        };
        joined(&[
            &means.map(|mean| mean as f32),
            &[
                ln_layouts,
                decided,
                f64::from(u8::from(parent.is_dead(of.cell))),
                dead as f64 / near().count().max(1) as f64,
                even,
            ]
            .map(|value| value as f32),
        ])
    }

    /// Moves `child` to the position after `cell` has shown `number`. Returns the values of the
    /// first six features there.
    fn after(&mut self, parent: &Analysis, cell: Cell, number: u8) -> Result<[f64; 6], CountError> {
        let child = &mut self.child;
        child.follow(parent);
        child.suppose(cell, number)?;
        child.probabilities(Weighting::Posterior, &mut Budget::unlimited())?;
        let certain = child.safe().len();
        let living = child
            .safe()
            .iter()
            .filter(|&&cell| !child.is_dead(cell))
            .count();
        let (any, best, second) = safest(child, living);
        let (any, any_certain) = if certain > 0 { (1.0, 1.0) } else { (any, 0.0) };
        let two_ahead = if living > 0 || child.unknown() == 0 {
            1.0 + BONUS
        } else {
            self.mine.clone_from(&child.counted().mine);
            TwoStep::of_living_cells().look(child, &self.mine, 1, &mut self.looking);
            let scored = self.looking.scored.first();
            scored.map_or(0.0, |best| best.score)
        };
        Ok([any, any_certain, certain as f64, best, second, two_ahead])
    }
}

/// Returns the safety of the safest unknown cell, and the safeties of the two safest living cells.
/// `certain` is the number of living cells proved safe.
fn safest(at: &Analysis, certain: usize) -> (f64, f64, f64) {
    let mut any: f64 = 0.0;
    let mut living = [
        if certain > 0 { 1.0 } else { 0.0 },
        if certain > 1 { 1.0 } else { 0.0 },
    ];
    if at.unknown() == 0 && certain == 0 {
        // The game is won.
        return (1.0, 1.0, 1.0);
    }
    for cell in at.unknown_cells() {
        let safety = 1.0 - at.counted().mine[cell.index()];
        any = any.max(safety);
        if safety > living[1] && !at.is_dead(cell) {
            living = if safety > living[0] {
                [safety, living[0]]
            } else {
                [living[0], safety]
            };
        }
    }
    (any, living[0], living[1])
}
