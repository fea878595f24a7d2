//! The judgements of the moves of a game.

use super::ClickKind;
use crate::{Cell, Status, View};
use mineflow_store::named;

/// The classification of a move, given what was known before the move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// All cells of the move were provably safe.
    Certain,
    /// The first click of the game.
    FirstClick,
    /// A 50/50 guess that no play can avoid. It is recognised in a pair or square of cells that no
    /// number can settle, and near the end of the game if optimal play wins at most half of the
    /// layouts and this guess is optimal. Other 50/50 guesses are not recognised.
    FiftyFifty,
    /// A guess in a position without a provably safe cell.
    Guess,
    /// A guess in a position that had a provably safe cell.
    Needless,
    /// A move that provably hits a mine: one of the cells was a known mine, or every consistent
    /// layout has a mine among the cells of a chord.
    KnownMine,
}

// From the best to the worst.
named!(Verdict, "verdict": Certain = "certain", FirstClick = "first-click", FiftyFifty = "50/50",
    Guess = "guess", Needless = "needless", KnownMine = "known-mine");

/// The mark of a move that stands out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The move opened a proved mine, or guessed although a cell was proved safe.
    Blunder,
    /// A guess that loses 5 percentage points or more, beyond the error of the difference.
    Mistake,
    /// A guess that loses 2 to 5 percentage points, beyond the error of the difference.
    Inaccuracy,
    /// The best cell, although it was not the safest.
    Good,
    /// A 50/50 that no play can avoid, or a guess whose alternatives all have the same exact value,
    /// or none of whose at most four candidates loses 2 percentage points, as roll-outs show.
    Forced,
}

named!(Mark, "mark": Blunder = "blunder", Mistake = "mistake", Inaccuracy = "inaccuracy",
    Good = "good", Forced = "forced");

/// The judgement of a move that opened cells. Probabilities and losses are from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The probability that the move hits a mine; `None` for a first click that is guaranteed to be
    /// safe.
    pub mine: Option<f64>,
    /// The win probability before the move, which in a guess is that of the best cell; `None` for a
    /// move proved safe.
    pub win: Option<f64>,
    /// The expected win probability after the move.
    pub after: Option<f64>,
    /// The best cell of the position, and the expected win probability if it is opened.
    pub best: Option<(Cell, f64)>,
    /// The loss in win probability relative to the best cell; `None` for a first click, or if it is
    /// unknown.
    pub loss: Option<f64>,
    /// Half the width of the 95 % interval of the difference to the best cell; 0 for an exact loss.
    /// A loss whose estimate is within this error is 0 unless fresh roll-outs estimated it.
    pub loss_error: Option<f64>,
    pub mark: Option<Mark>,
    /// The luck of a guess or a first click: the value of its outcome minus the expected value,
    /// both by the value model, as in `pipeline eval --luck-corrected`. The expected luck is 0 for
    /// any play.
    pub luck: Option<f64>,
    /// Whether `win`, `after` and `best` are exact values of optimal play. Otherwise they are means
    /// of roll-outs if `loss_error` is above 0, and else rough estimates.
    pub is_exact: bool,
}

/// A move of a game: a click that changed the position, or a decision of a program that opened
/// several cells.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// The time since the recording began, in seconds; `None` for saved games, which have no times.
    pub seconds: Option<f64>,
    pub kind: ClickKind,
    /// The clicked cell; for a decision that opens several cells, the first cell.
    pub cell: Cell,
    /// The cells to open or to flag. For a chord these are the covered neighbours without a flag.
    pub cells: Vec<Cell>,
    /// The safe cells that the move opened, in order.
    pub opened: Vec<Cell>,
    /// The mine that the move hit, if any.
    pub hit: Option<Cell>,
    /// The judgement; `None` for flags and in positions beyond the solver's limits or the budget.
    pub judgement: Option<Judgement>,
}

/// A game with the judgement of its moves.
///
/// The judge counts all layouts that are consistent with what the player saw, so that mine
/// probabilities and verdicts are exact. The win probability is exact for guesses near the end of
/// the game, and otherwise an estimate; [`Judge`](crate::play::Judge) describes it. If the first click contradicts the
/// first-click rule, a weaker rule is assumed: a first click that hit a mine was not guaranteed to
/// be safe.
#[derive(Clone, Debug)]
pub struct Review {
    pub moves: Vec<ReviewedMove>,
    /// The status at the end; [`Status::Playing`] if the player gave up.
    pub status: Status,
    /// What the player saw at the end.
    pub view: View,
}

impl Review {
    fn judgements(&self) -> impl Iterator<Item = &Judgement> {
        self.moves.iter().filter_map(|made| made.judgement.as_ref())
    }

    /// Returns the sum of all losses, in wins.
    pub fn loss(&self) -> f64 {
        sum(self.judgements().filter_map(|judged| judged.loss))
    }

    /// Returns the sum of the luck of all guesses, in wins.
    pub fn luck(&self) -> f64 {
        sum(self.judgements().filter_map(|judged| judged.luck))
    }

    /// Returns the luck-corrected result: 1 for a win or 0 for a loss, minus the luck. Its expected
    /// value is the player's win rate, and its variance is lower than that of the uncorrected
    /// result.
    pub fn corrected_result(&self) -> f64 {
        f64::from(u8::from(self.status == Status::Won)) - self.luck()
    }

    /// Returns the probability of surviving all the guesses of the game.
    pub fn survival(&self) -> f64 {
        self.judgements()
            .filter_map(|judged| judged.mine)
            .map(|mine| 1.0 - mine)
            .product()
    }

    /// Returns the number of moves that opened cells and have no judgement. [`Review::loss`] and
    /// [`Review::luck`] ignore these moves.
    pub fn unjudged(&self) -> usize {
        self.moves
            .iter()
            .filter(|made| made.opens() && made.judgement.is_none())
            .count()
    }

    /// Returns the number of moves with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.judgements()
            .filter(|judged| judged.verdict == verdict)
            .count()
    }
}

impl ReviewedMove {
    /// Returns true if the move opens cells, and false if it sets or removes a flag.
    pub fn opens(&self) -> bool {
        matches!(self.kind, ClickKind::Open | ClickKind::Chord)
    }
}

/// Sums values; the sum of an empty iterator is 0, not -0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}
