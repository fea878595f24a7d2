//! The order in which the boxes of a component are eliminated, and the states that occur.
//!
//! After some boxes have been eliminated, a state consists of what each open constraint (begun and
//! not finished) still needs. Every open constraint has a slot of four bits in a word; a finished
//! constraint frees its slot.

use std::ops::RangeInclusive;

use super::{
    error::CountError,
    frontier::{ANY, Component, Frontier},
};

/// Layers with at least this many states look them up by hashing.
const HASH_FROM: usize = 12;

/// The remaining needs of the open constraints, four bits each. By default no constraint is open.
pub(super) trait Needs: Copy + Eq + Default {
    const SLOTS: usize;
    fn get(self, slot: u8) -> u8;
    /// Adds `need` to the slot.
    fn begin(&mut self, slot: u8, need: u8);
    /// Subtracts `mines` from the slot.
    fn take(&mut self, slot: u8, mines: u8);
    fn hash(self) -> u64;
}

macro_rules! needs {
    ($int:ty, $slots:expr, |$value:ident| $fold:expr) => {
        impl Needs for $int {
            const SLOTS: usize = $slots;
            fn get(self, slot: u8) -> u8 {
                (self >> (4 * slot)) as u8 & 15
            }
            fn begin(&mut self, slot: u8, need: u8) {
                *self += Self::from(need) << (4 * slot);
            }
            fn take(&mut self, slot: u8, mines: u8) {
                *self -= Self::from(mines) << (4 * slot);
            }
            fn hash(self) -> u64 {
                let $value = self;
                let folded: u64 = $fold;
                folded.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }
        }
    };
}

needs!(u64, 16, |value| value);
needs!(u128, 32, |value| value as u64
    ^ ((value >> 64) as u64).rotate_left(29));

impl Needs for [u128; 2] {
    const SLOTS: usize = 64;

    fn get(self, slot: u8) -> u8 {
        self[usize::from(slot / 32)].get(slot % 32)
    }

    fn begin(&mut self, slot: u8, need: u8) {
        self[usize::from(slot / 32)].begin(slot % 32, need);
    }

    fn take(&mut self, slot: u8, mines: u8) {
        self[usize::from(slot / 32)].take(slot % 32, mines);
    }

