//! What each move of a game was worth.

use super::play::Referee;
use super::{ClickKind, Replay, ReplayError};
use crate::play::{Judge, SavedGame};
use crate::player::Reason;
use crate::solver::Budget;
use crate::{Cell, FirstClick, Minefield, Status, View};

/// What kind of decision it was to open a cell. In ascending order of blame, so that the verdict on a chord is the greatest of its cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// The cell was provably safe.
    Certain,
    /// The first click of the game.
    FirstClick,
    /// A guess in a 50/50 that no play can avoid or settle ([`Judge::is_unavoidable`]).
    FiftyFifty,
    /// A guess in a position without a safe cell.
    Guess,
    /// A guess in a position that had a provably safe cell.
    Needless,
    /// The cell was provably a mine.
    KnownMine,
}

impl Verdict {
    /// All verdicts in ascending order.
    pub const ALL: [Self; 6] = [
        Self::Certain,
        Self::FirstClick,
        Self::FiftyFifty,
        Self::Guess,
        Self::Needless,
        Self::KnownMine,
    ];

    /// The name of the verdict in JSON and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::FirstClick => "first-click",
            Self::FiftyFifty => "50/50",
            Self::Guess => "guess",
            Self::Needless => "needless",
            Self::KnownMine => "known-mine",
        }
    }
}

/// The judgement of a move that opened cells. Probabilities and losses are from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The probability that the move hits a mine; `None` for a promised first click and beyond the limits of counting.
    pub mine: Option<f64>,
    /// The probability of a win before the move; `None` for a certain one.
    pub win: Option<f64>,
    /// The expected probability of a win after the move.
    pub after: Option<f64>,
    /// The best cell of the position, with the expected probability of a win after it.
    pub best: Option<(Cell, f64)>,
    /// How much worse than the best cell the move was.
    pub loss: Option<f64>,
    /// What a guess or a first click turned out to be worth, less its expectation, both by the value model. It has the mean 0 for any play.
    pub luck: Option<f64>,
    /// Whether `win`, `after` and `best` are exact, those of optimal play, instead of estimates of the value model.
    pub is_exact: bool,
}

/// A move of a game: a click that changed the position, or a decision of a program that opened several cells.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove {
    /// The time since the recording began, in seconds; `None` for kept games, which have no times.
    pub seconds: Option<f64>,
    pub kind: ClickKind,
    /// The cell that was clicked, the first of several.
    pub cell: Cell,
    /// The cells that it asked to open or to flag. For a chord these are the covered neighbours without a flag.
    pub cells: Vec<Cell>,
    /// The safe cells that it opened, in order.
    pub opened: Vec<Cell>,
    /// The mine that it hit.
    pub hit: Option<Cell>,
    /// `None` for flags and in positions beyond the limits of counting.
    pub judgement: Option<Judgement>,
}

/// A game with the judgement of its moves.
///
/// The judge counts all layouts that fit what the player saw, so mine probabilities and verdicts are exact. The probability of a win is
/// exact in guesses near the end, and an estimate of the value model before. A chord on several uncertain cells is judged as if these
/// were opened one after another, which has the same expected loss.
#[derive(Clone, Debug)]
pub struct Review {
    pub moves: Vec<ReviewedMove>,
    /// How the game stands at the end; [`Status::Playing`] if the player gave up.
    pub status: Status,
    /// What the player saw at the end.
    pub view: View,
}

impl Review {
    fn judgements(&self) -> impl Iterator<Item = &Judgement> {
        self.moves.iter().filter_map(|made| made.judgement.as_ref())
    }

    /// What mistakes cost: the sum of all losses, in wins.
    pub fn loss(&self) -> f64 {
        sum(self.judgements().filter_map(|judged| judged.loss))
    }

    /// What luck gave: the sum of the luck of all guesses, in wins.
    pub fn luck(&self) -> f64 {
        sum(self.judgements().filter_map(|judged| judged.luck))
    }

