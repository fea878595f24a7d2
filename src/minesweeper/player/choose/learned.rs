//! What the rules that ask a model have in common: where the model comes from, and taking the best of its scores.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use rand::RngExt;

use super::super::syntax::{PartText, RecipeError};
use super::super::versions::versions;
use super::chooser::least;
use crate::learn::FeatureSet;
use crate::learn::model::{
    Artifact, Entry, Expected, Fault, Forest, ForestScratch, Loaded, Mlp, MlpScratch, Registry, sha256,
};
use crate::minesweeper::Cell;
use crate::minesweeper::features::{LocationScore, Position, TIE};
use crate::rng::Rng;

/// Digits of a content hash that a printed recipe shows.
const SHOWN_DIGITS: usize = 12;
/// The note of an artifact that names the location score of its features.
pub(super) const LOCATION_SCORE: &str = "location_score";

/// A model to play with instead of the one that a recipe names.
#[derive(Clone, Debug)]
pub enum Swap {
    /// An artifact file.
    File(PathBuf),
    /// What a registry has, or is to have.
    Registered(Arc<Entry>),
    /// A network in memory, such as one in training.
    Network(Arc<Mlp>),
}

/// Where a model came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelSource {
    /// The artifact published for this version.
    Published(String),
    File(PathBuf),
    Memory,
}

impl ModelSource {
    fn load(&self, expected: &Expected<'_>) -> Result<Loaded, String> {
        match self {
            Self::Published(version) => {
                let loaded = Registry::open(None).and_then(|registry| registry.load(version, expected));
                loaded.map_err(|error| advised(&error, error.help()))
            }
            Self::File(path) => Artifact::load(path, expected).map_err(|error| advised(&error, error.help())),
            Self::Memory => Err("a model in memory can't be loaded again".to_owned()),
        }
    }
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Published(version) => f.write_str(version),
            Self::File(path) => path.display().fmt(f),
            Self::Memory => f.write_str("in-memory"),
        }
    }
}

/// A model as a part of a recipe, shared by all who play by it. Equal if content, margin and tie are.
#[derive(Clone, Debug)]
pub struct Learned<M> {
    source: ModelSource,
    sha256: String,
    location_score: LocationScore,
    /// Only cells whose probability is up to the least and this much more are candidates, as 4.5's are (main paper,
    /// section 4.2.1, table 3).
    margin: Option<f64>,
    /// Scores up to this much below the highest count as equal to it, and of equals the cell with the highest location
    /// score is taken (equation 4), which is one with the fewest neighbours: "it will uncover the larger area".
    tie: Option<f64>,
    model: Arc<M>,
}

impl<M> PartialEq for Learned<M> {
    fn eq(&self, other: &Self) -> bool {
        self.sha256 == other.sha256 && self.margin == other.margin && self.tie == other.tie
    }
}

/// What a rule asks of its model.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The version whose published model is taken where none is named.
    pub(super) version: &'static str,
    pub(super) set: &'static FeatureSet,
}

/// A kind of model that rules ask.
pub trait Kind: Sized {
    /// What it is, in words.
    const NAME: &'static str;

    fn of(artifact: Artifact) -> Result<Self, Box<Artifact>>;

    /// The model that `swap` has in memory, if it is of this kind.
    fn in_memory(swap: &Swap) -> Option<(Arc<Self>, String)>;

    fn wrap(&self) -> Artifact;
}

impl Kind for Forest {
    const NAME: &'static str = "trees";

    fn of(artifact: Artifact) -> Result<Self, Box<Artifact>> {
        match artifact {
            Artifact::Forest(forest) => Ok(forest),
            other => Err(Box::new(other)),
        }
    }

    fn in_memory(_: &Swap) -> Option<(Arc<Self>, String)> {
        None
    }

    fn wrap(&self) -> Artifact {
        Artifact::Forest(self.clone())
    }
}

impl Kind for Mlp {
    const NAME: &'static str = "a network";

    fn of(artifact: Artifact) -> Result<Self, Box<Artifact>> {
        match artifact {
            Artifact::Mlp(mlp) => Ok(mlp),
            other => Err(Box::new(other)),
        }
    }

    fn in_memory(swap: &Swap) -> Option<(Arc<Self>, String)> {
        match swap {
            Swap::Network(network) => Some((network.clone(), sha256(&network.to_bytes()))),
            Swap::File(_) | Swap::Registered(_) => None,
        }
    }

    fn wrap(&self) -> Artifact {
        Artifact::Mlp(self.clone())
    }
}

