//! Features that describe the positions after each number that a candidate may show.

use super::columns::next;
use crate::Cell;
use crate::ahead::{BONUS, Influence, LookScratch, Scored, TwoStep};
use crate::solver::{Analysis, Budget, Weighting};

/// Evaluates the positions after a candidate shows its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Next {
    child: Analysis,
    mine: Vec<f64>,
    looking: LookScratch,
    influence: Influence,
}

impl Next {
    pub(super) fn columns(&mut self, parent: &Analysis, of: &Scored) -> [f32; next::OWN] {
        let Self {
            child,
            mine,
            looking,
            influence,
        } = self;
        let rule = TwoStep::of_living_cells();
        let budget = &mut Budget::unlimited();
        let mut means = [0.0; 6];
        let mut ln_layouts = 0.0;
        let mut decided = 0.0;
        let mut safe = 0.0;
        for (number, &chance) in (0..)
            .zip(&of.ahead.numbers)
            .filter(|&(_, &chance)| chance > 0.0)
        {
            child.follow(parent);
            let shown = child.suppose(of.cell, number).map_err(Into::into);
            if shown
                .and_then(|()| child.probabilities(Weighting::Posterior, budget).map(drop))
                .is_err()
            {
                continue;
            }
            let certain = child.safe().len();
            let living = child
                .safe()
                .iter()
                .filter(|&&cell| !child.is_dead(cell))
                .count();
            let (any, best, second) = safest(child, living);
            let (any, any_certain) = if certain > 0 { (1.0, 1.0) } else { (any, 0.0) };
            let two_ahead = if living > 0 || child.unknown() == 0 {
                1.0 + BONUS
            } else {
                mine.clone_from(&child.counted().mine);
                rule.look(child, mine, 1, looking);
                looking.scored.first().map_or(0.0, |best| best.score)
            };
            let next = [any, any_certain, certain as f64, best, second, two_ahead];
            means
                .iter_mut()
                .zip(next)
                .for_each(|(mean, next)| *mean += chance * next);
            ln_layouts += chance * child.counted().ln_layouts();
            decided += chance * (parent.unknown() - child.unknown()) as f64;
            safe += chance;
        }
        if safe > 0.0 {
            ln_layouts /= safe;
        }
        let is_dead = |cell: Cell| f64::from(u8::from(parent.is_dead(cell)));
        let near = || {
            parent
                .grid()
                .neighbors(of.cell)
                .filter(|&cell| parent.is_unknown(cell))
        };
        let near_dead = near().map(is_dead).sum::<f64>() / near().count().max(1) as f64;
        let even = match influence.bound(parent, of.cell) {
            bound if bound > 0.0 => influence.share(parent, of.cell, budget).unwrap_or(0.0),
            _ => 0.0,
        };
        let [any, any_certain, cells, best, second, two_ahead] = means;
        let dead = is_dead(of.cell);
        [
            any,
            any_certain,
            cells,
            best,
            second,
            two_ahead,
            ln_layouts,
            decided,
            dead,
            near_dead,
            even,
        ]
        .map(|column| column as f32)
    }
}

/// Returns the safety of the safest unknown cell, and the safeties of the two safest living cells.
/// `certain` is the number of living cells proved safe.
fn safest(at: &Analysis, certain: usize) -> (f64, f64, f64) {
    let mut any: f64 = 0.0;
    let mut living = [
        if certain > 0 { 1.0 } else { 0.0 },
        if certain > 1 { 1.0 } else { 0.0 },
    ];
    if at.unknown() == 0 && certain == 0 {
        // The game is won.
        return (1.0, 1.0, 1.0);
    }
    for cell in at
        .grid()
        .board()
        .all_cells()
        .filter(|&cell| at.is_unknown(cell))
    {
        let safety = 1.0 - at.counted().mine[cell.index()];
        any = any.max(safety);
        if safety > living[1] && !at.is_dead(cell) {
            living = if safety > living[0] {
                [safety, living[0]]
            } else {
                [living[0], safety]
            };
        }
    }
    (any, living[0], living[1])
}
