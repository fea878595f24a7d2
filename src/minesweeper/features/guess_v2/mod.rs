//! `guess-v2`: features that distinguish the candidates of one guess: their safety, the numbers
//! that they may show, their surroundings, and the positions after each number. Candidates are
//! ranked by two-step safety of living cells
//! ([`TwoStep::of_living_cells`](crate::ahead::TwoStep::of_living_cells)).

mod around;
mod columns;
mod next;
mod rows;
mod shown;

use self::around::{Around, Components, Whole};
use self::columns::{COLUMNS, now};
use self::next::Next;
use self::shown::{Shown, Stops};
use super::{PositionFeatures, RowsOf};
use crate::ahead::{LayoutPlayout, Scored};
use crate::solver::{Analysis, Layouts};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

pub use self::columns::WIDTH;
pub use self::rows::GuessRows;

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
    let RowScratch {
        components,
        stops,
        child,
        next,
    } = scratch;
    stops.find((parent, layouts), scored, roll_out);
    components.find(parent);
    let whole = Whole::of(parent);
    let best = scored.first().map_or(0.0, |best| best.score);
    let all = whole.columns(components.len(), best, scored.len());
    let mut first = None;
    let mut first_next = None;
    for (rank, (of, stop)) in scored.iter().zip(stops.means()).enumerate() {
        let mine = parent.counted().mine[of.cell.index()];
        let mut own = [0.0; now::OWN];
        let ahead = &of.ahead;
        let parts = [
            &[
                mine as f32,
                ahead.safety as f32,
                ahead.certain as f32,
                ahead.cells as f32,
            ][..],
            &Shown::of(parent, of, mine, child).columns(),
            &Around::of(parent, of.cell, components).columns(),
            &[
                ((1.0 - mine) * stop.safety) as f32,
                ((1.0 - mine) * stop.won) as f32,
                stop.ln_layouts as f32,
                stop.unknown as f32,
            ],
        ];
        own.iter_mut()
            .zip(parts.into_iter().flatten())
            .for_each(|(place, &number)| *place = number);
        let first = *first.get_or_insert(own);
        out.extend([
            (mine - whole.least[0]) as f32,
            of.score as f32,
            (best - of.score) as f32,
            rank as f32,
        ]);
        out.extend(own);
        out.extend(own.iter().zip(first).map(|(own, first)| own - first));
        out.extend(all);
        let own = next.columns(parent, of);
        let first = *first_next.get_or_insert(own);
        out.extend(own);
        out.extend(own.iter().zip(first).map(|(own, first)| own - first));
    }
}