impl<M: Kind> Learned<M> {
    /// Takes the options of a rule that asks a model, and loads it.
    pub(super) fn read(part: &mut PartText<'_>, wanted: Wanted) -> Result<Self, RecipeError> {
        let named = part.take("model", "a file or a version", |value| (!value.is_empty()).then(|| value.to_owned()))?;
        let digits = part.take("sha256", "the first digits of a hash, in hexadecimal", |value| {
            let is_hash = (8..=64).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_hexdigit());
            is_hash.then(|| value.to_ascii_lowercase())
        })?;
        let mut share = |option| {
            part.take(option, "a number from 0 to 1", |value| {
                value.parse().ok().filter(|share| (0.0..=1.0).contains(share))
            })
        };
        let (margin, tie) = (share("margin")?, share("tie")?);
        let refused = |why: String| RecipeError::Model { part: part.name().to_owned(), why };
        let reader = format!("`{}`", part.name());
        let learned = match part.swap() {
            Some(Swap::File(path)) => Self::load(ModelSource::File(path.clone()), &reader, wanted),
            Some(Swap::Registered(entry)) => Self::registered(entry, &reader, wanted),
            Some(swap) => Self::share(swap, &reader, wanted),
            None => {
                let is_version = |name: &str| versions().iter().any(|version| version.name == name);
                let source = match named {
                    Some(name) if !is_version(&name) => ModelSource::File(name.into()),
                    Some(name) => ModelSource::Published(name),
                    None => ModelSource::Published(wanted.version.to_owned()),
                };
                Self::load(source, &reader, wanted)
            }
        }
        .map_err(refused)?;
        let learned = Self { margin, tie, ..learned };
        match digits {
            Some(digits) if part.swap().is_none() && !learned.sha256.starts_with(&digits) => Err(refused(format!(
                "{} has sha256 {}, the recipe says {digits}",
                learned.source,
                learned.shown_hash()
            ))),
            _ => Ok(learned),
        }
    }

    fn load(source: ModelSource, reader: &str, wanted: Wanted) -> Result<Self, String> {
        let loaded = source.load(&wanted.expected(reader))?;
        Self::of(source, loaded, reader)
    }

    fn registered(entry: &Entry, reader: &str, wanted: Wanted) -> Result<Self, String> {
        entry.check(&wanted.expected(reader)).map_err(|error| advised(&error, error.help()))?;
        Self::of(ModelSource::File(entry.path.clone()), entry.loaded.clone(), reader)
    }

    /// The model of an artifact of the right features, if it is one of this kind.
    fn of(source: ModelSource, loaded: Loaded, reader: &str) -> Result<Self, String> {
        let location_score = location_score(&loaded.artifact).map_err(|why| format!("{source} {why}"))?;
        let model = M::of(loaded.artifact)
            .map_err(|other| format!("{source} holds {}, {reader} needs {}", other.kind(), M::NAME))?;
        Ok(Self { source, sha256: loaded.sha256, location_score, margin: None, tie: None, model: Arc::new(model) })
    }

    fn share(swap: &Swap, reader: &str, wanted: Wanted) -> Result<Self, String> {
        let (model, sha256) = M::in_memory(swap).ok_or_else(|| format!("{reader} needs {}", M::NAME))?;
        let artifact = model.wrap();
        artifact.check(&wanted.expected(reader)).map_err(|fault| format!("the model in memory {fault}"))?;
        let location_score = location_score(&artifact).map_err(|why| format!("the model in memory {why}"))?;
        Ok(Self { source: ModelSource::Memory, sha256, location_score, margin: None, tie: None, model })
    }
}

impl<M> Learned<M> {
    /// The model itself.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// Where it came from.
    pub fn source(&self) -> &ModelSource {
        &self.source
    }

    /// The hash of its file's content, 64 digits in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The location score that its features were computed with.
    pub fn location_score(&self) -> LocationScore {
        self.location_score
    }

    fn shown_hash(&self) -> &str {
        &self.sha256[..SHOWN_DIGITS]
    }
}

impl<M> fmt::Display for Learned<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "model={}:sha256={}", self.source, self.shown_hash())?;
        self.margin.map_or(Ok(()), |margin| write!(f, ":margin={margin}"))?;
        self.tie.map_or(Ok(()), |tie| write!(f, ":tie={tie}"))
    }
}

impl Wanted {
    fn expected<'a>(&self, reader: &'a str) -> Expected<'a> {
        Expected::new(reader, self.set)
    }
}

