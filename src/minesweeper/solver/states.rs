//! The states of a component along an elimination order and the transitions between them, without
//! counts.
//!
//! The states are found once, by hashing. The counts are then summed along the transitions as often
//! as needed, a few layers of states at a time. States from which no layout can be completed are
//! left out.

use std::ops::RangeInclusive;

use super::{
    budget::Budget,
    counting::CHOOSE,
    elimination::{Layer, Needs, Plan},
    error::{Contradiction, CountError},
    number::{Count, Wide},
};
use crate::MAX_CELLS;

/// A transition from a state of one layer to a state of the next, by placing mines in the box
/// between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: u32,
    /// The index of the next state and, in the lowest four bits, the number of mines.
    to_and_mines: u32,
}

impl Edge {
    /// Maximum number of states of a layer.
    const MAX_STATES: usize = 1 << 28;

    fn new(from: usize, to: usize, mines: u32) -> Self {
        Self {
            from: from as u32,
            to_and_mines: (to as u32) << 4 | mines,
        }
    }

    pub fn from(self) -> usize {
        self.from as usize
    }

    pub fn to(self) -> usize {
        (self.to_and_mines >> 4) as usize
    }

    pub fn mines(self) -> u32 {
        self.to_and_mines & 15
    }
}

/// The range of the number of mines in all boxes before a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct MineRange {
    fewest: u16,
    most: u16,
}

/// The numbers of mines of a state that a transition maps to the next state.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    /// Index of the first number in the range of the state before, and in that of the state after.
    pub from: usize,
    pub to: usize,
    pub len: usize,
}

impl MineRange {
    fn plus(self, mines: u32) -> Self {
        Self {
            fewest: self.fewest + mines as u16,
            most: self.most + mines as u16,
        }
    }

    /// Returns the smallest range that contains both.
    fn joined(self, other: Self) -> Self {
        Self {
            fewest: self.fewest.min(other.fewest),
            most: self.most.max(other.most),
        }
    }

    pub fn fewest(self) -> usize {
        usize::from(self.fewest)
    }

    pub fn len(self) -> usize {
        usize::from(self.most - self.fewest) + 1
    }

    /// Returns the part of this range that lies in `after` once `mines` are added.
    pub fn shared(self, mines: u32, after: Self) -> Shared {
        let mines = mines as u16;
        let first = after.fewest.max(self.fewest + mines);
        let len = (after.most.min(self.most + mines) + 1).saturating_sub(first);
        Shared {
            from: usize::from(first - mines - self.fewest),
            to: usize::from(first - after.fewest),
            len: usize::from(len),
        }
    }

    /// Narrows the range to the numbers that can lead to a final number in `total`, with `ahead`
    /// mines in the remaining boxes.
    fn narrowed(self, total: Self, ahead: Self) -> Option<Self> {
        let fewest = self.fewest.max(total.fewest.saturating_sub(ahead.most));
        let most = self.most.min(total.most.checked_sub(ahead.fewest)?);
        (fewest <= most).then_some(Self { fewest, most })
    }
}

/// The elimination of one box.
#[derive(Clone, Debug)]
pub(super) struct StateStep {
    /// Number of cells of the box.
    pub size: u8,
    pub edges: Box<[Edge]>,
    /// The states after the step.
    pub states: Box<[MineRange]>,
}

impl StateStep {
    fn bytes(&self) -> usize {
        size_of_val(&*self.edges) + size_of_val(&*self.states)
    }

    /// Removes the states that can't reach the end; returns the new index of each old state.
    fn narrow(&mut self, total: MineRange, ahead: &[Option<MineRange>]) -> Vec<Option<usize>> {
        let mut states = Vec::with_capacity(self.states.len());
        let place = |(state, ahead): (&MineRange, &Option<MineRange>)| {
            states.push(state.narrowed(total, (*ahead)?)?);
            Some(states.len() - 1)
        };
        let places = self.states.iter().zip(ahead).map(place).collect();
        self.states = states.into_boxed_slice();
        places
    }

    /// Returns the number of ways to place the mines of an edge on the cells of the box.
    pub fn ways(&self, edge: Edge) -> u32 {
        CHOOSE[usize::from(self.size)][edge.mines() as usize]
    }
}

/// All states of a component, layer by layer.
#[derive(Clone, Debug)]
pub(super) struct States {
    pub steps: Vec<StateStep>,
    bytes: usize,
}

/// A range of numbers of mines of a component.
pub(super) type Mines = RangeInclusive<usize>;

/// The only state before the first step.
const ROOT: &[MineRange] = &[MineRange { fewest: 0, most: 0 }];

