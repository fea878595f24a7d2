//! Closed parts: groups of cells that nothing else tells about, and that tell nothing about the
//! rest of the board.
//!
//! If a closed part has the same number of mines in every layout, the layouts of the position are
//! all combinations of those of the part and those of the rest, and no number depends on both. The
//! game is then won with the product of both win probabilities: no move in one of them changes what
//! is known about the other. An unavoidable 50/50 ([`Influence`]) that belongs to no closed part
//! also halves the wins of any play, as its halves can be exchanged in every layout.

use super::{influence::Influence, layout_playout::lay};
use crate::{
    Cell, CellSet,
    solver::{Analysis, Budget, CountError, Endgame, EndgameLimits, Layouts},
};
use mineflow_rng::Seed;

/// The largest difference of the logarithms of equal numbers of layouts.
const EQUAL: f64 = 1e-9;

/// The closed parts of a position that could be searched exactly.
#[derive(Clone, Copy, Debug)]
pub struct Closed {
    /// The probability that optimal play wins all closed parts, 0 to 1.
    pub chance: f64,
    /// An upper bound of the win probability of the position, 0 to 1: `chance`, halved for each
    /// unavoidable 50/50 elsewhere.
    pub bound: f64,
}

/// Finds closed parts, and keeps scratch memory between positions.
#[derive(Clone, Debug, Default)]
pub struct ClosedParts {
    rest: Analysis,
    layouts: Layouts,
    endgame: Endgame,
    influence: Influence,
}

impl ClosedParts {
    /// Finds the closed parts of `parent`, whose probabilities must have been computed, as far as
    /// they are within `limits`.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::layouts`].
    pub fn find(
        &mut self,
        parent: &Analysis,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Closed, CountError> {
        let cells = parent.grid().board().cells();
        self.rest.follow(parent);
        self.rest.layouts(&mut self.layouts, budget)?;
        let mut drawn = self.layouts.drawing();
        self.layouts.draw(&mut drawn, &mut Seed::new(1).rng());
        let mut mines = CellSet::new(cells);
        lay(&drawn, cells, &mut mines);
        let mut chance = 1.0;
        let mut halved = CellSet::new(cells);
        let mut met = CellSet::new(cells);
        for start in parent.unknown_cells() {
            let group = linked(parent, start, &mut met);
            if !group.is_empty()
                && group.len() < parent.unknown()
                && let Some(share) = self.split((parent, &mines), &group, limits, budget)
            {
                chance *= share;
                halved.extend(group);
            }
        }
        let mut bound = chance;
        for cell in parent.unknown_cells() {
            if !halved.contains(cell)
                && let Some(place) = self.influence.unavoidable_place(parent, cell, budget)?
                && place.iter().all(|&cell| !halved.contains(cell))
            {
                halved.extend(place);
                bound *= 0.5;
            }
        }
        Ok(Closed { chance, bound })
    }

    /// Returns the rest of the position that was searched last: in its closed parts, one layout is
    /// known.
    pub fn rest(&mut self) -> &mut Analysis {
        &mut self.rest
    }

    /// Takes `group` out of the rest and returns the probability that optimal play wins it, if it is
    /// a closed part within `limits`. `mines` is a consistent layout.
    fn split(
        &mut self,
        (parent, mines): (&Analysis, &CellSet),
        group: &[Cell],
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Option<f64> {
        let (inside, outside): (Vec<Cell>, Vec<Cell>) = parent
            .unknown_cells()
            .partition(|cell| group.contains(cell));
        let learnt = |from: &Analysis, cells: &[Cell]| {
            let (mined, safe): (Vec<Cell>, Vec<Cell>) =
                cells.iter().partition(|&&cell| mines.contains(cell));
            let mut next = Analysis::new();
            next.follow(from);
            next.learn(&safe, &mined).ok().map(|()| next)
        };
        let mut part = learnt(parent, &outside)?;
        let mut rest = learnt(&self.rest, &inside)?;
        let of_both = part.ln_layouts(budget).ok()? + rest.ln_layouts(budget).ok()?;
        // Otherwise the number of mines in the group varies.
        if (of_both - self.rest.ln_layouts(budget).ok()?).abs() > EQUAL {
            return None;
        }
        part.probabilities(crate::solver::Weighting::Posterior, budget)
            .ok()?;
        let values = part
            .endgame_cells(&mut self.endgame, limits, budget)
            .ok()??;
        let most = values.won.iter().map(|&(_, won)| won).max()?;
        if parent.safe().is_empty() {
            let grid = parent.grid();
            let number = |cell| grid.neighbors(cell).filter(|&d| mines.contains(d)).count() as u8;
            rest.open_certain(number).ok()?;
        }
        self.rest = rest;
        Some(f64::from(most) / f64::from(values.layouts))
    }
}

/// Returns the unknown cells that are linked to `start` by numbers: those of open cells, and those
/// that covered cells would show. Marks all cells on the way as met.
fn linked(parent: &Analysis, start: Cell, met: &mut CellSet) -> Vec<Cell> {
    let mut group = Vec::new();
    let mut next = vec![start];
    while let Some(cell) = next.pop() {
        if parent.is_open(cell) || parent.is_mine(cell) || !met.insert(cell) {
            continue;
        }
        group.push(cell);
        for near in parent.grid().neighbors(cell) {
            if parent.is_open(near) {
                next.extend(parent.grid().neighbors(near));
            }
            next.push(near);
        }
    }
    group.retain(|&cell| parent.is_unknown(cell));
    group
}
