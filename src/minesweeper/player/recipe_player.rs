//! The player that follows the steps of a recipe.

use std::{slice, sync::Arc};

use rand::SeedableRng;

use super::{
    choose::{CandidateChooser, Guess},
    decision::{Decision, GameStart, NoMove, Player, Reason},
    estimator::Estimator,
    first_move::with_room,
    recipe::{Deduction, ENDGAME, EVEN_FIRST, Steps},
    weights::Weights,
};
use crate::{
    Cell, FirstClick, Grid, View,
    ahead::Influence,
    features::Position,
    solver::{Analysis, Budget, Endgame},
};
use mineflow_rng::Rng;

/// A player that deduces, computes mine probabilities and chooses cells by the steps of its recipe.
#[derive(Debug)]
pub struct RecipePlayer {
    steps: Steps,
    /// The analysis of the position. It is updated during a game only if the recipe deduces or
    /// counts component by component.
    analysis: Analysis,
    estimator: Estimator,
    weights: Weights,
    endgame: Endgame,
    influence: Influence,
    /// The last chosen cell.
    chosen: Cell,
    first_click: FirstClick,
    /// Random numbers for breaking ties.
    rng: Rng,
    /// The grid and the chooser of the last board.
    table: Option<(Arc<Grid>, CandidateChooser)>,
    /// Whether the first decision of the game has not been made yet.
    is_new_game: bool,
}

impl RecipePlayer {
    /// Creates a player that follows `steps`.
    pub fn new(steps: Steps) -> Self {
        Self {
            estimator: Estimator::new(steps.source),
            steps,
            analysis: Analysis::new(),
            weights: Weights::default(),
            endgame: Endgame::default(),
            influence: Influence::default(),
            chosen: Cell(0),
            first_click: FirstClick::default(),
            rng: Rng::seed_from_u64(0),
            table: None,
            is_new_game: true,
        }
    }

    fn set_up(&mut self, view: &View) {
        let grid = view.grid();
        let table = self.table.as_ref();
        if !table.is_some_and(|(known, _)| Arc::ptr_eq(known, grid)) {
            self.table = Some((grid.clone(), self.steps.choice.chooser(grid)));
        }
        self.analysis.begin(grid, view.mines());
        self.is_new_game = false;
    }

    fn deduces(&self) -> bool {
        self.steps.deduction == Deduction::Dss
    }

    fn prove(&mut self, view: &View, budget: &mut Budget) -> Result<(), NoMove> {
        let deduces = self.deduces();
        self.estimator
            .prove(view, &mut self.analysis, deduces, budget)
    }

    fn weigh(&mut self, view: &View, budget: &mut Budget) -> Result<(), NoMove> {
        self.estimator
            .weigh(view, &mut self.analysis, &mut self.weights, budget)
    }

    /// Computes the mine probabilities of `view` without a game that leads to it. `known_mines` are
    /// covered cells that are already known to be mines. A limited search continues the sequence of
    /// random numbers that [`Player::begin`] started.
    ///
    /// # Errors
    /// Returns the errors of [`Player::decide`].
    pub fn look<'a>(
        &'a mut self,
        view: &'a View,
        known_mines: &[Cell],
        budget: &mut Budget,
    ) -> Result<Position<'a>, NoMove> {
        self.set_up(view);
        self.analysis.update(view)?;
        self.analysis.learn(&[], known_mines)?;
        self.prove(view, budget)?;
        self.weigh(view, budget)?;
        Ok(self.weights.position(view))
    }

    /// Chooses a cell by the computed probabilities.
    fn choose(&mut self, view: &View, budget: &mut Budget) -> Result<(Cell, &'static str), NoMove> {
        let analysis = &mut self.analysis;
        if let Some(limits) = self.steps.endgame
            && let Some(found) = analysis.endgame(&mut self.endgame, limits, budget)?
        {
            return Ok((found.cell, ENDGAME.0));
        }
        if self.steps.even_first
            && let Some(cell) = self.influence.unavoidable(analysis, budget)?
        {
            return Ok((cell, EVEN_FIRST.0));
        }
        let guess = Guess {
            position: &self.weights.position(view),
            analysis,
            budget,
            rng: &mut self.rng,
        };
        let table = self.table.as_mut();
        let (_, chooser) = table.expect("a decision begins with setting up");
        // An unfinished game has a covered safe cell and thus a candidate.
        let cell = chooser.choose(guess)?.ok_or(NoMove::Contradiction)?;
        Ok((cell, self.steps.choice.rule.name()))
    }
}

impl Player for RecipePlayer {
    fn begin(&mut self, game: &GameStart) {
        self.first_click = game.first_click;
        self.rng = game.seed.child("tie", 0).rng();
        self.estimator.seed(game.seed.child("walk", 0));
        self.is_new_game = true;
    }

    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove> {
        if self.is_new_game {
            self.set_up(view);
        }
        let is_first = view.opened().is_empty();
        if is_first && let Some(cell) = self.steps.first_move.cell(view.board(), self.first_click) {
            self.chosen = with_room(view, self.first_click, cell);
            return Ok(Decision::new(
                Reason::FirstClick,
                slice::from_ref(&self.chosen),
            ));
        }
        let deduces = self.deduces();
        if deduces || self.estimator.reads_analysis() {
            self.analysis.update(view)?;
        }
        if !deduces || self.analysis.safe().is_empty() {
            self.prove(view, budget)?;
        }
        if !self.estimator.safe(&self.analysis, deduces).is_empty() {
            let safe = self.estimator.safe(&self.analysis, deduces);
            return Ok(Decision::new(Reason::Certain, safe));
        }
        self.weigh(view, budget)?;
        let (chosen, by) = self.choose(view, budget)?;
        self.chosen = chosen;
        let mut reason = Reason::Guess;
        if is_first {
            self.chosen = with_room(view, self.first_click, self.chosen);
            reason = Reason::FirstClick;
        }
        Ok(Decision {
            weights: Some(&self.weights),
            by,
            ..Decision::new(reason, slice::from_ref(&self.chosen))
        })
    }
}
