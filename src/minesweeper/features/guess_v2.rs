//! `guess-v2`: `guess-v1` of candidates by two-step safety that counts living cells, and more of what the position after each number is.

use super::guess_v1::{self, GuessRows};
use super::{PositionFeatures, RowsOf};
use crate::Cell;
use crate::ahead::{Influence, LayoutPlayout, Living, LookScratch, Scored, TwoStep};
use crate::solver::{Analysis, Budget, Layouts, Weighting};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

const SHARE: (f64, f64) = (0.0, 1.0);
const CELLS: (f64, f64) = (0.0, 65_535.0);
const SCORE: (f64, f64) = (0.0, 2.0);

/// Columns about a candidate; each is also compared with the first one's.
const MORE: usize = 11;
/// Numbers a row.
pub const WIDTH: usize = guess_v1::WIDTH + 2 * MORE;

/// Of the position after a number, as means over the numbers that the candidate shows where it is safe; a mine counts 0.
#[rustfmt::skip]
const NEXT: [Column; 2 * MORE] = {
    let more = (-65_535.0, 65_535.0);
    [
        Column::float("any_safety", "probability", SHARE, "two-step safety without its bonus, dead cells counted as living ones"),
        Column::float("any_certain", "probability", SHARE, "that a cell, living or dead, is certain then"),
        Column::float("any_cells", "cells", CELLS, "expected number of such cells"),
        Column::float("next_best", "probability", SHARE, "that it and the safest living cell then are safe, certain cells as those that may be mines"),
        Column::float("next_second", "probability", SHARE, "the same of the second safest"),
        Column::float("two_ahead", "", SCORE, "mean score of the best guess then, where a living cell is certain that of a certain one"),
        Column::float("next_ln_layouts", "nats", CELLS, "natural logarithm of the layouts then"),
        Column::float("decided", "cells", CELLS, "cells that counting decides then, itself included"),
        Column::float("dead", "", SHARE, "1 if it tells nothing, else 0"),
        Column::float("near_dead", "", SHARE, "share of its unknown neighbours that tell nothing"),
        Column::float("even", "probability", SHARE, "that it is half of a 50/50, if it is safe"),
        Column::float("any_safety_more", "probability", more, "less that of the first candidate"),
        Column::float("any_certain_more", "probability", more, "less that of the first candidate"),
        Column::float("any_cells_more", "cells", more, "less that of the first candidate"),
        Column::float("next_best_more", "probability", more, "less that of the first candidate"),
        Column::float("next_second_more", "probability", more, "less that of the first candidate"),
        Column::float("two_ahead_more", "", more, "less that of the first candidate"),
        Column::float("next_ln_layouts_more", "nats", more, "less that of the first candidate"),
        Column::float("decided_more", "cells", more, "less that of the first candidate"),
        Column::float("dead_more", "", more, "less that of the first candidate"),
        Column::float("near_dead_more", "", more, "less that of the first candidate"),
        Column::float("even_more", "probability", more, "less that of the first candidate"),
    ]
};

const COLUMNS: [Column; WIDTH] = {
    let mut columns = [NEXT[0]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        columns[i] = if i < guess_v1::WIDTH { guess_v1::SET.columns[i] } else { NEXT[i - guess_v1::WIDTH] };
        i += 1;
    }
    columns
};

/// The description of the set.
pub static SET: FeatureSet =
    FeatureSet { name: "guess-v2", columns: &COLUMNS, names: &Column::names(&COLUMNS), target: Target::Gain, turn };

/// Turning the board changes nothing.
fn turn(_: &mut [f32], _: Symmetry) {}

/// The rule that finds the candidates.
pub fn two_step() -> TwoStep {
    TwoStep { living: Some(Living::default()), influence: 0.9, ..TwoStep::default() }
}

/// Computes the rows.
#[derive(Clone, Copy, Debug)]
pub struct GuessV2;

impl PositionFeatures for GuessV2 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// Zeros for cells that two-step safety does not look at, and beyond the limits of counting.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, candidates: &mut Vec<f32>) {
        let guess = GuessRows::of(GuessSet::V2, of.position, candidates);
        for &cell in of.cells {
            rows.extend_from_slice(guess.row(cell, candidates).unwrap_or(&[0.0; WIDTH]));
        }
    }
}

/// The sets of rows of a guess.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GuessSet {
    #[default]
    V1,
    V2,
}

impl GuessSet {
    /// That with this description.
    pub fn of(set: &FeatureSet) -> Option<Self> {
        [Self::V1, Self::V2].into_iter().find(|own| own.set().name == set.name)
    }

    /// Its description.
    pub fn set(self) -> &'static FeatureSet {
        match self {
            Self::V1 => &guess_v1::SET,
            Self::V2 => &SET,
        }
    }

    /// The rule that finds the candidates.
    pub fn two_step(self) -> TwoStep {
        match self {
            Self::V1 => TwoStep::default(),
            Self::V2 => two_step(),
        }
    }
}

