//! What is proven of a state and of the actions in it.

use crate::player::arms::ActionArm;

/// What the first player gets at least and at most under best play of both.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Bounds {
    pub(super) const OPEN: Self = Self { low: 0.0, high: 1.0 };

    pub(super) fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// The bounds of the actions of the one player with a choice, by place.
pub(super) struct Proofs {
    pub(super) role: usize,
    /// As that player sees them.
    pub(super) bounds: Vec<Bounds>,
    /// The action with the highest lower bound, of several that with the highest upper bound.
    pub(super) best: usize,
}

impl Proofs {
    /// The mean of an arm within its bounds, and whether another one is proven to be no worse.
    pub(super) fn value(&self, role: usize, place: usize, arm: &ActionArm) -> (f64, bool) {
        if role != self.role {
            return (arm.mean(role), false);
        }
        let Bounds { low, high } = self.bounds[place];
        (arm.mean(role).clamp(low, high), place != self.best && high <= self.bounds[self.best].low)
    }

    /// The arms among which to decide: those that no other is proven to beat, and of them, unless all are asked for, those
    /// with the highest mean within their bounds.
    pub(super) fn candidates<'a>(&self, role: usize, arms: &'a [ActionArm], all: bool) -> Vec<&'a ActionArm> {
        if role != self.role {
            return arms.iter().collect();
        }
        let least = self.bounds[self.best].low;
        let value = |(place, arm): (usize, &'a ActionArm)| {
            let Bounds { low, high } = self.bounds[place];
            let possible = high > least || low == least && self.bounds[self.best].is_exact();
            let known = arm.visits > 0 || low == high;
            let value = if all { 0.0 } else { arm.mean(role).clamp(low, high) };
            (possible, if known { value } else { f64::NEG_INFINITY }, arm)
        };
        let values: Vec<_> = arms.iter().enumerate().map(value).filter(|&(possible, ..)| possible).collect();
        let best = values.iter().map(|&(_, value, _)| value).fold(f64::NEG_INFINITY, f64::max);
        values.into_iter().filter(|&(_, value, _)| value == best).map(|(.., arm)| arm).collect()
    }
}
