//! Runs the search engines of Sinha et al. (2021) for a player and reports their proofs and
//! probabilities.

use rand::SeedableRng;

use super::{decision::NoMove, source::TreeSearch};
use crate::{
    Cell, View,
    solver::{Backtracking, Budget, Dsscsp, Enumeration, System, Traversal, enumerate_copies},
};
use mineflow_rng::{Rng, Seed};

/// An engine with its scratch memory and the results of its last search, for successive positions.
#[derive(Debug)]
pub(super) struct TreeWalker {
    system: System,
    backtracking: Backtracking,
    dsscsp: Dsscsp,
    /// Random numbers for the values that limited searches try first or draw.
    rng: Rng,
    /// The solution counts of the last search.
    found: Enumeration,
    /// The cells that the last search proved safe; `mines` holds those that it proved to be mines.
    /// There are none if a limit ended that search.
    pub safe: Vec<Cell>,
    pub mines: Vec<Cell>,
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
    /// Sets the seed of the limited searches of a game.
    pub fn seed(&mut self, seed: Seed) {
        self.rng = seed.rng();
    }

    /// Searches for the solutions of `view`, after subtracting the known mines from the open
    /// numbers.
    pub fn search(
        &mut self,
        search: TreeSearch,
        view: &View,
        is_known_mine: impl Fn(Cell) -> bool,
        budget: &mut Budget,
    ) -> Result<(), NoMove> {
        self.system.rebuild(view, is_known_mine);
        let system = &mut self.system;
        let rng = &mut self.rng;
        let found = &mut self.found;
        match search {
            TreeSearch::Backtracking(limits) => self
                .backtracking
                .enumerate(system, limits, rng, budget, found)?,
            TreeSearch::Dsscsp => {
                let complete = Traversal::COMPLETE;
                self.dsscsp
                    .enumerate(system, complete, rng, budget, found)?
            }
            TreeSearch::Copies { dss } => enumerate_copies(system, dss, budget, found)?,
            TreeSearch::Descents(subset) => self.dsscsp.draw(system, subset, rng, budget, found)?,
        }
        self.safe.clear();
        self.mines.clear();
        if !found.complete {
            return Ok(());
        }
        if found.solutions == 0 {
            return Err(NoMove::Contradiction);
        }
        for (&cell, &in_solutions) in system.cells().iter().zip(&found.mines) {
            if in_solutions == 0 {
                self.safe.push(cell);
            } else if in_solutions == found.solutions {
                self.mines.push(cell);
            }
        }
        Ok(())
    }

    /// Returns whether a limit ended the last search before its first solution. Every cell then has
    /// P = 0.5.
    pub fn found_nothing(&self) -> bool {
        self.found.solutions == 0
    }

    /// Returns P of every cell that the last search counted, including proved mines.
    pub fn probabilities(&self) -> impl Iterator<Item = (Cell, f64)> + '_ {
        self.system
            .cells()
            .iter()
            .enumerate()
            .map(|(column, &cell)| (cell, self.found.probability(column)))
    }
}
