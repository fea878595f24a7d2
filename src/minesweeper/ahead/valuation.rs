//! The values of the cells of a guess: exact near the end of a game, otherwise estimated by lines
//! of play on common layouts.

use rand::{RngExt, SeedableRng};

use super::{
    layout_playout::{Guesser, LayoutPlayout, Policy, lay},
    two_step::{LookScratch, TwoStep},
};
use crate::{
    Cell, CellSet, View,
    solver::{Analysis, Budget, CountError, Endgame, EndgameLimits, Layouts, TIE, Weighting},
};
use mineflow_rng::Rng;

/// Number of equal blocks of the layouts; a [`LineValue`] has a mean for each block.
pub const BLOCKS: usize = 8;
/// The limits within which values are exact.
const EXACT: EndgameLimits = EndgameLimits {
    layouts: 1_000,
    nodes: 200_000,
};
/// The limits within which optimal play ends a line.
const END: EndgameLimits = EndgameLimits {
    layouts: 100,
    nodes: 20_000,
};
/// Number of candidates of a guess that are kept whatever their score.
const CANDIDATES: usize = 8;
/// Maximum distance of a further candidate's score to the best score.
const WITHIN: f64 = 0.05;

/// Value of [`Lines::looks`] for scoring choices.
pub const SCORING_LOOKS: u32 = 2;

/// The settings of the lines of play that value cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Number of layouts, which are the same for every cell.
    pub layouts: u32,
    /// Number of first guesses of a line that look two steps ahead ([`TwoStep::of_living_cells`]);
    /// later guesses open the cell with the lowest mine probability.
    pub looks: u32,
}

/// The win probability if a cell is opened next, 0 to 1, as estimated by lines of play.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LineValue {
    /// The number of lines played, or 0 if the value is exact. A line is played on every layout in
    /// which the cell is safe; lines beyond the solver's limits don't count. A layout in which the
    /// cell is a mine has the value 0.
    pub tried: u32,
    pub value: f64,
    /// The standard error of `value`.
    pub error: f64,
    /// The value as estimated on the first eighth of the layouts, on the second, and so on.
    /// Differences between cells have small errors, as the layouts are common to all cells.
    pub blocks: [f64; BLOCKS],
}

/// Values the cells of one position after another, reusing its memory.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    analysis: Analysis,
    layouts: Layouts,
    looking: LookScratch,
    playout: LayoutPlayout,
    endgame: Endgame,
}

impl Valuation {
    /// Sets the position of a guess and computes its probabilities.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn read(&mut self, view: &View) -> Result<(), CountError> {
        let budget = &mut Budget::unlimited();
        self.analysis.read(view)?;
        self.analysis.probabilities(Weighting::Posterior, budget)?;
        self.analysis.layouts(&mut self.layouts, budget)
    }

    /// Returns the position of the guess, with its probabilities.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Returns the mine probability of an unknown cell.
    pub fn mine(&self, cell: Cell) -> f64 {
        self.analysis.counted().mine[cell.index()]
    }

    /// Returns the cells that two-step safety ranks highest: the eight best, and further ones
    /// within 0.05 of the best score.
    pub fn candidates(&mut self) -> Vec<Cell> {
        let mine = self.analysis.guesses();
        let looking = &mut self.looking;
        TwoStep::of_living_cells().look(&mut self.analysis, &mine, usize::MAX, looking);
        let best = looking.scored.first().map_or(0.0, |first| first.score);
        let scored = looking.scored.iter().enumerate();
        scored
            .take_while(|(rank, scored)| *rank < CANDIDATES || scored.score >= best - WITHIN)
            .map(|(_, scored)| scored.cell)
            .collect()
    }

    /// Returns, for each unknown cell, the exact probability of winning if that cell is opened next
    /// and play is then optimal. Returns `None` if there are more than 1,000 layouts or the search
    /// exceeds 200,000 nodes.
    pub fn exact(&mut self) -> Option<Vec<(Cell, f64)>> {
        let budget = &mut Budget::unlimited();
        let found = self
            .analysis
            .endgame_cells(&mut self.endgame, EXACT, budget);
        let found = found.ok().flatten()?;
        let share = |won: u32| f64::from(won) / f64::from(found.layouts);
        let won = found.won.iter();
        Some(won.map(|&(cell, won)| (cell, share(won))).collect())
    }

    /// Estimates the values of `cells` by lines of play. The layouts depend only on the position
    /// and `seed`. Thus the results are the same whether cells are valued together or one by one.
    pub fn by_lines(&mut self, cells: &[Cell], lines: Lines, seed: u64) -> Vec<LineValue> {
        let policy = Policy {
            looks: lines.looks,
            guesser: Guesser::LeastMine,
            end: END,
        };
        let rng = &mut Rng::seed_from_u64(seed);
        let count = self.analysis.grid().board().cells();
        let mut drawn = self.layouts.drawing();
        let mut mines = CellSet::new(count);
        let mut sums = vec![[BlockSum::default(); BLOCKS]; cells.len()];
        for number in 0..lines.layouts as usize {
            self.layouts.draw(&mut drawn, rng);
            lay(&drawn, count, &mut mines);
            let line_seed = rng.random();
            let block = number * BLOCKS / lines.layouts as usize;
            for (&cell, sums) in cells.iter().zip(&mut sums) {
                if mines.contains(cell) {
                    continue;
                }
                let rng = &mut Rng::seed_from_u64(line_seed);
                // A line that exceeds the solver's limits is ignored.
                if let Ok(value) = self
                    .playout
                    .value(&self.analysis, &[cell], &mines, policy, rng)
                {
                    sums[block].add(value);
                }
            }
        }
        let safety = |cell: Cell| 1.0 - self.mine(cell);
        let values = cells.iter().zip(&sums);
        values
            .map(|(&cell, sums)| BlockSum::value(sums, safety(cell)))
            .collect()
    }
}

