//! An arm of MAC-UCB: a cell, the exactly known part of its value, and the results of its samples.

use super::next_stage::NextStage;
use super::stage::{MINE, OUTCOMES};
use crate::Cell;
use mineflow_search::Ucb1;
use mineflow_search::bandit::ArmValue;

/// A cell and the results of the samples that opened it.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) cell: Cell,
    /// The probability that the cell shows each number and, as the last entry, that it is a mine.
    pub(super) shown: [f64; OUTCOMES],
    /// The next stage for each number, if it was solved.
    next: [Option<NextStage>; MINE],
    /// An upper bound on the expected reward: the sum over the numbers of their probability times the safety of the next move.
    bound: f64,
    samples: u32,
    /// For each number that the cell may show, how many samples estimate the win rate of the rest of the game; `won` counts those that were
    /// won.
    tried: [u32; MINE],
    won: [u32; MINE],
}

/// Statistics pooled over the samples of all arms, used as a prior for each arm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// The win rate over the samples of all arms, except those that ended on a move whose risk is known exactly.
    pub(super) mean: f64,
    /// The number of samples that this win rate counts as in each arm.
    pub(super) weight: f64,
}

impl Common {
    pub(super) fn of(arms: &[Arm], weight: u32) -> Self {
        let sum = |of: fn(&Arm) -> u32| f64::from(arms.iter().map(of).sum::<u32>());
        let (won, tried) = (sum(Arm::won), sum(Arm::tried));
        Self {
            mean: if tried == 0.0 { 1.0 } else { won / tried },
            weight: weight.into(),
        }
    }
}

impl Arm {
    pub(super) fn new(cell: Cell, shown: [f64; OUTCOMES]) -> Self {
        let next = std::array::from_fn(|_| None);
        Self {
            cell,
            shown,
            next,
            bound: 1.0 - shown[MINE],
            samples: 0,
            tried: [0; MINE],
            won: [0; MINE],
        }
    }

    /// Solves the next stage for every number that may be shown.
    pub(super) fn look_ahead(&mut self, mut solve: impl FnMut(u8) -> NextStage) {
        for number in 0..MINE {
            if self.shown[number] > 0.0 && self.next[number].is_none() {
                self.next[number] = Some(solve(number as u8));
            }
        }
        self.bound = (0..MINE)
            .map(|number| self.shown[number] * self.safety(number))
            .sum();
    }

    /// Returns the next stage after `number`, if it was solved.
    pub(super) fn next(&self, number: usize) -> Option<&NextStage> {
        self.next.get(number)?.as_ref()
    }

    /// Adds a sample in which the cell showed `outcome`. `won` is `None` if the sample ended on a move whose risk is known exactly.
    pub(super) fn add(&mut self, outcome: usize, won: Option<bool>) {
        self.samples += 1;
        if let (Some(won), true) = (won, outcome != MINE) {
            self.tried[outcome] += 1;
            self.won[outcome] += u32::from(won);
        }
    }

    pub(super) fn samples(&self) -> u32 {
        self.samples
    }

    /// Returns an upper bound on the value of every policy that opens the cell.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    /// Returns whether the arm's value is known exactly.
    pub(super) fn is_exact(&self) -> bool {
        (0..MINE).all(|number| self.shown[number] == 0.0 || self.is_won(number))
    }

    /// Returns the expected reward: the sum over the numbers of the exactly known part times the win rate of the samples with that number.
    /// A number without samples gets the win rate over all other numbers of the arm. The statistics `common` are a prior on the win rate.
    pub(super) fn mean(&self, common: Common) -> f64 {
        let (tried, won) = (f64::from(self.tried()), f64::from(self.won()));
        let together = won / tried.max(1.0);
        let (mut known, mut bound, mut sampled) = (0.0, 0.0, 0.0);
        for number in (0..MINE).filter(|&number| self.shown[number] > 0.0) {
            let most = self.shown[number] * self.safety(number);
            if self.is_won(number) {
                known += most;
                continue;
            }
            let share = match self.tried[number] {
                0 => together,
                tried => f64::from(self.won[number]) / f64::from(tried),
            };
            bound += most;
            sampled += most * share;
        }
        if common.weight == 0.0 {
            return known + sampled;
        }
        known + (tried * sampled + common.weight * bound * common.mean) / (tried + common.weight)
    }

