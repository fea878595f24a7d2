//! A player that is asked for by name or by recipe.

use std::path::PathBuf;
use std::str::FromStr;

use super::agent::Agent;
use super::decision::Player;
use super::model_override::ModelOverride;
use super::recipe::{Recipe, Steps};
use super::recipe_error::RecipeError;
use super::recipe_player::RecipePlayer;
use super::source::{Engine, Source, TreeSearch};
use super::versions::versions;
use crate::solver::Traversal;

/// A name and what it stands for.
///
/// ```
/// use mineflow_minesweeper::player::PlayerSpec;
/// let named: PlayerSpec = "2.0".parse().unwrap();
/// let typed: PlayerSpec = "dss+backtracking+min-p".parse().unwrap();
/// assert_eq!(named.recipe, typed.recipe);
/// assert_eq!(named.name, "2.0");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    /// As in the table of versions, else the recipe as it prints.
    pub name: String,
    pub recipe: Recipe,
}

impl PlayerSpec {
    /// The player named or described by `text`, with another model than the one that it names.
    ///
    /// # Errors
    /// As for any text, and if the player asks no model or the model is not of its kind.
    pub fn with_model(text: &str, model: &ModelOverride) -> Result<Self, RecipeError> {
        let spec = Self::read(text, Some(model))?;
        let asks =
            matches!(&spec.recipe, Recipe::Steps(steps) if steps.choice.rule.model().is_some());
        if asks {
            Ok(spec)
        } else {
            Err(RecipeError::NoModel { player: spec.name })
        }
    }

    /// The versions that ask a model, of several that ask the same one the first: models are registered under these names.
    pub fn asking() -> impl Iterator<Item = &'static str> {
        // Who asks none says so; who asks one finds that this is none.
        let nowhere = ModelOverride::File(PathBuf::new());
        let asks = move |name: &&str| {
            !matches!(
                Self::with_model(name, &nowhere),
                Err(RecipeError::NoModel { .. })
            )
        };
        let asking = versions().iter().filter(move |version| asks(&version.name));
        let mut rules = Vec::new();
        asking.filter_map(move |version| {
            let mut options = version.recipe.rsplit('+').next()?.split(':');
            let rule = options.next()?;
            let is_own = match options.find_map(|option| option.strip_prefix("model=")) {
                Some(model) => model == version.name,
                None if rules.contains(&rule) => false,
                None => {
                    rules.push(rule);
                    true
                }
            };
            is_own.then_some(version.name)
        })
    }

    /// Returns the [version of its recipe](Recipe::version), which says in tables of results which player made a row.
    pub fn version(&self) -> String {
        self.recipe.version()
    }

    /// A player that follows the recipe.
    pub fn build(&self) -> Box<dyn Player> {
        match &self.recipe {
            Recipe::Agent => Box::new(Agent::default()),
            Recipe::Steps(steps) => Box::new(RecipePlayer::new(steps.clone())),
        }
    }

    /// Whether it searches its guesses by playouts, and so takes hundreds of times as long as others.
    pub fn searches_guesses(&self) -> bool {
        matches!(&self.recipe, Recipe::Steps(steps) if steps.choice.rule.plays_out())
    }

    /// Whether it walks trees of solutions without a limit, and so may take longer than anyone waits on a large board.
    pub fn walks_without_limit(&self) -> bool {
        let is_unlimited = |engine: Engine| match engine {
            Engine::Tree(TreeSearch::Backtracking(walk) | TreeSearch::Dsscsp(walk)) => {
                walk.is_complete()
            }
            Engine::Tree(TreeSearch::Descents(_)) | Engine::Components => false,
        };
        matches!(&self.recipe, Recipe::Steps(Steps { source: Source::Solutions { engine, .. }, .. }) if is_unlimited(*engine))
    }

    /// The same player with the paper's own traversal where a faster count gives the same P: `components` becomes
    /// `dsscsp`, and a named player's name ends in `-paper`. For experiments that measure time (main paper, figures 1
    /// and 5).
    pub fn with_paper_engines(mut self) -> Self {
        let typed = self.name == self.recipe.to_string();
        if let Recipe::Steps(Steps {
            source: Source::Solutions { engine, .. },
            ..
        }) = &mut self.recipe
            && *engine == Engine::Components
        {
            *engine = Engine::Tree(TreeSearch::Dsscsp(Traversal::COMPLETE));
            self.name = if typed {
                self.recipe.to_string()
            } else {
                self.name + "-paper"
            };
        }
        self
    }
}

impl FromStr for PlayerSpec {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        Self::read(text, None)
    }
}

impl PlayerSpec {
    fn read(text: &str, model: Option<&ModelOverride>) -> Result<Self, RecipeError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(RecipeError::Empty);
        }
        if let Some(version) = versions().iter().find(|version| version.name == text) {
            return Ok(Self {
                name: version.name.to_owned(),
                recipe: Recipe::read(version.recipe, model)?,
            });
        }
        let recipe = Recipe::read(text, model).map_err(|error| match error {
            RecipeError::UnknownPart { part, parts } if part == text => {
                RecipeError::UnknownPlayer { text: part, parts }
            }
            other => other,
        })?;
        Ok(Self {
            name: recipe.to_string(),
            recipe,
        })
    }
}