    /// The result without luck: 1 for a win or 0, less the luck. Its mean over many games is the win ratio of the player, and it varies
    /// less than the results do.
    pub fn corrected_result(&self) -> f64 {
        f64::from(u8::from(self.status == Status::Won)) - self.luck()
    }

    /// The probability to survive all the guesses that were made.
    pub fn survival(&self) -> f64 {
        self.judgements()
            .filter_map(|judged| judged.mine)
            .map(|mine| 1.0 - mine)
            .product()
    }

    /// The number of moves with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.judgements()
            .filter(|judged| judged.verdict == verdict)
            .count()
    }
}

/// The sum of an empty iterator is 0, not -0.
fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

impl Replay {
    /// Judges every move. Positions that `budget` or the limits of counting leave out get no judgement.
    ///
    /// # Errors
    /// As [`Replay::play`].
    pub fn review(&self, judge: &mut Judge, budget: &mut Budget) -> Result<Review, ReplayError> {
        self.play()?;
        let mut reviewer = Reviewer::new(&self.field, self.first_click, judge, budget);
        for click in &self.clicks {
            reviewer.click(Some(click.seconds), click.kind, click.cell);
        }
        Ok(reviewer.finish())
    }
}

impl SavedGame {
    /// Judges every decision. Positions that `budget` or the limits of counting leave out get no judgement.
    pub fn review(&self, judge: &mut Judge, budget: &mut Budget) -> Review {
        let mut reviewer = Reviewer::new(&self.field, self.first_click, judge, budget);
        for made in &self.moves {
            reviewer.open(None, ClickKind::Open, made.cells[0], made.cells.clone());
            // The proofs of a player hold where the judge's budget is used up, too.
            if let Some(last) = reviewer.moves.last_mut()
                && last.judgement.is_none()
                && made.reason == Reason::Certain
            {
                last.judgement = Some(Judgement::certain());
            }
        }
        reviewer.finish()
    }
}

impl Judgement {
    const fn certain() -> Self {
        Self {
            verdict: Verdict::Certain,
            mine: Some(0.0),
            win: None,
            after: None,
            best: None,
            loss: None,
            luck: None,
            is_exact: false,
        }
    }

    /// Adds the judgement of a cell that the same chord opened next.
    fn join(&mut self, next: &Self) {
        let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b).or(a).or(b);
        if next.loss > self.loss {
            self.best = next.best;
        }
        self.verdict = self.verdict.max(next.verdict);
        self.mine = match (self.mine, next.mine) {
            (Some(mine), Some(then)) => Some(1.0 - (1.0 - mine) * (1.0 - then)),
            (mine, then) => mine.or(then),
        };
        self.after = next.after.or(self.after);
        self.loss = sum(self.loss, next.loss);
        self.luck = sum(self.luck, next.luck);
        self.is_exact &= next.is_exact;
    }
}

/// Plays a game and judges it on the way.
struct Reviewer<'a> {
    referee: Referee,
    first_click: FirstClick,
    judge: &'a mut Judge,
    budget: &'a mut Budget,
    moves: Vec<ReviewedMove>,
}

impl<'a> Reviewer<'a> {
    fn new(
        field: &Minefield,
        first_click: FirstClick,
        judge: &'a mut Judge,
        budget: &'a mut Budget,
    ) -> Self {
        Self {
            referee: Referee::new(field.clone()),
            first_click,
            judge,
            budget,
            moves: Vec::new(),
        }
    }

    fn finish(self) -> Review {
        Review {
            moves: self.moves,
            status: self.referee.status(),
            view: self.referee.view().clone(),
        }
    }

    /// Does what a click says; a click that changes nothing is no move.
    fn click(&mut self, seconds: Option<f64>, kind: ClickKind, cell: Cell) {
        match kind {
            ClickKind::Open => self.open(seconds, kind, cell, vec![cell]),
            ClickKind::Chord => {
                let cells = self.referee.chorded(cell);
                self.open(seconds, kind, cell, cells);
            }
            ClickKind::Flag | ClickKind::Unflag => {
                if self.referee.flag(cell, kind == ClickKind::Flag) {
                    self.moves.push(ReviewedMove {
                        seconds,
                        kind,
                        cell,
                        cells: vec![cell],
                        opened: Vec::new(),
                        hit: None,
                        judgement: None,
                    });
                }
            }
        }
    }

