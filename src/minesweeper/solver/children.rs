//! The positions a move after one position, each solved from what it has in common with the others.
//!
//! Opening a cell changes the components that it and its unknown neighbours are in. These are built again and counted once for all
//! numbers that the cell may show: its number is a constraint that any number of mines satisfies, and each number of mines is
//! another end of the count. All other components keep the counts that they had before the move.

use super::before::Before;
use super::budget::{Budget, Exhausted};
use super::counting::{BoxSums, ByMines, Counting, End};
use super::elimination::{Plan, Uncounted};
use super::frontier::Frontier;
use super::living::{CountedCells, LivingOutlook};
use super::number::Real;
use super::outlook::{Outlook, Safest, TakeSums};
use super::product_tree::ProductTree;
use super::rest::{LnBinomials, rest_weights};
use super::{Analysis, Contradiction, CountError};
use crate::Cell;

/// The positions a move after a parent, one cell after the other.
///
/// ```
/// use mineflow_minesweeper::{Cell, View};
/// use mineflow_minesweeper::solver::{Analysis, Budget, Children};
///
/// let view = View::from_rows(&["1##", "###"], 1).unwrap();
/// let (mut parent, budget) = (Analysis::new(), &mut Budget::unlimited());
/// parent.begin(view.grid(), view.mines());
/// parent.update(&view).unwrap();
/// let mut children = Children::default();
/// children.begin(&mut parent, budget).unwrap();
/// // Below the 1: next to two of the three cells that may have its mine, if it has none itself.
/// children.open(&parent, Cell(3), budget).unwrap();
/// assert!((children.ln_layouts(1) - 2_f64.ln()).abs() < 1e-12);
/// assert_eq!(children.ln_layouts(0), f64::NEG_INFINITY);
/// assert_eq!(children.outlook(&parent, 1, budget).unwrap().certain, 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Children {
    before: Before,
    after: After,
    /// Whether the opened cell's position was counted in parts; if not, every child is solved by itself.
    is_by_parts: bool,
    /// The opened cell and its numbers.
    cell: Option<Cell>,
    numbers: [Number; 9],
    child: Analysis,
    /// The cells of the child.
    cells: CountedCells,
    plan: Plan,
    ln_binomials: LnBinomials,
}

/// A number that the opened cell may show.
#[derive(Clone, Copy, Debug)]
struct Number {
    /// In the unit of the position after the move; 0 if the number is impossible.
    layouts: f64,
    ln_layouts: f64,
    /// Where the component around the cell ends; `None` if it has no unknown neighbour.
    end: Option<End>,
}

impl Default for Number {
    fn default() -> Self {
        Self {
            layouts: 0.0,
            ln_layouts: f64::NEG_INFINITY,
            end: None,
        }
    }
}

/// What the opened cell makes of the parent, whatever it shows.
#[derive(Clone, Debug, Default)]
struct After {
    /// The components in place of the touched ones.
    frontier: Frontier,
    counting: Counting<f64>,
    /// That with the unknown neighbours of the cell, if it has any.
    around: Option<usize>,
    /// All other components: those of the parent that are not touched, then the new ones.
    others: ProductTree<f64>,
    /// Unknown cells off the boundary, and the mines in them and on the boundary.
    rest: usize,
    mines_left: usize,
    /// The fewest mines of the component around the cell, and of it and the others together.
    fewest_around: usize,
    fewest: usize,
    /// What a layout of the boundary weighs by its number of mines, from `fewest` on: the ways to lay the rest.
    weights: Vec<f64>,
    /// What a layout of the component around the cell weighs by its number of mines, from `fewest_around` on.
    around_weights: Vec<f64>,
    /// Scratch: what one of the others weighs; all layouts of the boundary by their mines, from `fewest` on.
    other_weights: Vec<f64>,
    by_mines: Vec<f64>,
    sums: Vec<BoxSums<f64>>,
}

