//! A choosing rule with its candidate cells.

use std::fmt;

use super::{
    candidates::{CandidateChooser, Candidates},
    rule::{Rule, RuleRow},
};
use crate::Grid;
use mineflow_search::options::{OptionList, Options};

/// A rule and the candidate cells that it may choose from.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub rule: Rule,
    pub candidates: Candidates,
}

impl Choice {
    /// Returns the choice whose rule is called `name`, with default options, or `None` if no rule
    /// has this name.
    pub(in crate::player) fn usual(name: &str) -> Option<Self> {
        Some(Self {
            rule: RuleRow::named(name)?.usual(),
            candidates: Candidates::default(),
        })
    }

    /// Builds the chooser for a board.
    pub fn chooser(&self, grid: &Grid) -> CandidateChooser {
        CandidateChooser::new(self.candidates, self.rule.chooser(grid))
    }
}

impl Options for Choice {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        self.rule.list(list);
        list.text("candidates", &mut self.candidates, "covered or sampled");
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.candidates {
            Candidates::Covered => write!(f, "{}", self.rule),
            fewer @ Candidates::Sampled => write!(f, "{}:candidates={fewer}", self.rule),
        }
    }
}
