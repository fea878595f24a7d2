//! Counts the layouts of one component, separately for each number of mines.
//!
//! The method is dynamic programming over the boxes in elimination order. After some boxes have
//! been eliminated, the remaining needs of the open constraints are all that the rest of the count
//! depends on; these needs make up a state. For every number of mines placed, each state stores the
//! number of ways to reach the state with this many mines. In positions of real games, few
//! constraints are open at a time. A component with very many layouts thus has only a few states. A
//! component of two or three boxes needs only a handful of transitions, no more than an enumeration
//! of its layouts would take.

mod box_sums;
mod drawing;

pub(super) use box_sums::BoxSums;

use super::{
    budget::Budget,
    elimination::{Layer, Needs, Plan},
    error::{Contradiction, CountError},
    frontier::{ANY, Component, Frontier},
    number::Count,
};

/// Maximum number of transitions of one position; each takes 12 bytes.
const MAX_TRANSITIONS: usize = 1 << 19;
/// Maximum number of bytes for the counts of one position's states. Weighting the counts takes the
/// same number of bytes again.
const MAX_COUNT_BYTES: usize = 8 << 20;
/// `CHOOSE[n][k]`: the number of ways to place `k` mines on a box of `n` cells.
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

/// The states of the components of one position and the transitions between them, counted in the
/// number type `N`.
///
/// All components share the memory and its limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Counting<N> {
    pub plan: Plan,
    narrow: Layer<u64>,
    wide: Layer<u128>,
    spans: Vec<Span>,
    transitions: Vec<Transition>,
    /// The steps of all components: the size of the box, and the end of its transitions.
    steps: Vec<(u8, u32)>,
    /// The start of the transitions into each state, once [`Counting::order_for_drawing`] has
    /// sorted them.
    into: Vec<u32>,
    counts: Vec<N>,
    backward: Vec<N>,
    /// The states from which an end with a weight can be reached.
    leads: Vec<bool>,
    count_bytes: usize,
    counted: Vec<Counted>,
    /// The last state of the component with the constraint of [`ANY`] need, for every number of
    /// mines of that constraint.
    ends: Vec<End>,
}

/// The last state of a component with a constraint of [`ANY`] need, for one number of mines.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Number of mines of the constraint.
    pub mines: u8,
    span: u32,
}

/// The first step, the end of the steps and the last span of a counted component.
#[derive(Clone, Copy, Debug)]
struct Counted {
    first_step: usize,
    end_step: usize,
    last_span: usize,
}

/// Layouts of a component by number of mines: `counts[i]` for `fewest + i` mines.
#[derive(Clone, Copy)]
pub(super) struct ByMines<'a, N> {
    pub fewest: usize,
    pub counts: &'a [N],
}

impl<N: Count> Counting<N> {
    /// Forgets all components and starts a new position.
    pub fn begin(&mut self) {
        self.spans.clear();
        self.transitions.clear();
        self.steps.clear();
        self.counts.clear();
        self.counted.clear();
        self.ends.clear();
        self.count_bytes = 0;
    }

    /// Counts the layouts of `component` with at most `most_mines` mines. An error leaves the
    /// counting as it was before the call.
    pub fn count(
        &mut self,
        frontier: &Frontier,
        component: Component,
        most_mines: usize,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        let mut plan = std::mem::take(&mut self.plan);
        let counted = plan
            .lay_out(frontier, component, frontier.order_of(component))
            .and_then(|()| self.count_plan(&plan, most_mines as u32, budget));
        self.plan = plan;
        counted
    }

    fn count_plan(
        &mut self,
        plan: &Plan,
        most_mines: u32,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        let first_step = self.steps.len();
        let root = self.spans.len();
        let first_transition = self.transitions.len();
        let count_bytes = self.count_bytes;
        self.spans.push(Span {
            fewest: 0,
            most: 0,
            at: self.counts.len() as u32,
        });
        self.counts.push(N::one());
        let counted = if plan.slots_needed <= u64::SLOTS {
            let mut layer = std::mem::take(&mut self.narrow);
            let counted = self.forward(plan, most_mines, &mut layer, budget);
            self.narrow = layer;
            counted
        } else if plan.slots_needed <= u128::SLOTS {
            let mut layer = std::mem::take(&mut self.wide);
            let counted = self.forward(plan, most_mines, &mut layer, budget);
            self.wide = layer;
            counted
        } else {
            Err(plan.component.too_hard())
        };
        if let Err(reason) = counted {
            self.counts.truncate(self.spans[root].at as usize);
            self.spans.truncate(root);
            self.transitions.truncate(first_transition);
            self.steps.truncate(first_step);
            self.count_bytes = count_bytes;
            return Err(reason);
        }
        self.counted.push(Counted {
            first_step,
            end_step: self.steps.len(),
            last_span: self.spans.len() - 1,
        });
        Ok(())
    }