    fn open(&mut self, seconds: Option<f64>, kind: ClickKind, cell: Cell, mut cells: Vec<Cell>) {
        cells.retain(|&cell| self.referee.is_covered(cell));
        if cells.is_empty() || self.referee.status() != Status::Playing {
            return;
        }
        let before = self.referee.view().opened().len();
        let mut judgement: Option<Judgement> = None;
        let mut hit = None;
        let mut left = cells.as_slice();
        while !left.is_empty() && hit.is_none() {
            let (count, judged) = match self.judge(left) {
                Some((count, judged)) => (count, Some(judged)),
                None => (left.len(), None),
            };
            let (now, later) = left.split_at(count);
            hit = self.referee.open(now.to_vec());
            match (&mut judgement, judged) {
                (Some(judgement), Some(judged)) => judgement.join(&judged),
                (None, judged) => judgement = judged,
                (Some(_), None) => {}
            }
            let opened = later
                .iter()
                .take_while(|&&cell| !self.referee.is_covered(cell));
            left = &later[opened.count()..];
        }
        self.moves.push(ReviewedMove {
            seconds,
            kind,
            cell,
            opened: self.referee.view().opened()[before..].to_vec(),
            cells,
            hit,
            judgement,
        });
    }

    /// Judges opening these covered cells now: all of them if they are safe, otherwise the first. Returns how many it judged; `None` beyond
    /// the limits of counting.
    fn judge(&mut self, cells: &[Cell]) -> Option<(usize, Judgement)> {
        let cell = *cells.first()?;
        let view = self.referee.view();
        let is_first = view.opened().is_empty();
        let known = self.judge.judge(view, self.budget).ok()?;
        let is_safe = |&cell: &Cell| known.odds.mine(cell) == Some(0.0);
        let is_promised = is_first && self.first_click != FirstClick::Any;
        if !is_promised && cells.iter().all(is_safe) {
            return Some((cells.len(), Judgement::certain()));
        }
        let mine = known.odds.mine(cell).filter(|_| !is_promised);
        let candidate = self
            .judge
            .candidate(cell, &known.odds, self.first_click, self.budget);
        let safe = view.covered().find(|cell| is_safe(cell));
        let verdict = match mine {
            _ if is_first => Verdict::FirstClick,
            // Of a chord, a safe cell between others.
            Some(0.0) => Verdict::Certain,
            Some(1.0) => Verdict::KnownMine,
            _ if safe.is_some() => Verdict::Needless,
            _ if self.judge.is_unavoidable(cell, self.budget) => Verdict::FiftyFifty,
            _ => Verdict::Guess,
        };
        let after = match mine {
            Some(0.0) => known.win,
            Some(1.0) => Some(0.0),
            _ => candidate.as_ref().and_then(|candidate| candidate.win),
        };
        // A safe cell costs nothing: the probability of a win stays what it is.
        let best = safe.zip(known.win).or_else(|| {
            let values = known
                .candidates
                .iter()
                .filter_map(|candidate| Some((candidate.cell, candidate.win?)));
            values.max_by(|a, b| a.1.total_cmp(&b.1))
        });
        let loss = best
            .zip(after)
            .filter(|_| !is_first)
            .map(|((_, most), after)| (most - after).max(0.0));
        // An opening shows a 0 for sure.
        let luck = candidate
            .filter(|_| !(is_first && self.first_click == FirstClick::Opening))
            .and_then(|candidate| candidate.outcomes)
            .map(|outcomes| {
                let shown = self.referee.number(cell);
                shown.map_or(0.0, |number| outcomes.values[usize::from(number)]) - outcomes.expected
            });
        let judgement = Judgement {
            verdict,
            mine,
            win: known.win,
            after,
            best,
            loss,
            luck,
            is_exact: known.is_exact,
        };
        Some((1, judgement))
    }
}
