//! A rule together with the cells that it may choose from; and every rule by its name.

use std::fmt;

use super::Rule;
use super::candidates::{CandidateChooser, Candidates};
use crate::Grid;
use mineflow_search::options::{OptionError, OptionList, Options};

/// A rule, and the cells that it may choose from.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub rule: Rule,
    pub candidates: Candidates,
}

impl Choice {
    /// The choice that goes by this name, with its usual options.
    pub(in crate::player) fn usual(name: &str) -> Option<Self> {
        Some(Self {
            rule: Rule::usual(name)?,
            candidates: Candidates::default(),
        })
    }

    /// Who chooses so on a board.
    pub fn chooser(&self, grid: &Grid) -> CandidateChooser {
        CandidateChooser::new(self.candidates, self.rule.chooser(grid))
    }
}

impl Options for Choice {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.rule.list(list)?;
        list.text(
            "candidates",
            &mut self.candidates,
            "covered, boundary or sampled",
        )
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

/// Makes [`Rule`] and the table of names from a line `file::Type` for each rule.
macro_rules! rules {
    ($($file:ident::$rule:ident),*) => {
        $(pub use $file::$rule;)*
        use rule::ChoosingRule;

        use super::{recipe_error::RecipeError, model_override::ModelOverride};
        use crate::Grid;
        use mineflow_search::options::{OptionError, OptionList, Options, changes_and};

        /// How one of the candidates is chosen.
        #[derive(Clone, PartialEq, Debug)]
        #[non_exhaustive]
        pub enum Rule {
            $($rule($rule)),*
        }

        /// Name and help of every rule.
        pub(super) const RULES: &[(&str, &str)] = &[$(($rule::NAME, $rule::HELP)),*];

        impl Rule {
            /// The rule of a name with its usual options.
            fn usual(name: &str) -> Option<Self> {
                $(if name == $rule::NAME {
                    return Some(Self::$rule($rule::usual()));
                })*
                None
            }

            /// Its name in a recipe.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$rule(_) => $rule::NAME),* }
            }

            fn always_shown(&self) -> &'static [&'static str] {
                match self { $(Self::$rule(_) => $rule::ALWAYS_SHOWN),* }
            }

            /// Whether it needs the true posterior.
            pub(super) fn needs_posterior(&self) -> bool {
                match self { $(Self::$rule(_) => $rule::NEEDS_POSTERIOR),* }
            }

            /// Whether it plays games out for a guess, and so takes hundreds of times as long as other rules.
            pub(super) fn plays_out(&self) -> bool {
                match self { $(Self::$rule(_) => $rule::PLAYS_OUT),* }
            }

            /// Loads the model that its options name, or `swap` in its place.
            pub(super) fn load(&mut self, swap: Option<&ModelOverride>) -> Result<(), RecipeError> {
                match self { $(Self::$rule(rule) => rule.load(swap)),* }
            }

            /// Forgets under which name its model was loaded, but not the model.
            pub(in crate::player) fn forget_model_name(&mut self) {
                match self { $(Self::$rule(rule) => rule.forget_model_name()),* }
            }

            /// The model that it asks, if it asks one.
            pub fn model(&self) -> Option<&LoadedModel> {
                match self { $(Self::$rule(rule) => rule.model()),* }
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
