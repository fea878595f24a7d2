//! Evaluates the candidates of a guess, to explain why a player chose as it did.

use super::adviser::Odds;
use crate::ahead::{Influence, LookScratch, Scored, TwoStep};
use crate::player::{ChordValues, Foresight, Outcomes, ValueModel};
use crate::solver::{
    Analysis, Budget, CountError, Endgame, EndgameCells, EndgameLimits, Weighting,
};
use crate::{Cell, FirstClick, View};

/// The maximum number of candidates that two-step safety selects. The best cell of an endgame may
/// be added.
const CANDIDATES: usize = 12;
/// The minimum safety of a candidate, as a fraction of the highest safety.
const CUT: f64 = 0.8;
/// Endgames within these limits are searched exactly; a search takes at most some tenths of a
/// second.
const ENDGAME: EndgameLimits = EndgameLimits {
    layouts: 1_000,
    nodes: 50_000,
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
    /// The expected win probability if this cell is opened, 0 to 1. It is exact if
    /// [`Judged::is_exact`] is true. Otherwise it is the estimate of the value model, or `None`
    /// without a model or beyond the solver's limits.
    pub win: Option<f64>,
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
    /// The win probability of the position, 0 to 1, computed in the same way as [`Candidate::win`].
    /// It is also `None` before the first click, since the model was not trained on that position.
    pub win: Option<f64>,
    /// Whether the win probabilities are exact, that is, those of optimal play. This is the case
    /// for guesses near the end of a game.
    pub is_exact: bool,
    /// The candidates, best first. The list is empty if a cell is proved safe, and before the first
    /// click.
    pub candidates: Vec<Candidate>,
}

/// Evaluates positions one after another, and keeps scratch memory between positions.
pub struct Judge {
    analysis: Analysis,
    foresight: Option<Foresight>,
    scratch: LookScratch,
    influence: Influence,
    endgame: Endgame,
    /// The exact values of the last evaluated position, if it is an endgame.
    exact: Option<EndgameCells>,
}

impl Judge {
    /// Creates a judge that estimates win probabilities with `model`.
    pub fn new(model: Option<ValueModel>) -> Self {
        Self {
            analysis: Analysis::new(),
            foresight: model.map(Foresight::new),
            scratch: LookScratch::default(),
            influence: Influence::default(),
            endgame: Endgame::default(),
            exact: None,
        }
    }

