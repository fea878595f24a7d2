//! Recipes, which describe players as values that can be parsed, printed and stored.

use std::{fmt, str::FromStr, sync::Arc};

use super::{
    choose::{Choice, ModelRef, RULES},
    first_move::{AT, CORNER, FirstMove},
    program::{EXEC, Program},
    recipe_error::RecipeError,
    source::{SOURCES, Source},
};
use crate::solver::EndgameLimits;
use mineflow_model::Models;
use mineflow_search::options::{OptionList, OptionText, Options, changes_and, numbers, split};

/// A player described by its components. A text joins the components by `+` in any order; a recipe
/// is printed in the order in which they are applied.
///
/// ```
/// use mineflow_minesweeper::player::Recipe;
/// let recipe: Recipe = "edge:margin=0.1+dss+dsscsp:solutions=100:depth=300".parse().unwrap();
/// assert_eq!(recipe.to_string(), "dss+dsscsp:solutions=100:depth=300+edge:margin=0.1");
/// let error = "dss+dsscps+min-p".parse::<Recipe>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `dsscsp`?"));
/// ```
// Few recipes exist at a time.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, PartialEq, Debug)]
pub enum Recipe {
    /// The agent of "An Artificial Intelligence Approach to Minesweeper", heuristics 1 to 7.
    Agent,
    /// A player that deduces, computes probabilities and chooses.
    Steps(Steps),
    /// Another program. Its text is not parsed as a recipe.
    Program(Arc<Program>),
}

/// The components of a recipe in the order in which they are applied.
#[derive(Clone, PartialEq, Debug)]
pub struct Steps {
    pub first_move: FirstMove,
    pub deduction: Deduction,
    pub source: Source,
    /// The limits within which the end of a game is played optimally; `None` turns the endgame
    /// search off.
    pub endgame: Option<EndgameLimits>,
    /// Whether an unavoidable 50/50 is guessed before the choosing rule is applied
    /// ([`crate::ahead::Influence::unavoidable`]).
    pub even_first: bool,
    pub choice: Choice,
}

/// The deductions that are made before any probability is computed. Their conclusions are
/// remembered between moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Deduction {
    #[default]
    Nothing,
    /// Deterministic solution search (Sinha et al. 2021, algorithm 2).
    Dss,
}

/// The name and help line of the endgame component.
pub(crate) const ENDGAME: (&str, &str) = (
    "endgame",
    "optimal play once at most `layouts` layouts remain; needs posterior; [:layouts=100] [:nodes=20000]",
);
pub(crate) const EVEN_FIRST: (&str, &str) = (
    "even-first",
    "guess an unavoidable 50/50 at once if it tells about other cells; needs posterior",
);
const AGENT: (&str, &str) = (
    "agent",
    "heuristics 1 to 7 of An AI Approach to Minesweeper; a whole recipe by itself",
);
const DSS: (&str, &str) = (
    "dss",
    "open cells that single numbers prove safe, before computing any probability",
);

/// Returns the name and help line of every component of a recipe.
pub fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    [DSS]
        .into_iter()
        .chain(SOURCES)
        .chain([ENDGAME, EVEN_FIRST])
        .chain(RULES.iter().map(|rule| (rule.name, rule.help)))
        .chain([CORNER, AT, AGENT])
}

fn part_names() -> Vec<&'static str> {
    parts().map(|(name, _)| name).collect()
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut recipe = Self::parse(text)?;
        if let Some(model) = recipe.model_mut() {
            let part = model.part();
            model.load(part, &Models::default())?;
        }
        Ok(recipe)
    }
}

/// The default limits of the endgame.
const USUAL_ENDGAME: EndgameLimits = EndgameLimits {
    layouts: 100,
    nodes: 20_000,
};

impl Options for EndgameLimits {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.number("layouts", &mut self.layouts, 2..=60_000);
        list.number("nodes", &mut self.nodes, 1..);
    }
}

/// The lowest revision of the players, which is part of every [version](Recipe::version). Raise it
/// in any commit that changes the moves of recipes, so that older tables are not mistaken for
/// results of the current players. A rule that alone changes has a [revision](Recipe::revision) of
/// its own.
pub(super) const REVISION: u32 = 1;

impl Recipe {
    /// Returns the revision of the player, which is raised when the same recipe chooses other moves
    /// than before.
    pub fn revision(&self) -> u32 {
        match self {
            Self::Steps(steps) => steps.choice.rule.row().revision,
            _ => REVISION,
        }
    }

    /// Returns whether guesses are evaluated by playouts, which takes hundreds of times as long as
    /// the rule of player 7.0.
    pub(super) fn searches_guesses(&self) -> bool {
        matches!(self, Self::Steps(steps) if steps.choice.rule.row().plays_out)
    }

    /// Returns the name of the model, or `None` if the player asks no model.
    pub(super) fn model_mut(&mut self) -> Option<&mut ModelRef> {
        match self {
            Self::Steps(steps) => steps.choice.rule.model_mut(),
            _ => None,
        }
    }

