//! Arms of a bandit: which one to sample next, and which one to take in the end.

use rand::RngExt;

use super::select::Ucb1;
use crate::rng::Rng;

/// What the samples of an arm came to, as one player sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArmValue {
    /// The mean reward.
    pub mean: f64,
    pub visits: u32,
}

/// The place of the arm to sample next: one without visits, else the highest upper bound of UCB1; among equals any.
/// `all_visits` are those of all arms together.
pub fn arm_to_sample(arms: impl Iterator<Item = ArmValue>, all_visits: u32, rng: &mut Rng) -> usize {
    any_of_best(arms.map(|arm| (Ucb1::upper_bound(arm.mean, arm.visits, all_visits), 0)), rng)
}

/// The place of the arm to take: the highest mean, among equals the most visits, then any.
pub fn arm_to_take(arms: impl Iterator<Item = ArmValue>, rng: &mut Rng) -> usize {
    any_of_best(arms.map(|arm| (arm.mean, arm.visits)), rng)
}

/// The place of the highest value, of several each with the same chance.
pub fn any_of_best(values: impl Iterator<Item = (f64, u32)>, rng: &mut Rng) -> usize {
    let (mut best, mut place, mut equals) = ((f64::NEG_INFINITY, 0), 0, 0_u32);
    for (index, value) in values.enumerate() {
        if equals == 0 || value > best {
            (best, place, equals) = (value, index, 1);
        } else if value == best {
            equals += 1;
            if rng.random_range(0..equals) == 0 {
                place = index;
            }
        }
    }
    place
}
