//! Every rule by its name, and which cells a rule may choose from.

use std::fmt;

use rand::RngExt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::edge::Edge;
use super::edge_score::EdgeScore;
use super::least_mine::LeastMine;
use super::min_p::MinP;
use super::network::ByNetwork;
use super::q::ByQ;
use super::ranker::Ranker;
use super::roll_outs::ByRollOuts;
use super::rule::ChoosingRule;
use super::sp_mcts::SpMctsRule;
use super::stage_ucb::{ByForwardChecking, ByMac};
use super::trees::ByTrees;
use super::uct::UctRule;
use crate::Cell;
use crate::ahead::TwoStep;
use crate::features::Position;
use crate::solver::TIE;
use mineflow_rng::Rng;
use mineflow_store::named;

/// A rule, and the cells that it may choose from.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub rule: Rule,
    pub candidates: Candidates,
}

/// The cells that may be chosen. Cells known to be mines never are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Candidates {
    /// Every covered cell.
    #[default]
    Covered,
    /// Those next to an open one, as long as any of them may be safe: the main paper to the letter for 1.0 to 4.5.
    Boundary,
    /// Those next to an open one and three others at random: the main paper to the letter for 5.0 and above (section
    /// 4.2.2).
    Sampled,
}

named!(Candidates, "set of candidates": Covered = "covered", Boundary = "boundary", Sampled = "sampled");

/// Cells off the boundary that [`Candidates::Sampled`] adds to it (main paper, section 4.2.2).
const SAMPLED: usize = 3;

macro_rules! rules {
    ($($rule:ident),*) => {
        /// How one of the candidates is chosen.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Rule {
            $($rule($rule)),*
        }

        /// Name and help of every rule.
        pub(in crate::player) const RULES: &[(&str, &str)] = &[$((<$rule as ChoosingRule>::NAME, <$rule as ChoosingRule>::HELP)),*];

        impl Rule {
            fn read(part: &mut PartText<'_>) -> Result<Option<Self>, RecipeError> {
                Ok(match part.name() {
                    $(<$rule as ChoosingRule>::NAME => Some(Self::$rule($rule::read(part)?)),)*
                    _ => None,
                })
            }

            fn choose(
                &self,
                position: &Position<'_>,
                mine: &[f64],
                chooser: &mut Chooser,
                rng: &mut Rng,
            ) -> Option<Cell> {
                match self {
                    $(Self::$rule(rule) => rule.choose(position, mine, chooser, rng)),*
                }
            }
        }

        impl Rule {
            /// Whether the rule draws layouts from the true posterior.
            pub(in crate::player) fn draws_layouts(&self) -> bool {
                match self {
                    $(Self::$rule(_) => $rule::DRAWS_LAYOUTS),*
                }
            }

            /// Whether the rule supposes moves and counts again.
            pub(in crate::player) fn looks_ahead(&self) -> bool {
                match self {
                    $(Self::$rule(_) => $rule::LOOKS_AHEAD),*
                }
            }

            /// Whether the rule solves the position as a stage of a stochastic constraint network.
            pub(in crate::player) fn solves_stage(&self) -> bool {
                match self {
                    $(Self::$rule(_) => $rule::SOLVES_STAGE),*
                }
            }

            /// The hash of the content of the model that the rule asks, in hexadecimal; `None` if it asks none.
            pub fn model_hash(&self) -> Option<&str> {
                match self {
                    $(Self::$rule(rule) => rule.model_hash()),*
                }
            }
        }

        impl fmt::Display for Rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$rule(rule) => rule.fmt(f)),*
                }
            }
        }
    };
}

rules!(
    MinP,
    Edge,
    LeastMine,
    TwoStep,
    ByRollOuts,
    Ranker,
    EdgeScore,
    ByTrees,
    ByNetwork,
    ByQ,
    SpMctsRule,
    UctRule,
    ByMac,
    ByForwardChecking
);

impl Chooser {
    /// The cell that `choice` takes, `None` if there is no candidate. Panics where `position` is of another board size.
    pub fn choose(&mut self, choice: &Choice, position: &Position<'_>, rng: &mut Rng) -> Option<Cell> {
        if choice.candidates != Candidates::Covered {
            let mut narrowed = std::mem::take(&mut self.narrowed);
            self.narrow(choice.candidates, position, &mut narrowed, rng);
            let chosen = choice.rule.choose(position, &narrowed, self, rng);
            self.narrowed = narrowed;
            if chosen.is_some() {
                return chosen;
            }
        }
        choice.rule.choose(position, position.mine, self, rng)
    }

    /// Puts the probabilities of the cells that may be chosen into `narrowed`, NaN elsewhere.
    fn narrow(&mut self, candidates: Candidates, position: &Position<'_>, narrowed: &mut Vec<f64>, rng: &mut Rng) {
        let &Position { mine, boundary, .. } = position;
        let may_be_safe = |cell: &Cell| mine[cell.index()] < 1.0 - TIE;
        narrowed.clear();
        narrowed.resize(mine.len(), f64::NAN);
        for cell in boundary.iter().filter(may_be_safe) {
            narrowed[cell.index()] = mine[cell.index()];
        }
        if candidates == Candidates::Sampled {
            let cells = (0..mine.len() as u16).map(Cell);
            self.elsewhere.clear();
            self.elsewhere.extend(cells.filter(|&cell| may_be_safe(&cell) && !boundary.contains(cell)));
            for drawn in 0..SAMPLED.min(self.elsewhere.len()) {
                let other = rng.random_range(drawn as u32..self.elsewhere.len() as u32) as usize;
                self.elsewhere.swap(drawn, other);
                let cell = self.elsewhere[drawn].index();
                narrowed[cell] = mine[cell];
            }
        }
    }
}

impl Choice {
    /// The choice that `part` names, if it names one.
    pub(in crate::player) fn read(part: &mut PartText<'_>) -> Result<Option<Self>, RecipeError> {
        let Some(rule) = Rule::read(part)? else {
            return Ok(None);
        };
        let candidates = part.take("candidates", "covered, boundary or sampled", |value| value.parse().ok())?;
        Ok(Some(Self { rule, candidates: candidates.unwrap_or_default() }))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.candidates {
            Candidates::Covered => write!(f, "{}", self.rule),
            fewer => write!(f, "{}:candidates={fewer}", self.rule),
        }
    }
}
