//! The positions one move after a parent position, each solved from what it has in common with the
//! parent.
//!
//! Opening a cell changes only the components that contain it and its unknown neighbours. These
//! components are rebuilt and counted once for all numbers that the cell may show: its number
//! becomes a constraint that any number of mines satisfies, and each number of mines is a separate
//! end of the count. All other components keep their counts from before the move.

use super::{
    Analysis, Contradiction, CountError,
    before::Before,
    budget::{Budget, Exhausted},
    counting::{BoxSums, ByMines, Counting, End},
    frontier::Frontier,
    living::{CountedCells, LivingOutlook},
    number::Real,
    outlook::{Outlook, Safest, TakeSums},
    product_tree::ProductTree,
    rest::{LnBinomials, rest_weights},
};
use crate::Cell;

/// The positions one move after a parent, for one opened cell after the other.
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
/// // The cell below the 1: if it is safe, it is next to two of the three cells that may have the mine.
/// children.open(&parent, Cell(3), budget).unwrap();
/// assert!((children.ln_layouts(1) - 2_f64.ln()).abs() < 1e-12);
/// assert_eq!(children.ln_layouts(0), f64::NEG_INFINITY);
/// assert_eq!(children.outlook(&parent, 1, budget).unwrap().certain, 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Children {
    before: Before,
    after: After,
    /// Whether the opened cell's position was counted in parts; if not, every child is solved
    /// separately.
    is_by_parts: bool,
    /// The opened cell, and the numbers that it may show.
    cell: Option<Cell>,
    numbers: [Number; 9],
    child: Analysis,
    /// The cells of the child position.
    cells: CountedCells,
    ln_binomials: LnBinomials,
}

/// A number that the opened cell may show.
#[derive(Clone, Copy, Debug)]
struct Number {
    /// Number of layouts, in the unit of the position after the move; 0 if the number is
    /// impossible.
    layouts: f64,
    ln_layouts: f64,
    /// The end of the count of the component around the cell; `None` if the cell has no unknown
    /// neighbour.
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

/// The position after opening the cell, independent of its number.
#[derive(Clone, Debug, Default)]
struct After {
    /// The components that replace the touched ones.
    frontier: Frontier,
    counting: Counting<f64>,
    /// The index of the component around the cell, which contains its unknown neighbours; `None` if
    /// it has none.
    around: Option<usize>,
    /// All other components: the untouched ones of the parent, then the new ones.
    others: ProductTree<f64>,
    /// Number of unknown cells off the boundary, and of the mines in them and on the boundary
    /// together.
    rest: usize,
    mines_left: usize,
    /// The fewest mines of the component around the cell, and of all components together.
    fewest_around: usize,
    fewest: usize,
    /// The weight of a layout of the boundary by its number of mines, from `fewest` on: the number
    /// of ways to place the remaining mines.
    weights: Vec<f64>,
    /// The weight of a layout of the component around the cell by its number of mines, from
    /// `fewest_around` on.
    around_weights: Vec<f64>,
    /// Scratch: the weights of all other components together by their number of mines, and the
    /// layouts of the boundary by number of mines.
    other_weights: Vec<f64>,
    by_mines: Vec<f64>,
    sums: Vec<BoxSums<f64>>,
}

impl Children {
    /// Sets the parent position.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn begin(&mut self, parent: &mut Analysis, budget: &mut Budget) -> Result<(), CountError> {
        parent.build_other(&mut self.before.frontier)?;
        self.before.count(budget)
    }

    /// Opens `cell`, which is covered and not a known mine, and counts the layouts for each number
    /// that it may show. `parent` is the position that was given to [`Children::begin`].
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
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

    /// Returns the natural logarithm of the number of layouts in which the opened cell shows
    /// `number`, or minus infinity if there are none.
    pub fn ln_layouts(&self, number: u8) -> f64 {
        self.numbers[usize::from(number)].ln_layouts
    }