    /// Returns the version of the player: 12 hexadecimal digits that change whenever the recipe,
    /// the content of its model or its [revision](Self::revision) changes. The digits don't depend
    /// on the player's name, nor on the file or version from which a model is loaded.
    ///
    /// ```
    /// use mineflow_minesweeper::player::PlayerSpec;
    /// let named: PlayerSpec = "7.0".parse().unwrap();
    /// let typed: PlayerSpec = "posterior+least-mine+dss+corner-first".parse().unwrap();
    /// assert_eq!(named.version(), typed.version());
    /// ```
    pub fn version(&self) -> String {
        let mut recipe = self.clone();
        let mut models = Vec::new();
        if let Some(model) = recipe.model_mut() {
            model.forget_name();
            models.push(model.loaded().artifact.sha256.clone());
        }
        let models: Vec<_> = models.iter().map(String::as_str).collect();
        mineflow_search::version(&recipe.to_string(), &models, self.revision())
    }

    /// Formats the recipe for names and for files, whose bytes must not depend on the folder of a
    /// model: the path of a model file is reduced to the file's name. The hash that follows it
    /// identifies the model.
    pub fn without_folders(&self) -> String {
        let mut recipe = self.clone();
        if let Some(model) = recipe.model_mut() {
            model.forget_folder();
        }
        recipe.to_string()
    }

    /// Returns the recipe with one number changed. `key` is the name of an option, or
    /// `PART.OPTION` if several parts have the option.
    ///
    /// # Errors
    /// Returns an error if the key doesn't name exactly one option that is a number, or the option
    /// can't take the value.
    ///
    /// ```
    /// use mineflow_minesweeper::player::Recipe;
    /// let recipe: Recipe = "dss+posterior+edge:margin=0.1".parse().unwrap();
    /// let wider = recipe.with_number("margin", "0.2").unwrap();
    /// assert_eq!(wider.to_string(), "dss+posterior+edge:margin=0.2");
    /// assert_eq!(recipe.with_number("edge.margin", "0.2").unwrap(), wider);
    /// ```
    pub fn with_number(&self, key: &str, value: &str) -> Result<Self, RecipeError> {
        let mut changed = self.clone();
        let mut all = Vec::new();
        let mut meant = Vec::new();
        for (name, part) in changed.parts() {
            for option in numbers(part) {
                let named = format!("{name}.{option}");
                if [option, &named].contains(&key) {
                    OptionText::new(name).and(option, value).read_into(part)?;
                    meant.push(named.clone());
                }
                all.push(named);
            }
        }
        if meant.len() == 1 {
            return Ok(changed);
        }
        Err(RecipeError::Number {
            recipe: self.without_folders(),
            key: key.to_owned(),
            numbers: if meant.is_empty() { all } else { meant },
        })
    }

    /// Returns the parts that may have options, with their names.
    fn parts(&mut self) -> Vec<(&'static str, &mut dyn Options)> {
        let Self::Steps(steps) = self else {
            return Vec::new();
        };
        let rule = steps.choice.rule.name();
        let mut parts: Vec<(_, &mut dyn Options)> = vec![
            (steps.source.name(), &mut steps.source),
            (rule, &mut steps.choice),
        ];
        if let Some(limits) = &mut steps.endgame {
            parts.push((ENDGAME.0, limits));
        }
        parts
    }

    /// Parses a recipe without loading its model.
    pub(super) fn parse(text: &str) -> Result<Self, RecipeError> {
        let mut found: Vec<(&str, RecipePart)> = Vec::new();
        for typed in split(text, '+') {
            let mut typed = OptionText::split(typed)?;
            let name = typed.name();
            if name.is_empty() {
                return Err(RecipeError::EmptyPart {
                    recipe: text.to_owned(),
                    parts: part_names(),
                });
            }
            let unknown = || RecipeError::UnknownPart {
                part: name.to_owned(),
                parts: part_names(),
            };
            let mut part = RecipePart::usual(name).ok_or_else(unknown)?;
            typed.read_into(&mut part)?;
            typed.finish()?;
            if let Some((first, _)) = found.iter().find(|(_, other)| other.job() == part.job()) {
                return Err(RecipeError::PartTwice {
                    first: (*first).to_owned(),
                    second: name.to_owned(),
                    job: part.job(),
                });
            }
            found.push((name, part));
        }
        if !found.iter().any(|(name, _)| *name == AGENT.0) {
            return Steps::join(found, text).map(Self::Steps);
        }
        match found.iter().find(|(name, _)| *name != AGENT.0) {
            None => Ok(Self::Agent),
            Some((other, _)) => Err(RecipeError::NotJoinable {
                whole: AGENT.0,
                other: (*other).to_owned(),
            }),
        }
    }
}

