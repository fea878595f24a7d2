//! The states of a component along an elimination order and the transitions between them, without any counts.
//!
//! They are found once, by hashing; the counts are then summed along the transitions as often as needed, a few layers of
//! states at a time. States from which no layout can be completed are left out.

use std::ops::RangeInclusive;

use super::budget::Budget;
use super::counting::CHOOSE;
use super::elimination::{Layer, Needs, Plan, Step, Uncounted};
use super::number::{Count, Wide};
use crate::MAX_CELLS;

/// A state of one layer to a state of the next by laying mines in the box between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    from: u32,
    /// The state after it and, in the lowest four bits, the mines.
    to_and_mines: u32,
}

impl Edge {
    /// States that a layer may have.
    const MAX_STATES: usize = 1 << 28;

    fn new(from: usize, to: usize, mines: u32) -> Self {
        Self {
            from: from as u32,
            to_and_mines: (to as u32) << 4 | mines,
        }
    }

    #[inline]
    pub(super) fn from(self) -> usize {
        self.from as usize
    }

    #[inline]
    pub(super) fn to(self) -> usize {
        (self.to_and_mines >> 4) as usize
    }

    #[inline]
    pub(super) fn mines(self) -> u32 {
        self.to_and_mines & 15
    }
}

/// The numbers of mines, all boxes before it taken together, that a state may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct MineRange {
    fewest: u16,
    most: u16,
}

/// Numbers of mines that two states share, as mines are laid between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    /// Where they begin in the range of the state before, and in that of the state after.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) len: usize,
}

impl MineRange {
    fn plus(self, mines: u32) -> Self {
        Self {
            fewest: self.fewest + mines as u16,
            most: self.most + mines as u16,
        }
    }

    /// The least range that holds both.
    fn joined(self, other: Self) -> Self {
        Self {
            fewest: self.fewest.min(other.fewest),
            most: self.most.max(other.most),
        }
    }

    pub(super) fn fewest(self) -> usize {
        usize::from(self.fewest)
    }

    #[inline]
    pub(super) fn len(self) -> usize {
        usize::from(self.most - self.fewest) + 1
    }

    /// The numbers of this range that `mines` more turn into numbers of `after`.
    #[inline]
    pub(super) fn shared(self, mines: u32, after: Self) -> Shared {
        let mines = mines as u16;
        let first = after.fewest.max(self.fewest + mines);
        let len = (after.most.min(self.most + mines) + 1).saturating_sub(first);
        Shared {
            from: usize::from(first - mines - self.fewest),
            to: usize::from(first - after.fewest),
            len: usize::from(len),
        }
    }

    /// What of the range is left if there are to be `total` mines in the end, and `ahead` are in the boxes to come.
    fn narrowed(self, total: Self, ahead: Self) -> Option<Self> {
        let fewest = self.fewest.max(total.fewest.saturating_sub(ahead.most));
        let most = self.most.min(total.most.checked_sub(ahead.fewest)?);
        (fewest <= most).then_some(Self { fewest, most })
    }
}

/// The elimination of one box.
#[derive(Clone, Debug)]
pub(super) struct StateStep {
    /// Cells of the box.
    pub(super) size: u8,
    pub(super) edges: Box<[Edge]>,
    /// The states after the step.
    pub(super) states: Box<[MineRange]>,
}

impl StateStep {
    fn bytes(&self) -> usize {
        size_of_val(&*self.edges) + size_of_val(&*self.states)
    }

    /// Leaves out the states from which the end is not reached; returns the new places of those that stay.
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

    /// The ways to lay the mines of an edge on the cells of the box.
    #[inline]
    pub(super) fn ways(&self, edge: Edge) -> u32 {
        CHOOSE[usize::from(self.size)][edge.mines() as usize]
    }
}

/// All states of a component, layer after layer.
#[derive(Clone, Debug)]
pub(super) struct States {
    pub(super) steps: Vec<StateStep>,
    bytes: usize,
}

/// The numbers of mines that a component may have.
pub(super) type Mines = RangeInclusive<usize>;

/// The only state before the first step.
const ROOT: &[MineRange] = &[MineRange { fewest: 0, most: 0 }];

