//! From layouts counted component by component to the mine probability of every cell.

use super::budget::Budget;
use super::components::Components;
use super::counting::{BoxSums, ByMines};
use super::deduction::{Mark, SingleNumbers};
use super::elimination::Plan;
use super::frontier::Frontier;
use super::number::{Real, Wide};
use super::product_tree::ProductTree;
use super::{Contradiction, CountError};
use crate::{Cell, CellSet};

/// How the solutions of the boundary are weighed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Weighting {
    /// All alike, the number of mines of the board ignored: the main paper's P (equation 3).
    Solutions,
    /// By the ways to lay the remaining mines on the other cells: the true posterior.
    Posterior,
}

/// Sums stay far from the limits of an `f64` while no more cells than this are on the boundary...
pub(super) const F64_BOUNDARY: usize = 400;
/// ...and the weights of all numbers of mines lie between this and its inverse.
const F64_WEIGHT: f64 = 1e-120;

/// Mine probabilities of a position.
#[derive(Clone, Debug, Default)]
pub struct Probabilities {
    /// One a cell, 0 to 1. NaN for open cells, and off the boundary under [`Weighting::Solutions`], which says nothing
    /// of those cells.
    pub mine: Vec<f64>,
    /// The boundary: undetermined covered cells next to an open number.
    boundary: CellSet,
    ln_layouts: f64,
}

impl Probabilities {
    /// The covered cells next to an open number that single numbers prove neither way.
    pub fn boundary(&self) -> &CellSet {
        &self.boundary
    }

    /// The natural logarithm of the number of layouts that fit, under [`Weighting::Posterior`].
    pub fn ln_layouts(&self) -> f64 {
        self.ln_layouts
    }
}

/// What a position promises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// Natural logarithm of the number of layouts that fit.
    pub ln_layouts: f64,
    /// Cells that are known to be safe, or are in no mine of any layout.
    pub certain: usize,
    /// The greatest safety of a cell, 0 to 1; 1 where all that are left are mines.
    pub safety: f64,
}

/// Scratch of the counting, kept from position to position.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    plan: Plan,
    floats: Combination<f64>,
    wides: Combination<Wide>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
}

/// What can be asked of a frontier; `None` if the numbers of kind `N` may not do for it.
type Question<N, T> = fn(&mut Combination<N>, &Frontier, &mut Plan, &mut Budget) -> Result<Option<T>, CountError>;

/// What was found out about a frontier.
pub(super) struct Found<'a> {
    /// Cells in no mine of any layout, and in all of them; single-number conclusions not among them.
    pub(super) safe: &'a [Cell],
    pub(super) mines: &'a [Cell],
}

impl Counter {
    /// Fills in `probabilities` for the position that `deduction` holds and `frontier` was built from.
    pub(super) fn probabilities(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        weighting: Weighting,
        probabilities: &mut Probabilities,
        budget: &mut Budget,
    ) -> Result<Found<'_>, CountError> {
        self.safe.clear();
        self.mines.clear();
        let mut found = Output { probabilities, safe: &mut self.safe, mines: &mut self.mines, deduction };
        if frontier.cells > F64_BOUNDARY
            || !self.floats.answer(frontier, weighting, &mut self.plan, &mut found, budget)?
        {
            self.wides.answer(frontier, weighting, &mut self.plan, &mut found, budget)?;
        }
        Ok(Found { safe: &self.safe, mines: &self.mines })
    }

    /// What a position promises, without the probability of every cell.
    pub(super) fn outlook(&mut self, frontier: &Frontier, budget: &mut Budget) -> Result<Outlook, CountError> {
        self.ask(frontier, budget, Combination::outlook, Combination::outlook)
    }

    /// The natural logarithm of the number of layouts of all mines that fit.
    pub(super) fn ln_layouts(&mut self, frontier: &Frontier, budget: &mut Budget) -> Result<f64, CountError> {
        self.ask(frontier, budget, Combination::ln_layouts, Combination::ln_layouts)
    }

    /// Asks the floats, and the wide numbers where those may not do.
    fn ask<T>(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
        floats: Question<f64, T>,
        wides: Question<Wide, T>,
    ) -> Result<T, CountError> {
        if frontier.cells <= F64_BOUNDARY
            && let Some(found) = floats(&mut self.floats, frontier, &mut self.plan, budget)?
        {
            return Ok(found);
        }
        let found = wides(&mut self.wides, frontier, &mut self.plan, budget)?;
        Ok(found.expect("wide numbers hold every count"))
    }
}

