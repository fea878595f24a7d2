//! Learning rate schedules.

use burn::lr_scheduler::linear::LinearLrSchedulerConfig;

/// A learning rate that is constant and then, over the last rounds, decays linearly to 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The learning rate before the decay.
    pub learning_rate: f64,
    /// The number of rounds of the whole training run.
    pub rounds: u64,
    /// The share of the rounds, 0 to 1, over which the rate decays, rounded up to whole rounds: 0
    /// for no decay, 1 for decay from the first step on.
    pub decay: f64,
}

impl Schedule {
    /// Creates a schedule with a constant learning rate.
    pub const fn constant(learning_rate: f64) -> Self {
        Self {
            learning_rate,
            rounds: 1,
            decay: 0.0,
        }
    }

    /// Returns the learning rate at the start of a round, counted from 0.
    pub fn at(&self, round: u64) -> f64 {
        self.learning_rate * self.factor(round)
    }

    /// Returns the learning rates of the batches of a round, which has at least one batch.
    pub(super) fn of_round(&self, round: u64, batches: usize) -> impl Iterator<Item = f64> {
        let round = round.min(self.rounds.saturating_sub(1));
        // Schedules the factor instead of the rate, because burn's scheduler accepts no rate above
        // 1.
        let mut scheduler = LinearLrSchedulerConfig::new(
            self.factor(round),
            self.factor(round + 1),
            batches,
        )
        .init()
        .expect(
            "no factor is above 1, that of a round's beginning is above 0, and a round has a batch",
        );
        let rate = self.learning_rate;
        std::iter::repeat_with(move || rate * scheduler.step().base())
    }

    /// Returns the factor of the learning rate at the start of a round.
    fn factor(&self, round: u64) -> f64 {
        let falling = (self.decay * self.rounds as f64).ceil();
        let left = self.rounds.saturating_sub(round) as f64;
        if left < falling { left / falling } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_stays_and_then_falls_in_a_straight_line_to_nothing() {
        let schedule = Schedule {
            learning_rate: 0.5,
            rounds: 4,
            decay: 0.5,
        };
        let of = |round| schedule.of_round(round, 4).take(4).collect::<Vec<_>>();
        assert_eq!((of(0), of(1)), (vec![0.5; 4], vec![0.5; 4]));
        assert_eq!(of(2), [0.5, 0.4375, 0.375, 0.3125]);
        assert_eq!(of(3), [0.25, 0.1875, 0.125, 0.0625]);
        assert_eq!(
            [0, 2, 3, 4].map(|round| schedule.at(round)),
            [0.5, 0.5, 0.25, 0.0]
        );
    }

    #[test]
    fn a_single_pass_falls_from_its_first_step_on_or_never() {
        let of = |decay| {
            let schedule = Schedule {
                learning_rate: 1e-3,
                rounds: 1,
                decay,
            };
            schedule.of_round(0, 2).take(2).collect::<Vec<_>>()
        };
        assert_eq!(of(1.0), [1e-3, 5e-4]);
        assert_eq!(of(0.0), [1e-3, 1e-3]);
    }
}
