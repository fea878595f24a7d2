//! Rules that ask a model: the candidate with its highest score. A new one is a file with a [`ModelRule`] and its line in
//! `rules!`.

use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::swap::Swap;
use super::super::syntax::{PartText, RecipeError};
use super::super::versions::versions;
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use super::scores::ModelQuery;
use crate::features::{LocationScore, Position, PositionFeatures, RowSettings, feature_set, q_v2};
use crate::{Board, Cell};
use mineflow_model::{Artifact, ArtifactError, Entry, Expected, Fault, Linear, Metadata, Mlp, Model, Registry, sha256};
use mineflow_model::{FeatureSet, Target};
use mineflow_rng::Rng;

/// Digits of a content hash that a printed recipe shows.
const SHOWN_DIGITS: usize = 12;
/// The notes of an artifact on how its rows are made: the location score; theta 1 to 4 of equation 10, separated by commas;
/// the value of a cell off the board.
const LOCATION_SCORE: &str = "location_score";
const THETA: &str = "theta";
const OFF_BOARD: &str = "off_board";

/// Where a model came from.
#[derive(Clone, PartialEq, Eq, Debug)]
enum ModelOrigin {
    /// The artifact published for this version.
    Published(String),
    File(PathBuf),
    Memory,
}

impl fmt::Display for ModelOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Published(version) => f.write_str(version),
            Self::File(path) => path.display().fmt(f),
            Self::Memory => f.write_str("in-memory"),
        }
    }
}

/// What distinguishes one rule that asks a model from another.
pub trait ModelRule: 'static {
    /// The rule's name in a recipe.
    const NAME: &'static str;
    const HELP: &'static str;
    /// The version whose published model is taken where none is named.
    const VERSION: &'static str;
    /// The kinds of models, as [`Artifact::kind`] has them.
    const KINDS: &'static [&'static str];
    /// The feature set of models that name none. Models of other sets with its target are asked too.
    const FEATURES: &'static dyn PositionFeatures;
}

/// The highest score of a model, ties at random; shared by all who play by it. Equal if content, margin and tie are.
#[derive(Clone, Debug)]
pub struct Learned<R> {
    rule: PhantomData<R>,
    origin: ModelOrigin,
    sha256: String,
    features: &'static dyn PositionFeatures,
    rows: RowNotes,
    /// Only cells whose probability is up to the least and this much more are candidates, as 4.5's are (main paper,
    /// section 4.2.1, table 3).
    margin: Option<f64>,
    /// Scores up to this much below the highest count as equal to it, and of equals the cell with the highest location
    /// score is taken (equation 4), which is one with the fewest neighbours: "it will uncover the larger area".
    tie: Option<f64>,
    artifact: Arc<Artifact>,
}

impl<R> PartialEq for Learned<R> {
    fn eq(&self, other: &Self) -> bool {
        self.sha256 == other.sha256 && self.margin == other.margin && self.tie == other.tie
    }
}

/// How the rows that a model reads were made, as its artifact notes it.
#[derive(Clone, PartialEq, Debug)]
pub struct RowNotes {
    pub score: LocationScore,
    /// Alpha of equation 10; none where no return is learnt.
    pub alpha: Option<Linear>,
    /// The value of a cell off the board.
    pub off_board: f32,
}

impl RowNotes {
    /// Adds to the metadata of a network on sub-states how these are made; [`Learned`] reads it back.
    pub fn note(metadata: Metadata, alpha: &Linear, score: LocationScore, off_board: f32) -> Metadata {
        let theta = alpha.theta().map(|theta| theta.to_string()).join(",");
        metadata.note(THETA, theta).note(LOCATION_SCORE, score).note(OFF_BOARD, off_board)
    }