impl Children {
    /// Begins with a parent.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn begin(&mut self, parent: &mut Analysis, budget: &mut Budget) -> Result<(), CountError> {
        parent.build_other(&mut self.before.frontier)?;
        self.before.count(&mut self.plan, budget)
    }

    /// Opens a cell of the parent that [`Children::begin`] was given, which is covered and not a known mine.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn open(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        self.cell = Some(cell);
        self.numbers.fill(Number::default());
        self.is_by_parts = self.before.is_counted && self.open_parts(parent, cell, budget)?;
        if self.is_by_parts {
            return Ok(());
        }
        for number in parent.numbers(cell) {
            self.child.follow(parent);
            let counted = self.child.suppose(cell, number).map_err(CountError::from);
            match counted.and_then(|()| self.child.ln_layouts(budget)) {
                Ok(ln_layouts) => self.numbers[usize::from(number)].ln_layouts = ln_layouts,
                Err(CountError::Contradiction(_)) => {}
                Err(reason) => return Err(reason),
            }
        }
        Ok(())
    }

    /// The natural logarithm of the number of layouts in which the opened cell shows `number`; minus infinity where there are
    /// none.
    pub fn ln_layouts(&self, number: u8) -> f64 {
        self.numbers[usize::from(number)].ln_layouts
    }

    /// What the position promises after the opened cell has shown `number`; as [`Analysis::outlook`].
    ///
    /// # Errors
    /// As [`Analysis::probabilities`]; and if the cell can't show this number.
    ///
    /// # Panics
    /// If no cell was opened.
    pub fn outlook(
        &mut self,
        parent: &Analysis,
        number: u8,
        budget: &mut Budget,
    ) -> Result<Outlook, CountError> {
        let of = self.show(parent, number)?;
        if !self.is_by_parts {
            return self.child.outlook(budget);
        }
        match self.child.safe().len() {
            0 => {
                let mut safest = Safest::of(of.layouts);
                self.after
                    .take_all(&mut self.before, of, &mut safest, budget)?;
                Ok(safest.outlook(of.ln_layouts))
            }
            certain => Ok(Outlook {
                ln_layouts: of.ln_layouts,
                certain,
                safety: 1.0,
            }),
        }
    }

    /// What the position promises to one who opens no dead cell, after the opened cell has shown `number`; as
    /// [`Analysis::living_outlook`]. Where single numbers prove `enough` living cells to be safe, nothing else is asked.
    ///
    /// # Errors
    /// As [`Children::outlook`].
    ///
    /// # Panics
    /// If no cell was opened.
    pub fn living_outlook(
        &mut self,
        parent: &Analysis,
        number: u8,
        enough: usize,
        budget: &mut Budget,
    ) -> Result<LivingOutlook, CountError> {
        let of = self.show(parent, number)?;
        let certain = LivingOutlook::of_certain(self.child.deduction());
        if certain.certain >= enough {
            return Ok(certain);
        }
        if !self.is_by_parts {
            return self.child.living_outlook(budget);
        }
        let Self {
            before,
            after,
            child,
            cells,
            ..
        } = self;
        cells.begin(of.layouts);
        after.take_all(before, of, cells, budget)?;
        cells.settle_rest(child.deduction());
        child.learn(&cells.safe, &cells.mines)?;
        Ok(cells.outlook(child.deduction()))
    }

    /// Makes `child` the position after the opened cell has shown `number`.
    fn show(&mut self, parent: &Analysis, number: u8) -> Result<Number, Contradiction> {
        let cell = self.cell.expect("a cell was opened");
        let of = self.numbers[usize::from(number)];
        if of.ln_layouts == f64::NEG_INFINITY {
            return Err(Contradiction);
        }
        self.child.follow(parent);
        self.child.suppose(cell, number)?;
        Ok(of)
    }

    /// Counts what the cell changes, for all its numbers; false beyond the limits of this way of counting.
    fn open_parts(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        let Self {
            before,
            after,
            child,
            plan,
            numbers,
            ln_binomials,
            ..
        } = self;
        child.follow(parent);
        child.open_unread(cell)?;
        before.touch(parent.grid().around(cell.index()), cell);
        if after
            .frontier
            .build_part(child.deduction(), before.witnesses(), cell)
            .is_err()
        {
            // Whatever it shows, no layout fits.
            return Ok(true);
        }
        match after.count(child.mines_left(), plan, budget) {
            Ok(()) => {}
            Err((_, Uncounted::TooHard)) => return Ok(false),
            Err((_, Uncounted::NoLayout)) => return Ok(true),
            Err((component, reason)) => return Err(reason.of(after.frontier.components[component])),
        }
        after.combine(before, child.unknown(), budget)?;
        let Some(unit) = after.weigh() else {
            return Ok(false);
        };
        let known = *parent.numbers(cell).start();
        let ln_unit = ln_binomials.get(after.rest, unit);
        let mut put = |mines: u8, end: Option<End>| {
            let layouts = after.layouts(end);
            let ln_layouts = if layouts > 0.0 {
                layouts.ln() + ln_unit
            } else {
                f64::NEG_INFINITY
            };
            numbers[usize::from(known + mines)] = Number {
                layouts,
                ln_layouts,
                end,
            };
        };
        match after.around {
            None => put(0, None),
            Some(_) => after
                .counting
                .ends()
                .iter()
                .for_each(|&end| put(end.mines, Some(end))),
        }
        Ok(true)
    }
}

impl After {
    /// Counts the new components; of an error it says with which of them it came.
    fn count(
        &mut self,
        mines_left: usize,
        plan: &mut Plan,
        budget: &mut Budget,
    ) -> Result<(), (usize, Uncounted)> {
        self.counting.begin();
        self.around = None;
        self.mines_left = mines_left;
        for (i, &component) in self.frontier.components.iter().enumerate() {
            let counted = self
                .counting
                .count(&self.frontier, component, mines_left, plan, budget);
            counted.map_err(|reason| (i, reason))?;
            if plan.any_slot.is_some() {
                self.around = Some(i);
            }
        }
        Ok(())
    }

    /// The new components but that around the cell.
    fn apart(&self) -> impl Iterator<Item = usize> + use<> {
        let around = self.around;
        (0..self.frontier.components.len()).filter(move |&i| Some(i) != around)
    }

