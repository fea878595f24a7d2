//! Two steps ahead: a guess is worth what the next one will be.

use super::influence::Influence;
use super::living::{follow_up, is_worth_a_guess};
use crate::Cell;
use crate::solver::{Analysis, Budget, Children, CountError, TIE};

/// Most candidates, and most of them off the boundary for each of two reasons.
const CANDIDATES: usize = 30;
const ELSEWHERE: usize = 5;
/// How much more a score counts where a cell is certain next.
pub(crate) const BONUS: f64 = 0.1;

/// Two-step safety: over the numbers `v` that a candidate may show, the sum of `P(v)` times the safety of the safest move
/// then, which is 1 where a cell is certain; times 1 + 0.1 x S, where S is the chance that a cell is certain. Ties
/// to the larger expected number of certain cells, then as 7.0.
///
/// Candidates are cells whose safety is at least `cut` of the best.
///
/// If only living cells count, those that are not dead ([`Analysis::is_dead`]): a certain cell that is dead does not help, as the number
/// that it will show is known, and one living cell alone may lead to no other. In the position after a number, certain cells and next moves
/// are living ones. Where just one living cell is certain, the next move is worth 1 - p / 2, where p is the least probability of a mine in a
/// living cell that may be either, 0 if there is none; and the position counts half in S. Where only dead cells are left, the next move is
/// the safest of these; where nothing is left to guess, the game is won, which counts as a certain cell does. Dead cells are no candidates as
/// long as a living one may be safe.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct TwoStep {
    /// 0 to 1.
    pub cut: f64,
    /// Whether only living cells count.
    pub living: bool,
    /// How much of its score a cell gets again for the chance that it settles a 50/50 ([`Influence::share`]), 0 to 1.
    pub influence: f64,
}

/// What looking ahead from one cell gives.
#[derive(Clone, Copy, Default, Debug)]
#[non_exhaustive]
pub struct Ahead {
    /// Two-step safety, 0 to 1.
    pub safety: f64,
    /// The chance that a cell is certain then, and the expected number of such cells.
    pub certain: f64,
    pub cells: f64,
    /// The chance of each number; 0 where it is hardly more.
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
    fn score(&self) -> f64 {
        self.safety * (1.0 + BONUS * self.certain)
    }
}

impl TwoStep {
    /// That of 10.0-fast: only living cells count, and a guess is worth more that may settle a 50/50.
    pub fn of_living_cells() -> Self {
        Self {
            living: true,
            influence: 0.9,
            ..Self::default()
        }
    }

    /// Puts the candidates into `scratch.cells`: where only living cells count those, as long as one may be safe.
    fn gather(&self, parent: &Analysis, mine: &[f64], scratch: &mut LookScratch) {
        gather(
            parent,
            mine,
            self.cut,
            |cell| is_worth_a_guess(self.living, parent, cell),
            scratch,
        );
        if scratch.cells.is_empty() && self.living {
            gather(parent, mine, self.cut, |_| true, scratch);
        }
    }

    /// Looks ahead from every candidate of `parent`, which is counted, and leaves the `most` best in `scored`, the best first.
    /// `mine` has the probabilities of the cells that may be chosen, NaN elsewhere.
    pub fn look(
        &self,
        parent: &mut Analysis,
        mine: &[f64],
        most: usize,
        scratch: &mut LookScratch,
    ) {
        self.gather(parent, mine, scratch);
        let LookScratch {
            cells,
            children,
            scored,
            influence,
            ..
        } = scratch;
        scored.clear();
        let budget = &mut Budget::unlimited();
        if children.begin(parent, budget).is_ok() {
            let parent = &*parent;
            let ln_layouts = parent.counted().ln_layouts();
            // Cells far from every number are as good as others with as many unknown neighbours, or nearly so where only living
            // cells count.
            let mut is_known_far = [false; 9];
            for &cell in cells.iter() {
                let unknown = parent.numbers(cell).count() - 1;
                let is_near = is_on_boundary(parent, cell) || touches(parent, cell);
                if !is_near && std::mem::replace(&mut is_known_far[unknown], true) {
                    continue;
                }
                let least = if scored.len() < most {
                    0.0
                } else {
                    scored[most - 1].score - TIE
                };
                let look = Look {
                    parent,
                    ln_layouts,
                    cell,
                    safety: 1.0 - mine[cell.index()],
                };
                // A position beyond the limits of counting is left to the safest of the others.
                let bound = if self.influence > 0.0 {
                    1.0 + self.influence * influence.bound(parent, cell)
                } else {
                    1.0
                };
                let Ok(Some(ahead)) = look.ahead(self, least / bound, children, budget) else {
                    continue;
                };
                let mut score = ahead.score();
                if bound > 1.0 && score * bound >= least {
                    score *=
                        1.0 + self.influence * influence.share(parent, cell, budget).unwrap_or(0.0);
                }
                let found = Scored { cell, score, ahead };
                let place = scored
                    .iter()
                    .position(|other| found.is_better_than(other))
                    .unwrap_or(scored.len());
                scored.insert(place, found);
                scored.truncate(most);
            }
        }
        if scored.is_empty()
            && let Some(&cell) = cells.first()
        {
            scored.push(Scored {
                cell,
                score: 0.0,
                ahead: Ahead::default(),
            });
        }
    }
}