struct Output<'a> {
    deduction: &'a SingleNumbers,
    probabilities: &'a mut Probabilities,
    safe: &'a mut Vec<Cell>,
    mines: &'a mut Vec<Cell>,
}

/// The components of a frontier put together, in numbers of kind `N`.
#[derive(Clone, Debug)]
struct Combination<N> {
    components: Components<N>,
    tree: ProductTree<N>,
    weights: Vec<N>,
    sums: Vec<BoxSums<N>>,
    ln_binomials: LnBinomials,
}

/// The layouts of a position, in units of the ways to lay on the rest as many mines as it can have.
struct Total<N> {
    layouts: N,
    in_rest: BoxSums<N>,
    /// Of their number.
    ln_layouts: f64,
}

impl<N> Default for Combination<N> {
    fn default() -> Self {
        Self {
            components: Components::default(),
            tree: ProductTree::default(),
            weights: Vec::new(),
            sums: Vec::new(),
            ln_binomials: LnBinomials::default(),
        }
    }
}

/// Logarithms of binomial coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct LnBinomials {
    /// `ln n!` from 0 on, as far as was asked for.
    ln_factorials: Vec<f64>,
}

impl LnBinomials {
    /// `ln C(n, k)`.
    pub(super) fn get(&mut self, n: usize, k: usize) -> f64 {
        while self.ln_factorials.len() <= n {
            let next = match self.ln_factorials.last() {
                None => 0.0,
                Some(last) => last + (self.ln_factorials.len() as f64).ln(),
            };
            self.ln_factorials.push(next);
        }
        self.ln_factorials[n] - self.ln_factorials[k] - self.ln_factorials[n - k]
    }
}