    pub(super) fn value(&self, common: Common) -> ArmValue {
        ArmValue {
            mean: self.mean(common),
            visits: self.samples.into(),
        }
    }

    /// Returns the UCB1 bound, or the value of the arm if it is known exactly. `samples` is the number of samples of all arms.
    pub(super) fn upper_bound(&self, common: Common, samples: u32) -> f64 {
        if self.is_exact() {
            return self.mean(common);
        }
        let visits = self.samples + common.weight as u32;
        Ucb1::upper_bound(self.mean(common), visits.into(), samples.max(1).into())
    }

    fn safety(&self, number: usize) -> f64 {
        self.next[number].as_ref().map_or(1.0, |next| next.safety)
    }

    /// Returns whether `number` leaves no unknown cell.
    fn is_won(&self, number: usize) -> bool {
        self.next[number].as_ref().is_some_and(|next| next.is_won)
    }

    fn tried(&self) -> u32 {
        self.tried.iter().sum()
    }

    fn won(&self) -> u32 {
        self.won.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an arm whose cell shows 0 in half of all layouts, 1 in a quarter, and is a mine in the rest.
    fn arm() -> Arm {
        let mut shown = [0.0; OUTCOMES];
        (shown[0], shown[1], shown[MINE]) = (0.5, 0.25, 0.25);
        Arm::new(Cell(0), shown)
    }

    const ALONE: Common = Common {
        mean: 0.0,
        weight: 0.0,
    };

    #[test]
    fn means_weigh_the_numbers_by_the_posterior() {
        let mut arm = arm();
        assert_eq!(arm.upper_bound(ALONE, 10), f64::INFINITY);
        let samples = [(0, true), (0, false), (MINE, false), (MINE, false)];
        samples
            .iter()
            .for_each(|&(shown, won)| arm.add(shown, Some(won)));
        // 0 wins half of its games; 1 has no samples and gets the win rate of the other numbers.
        assert_eq!(arm.mean(ALONE), 0.5 * 0.5 + 0.25 * 0.5);
        arm.add(1, Some(true));
        assert_eq!(arm.mean(ALONE), 0.5 * 0.5 + 0.25);
        assert_eq!(
            arm.upper_bound(ALONE, 10),
            0.5 + (2.0 * libm::log(10.0) / 5.0).sqrt()
        );
    }

    #[test]
    fn what_is_known_of_the_next_stage_replaces_samples() {
        let mut arm = arm();
        arm.look_ahead(|number| match number {
            0 => NextStage {
                safety: 0.8,
                cells: vec![Cell(1)],
                is_won: false,
            },
            _ => NextStage {
                safety: 1.0,
                cells: Vec::new(),
                is_won: true,
            },
        });
        assert_eq!(arm.bound(), 0.5 * 0.8 + 0.25);
        // A sample whose next move hits a mine says nothing about the game after two safe moves.
        [Some(true), None, Some(false)]
            .iter()
            .for_each(|&won| arm.add(0, won));
        assert_eq!((arm.samples(), arm.is_exact()), (3, false));
        assert_eq!(arm.mean(ALONE), 0.5 * 0.8 * 0.5 + 0.25);
        // The arm has two samples, half of them won; the pooled statistics count as six.
        let common = Common {
            mean: 0.9,
            weight: 6.0,
        };
        assert!(
            (arm.mean(common) - (0.5 * 0.8 * (2.0 * 0.5 + 6.0 * 0.9) / 8.0 + 0.25)).abs() < 1e-15
        );
    }

    #[test]
    fn an_arm_that_wins_whatever_it_shows_is_exact() {
        let mut arm = arm();
        arm.look_ahead(|_| NextStage {
            safety: 1.0,
            cells: Vec::new(),
            is_won: true,
        });
        assert!(arm.is_exact());
        assert_eq!((arm.mean(ALONE), arm.upper_bound(ALONE, 10)), (0.75, 0.75));
    }
}
