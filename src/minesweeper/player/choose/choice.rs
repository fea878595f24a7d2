//! A choosing rule with its candidate cells, and the table of all rules.

use std::fmt;

use super::Rule;
use super::candidates::{CandidateChooser, Candidates};
use crate::Grid;
use mineflow_search::options::{OptionError, OptionList, Options};

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
            rule: Rule::usual(name)?,
            candidates: Candidates::default(),
        })
    }

    /// Builds the chooser for a board.
    pub fn chooser(&self, grid: &Grid) -> CandidateChooser {
        CandidateChooser::new(self.candidates, self.rule.chooser(grid))
    }
}

impl Options for Choice {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.rule.list(list)?;
        list.text("candidates", &mut self.candidates, "covered or sampled")
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

/// Defines [`Rule`] and the table of names; each line `file::Type` is one rule.
macro_rules! rules {
    ($($file:ident::$rule:ident),*) => {
        $(pub use $file::$rule;)*
        use rule::ChoosingRule;

        use super::{recipe_error::RecipeError, model_override::ModelOverride};
        use crate::Grid;
        use mineflow_search::options::{OptionError, OptionList, Options, changes_and};

        /// A rule that chooses one of the candidates.
        #[derive(Clone, PartialEq, Debug)]
        #[non_exhaustive]
        pub enum Rule {
            $($rule($rule)),*
        }

        /// The name and help line of every rule.
        pub(super) const RULES: &[(&str, &str)] = &[$(($rule::NAME, $rule::HELP)),*];

        impl Rule {
            /// Returns the rule called `name` with default options, or `None` if no rule has this
            /// name.
            fn usual(name: &str) -> Option<Self> {
                $(if name == $rule::NAME {
                    return Some(Self::$rule($rule::usual()));
                })*
                None
            }

            /// Returns the name of the rule in a recipe.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$rule(_) => $rule::NAME),* }
            }

            fn always_shown(&self) -> &'static [&'static str] {
                match self { $(Self::$rule(_) => $rule::ALWAYS_SHOWN),* }
            }

            /// Returns the revision of players with this rule.
            pub(super) fn revision(&self) -> u32 {
                match self { $(Self::$rule(_) => $rule::REVISION),* }
            }

            /// Returns whether the rule needs the posterior.
            pub(super) fn needs_posterior(&self) -> bool {
                match self { $(Self::$rule(_) => $rule::NEEDS_POSTERIOR),* }
            }

            /// Returns whether the rule evaluates guesses by playouts, which takes hundreds of
            /// times as long as the rule of player 7.0.
            pub(super) fn plays_out(&self) -> bool {
                match self { $(Self::$rule(_) => $rule::PLAYS_OUT),* }
            }

            /// Loads the model that the rule's options name, or `swap` in its place.
            pub(super) fn load(&mut self, swap: Option<&ModelOverride>) -> Result<(), RecipeError> {
                match self { $(Self::$rule(rule) => rule.load(swap)),* }
            }

            /// Returns the rule's model with its name, or `None` if the rule has none.
            pub(in crate::player) fn model_mut(&mut self) -> Option<&mut model::NamedModel> {
                match self { $(Self::$rule(rule) => rule.model_mut()),* }
            }

            /// Returns the rule's model, or `None` if the rule has none.
            pub fn model(&self) -> Option<&LoadedModel> {
                let named = match self { $(Self::$rule(rule) => rule.model()),* };
                named.map(|model| &**model.loaded())
            }

            fn chooser(&self, grid: &Grid) -> Box<dyn Chooser> {
                match self { $(Self::$rule(rule) => rule.chooser(grid)),* }
            }
        }

        impl Options for Rule {
            fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
                match self { $(Self::$rule(rule) => rule.list(list)),* }
            }
        }

        impl std::fmt::Display for Rule {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let usual = Self::usual(self.name()).expect("every rule has a name");
                write!(f, "{}{}", self.name(), changes_and(self, &usual, self.always_shown()))
            }
        }
    };
}

pub(super) use rules;