impl<N: Real> Combination<N> {
    /// Answers the question; false if the numbers of this kind may not do for it.
    fn answer(
        &mut self,
        frontier: &Frontier,
        weighting: Weighting,
        plan: &mut Plan,
        output: &mut Output<'_>,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        let answered = self.count(frontier, weighting, plan, budget).and_then(|()| match weighting {
            Weighting::Solutions => {
                self.solutions(frontier, output);
                Ok(true)
            }
            Weighting::Posterior => self.posterior(frontier, output, budget),
        });
        self.components.release();
        answered
    }

    fn count(
        &mut self,
        frontier: &Frontier,
        weighting: Weighting,
        plan: &mut Plan,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        self.components.begin();
        for &component in &frontier.components {
            let mines = match weighting {
                Weighting::Solutions => 0..=u32::MAX as usize,
                Weighting::Posterior => frontier.mines_of(component),
            };
            self.components.count(frontier, component, mines, plan, budget).map_err(|reason| reason.of(component))?;
        }
        Ok(())
    }

    /// Every layout of a component weighs the same, whatever happens in the others.
    fn solutions(&mut self, frontier: &Frontier, output: &mut Output<'_>) {
        output.begin();
        for i in 0..frontier.components.len() {
            let counts = self.components.by_mines(i).counts;
            let mut total = N::zero();
            counts.iter().for_each(|count| total.add_scaled(count, 1));
            self.weights.clear();
            self.weights.resize(counts.len(), N::one());
            self.components.box_sums(i, &self.weights, &mut self.sums);
            output.put_component(frontier, i, &self.sums, total);
        }
    }

    /// The logarithm of the number of layouts alone; `None` if the numbers of this kind may not do for it.
    fn ln_layouts(
        &mut self,
        frontier: &Frontier,
        plan: &mut Plan,
        budget: &mut Budget,
    ) -> Result<Option<f64>, CountError> {
        let counted =
            self.count(frontier, Weighting::Posterior, plan, budget).and_then(|()| self.total(frontier, budget));
        self.components.release();
        Ok(counted?.map(|total| total.ln_layouts))
    }

    /// The best safety and the number of certain cells; `None` if the numbers of this kind may not do for it.
    fn outlook(
        &mut self,
        frontier: &Frontier,
        plan: &mut Plan,
        budget: &mut Budget,
    ) -> Result<Option<Outlook>, CountError> {
        let found =
            self.count(frontier, Weighting::Posterior, plan, budget).and_then(|()| self.safest(frontier, budget));
        self.components.release();
        found
    }

    fn safest(&mut self, frontier: &Frontier, budget: &mut Budget) -> Result<Option<Outlook>, CountError> {
        let Some(Total { layouts, in_rest, ln_layouts }) = self.total(frontier, budget)? else { return Ok(None) };
        self.tree.weigh(&self.weights, budget)?;
        let mut safest = Safest::of(layouts);
        for i in 0..frontier.components.len() {
            self.components.box_sums(i, self.tree.leaf_weights(i), &mut self.sums);
            safest.take_component(frontier, i, &self.sums);
        }
        safest.take(&in_rest, frontier.rest);
        Ok(Some(safest.outlook(ln_layouts)))
    }

    /// All layouts together, each component's counts weighed by the ways to lay the mines that they leave on the rest; `None` if
    /// the numbers may not hold them.
    fn total(&mut self, frontier: &Frontier, budget: &mut Budget) -> Result<Option<Total<N>>, CountError> {
        let Frontier { mines_left, rest, .. } = *frontier;
        self.tree.build((0..frontier.components.len()).map(|i| self.components.by_mines(i)), budget)?;
        let ByMines { fewest, counts } = self.tree.root();
        if !rest_weights(fewest, counts.len(), mines_left, rest, &mut self.weights) {
            return Ok(None);
        }
        let mut layouts = N::zero();
        let mut in_rest = BoxSums { mines: N::zero(), safe: N::zero() };
        let mut most_in_rest = None;
        for (i, (&count, &weight)) in counts.iter().zip(&self.weights).enumerate() {
            let mut here = N::zero();
            here.add_product(count, weight);
            if let Some(mines) = mines_left.checked_sub(fewest + i).filter(|&mines| mines <= rest) {
                most_in_rest.get_or_insert(mines);
                layouts.add_scaled(&here, 1);
                in_rest.mines.add_scaled(&here, mines as u32);
                in_rest.safe.add_scaled(&here, (rest - mines) as u32);
            }
        }
        let Some(unit) = most_in_rest.filter(|_| !layouts.is_zero()) else { return Err(Contradiction.into()) };
        let ln_layouts = layouts.ln() + self.ln_binomials.get(rest, unit);
        Ok(Some(Total { layouts, in_rest, ln_layouts }))
    }

    /// A layout weighs as much as there are ways to lay the mines that it leaves on the rest.
    fn posterior(
        &mut self,
        frontier: &Frontier,
        output: &mut Output<'_>,
        budget: &mut Budget,
    ) -> Result<bool, CountError> {
        let Some(Total { layouts: total, in_rest, ln_layouts }) = self.total(frontier, budget)? else {
            return Ok(false);
        };
        let (rest, components) = (frontier.rest, 0..frontier.components.len());
        self.tree.weigh(&self.weights, budget)?;
        output.begin();
        output.probabilities.ln_layouts = ln_layouts;
        for i in components {
            self.components.box_sums(i, self.tree.leaf_weights(i), &mut self.sums);
            output.put_component(frontier, i, &self.sums, total);
        }
        if rest > 0 {
            output.put_rest(in_rest.mines.ratio(total) / rest as f64, &in_rest);
        }
        Ok(true)
    }
}

/// The safest cells of a position.
pub(super) struct Safest<N> {
    layouts: N,
    certain: usize,
    /// The least probability of a mine in a cell that may be either.
    least: Option<f64>,
}

