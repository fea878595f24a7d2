//! A player whose predictions are counted while it plays.

use anyhow::{bail, ensure};

use super::{
    tables::{CellKind, Predictor},
    tally::Tally,
};
use crate::watched_game::play_watched;
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Game,
    features::{Position, RowsOf},
    player::{Decision, Fault, Player, PlayerSpec, Reason, Recipe, choose::LoadedModel},
};
use mineflow_model::{ModelScratch, Target};
use mineflow_rng::Seed;

/// A player with the classifier that it uses.
pub(super) struct Observer<'a> {
    player: Box<dyn Player>,
    first_click: FirstClick,
    classifier: Option<Classifier<'a>>,
    tally: Tally,
}

/// A model whose output is the probability that a cell is safe, unlike that of a Q-network.
struct Classifier<'a> {
    model: &'a LoadedModel,
    cells: Vec<Cell>,
    rows: Vec<f32>,
    /// The probability that each of `cells` is safe.
    safe: Vec<f32>,
    scratch: (Vec<f32>, ModelScratch),
}

impl<'a> Observer<'a> {
    /// Creates an observer of `player`.
    ///
    /// # Errors
    /// Returns an error if the player does not assign a mine probability to every cell, or its model
    /// does not predict probabilities.
    pub(super) fn new(player: &'a PlayerSpec, first_click: FirstClick) -> anyhow::Result<Self> {
        let model = match &player.recipe {
            Recipe::Steps(steps) => steps.choice.rule.model(),
            // A program may say probabilities with each move.
            Recipe::Program(_) => None,
            Recipe::Agent => bail!(
                "player {} doesn't compute a mine probability for every cell and thus predicts nothing; leave it out",
                player.name
            ),
        };
        let model = model.filter(|model| model.target == Target::Safe);
        ensure!(
            model.is_none_or(|model| model.artifact.model.gives_probabilities()),
            "the model of player {} gives no probabilities; leave it out",
            player.name
        );
        Ok(Self {
            player: player.build(),
            first_click,
            classifier: model.map(|model| Classifier {
                model,
                cells: Vec::new(),
                rows: Vec::new(),
                safe: Vec::new(),
                scratch: Default::default(),
            }),
            tally: Tally::default(),
        })
    }

    /// Plays the game of `seed` to its end, or to a position beyond the solver's limits.
    pub(super) fn play(&mut self, board: Board, seed: Seed) -> Result<(), Fault> {
        self.tally.games += 1;
        let player = self.player.as_mut();
        play_watched(player, board, self.first_click, seed, |game, decision| {
            if decision.reason == Reason::Guess {
                count(game, decision, self.classifier.as_mut(), &mut self.tally);
            }
            Ok(None)
        })
        .map(|_| ())
    }

    /// Returns the counters.
    pub(super) fn into_tally(self) -> Tally {
        self.tally
    }
}

/// Counts the candidates of a guess before a cell is opened.
fn count(
    game: &Game,
    decision: &Decision<'_>,
    classifier: Option<&mut Classifier<'_>>,
    tally: &mut Tally,
) {
    let (Some(position), Some(field)) = (decision.position(game.view()), game.field()) else {
        return;
    };
    let mut count = |predictor, cell: Cell, predicted: f64| {
        let is_mine = field.is_mine(cell);
        let kind = if position.boundary.contains(cell) {
            CellKind::Boundary
        } else {
            CellKind::Elsewhere
        };
        tally.count(predictor, kind, predicted, is_mine);
        if cell == decision.cells[0] {
            tally.count(predictor, CellKind::Chosen, predicted, is_mine);
        }
    };
    for cell in position.candidates() {
        count(Predictor::Source, cell, position.mine[cell.index()]);
    }
    if let Some(classifier) = classifier {
        classifier.predict(&position);
        for (&cell, &safe) in classifier.cells.iter().zip(&classifier.safe) {
            count(Predictor::Model, cell, 1.0 - f64::from(safe));
        }
    }
}

impl Classifier<'_> {
    /// Predicts for each candidate of a position the probability that it is safe.
    fn predict(&mut self, position: &Position<'_>) {
        self.cells.clear();
        self.cells.extend(position.candidates());
        self.rows.clear();
        let settings = self.model.settings(position.view.board());
        let of = RowsOf {
            position,
            settings: &settings,
            cells: &self.cells,
            shown: &[],
        };
        let (features, model) = &mut self.scratch;
        self.model
            .features
            .append_rows(of, &mut self.rows, features);
        self.safe.clear();
        let artifact = &self.model.artifact.model;
        artifact.append(&self.rows, &mut self.safe, model);
    }
}
