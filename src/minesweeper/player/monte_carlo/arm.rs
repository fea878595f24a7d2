//! An arm of MAC-UCB: a cell, what of its value is known exactly, and what its samples came to.

use super::next_stage::NextStage;
use super::stage::{MINE, OUTCOMES};
use crate::Cell;
use mineflow_search::Ucb1;
use mineflow_search::bandit::ArmValue;

/// A cell and what came of the samples that opened it.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) cell: Cell,
    /// The chance of each number, then of a mine.
    pub(super) shown: [f64; OUTCOMES],
    /// By number: the next stage, where it was solved.
    next: [Option<NextStage>; MINE],
    /// Highest reward that is possible: the sum over the numbers of their chance times the safety of the next move.
    bound: f64,
    samples: u32,
    /// By number: samples that say what the rest of the game is worth, and how many of them were won.
    tried: [u32; MINE],
    won: [u32; MINE],
}

/// What the samples of all arms came to, each arm counting as far as they are alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// The share of the samples of all arms that were won, among those that say something.
    pub(super) mean: f64,
    /// Samples that this share counts as in each arm.
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

    /// Takes in the next stage for every number that may be shown.
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

    /// The next stage after `number`, where it was solved.
    pub(super) fn next(&self, number: usize) -> Option<&NextStage> {
        self.next.get(number)?.as_ref()
    }

    /// Takes in a sample in which the cell showed `outcome`; `None` says that it ended where the risk is known exactly.
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

    /// No policy that opens the cell can be worth more.
    pub(super) fn bound(&self) -> f64 {
        self.bound
    }

    /// Whether its value is known.
    pub(super) fn is_exact(&self) -> bool {
        (0..MINE).all(|number| self.shown[number] == 0.0 || self.is_won(number))
    }

    /// The expected reward: what is known exactly of each number, times the share of samples that were won after it. A number
    /// that no sample has shown counts as the others do together.
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
            visits: self.samples,
        }
    }

    /// UCB1, with this many samples of all arms.
    pub(super) fn upper_bound(&self, common: Common, samples: u32) -> f64 {
        if self.is_exact() {
            return self.mean(common);
        }
        let visits = self.samples + common.weight as u32;
        Ucb1::upper_bound(self.mean(common), visits, samples.max(1))
    }

    fn safety(&self, number: usize) -> f64 {
        self.next[number].as_ref().map_or(1.0, |next| next.safety)
    }

    /// Whether the number leaves no cell unknown.
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

    /// A cell that shows 0 in half of all layouts, 1 in a quarter, and is a mine in the rest.
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
        // 0 wins half of its games; 1 wasn't shown yet and counts as the others do.
        assert_eq!(arm.mean(ALONE), 0.5 * 0.5 + 0.25 * 0.5);
        arm.add(1, Some(true));
        assert_eq!(arm.mean(ALONE), 0.5 * 0.5 + 0.25);
        assert_eq!(
            arm.upper_bound(ALONE, 10),
            0.5 + (2.0 * 10.0_f64.ln() / 5.0).sqrt()
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
        // A sample whose next move hits a mine says nothing of what follows two safe ones.
        [Some(true), None, Some(false)]
            .iter()
            .for_each(|&won| arm.add(0, won));
        assert_eq!((arm.samples(), arm.is_exact()), (3, false));
        assert_eq!(arm.mean(ALONE), 0.5 * 0.8 * 0.5 + 0.25);
        // Two samples of its own, half of them won, and six that all arms have in common.
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
