//! The candidates of a decision and what a model makes of them.

use rand::RngExt;

use super::lanes::least;
use crate::Cell;
use crate::features::{Position, PositionFeatures, RowSettings, RowsOf};
use crate::solver::TIE;
use mineflow_model::{Model, ModelScratch};
use mineflow_rng::Rng;

/// Groups of cells whose rows have much in common.
const GROUPS: usize = 3;

/// What is asked, and of whom. The scores depend on the position and this alone.
pub(super) struct ModelQuery<'a> {
    pub(super) model: &'a dyn Model,
    /// Of the model.
    pub(super) sha256: &'a str,
    pub(super) features: &'static dyn PositionFeatures,
    /// What the features depend on besides the position; asked for only when they are computed.
    pub(super) settings: &'a dyn Fn() -> RowSettings,
    /// As [`Learned`](super::Learned) has them.
    pub(super) margin: Option<f64>,
    pub(super) tie: Option<f64>,
}

/// The candidates of a decision and what a model makes of them, kept from decision to decision for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    /// The candidates, in row-major order unless grouped.
    cells: Vec<Cell>,
    /// Their features, one row after another.
    rows: Vec<f32>,
    /// Their scores.
    values: Vec<f32>,
    scratch: ModelScratch,
    /// Scratch of the feature set.
    features: Vec<f32>,
    grouped: Vec<Cell>,
    /// The candidates that share the highest score.
    best: Vec<Cell>,
    first_move: Option<KnownFirst>,
}

/// The best cells of a board of which nothing is known: the same in every game.
#[derive(Clone, Debug)]
struct KnownFirst {
    sha256: String,
    mines: usize,
    mine: f64,
    best: Vec<Cell>,
}

impl Scores {
    /// The candidate to which `query`'s model gives the highest score, ties at random. `mine` is NaN for cells that may
    /// not be chosen.
    pub(super) fn best(
        &mut self,
        query: &ModelQuery<'_>,
        position: &Position<'_>,
        mine: &[f64],
        rng: &mut Rng,
    ) -> Option<Cell> {
        let nothing_known = position.view.opened().is_empty();
        if nothing_known
            && let Some(known) = self.first_move.as_ref().filter(|known| known.is_of(query.sha256, position, mine))
        {
            return draw(&known.best, rng);
        }
        self.cells.clear();
        let cells = || mine.iter().enumerate().map(|(index, &p)| (Cell(index as u16), p));
        let limit = query.margin.map_or(f64::INFINITY, |margin| least(mine) + margin + TIE);
        self.cells.extend(cells().filter(|&(_, p)| p < 1.0 - TIE && p <= limit).map(|(cell, _)| cell));
        if self.cells.is_empty() {
            self.cells.extend(cells().filter(|(_, p)| !p.is_nan()).map(|(cell, _)| cell));
        }
        self.score(query, position);
        let scored = || self.cells.iter().copied().zip(self.values.iter().copied());
        let highest = scored().map(|(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        let least = highest - query.tie.unwrap_or(0.0) as f32;
        let neighbors = |cell: Cell| match query.tie {
            Some(_) => position.view.grid().neighbor_count(cell),
            None => 0,
        };
        let close = || scored().filter(|&(_, value)| value >= least);
        let fewest = close().map(|(cell, _)| neighbors(cell)).min();
        let placed = || close().filter(|&(cell, _)| Some(neighbors(cell)) == fewest);
        let best = placed().map(|(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        self.best.clear();
        self.best.extend(placed().filter(|&(_, value)| value == best).map(|(cell, _)| cell));
        // Grouping must not change which of equals is drawn.
        self.best.sort_unstable();
        if nothing_known && let Some(&p) = mine.first().filter(|first| mine.iter().all(|p| p == *first)) {
            let (sha256, mines, best) = (query.sha256.to_owned(), position.view.mines(), self.best.clone());
            self.first_move = Some(KnownFirst { sha256, mines, mine: p, best });
        }
        draw(&self.best, rng)
    }
}

impl Scores {
    /// Fills in `values` for `cells`.
    fn score(&mut self, query: &ModelQuery<'_>, position: &Position<'_>) {
        let &ModelQuery { model, features, settings, .. } = query;
        let ends = if model.gains_by_grouping() { self.group(position) } else { [self.cells.len(); GROUPS] };
        let Self { cells, rows, values, scratch, features: of_features, .. } = self;
        rows.clear();
        features.append_rows(RowsOf { position, settings: &settings(), cells, shown: &[] }, rows, of_features);
        values.clear();
        let (width, mut start) = (model.width(), 0);
        for end in ends {
            model.append(&rows[start * width..end * width], values, scratch);
            start = end;
        }
    }

    /// Brings together the cells whose rows have much in common, in row-major order within each group; gives where the
    /// groups end. Cells off the boundary differ in their place alone, and at the board's edge they have other scores.
    fn group(&mut self, position: &Position<'_>) -> [usize; GROUPS] {
        let group_of = |cell: Cell| match position.boundary.contains(cell) {
            true => 2,
            false => usize::from(position.view.grid().neighbor_count(cell) < 8),
        };
        self.grouped.clear();
        let ends = std::array::from_fn(|group| {
            self.grouped.extend(self.cells.iter().filter(|&&cell| group_of(cell) == group));
            self.grouped.len()
        });
        std::mem::swap(&mut self.cells, &mut self.grouped);
        ends
    }
}

impl KnownFirst {
    fn is_of(&self, sha256: &str, position: &Position<'_>, mine: &[f64]) -> bool {
        self.mines == position.view.mines() && self.sha256 == sha256 && mine.iter().all(|&p| p == self.mine)
    }
}

fn draw(cells: &[Cell], rng: &mut Rng) -> Option<Cell> {
    match cells {
        [] => None,
        &[one] => Some(one),
        several => Some(several[rng.random_range(0..several.len() as u32) as usize]),
    }
}
