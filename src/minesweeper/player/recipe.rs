//! What a player does, as a value that can be typed, printed and stored.

use std::fmt;
use std::str::FromStr;

use super::choose::{Choice, RULES};
use super::first_move::{CORNER, FirstMove};
use super::recipe_error::RecipeError;
use super::source::{SOURCES, Source};
use super::swap::Swap;
use crate::solver::EndgameLimits;
use mineflow_search::options::{OptionError, OptionList, OptionText, Options, changes_and};

/// A player as parts joined by `+`, in any order; printed in the order in which they come into play.
///
/// ```
/// use mineflow_minesweeper::player::Recipe;
/// let recipe: Recipe = "edge:margin=0.1+dss+dsscsp:solutions=100:depth=300".parse().unwrap();
/// assert_eq!(recipe.to_string(), "dss+dsscsp:solutions=100:depth=300+edge:margin=0.1");
/// let error = "dss+dsscps+min-p".parse::<Recipe>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `dsscsp`?"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Recipe {
    /// The second paper's agent, heuristics 1 to 7.
    Agent,
    /// Deduce, weigh, choose.
    Steps(Steps),
}

/// The parts of a recipe in the order in which they come into play.
#[derive(Clone, PartialEq, Debug)]
pub struct Steps {
    pub first_move: FirstMove,
    pub deduction: Deduction,
    pub source: Source,
    /// How far the end of a game is played perfectly; `None` for not at all.
    pub endgame: Option<EndgameLimits>,
    pub choice: Choice,
}

/// What is worked out, and remembered from move to move, before anything is weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Deduction {
    #[default]
    Nothing,
    /// Deterministic solution search (main paper, algorithm 2).
    Dss,
}

/// Name and one line of help.
const ENDGAME: (&str, &str) =
    ("endgame", "perfect play once few layouts are left; needs posterior; [:layouts=100] [:nodes=20000]");
const AGENT: (&str, &str) = ("agent", "the second paper's agent, heuristics 1 to 7; stands alone");
const DSS: (&str, &str) = ("dss", "open what single numbers prove safe before weighing anything");

/// Every part that a recipe can have: its name, and a line of help with its options.
pub fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    [DSS].into_iter().chain(SOURCES).chain([ENDGAME]).chain(RULES.iter().copied()).chain([CORNER, AGENT])
}

fn part_names() -> Vec<&'static str> {
    parts().map(|(name, _)| name).collect()
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        Self::read(text, None)
    }
}

/// The endgame where its options say nothing.
const USUAL_ENDGAME: EndgameLimits = EndgameLimits { layouts: 100, nodes: 20_000 };

impl Options for EndgameLimits {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("layouts", &mut self.layouts, 2..=60_000)?;
        list.number("nodes", &mut self.nodes, 1..)
    }
}

impl Recipe {
    /// Reads a recipe. If it asks a model, it asks `swap` instead of the one that it names.
    pub(super) fn read(text: &str, swap: Option<&Swap>) -> Result<Self, RecipeError> {
        let mut found = FoundParts::new();
        for typed in text.split('+') {
            let mut part = OptionText::split(typed)?;
            if part.name().is_empty() {
                return Err(RecipeError::EmptyPart { recipe: text.to_owned(), parts: part_names() });
            }
            found.take(&mut part)?;
            part.finish()?;
        }
        if found.agent.found.is_some() {
            return match found.besides_agent() {
                None => Ok(Self::Agent),
                Some(other) => Err(RecipeError::NotJoinable { whole: AGENT.0, other: other.to_owned() }),
            };
        }
        found.steps(text, swap).map(Self::Steps)
    }
}

/// What has been found for each job of a recipe.
struct FoundParts<'a> {
    deduction: Slot<'a, Deduction>,
    source: Slot<'a, Source>,
    endgame: Slot<'a, Option<EndgameLimits>>,
    choice: Slot<'a, Choice>,
    first_move: Slot<'a, FirstMove>,
    agent: Slot<'a, ()>,
}

impl<'a> FoundParts<'a> {
    fn new() -> Self {
        Self {
            deduction: Slot::new("what to deduce first"),
            source: Slot::new("where probabilities come from"),
            endgame: Slot::new("how the end is played"),
            choice: Slot::new("which cell to choose"),
            first_move: Slot::new("where to click first"),
            agent: Slot::new("the same"),
        }
    }

