//! What a [`Judge`](super::Judge) finds out about positions and choices.

use super::adviser::Odds;
use crate::{
    Cell,
    ahead::Rated,
    player::{ChordValues, Outcomes},
};

/// A candidate cell of a guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    pub cell: Cell,
    /// The mine probability of the cell.
    pub mine: f64,
    /// The probability that some cell is proved safe after the candidate is opened.
    pub progress: f64,
    /// The probability that this guess and the safest move after the guess are both safe.
    pub safety: f64,
    /// The expected win probability if this cell is opened, 0 to 1; `None` if it is unknown. It is
    /// exact if [`Judged::is_exact`] is true, and estimated by roll-outs if `rated` is known.
    /// Otherwise it is a rough estimate. It is at most that of the best cell.
    pub win: Option<f64>,
    /// The result of [`Judge::roll_out`](super::Judge::roll_out).
    pub rated: Option<Rated>,
    /// The value model's estimates for the numbers that the cell may show.
    pub outcomes: Option<Outcomes>,
    /// The probability that the cell shows each number, 0 to 8.
    pub numbers: [f64; 9],
}

/// The evaluation of opening several cells at once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chord {
    /// The probability that at least one of the cells is a mine.
    pub mine: f64,
    /// The value model's estimates, 0 to 1; `None` without a model or with too many outcomes.
    pub values: Option<ChordValues>,
}

/// The evaluation of a position.
#[derive(Clone, Debug)]
pub struct Judged {
    pub odds: Odds,
    /// The win probability of the position, 0 to 1, known in the same way as [`Candidate::win`]. It
    /// is `None` before the first click.
    pub win: Option<f64>,
    /// Whether the win probabilities are exact, that is, those of optimal play. This is the case
    /// where 11.0 plays optimally once it has opened the cells that are proved safe.
    pub is_exact: bool,
    /// The cell that 11.0 opens; `None` before the first click and beyond the solver's limits.
    pub best: Option<Cell>,
    /// The candidates, the best first. The list is empty if a cell is proved safe, and before the
    /// first click.
    pub candidates: Vec<Candidate>,
}

/// The comparison of a choice with the best cell. All values are from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Compared {
    /// The win probability after the best cell; `None` if the choice is the best cell of a position
    /// without an estimate.
    pub win: Option<f64>,
    /// Half the width of the 95 % interval of `win`; 0 if `win` is exact, or a rough estimate.
    pub win_error: f64,
    /// The win probability after the choice.
    pub after: Option<f64>,
    /// The loss; 0 if no loss is shown.
    pub loss: f64,
    /// Half the width of the 95 % interval of the difference.
    pub error: f64,
}

impl Compared {
    /// Compares a choice that is known to win with the probability `after`.
    pub(crate) fn certain(win: Option<f64>, after: Option<f64>) -> Self {
        let loss = win.zip(after).map_or(0.0, |(win, after)| win - after);
        Self {
            win,
            win_error: 0.0,
            after,
            loss,
            error: 0.0,
        }
    }
}
