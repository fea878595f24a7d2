//! Which cell to open when none is proved safe.
//!
//! A rule is a file with a `ChoosingRule` and its line in `rules!` below. Probabilities closer than [`TIE`] count as
//! equal, so that no choice hangs on how an engine rounds.

mod chooser;
mod classifier;
mod edge;
mod edge_score;
mod fc_ucb;
mod learned;
mod least_mine;
mod mac_ucb;
mod min_p;
mod q;
mod sp_mcts;
mod uct;

use std::fmt;

pub use chooser::Chooser;
pub use classifier::{Classifier, Mlp, SafeScores, Trees};
pub use edge::Edge;
pub use edge_score::EdgeScore;
pub use fc_ucb::FcUcb;
pub use learned::{Kind, Learned, ModelScratch, ModelSource, Swap};
pub use least_mine::LeastMine;
pub use mac_ucb::MacUcb;
pub use min_p::MinP;
pub use q::Q;
pub use sp_mcts::SpMcts;
pub use uct::Uct;

use super::syntax::{PartText, RecipeError};
use crate::minesweeper::Cell;
use crate::minesweeper::features::Position;
use crate::rng::Rng;

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

/// What a choosing rule has to say about itself.
pub(super) trait ChoosingRule: Sized + fmt::Display {
    /// Its name in a recipe; what it prints begins so.
    const NAME: &'static str;
    /// One line of help with its options.
    const HELP: &'static str;

    /// Takes its options.
    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError>;

    /// The cell to open, `None` if there is no candidate. `mine` has the probabilities of the candidates, NaN elsewhere;
    /// a certain mine is taken only where there is nothing else. `chooser` is made for the position's board.
    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell>;

    /// Whether it draws layouts from the true posterior; [`Chooser::layouts`] then has those of the position.
    const DRAWS_LAYOUTS: bool = false;

    /// Whether it solves the position as a stage of a stochastic constraint network; [`Chooser::stage`] then is that.
    const SOLVES_STAGE: bool = false;

    /// The hash of the content of the model that it asks, if it asks one.
    fn model_hash(&self) -> Option<&str> {
        None
    }
}

macro_rules! rules {
    ($($rule:ident),*) => {
        /// How one of the candidates is chosen.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Rule {
            $($rule($rule)),*
        }

        /// Name and help of every rule.
        pub(super) const RULES: &[(&str, &str)] = &[$(($rule::NAME, $rule::HELP)),*];

        impl Rule {
            fn read(part: &mut PartText<'_>) -> Result<Option<Self>, RecipeError> {
                Ok(match part.name() {
                    $($rule::NAME => Some(Self::$rule($rule::read(part)?)),)*
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
            pub(super) fn draws_layouts(&self) -> bool {
                match self {
                    $(Self::$rule(_) => $rule::DRAWS_LAYOUTS),*
                }
            }

            /// Whether the rule solves the position as a stage of a stochastic constraint network.
            pub(super) fn solves_stage(&self) -> bool {
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

rules!(MinP, Edge, LeastMine, EdgeScore, Trees, Mlp, Q, SpMcts, Uct, MacUcb, FcUcb);

impl Choice {
    /// The choice that `part` names, if it names one.
    pub(super) fn read(part: &mut PartText<'_>) -> Result<Option<Self>, RecipeError> {
        let Some(rule) = Rule::read(part)? else {
            return Ok(None);
        };
        let candidates = part.take("candidates", "covered, boundary or sampled", |value| match value {
            "covered" => Some(Candidates::Covered),
            "boundary" => Some(Candidates::Boundary),
            "sampled" => Some(Candidates::Sampled),
            _ => None,
        })?;
        Ok(Some(Self { rule, candidates: candidates.unwrap_or_default() }))
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.candidates {
            Candidates::Covered => write!(f, "{}", self.rule),
            Candidates::Boundary => write!(f, "{}:candidates=boundary", self.rule),
            Candidates::Sampled => write!(f, "{}:candidates=sampled", self.rule),
        }
    }
}
