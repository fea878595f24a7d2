//! Chooses the candidate with the highest prediction of a model.

use std::sync::Arc;

use rand::RngExt;

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
    closest::least,
    model::LoadedModel,
};
use crate::{
    Cell,
    features::{Position, RowsOf},
    solver::TIE,
};
use mineflow_model::ModelScratch;
use mineflow_rng::Rng;

/// The number of groups into which candidates with similar rows are divided.
const GROUPS: usize = 3;

/// The chooser of [`Rule::Learned`](super::Rule::Learned). Its memory is reused between decisions.
#[derive(Debug)]
pub(super) struct LearnedChooser {
    model: Arc<LoadedModel>,
    margin: Option<f64>,
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
    /// The candidates with the highest score.
    best: Vec<Cell>,
    /// The number of mines, the probability and the best cells of the last untouched board with
    /// equal probabilities, which are the same in every game.
    first_move: Option<(usize, f64, Vec<Cell>)>,
}

impl Chooser for LearnedChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let position = guess.position;
        let mines = position.view.mines();
        let nothing_known = position.view.opened().is_empty();
        if let Some((known_mines, known, best)) = &self.first_move
            && nothing_known
            && *known_mines == mines
            && mine.iter().all(|p| p == known)
        {
            return Ok(draw(best, guess.rng));
        }
        self.gather(mine);
        self.ask(position);
        self.find_best();
        if let Some(&first) = mine.first()
            && nothing_known
            && mine.iter().all(|&p| p == first)
        {
            self.first_move = Some((mines, first, self.best.clone()));
        }
        Ok(draw(&self.best, guess.rng))
    }
}

impl LearnedChooser {
    pub fn new(model: Arc<LoadedModel>, margin: Option<f64>) -> Self {
        Self {
            model,
            margin,
            cells: Vec::new(),
            rows: Vec::new(),
            values: Vec::new(),
            scratch: ModelScratch::default(),
            features: Vec::new(),
            grouped: Vec::new(),
            best: Vec::new(),
            first_move: None,
        }
    }

    /// Collects the candidates in `cells`: the cells within the margin that may be safe or, if
    /// there are none, all cells with a probability.
    fn gather(&mut self, mine: &[f64]) {
        let limit = self
            .margin
            .map_or(f64::INFINITY, |margin| least(mine) + margin + TIE);
        let cells = || (0..mine.len() as u16).map(Cell).zip(mine.iter().copied());
        let close = cells().filter(|&(_, p)| p < 1.0 - TIE && p <= limit);
        self.cells.clear();
        self.cells.extend(close.map(|(cell, _)| cell));
        if self.cells.is_empty() {
            let known = cells().filter(|(_, p)| !p.is_nan());
            self.cells.extend(known.map(|(cell, _)| cell));
        }
    }

    /// Computes the scores of `cells` and stores them in `values`.
    fn ask(&mut self, position: &Position<'_>) {
        let ends = if self.model.artifact.model.gains_by_grouping() {
            self.group(position)
        } else {
            [self.cells.len(); GROUPS]
        };
        self.rows.clear();
        self.model.features.append_rows(
            RowsOf {
                position,
                settings: &self.model.settings(position.view.board()),
                cells: &self.cells,
                shown: &[],
            },
            &mut self.rows,
            &mut self.features,
        );
        self.values.clear();
        let model = &self.model.artifact.model;
        let width = model.width();
        let mut start = 0;
        for end in ends {
            let rows = &self.rows[start * width..end * width];
            model.append(rows, &mut self.values, &mut self.scratch);
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

    /// Collects the candidates with the highest score in `best`.
    fn find_best(&mut self) {
        let highest = self
            .values
            .iter()
            .copied()
            .fold(f32::NEG_INFINITY, f32::max);
        self.best.clear();
        for (&cell, &value) in self.cells.iter().zip(&self.values) {
            if value == highest {
                self.best.push(cell);
            }
        }
        // Grouping must not change which of several tied cells is drawn.
        self.best.sort_unstable();
    }
}

fn draw(cells: &[Cell], rng: &mut Rng) -> Option<Cell> {
    match cells {
        [] => None,
        &[one] => Some(one),
        several => Some(several[rng.random_range(0..several.len() as u32) as usize]),
    }
}
