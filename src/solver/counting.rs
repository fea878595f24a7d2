//! Counts the layouts of one component by their number of mines.
//!
//! Dynamic programming over the boxes in elimination order. After a prefix of the boxes, all that matters of the
//! choices made is what each begun and unfinished constraint still needs: that is a state, and a state carries the
//! number of ways to reach it for every number of mines placed. On the frontiers that games show, few constraints are
//! open at a time and there are few states where there are many layouts; a component of two or three boxes is a handful
//! of transitions, no more than enumerating it would take.

use super::budget::{Budget, Exhausted};
use super::elimination::{Layer, Needs, Plan, Step};
use super::frontier::{Component, Frontier};
use super::number::{Count, Real};

/// Most transitions of one component; each takes 12 bytes, its counts aside.
const MAX_TRANSITIONS: usize = 1 << 20;
/// Most memory for the counts of one component's states.
const MAX_COUNT_BYTES: usize = 16 << 20;
/// `CHOOSE[n][k]`: the ways to lay `k` mines on a box of `n` cells.
pub(super) const CHOOSE: [[u32; 9]; 9] = {
    let mut table = [[0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Why a component was not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Uncounted {
    /// No layout fits.
    NoLayout,
    /// More open constraints, states or counts than the set limits.
    TooHard,
    /// The budget ended first.
    Exhausted(Exhausted),
}

impl From<Exhausted> for Uncounted {
    fn from(reason: Exhausted) -> Self {
        Self::Exhausted(reason)
    }
}

#[derive(Clone, Copy, Debug)]
struct Transition {
    from: u32,
    to: u32,
    mines: u32,
}

/// A state's counts: `counts[at..at + len]` for `fewest`, `fewest + 1`, ... mines placed so far.
#[derive(Clone, Copy, Debug)]
struct Span {
    fewest: u32,
    most: u32,
    at: u32,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.at as usize..self.at as usize + (self.most - self.fewest) as usize + 1
    }
}

/// The states of one component and the transitions between them, counted in numbers of kind `N`.
#[derive(Clone, Debug)]
pub(super) struct Counting<N> {
    /// Of the last layer only: by state, counted from the layer's first.
    narrow: Layer<u64>,
    wide: Layer<u128>,
    spans: Vec<Span>,
    transitions: Vec<Transition>,
    /// End of each step's transitions, and of the states it leads to.
    ends: Vec<(u32, u32)>,
    counts: Vec<N>,
    backward: Vec<N>,
    sizes: Vec<u8>,
    most_counts: usize,
}

impl<N> Default for Counting<N> {
    fn default() -> Self {
        Self {
            narrow: Layer::default(),
            wide: Layer::default(),
            spans: Vec::new(),
            transitions: Vec::new(),
            ends: Vec::new(),
            counts: Vec::new(),
            backward: Vec::new(),
            sizes: Vec::new(),
            most_counts: 0,
        }
    }
}

/// Layouts of a component by number of mines: `counts[i]` for `fewest + i` mines.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByMines<'a, N> {
    pub(super) fewest: usize,
    pub(super) counts: &'a [N],
}

impl<N: Count> Counting<N> {
    /// Counts the layouts of `component` with at most `most_mines` mines.
    pub(super) fn count(
        &mut self,
        frontier: &Frontier,
        component: Component,
        most_mines: usize,
        plan: &mut Plan,
        budget: &mut Budget,
    ) -> Result<ByMines<'_, N>, Uncounted> {
        plan.lay_out(frontier, component)?;
        self.spans.clear();
        self.transitions.clear();
        self.ends.clear();
        self.counts.clear();
        self.most_counts = MAX_COUNT_BYTES / N::bytes(component.cells);
        self.sizes.clear();
        self.sizes.extend(plan.steps.iter().map(|step| step.size));
        self.spans.push(Span { fewest: 0, most: 0, at: 0 });
        self.counts.push(N::one());
        let most_mines = most_mines as u32;
        if plan.slots_needed <= <u64 as Needs>::SLOTS {
            let mut layer = std::mem::take(&mut self.narrow);
            let done = self.forward(&plan.steps, most_mines, &mut layer, budget);
            self.narrow = layer;
            done?;
        } else {
            let mut layer = std::mem::take(&mut self.wide);
            let done = self.forward(&plan.steps, most_mines, &mut layer, budget);
            self.wide = layer;
            done?;
        }
        let first_of_last = if self.ends.len() < 2 { 1 } else { self.ends[self.ends.len() - 2].1 as usize };
        if self.spans.len() == first_of_last { Err(Uncounted::NoLayout) } else { Ok(self.by_mines()) }
    }

    /// What [`Counting::count`] found last.
    pub(super) fn by_mines(&self) -> ByMines<'_, N> {
        let span = *self.spans.last().expect("a counted component has a last state");
        ByMines { fewest: span.fewest as usize, counts: &self.counts[span.range()] }
    }

    fn forward<K: Needs>(
        &mut self,
        steps: &[Step],
        most_mines: u32,
        layer: &mut Layer<K>,
        budget: &mut Budget,
    ) -> Result<(), Uncounted> {
        layer.to.clear();
        layer.to.push(K::NONE);
        let mut first_from = 0;
        for step in steps {
            std::mem::swap(&mut layer.from, &mut layer.to);
            layer.to.clear();
            layer.hashed = false;
            let first_to = self.spans.len();
            let first_transition = self.transitions.len();
            for state in 0..layer.from.len() {
                let from = (first_from + state) as u32;
                let mut needs = layer.from[state];
                let (mut fewest, mut most) = (0, step.size);
                for i in 0..step.constraints as usize {
                    needs.begin(step.slots[i], step.begins[i]);
                    let need = needs.get(step.slots[i]);
                    fewest = fewest.max(need.saturating_sub(step.room[i]));
                    most = most.min(need);
                }
                let span = self.spans[from as usize];
                for mines in fewest..=most {
                    let mines_so_far = span.fewest + u32::from(mines);
                    if mines_so_far > most_mines {
                        break;
                    }
                    let mut after = needs;
                    for &slot in &step.slots[..step.constraints as usize] {
                        after.take(slot, mines);
                    }
                    let most_so_far = (span.most + u32::from(mines)).min(most_mines);
                    let to = first_to + layer.find_or_insert(after);
                    match self.spans.get_mut(to) {
                        Some(span) => {
                            span.fewest = span.fewest.min(mines_so_far);
                            span.most = span.most.max(most_so_far);
                        }
                        None => self.spans.push(Span { fewest: mines_so_far, most: most_so_far, at: 0 }),
                    }
                    self.transitions.push(Transition { from, to: to as u32, mines: u32::from(mines) });
                }
                budget.spend(1)?;
                if self.transitions.len() > MAX_TRANSITIONS {
                    return Err(Uncounted::TooHard);
                }
            }
            self.add_up(step.size, first_to, first_transition)?;
            self.ends.push((self.transitions.len() as u32, self.spans.len() as u32));
            first_from = first_to;
        }
        Ok(())
    }

    /// Sums the counts of a step's new states along its transitions.
    fn add_up(&mut self, size: u8, first_to: usize, first_transition: usize) -> Result<(), Uncounted> {
        let mut at = self.counts.len();
        for span in &mut self.spans[first_to..] {
            span.at = at as u32;
            at = span.range().end;
        }
        if at > self.most_counts {
            return Err(Uncounted::TooHard);
        }
        let first_count = self.counts.len();
        self.counts.resize(at, N::zero());
        let (old, new) = self.counts.split_at_mut(first_count);
        for transition in &self.transitions[first_transition..] {
            let (from, to) = (self.spans[transition.from as usize], self.spans[transition.to as usize]);
            let ways = CHOOSE[size as usize][transition.mines as usize];
            let target = &mut new[to.range().start - first_count..to.range().end - first_count];
            // Counts beyond the most mines allowed fall off the end.
            let target = &mut target[(from.fewest + transition.mines - to.fewest) as usize..];
            for (target, source) in target.iter_mut().zip(&old[from.range()]) {
                target.add_scaled(source, ways);
            }
        }
        Ok(())
    }
}

