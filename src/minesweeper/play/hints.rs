//! What a table shows a person: probabilities, advice, what guesses are worth.

use super::adviser::{Advice, Odds};
use super::judge::{Candidate, Judge};
use super::table::{Hints, Table};
use super::words;
use crate::player::GameStart;
use crate::solver::Budget;
use crate::{FirstClick, Status};

impl Table {
    /// Whether hints are shown.
    pub fn shows_hints(&self) -> bool {
        matches!(self.hints, Hints::Shown { .. })
    }

    /// The probabilities, if they are shown.
    pub fn odds(&self) -> Option<&Odds> {
        match &self.hints {
            Hints::Shown { odds, .. } => odds.as_ref().ok(),
            Hints::Hidden => None,
        }
    }

    /// The candidates of a guess in words, the best first, below a line that names the columns; empty where hints are hidden or none is one.
    pub fn candidate_lines(&self) -> Vec<String> {
        match &self.hints {
            Hints::Shown { candidates, .. } if !candidates.is_empty() => {
                let lines = candidates.iter().map(|candidate| words::of_candidate(self.view().board(), candidate));
                std::iter::once(words::CANDIDATE_COLUMNS.to_owned()).chain(lines).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What the player would do, if it is shown.
    pub fn advice(&self) -> Option<&Advice> {
        match &self.hints {
            Hints::Shown { advice: Some(Ok(advice)), .. } => Some(advice),
            _ => None,
        }
    }

    /// A line on the cell under the cursor.
    pub fn cell_line(&self) -> String {
        match &self.hints {
            Hints::Shown { odds: Ok(odds), .. } => {
                let line = words::of_cell(self.view(), odds, self.cursor);
                let is_promised = self.round.field().is_none() && self.round.first_click() != FirstClick::Any;
                if is_promised { line + ", but the first click never is" } else { line }
            }
            Hints::Shown { odds: Err(why), .. } => format!("no probabilities: {why}"),
            Hints::Hidden => words::place(self.view().board(), self.cursor),
        }
    }

    /// A line on what the player would do; empty while hints are hidden.
    pub fn advice_line(&self) -> String {
        match &self.hints {
            Hints::Hidden | Hints::Shown { advice: None, .. } => String::new(),
            Hints::Shown { advice: Some(Err(why)), .. } => {
                format!("{} gives no move: {why}", words::short(&self.player().name))
            }
            Hints::Shown { advice: Some(Ok(advice)), odds, .. } => {
                words::explain_advice(self.player(), advice, odds.as_ref().ok(), self.view())
            }
        }
    }

    /// Brings hints that are shown up to date.
    pub(super) fn refresh(&mut self) {
        if self.shows_hints() {
            self.hints = self.look();
        }
    }

    /// Works out the hints.
    pub(super) fn look(&mut self) -> Hints {
        let odds = self.adviser.odds(self.round.view()).map_err(|why| why.to_string());
        let game = GameStart {
            board: self.board(),
            first_click: self.round.first_click(),
            seed: self.seed().child("player", 0),
        };
        let advice = (self.round.status() == Status::Playing)
            .then(|| self.adviser.advise(self.round.view(), &game).map_err(|why| why.to_string()));
        Hints::Shown { odds, advice, candidates: self.judged() }
    }

    /// The candidates of a guess; empty where a cell is certain or the game is over.
    fn judged(&mut self) -> Vec<Candidate> {
        let (board, rule) = (self.board(), self.round.first_click());
        if self.round.status() != Status::Playing {
            return Vec::new();
        }
        if self.judge.as_ref().is_none_or(|(at, under, _)| (*at, *under) != (board, rule)) {
            self.judge = Some((board, rule, Judge::new((self.settings().value_model)(board, rule))));
        }
        let budget = &mut Budget::new(Some(self.settings().node_limit), None);
        let Some((_, _, judge)) = &mut self.judge else { return Vec::new() };
        judge.judge(self.round.view(), budget).map_or_else(|_| Vec::new(), |judged| judged.candidates)
    }
}
