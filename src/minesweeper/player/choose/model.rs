//! The model of a rule, as named in a recipe and as loaded.

use std::error::Error;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::model_override::ModelOverride;
use super::super::recipe_error::RecipeError;
use super::super::versions::versions;
use super::input_spec::InputSpec;
use crate::features::{PositionFeatures, feature_set};
use mineflow_model::{Artifact, ArtifactError, Entry, Expected, Fault, Mlp, Registry};
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_store::sha256;

/// The number of digits of the content hash in a printed recipe.
const SHOWN_DIGITS: usize = 12;
/// The origin given for a network in memory, such as one that is being trained.
const IN_MEMORY: &str = "in-memory";

/// The properties of a rule that chooses by a model.
pub trait ModelRule: 'static {
    /// The rule's name in a recipe.
    const NAME: &'static str;
    const HELP: &'static str;
    /// The version whose published model is the default.
    const VERSION: &'static str;
    /// The kind of model, as in [`Artifact::kind`].
    const KIND: &'static str;
    /// The feature set that is assumed for models that name none. Models with another feature set are accepted if its target is the same.
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

/// The model that a recipe names by the options `model` and `sha256`. Two values are equal if the contents of their loaded models are
/// equal.
#[derive(Clone, Debug)]
pub(super) struct NamedModel<R> {
    rule: PhantomData<R>,
    /// A version or a file; empty for the default version of the rule.
    name: String,
    /// The first digits of the content hash; empty to accept any content.
    sha256: String,
    loaded: Option<Arc<LoadedModel>>,
}

impl<R> PartialEq for NamedModel<R> {
    fn eq(&self, other: &Self) -> bool {
        let [own, other] =
            [self, other].map(|named| named.loaded.as_ref().map(|model| model.sha256()));
        own == other
    }
}

impl<R: ModelRule> NamedModel<R> {
    /// Names the published model of the rule without loading it.
    pub(super) fn published() -> Self {
        Self {
            rule: PhantomData,
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
            let (name, value) = (part.to_owned(), self.sha256.clone());
            return Err(OptionError::Value {
                name,
                key: "sha256",
                value,
                expected,
            }
            .into());
        }
        let refused = |why| RecipeError::Model {
            part: part.to_owned(),
            why,
        };
        let name = if self.name.is_empty() {
            R::VERSION
        } else {
            &self.name
        };
        let (origin, model) = Self::read(name, swap, &format!("`{part}`")).map_err(refused)?;
        let shown = &model.sha256[..SHOWN_DIGITS];
        if swap.is_none() && !model.sha256.starts_with(&digits) {
            return Err(refused(format!(
                "{origin} has sha256 {shown}, the recipe says {digits}"
            )));
        }
        *self = Self {
            rule: PhantomData,
            name: origin,
            sha256: shown.to_owned(),
            loaded: Some(Arc::new(model)),
        };
        Ok(())
    }

    /// Clears the model's name and hash digits; the model stays loaded.
    pub(super) fn forget_name(&mut self) {
        self.name.clear();
        self.sha256.clear();
    }

    /// Removes the folders from the path of the model's file. A file that is called like a version is named `./VERSION`.
    pub(super) fn forget_folder(&mut self) {
        if is_version(&self.name) {
            return;
        }
        if let Some(file) = Path::new(&self.name).file_name() {
            let file = file.to_string_lossy();
            let folder = if is_version(&file) { "./" } else { "" };
            self.name = format!("{folder}{file}");
        }
    }

