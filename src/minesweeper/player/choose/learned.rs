//! Rules that choose the candidate with the highest score of a model. To add such a rule, write a
//! file with its [`ModelRule`] and add its lines to `mod.rs`.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use rand::RngExt;

use super::super::decision::NoMove;
use super::closest::least;
use super::model::{LoadedModel, ModelRule, NamedModel};
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::features::{Position, RowsOf};
use crate::solver::TIE;
use crate::{Cell, Grid};
use mineflow_model::ModelScratch;
use mineflow_rng::Rng;
use mineflow_search::options::{OptionError, OptionList, Options};

/// The number of groups into which candidates with similar rows are divided.
const GROUPS: usize = 3;

/// The rule that chooses the cell with the highest score of a model, with ties broken at random.
/// Two rules are equal if their margins and the contents of their models are equal.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned<R> {
    rule: PhantomData<R>,
    model: NamedModel,
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
            rule: PhantomData,
            model: NamedModel::published::<R>(),
            margin: None,
        }
    }

    fn model(&self) -> Option<&NamedModel> {
        Some(&self.model)
    }

    fn model_mut(&mut self) -> Option<&mut NamedModel> {
        Some(&mut self.model)
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
}

impl<R> Options for Learned<R> {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.model.list(list)?;
        list.optional("margin", &mut self.margin, 0.0..=1.0)
            .map(|_| ())
    }
}

/// The [`Chooser`] of [`Learned`].
#[derive(Debug)]
struct LearnedChooser {
    model: Arc<LoadedModel>,
    /// The maximum difference between the probability of a candidate and the minimum, like the
    /// margin of player 4.5 (Sinha et al. 2021, section 4.2.1, table 3); `None` if all cells are
    /// candidates.
    margin: Option<f64>,
    scores: Scores,
    /// The candidates with the highest score.
    best: Vec<Cell>,
    first_move: Option<KnownFirst>,
}

/// The best cells of an untouched board with equal probabilities, which are the same in every game.
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
    /// Collects the candidates with the highest score in `best`.
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

/// The candidates of a decision and their scores. The memory is reused between decisions.
#[derive(Debug, Default)]
struct Scores {
    /// The candidates, in row-major order unless grouped.
    cells: Vec<Cell>,
    /// The features of the candidates, one row per candidate.
    rows: Vec<f32>,
    /// The scores of the candidates.
    values: Vec<f32>,
    scratch: ModelScratch,
    /// Scratch memory of the feature set.
    features: Vec<f32>,
    grouped: Vec<Cell>,
}

impl Scores {
    /// Collects the candidates in `cells`: the cells within the margin that may be safe or, if
    /// there are none, all cells with a probability.
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

    /// Computes the scores of `cells` and stores them in `values`.
    fn ask(&mut self, asked: &LoadedModel, position: &Position<'_>) {
        let model = asked.artifact().model();
        let settings = asked.rows().on(position.view.board());
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
        let width = model.width();
        let mut start = 0;
        for end in ends {
            model.append(&rows[start * width..end * width], values, scratch);
            start = end;
        }
    }

    /// Groups the cells whose rows have much in common, in row-major order within each group, and
    /// returns the end of each group. The groups are inner cells off the boundary, cells off the
    /// boundary at the edge of the board, whose location scores differ, and boundary cells.
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
