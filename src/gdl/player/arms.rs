//! The actions of one role in one state, and what came of them.

use rand::RngExt;

use crate::rng::Rng;

/// An action and the rewards of all roles in the play-outs that began with it.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) action: usize,
    pub(super) visits: u32,
    pub(super) sums: Box<[f64]>,
}

impl Arm {
    pub(super) fn new(action: usize, roles: usize) -> Self {
        Self { action, visits: 0, sums: vec![0.0; roles].into() }
    }

    pub(super) fn add(&mut self, rewards: &[f64]) {
        self.visits += 1;
        self.sums.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
    }

    pub(super) fn mean(&self, role: usize) -> f64 {
        self.sums[role] / f64::from(self.visits.max(1))
    }

    /// The upper confidence bound of UCB1, `mean + sqrt(2 ln n / n_i)` (Auer and others 2002).
    pub(super) fn upper_bound(&self, role: usize, all_visits: u32) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        self.mean(role) + (2.0 * f64::from(all_visits.max(1)).ln() / f64::from(self.visits)).sqrt()
    }
}

/// The place of the arm to try next: one without visits, else the highest upper bound; among equals any.
pub(super) fn to_try(arms: &[Arm], role: usize, rng: &mut Rng) -> usize {
    let all = arms.iter().map(|arm| arm.visits).sum();
    any_of_best(arms.iter().map(|arm| (arm.upper_bound(role, all), 0)), rng)
}

/// The place of the arm to take: the highest mean, among equals the most visits, then any.
pub(super) fn to_take(arms: &[Arm], role: usize, rng: &mut Rng) -> usize {
    let value = |arm: &Arm| if arm.visits == 0 { f64::NEG_INFINITY } else { arm.mean(role) };
    any_of_best(arms.iter().map(|arm| (value(arm), arm.visits)), rng)
}

fn any_of_best(values: impl Iterator<Item = (f64, u32)>, rng: &mut Rng) -> usize {
    let (mut best, mut place, mut equals) = ((f64::NEG_INFINITY, 0), 0, 0_u32);
    for (index, value) in values.enumerate() {
        if equals == 0 || value.0 > best.0 || value.0 == best.0 && value.1 > best.1 {
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
