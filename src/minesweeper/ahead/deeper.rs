//! One guess more ahead than two-step safety looks.

use super::living::is_worth_a_guess;
use super::two_step::{LookScratch, Scored, TwoStep};
use crate::Cell;
use crate::solver::{Analysis, Budget, CountError, TIE, Weighting};

/// Candidates that are looked at once more, and the least share of the best one's score that each has.
const ARMS: usize = 4;
const NEAR: f64 = 0.9;
/// The greatest share of the board's cells that may be unknown. In the frequent openings nothing is to be gained.
const UNKNOWN: f64 = 0.94;

/// Positions after a candidate and what two-step safety makes of them; kept for its memory.
#[derive(Clone, Debug, Default)]
pub struct Deeper {
    child: Analysis,
    mine: Vec<f64>,
    looking: LookScratch,
}

impl TwoStep {
    /// The candidate that the rule takes, [`TwoStep::look`] given `parent` and `mine`; `None` if there is no candidate.
    ///
    /// At depth 2 it is that of the best ones with the greatest sum, over the numbers that it may show, of their chance times the best
    /// score after it; ties to the better score.
    pub fn best(
        &self,
        parent: &mut Analysis,
        mine: &[f64],
        looking: &mut LookScratch,
        deeper: &mut Deeper,
    ) -> Option<Cell> {
        let cells = parent.grid().board().cells();
        if self.depth == 1 || parent.unknown() as f64 > UNKNOWN * cells as f64 {
            self.look(parent, mine, 1, looking);
            return looking.scored.first().map(|best| best.cell);
        }
        self.look(parent, mine, ARMS, looking);
        let first = looking.scored.first()?;
        let near = || looking.scored.iter().filter(|of| of.score >= NEAR * first.score);
        let mut best = (f64::NEG_INFINITY, first.cell);
        if near().count() < 2 {
            return Some(first.cell);
        }
        for of in near() {
            // A position beyond the limits of counting is left to the other candidates.
            if let Ok(score) = deeper.score(self, parent, of)
                && score > best.0 + TIE
            {
                best = (score, of.cell);
            }
        }
        Some(best.1)
    }
}

impl Deeper {
    /// The chance of each number that a candidate may show, times the best score then.
    fn score(&mut self, rule: &TwoStep, parent: &Analysis, of: &Scored) -> Result<f64, CountError> {
        let Self { child, mine, looking } = self;
        let mut sum = 0.0;
        for (number, &chance) in (0..).zip(&of.ahead.numbers).filter(|&(_, &chance)| chance > 0.0) {
            child.follow(parent);
            child.suppose(of.cell, number)?;
            child.probabilities(Weighting::Posterior, &mut Budget::unlimited())?;
            if child.unknown() == 0 || child.safe().iter().any(|&cell| is_worth_a_guess(rule.living, child, cell)) {
                sum += chance * (1.0 + rule.bonus);
                continue;
            }
            mine.clone_from(&child.counted().mine);
            rule.look(child, mine, 1, looking);
            sum += chance * looking.scored.first().map_or(0.0, |best| best.score);
        }
        Ok(sum)
    }
}
