//! A player whose predictions are counted while it plays.

use anyhow::ensure;

use super::limited::Exact;
use super::tables::{CellKind, Predictor};
use super::tally::Tally;
use mineflow_minesweeper::features::{
    LocationScore, Position, PositionFeatures, RowSettings, RowsOf,
};
use mineflow_minesweeper::player::choose::LoadedModel;
use mineflow_minesweeper::player::{
    Decision, Fault, GameStart, Player, PlayerSpec, Reason, Recipe, open_all,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Status};
use mineflow_model::{AnyModel, ModelScratch, Objective, Target};
use mineflow_rng::Seed;

/// A player with the classifier that it uses.
pub(super) struct Observer<'a> {
    player: Box<dyn Player>,
    first_click: FirstClick,
    predictions: Predictions<'a>,
}

/// Counters of predictions at guesses.
struct Predictions<'a> {
    classifier: Option<Classifier<'a>>,
    exact: Option<Exact>,
    tally: Tally,
    rows: Vec<f32>,
    safe_scores: Vec<f32>,
}

/// A model whose output is the probability that a cell is safe, unlike that of a Q-network.
struct Classifier<'a> {
    model: &'a AnyModel,
    features: &'static dyn PositionFeatures,
    score: LocationScore,
    cells: Vec<Cell>,
    scratch: (Vec<f32>, ModelScratch),
}

impl<'a> Classifier<'a> {
    fn of(model: &'a LoadedModel) -> Self {
        Self {
            model: &model.artifact.model,
            features: model.features,
            score: model.score,
            cells: Vec::new(),
            scratch: Default::default(),
        }
    }
}

impl<'a> Observer<'a> {
    /// Creates an observer of `player`.
    ///
    /// # Errors
    /// Returns an error if the player does not assign a mine probability to every cell, or its
    /// trees do not predict probabilities.
    pub(super) fn new(player: &'a PlayerSpec, first_click: FirstClick) -> anyhow::Result<Self> {
        let Recipe::Steps(steps) = &player.recipe else {
            anyhow::bail!(
                "player {} doesn't compute a mine probability for every cell and thus predicts nothing; leave it out",
                player.name
            );
        };
        let model = steps.choice.rule.model();
        let classifier = model
            .filter(|model| model.features.set().target == Target::Safe)
            .map(|model| Classifier::of(model));
        if let Some(Classifier {
            model: AnyModel::Forest(forest),
            ..
        }) = &classifier
        {
            let objective = forest.objective();
            ensure!(
                objective == Objective::Logistic,
                "the trees of player {} are of {} and give no probabilities; leave it out",
                player.name,
                objective.name()
            );
        }
        Ok(Self {
            player: player.build(),
            first_click,
            predictions: Predictions {
                classifier,
                exact: Exact::for_source(&steps.source),
                tally: Tally::default(),
                rows: Vec::new(),
                safe_scores: Vec::new(),
            },
        })
    }

    /// Plays the game of `seed` to its end, or to a position beyond the solver's limits.
    pub(super) fn play(&mut self, board: Board, seed: Seed) -> Result<(), Fault> {
        let Self {
            player,
            first_click,
            predictions,
        } = self;
        let mut game = Game::new(board, *first_click);
        game.start(seed);
        predictions.tally.games += 1;
        player.begin(&GameStart {
            board,
            first_click: *first_click,
            seed: seed.child("player", 0),
        });
        if let Some(exact) = &mut predictions.exact {
            exact.begin(&game);
        }
        let mut budget = Budget::unlimited();
        while game.status() == Status::Playing {
            let Some(decision) = player.decide_checked(game.view(), &mut budget)? else {
                return Ok(());
            };
            if decision.reason == Reason::Guess {
                predictions.count(&game, &decision)?;
            }
            open_all(&mut game, decision.cells, decision.reason)?;
        }
        Ok(())
    }

    /// Returns the counters.
    pub(super) fn into_tally(self) -> Tally {
        self.predictions.tally
    }
}

impl Predictions<'_> {
    /// Counts the candidates of a guess before a cell is opened.
    fn count(&mut self, game: &Game, decision: &Decision<'_>) -> Result<(), Fault> {
        let Self {
            classifier,
            exact,
            tally,
            rows,
            safe_scores,
        } = self;
        tally.errors.guesses += 1;
        let chosen = decision.cells[0];
        let (Some(position), Some(field)) = (decision.position(game.view()), game.field()) else {
            return Ok(());
        };
        if let Some(exact) = exact {
            exact.compare(&position, field, &mut tally.errors)?;
        }
        let mut count = |predictor, cell: Cell, predicted: f64| {
            let is_mine = field.is_mine(cell);
            let on_boundary = position.boundary.contains(cell);
            let kind = if on_boundary {
                CellKind::Boundary
            } else {
                CellKind::Elsewhere
            };
            tally.count(predictor, kind, predicted, is_mine);
            if cell == chosen {
                tally.count(predictor, CellKind::Chosen, predicted, is_mine);
            }
        };
        for cell in position.candidates() {
            count(Predictor::Source, cell, position.mine[cell.index()]);
        }
        if let Some(classifier) = classifier {
            classifier.predict(&position, rows, safe_scores);
            for (cell, &safe) in position.candidates().zip(safe_scores.iter()) {
                count(Predictor::Model, cell, 1.0 - f64::from(safe));
            }
        }
        Ok(())
    }
}

impl Classifier<'_> {
    /// Writes the predicted probability that each candidate is safe into `safe_scores`.
    fn predict(
        &mut self,
        position: &Position<'_>,
        rows: &mut Vec<f32>,
        safe_scores: &mut Vec<f32>,
    ) {
        let settings = RowSettings {
            score: self.score,
            ..RowSettings::default()
        };
        let (features, model) = &mut self.scratch;
        self.cells.clear();
        self.cells.extend(position.candidates());
        rows.clear();
        self.features.append_rows(
            RowsOf {
                position,
                settings: &settings,
                cells: &self.cells,
                shown: &[],
            },
            rows,
            features,
        );
        safe_scores.clear();
        self.model.append(rows, safe_scores, model);
    }
}
