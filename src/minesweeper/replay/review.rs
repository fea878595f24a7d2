//! Judges each move of a game.

use super::play::Referee;
use super::{ClickKind, Replay, ReplayError};
use crate::play::{Judge, Odds, SavedGame};
use crate::player::Reason;
use crate::solver::{Budget, CountError, TIE};
use crate::{Cell, FirstClick, Minefield, Status, View};

/// The classification of a move, given what was known before the move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// All cells of the move were provably safe.
    Certain,
    /// The first click of the game.
    FirstClick,
    /// A 50/50 guess that no play can avoid. It is recognised in a pair or square of cells that no
    /// number can settle ([`Judge::is_unavoidable`]), and near the end of the game if optimal play
    /// wins at most half of the layouts and this guess is optimal. Other 50/50 guesses are not
    /// recognised.
    FiftyFifty,
    /// A guess in a position without a provably safe cell.
    Guess,
    /// A guess in a position that had a provably safe cell.
    Needless,
    /// A move that provably hits a mine: one of the cells was a known mine, or every consistent
    /// layout has a mine among the cells of a chord.
    KnownMine,
}

impl Verdict {
    /// All verdicts, from the best to the worst.
    pub const ALL: [Self; 6] = [
        Self::Certain,
        Self::FirstClick,
        Self::FiftyFifty,
        Self::Guess,
        Self::Needless,
        Self::KnownMine,
    ];

