//! Two-step look-ahead: values a guess by the safety of the next one.

use std::cmp::Ordering;

use super::{influence::Influence, living::follow_up};
use crate::{
    Cell,
    solver::{Analysis, Budget, Children, CountError, TIE},
};

/// Maximum number of candidates.
const CANDIDATES: usize = 30;
/// Maximum number of candidates off the boundary for each of two reasons: few neighbours, and an
/// unknown boundary cell as a neighbour.
const ELSEWHERE: usize = 5;
/// The factor of S in [`TwoStep`]: the relative bonus of a score if some cell is proved safe after
/// the guess.
pub(crate) const BONUS: f64 = 0.1;

/// The two-step safety rule. The score of a candidate is the sum, over the numbers `v` that it may
/// show, of `P(v)` times the safety of the safest next move, which is 1 if a cell is then proved
/// safe. This sum is multiplied by 1 + 0.1 x S, where S is the probability that some cell is proved
/// safe after the guess. Ties go to the larger expected number of cells proved safe, then are
/// broken as by player 7.0.
///
/// Candidates are cells whose safety is at least `cut` times the highest.
///
/// With `living`, only living cells count, that is, those that are not dead
/// ([`Analysis::is_dead`]). A dead cell that is proved safe does not help, as the number that it
/// will show is known. A single living cell helps less than several, as it may lead to no other
/// safe cell. In the position after a number, only living cells count as cells proved safe and as
/// next moves (the first rule holds while at most 94 % of the cells are unknown; above, one living
/// cell proved safe counts in full):
///
/// - If exactly one living cell is proved safe, the next move is worth 1 - p / 2, and the position
///   counts half in S. Here p is the lowest mine probability of a living cell that may be a mine or
///   safe, or 0 if there is none.
/// - If only dead cells are left, the next move is the safest of these.
/// - If nothing is left to guess, the game is won, which counts like a cell proved safe.
///
/// Dead cells are no candidates as long as a living one may be safe.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TwoStep {
    /// Minimum safety of a candidate relative to the highest, 0 to 1.
    pub cut: f64,
    /// Whether only living cells count.
    pub living: bool,
    /// Factor of the bonus for settling a 50/50: the score is multiplied by 1 + `influence` times
    /// [`Influence::share`]. 0 to 1.
    pub influence: f64,
}

/// The result of looking ahead from one cell.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ahead {
    /// Two-step safety, 0 to 1.
    pub safety: f64,
    /// S of [`TwoStep`]: the probability that some cell is proved safe after the guess, where a
    /// single cell may count half.
    pub certain: f64,
    /// The expected number of cells proved safe after the guess. With `living`, only living cells
    /// are counted.
    pub cells: f64,
    /// The probability of each number; 0 if it is negligible.
    pub numbers: [f64; 9],
}

impl Default for TwoStep {
    fn default() -> Self {
        Self {
            cut: 0.9,
            living: false,
            influence: 0.0,
        }
    }
}

impl Ahead {
    /// Returns the numbers that the cell may show, with their probabilities.
    pub(crate) fn possible_numbers(&self) -> impl Iterator<Item = (u8, f64)> {
        let numbers = (0..).zip(self.numbers);
        numbers.filter(|&(_, probability)| probability > 0.0)
    }

    fn score(&self) -> f64 {
        self.best_case(0.0)
    }

    /// Returns the score if all numbers not seen yet, of total probability `left`, prove a cell
    /// safe.
    fn best_case(&self, left: f64) -> f64 {
        (self.safety + left) * (1.0 + BONUS * (self.certain + left))
    }
}

impl TwoStep {
    /// Returns the rule of 11.0-fast: only living cells count, and a guess that may settle a 50/50
    /// gets a bonus.
    pub fn of_living_cells() -> Self {
        Self {
            living: true,
            influence: 0.9,
            ..Self::default()
        }
    }

