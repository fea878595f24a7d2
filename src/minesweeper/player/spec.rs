//! A player given by name or by recipe.

use std::{path::Path, str::FromStr, sync::Arc};

use super::{
    agent::Agent,
    choose::{LoadedModel, ModelRef, advised, unusable},
    decision::Player,
    recipe::{Recipe, Steps},
    recipe_error::RecipeError,
    recipe_player::RecipePlayer,
    source::{Engine, Source, TreeSearch},
    versions::{Version, versions},
};
use mineflow_model::{Artifact, Models};
use mineflow_search::options::OptionText;

/// A player's name and its recipe.
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
    /// The name in the table of versions, with the name of another model in parentheses, or else the
    /// printed recipe.
    pub name: String,
    pub recipe: Recipe,
}

impl PlayerSpec {
    /// Parses `text` as a name or recipe and replaces its model by `artifact`.
    ///
    /// # Errors
    /// Returns the parse errors of `text`, [`RecipeError::NoModel`] if the player has no model, and
    /// [`RecipeError::Model`] if the artifact does not fit the player.
    pub fn with_model(text: &str, artifact: impl Into<Arc<Artifact>>) -> Result<Self, RecipeError> {
        let artifact = artifact.into();
        Self::read(text, |model, player| model.replace(player, artifact))?.asking_a_model()
    }

    /// Parses `text` as a name or recipe and replaces its model by a file.
    ///
    /// # Errors
    /// Returns the errors of [`PlayerSpec::with_model`], and [`RecipeError::Model`] if the file
    /// can't be read.
    pub fn with_model_file(text: &str, file: &Path) -> Result<Self, RecipeError> {
        Self::read(text, |model, player| match Artifact::read(file) {
            Ok(artifact) => model.replace(player, artifact.into()),
            Err(error) => Err(unusable(player, advised(&error, error.help()))),
        })?
        .asking_a_model()
    }

    /// Parses `text` as a name or recipe. The model of a version is the one that `models` has.
    ///
    /// # Errors
    /// Returns the parse errors of `text`, and [`RecipeError::Model`] if the model can't be loaded.
    pub fn with_models(text: &str, models: &Models) -> Result<Self, RecipeError> {
        Self::read(text, |model, player| model.load(player, models))
    }

    fn asking_a_model(self) -> Result<Self, RecipeError> {
        match self.model() {
            Some(_) => Ok(self),
            None => Err(RecipeError::NoModel { player: self.name }),
        }
    }

    /// Returns the names of the versions under which models are registered, which are those that
    /// ask a model of their own name.
    pub fn asking() -> impl Iterator<Item = &'static str> {
        versions().iter().filter_map(|version| {
            let mut recipe = Recipe::parse(version.recipe).ok()?;
            (recipe.model_mut()?.wanted() == version.name).then_some(version.name)
        })
    }

    /// Returns the [version of the recipe](Recipe::version), which identifies the player in tables
    /// of results.
    pub fn version(&self) -> String {
        self.recipe.version()
    }

    /// Returns the model of the player, if it has one.
    pub fn model(&self) -> Option<&Arc<LoadedModel>> {
        match &self.recipe {
            Recipe::Steps(steps) => steps.choice.rule.model(),
            _ => None,
        }
    }

    /// Builds the player of the recipe.
    pub fn build(&self) -> Box<dyn Player> {
        self.build_together().swap_remove(0)
    }

    /// Builds the players of the recipe that play together: one, or as many as the number of games
    /// that a program plays at once.
    pub fn build_together(&self) -> Vec<Box<dyn Player>> {
        vec![match &self.recipe {
            Recipe::Agent => Box::new(Agent::default()),
            Recipe::Steps(steps) => Box::new(RecipePlayer::new(steps.clone())),
            Recipe::Program(program) => return program.players(),
        }]
    }

    /// Returns whether the player evaluates guesses by playouts, which takes hundreds of times as
    /// long as the rule of player 7.0.
    pub fn searches_guesses(&self) -> bool {
        self.recipe.searches_guesses()
    }

    /// Returns whether the player traverses search trees without a limit, which may take
    /// impractically long on a large board.
    pub fn walks_without_limit(&self) -> bool {
        matches!(
            &self.recipe,
            Recipe::Steps(Steps {
                source: Source::Solutions { engine: Engine::Tree(search), .. },
                ..
            }) if search.is_complete()
        )
    }

    /// Replaces component-wise counting by the traversal of Sinha et al. (2021), which gives the
    /// same P but is slower: `components` becomes `dsscsp`, and a named player's name gets the
    /// suffix `-paper`. Use this method for experiments that measure time (such as figures 1 and 5
    /// of Sinha et al. 2021).
    pub fn with_paper_engines(mut self) -> Self {
        let typed = self.name == self.recipe.without_folders();
        if let Recipe::Steps(Steps {
            source: Source::Solutions { engine, .. },
            ..
        }) = &mut self.recipe
            && *engine == Engine::Components
        {
            *engine = Engine::Tree(TreeSearch::Dsscsp);
            self.name = if typed {
                self.recipe.without_folders()
            } else {
                self.name + "-paper"
            };
        }
        self
    }
}

/// Parses a name or recipe. `5.0:model=FILE` is 5.0 with the model of a file, and `my-5.0` is 5.0
/// with the model that is registered under this name. The model of a version is that of the default
/// registry, which is opened for each player; [`PlayerSpec::with_models`] takes one that is open.
impl FromStr for PlayerSpec {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        Self::with_models(text, &Models::default())
    }
}

impl PlayerSpec {
    /// Parses `text`. If the player asks a model, `load` loads it for the player.
    fn read(
        text: &str,
        load: impl FnOnce(&mut ModelRef, &str) -> Result<(), RecipeError>,
    ) -> Result<Self, RecipeError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(RecipeError::Empty);
        }
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let version = Version::named(name);
        let recipe = version.map_or(text, |version| version.recipe);
        let mut recipe = Recipe::parse(recipe).map_err(|error| match error {
            RecipeError::UnknownPart { part, .. } if part.contains("..") => {
                RecipeError::Range(part)
            }
            RecipeError::UnknownPart { part, parts } if part == text => {
                RecipeError::UnknownPlayer { text: part, parts }
            }
            other => other,
        })?;
        if let Some(version) = version {
            let mut typed = OptionText::split(text)?;
            if name != version.name {
                typed = typed.and("model", name);
            }
            if let Some(model) = recipe.model_mut() {
                typed.read_into(model)?;
            }
            typed.finish()?;
        }
        if let Some(model) = recipe.model_mut() {
            load(model, text)?;
        }
        let name = match (version, recipe.model_mut()) {
            (None, _) => recipe.without_folders(),
            (_, Some(model)) if !options.is_empty() => format!("{name} ({})", model.label()),
            _ => name.to_owned(),
        };
        Ok(Self { name, recipe })
    }
}
