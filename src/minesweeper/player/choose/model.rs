//! The model of a rule, as named in a recipe and as loaded.

use std::{error::Error, path::Path, sync::Arc};

use super::{
    super::{
        recipe_error::RecipeError,
        versions::{Version, versions},
    },
    rule::{RULES, RuleRow},
};
use crate::{
    Board,
    features::{LocationScore, PositionFeatures, RowSettings, feature_set, q_v2},
};
use mineflow_model::{
    AnyModel, Artifact, Expected, Fault, Linear, Metadata, Models, Target, model_name,
};
use mineflow_search::options::{OptionError, OptionList, Options};

/// The number of digits of the content hash in a printed recipe.
const SHOWN_DIGITS: usize = 12;
/// The reader of a model in messages, which begin with the player's name.
const READER: &str = "the player";
/// What the option `sha256` expects.
const DIGITS: &str = "the first digits of a hash, in hexadecimal";

/// The key of the location score in the artifact's notes.
const LOCATION_SCORE: &str = "location_score";
/// The key of theta 1 to 4 (Sinha et al. 2021, equation 10), which are separated by commas.
const THETA: &str = "theta";
/// The key of the input value of cells off the board.
const OFF_BOARD: &str = "off_board";

/// A model that was loaded for a rule, and the settings with which its input rows are computed, as
/// recorded in the notes of its artifact.
#[derive(Debug)]
pub struct LoadedModel {
    pub artifact: Arc<Artifact>,
    /// The meaning of the predictions.
    pub target: Target,
    /// The feature set that the model reads.
    pub features: &'static dyn PositionFeatures,
    pub score: LocationScore,
    /// Alpha of equation 10 (Sinha et al. 2021); `None` for models that don't read `q-v2`.
    pub alpha: Option<Linear>,
    /// The input value of cells off the board.
    pub off_board: f32,
}

/// The model that a recipe names by the options `model` and `sha256`. Two values are equal if their
/// targets and the contents of their loaded models are equal.
#[derive(Clone, Debug)]
pub struct ModelRef {
    /// The rule by the name that the recipe gives it.
    pub(super) rule: &'static RuleRow,
    /// A version, a registered model such as `my-5.0`, a file or the folder of a training; empty for
    /// the default version of the rule.
    name: String,
    /// The first digits of the content hash; empty to accept any content.
    sha256: String,
    loaded: Option<Arc<LoadedModel>>,
}

impl PartialEq for ModelRef {
    fn eq(&self, other: &Self) -> bool {
        let [own, other] = [self, other].map(|model| {
            let loaded = model.loaded.as_ref();
            (
                model.rule.target(),
                loaded.map(|model| &model.artifact.sha256),
            )
        });
        own == other
    }
}

impl ModelRef {
    /// Names the published model of a rule without loading it.
    pub(super) fn published(rule: &'static RuleRow) -> Self {
        Self {
            rule,
            name: String::new(),
            sha256: String::new(),
            loaded: None,
        }
    }