    /// Writes the candidates to `scratch.cells`. With `living`, these are only living cells, as
    /// long as one may be safe.
    fn gather(&self, parent: &Analysis, mine: &[f64], scratch: &mut LookScratch) {
        let is_wanted = |cell: Cell| !self.living || !parent.is_dead(cell);
        gather(parent, mine, self.cut, is_wanted, scratch);
        if scratch.cells.is_empty() && self.living {
            gather(parent, mine, self.cut, |_| true, scratch);
        }
    }

    /// Looks ahead from every candidate of `parent`, whose probabilities must have been computed.
    /// Writes the `most` best to `scratch.scored`, the best first. `mine` has the mine
    /// probabilities of the cells that may be chosen, and NaN elsewhere.
    pub fn look(
        &self,
        parent: &mut Analysis,
        mine: &[f64],
        most: usize,
        scratch: &mut LookScratch,
    ) {
        self.gather(parent, mine, scratch);
        scratch.scored.clear();
        let budget = &mut Budget::unlimited();
        if scratch.children.begin(parent, budget).is_ok() {
            // Cells far from every number are equivalent if they have the same number of unknown
            // neighbours, or nearly so if only living cells count.
            let mut is_known_far = [false; 9];
            for at in 0..scratch.cells.len() {
                let cell = scratch.cells[at];
                let unknown = parent.numbers(cell).count() - 1;
                let is_near = is_on_boundary(parent, cell) || touches(parent, cell);
                if !is_near && std::mem::replace(&mut is_known_far[unknown], true) {
                    continue;
                }
                // A candidate that exceeds the solver's limits is skipped; if none is left, the
                // safest is chosen.
                let safety = 1.0 - mine[cell.index()];
                if let Ok(Some(found)) = self.score(parent, (cell, safety), most, scratch, budget) {
                    let scored = &mut scratch.scored;
                    let place = scored
                        .iter()
                        .position(|other| found.is_better_than(other))
                        .unwrap_or(scored.len());
                    scored.insert(place, found);
                    scored.truncate(most);
                }
            }
        }
        if scratch.scored.is_empty()
            && let Some(&cell) = scratch.cells.first()
        {
            scratch.scored.push(Scored {
                cell,
                score: 0.0,
                ahead: Ahead::default(),
            });
        }
    }

    /// Looks ahead from a cell of the given safety. Returns `None` if the cell can't be one of the
    /// `most` best.
    fn score(
        &self,
        parent: &Analysis,
        (cell, safety): (Cell, f64),
        most: usize,
        scratch: &mut LookScratch,
        budget: &mut Budget,
    ) -> Result<Option<Scored>, CountError> {
        let least = match scratch.scored.get(most - 1) {
            Some(last) => last.score - TIE,
            None => 0.0,
        };
        let bound = if self.influence > 0.0 {
            1.0 + self.influence * scratch.influence.bound(parent, cell)
        } else {
            1.0
        };
        let children = &mut scratch.children;
        let ahead = self.ahead(parent, (cell, safety), least / bound, children, budget)?;
        Ok(ahead.map(|ahead| {
            let mut score = ahead.score();
            if bound > 1.0 && score * bound >= least {
                let share = scratch.influence.share(parent, cell, budget);
                score *= 1.0 + self.influence * share.unwrap_or(0.0);
            }
            Scored { cell, score, ahead }
        }))
    }

    /// Evaluates the position after each number. Returns `None` as soon as the score can't reach
    /// `least`.
    fn ahead(
        &self,
        parent: &Analysis,
        (cell, safety): (Cell, f64),
        least: f64,
        children: &mut Children,
        budget: &mut Budget,
    ) -> Result<Option<Ahead>, CountError> {
        let mut ahead = Ahead::default();
        let mut left = safety;
        if ahead.best_case(left) < least {
            return Ok(None);
        }
        children.open(parent, cell, budget)?;
        // The likeliest numbers come first, as they show earliest that the score is out of reach.
        let mut numbers: [(f64, u8); 9] =
            std::array::from_fn(|number| (children.ln_layouts(number as u8), number as u8));
        numbers.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for &(ln_layouts, number) in numbers
            .iter()
            .take_while(|&&(ln_layouts, _)| ln_layouts > f64::NEG_INFINITY)
        {
            let probability = libm::exp(ln_layouts - parent.counted().ln_layouts());
            let next = follow_up(self.living, parent, number, children, budget)?;
            left -= probability;
            ahead.numbers[usize::from(number)] = probability;
            ahead.safety += probability * next.safety;
            ahead.certain += probability * next.counts;
            ahead.cells += probability * next.cells as f64;
            if ahead.best_case(left) < least {
                return Ok(None);
            }
            if left <= TIE {
                break;
            }
        }
        Ok(Some(ahead))
    }
}