/// Candidates and what looking ahead from them gave; kept for its memory.
#[derive(Clone, Debug, Default)]
pub struct LookScratch {
    /// Candidates, the safest first.
    cells: Vec<Cell>,
    elsewhere: Vec<Cell>,
    children: Children,
    influence: Influence,
    /// The best of them, the best first.
    pub scored: Vec<Scored>,
}

/// A candidate and what it is worth.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    pub cell: Cell,
    /// Two-step safety with its bonus.
    pub score: f64,
    pub ahead: Ahead,
}

impl Scored {
    fn is_better_than(&self, other: &Self) -> bool {
        self.score > other.score + TIE
            || self.score > other.score - TIE && self.ahead.cells > other.ahead.cells + TIE
    }
}

/// A candidate to look ahead from.
struct Look<'a> {
    parent: &'a Analysis,
    /// Of the parent.
    ln_layouts: f64,
    cell: Cell,
    safety: f64,
}

impl Look<'_> {
    /// Solves the position after each number; `None` as soon as the score can't be more than `least`.
    fn ahead(
        &self,
        rule: &TwoStep,
        least: f64,
        children: &mut Children,
        budget: &mut Budget,
    ) -> Result<Option<Ahead>, CountError> {
        let mut ahead = Ahead::default();
        let mut left = self.safety;
        if (Ahead {
            safety: left,
            certain: left,
            ..ahead
        })
        .score()
            < least
        {
            return Ok(None);
        }
        children.open(self.parent, self.cell, budget)?;
        // The likeliest number first: it shows soonest that the score can't be reached.
        let mut numbers: [(f64, u8); 9] =
            std::array::from_fn(|number| (children.ln_layouts(number as u8), number as u8));
        numbers.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for &(ln_layouts, number) in numbers
            .iter()
            .take_while(|&&(ln_layouts, _)| ln_layouts > f64::NEG_INFINITY)
        {
            let probability = (ln_layouts - self.ln_layouts).exp();
            let next = follow_up(rule.living, self.parent, number, children, budget)?;
            left -= probability;
            ahead.numbers[usize::from(number)] = probability;
            ahead.safety += probability * next.safety;
            ahead.certain += probability * next.counts;
            ahead.cells += probability * next.cells as f64;
            let best_case = Ahead {
                safety: ahead.safety + left,
                certain: ahead.certain + left,
                ..ahead
            };
            if best_case.score() < least {
                return Ok(None);
            }
            if left <= TIE {
                break;
            }
        }
        Ok(Some(ahead))
    }
}

/// Whether `cell` is on the boundary and not proved to be a mine.
fn is_on_boundary(parent: &Analysis, cell: Cell) -> bool {
    parent.counted().boundary().contains(cell) && parent.is_unknown(cell)
}

/// Whether a neighbour of `cell` is.
fn touches(parent: &Analysis, cell: Cell) -> bool {
    parent
        .grid()
        .neighbors(cell)
        .any(|d| is_on_boundary(parent, d))
}

/// Puts the candidates into `scratch.cells`, the safest first, ties as 7.0.
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
    // All neighbours of a cell off the boundary are covered.
    let covered = |cell: Cell| grid.neighbor_count(cell);
    let mut counts = 0u16;
    for cell in grid
        .board()
        .all_cells()
        .filter(|cell| mine[cell.index()] <= limit)
    {
        if !is_on_boundary(parent, cell) {
            elsewhere.push(cell);
            counts |= 1 << covered(cell);
        } else if is_wanted(cell) {
            cells.push(cell);
        }
    }
    let elsewhere = &*elsewhere;
    let of_count = |count: usize| {
        elsewhere
            .iter()
            .copied()
            .filter(move |&cell| covered(cell) == count)
    };
    let fewest_covered = (0..=8)
        .filter(|count| counts >> count & 1 == 1)
        .flat_map(of_count);
    let mut fewest_covered = fewest_covered.filter(|&cell| is_wanted(cell));
    cells.extend(fewest_covered.by_ref().take(ELSEWHERE));
    cells.extend(
        fewest_covered
            .filter(|&cell| touches(parent, cell))
            .take(ELSEWHERE),
    );
    let on_boundary = |cell: Cell| u8::from(!is_on_boundary(parent, cell));
    cells.sort_by(|&a, &b| {
        let (p, q) = (mine[a.index()], mine[b.index()]);
        let by_safety = if (p - q).abs() <= TIE {
            std::cmp::Ordering::Equal
        } else {
            p.total_cmp(&q)
        };
        let rank = |cell: Cell| (on_boundary(cell), grid.neighbor_count(cell), cell);
        by_safety.then_with(|| rank(a).cmp(&rank(b)))
    });
    cells.truncate(CANDIDATES);
}