impl<N: Real> Safest<N> {
    /// Of a position with so many layouts, in the unit of the sums to come.
    pub(super) fn of(layouts: N) -> Self {
        Self { layouts, certain: 0, least: None }
    }

    /// Takes in `cells` cells that are alike.
    pub(super) fn take(&mut self, sums: &BoxSums<N>, cells: usize) {
        if sums.mines.is_zero() {
            self.certain += cells;
        } else if !sums.safe.is_zero() {
            let mine = sums.mines.ratio(self.layouts) / cells as f64;
            self.least = Some(self.least.map_or(mine, |least| least.min(mine)));
        }
    }

    /// Takes in the boxes of a component.
    pub(super) fn take_component(&mut self, frontier: &Frontier, i: usize, sums: &[BoxSums<N>]) {
        frontier.boxes_of(i).zip(sums).for_each(|(cells, sums)| self.take(sums, cells.size()));
    }

    pub(super) fn outlook(self, ln_layouts: f64) -> Outlook {
        let safety = if self.certain > 0 { 1.0 } else { 1.0 - self.least.unwrap_or(0.0) };
        Outlook { ln_layouts, certain: self.certain, safety }
    }
}

/// The ways to lay on `rest` cells the mines that `fewest`, `fewest + 1`, ... mines on the boundary leave, up to a
/// common factor: `C(rest, mines_left - on_boundary)`, 0 where that many are impossible. False if the numbers may
/// not hold them.
pub(super) fn rest_weights<N: Real>(
    fewest: usize,
    len: usize,
    mines_left: usize,
    rest: usize,
    weights: &mut Vec<N>,
) -> bool {
    weights.clear();
    weights.resize(len, N::zero());
    let mut last: Option<N> = None;
    for (weight, on_boundary) in weights.iter_mut().zip(fewest..) {
        let Some(left) = mines_left.checked_sub(on_boundary).filter(|&left| left <= rest) else { continue };
        // C(rest, left) = C(rest, left + 1) * (left + 1) / (rest - left)
        *weight = last.map_or(N::one(), |last| last.times((left + 1) as f64 / (rest - left) as f64));
        let size = weight.ratio(N::one());
        if !N::UNBOUNDED && !(F64_WEIGHT..=1.0 / F64_WEIGHT).contains(&size) {
            return false;
        }
        last = Some(*weight);
    }
    true
}