    /// Returns the name of the verdict in JSON and tables.
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
    /// The loss in expected win probability relative to the best cell; `None` for a first click.
    pub loss: Option<f64>,
    /// The luck of a guess or a first click: the value of its outcome minus the expected value,
    /// both by the value model, as in `pipeline eval --luck-corrected`. The expected luck is 0 for
    /// any play.
    pub luck: Option<f64>,
    /// Whether `win`, `after` and `best` are exact values of optimal play; otherwise they are
    /// estimates of the value model.
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
/// the game, and otherwise an estimate of the value model. If the first click contradicts the
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

impl Replay {
    /// Judges every move. Moves in positions beyond `budget` or the solver's limits get no
    /// judgement.
    ///
    /// # Errors
    /// Returns the errors of [`Replay::play`].
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
    /// Judges every decision. Decisions in positions beyond `budget` or the solver's limits get no
    /// judgement.
    pub fn review(&self, judge: &mut Judge, budget: &mut Budget) -> Review {
        let mut reviewer = Reviewer::new(&self.field, self.first_click, judge, budget);
        for made in &self.moves {
            // A player's proof is valid even if the judge's budget is used up.
            let proof = (made.reason == Reason::Certain).then(Judgement::certain);
            reviewer.open(None, ClickKind::Open, None, made.cells.clone(), proof);
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
}

/// Replays a game and judges its moves.
struct Reviewer<'a> {
    referee: Referee,
    first_click: FirstClick,
    judge: &'a mut Judge,
    budget: &'a mut Budget,
    /// Whether a position exceeded the budget. Later positions are then not judged.
    is_exhausted: bool,
    moves: Vec<ReviewedMove>,
}

impl<'a> Reviewer<'a> {
    fn new(
        field: &Minefield,
        first_click: FirstClick,
        judge: &'a mut Judge,
        budget: &'a mut Budget,
    ) -> Self {
        let referee = Referee::new(field.clone());
        judge.begin(referee.view());
        Self {
            referee,
            first_click,
            judge,
            budget,
            is_exhausted: false,
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

    /// Applies a click; a click that changes nothing is not a move.
    fn click(&mut self, seconds: Option<f64>, kind: ClickKind, cell: Cell) {
        match kind {
            ClickKind::Open => self.open(seconds, kind, None, vec![cell], None),
            ClickKind::Chord => {
                let cells = self.referee.chorded(cell);
                self.open(seconds, kind, Some(cell), cells, None);
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

    /// Opens the covered cells among `cells`, by a click on `chorded` or, if that is `None`, on the
    /// first of these cells. `proof` is the judgement to use if the judge returns none.
    fn open(
        &mut self,
        seconds: Option<f64>,
        kind: ClickKind,
        chorded: Option<Cell>,
        mut cells: Vec<Cell>,
        proof: Option<Judgement>,
    ) {
        cells.retain(|&cell| self.referee.is_covered(cell));
        let Some(&first) = cells.first() else {
            return;
        };
        if self.referee.status() != Status::Playing {
            return;
        }
        let before = self.referee.view().opened().len();
        let judgement = self.judge(&cells).or(proof);
        let hit = self.referee.open(cells.clone());
        self.moves.push(ReviewedMove {
            seconds,
            kind,
            cell: chorded.unwrap_or(first),
            opened: self.referee.view().opened()[before..].to_vec(),
            cells,
            hit,
            judgement,
        });
    }

    /// Judges opening these covered cells at once; returns `None` beyond the solver's limits or the
    /// budget.
    fn judge(&mut self, cells: &[Cell]) -> Option<Judgement> {
        if self.is_exhausted {
            return None;
        }
        let view = self.referee.view();
        let is_first = view.opened().is_empty();
        let rule = self.kept_promise(cells[0]);
        let odds = match self.judge.odds(view, self.budget) {
            Ok(odds) => odds,
            Err(CountError::Exhausted(_)) => {
                self.is_exhausted = true;
                return None;
            }
            Err(_) => return None,
        };
        let is_promised = is_first && rule != FirstClick::Any;
        let mine = |cell: Cell| odds.mine(cell).unwrap_or(0.0);
        let uncertain: Vec<Cell> = cells
            .iter()
            .copied()
            .filter(|&cell| mine(cell) > 0.0)
            .collect();
        let safe = view.covered().find(|&cell| mine(cell) == 0.0);
        let Some(&first) = uncertain.first() else {
            let verdict = if is_first {
                Verdict::FirstClick
            } else {
                Verdict::Certain
            };
            return Some(Judgement {
                verdict,
                ..Judgement::certain()
            });
        };
        let has_known_mine = uncertain.iter().any(|&cell| mine(cell) == 1.0);
        let known = self.judge.judge_counted(odds, self.budget);
        let Opening { mine, after, luck } = if has_known_mine {
            Opening {
                mine: 1.0,
                after: Some(0.0),
                luck: None,
            }
        } else if uncertain.len() > 1 {
            self.several(&uncertain)?
        } else {
            self.single(first, &known.odds, rule)
        };
        // Opening a safe cell does not change the win probability.
        let best = safe.zip(known.win).or_else(|| {
            let candidate = known.candidates.first()?;
            Some((candidate.cell, candidate.win?))
        });
        let mut is_even = || {
            uncertain.len() == 1
                && (self.judge.is_unavoidable(first, self.budget)
                    || known.is_exact && is_even_at_best(mine, known.win, after))
        };
        let verdict = if is_first {
            Verdict::FirstClick
        } else if mine == 1.0 {
            Verdict::KnownMine
        } else if safe.is_some() {
            Verdict::Needless
        } else if is_even() {
            Verdict::FiftyFifty
        } else {
            Verdict::Guess
        };
        let loss = best
            .zip(after)
            .filter(|_| !is_first)
            .map(|((_, most), after)| (most - after).max(0.0));
        Some(Judgement {
            verdict,
            mine: (!is_promised).then_some(mine),
            win: known.win,
            after,
            best,
            loss,
            luck,
            is_exact: known.is_exact && uncertain.len() == 1,
        })
    }

    /// Returns the first-click rule of the game, weakened if a first click on `cell` contradicts
    /// it.
    fn kept_promise(&self, cell: Cell) -> FirstClick {
        match (self.first_click, self.referee.number(cell)) {
            (_, None) => FirstClick::Any,
            (FirstClick::Opening, Some(1..)) => FirstClick::Safe,
            (rule, _) => rule,
        }
    }

    fn single(&mut self, cell: Cell, odds: &Odds, rule: FirstClick) -> Opening {
        let candidate = self.judge.candidate(cell, odds, rule, self.budget);
        let is_first = self.referee.view().opened().is_empty();
        let outcomes = candidate.as_ref().and_then(|candidate| candidate.outcomes);
        Opening {
            mine: odds.mine(cell).unwrap_or(0.0),
            after: candidate.and_then(|candidate| candidate.win),
            // If the rule guarantees an opening, the first click always shows 0, which is not luck.
            luck: outcomes
                .filter(|_| !(is_first && rule == FirstClick::Opening))
                .map(|outcomes| {
                    let shown = self.referee.number(cell);
                    let seen = shown.map_or(0.0, |number| outcomes.values[usize::from(number)]);
                    seen - outcomes.expected
                }),
        }
    }

    /// Judges opening several cells, none of which is proved safe; returns `None` beyond the
    /// solver's limits or the budget.
    fn several(&mut self, cells: &[Cell]) -> Option<Opening> {
        let shown: Option<Vec<u8>> = cells
            .iter()
            .map(|&cell| self.referee.number(cell))
            .collect();
        let chord = self.judge.chord(cells, shown.as_deref(), self.budget);
        let values = chord?.values;
        Some(Opening {
            mine: chord?.mine,
            after: values.map(|values| values.expected),
            luck: values.map(|values| values.seen - values.expected),
        })
    }
}

/// The evaluation of opening cells that are not proved safe.
struct Opening {
    /// The probability that at least one of the cells is a mine.
    mine: f64,
    after: Option<f64>,
    luck: Option<f64>,
}

/// Returns whether the guess is a 50/50 and optimal in a position whose win probability is at most
/// one half.
fn is_even_at_best(mine: f64, win: Option<f64>, after: Option<f64>) -> bool {
    let is_best = win
        .zip(after)
        .is_some_and(|(win, after)| win <= 0.5 + TIE && win - after < TIE);
    (mine - 0.5).abs() < TIE && is_best
}
