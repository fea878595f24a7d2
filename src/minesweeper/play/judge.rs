//! Evaluates the candidates of a guess by one authority: the player 11.0.
//!
//! The best cell of a position is the one that 11.0 opens. Near the end of a game, 11.0 plays
//! optimally, and the same search gives the exact win probability of each cell. Elsewhere, win
//! probabilities are first estimated: those of closed parts ([`ClosedParts`]) are exact and are
//! multiplied by the value model's estimate of the rest. [`Judge::roll_out`] and
//! [`Judge::compare`] replace the estimates by roll-outs of 11.0-fast on common layouts. The value
//! model judges no move. It estimates the luck of a guess, for which any model will do.

use super::{
    adviser::Odds,
    judged::{Candidate, Chord, Compared, Judged},
};
use crate::{
    Cell, FirstClick, View,
    ahead::{Choice, Closed, ClosedParts, Influence, LookScratch, Paired, Rated, Scored, TwoStep},
    player::{Foresight, GameStart, Player, PlayerSpec, Recipe, ValueModel},
    solver::{Analysis, Budget, CountError, Endgame, EndgameCells, EndgameLimits},
};
use mineflow_rng::Seed;

/// The maximum number of candidates that two-step safety selects. The best cell may be added.
const CANDIDATES: usize = 12;
/// The maximum number of candidates of which roll-outs may show that they are equal.
const FEW: usize = 4;
/// The minimum safety of a candidate, as a fraction of the highest safety.
const CUT: f64 = 0.8;
/// The work that the exact value of every cell may cost, relative to that of the best cell alone.
const EACH: u32 = 20;
/// The limits of the exact search of a judge whose player has none.
const NONE: EndgameLimits = EndgameLimits {
    layouts: 2,
    nodes: 1,
};
/// The maximum number of layouts of roll-outs.
pub const LINES: u32 = 1024;

/// Evaluates positions one after another, and keeps scratch memory between positions.
pub struct Judge {
    analysis: Analysis,
    foresight: Option<Foresight>,
    /// Whether the value model may estimate win probabilities.
    estimates: bool,
    /// Whether win probabilities are known at all. They are not on boards that were chosen because
    /// they need no guess.
    pub knows_chances: bool,
    best: Box<dyn Player>,
    limits: EndgameLimits,
    scratch: LookScratch,
    influence: Influence,
    endgame: Endgame,
    /// The exact values of the last evaluated position, if 11.0 plays it optimally.
    exact: Option<EndgameCells>,
    parts: ClosedParts,
    closed: Option<Closed>,
    paired: Paired,
}

impl Judge {
    /// The name of the player that decides what is best.
    pub const BEST: &str = "11.0";

    /// Creates a judge that opens what the player of `best` opens, and estimates luck with `model`.
    /// If the model is that of the board, it also gives rough estimates of win probabilities.
    pub fn new(model: Option<ValueModel>, best: &PlayerSpec) -> Self {
        let limits = match &best.recipe {
            Recipe::Steps(steps) => steps.endgame,
            _ => None,
        };
        Self {
            analysis: Analysis::new(),
            estimates: model.as_ref().is_some_and(|model| model.is_own),
            foresight: model.map(Foresight::new),
            knows_chances: true,
            best: best.build(),
            limits: limits.unwrap_or(NONE),
            scratch: LookScratch::default(),
            influence: Influence::default(),
            endgame: Endgame::default(),
            exact: None,
            parts: ClosedParts::default(),
            closed: None,
            paired: Paired::default(),
        }
    }