    /// Returns the name of the rule, which is a part of a recipe.
    pub(in crate::player) fn part(&self) -> &'static str {
        self.rule.name
    }

    /// Returns the loaded model.
    pub(in crate::player) fn loaded(&self) -> &Arc<LoadedModel> {
        self.loaded
            .as_ref()
            .expect("a recipe loads its models when it is read")
    }

    /// Loads the model that the recipe names, for a player. Models of versions are found in
    /// `models`.
    pub(in crate::player) fn load(
        &mut self,
        player: &str,
        models: &Models,
    ) -> Result<(), RecipeError> {
        let name = self.wanted();
        let is_own = Version::of_model(name).is_some() && !Path::new(name).exists();
        let (artifact, origin) = if is_version(name) || is_own {
            let found = models
                .registry()
                .and_then(|registry| registry.artifact(name));
            let found = found.map_err(|error| unusable(player, advised(&error, error.help())))?;
            (found, name.to_owned())
        } else {
            let read = Artifact::read(name.as_ref());
            let read = read.map_err(|error| unusable(player, advised(&error, error.help())))?;
            let origin = read.path.display().to_string();
            (read, origin)
        };
        let digits = self.sha256.to_ascii_lowercase();
        self.accept(player, artifact.into(), origin)?;
        if self.loaded().artifact.sha256.starts_with(&digits) {
            return Ok(());
        }
        let why = format!(
            "{} has sha256 {}, the recipe says {digits}",
            self.name, self.sha256
        );
        Err(unusable(player, why))
    }

    /// Replaces the model that the recipe names by an artifact, for a player.
    pub(in crate::player) fn replace(
        &mut self,
        player: &str,
        artifact: Arc<Artifact>,
    ) -> Result<(), RecipeError> {
        let origin = artifact.path.display().to_string();
        self.accept(player, artifact, origin)
    }

    fn accept(
        &mut self,
        player: &str,
        artifact: Arc<Artifact>,
        origin: String,
    ) -> Result<(), RecipeError> {
        let is_hash = (8..=64).contains(&self.sha256.len())
            && self.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !self.sha256.is_empty() && !is_hash {
            let (name, given) = (&self.rule.name, &self.sha256);
            return Err(OptionError::value(name, "sha256", given, DIGITS).into());
        }
        let model = LoadedModel::new(artifact, self.rule, &origin);
        let model = model.map_err(|why| unusable(player, why))?;
        self.name = origin;
        model.artifact.sha256[..SHOWN_DIGITS].clone_into(&mut self.sha256);
        self.loaded = Some(Arc::new(model));
        Ok(())
    }

    /// Returns the version or the file that is asked for.
    pub(in crate::player) fn wanted(&self) -> &str {
        match self.name.as_str() {
            "" => self.rule.asks().0,
            name => name,
        }
    }

    /// Returns a short name of the model: the version, or the name of its file or of the folder of
    /// its training.
    pub(in crate::player) fn label(&self) -> String {
        model_name(Path::new(&self.name))
    }

    /// Clears the model's name and hash digits; the model stays loaded. Of several names of a rule,
    /// the one that the papers' players with such a model have is kept.
    pub(in crate::player) fn forget_name(&mut self) {
        self.name.clear();
        self.sha256.clear();
        let model = self.loaded();
        let name = match (model.target, &model.artifact.model) {
            (Target::Safe, AnyModel::Forest(_)) => "trees",
            (Target::Safe, _) => "mlp",
            (Target::Return, _) => "q",
            _ => self.rule.name,
        };
        self.rule = RuleRow::named(name).expect("the rule is in the table");
    }

    /// Removes the folders from the path of the model's file. A file that is called like a version
    /// is named `./VERSION`.
    pub(in crate::player) fn forget_folder(&mut self) {
        if is_version(&self.name) {
            return;
        }
        if let Some(file) = Path::new(&self.name).file_name() {
            let file = file.to_string_lossy();
            let folder = if is_version(&file) { "./" } else { "" };
            self.name = format!("{folder}{file}");
        }
    }
}

impl Options for ModelRef {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.text("model", &mut self.name, "a file or a version");
        list.text("sha256", &mut self.sha256, DIGITS);
    }
}

