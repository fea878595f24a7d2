//! `guess-v2`: features that distinguish the candidates of one guess: their safety, the numbers
//! that they may show, their surroundings, and the positions after each number. Candidates are
//! ranked by two-step safety of living cells
//! ([`TwoStep::of_living_cells`](crate::ahead::TwoStep::of_living_cells)).

mod around;
mod columns;
mod next;
mod rows;
mod shown;

use self::{
    around::{Components, around, whole},
    columns::{COLUMNS, now},
    next::Next,
    shown::{Stops, shown},
};
use super::{PositionFeatures, RowsOf, joined};
use crate::{
    ahead::{LayoutPlayout, Scored},
    solver::{Analysis, Layouts},
};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

pub use self::{columns::WIDTH, rows::GuessRows};

/// The maximum number of candidates per guess for the ranker and its training data.
pub const CANDIDATES: usize = 8;
/// The index of the rank by two-step safety in a row. Rank 0 marks the first row of a guess.
pub const RANK: usize = 3;

/// The description of `guess-v2`.
pub static SET: FeatureSet = FeatureSet {
    name: "guess-v2",
    columns: &COLUMNS,
    names: &Column::names(&COLUMNS),
    target: Target::Gain,
    turn,
};

/// Leaves the row unchanged, as the features don't depend on the board's orientation.
fn turn(_: &mut [f32], _: Symmetry) {}

/// The `guess-v2` feature set.
#[derive(Clone, Copy, Debug)]
pub struct GuessV2;

impl PositionFeatures for GuessV2 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// Appends one row per cell. Cells that two-step safety does not examine, and all cells of
    /// positions beyond the solver's limits, get rows of zeros.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, candidates: &mut Vec<f32>) {
        let guess = GuessRows::of(of.position, candidates);
        for &cell in of.cells {
            match guess.row(cell, candidates) {
                Some(row) => rows.extend_from_slice(row),
                None => rows.resize(rows.len() + WIDTH, 0.0),
            }
        }
    }
}

/// Scratch memory of [`append_rows`].
#[derive(Clone, Debug, Default)]
pub struct RowScratch {
    components: Components,
    stops: Stops,
    child: Analysis,
    next: Next,
}

/// Appends one row for each candidate in `scored`, which is sorted by two-step safety, best first.
pub fn append_rows(
    (parent, layouts): (&Analysis, &Layouts),
    scored: &[Scored],
    roll_out: &mut LayoutPlayout,
    scratch: &mut RowScratch,
    out: &mut Vec<f32>,
) {
    scratch.stops.find((parent, layouts), scored, roll_out);
    scratch.components.find(parent);
    let best = scored.first().map_or(0.0, |best| best.score);
    let (least, all) = whole(parent, scratch.components.len(), best, scored.len());
    let mut first = None;
    let mut first_next = None;
    for (rank, (of, stop)) in scored.iter().zip(scratch.stops.means()).enumerate() {
        let mine = parent.counted().mine[of.cell.index()];
        let own: [f32; now::OWN] = joined(&[
            &[mine, of.ahead.safety, of.ahead.certain, of.ahead.cells].map(|value| value as f32),
            &shown(parent, of, mine, &mut scratch.child),
            &around(parent, of.cell, &scratch.components),
            &[
                (1.0 - mine) * stop.safety,
                (1.0 - mine) * stop.won,
                stop.ln_layouts,
                stop.unknown,
            ]
            .map(|value| value as f32),
        ]);
        let place = [mine - least, of.score, best - of.score, rank as f64];
        out.extend(place.map(|value| value as f32));
        extend_with_more(out, &own, first.get_or_insert(own));
        out.extend(all);
        let next = scratch.next.columns(parent, of);
        extend_with_more(out, &next, first_next.get_or_insert(next));
    }
}

/// Appends features, then their differences from those of the first candidate.
fn extend_with_more(out: &mut Vec<f32>, own: &[f32], first: &[f32]) {
    out.extend(own);
    out.extend(own.iter().zip(first).map(|(own, first)| own - first));
}
