//! The player that follows any recipe of steps.

use std::sync::Arc;

use rand::SeedableRng;

use super::choose::Chooser;
use super::recipe::{Deduction, Steps};
use super::source::{Engine, OffBoundary, Source};
use super::tree_walker::TreeWalker;
use super::weights::Weights;
use super::{GameStart, NoMove, Player, Reason};
use crate::minesweeper::features::Position;
use crate::minesweeper::solver::{Analysis, Budget, Weighting};
use crate::minesweeper::{Cell, FirstClick, Grid, View};
use crate::rng::Rng;

/// Deduces, weighs, chooses, as its recipe says.
#[derive(Debug)]
pub struct RecipePlayer {
    steps: Steps,
    /// Sees the game only if the recipe deduces or counts by components.
    analysis: Analysis,
    walker: TreeWalker,
    weights: Weights,
    /// Scratch: cells that a look at a view proves safe.
    scratch: Vec<Cell>,
    first_click: FirstClick,
    /// Breaks ties.
    rng: Rng,
    /// The board last played on.
    table: Option<(Arc<Grid>, Chooser)>,
    /// Whether the game's first decision is still to come.
    is_new_game: bool,
    /// Whether the game has come to a decision that weighed the cells.
    has_weighed: bool,
}

impl RecipePlayer {
    /// A player that follows `steps`.
    pub fn new(steps: Steps) -> Self {
        Self {
            steps,
            analysis: Analysis::new(),
            walker: TreeWalker::default(),
            weights: Weights::default(),
            scratch: Vec::new(),
            first_click: FirstClick::default(),
            rng: Rng::seed_from_u64(0),
            table: None,
            is_new_game: true,
            has_weighed: false,
        }
    }

    fn set_up(&mut self, view: &View) {
        let grid = view.grid();
        if !self.table.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, grid)) {
            self.table = Some((grid.clone(), Chooser::new(grid)));
        }
        self.analysis.begin(grid, view.mines());
        self.is_new_game = false;
    }

    /// Puts what the weighing proves safe into `moves`.
    fn prove(&mut self, view: &View, budget: &mut Budget, moves: &mut Vec<Cell>) -> Result<(), NoMove> {
        let weighting = match self.steps.source {
            Source::Posterior => Weighting::Posterior,
            Source::Solutions { engine: Engine::Components, .. } => Weighting::Solutions,
            Source::Solutions { engine: Engine::Tree(search), .. } => {
                let Self { steps, analysis, walker, .. } = self;
                walker.search(search, view, |cell| analysis.is_mine(cell), budget)?;
                if steps.deduction == Deduction::Dss {
                    analysis.learn(walker.safe(), walker.mines())?;
                    moves.extend_from_slice(analysis.safe());
                } else {
                    moves.extend_from_slice(walker.safe());
                }
                return Ok(());
            }
        };
        self.analysis.probabilities(weighting, budget)?;
        moves.extend_from_slice(self.analysis.safe());
        Ok(())
    }

    /// Puts the probabilities together; after [`RecipePlayer::prove`] has found nothing to open.
    fn weigh(&mut self, view: &View, budget: &mut Budget) -> Result<(), NoMove> {
        let Self { steps, analysis, walker, weights, .. } = self;
        match steps.source {
            Source::Posterior => {
                weights.begin(view, 0.0, |cell| analysis.is_mine(cell));
                let counted = analysis.probabilities(Weighting::Posterior, budget)?;
                let cells = view.grid().board().all_cells();
                cells.zip(&counted.mine).for_each(|(cell, &probability)| weights.put(cell, probability));
                counted.boundary().iter().for_each(|cell| weights.put_on_boundary(cell, counted.mine[cell.index()]));
            }
            Source::Solutions { engine, off_boundary } => {
                let elsewhere = match off_boundary {
                    OffBoundary::Density | OffBoundary::Remaining => view.board().mine_ratio(),
                    OffBoundary::Half => 0.5,
                };
                if engine == Engine::Components {
                    weights.begin(view, elsewhere, |cell| analysis.is_mine(cell));
                    let counted = analysis.probabilities(Weighting::Solutions, budget)?;
                    let boundary = counted.boundary().iter();
                    boundary.for_each(|cell| weights.put_on_boundary(cell, counted.mine[cell.index()]));
                } else {
                    let elsewhere = if walker.found_nothing() { 0.5 } else { elsewhere };
                    weights.begin(view, elsewhere, |cell| analysis.is_mine(cell));
                    walker.mines().iter().for_each(|&cell| weights.rule_out(cell));
                    walker.probabilities().for_each(|(cell, mine)| weights.put_on_boundary(cell, mine));
                    if walker.found_nothing() {
                        return Ok(());
                    }
                }
                if off_boundary == OffBoundary::Remaining {
                    weights.put_elsewhere(view, |position| position.density());
                }
            }
        }
        Ok(())
    }

    /// Weighs a view that no game of its own led to. `known_mines` are covered cells known from before to be mines; a
    /// limited walk takes its random numbers from where [`Player::begin`] or the last walk left them.
    ///
    /// # Errors
    /// As [`Player::decide`].
    pub fn look<'a>(
        &'a mut self,
        view: &'a View,
        known_mines: &[Cell],
        budget: &mut Budget,
    ) -> Result<Position<'a>, NoMove> {
        self.set_up(view);
        self.analysis.update(view)?;
        self.analysis.learn(&[], known_mines)?;
        self.scratch.clear();
        let mut proved = std::mem::take(&mut self.scratch);
        let weighed = self.prove(view, budget, &mut proved).and_then(|()| self.weigh(view, budget));
        self.scratch = proved;
        weighed?;
        Ok(self.weights.position(view))
    }
}

