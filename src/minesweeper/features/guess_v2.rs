//! `guess-v2`: `guess-v1` of candidates by two-step safety that counts living cells, and more of what the position after each number is.

use super::guess_v1;
use crate::Cell;
use crate::ahead::{Influence, LayoutPlayout, LookScratch, Scored, TwoStep};
use crate::solver::{Analysis, Budget, Layouts, Weighting};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

/// Numbers a row.
pub const WIDTH: usize = guess_v1::WIDTH + next::WIDTH;

/// Of the position after a number, as means over the numbers that the candidate shows where it is safe; a mine counts 0.
mod next {
    use mineflow_model::Column;

    const SHARE: (f64, f64) = (0.0, 1.0);
    const CELLS: (f64, f64) = (0.0, 65_535.0);
    const SCORE: (f64, f64) = (0.0, 2.0);

    super::guess_v1::columns! {
        own: "any_safety", "probability", SHARE, "two-step safety without its bonus, dead cells counted as living ones";
        own: "any_certain", "probability", SHARE, "that a cell, living or dead, is certain then";
        own: "any_cells", "cells", CELLS, "expected number of such cells";
        own: "next_best", "probability", SHARE, "that it and the safest living cell then are safe";
        own: "next_second", "probability", SHARE, "the same of the second safest";
        own: "two_ahead", "", SCORE, "mean score of the best guess then; where a living cell is certain, that of a certain one";
        own: "next_ln_layouts", "nats", CELLS, "natural logarithm of the layouts then";
        own: "decided", "cells", CELLS, "cells that counting decides then, itself included";
        own: "dead", "", SHARE, "1 if it tells nothing, else 0";
        own: "near_dead", "", SHARE, "share of its unknown neighbours that tell nothing";
        own: "even", "probability", SHARE, "that it is half of a 50/50, if it is safe";
    }
}

const COLUMNS: [Column; WIDTH] = {
    let mut columns = [next::COLUMNS[0]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        columns[i] = if i < guess_v1::WIDTH { guess_v1::COLUMNS[i] } else { next::COLUMNS[i - guess_v1::WIDTH] };
        i += 1;
    }
    columns
};

/// The description of the set.
pub static SET: FeatureSet =
    FeatureSet { name: "guess-v2", columns: &COLUMNS, names: &Column::names(&COLUMNS), target: Target::Gain, turn };

/// Turning the board changes nothing.
fn turn(_: &mut [f32], _: Symmetry) {}

/// Scratch of computing rows.
#[derive(Clone, Debug, Default)]
pub struct RowScratch {
    pub(super) first: guess_v1::RowScratch,
    rows: Vec<f32>,
    next: Next,
}

/// Appends a row for each of the candidates `scored`, the best by two-step safety first.
pub fn append_rows(
    (parent, layouts): (&Analysis, &Layouts),
    scored: &[Scored],
    roll_out: &mut LayoutPlayout,
    scratch: &mut RowScratch,
    out: &mut Vec<f32>,
) {
    let RowScratch { first, rows, next } = scratch;
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
    fn columns(&mut self, parent: &Analysis, of: &Scored) -> [f32; next::OWN] {
        let Self { child, mine, looking, influence } = self;
        let (rule, budget) = (TwoStep::of_living_cells(), &mut Budget::unlimited());
        let (mut means, mut ln_layouts, mut decided, mut safe) = ([0.0; 6], 0.0, 0.0, 0.0);
        for (number, &chance) in (0..).zip(&of.ahead.numbers).filter(|&(_, &chance)| chance > 0.0) {
            child.follow(parent);
            let shown = child.suppose(of.cell, number).map_err(Into::into);
            if shown.and_then(|()| child.probabilities(Weighting::Posterior, budget).map(drop)).is_err() {
                continue;
            }
            let certain = child.safe().len();
            let living = child.safe().iter().filter(|&&cell| !child.is_dead(cell)).count();
            let (any, best, second) = safest(child, living);
            let (any, any_certain) = if certain > 0 { (1.0, 1.0) } else { (any, 0.0) };
            let two_ahead = if living > 0 || child.unknown() == 0 {
                1.0 + rule.bonus
            } else {
                mine.clone_from(&child.counted().mine);
                rule.look(child, mine, 1, looking);
                looking.scored.first().map_or(0.0, |best| best.score)
            };
            let next = [any, any_certain, certain as f64, best, second, two_ahead];
            means.iter_mut().zip(next).for_each(|(mean, next)| *mean += chance * next);
            ln_layouts += chance * child.counted().ln_layouts();
            decided += chance * (parent.unknown() - child.unknown()) as f64;
            safe += chance;
        }
        if safe > 0.0 {
            ln_layouts /= safe;
        }
        let is_dead = |cell: Cell| f64::from(u8::from(parent.is_dead(cell)));
        let near = || parent.grid().neighbors(of.cell).filter(|&cell| parent.is_unknown(cell));
        let near_dead = near().map(is_dead).sum::<f64>() / near().count().max(1) as f64;
        let even = match influence.bound(parent, of.cell) {
            bound if bound > 0.0 => influence.share(parent, of.cell, budget).unwrap_or(0.0),
            _ => 0.0,
        };
        let [any, any_certain, cells, best, second, two_ahead] = means;
        let dead = is_dead(of.cell);
        [any, any_certain, cells, best, second, two_ahead, ln_layouts, decided, dead, near_dead, even]
            .map(|column| column as f32)
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
