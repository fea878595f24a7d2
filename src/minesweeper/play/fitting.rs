//! Mines for a position of which the truth is not known.

use rand::RngExt;

use crate::solver::{Analysis, Budget, CountError, Weighting};
use crate::{Cell, Minefield, View};
use mineflow_rng::Seed;

/// A layout that fits what `view` shows, every one as likely; flags prove nothing.
///
/// The cells next to open numbers are drawn one after another, each from its probability given those before it, and the
/// mines left over go to the other cells: one count of layouts for each cell drawn.
///
/// # Errors
/// No layout fits, the position is too hard, or the budget is used up.
pub fn fitting_field(view: &View, seed: Seed, budget: &mut Budget) -> Result<Minefield, CountError> {
    let mut rng = seed.rng();
    let mut analysis = Analysis::new();
    analysis.begin(view.grid(), view.mines());
    analysis.update(view)?;
    loop {
        let counted = analysis.probabilities(Weighting::Posterior, budget)?;
        let Some(cell) = counted.boundary().iter().find(|cell| is_open(counted.mine[cell.index()])) else { break };
        let is_mine = rng.random::<f64>() < counted.mine[cell.index()];
        let drawn = [cell];
        let (safe, mines): (&[Cell], &[Cell]) = if is_mine { (&[], &drawn) } else { (&drawn, &[]) };
        analysis.learn(safe, mines)?;
    }
    let counted = analysis.probabilities(Weighting::Posterior, budget)?;
    let mut rest: Vec<Cell> = view.covered().filter(|cell| is_open(counted.mine[cell.index()])).collect();
    let left = analysis.mines_left();
    for next in 0..left {
        let drawn = rng.random_range(next as u32..rest.len() as u32) as usize;
        rest.swap(next, drawn);
    }
    let known = view.covered().filter(|&cell| analysis.is_mine(cell));
    Ok(Minefield::from_mines(view.grid().clone(), known.chain(rest[..left].iter().copied())))
}

/// Whether a probability leaves the question open.
fn is_open(probability: f64) -> bool {
    0.0 < probability && probability < 1.0
}