    /// Evaluates a position.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn judge(&mut self, view: &View, budget: &mut Budget) -> Result<Judged, CountError> {
        self.begin(view);
        let odds = self.odds(view, budget)?;
        Ok(self.judge_counted(view, odds, budget))
    }

    /// Starts a game. [`Judge::odds`] then counts the positions of the game in order.
    pub fn begin(&mut self, view: &View) {
        self.analysis.begin(view.grid(), view.mines());
        self.best.begin(&GameStart {
            board: view.board(),
            first_click: FirstClick::Any,
            seed: Seed::new(1),
        });
    }

    /// Counts the layouts of the next position of a game and returns its mine probabilities.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn odds(&mut self, view: &View, budget: &mut Budget) -> Result<Odds, CountError> {
        Odds::count_next(&mut self.analysis, view, budget)
    }

    /// Evaluates the position of `view`, which was counted last; `odds` are its mine probabilities.
    pub fn judge_counted(&mut self, view: &View, odds: Odds, budget: &mut Budget) -> Judged {
        self.exact = None;
        self.closed = None;
        let mut judged = Judged {
            odds,
            win: None,
            is_exact: false,
            best: None,
            candidates: Vec::new(),
        };
        if self.is_untouched() || view.is_won() {
            return judged;
        }
        let decision = self.best.decide(view, budget).ok();
        judged.best = decision.and_then(|decision| decision.cells.first().copied());
        let is_guess = self.analysis.safe().is_empty() && self.analysis.unknown() > 0;
        judged.win = self.search(judged.best, budget);
        judged.is_exact = judged.win.is_some();
        if !judged.is_exact && self.knows_chances {
            let parts = self.parts.find(&self.analysis, self.limits, budget);
            self.closed = parts.ok();
        }
        if is_guess {
            judged.candidates = self.candidates(&judged, budget);
        }
        if !judged.is_exact {
            judged.win = match judged.candidates.first() {
                Some(best) => best.win,
                None => self.estimate(None, budget),
            };
        }
        for candidate in &mut judged.candidates {
            candidate.win = at_most(candidate.win, judged.win);
        }
        judged
    }

    /// Searches the position if 11.0 plays it optimally, and returns its win probability. `best` is
    /// the cell that 11.0 opens.
    fn search(&mut self, best: Option<Cell>, budget: &mut Budget) -> Option<f64> {
        if !self.knows_chances {
            return None;
        }
        let (layouts, won) = self.won_after(&[], self.limits, budget)?;
        let mut exact = EndgameCells {
            layouts,
            won: Vec::new(),
        };
        if self.analysis.safe().is_empty() && self.analysis.unknown() > 0 {
            exact.won.extend(best.map(|best| (best, won)));
            // The limits alone end this search, so that one position does not use up a game's
            // budget.
            let unlimited = &mut Budget::unlimited();
            let limits = self.limits_of_each();
            let values = (self.analysis).endgame_cells(&mut self.endgame, limits, unlimited);
            exact = values.ok().flatten().unwrap_or(exact);
        }
        self.exact = Some(exact);
        Some(f64::from(won) / f64::from(layouts))
    }

    /// Returns the number of layouts, and the number of those that optimal play wins after opening
    /// `cells`.
    fn won_after(
        &mut self,
        cells: &[Cell],
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Option<(u32, u32)> {
        let won = (self.analysis).endgame_after(&mut self.endgame, cells, limits, budget);
        won.ok().flatten()
    }

    fn limits_of_each(&self) -> EndgameLimits {
        EndgameLimits {
            nodes: self.limits.nodes.saturating_mul(EACH),
            ..self.limits
        }
    }

    /// Estimates the win probability roughly if `cell` is opened next or, if that is `None`, that of
    /// the position.
    fn estimate(&mut self, cell: Option<Cell>, budget: &mut Budget) -> Option<f64> {
        let foresight = self.foresight.as_mut().filter(|_| self.estimates)?;
        let closed = self.closed.as_ref()?;
        let rest = self.parts.rest();
        let of_rest = match cell.filter(|&cell| rest.is_unknown(cell)) {
            Some(cell) => foresight.outcomes(rest, cell, false, budget)?.expected,
            None => foresight.win(rest, budget)?,
        };
        Some((of_rest * closed.chance).min(closed.bound))
    }

    /// Returns the candidates of a guess, the best first.
    fn candidates(&mut self, judged: &Judged, budget: &mut Budget) -> Vec<Candidate> {
        let mine = self.analysis.guesses();
        let rule = TwoStep {
            cut: CUT,
            ..TwoStep::default()
        };
        rule.look(&mut self.analysis, &mine, CANDIDATES, &mut self.scratch);
        let scored = self.scratch.scored.clone();
        let mut candidates: Vec<Candidate> = scored
            .into_iter()
            .map(|scored| self.weigh(scored, &judged.odds, false, budget))
            .collect();
        if let Some(cell) = judged.best
            && candidates.iter().all(|candidate| candidate.cell != cell)
        {
            candidates.extend(self.candidate(cell, &judged.odds, FirstClick::Any, budget));
        }
        let value = |candidate: &Candidate| candidate.win.unwrap_or(candidate.safety);
        candidates.sort_by(|a, b| value(b).total_cmp(&value(a)));
        candidates.sort_by_key(|candidate| Some(candidate.cell) != judged.best);
        candidates
    }

    /// Rates the candidates of the last evaluated position by roll-outs, unless they are exact, on
    /// at most [`LINES`] layouts and within the time limit of `budget`.
    pub fn roll_out(&mut self, judged: &mut Judged, budget: &mut Budget) {
        if judged.is_exact || judged.candidates.is_empty() || !self.knows_chances {
            return;
        }
        let candidates = &mut judged.candidates;
        let cells: Vec<[Cell; 1]> = candidates.iter().map(|of| [of.cell]).collect();
        let safeties = candidates.iter().map(|candidate| 1.0 - candidate.mine);
        let choices: Vec<Choice<'_>> = cells
            .iter()
            .map(<[Cell; 1]>::as_slice)
            .zip(safeties)
            .collect();
        let Some(rated) = self.rate(&choices, Seed::new(0), budget) else {
            return;
        };
        judged.win = Some(rated[0].win);
        for (candidate, rated) in candidates.iter_mut().zip(rated) {
            candidate.win = at_most(Some(rated.win), judged.win);
            candidate.rated = Some(rated);
        }
    }

    /// Rates choices, of which the first is the best, by roll-outs. No win probability exceeds that
    /// of the closed parts.
    fn rate(
        &mut self,
        choices: &[Choice<'_>],
        seed: Seed,
        budget: &mut Budget,
    ) -> Option<Vec<Rated>> {
        let lines = (LINES, seed);
        let rated = self.paired.rate(&mut self.analysis, choices, lines, budget);
        let mut rated = rated.ok()?;
        let bound = self.closed.as_ref().map_or(1.0, |closed| closed.bound);
        for rated in &mut rated {
            rated.win = rated.win.min(bound);
        }
        Some(rated)
    }

    /// Compares opening `cells`, which are all safe with the probability `safety`, with the best
    /// cell of the last evaluated position. The comparison is exact for a cell of a position that
    /// is. Otherwise it is made by roll-outs, and the loss is that of fresh ones: roll-outs that
    /// showed a loss overstate it on average, because they were selected for it.
    pub fn compare(
        &mut self,
        judged: &Judged,
        (cells, safety): Choice<'_>,
        budget: &mut Budget,
    ) -> Option<Compared> {
        let best = [judged.best?];
        if best == *cells {
            return Some(Compared::certain(judged.win, judged.win));
        }
        if let Some(values) = &self.exact {
            let value = match cells {
                _ if safety == 0.0 => Some(0.0),
                &[cell] => value_of(values, cell),
                _ => None,
            };
            let value = value.or_else(|| {
                let limits = self.limits_of_each();
                let (layouts, won) = self.won_after(cells, limits, &mut Budget::unlimited())?;
                Some(f64::from(won) / f64::from(layouts))
            });
            return Some(Compared::certain(judged.win, Some(value?)));
        }
        if !self.knows_chances {
            return None;
        }
        let of_best = 1.0 - judged.odds.mine(best[0])?;
        // Roll-outs open proved cells by themselves, and none twice.
        let opened = if of_best == 1.0 { &[] } else { best.as_slice() };
        let choices = [(opened, of_best), (cells, safety)];
        let mut tried = self.rate(&choices, Seed::new(0), budget)?;
        let mut loss = 0.0;
        if tried[1].behind > tried[1].behind_error {
            tried = self.rate(&choices, Seed::new(1), budget)?;
            loss = tried[1].behind.max(0.0);
        }
        let Rated { win, error, .. } = tried[0];
        Some(Compared {
            win: Some(win),
            win_error: error,
            after: Some(tried[1].win.min(win)),
            loss,
            error: tried[1].behind_error,
        })
    }

    /// Returns whether no guess of the last evaluated position is better than another: all have
    /// the same exact value, or roll-outs show that none of a few candidates differs by `most` from
    /// the best. Roll-outs of many candidates would take too long.
    pub fn is_indifferent(&mut self, judged: &Judged, most: f64, budget: &mut Budget) -> bool {
        if let Some(exact) = &self.exact {
            let values = &exact.won;
            return values.len() > 1 && values.iter().all(|value| value.1 == values[0].1);
        }
        let [best, others @ ..] = &judged.candidates[..] else {
            return false;
        };
        let is_near = |other: &Candidate| (other.safety - best.safety).abs() <= most;
        if !(1..FEW).contains(&others.len()) || !others.iter().all(is_near) {
            return false;
        }
        let mut rated = judged.clone();
        self.roll_out(&mut rated, budget);
        let equal = |of: Rated| of.behind.abs() + of.behind_error <= most;
        let mut candidates = rated.candidates.iter();
        candidates.all(|candidate| candidate.rated.is_some_and(equal))
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
        Candidate {
            cell,
            mine: odds.mine[cell.index()],
            progress: ahead.certain,
            safety: ahead.safety,
            win: match &self.exact {
                Some(exact) => value_of(exact, cell),
                None => self.estimate(Some(cell), budget),
            },
            rated: None,
            outcomes,
            numbers: ahead.numbers,
        }
    }
}

fn value_of(exact: &EndgameCells, cell: Cell) -> Option<f64> {
    let &(_, won) = exact.won.iter().find(|&&(other, _)| other == cell)?;
    Some(f64::from(won) / f64::from(exact.layouts))
}

/// Returns the lower of two win probabilities, if both are known.
fn at_most(win: Option<f64>, most: Option<f64>) -> Option<f64> {
    win.map(|win| most.map_or(win, |most| win.min(most)))
}
