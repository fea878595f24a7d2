//! Judges each move of a game.

use super::{
    ClickKind, Replay, ReplayError,
    play::Referee,
    review::{Judgement, Mark, Review, ReviewedMove, Verdict},
};
use crate::{
    Cell, FirstClick, Minefield, Status,
    play::{Compared, Judge, Odds, SavedGame},
    player::Reason,
    solver::{Budget, CountError, TIE},
};

/// The losses from which on a guess is an inaccuracy and a mistake, in wins.
const SMALL: f64 = 0.02;
const LARGE: f64 = 0.05;

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
            let proof =
                (made.reason == Reason::Certain).then(|| Judgement::proved(Verdict::Certain));
            reviewer.open(None, ClickKind::Open, None, made.cells.clone(), proof);
        }
        reviewer.finish()
    }
}

impl Judgement {
    /// Returns the judgement of a move that is proved safe.
    const fn proved(verdict: Verdict) -> Self {
        Self {
            verdict,
            mine: Some(0.0),
            win: None,
            win_error: None,
            after: None,
            best: None,
            loss: None,
            loss_error: None,
            mark: None,
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
        let odds = self.odds()?;
        let is_safe = |&cell: &Cell| odds.mine(cell) == Some(0.0);
        if cells.iter().all(is_safe) {
            let is_first = self.referee.view().opened().is_empty();
            return Some(Judgement::proved(match is_first {
                true => Verdict::FirstClick,
                false => Verdict::Certain,
            }));
        }
        self.judge_guess(cells, odds)
    }

    /// Judges opening these covered cells at once, of which one may be a mine.
    fn judge_guess(&mut self, cells: &[Cell], odds: Odds) -> Option<Judgement> {
        let view = self.referee.view();
        let is_first = view.opened().is_empty();
        let rule = self.kept_promise(cells[0]);
        let is_safe = |cell: &Cell| odds.mine(*cell) == Some(0.0);
        let mut uncertain = cells.to_vec();
        uncertain.retain(|cell| !is_safe(cell));
        let has_safe = view.covered().any(|cell| is_safe(&cell));
        let known = self.judge.judge_counted(view, odds, self.budget);
        let opening = self.opening(&uncertain, &known.odds, rule)?;
        let is_single = cells.len() == 1;
        let is_unavoidable = is_single && self.judge.is_unavoidable(cells[0], self.budget);
        // No other guess is better than an unavoidable 50/50.
        let equal = known.best.filter(|_| is_unavoidable);
        let choice = equal.as_ref().map_or(cells, std::slice::from_ref);
        let compared = match is_first {
            true => None,
            false => self
                .judge
                .compare(&known, (choice, 1.0 - opening.mine), self.budget),
        };
        let win = compared.map_or(known.win, |compared| compared.win);
        let after = compared.and_then(|compared| compared.after);
        let is_exact = known.is_exact && is_single && after.is_some();
        let is_even = is_unavoidable
            || is_exact && (opening.mine - 0.5).abs() < TIE && win <= Some(0.5) && win <= after;
        let verdict = match opening.mine {
            _ if is_first => Verdict::FirstClick,
            1.0 => Verdict::KnownMine,
            _ if has_safe => Verdict::Needless,
            _ if is_even => Verdict::FiftyFifty,
            _ => Verdict::Guess,
        };
        let is_best = known.best == Some(cells[0]) && is_single;
        let compared = compared.filter(|_| is_best || win.is_some());
        let least = known.odds.least().unwrap_or(0.0);
        let is_good = (is_best || is_exact && win <= after) && opening.mine > least + TIE;
        let worse = compared.and_then(Compared::mark);
        Some(Judgement {
            verdict,
            mine: (!is_first || rule == FirstClick::Any).then_some(opening.mine),
            win,
            win_error: compared.map(|compared| compared.win_error),
            after,
            best: known.best.zip(win),
            loss: compared.map(|compared| compared.loss),
            loss_error: compared.map(|compared| compared.error),
            mark: match verdict {
                Verdict::FirstClick | Verdict::Certain => None,
                Verdict::KnownMine | Verdict::Needless => Some(Mark::Blunder),
                Verdict::FiftyFifty => Some(Mark::Forced),
                _ if worse.is_none() && self.judge.is_indifferent(&known, SMALL, self.budget) => {
                    Some(Mark::Forced)
                }
                Verdict::Guess => worse.or(is_good.then_some(Mark::Good)),
            },
            luck: opening.luck,
            is_exact,
        })
    }

    /// Counts the layouts of the position; returns `None` beyond the solver's limits or the budget.
    fn odds(&mut self) -> Option<Odds> {
        if self.is_exhausted {
            return None;
        }
        let odds = self.judge.odds(self.referee.view(), self.budget);
        self.is_exhausted = matches!(odds, Err(CountError::Exhausted(_)));
        odds.ok()
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

    /// Judges opening cells that may be mines; returns `None` beyond the solver's limits or the
    /// budget.
    fn opening(&mut self, cells: &[Cell], odds: &Odds, rule: FirstClick) -> Option<Opening> {
        match cells {
            _ if cells.iter().any(|&cell| odds.mine(cell) == Some(1.0)) => Some(Opening {
                mine: 1.0,
                luck: None,
            }),
            &[cell] => Some(self.single(cell, odds, rule)),
            _ => self.several(cells),
        }
    }

    fn single(&mut self, cell: Cell, odds: &Odds, rule: FirstClick) -> Opening {
        let candidate = self.judge.candidate(cell, odds, rule, self.budget);
        let is_first = self.referee.view().opened().is_empty();
        let outcomes = candidate.as_ref().and_then(|candidate| candidate.outcomes);
        Opening {
            mine: odds.mine(cell).unwrap_or(0.0),
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
        let chord = self.judge.chord(cells, shown.as_deref(), self.budget)?;
        Some(Opening {
            mine: chord.mine,
            luck: chord.values.map(|values| values.seen - values.expected),
        })
    }
}

impl Compared {
    /// Returns the mark of a guess that loses this much, or `None` if no loss is shown.
    fn mark(self) -> Option<Mark> {
        match self.loss {
            loss if loss <= self.error => None,
            LARGE.. => Some(Mark::Mistake),
            SMALL.. => Some(Mark::Inaccuracy),
            _ => None,
        }
    }
}

/// The evaluation of opening cells that are not proved safe.
struct Opening {
    /// The probability that at least one of the cells is a mine.
    mine: f64,
    luck: Option<f64>,
}
