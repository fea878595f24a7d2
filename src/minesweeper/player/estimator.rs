//! Computes proofs and mine probabilities for a recipe's [`Source`].

use super::decision::NoMove;
use super::source::{Engine, OffBoundary, Source, TreeSearch};
use super::tree_walker::TreeWalker;
use super::weights::Weights;
use crate::solver::{Analysis, Budget, Weighting};
use crate::{Cell, View};
use mineflow_rng::Seed;

/// An engine that proves cells safe and computes the mine probabilities of the unproved cells.
#[derive(Debug)]
pub(super) enum Estimator {
    /// Counting component by component. If `off_boundary` is `None`, cells off the boundary get the
    /// probability that the count gives them.
    Counting {
        weighting: Weighting,
        off_boundary: Option<OffBoundary>,
    },
    /// The traversal of a search tree.
    Walking {
        search: TreeSearch,
        off_boundary: OffBoundary,
        walker: Box<TreeWalker>,
    },
}

impl Estimator {
    pub(super) fn new(source: Source) -> Self {
        match source {
            Source::Posterior => Self::Counting {
                weighting: Weighting::Posterior,
                off_boundary: None,
            },
            Source::Solutions {
                engine: Engine::Components,
                off_boundary,
            } => Self::Counting {
                weighting: Weighting::Solutions,
                off_boundary: Some(off_boundary),
            },
            Source::Solutions {
                engine: Engine::Tree(search),
                off_boundary,
            } => Self::Walking {
                search,
                off_boundary,
                walker: Box::default(),
            },
        }
    }

    /// Sets the seed of the random choices in a game.
    pub(super) fn seed(&mut self, seed: Seed) {
        if let Self::Walking { walker, .. } = self {
            walker.seed(seed);
        }
    }

    /// Returns whether the estimator reads the analysis, which must then be updated from the view
    /// before [`Estimator::prove`] is called.
    pub(super) fn reads_analysis(&self) -> bool {
        matches!(self, Self::Counting { .. })
    }

    /// Proves as many cells as the engine can to be safe or mines. If `deduces` is true, the proofs
    /// of a tree search are added to `analysis`.
    pub(super) fn prove(
        &mut self,
        view: &View,
        analysis: &mut Analysis,
        deduces: bool,
        budget: &mut Budget,
    ) -> Result<(), NoMove> {
        match self {
            Self::Counting { weighting, .. } => {
                analysis.probabilities(*weighting, budget)?;
            }
            Self::Walking { search, walker, .. } => {
                walker.search(*search, view, |cell| analysis.is_mine(cell), budget)?;
                if deduces {
                    analysis.learn(walker.safe(), walker.mines())?;
                }
            }
        }
        Ok(())
    }

    /// Returns the covered cells proved safe so far.
    pub(super) fn safe<'a>(&'a self, analysis: &'a Analysis, deduces: bool) -> &'a [Cell] {
        match self {
            Self::Walking { walker, .. } if !deduces => walker.safe(),
            _ => analysis.safe(),
        }
    }

    /// Writes the mine probabilities to `weights`. Call this method after [`Estimator::prove`] has
    /// proved no cell safe.
    pub(super) fn weigh(
        &self,
        view: &View,
        analysis: &mut Analysis,
        weights: &mut Weights,
        budget: &mut Budget,
    ) -> Result<(), NoMove> {
        let elsewhere = |off_boundary: OffBoundary| match off_boundary {
            OffBoundary::Density => view.board().mine_ratio(),
            OffBoundary::Half => 0.5,
        };
        match self {
            &Self::Counting {
                weighting,
                off_boundary,
            } => {
                weights.begin(view, off_boundary.map_or(0.0, elsewhere), |cell| {
                    analysis.is_mine(cell)
                });
                let counted = analysis.probabilities(weighting, budget)?;
                if off_boundary.is_none() {
                    let cells = view.grid().board().all_cells();
                    cells
                        .zip(&counted.mine)
                        .for_each(|(cell, &probability)| weights.put(cell, probability));
                }
                counted
                    .boundary()
                    .iter()
                    .for_each(|cell| weights.put_on_boundary(cell, counted.mine[cell.index()]));
            }
            Self::Walking {
                off_boundary,
                walker,
                ..
            } => {
                // If the search found no solution, every cell has P = 0.5.
                let elsewhere = if walker.found_nothing() {
                    0.5
                } else {
                    elsewhere(*off_boundary)
                };
                weights.begin(view, elsewhere, |cell| analysis.is_mine(cell));
                walker
                    .mines()
                    .iter()
                    .for_each(|&cell| weights.rule_out(cell));
                walker
                    .probabilities()
                    .for_each(|(cell, mine)| weights.put_on_boundary(cell, mine));
            }
        };
        Ok(())
    }
}