impl Steps {
    /// Joins the components of the recipe `text`.
    fn join(parts: Vec<(&str, RecipePart)>, text: &str) -> Result<Self, RecipeError> {
        let mut first_move = FirstMove::AsChosen;
        let mut deduction = Deduction::Nothing;
        let mut source = None;
        let mut endgame = None;
        let mut even_first = None;
        let mut choice = None;
        for (name, part) in parts {
            match part {
                RecipePart::First(of) => first_move = of,
                RecipePart::Dss => deduction = Deduction::Dss,
                RecipePart::Source(of) => source = Some((name, of)),
                RecipePart::Endgame(limits) => endgame = Some((name, limits)),
                RecipePart::EvenFirst => even_first = Some(name),
                RecipePart::Choice(of) => choice = Some((name, of)),
                RecipePart::Agent => {}
            }
        }
        let missing = |job, possible: Vec<&'static str>| RecipeError::Missing {
            recipe: text.to_owned(),
            job,
            possible,
        };
        let (source_part, source) = source
            .ok_or_else(|| missing(WEIGHS, SOURCES.iter().map(|&(name, _)| name).collect()))?;
        let (rule, choice) =
            choice.ok_or_else(|| missing(CHOOSES, RULES.iter().map(|rule| rule.name).collect()))?;
        let counts = endgame.as_ref().map(|&(name, _)| name).or(even_first);
        let counts = counts.or(choice.rule.row().needs_posterior.then_some(rule));
        if let Some(part) = counts.filter(|_| source != Source::Posterior) {
            return Err(RecipeError::NeedsPosterior {
                part: part.to_owned(),
                source_part: source_part.to_owned(),
            });
        }
        choice.rule.check()?;
        Ok(Self {
            first_move,
            deduction,
            source,
            endgame: endgame.map(|(_, limits)| limits),
            even_first: even_first.is_some(),
            choice,
        })
    }
}

/// A component of a recipe.
enum RecipePart {
    First(FirstMove),
    Dss,
    Source(Source),
    Endgame(EndgameLimits),
    EvenFirst,
    Choice(Choice),
    Agent,
}

/// The jobs for which every recipe needs a component, as worded in error messages.
const WEIGHS: &str = "where probabilities come from";
const CHOOSES: &str = "which cell to choose";

impl RecipePart {
    /// Returns the component called `name` with default options, or `None` if no component has this
    /// name.
    fn usual(name: &str) -> Option<Self> {
        let parts = [
            (CORNER, Self::First(FirstMove::Corner)),
            (AT, Self::First(FirstMove::At { row: 0, column: 0 })),
            (DSS, Self::Dss),
            (ENDGAME, Self::Endgame(USUAL_ENDGAME)),
            (EVEN_FIRST, Self::EvenFirst),
            (AGENT, Self::Agent),
        ];
        match parts.into_iter().find(|((known, _), _)| *known == name) {
            Some((_, part)) => Some(part),
            None => Source::usual(name)
                .map(Self::Source)
                .or_else(|| Choice::usual(name).map(Self::Choice)),
        }
    }

    /// Returns the job of the component, as worded in error messages.
    fn job(&self) -> &'static str {
        match self {
            Self::First(_) => "where to click first",
            Self::Dss => "what to deduce first",
            Self::Source(_) => WEIGHS,
            Self::Endgame(_) => "how the end is played",
            Self::EvenFirst => "when to guess a 50/50",
            Self::Choice(_) => CHOOSES,
            Self::Agent => "the same",
        }
    }
}

impl Options for RecipePart {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        match self {
            Self::Source(source) => source.list(list),
            Self::Endgame(limits) => limits.list(list),
            Self::Choice(choice) => choice.list(list),
            Self::First(first) => first.list(list),
            Self::Dss | Self::EvenFirst | Self::Agent => {}
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = match self {
            Self::Steps(steps) => steps,
            Self::Agent => return f.write_str(AGENT.0),
            Self::Program(program) => {
                let Program { text, sha256, .. } = &**program;
                return write!(f, "{EXEC}{text} (SHA-256 {})", &sha256[..12]);
            }
        };
        match &steps.first_move {
            FirstMove::AsChosen => {}
            FirstMove::Corner => write!(f, "{}+", CORNER.0)?,
            at @ FirstMove::At { .. } => {
                let options = changes_and(at, at, &["row", "column"]);
                write!(f, "{}{options}+", AT.0)?;
            }
        }
        if steps.deduction == Deduction::Dss {
            write!(f, "{}+", DSS.0)?;
        }
        write!(f, "{}+", steps.source)?;
        if let Some(limits) = &steps.endgame {
            let changes = changes_and(limits, &USUAL_ENDGAME, &["layouts"]);
            write!(f, "{}{changes}+", ENDGAME.0)?;
        }
        if steps.even_first {
            write!(f, "{}+", EVEN_FIRST.0)?;
        }
        write!(f, "{}", steps.choice)
    }
}