    /// Evaluates a position.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn judge(&mut self, view: &View, budget: &mut Budget) -> Result<Judged, CountError> {
        let odds = Odds::count(&mut self.analysis, view, budget)?;
        Ok(self.judge_counted(odds, budget))
    }

    /// Starts a game. [`Judge::odds`] then counts the positions of the game in order.
    pub fn begin(&mut self, view: &View) {
        self.analysis.begin(view.grid(), view.mines());
    }

    /// Counts the layouts of the next position of a game and returns its mine probabilities.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn odds(&mut self, view: &View, budget: &mut Budget) -> Result<Odds, CountError> {
        Odds::count_next(&mut self.analysis, view, budget)
    }

    /// Evaluates the position that was counted last; `odds` are its mine probabilities.
    pub fn judge_counted(&mut self, odds: Odds, budget: &mut Budget) -> Judged {
        let is_first = self.is_untouched();
        self.exact = None;
        let mut candidates = Vec::new();
        if !is_first && self.analysis.safe().is_empty() && self.analysis.unknown() > 0 {
            candidates = self.candidates(&odds, budget);
        }
        // The value of the best guess is a better estimate than the value model's estimate for the
        // position itself.
        let best = candidates.first().and_then(|candidate| candidate.win);
        let win = best.or_else(|| {
            let foresight = self.foresight.as_mut().filter(|_| !is_first)?;
            foresight.win(&mut self.analysis, budget)
        });
        Judged {
            odds,
            win,
            is_exact: self.exact.is_some(),
            candidates,
        }
    }

    /// Returns the candidates of a guess, best first.
    fn candidates(&mut self, odds: &Odds, budget: &mut Budget) -> Vec<Candidate> {
        let mine = self.analysis.guesses();
        TwoStep {
            cut: CUT,
            ..TwoStep::default()
        }
        .look(&mut self.analysis, &mine, CANDIDATES, &mut self.scratch);
        self.exact = self
            .analysis
            .endgame_cells(&mut self.endgame, ENDGAME, budget)
            .ok()
            .flatten();
        let scored = self.scratch.scored.clone();
        let mut candidates: Vec<Candidate> = scored
            .into_iter()
            .map(|scored| self.weigh(scored, odds, false, budget))
            .collect();
        if let Some(cell) = self.exact.as_ref().and_then(best_cell)
            && candidates.iter().all(|candidate| candidate.cell != cell)
        {
            candidates.extend(self.candidate(cell, odds, FirstClick::Any, budget));
        }
        let value = |candidate: &Candidate| candidate.win.unwrap_or(candidate.safety);
        candidates.sort_by(|a, b| value(b).total_cmp(&value(a)));
        candidates
    }

    fn is_untouched(&self) -> bool {
        self.analysis.unknown() == self.analysis.grid().board().cells()
    }

    /// Evaluates opening several covered cells at once in the position that was counted last.
    /// `shown` holds their numbers, or is `None` if one of them is a mine. Returns `None` beyond
    /// the solver's limits.
    pub fn chord(
        &mut self,
        cells: &[Cell],
        shown: Option<&[u8]>,
        budget: &mut Budget,
    ) -> Option<Chord> {
        let ln_layouts = self.analysis.ln_layouts(budget).ok()?;
        let mut supposed = Analysis::new();
        supposed.follow(&self.analysis);
        let safe = match supposed.learn(cells, &[]) {
            Ok(()) => libm::exp(supposed.ln_layouts(budget).ok()? - ln_layouts),
            // These cells are not all safe in any layout.
            Err(_) => 0.0,
        };
        let model = self.foresight.as_mut();
        Some(Chord {
            mine: 1.0 - safe,
            values: model.and_then(|model| model.chord(&mut self.analysis, cells, shown, budget)),
        })
    }

    /// Returns true if a cell of the last evaluated position is half of a 50/50 that no play can
    /// avoid, and false for a known cell.
    pub fn is_unavoidable(&mut self, cell: Cell, budget: &mut Budget) -> bool {
        self.analysis.is_unknown(cell)
            && self
                .influence
                .is_unavoidable(&self.analysis, cell, budget)
                .unwrap_or(false)
    }

    /// Evaluates one cell of the last evaluated position; returns `None` if the cell is known or
    /// the position exceeds the solver's limits.
    pub fn candidate(
        &mut self,
        cell: Cell,
        odds: &Odds,
        rule: FirstClick,
        budget: &mut Budget,
    ) -> Option<Candidate> {
        if !self.analysis.is_unknown(cell) {
            return None;
        }
        let mut only = vec![f64::NAN; odds.mine.len()];
        only[cell.index()] = odds.mine[cell.index()];
        TwoStep::default().look(&mut self.analysis, &only, 1, &mut self.scratch);
        let scored = *self.scratch.scored.first()?;
        let is_promised = self.is_untouched() && rule != FirstClick::Any;
        Some(self.weigh(scored, odds, is_promised, budget))
    }

    fn weigh(
        &mut self,
        scored: Scored,
        odds: &Odds,
        is_promised: bool,
        budget: &mut Budget,
    ) -> Candidate {
        let Scored { cell, ahead, .. } = scored;
        let model = self.foresight.as_mut();
        let outcomes =
            model.and_then(|model| model.outcomes(&mut self.analysis, cell, is_promised, budget));
        let exact = self.exact.as_ref();
        Candidate {
            cell,
            mine: odds.mine[cell.index()],
            progress: ahead.certain,
            safety: ahead.safety,
            win: exact
                .and_then(|exact| value_of(exact, cell))
                .or_else(|| outcomes.map(|outcomes| outcomes.expected)),
            outcomes,
            numbers: ahead.numbers,
        }
    }
}

fn value_of(exact: &EndgameCells, cell: Cell) -> Option<f64> {
    let &(_, won) = exact.won.iter().find(|&&(other, _)| other == cell)?;
    Some(f64::from(won) / f64::from(exact.layouts))
}

/// Returns the first cell among those with the best value.
fn best_cell(exact: &EndgameCells) -> Option<Cell> {
    let most = exact.won.iter().map(|&(_, won)| won).max()?;
    let best = exact.won.iter().find(|&&(_, won)| won == most);
    best.map(|&(cell, _)| cell)
}

/// Returns a minimal set of open cells that contradict each other: without any one of them the rest
/// is consistent. The search removes cells that the contradiction does not need, larger groups
/// first. If the budget runs out, it returns the set found so far, which may not be minimal. The
/// set is empty if no contradiction is found.
pub fn conflict(view: &View, budget: &mut Budget) -> Vec<Cell> {
    let mut analysis = Analysis::new();
    let mut contradicts = |cells: &[Cell]| {
        let mut part = View::new(view.grid().clone(), view.mines());
        for &cell in cells {
            part.open(cell, view.number(cell)?).ok()?;
        }
        if analysis.read(&part).is_err() {
            return Some(true);
        }
        match analysis.probabilities(Weighting::Posterior, budget) {
            Err(CountError::Contradiction(_)) => Some(true),
            Ok(_) => Some(false),
            Err(_) => None,
        }
    };
    let mut cells = view.opened().to_vec();
    if contradicts(&cells) != Some(true) {
        return Vec::new();
    }
    let mut size = cells.len();
    while size > 0 {
        let mut at = 0;
        while at < cells.len() {
            let mut fewer = cells.clone();
            fewer.drain(at..(at + size).min(cells.len()));
            match contradicts(&fewer) {
                Some(true) => cells = fewer,
                Some(false) => at += size,
                None => return cells,
            }
        }
        size /= 2;
    }
    cells
}