/// Scratch memory of the look-ahead: candidates and their results.
#[derive(Clone, Debug, Default)]
pub struct LookScratch {
    /// The candidates, the safest first.
    cells: Vec<Cell>,
    elsewhere: Vec<Cell>,
    children: Children,
    influence: Influence,
    /// The best candidates, the best first.
    pub scored: Vec<Scored>,
}

/// A candidate with its score.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    pub cell: Cell,
    /// Two-step safety, including the bonuses.
    pub score: f64,
    pub ahead: Ahead,
}

impl Scored {
    fn is_better_than(&self, other: &Self) -> bool {
        self.score > other.score + TIE
            || self.score > other.score - TIE && self.ahead.cells > other.ahead.cells + TIE
    }
}

/// Returns whether `cell` is on the boundary and not proved to be a mine.
fn is_on_boundary(parent: &Analysis, cell: Cell) -> bool {
    parent.counted().boundary().contains(cell) && parent.is_unknown(cell)
}

/// Returns whether a neighbour of `cell` is on the boundary and not proved to be a mine.
fn touches(parent: &Analysis, cell: Cell) -> bool {
    parent
        .grid()
        .neighbors(cell)
        .any(|d| is_on_boundary(parent, d))
}

/// Writes the candidates to `scratch.cells`, the safest first. Ties are broken as by player 7.0.
fn gather(
    parent: &Analysis,
    mine: &[f64],
    cut: f64,
    is_wanted: impl Fn(Cell) -> bool,
    scratch: &mut LookScratch,
) {
    let grid = parent.grid();
    let mut least = 1.0;
    for cell in grid.board().all_cells() {
        if mine[cell.index()] < least && is_wanted(cell) {
            least = mine[cell.index()];
        }
    }
    let limit = (1.0 - cut * (1.0 - least) + TIE).min(1.0 - TIE);
    let LookScratch {
        cells, elsewhere, ..
    } = scratch;
    cells.clear();
    elsewhere.clear();
    let mut counts = 0u16;
    for cell in grid.board().all_cells() {
        if mine[cell.index()].is_nan() || mine[cell.index()] > limit {
            continue;
        }
        if !is_on_boundary(parent, cell) {
            elsewhere.push(cell);
            counts |= 1 << grid.neighbor_count(cell);
        } else if is_wanted(cell) {
            cells.push(cell);
        }
    }
    // All neighbours of a cell off the boundary are covered.
    let of_count = |count: usize| {
        let cells = elsewhere.iter().copied();
        cells.filter(move |&cell| grid.neighbor_count(cell) == count)
    };
    let mut fewest_covered = (0..=8)
        .filter(|count| counts >> count & 1 == 1)
        .flat_map(of_count)
        .filter(|&cell| is_wanted(cell));
    cells.extend(fewest_covered.by_ref().take(ELSEWHERE));
    let touching = fewest_covered.filter(|&cell| touches(parent, cell));
    cells.extend(touching.take(ELSEWHERE));
    cells.sort_by(|&a, &b| by_safety(parent, mine, a, b));
    cells.truncate(CANDIDATES);
}

/// Compares two candidates; the safer one comes first.
fn by_safety(parent: &Analysis, mine: &[f64], a: Cell, b: Cell) -> Ordering {
    let p = mine[a.index()];
    let q = mine[b.index()];
    let rank = |cell: Cell| {
        let neighbors = parent.grid().neighbor_count(cell);
        (!is_on_boundary(parent, cell), neighbors, cell)
    };
    if (p - q).abs() <= TIE {
        rank(a).cmp(&rank(b))
    } else {
        p.total_cmp(&q)
    }
}
