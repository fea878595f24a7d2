//! What a player does, as a value that can be typed, printed and stored.

use std::fmt;
use std::str::FromStr;

use super::choose::{Choice, RULES};
use super::first_move::{CORNER, FirstMove};
use super::source::{SOURCES, Source};
use super::swap::Swap;
use super::syntax::{PartText, RecipeError};
use crate::solver::EndgameLimits;

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
#[expect(clippy::large_enum_variant, reason = "a recipe is made once a player, and nearly all have steps")]
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

const ENDGAME_NODES: u32 = 20_000;

fn read_endgame(part: &mut PartText<'_>) -> Result<EndgameLimits, RecipeError> {
    let layouts = part.take_number("layouts", "a whole number from 2 to 60000", 2..=60_000)?.unwrap_or(100);
    let nodes = part.take_number("nodes", "a whole number from 1", 1..=u32::MAX)?.unwrap_or(ENDGAME_NODES);
    Ok(EndgameLimits { layouts, nodes })
}

impl Recipe {
    /// Reads a recipe. If it asks a model, it asks `swap` instead of the one that it names.
    pub(super) fn read(text: &str, swap: Option<&Swap>) -> Result<Self, RecipeError> {
        let mut deduction = Slot::new("what to deduce first");
        let mut source = Slot::new("where probabilities come from");
        let mut choice = Slot::new("which cell to choose");
        let mut endgame = Slot::new("how the end is played");
        let mut first_move = Slot::new("where to click first");
        let mut agent = Slot::new("the same");
        for typed in text.split('+') {
            let mut part = PartText::split(typed, swap)?;
            let name = part.name();
            if name.is_empty() {
                return Err(RecipeError::EmptyPart { recipe: text.to_owned(), parts: part_names() });
            } else if name == AGENT.0 {
                agent.fill(name, ())?;
            } else if name == DSS.0 {
                deduction.fill(name, Deduction::Dss)?;
            } else if name == CORNER.0 {
                first_move.fill(name, FirstMove::Corner)?;
            } else if name == ENDGAME.0 {
                endgame.fill(name, Some(read_endgame(&mut part)?))?;
            } else if let Some(found) = Source::read(&mut part)? {
                source.fill(name, found)?;
            } else if let Some(found) = Choice::read(&mut part)? {
                choice.fill(name, found)?;
            } else {
                return Err(RecipeError::UnknownPart { part: name.to_owned(), parts: part_names() });
            }
            part.finish()?;
        }
        if agent.found.is_some() {
            let others = [deduction.typed(), source.typed(), endgame.typed(), choice.typed(), first_move.typed()];
            return match others.into_iter().flatten().next() {
                None => Ok(Self::Agent),
                Some(other) => Err(RecipeError::NotJoinable { whole: AGENT.0, other: other.to_owned() }),
            };
        }
        let chooses =
            choice.found.as_ref().filter(|(_, choice)| choice.rule.draws_layouts() || choice.rule.looks_ahead());
        let counts = endgame.typed().or(chooses.map(|&(name, _)| name));
        if let (Some((weighs, source)), Some(counts)) = (&source.found, counts)
            && *source != Source::Posterior
        {
            return Err(RecipeError::NeedsPosterior { part: counts.to_owned(), source_part: (*weighs).to_owned() });
        }
        Ok(Self::Steps(Steps {
            first_move: first_move.optional(),
            deduction: deduction.optional(),
            source: source.required(text, &SOURCES)?,
            endgame: endgame.optional(),
            choice: choice.required(text, RULES)?,
        }))
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
        if let Some(EndgameLimits { layouts, nodes }) = endgame {
            write!(f, "{}:layouts={layouts}", ENDGAME.0)?;
            if *nodes != ENDGAME_NODES {
                write!(f, ":nodes={nodes}")?;
            }
            f.write_str("+")?;
        }
        write!(f, "{choice}")
    }
}