    fn hash(self) -> u64 {
        (self[0].hash() ^ self[1].hash().rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Maximum number of constraints that may be open at a time.
pub(super) const MAX_OPEN: usize = <[u128; 2]>::SLOTS;

/// One box in elimination order, with its constraints as slots of [`Needs`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub size: u8,
    pub constraints: u8,
    pub slots: [u8; 8],
    /// The need of each constraint that begins with this box, otherwise 0.
    pub begins: [u8; 8],
    /// For each constraint, its number of cells in later boxes; if its need is [`ANY`], a value
    /// large enough to force no mine.
    pub room: [u8; 8],
}

impl Step {
    /// Starts the constraints that begin with this step; returns the resulting state and the range
    /// of the number of mines that the box may have.
    #[inline]
    pub(super) fn choices<K: Needs>(&self, mut needs: K) -> (K, RangeInclusive<u8>) {
        let mut fewest = 0;
        let mut most = self.size;
        for i in 0..usize::from(self.constraints) {
            needs.begin(self.slots[i], self.begins[i]);
            let need = needs.get(self.slots[i]);
            fewest = fewest.max(need.saturating_sub(self.room[i]));
            most = most.min(need);
        }
        (needs, fewest..=most)
    }

    /// Returns the state after placing `mines` in the box.
    #[inline]
    pub(super) fn after<K: Needs>(&self, mut needs: K, mines: u8) -> K {
        for &slot in &self.slots[..usize::from(self.constraints)] {
            needs.take(slot, mines);
        }
        needs
    }
}

/// An elimination order of one component as steps, independent of the number type.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub steps: Vec<Step>,
    pub component: Component,
    pub slots_needed: usize,
    /// The slot of the constraint of [`ANY`] need. The constraint keeps this slot until all boxes
    /// are eliminated; the remaining need then gives the number of mines of the constraint.
    pub any_slot: Option<u8>,
    /// The slot of each constraint, and its number of cells that are in no step yet.
    slot_of: Vec<u8>,
    room_of: Vec<u8>,
    free: Vec<u8>,
}

const NO_SLOT: u8 = u8::MAX;

impl Plan {
    /// Converts the boxes `order` of a component into steps; fails if more than [`MAX_OPEN`]
    /// constraints are open at a time.
    pub fn lay_out(
        &mut self,
        frontier: &Frontier,
        component: Component,
        order: &[u16],
    ) -> Result<(), CountError> {
        self.component = component;
        self.steps.clear();
        self.free.clear();
        self.slots_needed = 0;
        self.any_slot = None;
        self.slot_of
            .resize(self.slot_of.len().max(frontier.constraints.len()), NO_SLOT);
        self.room_of.resize(self.slot_of.len(), 0);
        for &b in order {
            let cells = &frontier.boxes[b as usize];
            let constraints = cells.constraints.as_slice();
            let mut step = Step {
                size: cells.size() as u8,
                constraints: constraints.len() as u8,
                ..Step::default()
            };
            for (i, &c) in constraints.iter().enumerate() {
                let c = c as usize;
                if self.slot_of[c] == NO_SLOT {
                    step.begins[i] = frontier.constraints[c].need;
                    self.room_of[c] = frontier.constraints[c].cells(&frontier.boxes);
                    self.slot_of[c] = self.free.pop().unwrap_or(self.slots_needed as u8);
                    self.slots_needed = self.slots_needed.max(self.slot_of[c] as usize + 1);
                    if self.slots_needed > MAX_OPEN {
                        self.slot_of.fill(NO_SLOT);
                        return Err(component.too_hard());
                    }
                }
                self.room_of[c] -= step.size;
                step.slots[i] = self.slot_of[c];
                step.room[i] = if frontier.constraints[c].need == ANY {
                    ANY
                } else {
                    self.room_of[c]
                };
            }
            // A finished constraint needs 0. Its slot thus holds 0 and can be given to another
            // constraint, but only from the next step on.
            for &c in constraints {
                if self.room_of[c as usize] == 0 {
                    let slot = std::mem::replace(&mut self.slot_of[c as usize], NO_SLOT);
                    match frontier.constraints[c as usize].need {
                        ANY => self.any_slot = Some(slot),
                        _ => self.free.push(slot),
                    }
                }
            }
            self.steps.push(step);
        }
        Ok(())
    }
}

/// The states before and after a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer<K> {
    pub from: Vec<K>,
    pub to: Vec<K>,
    /// Open-addressing hash table of the states of `to`. An entry is a stamp and the index of a
    /// state; it is empty if its stamp is not the current one.
    table: Vec<(u32, u32)>,
    stamp: u32,
    hashed: bool,
}

impl<K: Needs> Layer<K> {
    /// Starts with the state in which no constraint is open.
    pub fn begin(&mut self) {
        self.to.clear();
        self.to.push(K::default());
    }

    /// Starts a step: the states after the last step become those before this one.
    pub fn advance(&mut self) {
        std::mem::swap(&mut self.from, &mut self.to);
        self.to.clear();
        self.hashed = false;
    }

    /// Returns the index in `to` of the state with these needs; adds it if it is new.
    #[inline]
    pub fn find_or_insert(&mut self, needs: K) -> usize {
        if self.to.len() < HASH_FROM {
            return self.to.iter().position(|&k| k == needs).unwrap_or_else(|| {
                self.to.push(needs);
                self.to.len() - 1
            });
        }
        if !self.hashed || self.to.len() * 2 > self.table.len() {
            self.rehash();
            self.hashed = true;
        }
        let slot = self.probe(needs);
        if self.table[slot].0 != self.stamp {
            self.table[slot] = (self.stamp, self.to.len() as u32);
            self.to.push(needs);
        }
        self.table[slot].1 as usize
    }

    /// Returns the hash-table slot that holds `needs`, or the free one where it belongs.
    fn probe(&self, needs: K) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = (needs.hash() >> 32) as usize & mask;
        while self.table[slot].0 == self.stamp && self.to[self.table[slot].1 as usize] != needs {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn rehash(&mut self) {
        let size = (self.to.len() * 4).next_power_of_two();
        if self.table.len() < size {
            self.table.clear();
            self.table.resize(size, (0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
        for state in 0..self.to.len() {
            let slot = self.probe(self.to[state]);
            self.table[slot] = (self.stamp, state as u32);
        }
    }
}