/// The location score that an artifact notes; the default where it notes none.
fn location_score(artifact: &Artifact) -> Result<LocationScore, String> {
    let noted = artifact.notes().get(LOCATION_SCORE);
    noted.map_or(Ok(LocationScore::default()), |name| name.parse().map_err(|why| format!("notes a bad score: {why}")))
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

/// The candidates of a decision and what a model makes of them, kept from decision to decision for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    /// The candidates, in row-major order unless grouped.
    pub(super) cells: Vec<Cell>,
    /// Their features, one row after another.
    pub(super) rows: Vec<f32>,
    /// Their scores.
    pub(super) values: Vec<f32>,
    pub(super) scratch: ModelScratch,
    /// Scratch of the feature set.
    pub(super) features: Vec<f32>,
    grouped: Vec<Cell>,
    /// The candidates that share the highest score.
    best: Vec<Cell>,
    first_move: Option<FirstMove>,
}

/// Room for the models' own numbers.
#[derive(Clone, Debug, Default)]
pub struct ModelScratch {
    pub(super) forest: ForestScratch,
    pub(super) mlp: MlpScratch,
}

/// The best cells of a board of which nothing is known: the same in every game.
#[derive(Clone, Debug)]
struct FirstMove {
    sha256: String,
    mines: usize,
    mine: f64,
    best: Vec<Cell>,
}

impl Scores {
    /// The candidate with the highest score, ties at random. `mine` is NaN for cells that may not be chosen; `score` fills in
    /// `values` for `cells`. The scores depend on the position and `learned` alone.
    pub(super) fn best<M>(
        &mut self,
        learned: &Learned<M>,
        position: &Position<'_>,
        mine: &[f64],
        rng: &mut Rng,
        score: impl FnOnce(&mut Self),
    ) -> Option<Cell> {
        let nothing_known = position.view.opened().is_empty();
        if nothing_known
            && let Some(known) = self.first_move.as_ref().filter(|known| known.is_of(&learned.sha256, position, mine))
        {
            return draw(&known.best, rng);
        }
        self.cells.clear();
        let cells = || mine.iter().enumerate().map(|(index, &p)| (Cell(index as u16), p));
        let limit = learned.margin.map_or(f64::INFINITY, |margin| least(mine) + margin + TIE);
        self.cells.extend(cells().filter(|&(_, p)| p < 1.0 - TIE && p <= limit).map(|(cell, _)| cell));
        if self.cells.is_empty() {
            self.cells.extend(cells().filter(|(_, p)| !p.is_nan()).map(|(cell, _)| cell));
        }
        self.rows.clear();
        score(self);
        let scored = || self.cells.iter().copied().zip(self.values.iter().copied());
        let highest = scored().map(|(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        let least = highest - learned.tie.unwrap_or(0.0) as f32;
        let neighbors = |cell: Cell| match learned.tie {
            Some(_) => position.view.grid().neighbor_count(cell),
            None => 0,
        };
        let close = || scored().filter(|&(_, value)| value >= least);
        let fewest = close().map(|(cell, _)| neighbors(cell)).min();
        let placed = || close().filter(|&(cell, _)| Some(neighbors(cell)) == fewest);
        let best = placed().map(|(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        self.best.clear();
        self.best.extend(placed().filter(|&(_, value)| value == best).map(|(cell, _)| cell));
        // Grouping must not change which of equals is drawn.
        self.best.sort_unstable();
        if nothing_known && let Some(&p) = mine.first().filter(|first| mine.iter().all(|p| p == *first)) {
            let (sha256, mines, best) = (learned.sha256.clone(), position.view.mines(), self.best.clone());
            self.first_move = Some(FirstMove { sha256, mines, mine: p, best });
        }
        draw(&self.best, rng)
    }
}

impl Scores {
    /// Brings the cells of each group together, in row-major order within it; gives where the groups end.
    pub(super) fn group<const GROUPS: usize>(&mut self, group_of: impl Fn(Cell) -> usize) -> [usize; GROUPS] {
        self.grouped.clear();
        let ends = std::array::from_fn(|group| {
            self.grouped.extend(self.cells.iter().filter(|&&cell| group_of(cell) == group));
            self.grouped.len()
        });
        std::mem::swap(&mut self.cells, &mut self.grouped);
        ends
    }
}

impl FirstMove {
    fn is_of(&self, sha256: &str, position: &Position<'_>, mine: &[f64]) -> bool {
        self.mines == position.view.mines() && self.sha256 == sha256 && mine.iter().all(|&p| p == self.mine)
    }
}

fn draw(cells: &[Cell], rng: &mut Rng) -> Option<Cell> {
    match cells {
        [] => None,
        &[one] => Some(one),
        several => Some(several[rng.random_range(0..several.len() as u32) as usize]),
    }
}

/// A fault of a note, for rules that read more of them.
pub(super) fn bad_note(key: &'static str, found: &str, expected: &'static str) -> String {
    Fault::Metadata { key, found: found.to_owned(), expected }.to_string()
}