/// Weighted sums over all layouts of a component, for one of its boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxSums<N> {
    /// Of the mines in the box.
    pub(super) mines: N,
    /// Of the safe cells in the box.
    pub(super) safe: N,
}

impl<N: Real> Counting<N> {
    /// For each box in elimination order, the sums over the layouts last counted, each weighted by `weight` of its
    /// number of mines: `weights[i]` for as many mines as `counts[i]` had in [`ByMines`].
    pub(super) fn box_sums(&mut self, weights: &[N], sums: &mut Vec<BoxSums<N>>) {
        let Self { spans, transitions, ends, counts, backward, sizes, .. } = self;
        backward.clear();
        backward.resize(counts.len(), N::zero());
        let last = *spans.last().expect("a counted component has a last state");
        backward[last.range()].copy_from_slice(weights);
        sums.clear();
        sums.resize(sizes.len(), BoxSums { mines: N::zero(), safe: N::zero() });
        for step in (0..sizes.len()).rev() {
            let first = if step == 0 { 0 } else { ends[step - 1].0 as usize };
            let size = u32::from(sizes[step]);
            let sum = &mut sums[step];
            for transition in &transitions[first..ends[step].0 as usize] {
                let (from, to) = (spans[transition.from as usize], spans[transition.to as usize]);
                let ways = CHOOSE[size as usize][transition.mines as usize];
                let (before, after) = backward.split_at_mut(to.range().start);
                let after = &after[(from.fewest + transition.mines - to.fewest) as usize..][..];
                let reach = (to.most + 1 - transition.mines).saturating_sub(from.fewest) as usize;
                let source = from.range();
                let mut through = N::zero();
                for ((back, ahead), count) in
                    before[source.clone()].iter_mut().zip(&after[..reach.min(after.len())]).zip(&counts[source])
                {
                    back.add_scaled(ahead, ways);
                    through.add_product(*count, *ahead);
                }
                sum.mines.add_scaled(&through, ways * transition.mines);
                sum.safe.add_scaled(&through, ways * (size - transition.mines));
            }
        }
    }
}
