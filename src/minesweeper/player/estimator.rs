//! Computes proofs and mine probabilities for a recipe's [`Source`].

use super::{
    decision::NoMove,
    source::{Engine, OffBoundary, Source},
    tree_walker::TreeWalker,
    weights::Weights,
};
use crate::{
    Cell, View,
    solver::{Analysis, Budget, Weighting},
};
use mineflow_rng::Seed;

/// An engine that proves cells safe and computes the mine probabilities of the unproved cells, by
/// counting component by component or by the traversal of a search tree.
#[derive(Debug)]
pub(super) struct Estimator {
    source: Source,
    walker: TreeWalker,
}

impl Estimator {
    pub fn new(source: Source) -> Self {
        Self {
            source,
            walker: TreeWalker::default(),
        }
    }

    /// Sets the seed of the random choices in a game.
    pub fn seed(&mut self, seed: Seed) {
        self.walker.seed(seed);
    }

    /// Returns whether the estimator reads the analysis, which must then be updated from the view
    /// before [`Estimator::prove`] is called.
    pub fn reads_analysis(&self) -> bool {
        !matches!(
            self.source,
            Source::Solutions {
                engine: Engine::Tree(_),
                ..
            }
        )
    }

    fn weighting(&self) -> Weighting {
        match self.source {
            Source::Posterior => Weighting::Posterior,
            Source::Solutions { .. } => Weighting::Solutions,
        }
    }

    /// Proves as many cells as the engine can to be safe or mines. If `deduces` is true, the proofs
    /// of a tree search are added to `analysis`.
    pub fn prove(
        &mut self,
        view: &View,
        analysis: &mut Analysis,
        deduces: bool,
        budget: &mut Budget,
    ) -> Result<(), NoMove> {
        let Source::Solutions {
            engine: Engine::Tree(search),
            ..
        } = self.source
        else {
            analysis.probabilities(self.weighting(), budget)?;
            return Ok(());
        };
        self.walker
            .search(search, view, |cell| analysis.is_mine(cell), budget)?;
        if deduces {
            analysis.learn(&self.walker.safe, &self.walker.mines)?;
        }
        Ok(())
    }

    /// Returns the covered cells proved safe so far.
    pub fn safe<'a>(&'a self, analysis: &'a Analysis, deduces: bool) -> &'a [Cell] {
        match deduces || self.reads_analysis() {
            true => analysis.safe(),
            false => &self.walker.safe,
        }
    }

    /// Writes the mine probabilities to `weights`. Call this method after [`Estimator::prove`] has
    /// proved no cell safe.
    pub fn weigh(
        &self,
        view: &View,
        analysis: &mut Analysis,
        weights: &mut Weights,
        budget: &mut Budget,
    ) -> Result<(), NoMove> {
        let elsewhere = match self.source {
            Source::Posterior => 0.0,
            // If the search found no solution, every cell has P = 0.5.
            Source::Solutions {
                engine: Engine::Tree(_),
                ..
            } if self.walker.found_nothing() => 0.5,
            Source::Solutions { off_boundary, .. } => match off_boundary {
                OffBoundary::Density => view.board().mine_ratio(),
                OffBoundary::Half => 0.5,
            },
        };
        weights.begin(view, elsewhere, |cell| analysis.is_mine(cell));
        if !self.reads_analysis() {
            for &mine in &self.walker.mines {
                weights.rule_out(mine);
            }
            for (cell, mine) in self.walker.probabilities() {
                weights.put_on_boundary(cell, mine);
            }
            return Ok(());
        }
        let counted = analysis.probabilities(self.weighting(), budget)?;
        if self.source == Source::Posterior {
            for (cell, &mine) in view.grid().board().all_cells().zip(&counted.mine) {
                weights.put(cell, mine);
            }
        }
        for cell in counted.boundary().iter() {
            weights.put_on_boundary(cell, counted.mine[cell.index()]);
        }
        Ok(())
    }
}