    /// Computes the [`Outlook`] after the opened cell has shown `number`, like
    /// [`Analysis::outlook`].
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`], and an error if the cell can't show this
    /// number.
    ///
    /// # Panics
    /// Panics if no cell was opened.
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

    /// Computes the [`LivingOutlook`] after the opened cell has shown `number`, like
    /// [`Analysis::living_outlook`]. If single numbers prove at least `enough` living cells safe,
    /// only these are reported.
    ///
    /// # Errors
    /// Returns the errors of [`Children::outlook`].
    ///
    /// # Panics
    /// Panics if no cell was opened.
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
        self.cells.begin(of.layouts);
        self.after
            .take_all(&mut self.before, of, &mut self.cells, budget)?;
        self.cells.settle_rest(self.child.deduction());
        self.child.learn(&self.cells.safe, &self.cells.mines)?;
        Ok(self.cells.outlook(self.child.deduction()))
    }

    /// Sets `child` to the position after the opened cell has shown `number`.
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

    /// Counts the changed components for all numbers of the cell. Returns false if they exceed the
    /// limits of this method.
    fn open_parts(
        &mut self,
        parent: &Analysis,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        self.child.follow(parent);
        self.child.open_unread(cell)?;
        self.before.touch(parent.grid().around(cell.index()), cell);
        let witnesses = self.before.witnesses();
        if self
            .after
            .frontier
            .build_part(self.child.deduction(), Some(cell), witnesses)
            .is_err()
        {
            // No layout is consistent, whatever the cell shows.
            return Ok(true);
        }
        match self.after.count(self.child.mines_left(), budget) {
            Err(CountError::TooHard { .. }) => return Ok(false),
            Err(CountError::Contradiction(_)) => return Ok(true),
            counted => counted?,
        }
        self.after
            .combine(&self.before, self.child.unknown(), budget)?;
        let Some(unit) = self.after.weigh() else {
            return Ok(false);
        };
        let known = *parent.numbers(cell).start();
        let ln_unit = self.ln_binomials.get(self.after.rest, unit);
        if self.after.around.is_none() {
            self.numbers[usize::from(known)] = self.after.number(None, ln_unit);
        }
        for &end in self.after.counting.ends() {
            self.numbers[usize::from(known + end.mines)] = self.after.number(Some(end), ln_unit);
        }
        Ok(true)
    }
}

impl After {
    /// Counts the new components.
    fn count(&mut self, mines_left: usize, budget: &mut Budget) -> Result<(), CountError> {
        self.counting.begin();
        self.around = None;
        self.mines_left = mines_left;
        for (i, &component) in self.frontier.components.iter().enumerate() {
            self.counting
                .count(&self.frontier, component, mines_left, budget)?;
            if self.counting.plan.any_slot.is_some() {
                self.around = Some(i);
            }
        }
        Ok(())
    }

    /// Returns the new components except the one around the cell.
    fn apart(&self) -> impl Iterator<Item = usize> + use<> {
        let around = self.around;
        (0..self.frontier.components.len()).filter(move |&i| Some(i) != around)
    }

    /// Combines all components except the one around the cell.
    fn combine(
        &mut self,
        before: &Before,
        unknown: usize,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let cells = |i: usize| before.frontier.components[i].cells;
        self.rest = unknown - self.frontier.cells - before.untouched().map(cells).sum::<usize>();
        let untouched = before.untouched().map(|i| before.counting.by_mines(i));
        let apart = self.apart().map(|i| self.counting.by_mines(i));
        self.others.build(untouched.chain(apart), budget)
    }

    /// Computes the weights of the component around the cell. Returns the number of mines `k` that
    /// sets the unit of the weights, which is the number of ways to place `k` mines on the rest.
    /// Returns `None` if the weights may leave the range of an `f64`.
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
        self.fewest_around = fewest_around;
        self.fewest = fewest + fewest_around;
        let len = most_around - fewest_around + counts.len();
        let weights = &mut self.weights;
        if !rest_weights(self.fewest, len, self.mines_left, self.rest, weights) {
            return None;
        }
        self.around_weights.clear();
        self.around_weights.extend(
            self.weights
                .windows(counts.len())
                .map(|weights| f64::dot(counts, weights)),
        );
        Some(self.mines_left.saturating_sub(self.fewest).min(self.rest))
    }

    /// Returns the number of layouts of the component around the cell that reach `end`, by number
    /// of mines, and the offset of the first number of mines from `fewest_around`.
    fn around(&self, end: Option<End>) -> (&[f64], usize) {
        match end {
            None => (&[1.0], 0),
            Some(end) => {
                let ByMines { fewest, counts } = self.counting.by_mines_at(end);
                (counts, fewest - self.fewest_around)
            }
        }
    }

    /// Returns the number that the cell shows at `end`. `ln_unit` is the natural logarithm of the
    /// unit of the weights.
    fn number(&self, end: Option<End>, ln_unit: f64) -> Number {
        let (counts, skip) = self.around(end);
        let layouts = f64::dot(counts, &self.around_weights[skip..]);
        // The published rows of guesses were made with the system's function. Choices compare these
        // probabilities up to `TIE`.
        #[allow(clippy::disallowed_methods)]
        let ln_layouts = if layouts > 0.0 {
            layouts.ln() + ln_unit
        } else {
            f64::NEG_INFINITY
        };
        Number {
            layouts,
            ln_layouts,
            end,
        }
    }

    /// Sums the mines and the safe cells of the rest over the layouts that reach `end`.
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
        let mut sums = BoxSums::default();
        for ((ways, weight), on_boundary) in by_mines
            .iter()
            .zip(&self.weights[skip..])
            .zip(self.fewest + skip..)
        {
            // The weight is 0 if the rest can't hold this many mines.
            let mines = self.mines_left.saturating_sub(on_boundary).min(self.rest);
            sums.mines += ways * weight * mines as f64;
            sums.safe += ways * weight * (self.rest - mines) as f64;
        }
        sums
    }

    /// Passes the sums of all cells of the position after the number `of` to `taker`.
    fn take_all(
        &mut self,
        before: &mut Before,
        of: Number,
        taker: &mut impl TakeSums<f64>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let mut other_weights = std::mem::take(&mut self.other_weights);
        let mut by_mines = std::mem::take(&mut self.by_mines);
        if self.rest > 0 {
            taker.take_rest(&self.in_rest(of.end, &mut by_mines), self.rest);
        }
        let (counts, skip) = self.around(of.end);
        let len = counts.len();
        other_weights.clear();
        let windows = self.weights[skip..]
            .windows(len)
            .take(self.others.root().counts.len());
        other_weights.extend(windows.map(|weights| f64::dot(counts, weights)));
        self.others.weigh(&other_weights, budget)?;
        (self.other_weights, self.by_mines) = (other_weights, by_mines);
        if let (Some(i), Some(end)) = (self.around, of.end) {
            let weights = &self.around_weights[skip..skip + len];
            self.counting.box_sums_at(i, end, weights, &mut self.sums);
            taker.take_component(&self.frontier, i, &self.sums);
        }
        let mut leaf = 0;
        for i in (0..before.touched.len()).filter(|&i| !before.touched[i]) {
            let weights = self.others.leaf_weights(leaf);
            before.counting.box_sums(i, weights, &mut self.sums);
            taker.take_component(&before.frontier, i, &self.sums);
            leaf += 1;
        }
        for (i, leaf) in self.apart().zip(leaf..) {
            let weights = self.others.leaf_weights(leaf);
            self.counting.box_sums(i, weights, &mut self.sums);
            taker.take_component(&self.frontier, i, &self.sums);
        }
        Ok(())
    }
}