    /// Returns the number of layouts by number of mines of the `i`-th component counted since
    /// [`Counting::begin`].
    pub fn by_mines(&self, i: usize) -> ByMines<'_, N> {
        let span = self.spans[self.counted[i].last_span];
        ByMines {
            fewest: span.fewest as usize,
            counts: &self.counts[span.range()],
        }
    }

    /// Returns the ends of the component with a constraint of [`ANY`] need; there is at most one
    /// such component.
    pub fn ends(&self) -> &[End] {
        &self.ends
    }

    /// Returns the number of layouts that reach this end, by number of mines.
    pub fn by_mines_at(&self, end: End) -> ByMines<'_, N> {
        let span = self.spans[end.span as usize];
        ByMines {
            fewest: span.fewest as usize,
            counts: &self.counts[span.range()],
        }
    }

    /// Returns the number of components counted since [`Counting::begin`].
    pub fn components(&self) -> usize {
        self.counted.len()
    }

    /// Returns the number of layouts by number of mines of the component counted last.
    pub fn last(&self) -> ByMines<'_, N> {
        self.by_mines(self.counted.len() - 1)
    }

    /// Finds the states and transitions of the component whose root was just added, and sums the
    /// counts.
    fn forward<K: Needs>(
        &mut self,
        plan: &Plan,
        most_mines: u32,
        layer: &mut Layer<K>,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        layer.begin();
        let mut first_from = self.spans.len() - 1;
        for step in &plan.steps {
            layer.advance();
            let first_to = self.spans.len();
            let first_transition = self.transitions.len();
            for state in 0..layer.from.len() {
                let from = (first_from + state) as u32;
                let (begun, choices) = step.choices(layer.from[state]);
                let span = self.spans[from as usize];
                for mines in choices {
                    let fewest = span.fewest + u32::from(mines);
                    if fewest > most_mines {
                        break;
                    }
                    let most = (span.most + u32::from(mines)).min(most_mines);
                    let to = first_to + layer.find_or_insert(step.after(begun, mines));
                    self.reach(to, fewest, most);
                    self.transitions.push(Transition {
                        from,
                        to: to as u32,
                        mines: u32::from(mines),
                    });
                }
                budget.spend(1)?;
                if self.transitions.len() > MAX_TRANSITIONS {
                    return Err(plan.component.too_hard());
                }
            }
            if layer.to.is_empty() {
                return Err(Contradiction.into());
            }
            self.add_up(step.size, first_to, first_transition, plan)?;
            self.steps.push((step.size, self.transitions.len() as u32));
            first_from = first_to;
        }
        if let Some(slot) = plan.any_slot {
            let end = |(state, needs): (usize, &K)| End {
                mines: ANY - needs.get(slot),
                span: (first_from + state) as u32,
            };
            self.ends.extend(layer.to.iter().enumerate().map(end));
        }
        Ok(())
    }

    /// Adds the numbers of mines from `fewest` to `most` to the state `to`, which may be new.
    fn reach(&mut self, to: usize, fewest: u32, most: u32) {
        match self.spans.get_mut(to) {
            Some(span) => {
                span.fewest = span.fewest.min(fewest);
                span.most = span.most.max(most);
            }
            None => self.spans.push(Span {
                fewest,
                most,
                at: 0,
            }),
        }
    }

    /// Sums the counts of a step's new states along its transitions.
    fn add_up(
        &mut self,
        size: u8,
        first_to: usize,
        first_transition: usize,
        plan: &Plan,
    ) -> Result<(), CountError> {
        let mut at = self.counts.len();
        for span in &mut self.spans[first_to..] {
            span.at = at as u32;
            at = span.range().end;
        }
        let first_count = self.counts.len();
        self.count_bytes += (at - first_count) * N::bytes(plan.component.cells);
        if self.count_bytes > MAX_COUNT_BYTES {
            return Err(plan.component.too_hard());
        }
        self.counts.resize(at, N::default());
        let (old, new) = self.counts.split_at_mut(first_count);
        for transition in &self.transitions[first_transition..] {
            let from = self.spans[transition.from as usize];
            let to = self.spans[transition.to as usize];
            let ways = CHOOSE[size as usize][transition.mines as usize];
            let target = &mut new[to.range().start - first_count..to.range().end - first_count];
            // Counts beyond the maximum number of mines are dropped.
            let target = &mut target[(from.fewest + transition.mines - to.fewest) as usize..];
            for (target, source) in target.iter_mut().zip(&old[from.range()]) {
                target.add_scaled(source, ways);
            }
        }
        Ok(())
    }
}