    /// Puts all components together but that around the cell.
    fn combine(
        &mut self,
        before: &Before,
        unknown: usize,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let cells = |i: usize| before.frontier.components[i].cells;
        self.rest = unknown - self.frontier.cells - before.untouched().map(cells).sum::<usize>();
        let apart = self.apart().map(|i| self.counting.by_mines(i));
        self.others.build(
            before
                .untouched()
                .map(|i| before.counting.by_mines(i))
                .chain(apart),
            budget,
        )
    }

    /// Weighs the component around the cell. Returns the mines in the rest in whose ways to be laid the weights are;
    /// `None` if floats may not do.
    fn weigh(&mut self) -> Option<usize> {
        let ends = || {
            self.counting
                .ends()
                .iter()
                .map(|&end| self.counting.by_mines_at(end))
        };
        let fewest_around = ends().map(|ends| ends.fewest).min().unwrap_or(0);
        let most_around = ends()
            .map(|ends| ends.fewest + ends.counts.len() - 1)
            .max()
            .unwrap_or(0);
        let ByMines { fewest, counts } = self.others.root();
        let Self {
            rest, mines_left, ..
        } = *self;
        self.fewest_around = fewest_around;
        self.fewest = fewest + fewest_around;
        let len = most_around - fewest_around + counts.len();
        if !rest_weights(self.fewest, len, mines_left, rest, &mut self.weights) {
            return None;
        }
        self.around_weights.clear();
        self.around_weights.extend(
            self.weights
                .windows(counts.len())
                .map(|weights| f64::dot(counts, weights)),
        );
        Some(mines_left.saturating_sub(self.fewest).min(rest))
    }

    /// The counts of the component around the cell where it comes to `end`, and how many mines more than the fewest they begin with.
    fn around(&self, end: Option<End>) -> (&[f64], usize) {
        match end {
            None => (&[1.0], 0),
            Some(end) => {
                let ByMines { fewest, counts } = self.counting.by_mines_at(end);
                (counts, fewest - self.fewest_around)
            }
        }
    }

    fn layouts(&self, end: Option<End>) -> f64 {
        let (counts, skip) = self.around(end);
        f64::dot(counts, &self.around_weights[skip..])
    }

    /// The mines and the safe cells of the rest, over the layouts that come to `end`.
    fn in_rest(&self, end: Option<End>, by_mines: &mut Vec<f64>) -> BoxSums<f64> {
        let (around, skip) = self.around(end);
        let others = self.others.root().counts;
        by_mines.clear();
        by_mines.resize(around.len() + others.len() - 1, 0.0);
        for (i, a) in around.iter().enumerate() {
            by_mines[i..]
                .iter_mut()
                .zip(others)
                .for_each(|(sum, b)| *sum += a * b);
        }
        let mut sums = BoxSums {
            mines: 0.0,
            safe: 0.0,
        };
        for ((ways, weight), on_boundary) in by_mines
            .iter()
            .zip(&self.weights[skip..])
            .zip(self.fewest + skip..)
        {
            // Where the rest can't have as many, the weight is 0.
            let mines = self.mines_left.saturating_sub(on_boundary).min(self.rest);
            sums.mines += ways * weight * mines as f64;
            sums.safe += ways * weight * (self.rest - mines) as f64;
        }
        sums
    }

    /// Has `taker` take in all cells of the position after a number.
    fn take_all(
        &mut self,
        before: &mut Before,
        of: Number,
        taker: &mut impl TakeSums<f64>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let (mut other_weights, mut by_mines) = (
            std::mem::take(&mut self.other_weights),
            std::mem::take(&mut self.by_mines),
        );
        if self.rest > 0 {
            taker.take_rest(&self.in_rest(of.end, &mut by_mines), self.rest);
        }
        let (counts, skip) = self.around(of.end);
        other_weights.clear();
        let windows = self.weights[skip..]
            .windows(counts.len())
            .take(self.others.root().counts.len());
        other_weights.extend(windows.map(|weights| f64::dot(counts, weights)));
        self.others.weigh(&other_weights, budget)?;
        (self.other_weights, self.by_mines) = (other_weights, by_mines);
        let apart = self.apart();
        let Self {
            frontier,
            counting,
            around,
            around_weights,
            others,
            sums,
            ..
        } = self;
        if let (Some(i), Some(end)) = (*around, of.end) {
            let len = counting.by_mines_at(end).counts.len();
            counting.box_sums_at(i, end, &around_weights[skip..skip + len], sums);
            taker.take_component(frontier, i, sums);
        }
        let Before {
            frontier: old,
            counting: old_counting,
            touched,
            ..
        } = before;
        let mut leaves = 0..;
        for (i, leaf) in (0..touched.len()).filter(|&i| !touched[i]).zip(&mut leaves) {
            old_counting.box_sums(i, others.leaf_weights(leaf), sums);
            taker.take_component(old, i, sums);
        }
        for (i, leaf) in apart.zip(leaves) {
            counting.box_sums(i, others.leaf_weights(leaf), sums);
            taker.take_component(frontier, i, sums);
        }
        Ok(())
    }
}