impl Output<'_> {
    /// What is known without counting.
    fn begin(&mut self) {
        let cells = self.deduction.grid.off_board();
        self.safe.clear();
        self.mines.clear();
        self.probabilities.boundary.reset(cells);
        self.probabilities.mine.clear();
        self.probabilities.mine.extend((0..cells).map(|cell| match self.deduction.mark(cell) {
            Mark::Safe => 0.0,
            Mark::Mine => 1.0,
            _ => f64::NAN,
        }));
    }

    fn put_component<N: Real>(&mut self, frontier: &Frontier, i: usize, sums: &[BoxSums<N>], total: N) {
        for (cells, sums) in frontier.boxes_of(i).zip(sums) {
            let probability = sums.mines.ratio(total) / cells.size() as f64;
            for cell in cells.cells() {
                self.probabilities.boundary.insert(cell);
                self.put_one(cell, probability, sums);
            }
        }
    }

    fn put_rest<N: Real>(&mut self, probability: f64, sums: &BoxSums<N>) {
        for cell in 0..self.deduction.grid.off_board() {
            if self.deduction.mark(cell) == Mark::Unknown && self.deduction.witnesses(cell) == 0 {
                self.put_one(Cell(cell as u16), probability, sums);
            }
        }
    }

    fn put_one<N: Real>(&mut self, cell: Cell, probability: f64, sums: &BoxSums<N>) {
        // Sums of non-negative terms are zero only if every term is: no rounding can make a cell look proved.
        self.probabilities.mine[cell.index()] = if sums.mines.is_zero() {
            self.safe.push(cell);
            0.0
        } else if sums.safe.is_zero() {
            self.mines.push(cell);
            1.0
        } else {
            probability
        };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Board, FirstClick, Game, Grid, Minefield, Status, View};
    use mineflow_rng::Seed;

    /// What single numbers leave open after this many moves that they prove.
    fn mid_game(board: &str, seed: u64, moves: usize) -> (SingleNumbers, Frontier) {
        let board: Board = board.parse().unwrap();
        let mut game = Game::new(board, FirstClick::Opening);
        game.start(Seed::new(seed));
        game.open(board.cell(board.height() / 2, board.width() / 2).unwrap()).unwrap();
        let mut deduction = SingleNumbers::new(game.view().grid().clone());
        deduction.begin(board.mines());
        for _ in 0..moves {
            deduction.update(game.view()).unwrap();
            let Some(&cell) = deduction.safe().first() else { break };
            if game.open(cell).unwrap() != Status::Playing {
                break;
            }
        }
        deduction.update(game.view()).unwrap();
        let mut frontier = Frontier::default();
        frontier.build(&mut deduction).unwrap();
        (deduction, frontier)
    }

    #[test]
    fn wide_numbers_and_floats_give_the_same_probabilities() {
        let mut boundary_cells = 0;
        for seed in 0..200 {
            let (deduction, frontier) = mid_game("30x16/99", seed, 200);
            boundary_cells += frontier.cells;
            let mut plan = Plan::default();
            let mut answers = [Probabilities::default(), Probabilities::default()];
            for weighting in [Weighting::Solutions, Weighting::Posterior] {
                for (wide, probabilities) in answers.iter_mut().enumerate() {
                    let (mut safe, mut mines) = (Vec::new(), Vec::new());
                    let mut output =
                        Output { deduction: &deduction, probabilities, safe: &mut safe, mines: &mut mines };
                    let budget = &mut Budget::unlimited();
                    let answered = if wide == 1 {
                        Combination::<Wide>::default().answer(&frontier, weighting, &mut plan, &mut output, budget)
                    } else {
                        Combination::<f64>::default().answer(&frontier, weighting, &mut plan, &mut output, budget)
                    };
                    assert!(answered.unwrap());
                }
                for (a, b) in answers[0].mine.iter().zip(&answers[1].mine) {
                    assert!(a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * a, "{a} and {b}");
                }
            }
        }
        assert!(boundary_cells > 200 * 10, "the positions have boundaries");
    }

    #[test]
    fn mines_of_a_huge_board_add_up() {
        let grid = Arc::new(Grid::new(Board::new(200, 200, 7000).unwrap()));
        let mut field = Minefield::new(grid.clone());
        field.lay(7000, &[], &mut Seed::new(3).rng());
        let mut view = View::new(grid.clone(), 7000);
        let near_zero = |cell: Cell| {
            field.number(cell) == 0 || grid.neighbors(cell).any(|d| !field.is_mine(d) && field.number(d) == 0)
        };
        for cell in grid.board().all_cells().filter(|&cell| !field.is_mine(cell) && near_zero(cell)) {
            view.open(cell, field.number(cell)).unwrap();
        }
        let mut deduction = SingleNumbers::new(grid.clone());
        deduction.begin(7000);
        deduction.update(&view).unwrap();
        let mut frontier = Frontier::default();
        frontier.build(&mut deduction).unwrap();
        assert!(frontier.cells > F64_BOUNDARY, "this is to need wide numbers");
        let mut probabilities = Probabilities::default();
        Counter::default()
            .probabilities(&deduction, &frontier, Weighting::Posterior, &mut probabilities, &mut Budget::unlimited())
            .unwrap();
        let mines: f64 = probabilities.mine.iter().filter(|p| !p.is_nan()).sum();
        assert!((mines - 7000.0).abs() < 1e-6, "{mines}");
    }

    #[test]
    fn numbers_beyond_floats_are_counted() {
        let mut weights: Vec<f64> = Vec::new();
        assert!(!rest_weights(0, 500, 30_000, 1_000_000, &mut weights));
        let mut weights: Vec<Wide> = Vec::new();
        assert!(rest_weights(0, 500, 30_000, 1_000_000, &mut weights));
        assert!(weights.iter().all(|weight| !weight.is_zero()));
    }
}