/// The number of lines on a block of layouts, and the sums of their values and squared values.
#[derive(Clone, Copy, Default)]
struct BlockSum {
    tried: u32,
    sum: f64,
    squares: f64,
}

impl BlockSum {
    fn add(&mut self, value: f64) {
        self.tried += 1;
        self.sum += value;
        self.squares += value * value;
    }

    fn value(blocks: &[Self; BLOCKS], safety: f64) -> LineValue {
        let tried: u32 = blocks.iter().map(|block| block.tried).sum();
        let total = |part: fn(&Self) -> f64| blocks.iter().map(part).sum::<f64>();
        let n = f64::from(tried.max(1));
        let mean = total(|block| block.sum) / n;
        let variance = (total(|block| block.squares) / n - mean * mean).max(0.0);
        // A block in which the cell is never safe gets the mean of the other blocks.
        let of_block = |block: &Self| match block.tried {
            0 => safety * mean,
            tried => safety * block.sum / f64::from(tried),
        };
        LineValue {
            tried,
            value: safety * mean,
            error: safety * (variance / n).sqrt(),
            blocks: blocks.map(|block| of_block(&block)),
        }
    }
}

impl LineValue {
    /// Returns the exact value of a cell, looked up in the result of [`Valuation::exact`]. A known
    /// mine, which is not listed there, has the value 0.
    pub fn exact(values: &[(Cell, f64)], cell: Cell) -> Self {
        let found = values.iter().find(|(other, _)| *other == cell);
        let value = found.map_or(0.0, |&(_, value)| value);
        Self {
            tried: 0,
            value,
            error: 0.0,
            blocks: [value; BLOCKS],
        }
    }
}

/// Returns the loss of each cell against the best one, in wins. To avoid selection bias, the best
/// cell of each block is the one that is best in the other blocks. The mean over guesses is an
/// unbiased estimate of the loss against the cell that seven eighths of the layouts rate best. An
/// individual loss may be negative.
pub fn losses(values: &[LineValue]) -> Vec<f64> {
    let mut losses = vec![0.0; values.len()];
    for block in 0..BLOCKS {
        let others = |value: &LineValue| value.blocks.iter().sum::<f64>() - value.blocks[block];
        let best = values.iter().reduce(|best, value| {
            if others(value) > others(best) + TIE {
                value
            } else {
                best
            }
        });
        let best = best.map_or(0.0, |best| best.blocks[block]);
        for (loss, value) in losses.iter_mut().zip(values) {
            *loss += (best - value.blocks[block]) / BLOCKS as f64;
        }
    }
    losses
}