    /// Takes in one more part, with the options that it has.
    fn take(&mut self, part: &mut OptionText<'a>) -> Result<(), RecipeError> {
        let name = part.name();
        if name == AGENT.0 {
            self.agent.fill(name, ())
        } else if name == DSS.0 {
            self.deduction.fill(name, Deduction::Dss)
        } else if name == CORNER.0 {
            self.first_move.fill(name, FirstMove::Corner)
        } else if name == ENDGAME.0 {
            let mut limits = USUAL_ENDGAME;
            part.read_into(&mut limits)?;
            self.endgame.fill(name, Some(limits))
        } else if let Some(mut source) = Source::usual(name) {
            part.read_into(&mut source)?;
            self.source.fill(name, source)
        } else if let Some(mut choice) = Choice::usual(name) {
            part.read_into(&mut choice)?;
            self.choice.fill(name, choice)
        } else {
            Err(RecipeError::UnknownPart { part: name.to_owned(), parts: part_names() })
        }
    }

    /// A part besides the agent.
    fn besides_agent(&self) -> Option<&'a str> {
        let Self { deduction, source, endgame, choice, first_move, .. } = self;
        let others = [deduction.typed(), source.typed(), endgame.typed(), choice.typed(), first_move.typed()];
        others.into_iter().flatten().next()
    }

    /// The steps of the recipe `text`, whose model is loaded.
    fn steps(self, text: &str, swap: Option<&Swap>) -> Result<Steps, RecipeError> {
        let chooses = self.choice.found.as_ref().filter(|(_, choice)| choice.rule.needs_posterior());
        let counts = self.endgame.typed().or(chooses.map(|&(name, _)| name));
        if let (Some((weighs, source)), Some(counts)) = (&self.source.found, counts)
            && *source != Source::Posterior
        {
            return Err(RecipeError::NeedsPosterior { part: counts.to_owned(), source_part: (*weighs).to_owned() });
        }
        let mut steps = Steps {
            first_move: self.first_move.optional(),
            deduction: self.deduction.optional(),
            source: self.source.required(text, &SOURCES)?,
            endgame: self.endgame.optional(),
            choice: self.choice.required(text, RULES)?,
        };
        steps.choice.rule.load(swap)?;
        Ok(steps)
    }
}

/// What has been found for one of the jobs of a recipe, and under which name.
struct Slot<'a, T> {
    job: &'static str,
    found: Option<(&'a str, T)>,
}

impl<'a, T> Slot<'a, T> {
    fn new(job: &'static str) -> Self {
        Self { job, found: None }
    }

    fn fill(&mut self, name: &'a str, value: T) -> Result<(), RecipeError> {
        match &self.found {
            None => self.found = Some((name, value)),
            Some((first, _)) => {
                let (first, second) = ((*first).to_owned(), name.to_owned());
                return Err(RecipeError::PartTwice { first, second, job: self.job });
            }
        }
        Ok(())
    }

    fn typed(&self) -> Option<&'a str> {
        self.found.as_ref().map(|&(name, _)| name)
    }

    fn required(self, recipe: &str, possible: &[(&'static str, &'static str)]) -> Result<T, RecipeError> {
        let (recipe, possible) = (recipe.to_owned(), possible.iter().map(|&(name, _)| name).collect());
        self.found.map(|(_, value)| value).ok_or(RecipeError::Missing { recipe, job: self.job, possible })
    }

    fn optional(self) -> T
    where
        T: Default,
    {
        self.found.map(|(_, value)| value).unwrap_or_default()
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Steps(Steps { first_move, deduction, source, endgame, choice }) = self else {
            return f.write_str(AGENT.0);
        };
        if *first_move == FirstMove::Corner {
            write!(f, "{}+", CORNER.0)?;
        }
        if *deduction == Deduction::Dss {
            write!(f, "{}+", DSS.0)?;
        }
        write!(f, "{source}+")?;
        if let Some(limits) = endgame {
            write!(f, "{}{}+", ENDGAME.0, changes_and(limits, &USUAL_ENDGAME, &["layouts"]))?;
        }
        write!(f, "{choice}")
    }
}
