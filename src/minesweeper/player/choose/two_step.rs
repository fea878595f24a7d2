//! Two steps ahead: a guess is worth what the next one will be.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::{Chooser, OPENING, Opening};
use super::rule::ChoosingRule;
use crate::minesweeper::features::{Position, TIE};
use crate::minesweeper::solver::{Analysis, Budget, Children, CountError};
use crate::minesweeper::{Cell, CellSet};
use crate::rng::Rng;

/// Most candidates, and most of them off the boundary for each of two reasons.
const CANDIDATES: usize = 30;
const ELSEWHERE: usize = 5;
/// Most positions whose choice is kept.
const MOST_OPENINGS: usize = 1 << 14;

/// Two-step safety: over the numbers `v` that a candidate may show, the sum of `P(v)` times the safety of the safest move
/// then, which is 1 where a cell is certain; times 1 + `bonus` x S, where S is the chance that a cell is certain. Ties
/// to the larger expected number of certain cells, then as 7.0.
///
/// Candidates are cells whose safety is at least `cut` of the best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TwoStep {
    /// 0 to 1.
    pub bonus: f64,
    /// 0 to 1.
    pub cut: f64,
}

impl Default for TwoStep {
    fn default() -> Self {
        Self { bonus: 0.1, cut: 0.9 }
    }
}

/// What looking ahead from one cell gives.
#[derive(Clone, Copy, Default, Debug)]
struct Ahead {
    safety: f64,
    /// The chance that a cell is certain then, and the expected number of such cells.
    certain: f64,
    cells: f64,
}

impl TwoStep {
    fn score(&self, ahead: Ahead) -> f64 {
        ahead.safety * (1.0 + self.bonus * ahead.certain)
    }
}

impl ChoosingRule for TwoStep {
    const NAME: &'static str = "two-step";
    const HELP: &'static str = "the safest guess and next move together; needs posterior; [:bonus=0.1] [:cut=0.9] \
                                [:candidates=covered|boundary|sampled]";
    const LOOKS_AHEAD: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let Self { bonus, cut } = Self::default();
        Ok(Self { bonus: part.take_share("bonus")?.unwrap_or(bonus), cut: part.take_share("cut")?.unwrap_or(cut) })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, _: &mut Rng) -> Option<Cell> {
        // Candidates drawn at random make another choice every time.
        let is_kept = position.view.opened().len() <= OPENING && std::ptr::eq(mine, position.mine);
        if !is_kept {
            return self.look(position, mine, chooser);
        }
        let mut opening: Opening = [(u16::MAX, 0); OPENING];
        let shown = |&cell: &Cell| (cell.0, position.view.number(cell).expect("opened cells have a number"));
        position.view.opened().iter().map(shown).zip(&mut opening).for_each(|(shown, place)| *place = shown);
        opening.sort_unstable();
        if let Some(&known) = chooser.openings.get(&opening) {
            return Some(known);
        }
        let found = self.look(position, mine, chooser)?;
        if chooser.openings.len() < MOST_OPENINGS {
            chooser.openings.insert(opening, found);
        }
        Some(found)
    }
}