impl LoadedModel {
    /// Checks that an artifact fits a rule, and reads the settings of its rows. Optional settings
    /// that are missing get their default. `origin` is for messages.
    fn new(artifact: Arc<Artifact>, rule: &RuleRow, origin: &str) -> Result<Self, String> {
        let computed = rule.asks().1;
        let target = computed[0].set().target;
        if let Some(found) = predicts(&artifact).filter(|found| *found != target.name()) {
            let rules = RULES
                .iter()
                .filter(|row| row.target().map(Target::name) == Some(found));
            let takers: Vec<_> = rules.map(|row| row.name).collect();
            return Err(format!(
                "{origin} predicts {found}, and `{}` takes models that predict {}; {found} is for {}",
                rule.name,
                target.name(),
                match takers.is_empty() {
                    true => "no rule: value models, --value-model, predict won".to_owned(),
                    false => takers.join(", "),
                }
            ));
        }
        let own = computed
            .iter()
            .find(|of| artifact.features() == Some(of.set().name));
        let features = *own.unwrap_or(&computed[0]);
        let expected = Expected {
            target: Some(target),
            ..Expected::new(READER, features.set())
        };
        artifact
            .check(&expected)
            .map_err(|error| advised(&error, error.help()))?;
        let notes = artifact.model.notes();
        let score = match notes.get(LOCATION_SCORE) {
            None => LocationScore::default(),
            Some(name) => name
                .parse()
                .map_err(|why| format!("{origin} notes a bad score: {why}"))?,
        };
        let alpha = match notes.get(THETA) {
            _ if features.set() != &q_v2::SET => None,
            None => return Err(format!("{origin} {}", Fault::MetadataMissing(THETA))),
            Some(noted) => Some(read_theta(noted).map_err(|fault| format!("{origin} {fault}"))?),
        };
        let off_board = match notes.get(OFF_BOARD) {
            None => q_v2::OFF_BOARD,
            Some(noted) => match noted.trim().parse() {
                Ok(value) if q_v2::OFF_BOARD_RANGE.contains(&value) => value,
                _ => {
                    let fault = bad_note(OFF_BOARD, noted, "a number from -2 to 2");
                    return Err(format!("{origin} {fault}"));
                }
            },
        };
        Ok(Self {
            artifact,
            target,
            features,
            score,
            alpha,
            off_board,
        })
    }

    /// Returns the settings of the model's rows for positions on `board`.
    pub fn settings(&self, board: Board) -> RowSettings {
        RowSettings {
            score: self.score,
            alpha: self.alpha.as_ref().map_or(1.0, |alpha| {
                alpha.alpha(board.width(), board.height(), board.mines())
            }),
            off_board: self.off_board,
        }
    }
}

/// Returns what a model predicts: the target that it names, or else that of its feature set.
pub fn predicts(artifact: &Artifact) -> Option<&str> {
    let implied = || Some(feature_set(artifact.features()?)?.set().target.name());
    artifact.target().or_else(implied)
}

/// Adds the settings of the input rows to the metadata of a network on sub-states. A player reads
/// them when it loads the network.
pub fn note_inputs(
    metadata: Metadata,
    alpha: &Linear,
    score: LocationScore,
    off_board: f32,
) -> Metadata {
    let theta = alpha.theta().map(|theta| theta.to_string()).join(",");
    metadata
        .note(THETA, theta)
        .note(LOCATION_SCORE, score)
        .note(OFF_BOARD, off_board)
}

fn read_theta(noted: &str) -> Result<Linear, Fault> {
    let numbers = noted.split(',').map(|number| number.trim().parse().ok());
    let theta = numbers.collect::<Option<Vec<f64>>>();
    match theta.map(<[f64; 4]>::try_from) {
        Some(Ok(theta)) => Linear::new(theta, Metadata::new(Linear::FEATURES)),
        _ => Err(bad_note(THETA, noted, "four numbers separated by commas")),
    }
}

fn bad_note(key: &'static str, found: &str, expected: &'static str) -> Fault {
    Fault::Metadata {
        key,
        found: found.to_owned(),
        expected,
    }
}

pub(in crate::player) fn unusable(player: &str, why: String) -> RecipeError {
    RecipeError::Model {
        player: player.to_owned(),
        why,
    }
}

/// Returns whether a version has this name. Its published model then takes precedence over a file
/// of this name.
fn is_version(name: &str) -> bool {
    versions().iter().any(|version| version.name == name)
}

/// Formats an error, its causes and the remedy on one line.
pub(in crate::player) fn advised(error: &dyn Error, help: &str) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    format!("{text}; {help}")
}