impl States {
    /// Finds the states of the component with the elimination steps `plan`, for numbers of mines in
    /// `mines` and within `memory` bytes. Each state costs one node.
    pub fn find(
        plan: &Plan,
        mines: Mines,
        memory: usize,
        budget: &mut Budget,
    ) -> Result<Self, CountError> {
        // The number of cells of any board fits in 16 bits.
        let [fewest, most] =
            [*mines.start(), *mines.end()].map(|mines| mines.min(MAX_CELLS) as u16);
        let total = MineRange { fewest, most };
        let mut states = Self {
            steps: Vec::with_capacity(plan.steps.len()),
            bytes: 0,
        };
        match plan.slots_needed {
            slots if slots <= u64::SLOTS => states.expand::<u64>(plan, most, memory, budget)?,
            slots if slots <= u128::SLOTS => states.expand::<u128>(plan, most, memory, budget)?,
            _ => states.expand::<[u128; 2]>(plan, most, memory, budget)?,
        }
        states.leave_out_dead_ends(total)?;
        Ok(states)
    }

    /// Returns the number of bytes that the states and transitions take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the states before step `step`. If `step` is the number of steps, these are the
    /// states after the last one.
    pub fn before(&self, step: usize) -> &[MineRange] {
        if step == 0 {
            ROOT
        } else {
            &self.steps[step - 1].states
        }
    }

    /// Returns the total number of counts of all states before step `step`.
    pub fn counts_before(&self, step: usize) -> usize {
        self.before(step).iter().map(|state| state.len()).sum()
    }

    /// Returns the number of bits that suffice for the number of layouts of the component.
    pub fn bits(&self) -> usize {
        let mut ways = vec![Wide::one()];
        for step in &self.steps {
            let mut after = vec![Wide::default(); step.states.len()];
            step.edges
                .iter()
                .for_each(|&edge| after[edge.to()].add_scaled(&ways[edge.from()], step.ways(edge)));
            ways = after;
        }
        ways[0].bits()
    }

    fn expand<K: Needs>(
        &mut self,
        plan: &Plan,
        most_mines: u16,
        memory: usize,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        let mut layer = Layer::<K>::default();
        layer.begin();
        let mut edges = Vec::new();
        let mut states = ROOT.to_vec();
        for step in &plan.steps {
            layer.advance();
            edges.clear();
            let mut after: Vec<MineRange> = Vec::new();
            for (from, (needs, before)) in std::mem::take(&mut layer.from)
                .into_iter()
                .zip(&states)
                .enumerate()
            {
                let (begun, mines) = step.choices(needs);
                for mines in mines {
                    let fewest = before.fewest + u16::from(mines);
                    if fewest > most_mines {
                        break;
                    }
                    let to = layer.find_or_insert(step.after(begun, mines));
                    let most = (before.most + u16::from(mines)).min(most_mines);
                    match after.get_mut(to) {
                        Some(state) => {
                            state.fewest = state.fewest.min(fewest);
                            state.most = state.most.max(most);
                        }
                        None => after.push(MineRange { fewest, most }),
                    }
                    edges.push(Edge::new(from, to, u32::from(mines)));
                }
                budget.spend(1)?;
                // The memory kept for the step and for its hash table.
                let bytes = size_of_val(&edges[..])
                    + after.len() * (size_of::<MineRange>() + 3 * size_of::<K>() + 64);
                if self.bytes + bytes > memory || after.len() >= Edge::MAX_STATES {
                    return Err(plan.component.too_hard());
                }
            }
            if after.is_empty() {
                return Err(Contradiction.into());
            }
            self.bytes += size_of_val(&edges[..]) + size_of_val(&after[..]);
            states.clone_from(&after);
            self.steps.push(StateStep {
                size: step.size,
                edges: edges.as_slice().into(),
                states: after.into_boxed_slice(),
            });
        }
        Ok(())
    }

    /// Removes the states that can't reach the end with a number of mines in `total`, and narrows
    /// the ranges of the remaining states accordingly.
    fn leave_out_dead_ends(&mut self, total: MineRange) -> Result<(), CountError> {
        // The range of mines in the remaining boxes for every state after the step; `None` if the
        // end can't be reached.
        let mut ahead = vec![Some(MineRange { fewest: 0, most: 0 })];
        for at in (0..self.steps.len()).rev() {
            let mut before: Vec<Option<MineRange>> = vec![None; self.before(at).len()];
            let (steps, later) = self.steps.split_at_mut(at + 1);
            let step = &mut steps[at];
            let places = step.narrow(total, &ahead);
            if step.states.is_empty() {
                return Err(Contradiction.into());
            }
            for edge in step.edges.iter().filter(|edge| places[edge.to()].is_some()) {
                let after = ahead[edge.to()].map(|after| after.plus(edge.mines()));
                before[edge.from()] = after
                    .map(|after| before[edge.from()].map_or(after, |other| after.joined(other)));
            }
            let kept = step
                .edges
                .iter()
                .filter_map(|edge| Some(Edge::new(edge.from(), places[edge.to()]?, edge.mines())));
            step.edges = kept.collect();
            if let Some(next) = later.first_mut() {
                let kept = next.edges.iter().filter_map(|edge| {
                    Some(Edge::new(places[edge.from()]?, edge.to(), edge.mines()))
                });
                next.edges = kept.collect();
            }
            ahead = before;
        }
        self.bytes = self.steps.iter().map(StateStep::bytes).sum();
        Ok(())
    }
}