    /// Loads the model called `name`, or `swap` in its place, checks that it fits `reader`, and returns it with its origin.
    fn read(
        name: &str,
        swap: Option<&ModelOverride>,
        reader: &str,
    ) -> Result<(String, LoadedModel), String> {
        let candidate = UncheckedModel::find(name, swap)?;
        let features = candidate.features(R::FEATURES);
        candidate.check(&Expected::new(reader, features.set()))?;
        let UncheckedModel {
            origin,
            artifact,
            sha256,
            ..
        } = candidate;
        if artifact.kind() != R::KIND {
            return Err(format!(
                "{origin} holds {}, {reader} needs {}",
                artifact.kind(),
                R::KIND
            ));
        }
        let rows = InputSpec::read(artifact.model(), features.set().target)
            .map_err(|why| format!("{origin} {why}"))?;
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

impl<R> Options for NamedModel<R> {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.text("model", &mut self.name, "a file or a version")?;
        list.text(
            "sha256",
            &mut self.sha256,
            "the first digits of a hash, in hexadecimal",
        )
    }
}

/// A model that has not been checked against its reader.
struct UncheckedModel {
    /// The version or file that the model comes from, or [`IN_MEMORY`].
    origin: String,
    artifact: Artifact,
    sha256: String,
    /// The path of the file, for error messages; `None` for a network in memory.
    path: Option<PathBuf>,
    /// The feature set that the registry gives for the model, if it is registered.
    registered: Option<String>,
}

impl UncheckedModel {
    fn of_file(path: PathBuf) -> Result<Self, String> {
        let loaded = Artifact::read(&path).map_err(|error| advised(&error, error.help()))?;
        let origin = path.display().to_string();
        Ok(Self {
            origin,
            artifact: loaded.artifact,
            sha256: loaded.sha256,
            path: Some(path),
            registered: None,
        })
    }

    fn of_entry(origin: String, entry: Entry) -> Self {
        let Entry { row, path, loaded } = entry;
        let registered = Some(row.features);
        Self {
            origin,
            artifact: loaded.artifact,
            sha256: loaded.sha256,
            path: Some(path),
            registered,
        }
    }

    fn of_network(network: &Mlp) -> Self {
        let (artifact, sha256) = (Artifact::Mlp(network.clone()), sha256(&network.to_bytes()));
        Self {
            origin: IN_MEMORY.to_owned(),
            artifact,
            sha256,
            path: None,
            registered: None,
        }
    }

    fn published(version: &str) -> Result<Self, String> {
        let entry = Registry::open(None).and_then(|registry| registry.entry(version));
        let entry = entry.map_err(|error| advised(&error, error.help()))?;
        Ok(Self::of_entry(version.to_owned(), entry))
    }

    /// Loads the model called `name` (a version or a file), or `swap` in its place.
    fn find(name: &str, swap: Option<&ModelOverride>) -> Result<Self, String> {
        match swap {
            Some(ModelOverride::File(path)) => Self::of_file(path.clone()),
            Some(ModelOverride::Registered(entry)) => Ok(Self::of_entry(
                entry.path.display().to_string(),
                Entry::clone(entry),
            )),
            Some(ModelOverride::Network(network)) => Ok(Self::of_network(network)),
            None if is_version(name) => Self::published(name),
            None => Self::of_file(name.into()),
        }
    }

    /// Returns the feature set of the model's rows: the model's own feature set if it has the same target as `readers`, otherwise
    /// `readers`.
    fn features(&self, readers: &'static dyn PositionFeatures) -> &'static dyn PositionFeatures {
        let named = self
            .artifact
            .model()
            .features()
            .or(self.registered.as_deref());
        let own = named
            .and_then(feature_set)
            .filter(|own| own.set().target == readers.set().target);
        own.unwrap_or(readers)
    }

    /// Checks that the model and its registry row agree with the feature set that the reader expects.
    fn check(&self, expected: &Expected<'_>) -> Result<(), String> {
        let checked = self
            .artifact
            .check(expected)
            .and_then(|()| match &self.registered {
                Some(found) if found != expected.features => Err(Fault::Features {
                    found: found.clone(),
                    reader: expected.reader.to_owned(),
                    expected: expected.features.to_owned(),
                }),
                _ => Ok(()),
            });
        checked.map_err(|fault| match self.path.clone() {
            Some(path) => {
                let error = ArtifactError { path, fault };
                advised(&error, error.help())
            }
            None => format!("the model in memory {fault}"),
        })
    }
}

/// Returns whether a version has this name. Its published model then takes precedence over a file of this name.
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