/// Scratch of computing rows.
#[derive(Clone, Debug, Default)]
pub struct RowScratch {
    first: guess_v1::RowScratch,
    rows: Vec<f32>,
    next: Next,
}

/// Appends a row of this set for each of the candidates `scored`, the best by its two-step safety first.
pub fn append_rows(
    set: GuessSet,
    (parent, layouts): (&Analysis, &Layouts),
    scored: &[Scored],
    roll_out: &mut LayoutPlayout,
    scratch: &mut RowScratch,
    out: &mut Vec<f32>,
) {
    let RowScratch { first, rows, next } = scratch;
    if set == GuessSet::V1 {
        return guess_v1::append_rows((parent, layouts), scored, roll_out, first, out);
    }
    rows.clear();
    guess_v1::append_rows((parent, layouts), scored, roll_out, first, rows);
    let mut best = None;
    for (row, of) in rows.chunks_exact(guess_v1::WIDTH).zip(scored) {
        let own = next.columns(parent, of);
        let best = *best.get_or_insert(own);
        out.extend_from_slice(row);
        out.extend(own);
        out.extend(own.iter().zip(best).map(|(own, best)| own - best));
    }
}

/// Looks at the positions after a candidate.
#[derive(Clone, Debug, Default)]
struct Next {
    child: Analysis,
    mine: Vec<f64>,
    looking: LookScratch,
    influence: Influence,
}

impl Next {
    fn columns(&mut self, parent: &Analysis, of: &Scored) -> [f32; MORE] {
        let Self { child, mine, looking, influence } = self;
        let (rule, budget) = (two_step(), &mut Budget::unlimited());
        let mut means = [0.0; 8];
        let mut safe = 0.0;
        for (number, &chance) in (0..).zip(&of.ahead.numbers).filter(|&(_, &chance)| chance > 0.0) {
            child.follow(parent);
            let shown = child.suppose(of.cell, number).map_err(Into::into);
            if shown.and_then(|()| child.probabilities(Weighting::Posterior, budget).map(drop)).is_err() {
                continue;
            }
            let certain = child.safe().len();
            let living = child.safe().iter().filter(|&&cell| !child.is_dead(cell)).count();
            let (any, best, second) = safest(child, living);
            mine.clone_from(&child.counted().mine);
            let two_ahead = match living {
                _ if child.unknown() == 0 => 1.0 + rule.bonus,
                0 => {
                    rule.look(child, mine, 1, looking);
                    looking.scored.first().map_or(0.0, |best| best.score)
                }
                _ => 1.0 + rule.bonus,
            };
            let any_certain = f64::from(u8::from(certain > 0));
            let next = [
                if certain > 0 { 1.0 } else { any },
                any_certain,
                certain as f64,
                best,
                second,
                two_ahead,
                child.counted().ln_layouts(),
                (parent.unknown() - child.unknown()) as f64,
            ];
            means.iter_mut().zip(next).for_each(|(mean, next)| *mean += chance * next);
            safe += chance;
        }
        if safe > 0.0 {
            means[6] /= safe;
        }
        let mut columns = [0.0; MORE];
        columns.iter_mut().zip(means).for_each(|(column, mean)| *column = mean as f32);
        let is_dead = |cell: Cell| f32::from(u8::from(parent.is_dead(cell)));
        let near = || parent.grid().neighbors(of.cell).filter(|&cell| parent.is_unknown(cell));
        let even = match influence.bound(parent, of.cell) {
            bound if bound > 0.0 => influence.share(parent, of.cell, budget).unwrap_or(0.0),
            _ => 0.0,
        };
        columns[8] = is_dead(of.cell);
        columns[9] = near().map(is_dead).sum::<f32>() / near().count().max(1) as f32;
        columns[10] = even as f32;
        columns
    }
}

/// The safety of the safest cell of which nothing is known; and that of the two safest living ones, of which `certain` are certain.
fn safest(at: &Analysis, certain: usize) -> (f64, f64, f64) {
    let mut any: f64 = 0.0;
    let mut living = [if certain > 0 { 1.0 } else { 0.0 }, if certain > 1 { 1.0 } else { 0.0 }];
    if at.unknown() == 0 && certain == 0 {
        // The game is won.
        return (1.0, 1.0, 1.0);
    }
    for cell in at.grid().board().all_cells().filter(|&cell| at.is_unknown(cell)) {
        let safety = 1.0 - at.counted().mine[cell.index()];
        any = any.max(safety);
        if safety > living[1] && !at.is_dead(cell) {
            living = if safety > living[0] { [safety, living[0]] } else { [living[0], safety] };
        }
    }
    (any, living[0], living[1])
}
