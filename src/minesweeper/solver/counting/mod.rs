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

use super::budget::Budget;
use super::elimination::{Layer, Needs, Plan, Step, Uncounted};
use super::frontier::{ANY, Component, Frontier};
use super::number::Count;

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
#[derive(Clone, Debug)]
pub(super) struct Counting<N> {
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
    pub(super) mines: u8,
    span: u32,
}

/// The first step, the end of the steps and the last span of a counted component.
#[derive(Clone, Copy, Debug)]
struct Counted {
    first_step: usize,
    end_step: usize,
    last_span: usize,
}

impl<N> Default for Counting<N> {
    fn default() -> Self {
        Self {
            narrow: Layer::default(),
            wide: Layer::default(),
            spans: Vec::new(),
            transitions: Vec::new(),
            steps: Vec::new(),
            into: Vec::new(),
            counts: Vec::new(),
            backward: Vec::new(),
            leads: Vec::new(),
            count_bytes: 0,
            counted: Vec::new(),
            ends: Vec::new(),
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
    /// Forgets all components and starts a new position.
    pub(super) fn begin(&mut self) {
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
    pub(super) fn count(
        &mut self,
        frontier: &Frontier,
        component: Component,
        most_mines: usize,
        plan: &mut Plan,
        budget: &mut Budget,
    ) -> Result<(), Uncounted> {
        plan.lay_out(frontier, frontier.order_of(component))?;
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
        let work = Work {
            steps: &plan.steps,
            any_slot: plan.any_slot,
            most_mines: most_mines as u32,
            count_bytes: N::bytes(component.cells),
        };
        let counted = match plan.slots_needed {
            slots if slots <= u64::SLOTS => {
                self.forward_in(|counting| &mut counting.narrow, &work, root, budget)
            }
            slots if slots <= u128::SLOTS => {
                self.forward_in(|counting| &mut counting.wide, &work, root, budget)
            }
            _ => Err(Uncounted::TooHard),
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
    pub(super) fn by_mines(&self, i: usize) -> ByMines<'_, N> {
        let span = self.spans[self.counted[i].last_span];
        ByMines {
            fewest: span.fewest as usize,
            counts: &self.counts[span.range()],
        }
    }

    /// Returns the ends of the component with a constraint of [`ANY`] need; there is at most one
    /// such component.
    pub(super) fn ends(&self) -> &[End] {
        &self.ends
    }

    /// Returns the number of layouts that reach this end, by number of mines.
    pub(super) fn by_mines_at(&self, end: End) -> ByMines<'_, N> {
        let span = self.spans[end.span as usize];
        ByMines {
            fewest: span.fewest as usize,
            counts: &self.counts[span.range()],
        }
    }

    /// Returns the number of components counted since [`Counting::begin`].
    pub(super) fn components(&self) -> usize {
        self.counted.len()
    }

    /// Returns the number of layouts by number of mines of the component counted last.
    pub(super) fn last(&self) -> ByMines<'_, N> {
        self.by_mines(self.counted.len() - 1)
    }

    /// Counts with the layer that `layer_of` selects, reusing its memory.
    fn forward_in<K: Needs>(
        &mut self,
        layer_of: fn(&mut Self) -> &mut Layer<K>,
        work: &Work<'_>,
        root: usize,
        budget: &mut Budget,
    ) -> Result<(), Uncounted> {
        let mut layer = std::mem::take(layer_of(self));
        let done = self.forward(work, root, &mut layer, budget);
        *layer_of(self) = layer;
        done
    }

    fn forward<K: Needs>(
        &mut self,
        work: &Work<'_>,
        root: usize,
        layer: &mut Layer<K>,
        budget: &mut Budget,
    ) -> Result<(), Uncounted> {
        let most_mines = work.most_mines;
        layer.to.clear();
        layer.to.push(K::NONE);
        let mut first_from = root;
        for step in work.steps {
            std::mem::swap(&mut layer.from, &mut layer.to);
            layer.to.clear();
            layer.hashed = false;
            let first_to = self.spans.len();
            let first_transition = self.transitions.len();
            for state in 0..layer.from.len() {
                let from = (first_from + state) as u32;
                let mut needs = layer.from[state];
                let mut fewest = 0;
                let mut most = step.size;
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
                        None => self.spans.push(Span {
                            fewest: mines_so_far,
                            most: most_so_far,
                            at: 0,
                        }),
                    }
                    self.transitions.push(Transition {
                        from,
                        to: to as u32,
                        mines: u32::from(mines),
                    });
                }
                budget.spend(1)?;
                if self.transitions.len() > MAX_TRANSITIONS {
                    return Err(Uncounted::TooHard);
                }
            }
            if layer.to.is_empty() {
                return Err(Uncounted::NoLayout);
            }
            self.add_up(step.size, first_to, first_transition, work.count_bytes)?;
            self.steps.push((step.size, self.transitions.len() as u32));
            first_from = first_to;
        }
        if let Some(slot) = work.any_slot {
            let end = |(state, needs): (usize, &K)| End {
                mines: ANY - needs.get(slot),
                span: (first_from + state) as u32,
            };
            self.ends.extend(layer.to.iter().enumerate().map(end));
        }
        Ok(())
    }

    /// Sums the counts of a step's new states along its transitions.
    fn add_up(
        &mut self,
        size: u8,
        first_to: usize,
        first_transition: usize,
        count_bytes: usize,
    ) -> Result<(), Uncounted> {
        let mut at = self.counts.len();
        for span in &mut self.spans[first_to..] {
            span.at = at as u32;
            at = span.range().end;
        }
        let first_count = self.counts.len();
        self.count_bytes += (at - first_count) * count_bytes;
        if self.count_bytes > MAX_COUNT_BYTES {
            return Err(Uncounted::TooHard);
        }
        self.counts.resize(at, N::zero());
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

/// The input of a count of a component's layouts: the elimination steps, the maximum number of
/// mines and the size of a count.
struct Work<'a> {
    steps: &'a [Step],
    /// The slot of the constraint of [`ANY`] need; see [`Plan::any_slot`].
    any_slot: Option<u8>,
    most_mines: u32,
    /// Bytes of one count.
    count_bytes: usize,
}
