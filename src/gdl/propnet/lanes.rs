//! The values of all slots for `64 * W` states at once: bit `l % 64` of word `l / 64` belongs to
//! lane `l`.

use super::circuit::Wire;
use super::compile::{Needs, Propnet, Segment};
use crate::state::{GameState, ones};

/// One bit per lane.
pub(super) type Words<const W: usize> = [u64; W];

pub(super) struct LaneValues<'n, const W: usize> {
    pub(super) net: &'n Propnet,
    values: Vec<Words<W>>,
    next: Vec<Words<W>>,
}

impl<'n, const W: usize> LaneValues<'n, W> {
    pub(super) fn new(net: &'n Propnet) -> Self {
        Self {
            net,
            values: vec![[0; W]; net.slots],
            next: vec![[0; W]; net.fluents()],
        }
    }

    /// Returns the values of a wire in all lanes.
    pub(super) fn read(&self, wire: Wire) -> Words<W> {
        let flip = flip(wire);
        self.values[wire.node()].map(|word| word ^ flip)
    }

    /// Sets an input for all lanes.
    pub(super) fn set(&mut self, slot: usize, words: Words<W>) {
        self.values[slot] = words;
    }

    /// Sets an input to true in one lane.
    pub(super) fn raise_one(&mut self, slot: usize, lane: usize) {
        self.values[slot][lane / 64] |= 1 << (lane % 64);
    }

    /// Makes `state` the next state of a lane. [`Self::advance`] then makes it the current state.
    pub(super) fn restart(&mut self, lane: usize, state: &GameState) {
        let word = lane / 64;
        let bit = lane % 64;
        for (fluent, next) in self.next.iter_mut().enumerate() {
            next[word] = next[word] & !(1 << bit) | u64::from(state.holds(fluent)) << bit;
        }
    }

    /// Returns the current state of a lane.
    pub(super) fn state(&self, lane: usize) -> GameState {
        GameState::new(self.net.fluents(), |fluent| {
            is_set(self.values[1 + fluent], lane)
        })
    }

    /// Computes the next states from the inputs of the actions. The outputs `done` must have been
    /// evaluated by [`Self::evaluate`] before.
    pub(super) fn evaluate_next(&mut self, done: Needs) {
        self.evaluate(Needs::NEXT, done);
        for (fluent, &wire) in self.net.next.iter().enumerate() {
            self.next[fluent] = self.read(wire);
        }
    }

    /// Makes the next states the current states.
    pub(super) fn advance(&mut self) {
        self.values[1..=self.next.len()].copy_from_slice(&self.next);
    }

    /// Evaluates the outputs `wanted` of the current states. The outputs `done` must have been
    /// evaluated before.
    pub(super) fn evaluate(&mut self, wanted: Needs, done: Needs) {
        let segments = self.net.segments.iter();
        for segment in
            segments.filter(|segment| segment.needs.meets(wanted) && !segment.needs.meets(done))
        {
            for (slot, _) in &segment.feedback {
                self.values[*slot] = [0; W];
            }
            loop {
                self.gates(segment);
                let mut changed = false;
                for &(slot, wire) in &segment.feedback {
                    let now = self.read(wire);
                    changed |= now != self.values[slot];
                    self.values[slot] = now;
                }
                if !changed {
                    break;
                }
            }
        }
    }

    fn gates(&mut self, segment: &Segment) {
        let first = self.net.first_gate + segment.start;
        for (place, &[one, other]) in self.net.gates[segment.start..segment.end]
            .iter()
            .enumerate()
        {
            let left = self.read(one);
            let right = self.read(other);
            self.values[first + place] = std::array::from_fn(|word| left[word] & right[word]);
        }
    }
}

const fn flip(wire: Wire) -> u64 {
    0_u64.wrapping_sub(wire.is_inverted() as u64)
}

/// Returns the bit of a lane.
pub(super) fn is_set<const W: usize>(words: Words<W>, lane: usize) -> bool {
    words[lane / 64] >> (lane % 64) & 1 == 1
}

/// Returns the lanes whose bit is set.
pub(super) fn lanes_of<const W: usize>(words: Words<W>) -> impl Iterator<Item = usize> {
    ones(words)
}