    /// Reads the notes; where one is missing that need not be there, its default.
    fn read(model: &dyn Model, target: Target) -> Result<Self, String> {
        let notes = model.notes();
        let score = match notes.get(LOCATION_SCORE) {
            Some(name) => name.parse().map_err(|why| format!("notes a bad score: {why}"))?,
            None => LocationScore::default(),
        };
        let alpha = match (target, notes.get(THETA)) {
            (Target::Safe | Target::Won | Target::Gain, _) => None,
            (Target::Return, None) => return Err(Fault::MetadataMissing(THETA).to_string()),
            (Target::Return, Some(noted)) => Some(read_theta(noted)?),
        };
        let off_board = match notes.get(OFF_BOARD) {
            None => q_v2::OFF_BOARD,
            Some(noted) => {
                let value = noted.trim().parse().ok().filter(|value| q_v2::OFF_BOARD_RANGE.contains(value));
                value.ok_or_else(|| bad_note(OFF_BOARD, noted, "a number from -2 to 2"))?
            }
        };
        Ok(Self { score, alpha, off_board })
    }

    /// The settings for positions on `board`.
    fn on(&self, board: Board) -> RowSettings {
        let alpha = self.alpha.as_ref().map_or(1.0, |alpha| alpha.alpha(board.width(), board.height(), board.mines()));
        RowSettings { score: self.score, alpha, off_board: self.off_board }
    }
}

fn read_theta(noted: &str) -> Result<Linear, String> {
    let theta: Option<Vec<f64>> = noted.split(',').map(|number| number.trim().parse().ok()).collect();
    let theta = theta.and_then(|theta| <[f64; 4]>::try_from(theta).ok());
    let theta = theta.ok_or_else(|| bad_note(THETA, noted, "four numbers separated by commas"))?;
    Linear::new(theta, Metadata::new(Linear::FEATURES)).map_err(|fault| fault.to_string())
}

fn bad_note(key: &'static str, found: &str, expected: &'static str) -> String {
    Fault::Metadata { key, found: found.to_owned(), expected }.to_string()
}

/// A model before it is known whether it fits its reader.
struct UncheckedModel {
    origin: ModelOrigin,
    artifact: Artifact,
    sha256: String,
    /// The file, for messages.
    path: Option<PathBuf>,
    /// The feature set that the registry says.
    registered: Option<String>,
}

impl UncheckedModel {
    fn of_file(path: PathBuf) -> Result<Self, String> {
        let loaded = Artifact::read(&path).map_err(|error| advised(&error, error.help()))?;
        let origin = ModelOrigin::File(path.clone());
        Ok(Self { origin, artifact: loaded.artifact, sha256: loaded.sha256, path: Some(path), registered: None })
    }

    fn of_entry(origin: ModelOrigin, entry: Entry) -> Self {
        let Entry { row, path, loaded } = entry;
        let registered = Some(row.features);
        Self { origin, artifact: loaded.artifact, sha256: loaded.sha256, path: Some(path), registered }
    }

    fn of_network(network: &Mlp) -> Self {
        let (artifact, sha256) = (Artifact::Mlp(network.clone()), sha256(&network.to_bytes()));
        Self { origin: ModelOrigin::Memory, artifact, sha256, path: None, registered: None }
    }

    fn published(version: String) -> Result<Self, String> {
        let entry = Registry::open(None).and_then(|registry| registry.entry(&version));
        let entry = entry.map_err(|error| advised(&error, error.help()))?;
        Ok(Self::of_entry(ModelOrigin::Published(version), entry))
    }

