//! Errors of rule sheets.

use thiserror::Error;

use super::kif::{SyntaxError, TextPosition};

/// An error because of which a sheet can't be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SheetError {
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error(transparent)]
    Grounding(#[from] GroundingError),
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl SheetError {
    /// Returns the rule of the language that the sheet violates, unless the message already states
    /// the rule (GDL specification, Love et al. 2008, sections 2 and 3).
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Self::Play(PlayError::Endless { .. }) => Some(
                "GDL wants termination: every game ends after finitely many steps; --horizon N allows more of them",
            ),
            Self::Play(PlayError::Stuck { .. }) => Some(
                "GDL wants playability: every role has a legal move in every state that is not terminal",
            ),
            Self::Play(PlayError::Goals { .. }) => Some(
                "GDL wants monotonicity: every role has exactly one goal in every state that can be reached",
            ),
            Self::Grounding(GroundingError::Unstratified { .. }) => {
                Some("GDL wants stratified negation: no atom depends on its own negation")
            }
            Self::Rule(RuleError::Unsafe { .. }) => {
                Some("GDL wants safe rules: every variable stands in a positive atom of the body")
            }
            _ => None,
        }
    }
}

/// A violation of the rules of the language.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RuleError {
    #[error("{at}: `<=` needs a head")]
    NoHead { at: TextPosition },
    #[error("{at}: an atom was expected: a name, or a list that begins with a name")]
    NoPredicate { at: TextPosition },
    #[error("{at}: a term was expected: a name, a variable, or a list that begins with a name")]
    NoFunctor { at: TextPosition },
    #[error("{at}: `{name}` takes {wanted} arguments and is given {found}")]
    Arity {
        at: TextPosition,
        name: String,
        wanted: usize,
        found: usize,
    },
    #[error(
        "{at}: `not` is for single atoms; name the formula by rules of its own and negate that name"
    )]
    NegatedFormula { at: TextPosition },
    #[error("{at}: `sees` belongs to games of hidden information, which are not played here")]
    Sees { at: TextPosition },
    #[error("{at}: the rule has more than 65,536 variables")]
    TooManyVariables { at: TextPosition },
    #[error("{at}: written out, the `or`s of this rule give more than {limit} rules")]
    TooManyAlternatives { at: TextPosition, limit: usize },
    #[error("{at}: unsafe rule: the variable {variable} stands in no positive atom of the body")]
    Unsafe { at: TextPosition, variable: String },
    #[error("{at}: `{name}` can't be the head of a rule")]
    Head { at: TextPosition, name: String },
    #[error("{at}: `{name}` can't occur in a body")]
    Body { at: TextPosition, name: String },
    #[error("{at}: `{head}` must not depend on `{on}`, and does so through this rule")]
    Depends {
        at: TextPosition,
        head: String,
        on: String,
    },
    #[error("the sheet names no {what}: a rule with the head `{head}` is missing")]
    Missing {
        what: &'static str,
        head: &'static str,
    },
}

/// An error in grounding a sheet.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GroundingError {
    #[error("{at}: too large: with this rule, grounding has more than {limit} {what}")]
    TooLarge {
        what: &'static str,
        limit: usize,
        at: TextPosition,
    },
    #[error("{at}: this rule builds terms more than {limit} deep, without end it seems")]
    TooDeep { limit: u32, at: TextPosition },
    #[error(
        "{at}: unstratified rule: `{head}` depends on the negation of `{negated}`, which depends on `{head}`"
    )]
    Unstratified {
        at: TextPosition,
        head: String,
        negated: String,
    },
    #[error("the goal `{value}` of {role} is not a number from 0 to 100")]
    Goal { role: String, value: String },
    #[error("{what} can never be: no rule gives it in any state")]
    Never { what: String },
}

/// An error found while a sheet is played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    #[error("no terminal state within {steps} steps of a random playout")]
    Endless { steps: usize },
    #[error(
        "{role} has no legal move in a state, {steps} steps from the start, that is not terminal"
    )]
    Stuck { role: String, steps: usize },
    #[error(
        "a terminal state, {steps} steps from the start, gives {role} {found} goals instead of one"
    )]
    Goals {
        role: String,
        steps: usize,
        found: usize,
    },
}
