//! Rules that choose by a model: the candidate with the highest score. A new one is a file with a [`ModelRule`] and its lines in
//! `mod.rs`.

use std::ops::Deref;
use std::sync::Arc;

use rand::RngExt;

use super::super::decision::NoMove;
use super::super::model_override::ModelOverride;
use super::super::recipe_error::RecipeError;
use super::closest::least;
use super::model::{LoadedModel, ModelRule, NamedModel};
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::features::{Position, RowsOf};
use crate::solver::TIE;
use crate::{Cell, Grid};
use mineflow_model::ModelScratch;
use mineflow_rng::Rng;
use mineflow_search::options::{OptionError, OptionList, Options};

/// Number of groups of cells with similar rows.
const GROUPS: usize = 3;

/// Chooses the cell with the highest score of a model; ties at random. Two values are equal if the model's content and the margin are.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned<R> {
    model: NamedModel<R>,
    margin: Option<f64>,
}

impl<R: ModelRule> Deref for Learned<R> {
    type Target = LoadedModel;

    fn deref(&self) -> &LoadedModel {
        self.model.loaded()
    }
}

impl<R: ModelRule> ChoosingRule for Learned<R> {
    const NAME: &'static str = R::NAME;
    const HELP: &'static str = R::HELP;

    fn usual() -> Self {
        Self {
            model: NamedModel::published(),
            margin: None,
        }
    }

    fn load(&mut self, swap: Option<&ModelOverride>) -> Result<(), RecipeError> {
        self.model.load(R::NAME, swap)
    }

    fn forget_model_name(&mut self) {
        self.model.forget_name();
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(LearnedChooser {
            model: self.model.loaded().clone(),
            margin: self.margin,
            scores: Scores::default(),
            best: Vec::new(),
            first_move: None,
        })
    }

    fn model(&self) -> Option<&LoadedModel> {
        Some(self)
    }
}

impl<R> Options for Learned<R> {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.model.list(list)?;
        list.optional("margin", &mut self.margin, 0.0..=1.0)
            .map(|_| ())
    }
}

/// Chooses the cell with the highest score of a model.
#[derive(Debug)]
struct LearnedChooser {
    model: Arc<LoadedModel>,
    /// Only cells whose probability is at most this much above the minimum are candidates, as for 4.5 (Sinha et al. 2021, section 4.2.1,
    /// table 3).
    margin: Option<f64>,
    scores: Scores,
    /// The candidates with the highest score.
    best: Vec<Cell>,
    first_move: Option<KnownFirst>,
}

/// The best cells of an untouched board, which are the same in every game.
#[derive(Debug)]
struct KnownFirst {
    mines: usize,
    mine: f64,
    best: Vec<Cell>,
}

impl Chooser for LearnedChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let position = guess.position;
        let nothing_known = position.view.opened().is_empty();
        if nothing_known
            && let Some(known) = self
                .first_move
                .as_ref()
                .filter(|known| known.is_of(position, mine))
        {
            return Ok(draw(&known.best, guess.rng));
        }
        self.scores.gather(mine, self.margin);
        self.scores.ask(&self.model, position);
        self.find_best();
        if nothing_known
            && let Some(&p) = mine
                .first()
                .filter(|first| mine.iter().all(|p| p == *first))
        {
            self.first_move = Some(KnownFirst {
                mines: position.view.mines(),
                mine: p,
                best: self.best.clone(),
            });
        }
        Ok(draw(&self.best, guess.rng))
    }
}

impl LearnedChooser {
    /// Puts the candidates with the highest score into `best`.
    fn find_best(&mut self) {
        let scored = || {
            self.scores
                .cells
                .iter()
                .copied()
                .zip(self.scores.values.iter().copied())
        };
        let highest = scored()
            .map(|(_, value)| value)
            .fold(f32::NEG_INFINITY, f32::max);
        self.best.clear();
        self.best.extend(
            scored()
                .filter(|&(_, value)| value == highest)
                .map(|(cell, _)| cell),
        );
        // Grouping must not change which of several tied cells is drawn.
        self.best.sort_unstable();
    }
}

/// The candidates of a decision and their scores; reuses its memory between decisions.
#[derive(Debug, Default)]
struct Scores {
    /// The candidates, in row-major order unless grouped.
    cells: Vec<Cell>,
    /// Their features, row by row.
    rows: Vec<f32>,
    /// Their scores.
    values: Vec<f32>,
    scratch: ModelScratch,
    /// Scratch of the feature set.
    features: Vec<f32>,
    grouped: Vec<Cell>,
}

impl Scores {
    /// Puts the candidates into `cells`: those within the margin that may be safe or, if there are none, all.
    fn gather(&mut self, mine: &[f64], margin: Option<f64>) {
        let cells = || {
            mine.iter()
                .enumerate()
                .map(|(index, &p)| (Cell(index as u16), p))
        };
        let limit = margin.map_or(f64::INFINITY, |margin| least(mine) + margin + TIE);
        self.cells.clear();
        self.cells.extend(
            cells()
                .filter(|&(_, p)| p < 1.0 - TIE && p <= limit)
                .map(|(cell, _)| cell),
        );
        if self.cells.is_empty() {
            self.cells
                .extend(cells().filter(|(_, p)| !p.is_nan()).map(|(cell, _)| cell));
        }
    }

    /// Computes the scores of `cells` into `values`.
    fn ask(&mut self, asked: &LoadedModel, position: &Position<'_>) {
        let (model, settings) = (
            asked.artifact().model(),
            asked.rows().on(position.view.board()),
        );
        let ends = if model.gains_by_grouping() {
            self.group(position)
        } else {
            [self.cells.len(); GROUPS]
        };
        let Self {
            cells,
            rows,
            values,
            scratch,
            features: of_features,
            ..
        } = self;
        rows.clear();
        asked.features().append_rows(
            RowsOf {
                position,
                settings: &settings,
                cells,
                shown: &[],
            },
            rows,
            of_features,
        );
        values.clear();
        let (width, mut start) = (model.width(), 0);
        for end in ends {
            model.append(&rows[start * width..end * width], values, scratch);
            start = end;
        }
    }

    /// Groups the cells whose rows have much in common, in row-major order within each group, and returns where the groups end. Cells off
    /// the boundary differ only in their place; at the board's edge their location scores differ.
    fn group(&mut self, position: &Position<'_>) -> [usize; GROUPS] {
        let group_of = |cell: Cell| match position.boundary.contains(cell) {
            true => 2,
            false => usize::from(position.view.grid().neighbor_count(cell) < 8),
        };
        self.grouped.clear();
        let ends = std::array::from_fn(|group| {
            self.grouped
                .extend(self.cells.iter().filter(|&&cell| group_of(cell) == group));
            self.grouped.len()
        });
        std::mem::swap(&mut self.cells, &mut self.grouped);
        ends
    }
}

impl KnownFirst {
    fn is_of(&self, position: &Position<'_>, mine: &[f64]) -> bool {
        self.mines == position.view.mines() && mine.iter().all(|&p| p == self.mine)
    }
}

fn draw(cells: &[Cell], rng: &mut Rng) -> Option<Cell> {
    match cells {
        [] => None,
        &[one] => Some(one),
        several => Some(several[rng.random_range(0..several.len() as u32) as usize]),
    }
}
