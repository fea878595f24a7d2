//! The main paper's engines in a player's hands: what a search proves, and what it makes likely.

use rand::SeedableRng;

use super::decision::NoMove;
use super::source::TreeSearch;
use crate::solver::{Backtracking, Budget, Dsscsp, Enumeration, System};
use crate::{Cell, View};
use mineflow_rng::{Rng, Seed};

/// Walks the search tree of one position after the other.
#[derive(Debug)]
pub(super) struct TreeWalker {
    system: System,
    backtracking: Backtracking,
    dsscsp: Dsscsp,
    /// Draws the values in limited searches.
    rng: Rng,
    /// The solutions last found.
    found: Enumeration,
    /// What the last search proves safe, and what mines.
    safe: Vec<Cell>,
    mines: Vec<Cell>,
}

impl Default for TreeWalker {
    fn default() -> Self {
        Self {
            system: System::default(),
            backtracking: Backtracking::default(),
            dsscsp: Dsscsp::default(),
            rng: Rng::seed_from_u64(0),
            found: Enumeration::default(),
            safe: Vec::new(),
            mines: Vec::new(),
        }
    }
}

impl TreeWalker {
    /// Seeds the limited searches of a game.
    pub(super) fn seed(&mut self, seed: Seed) {
        self.rng = seed.rng();
    }

    /// Finds the solutions of `view`, known mines taken off the numbers.
    pub(super) fn search(
        &mut self,
        search: TreeSearch,
        view: &View,
        is_known_mine: impl Fn(Cell) -> bool,
        budget: &mut Budget,
    ) -> Result<(), NoMove> {
        let Self {
            system,
            backtracking,
            dsscsp,
            rng,
            found,
            safe,
            mines,
        } = self;
        system.rebuild(view, is_known_mine);
        match search {
            TreeSearch::Backtracking(limits) => {
                backtracking.enumerate(system, limits, rng, budget, found)?
            }
            TreeSearch::Dsscsp(limits) => dsscsp.enumerate(system, limits, rng, budget, found)?,
            TreeSearch::Descents(subset) => dsscsp.draw(system, subset, rng, budget, found)?,
        }
        safe.clear();
        mines.clear();
        if !found.complete {
            return Ok(());
        }
        if found.solutions == 0 {
            return Err(NoMove::Contradiction);
        }
        for (&cell, &in_solutions) in system.cells().iter().zip(&found.mines) {
            if in_solutions == 0 {
                safe.push(cell);
            } else if in_solutions == found.solutions {
                mines.push(cell);
            }
        }
        Ok(())
    }

    /// The cells that the last search proves safe; none if a limit ended it.
    pub(super) fn safe(&self) -> &[Cell] {
        &self.safe
    }

    /// The cells that the last search proves to be mines; none if a limit ended it.
    pub(super) fn mines(&self) -> &[Cell] {
        &self.mines
    }

    /// Whether the limits ended the last search before its first solution, so that every cell has P = 0.5.
    pub(super) fn found_nothing(&self) -> bool {
        self.found.solutions == 0
    }

    /// P of every cell that the last search counted, proved mines among them.
    pub(super) fn probabilities(&self) -> impl Iterator<Item = (Cell, f64)> + '_ {
        self.system
            .cells()
            .iter()
            .enumerate()
            .map(|(column, &cell)| (cell, self.found.probability(column)))
    }
}