    /// The feature set that the model reads: its own if the reader may compute it, else the reader's.
    fn features(&self, readers: &'static dyn PositionFeatures) -> &'static dyn PositionFeatures {
        let named = self.artifact.model().features().or(self.registered.as_deref());
        let own = named.and_then(feature_set).filter(|own| own.set().target == readers.set().target);
        own.unwrap_or(readers)
    }

    /// Whether model and registry agree with what the reader computes.
    fn check(&self, expected: &Expected<'_>) -> Result<(), String> {
        let checked = self.artifact.check(expected).and_then(|()| match &self.registered {
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

impl<R: ModelRule> Learned<R> {
    fn load(swap: Option<&Swap>, named: Option<String>, reader: &str) -> Result<Self, String> {
        let candidate = match (swap, named) {
            (Some(Swap::File(path)), _) => UncheckedModel::of_file(path.clone())?,
            (Some(Swap::Registered(entry)), _) => {
                UncheckedModel::of_entry(ModelOrigin::File(entry.path.clone()), Entry::clone(entry))
            }
            (Some(Swap::Network(network)), _) => UncheckedModel::of_network(network),
            (None, Some(name)) if !versions().iter().any(|version| version.name == name) => {
                UncheckedModel::of_file(name.into())?
            }
            (None, named) => UncheckedModel::published(named.unwrap_or_else(|| R::VERSION.to_owned()))?,
        };
        let features = candidate.features(R::FEATURES);
        candidate.check(&Expected::new(reader, features.set()))?;
        let UncheckedModel { origin, artifact, sha256, .. } = candidate;
        if !R::KINDS.contains(&artifact.kind()) {
            return Err(format!("{origin} holds {}, {reader} needs {}", artifact.kind(), R::KINDS.join(" or ")));
        }
        let rows = RowNotes::read(artifact.model(), features.set().target).map_err(|why| format!("{origin} {why}"))?;
        let (margin, tie) = (None, None);
        Ok(Self { rule: PhantomData, origin, sha256, features, rows, margin, tie, artifact: Arc::new(artifact) })
    }
}

impl<R> Learned<R> {
    /// The model itself.
    pub fn artifact(&self) -> &Artifact {
        &self.artifact
    }

    /// The model and the feature set that it reads.
    pub(super) fn asked(&self) -> (&dyn Model, &'static FeatureSet) {
        (self.artifact.model(), self.features.set())
    }

    /// The feature set that it reads.
    pub fn features(&self) -> &'static dyn PositionFeatures {
        self.features
    }

    /// How its rows were made.
    pub fn rows(&self) -> &RowNotes {
        &self.rows
    }

    /// The hash of its file's content, 64 digits in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The options that name the model, as in a recipe.
    pub(super) fn options(&self) -> String {
        format!("model={}:sha256={}", self.origin, self.shown_hash())
    }

    fn shown_hash(&self) -> &str {
        &self.sha256[..SHOWN_DIGITS]
    }
}

impl<R: ModelRule> ChoosingRule for Learned<R> {
    const NAME: &'static str = R::NAME;
    const HELP: &'static str = R::HELP;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let margin = part.take_share("margin")?;
        let tie = part.take_share("tie")?;
        Ok(Self { margin, tie, ..Self::read_model(part)? })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let query = ModelQuery {
            model: self.artifact.model(),
            sha256: &self.sha256,
            features: self.features,
            settings: &|| self.rows.on(position.view.board()),
            margin: self.margin,
            tie: self.tie,
        };
        chooser.scores.best(&query, position, mine, rng)
    }

    fn model_hash(&self) -> Option<&str> {
        Some(&self.sha256)
    }
}

impl<R: ModelRule> Learned<R> {
    /// Takes the options that name the model.
    pub(super) fn read_model(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let named = part.take("model", "a file or a version", |value| (!value.is_empty()).then(|| value.to_owned()))?;
        let digits = part.take("sha256", "the first digits of a hash, in hexadecimal", |value| {
            let is_hash = (8..=64).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_hexdigit());
            is_hash.then(|| value.to_ascii_lowercase())
        })?;
        let refused = |why: String| RecipeError::Model { part: part.name().to_owned(), why };
        let learned = Self::load(part.swap(), named, &format!("`{}`", part.name())).map_err(refused)?;
        match digits {
            Some(digits) if part.swap().is_none() && !learned.sha256.starts_with(&digits) => Err(refused(format!(
                "{} has sha256 {}, the recipe says {digits}",
                learned.origin,
                learned.shown_hash()
            ))),
            _ => Ok(learned),
        }
    }
}

impl<R: ModelRule> fmt::Display for Learned<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", R::NAME, self.options())?;
        self.margin.map_or(Ok(()), |margin| write!(f, ":margin={margin}"))?;
        self.tie.map_or(Ok(()), |tie| write!(f, ":tie={tie}"))
    }
}

/// An error with its causes and what to do about it, on one line.
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
