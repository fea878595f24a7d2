//! Counts all components of a position, each by a suitable method.

use super::{
    budget::Budget,
    counting::{BoxSums, ByMines, Counting},
    error::CountError,
    frontier::{Component, Frontier},
    number::Real,
    states::Mines,
    sweep::Sweep,
};

/// The components of one position, counted in the number type `N`.
#[derive(Clone, Debug, Default)]
pub(super) struct Components<N> {
    counting: Counting<N>,
    counted: Vec<Counted<N>>,
    /// Bytes that the sweeps take.
    bytes: usize,
}

/// The method by which a component was counted.
#[derive(Clone, Debug)]
enum Counted<N> {
    /// By elimination; the index of the component in `counting`, which keeps all its counts.
    Eliminated(usize),
    Swept(Box<Sweep<N>>),
}

impl<N: Real> Components<N> {
    /// Forgets all components and starts a new position.
    pub fn begin(&mut self) {
        self.counting.begin();
        self.counted.clear();
        self.bytes = 0;
    }

    /// Counts the layouts of `component`. The counts cover at least the numbers of mines in
    /// `mines`.
    pub fn count(
        &mut self,
        frontier: &Frontier,
        component: Component,
        mines: Mines,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        let counted = match self
            .counting
            .count(frontier, component, *mines.end(), budget)
        {
            Ok(()) => Counted::Eliminated(self.counting.components() - 1),
            Err(CountError::TooHard { .. }) => {
                let memory = budget.memory_limit().saturating_sub(self.bytes);
                let sweep = Sweep::count(frontier, component, mines, memory, budget)?;
                self.bytes += sweep.bytes();
                Counted::Swept(Box::new(sweep))
            }
            Err(reason) => return Err(reason),
        };
        self.counted.push(counted);
        Ok(())
    }

    /// Frees the memory of the sweeps.
    pub fn release(&mut self) {
        if self.bytes > 0 {
            self.counted.clear();
            self.bytes = 0;
        }
    }

    /// Returns the number of layouts by number of mines of the `i`-th component counted since
    /// [`Components::begin`].
    pub fn by_mines(&self, i: usize) -> ByMines<'_, N> {
        match &self.counted[i] {
            &Counted::Eliminated(at) => self.counting.by_mines(at),
            Counted::Swept(sweep) => sweep.by_mines(),
        }
    }

    /// Computes, for each box of the `i`-th component in elimination order, the sums over its
    /// layouts. The layouts are weighted by `weights` according to their number of mines, with one
    /// weight for each count of [`ByMines`].
    pub fn box_sums(&mut self, i: usize, weights: &[N], sums: &mut Vec<BoxSums<N>>) {
        match &mut self.counted[i] {
            &mut Counted::Eliminated(at) => self.counting.box_sums(at, weights, sums),
            Counted::Swept(sweep) => sweep.box_sums(weights, sums),
        }
    }
}
