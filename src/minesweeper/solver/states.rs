//! The states of a component along an elimination order and the transitions between them, without any counts.
//!
//! They are found once, by hashing; the counts are then summed along the transitions as often as needed, a few layers of
//! states at a time. States from which no layout can be completed are left out.

use super::budget::Budget;
use super::counting::CHOOSE;
use super::elimination::{Layer, Needs, Plan, Step, Uncounted};
use super::number::{Count, Wide};

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
    pub(super) fewest: u16,
    most: u16,
}

impl MineRange {
    #[inline]
    pub(super) fn len(self) -> usize {
        usize::from(self.most - self.fewest) + 1
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

/// The only state before the first step.
const ROOT: &[MineRange] = &[MineRange { fewest: 0, most: 0 }];

impl States {
    /// Finds the states of the component whose steps `plan` holds, with at most `most_mines` mines, in at most `memory`
    /// bytes. Each costs a node.
    pub(super) fn find(plan: &Plan, most_mines: usize, memory: usize, budget: &mut Budget) -> Result<Self, Uncounted> {
        let most_mines = most_mines.min(usize::from(u16::MAX)) as u16;
        let mut states = Self { steps: Vec::with_capacity(plan.steps.len()), bytes: 0 };
        match plan.slots_needed {
            slots if slots <= u64::SLOTS => states.expand::<u64>(&plan.steps, most_mines, memory, budget)?,
            slots if slots <= u128::SLOTS => states.expand::<u128>(&plan.steps, most_mines, memory, budget)?,
            _ => states.expand::<[u128; 2]>(&plan.steps, most_mines, memory, budget)?,
        }
        states.leave_out_dead_ends();
        Ok(states)
    }

    /// Memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The states before step `step`, or after the last.
    pub(super) fn before(&self, step: usize) -> &[MineRange] {
        if step == 0 { ROOT } else { &self.steps[step - 1].states }
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
            step.edges.iter().for_each(|&edge| after[edge.to()].add_scaled(&ways[edge.from()], step.ways(edge)));
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
            for (from, (needs, before)) in std::mem::take(&mut layer.from).into_iter().zip(&states).enumerate() {
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
                    edges.push(Edge { from: from as u32, to_and_mines: (to as u32) << 4 | u32::from(mines) });
                }
                budget.spend(1)?;
                // What is kept of the step, and the table that finds its states.
                let bytes = size_of_val(&edges[..]) + after.len() * (size_of::<MineRange>() + 3 * size_of::<K>() + 64);
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

    /// Leaves out the states from which none of the last layer is reached. A state that stays keeps all its edges from
    /// before, and so its range of mines.
    fn leave_out_dead_ends(&mut self) {
        const DEAD: u32 = u32::MAX;
        self.bytes = 0;
        // What becomes of the states after the step: their new places.
        let mut places: Vec<u32> = vec![0];
        for at in (0..self.steps.len()).rev() {
            let mut before = vec![DEAD; self.before(at).len()];
            let step = &mut self.steps[at];
            let mut edges = std::mem::take(&mut step.edges).into_vec();
            edges.retain(|edge| places[edge.to()] != DEAD);
            edges.iter().for_each(|edge| before[edge.from()] = 0);
            let alive = before.iter_mut().filter(|place| **place != DEAD);
            alive.zip(0..).for_each(|(place, new)| *place = new);
            for edge in &mut edges {
                *edge = Edge { from: before[edge.from()], to_and_mines: places[edge.to()] << 4 | edge.mines() };
            }
            step.edges = edges.into_boxed_slice();
            let states = step.states.iter().zip(&places).filter(|&(_, &place)| place != DEAD);
            step.states = states.map(|(&state, _)| state).collect();
            self.bytes += size_of_val(&*step.edges) + size_of_val(&*step.states);
            places = before;
        }
    }
}

impl Step {
    /// A state as the step finds it, its constraints begun, and the mines that its box may have.
    #[inline]
    fn choices<K: Needs>(&self, mut needs: K) -> (K, std::ops::RangeInclusive<u8>) {
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
        self.slots[..usize::from(self.constraints)].iter().for_each(|&slot| needs.take(slot, mines));
        needs
    }
}