impl TwoStep {
    /// Looks ahead from every candidate.
    fn look(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser) -> Option<Cell> {
        gather(position, mine, self.cut, chooser);
        let Chooser { cells, parent, children, .. } = chooser;
        let budget = &mut Budget::unlimited();
        let Ok(ln_layouts) = parent.ln_layouts(budget) else { return cells.first().copied() };
        if children.begin(parent, budget).is_err() {
            return cells.first().copied();
        }
        let mut best: Option<(Cell, f64, Ahead)> = None;
        // Cells far from every number are as good as others with as many unknown neighbours.
        let mut is_known_far = [false; 9];
        let is_near = |cell: Cell| position.boundary.contains(cell) || touches(position, cell);
        for &cell in cells.iter() {
            let unknown = parent.numbers(cell).count() - 1;
            if !is_near(cell) && std::mem::replace(&mut is_known_far[unknown], true) {
                continue;
            }
            let least = best.map_or(0.0, |(_, score, _)| score - TIE);
            let look = Look { parent, ln_layouts, cell, safety: 1.0 - mine[cell.index()] };
            // A position beyond the limits of counting is left to the safest of the others.
            let Ok(Some(ahead)) = look.ahead(self, least, children, budget) else { continue };
            let score = self.score(ahead);
            let is_better = |&(_, most, other): &(Cell, f64, Ahead)| {
                score > most + TIE || score > most - TIE && ahead.cells > other.cells + TIE
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((cell, score, ahead));
            }
        }
        best.map(|(cell, ..)| cell).or_else(|| cells.first().copied())
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
        if rule.score(Ahead { safety: left, certain: left, cells: 0.0 }) < least {
            return Ok(None);
        }
        children.open(self.parent, self.cell, budget)?;
        // The likeliest number first: it tells soonest that the score can't be reached.
        let mut numbers: [(f64, u8); 9] =
            std::array::from_fn(|number| (children.ln_layouts(number as u8), number as u8));
        numbers.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for &(ln_layouts, number) in numbers.iter().take_while(|&&(ln_layouts, _)| ln_layouts > f64::NEG_INFINITY) {
            let probability = (ln_layouts - self.ln_layouts).exp();
            let outlook = children.outlook(self.parent, number, budget)?;
            left -= probability;
            ahead.safety += probability * outlook.safety;
            if outlook.certain > 0 {
                ahead.certain += probability;
                ahead.cells += probability * outlook.certain as f64;
            }
            let best_case = Ahead { safety: ahead.safety + left, certain: ahead.certain + left, ..ahead };
            if rule.score(best_case) < least {
                return Ok(None);
            }
            if left <= TIE {
                break;
            }
        }
        Ok(Some(ahead))
    }
}

/// Whether a neighbour of `cell` is on the boundary.
fn touches(position: &Position<'_>, cell: Cell) -> bool {
    position.view.grid().neighbors(cell).any(|d| position.boundary.contains(d))
}

/// Puts the candidates into `chooser.cells`, the safest first, ties as 7.0.
fn gather(position: &Position<'_>, mine: &[f64], cut: f64, chooser: &mut Chooser) {
    let grid = position.view.grid();
    let least = mine.iter().copied().filter(|p| !p.is_nan()).fold(1.0, f64::min);
    let limit = (1.0 - cut * (1.0 - least) + TIE).min(1.0 - TIE);
    let Chooser { cells, elsewhere, by_neighbors, .. } = chooser;
    cells.clear();
    elsewhere.clear();
    for cell in position.candidates().filter(|cell| mine[cell.index()] <= limit) {
        if position.boundary.contains(cell) { cells.push(cell) } else { elsewhere.push(cell) }
    }
    // All neighbours of a cell off the boundary are covered.
    let elsewhere = &*elsewhere;
    let of_these = |cells| elsewhere.iter().filter(move |&&cell| CellSet::contains(cells, cell));
    let mut fewest_covered = by_neighbors.iter().flat_map(of_these);
    cells.extend(fewest_covered.by_ref().take(ELSEWHERE));
    cells.extend(fewest_covered.filter(|&&cell| touches(position, cell)).take(ELSEWHERE));
    let on_boundary = |cell: Cell| u8::from(!position.boundary.contains(cell));
    cells.sort_by(|&a, &b| {
        let (p, q) = (mine[a.index()], mine[b.index()]);
        let by_safety = if (p - q).abs() <= TIE { std::cmp::Ordering::Equal } else { p.total_cmp(&q) };
        let rank = |cell: Cell| (on_boundary(cell), grid.neighbor_count(cell), cell);
        by_safety.then_with(|| rank(a).cmp(&rank(b)))
    });
    cells.truncate(CANDIDATES);
}

impl fmt::Display for TwoStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAME)?;
        let Self { bonus, cut } = Self::default();
        if self.bonus != bonus {
            write!(f, ":bonus={}", self.bonus)?;
        }
        if self.cut != cut {
            write!(f, ":cut={}", self.cut)?;
        }
        Ok(())
    }
}