impl States {
    /// Finds the states of the component whose steps `plan` holds, with as many mines as `mines` says, in at most `memory`
    /// bytes. Each costs a node.
    pub(super) fn find(
        plan: &Plan,
        mines: Mines,
        memory: usize,
        budget: &mut Budget,
    ) -> Result<Self, Uncounted> {
        // No board has more cells than fit.
        let [fewest, most] =
            [*mines.start(), *mines.end()].map(|mines| mines.min(MAX_CELLS) as u16);
        let total = MineRange { fewest, most };
        let mut states = Self {
            steps: Vec::with_capacity(plan.steps.len()),
            bytes: 0,
        };
        match plan.slots_needed {
            slots if slots <= u64::SLOTS => {
                states.expand::<u64>(&plan.steps, most, memory, budget)?
            }
            slots if slots <= u128::SLOTS => {
                states.expand::<u128>(&plan.steps, most, memory, budget)?
            }
            _ => states.expand::<[u128; 2]>(&plan.steps, most, memory, budget)?,
        }
        states.leave_out_dead_ends(total)?;
        Ok(states)
    }

    /// Memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The states before step `step`, or after the last.
    pub(super) fn before(&self, step: usize) -> &[MineRange] {
        if step == 0 {
            ROOT
        } else {
            &self.steps[step - 1].states
        }
    }

    /// Counts of all states before step `step` together.
    pub(super) fn counts_before(&self, step: usize) -> usize {
        self.before(step).iter().map(|state| state.len()).sum()
    }

    /// A number of bits that no number of layouts exceeds.
    pub(super) fn bits(&self) -> usize {
        let mut ways = vec![Wide::one()];
        for step in &self.steps {
            let mut after = vec![Wide::zero(); step.states.len()];
            step.edges
                .iter()
                .for_each(|&edge| after[edge.to()].add_scaled(&ways[edge.from()], step.ways(edge)));
            ways = after;
        }
        ways[0].bits()
    }

    fn expand<K: Needs>(
        &mut self,
        steps: &[Step],
        most_mines: u16,
        memory: usize,
        budget: &mut Budget,
    ) -> Result<(), Uncounted> {
        let mut layer = Layer::<K>::default();
        layer.to.push(K::NONE);
        let mut edges = Vec::new();
        let mut states = ROOT.to_vec();
        for step in steps {
            std::mem::swap(&mut layer.from, &mut layer.to);
            layer.to.clear();
            layer.hashed = false;
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
                // What is kept of the step, and the table that finds its states.
                let bytes = size_of_val(&edges[..])
                    + after.len() * (size_of::<MineRange>() + 3 * size_of::<K>() + 64);
                if self.bytes + bytes > memory || after.len() >= Edge::MAX_STATES {
                    return Err(Uncounted::TooHard);
                }
            }
            if after.is_empty() {
                return Err(Uncounted::NoLayout);
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

    /// Leaves out the states from which the last is not reached with as many mines as `total` says, and of the others the
    /// numbers of mines with which it is not.
    fn leave_out_dead_ends(&mut self, total: MineRange) -> Result<(), Uncounted> {
        // The mines in the boxes to come, for every state after the step; `None` if nothing comes.
        let mut ahead = vec![Some(MineRange { fewest: 0, most: 0 })];
        for at in (0..self.steps.len()).rev() {
            let mut before: Vec<Option<MineRange>> = vec![None; self.before(at).len()];
            let (steps, later) = self.steps.split_at_mut(at + 1);
            let step = &mut steps[at];
            let places = step.narrow(total, &ahead);
            if step.states.is_empty() {
                return Err(Uncounted::NoLayout);
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

impl Step {
    /// A state as the step finds it, its constraints begun, and the mines that its box may have.
    #[inline]
    fn choices<K: Needs>(&self, mut needs: K) -> (K, RangeInclusive<u8>) {
        let (mut fewest, mut most) = (0, self.size);
        for i in 0..usize::from(self.constraints) {
            needs.begin(self.slots[i], self.begins[i]);
            let need = needs.get(self.slots[i]);
            fewest = fewest.max(need.saturating_sub(self.room[i]));
            most = most.min(need);
        }
        (needs, fewest..=most)
    }

    /// The state that these mines in the box lead to.
    #[inline]
    fn after<K: Needs>(&self, mut needs: K, mines: u8) -> K {
        self.slots[..usize::from(self.constraints)]
            .iter()
            .for_each(|&slot| needs.take(slot, mines));
        needs
    }
}