impl Player for RecipePlayer {
    fn begin(&mut self, game: &GameStart) {
        self.first_click = game.first_click;
        self.rng = game.seed.child("tie", 0).rng();
        self.walker.seed(game.seed.child("walk", 0));
        self.is_new_game = true;
        self.has_weighed = false;
    }

    fn decide(&mut self, view: &View, budget: &mut Budget, moves: &mut Vec<Cell>) -> Result<Reason, NoMove> {
        if self.is_new_game {
            self.set_up(view);
        }
        let is_first = view.opened().is_empty();
        if is_first && let Some(cell) = self.steps.first_move.cell(view.board(), self.first_click) {
            moves.push(cell);
            return Ok(Reason::FirstClick);
        }
        let deduces = self.steps.deduction == Deduction::Dss;
        if deduces || !matches!(self.steps.source, Source::Solutions { engine: Engine::Tree(_), .. }) {
            self.analysis.update(view)?;
        }
        if deduces {
            moves.extend_from_slice(self.analysis.safe());
        }
        if moves.is_empty() {
            self.prove(view, budget, moves)?;
        }
        if !moves.is_empty() {
            return Ok(Reason::Certain);
        }
        self.weigh(view, budget)?;
        self.has_weighed = true;
        let (_, chooser) = self.table.as_mut().expect("a decision begins with setting up");
        if self.steps.choice.rule.draws_layouts() {
            self.analysis.layouts(&mut chooser.layouts, budget)?;
        }
        if self.steps.choice.rule.solves_stage() {
            chooser.stage.build(&self.weights.position(view), budget)?;
        }
        let chosen = chooser.choose(&self.steps.choice, &self.weights.position(view), &mut self.rng);
        // A game that goes on has a safe cell, so a candidate.
        moves.push(chosen.ok_or(NoMove::Contradiction)?);
        Ok(if is_first { Reason::FirstClick } else { Reason::Guess })
    }

    fn position<'a>(&'a self, view: &'a View) -> Option<Position<'a>> {
        self.has_weighed.then(|| self.weights.position(view))
    }
}
