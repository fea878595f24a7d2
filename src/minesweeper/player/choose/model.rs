//! The model of a rule, as named in a recipe and as loaded.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use super::super::model_override::ModelOverride;
use super::super::recipe_error::RecipeError;
use super::super::versions::versions;
use super::input_spec::InputSpec;
use crate::features::{PositionFeatures, feature_set};
use mineflow_model::{Artifact, ArtifactError, Entry, Expected, Loaded, Mlp, Registry, model_file};
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_store::sha256;

/// The number of digits of the content hash in a printed recipe.
const SHOWN_DIGITS: usize = 12;
/// The origin given for a network in memory, such as one that is being trained.
const IN_MEMORY: &str = "in-memory";
/// The reader of a model in messages, which begin with the player's name.
const READER: &str = "the player";

/// The properties of a rule that chooses by a model. The rule asks for the meaning of the
/// prediction, the target of its features, and takes a model of any kind that predicts it.
pub trait ModelRule: 'static {
    /// The rule's name in a recipe.
    const NAME: &'static str;
    const HELP: &'static str;
    /// The version whose published model is the default.
    const VERSION: &'static str;
    /// The feature set that is assumed for models that name none. Models with another feature set
    /// are accepted if its target is the same.
    const FEATURES: &'static dyn PositionFeatures;
}

/// A model that was loaded for a rule. It is shared by all its users.
#[derive(Debug)]
pub struct LoadedModel {
    artifact: Artifact,
    features: &'static dyn PositionFeatures,
    rows: InputSpec,
    sha256: String,
}

impl LoadedModel {
    /// Returns the artifact that holds the model.
    pub fn artifact(&self) -> &Artifact {
        &self.artifact
    }

    /// Returns the feature set that the model reads.
    pub fn features(&self) -> &'static dyn PositionFeatures {
        self.features
    }

    /// Returns the settings of the model's input rows.
    pub fn rows(&self) -> &InputSpec {
        &self.rows
    }

    /// Returns the SHA-256 hash of the file's content, 64 hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// The model that a recipe names by the options `model` and `sha256`. Two values are equal if the
/// contents of their loaded models are equal.
#[derive(Clone, Debug)]
pub(in crate::player) struct NamedModel {
    /// The constants of the rule.
    version: &'static str,
    features: &'static dyn PositionFeatures,
    /// A version, a file or the folder of a training; empty for the default version of the rule.
    name: String,
    /// The first digits of the content hash; empty to accept any content.
    sha256: String,
    loaded: Option<Arc<LoadedModel>>,
}

impl PartialEq for NamedModel {
    fn eq(&self, other: &Self) -> bool {
        let [own, other] =
            [self, other].map(|named| named.loaded.as_ref().map(|model| model.sha256()));
        own == other
    }
}

impl NamedModel {
    /// Names the published model of a rule without loading it.
    pub(super) fn published<R: ModelRule>() -> Self {
        Self {
            version: R::VERSION,
            features: R::FEATURES,
            name: String::new(),
            sha256: String::new(),
            loaded: None,
        }
    }

    /// Returns the loaded model.
    pub(super) fn loaded(&self) -> &Arc<LoadedModel> {
        self.loaded
            .as_ref()
            .expect("a recipe loads its models when it is read")
    }

    /// Loads the model, or `swap` in its place, for the recipe component called `part`.
    pub(super) fn load(
        &mut self,
        part: &str,
        swap: Option<&ModelOverride>,
    ) -> Result<(), RecipeError> {
        let digits = self.sha256.to_ascii_lowercase();
        let is_hash =
            (8..=64).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        if !digits.is_empty() && !is_hash {
            let expected = "the first digits of a hash, in hexadecimal".to_owned();
            let name = part.to_owned();
            let value = self.sha256.clone();
            return Err(OptionError::Value {
                name,
                key: "sha256",
                value,
                expected,
            }
            .into());
        }
        let refused = |why| RecipeError::Model {
            player: part.to_owned(),
            why,
        };
        let name = if self.name.is_empty() {
            self.version
        } else {
            &self.name
        };
        let (origin, model) = self.read(name, swap).map_err(refused)?;
        let shown = &model.sha256[..SHOWN_DIGITS];
        if swap.is_none() && !model.sha256.starts_with(&digits) {
            return Err(refused(format!(
                "{origin} has sha256 {shown}, the recipe says {digits}"
            )));
        }
        (self.name, self.sha256) = (origin, shown.to_owned());
        self.loaded = Some(Arc::new(model));
        Ok(())
    }

    /// Clears the model's name and hash digits; the model stays loaded.
    pub(in crate::player) fn forget_name(&mut self) {
        self.name.clear();
        self.sha256.clear();
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

    /// Loads the model called `name`, or `swap` in its place, checks that it fits the rule, and
    /// returns it with its origin.
    fn read(
        &self,
        name: &str,
        swap: Option<&ModelOverride>,
    ) -> Result<(String, LoadedModel), String> {
        let file = |path: &Path| {
            let loaded = Artifact::read(path).map_err(|error| advised(&error, error.help()))?;
            Ok::<_, String>((model_file(path), loaded, None))
        };
        let registered = |entry: Entry| (entry.path, entry.loaded, Some(entry.row.features));
        let (path, loaded, said) = match swap {
            Some(ModelOverride::File(path)) => file(path)?,
            Some(ModelOverride::Registered(entry)) => registered(Entry::clone(entry)),
            Some(ModelOverride::Network(network)) => {
                let artifact = Mlp::clone(network);
                let sha256 = sha256(&network.to_bytes());
                let artifact = Artifact::Mlp(artifact);
                (IN_MEMORY.into(), Loaded { artifact, sha256 }, None)
            }
            None if is_version(name) => {
                let entry = Registry::open(None).and_then(|registry| registry.entry(name));
                registered(entry.map_err(|error| advised(&error, error.help()))?)
            }
            None => file(name.as_ref())?,
        };
        let origin = match swap {
            None if is_version(name) => name.to_owned(),
            _ => path.display().to_string(),
        };
        let Loaded { artifact, sha256 } = loaded;
        let model = artifact.model();
        let target = self.features.set().target;
        // A feature set with the target of the rule's is accepted too.
        let features = model
            .features()
            .or(said.as_deref())
            .and_then(feature_set)
            .filter(|own| own.set().target == target)
            .unwrap_or(self.features);
        artifact
            .check_said(&Expected::new(READER, features.set()), said.as_deref())
            .map_err(|fault| {
                let error = ArtifactError { path, fault };
                advised(&error, error.help())
            })?;
        let rows = InputSpec::read(model, target).map_err(|why| format!("{origin} {why}"))?;
        Ok((
            origin,
            LoadedModel {
                artifact,
                features,
                rows,
                sha256,
            },
        ))
    }
}

impl Options for NamedModel {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.text("model", &mut self.name, "a file or a version")?;
        list.text(
            "sha256",
            &mut self.sha256,
            "the first digits of a hash, in hexadecimal",
        )
    }
}

/// Returns whether a version has this name. Its published model then takes precedence over a file
/// of this name.
fn is_version(name: &str) -> bool {
    versions().iter().any(|version| version.name == name)
}

/// Formats an error, its causes and the remedy on one line.
fn advised(error: &dyn Error, help: &str) -> String {
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
