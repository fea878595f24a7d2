//! How lucky a game was, so that its end can be judged without it.
//!
//! A guess that is made has one of several outcomes: a mine, or a number `v`. Their probabilities P are exact, by the layouts that
//! fit. For any function V of what is seen then, with V = 0 for a mine, the luck of the guess is `V(seen) - sum over v of P(v) V(v)`,
//! whose expectation is 0 given all that came before. So the end of the game (1 won, 0 not) less the sum of the luck of all its
//! guesses has the expectation of the end, for every V and every player; the better V predicts the end, the less the difference
//! varies (AIVAT: Burch, Schmid, Moravcik, Morrill and Bowling, AAAI 2018; here chance has all the moves that are corrected). The
//! first click counts as a guess whose outcomes are those that its promise leaves; certain cells are not corrected.
//!
//! Which guesses are corrected may depend on what was seen before them. A position beyond the limits of counting is left out so.

use std::fmt;
use std::sync::Arc;

use crate::features::value_v1;
use crate::solver::{Analysis, Budget, Weighting};
use crate::{Board, Cell, FirstClick, View};
use mineflow_model::{Artifact, ArtifactError, Expected, ModelScratch, Registry, RegistryError};

/// Numbers that a cell may show.
const NUMBERS: usize = 9;
/// Outcomes of several cells at once that are valued at most.
const MOST_OUTCOMES: u32 = 2_000;
/// Who reads a value model, for messages.
const READER: &str = "luck-corrected measurement";

/// A model of the chance to win from a position: feature set `value-v1`.
#[derive(Clone)]
pub struct ValueModel {
    artifact: Arc<Artifact>,
    /// SHA-256 of its file, in hexadecimal.
    pub sha256: String,
}

impl fmt::Debug for ValueModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueModel({})", self.sha256)
    }
}

impl ValueModel {
    /// The name of the models for boards that have none of their own.
    pub const GENERAL: &str = "value";

    /// What a registry calls the model for a board under a first-click rule.
    pub fn name(board: Board, rule: FirstClick) -> String {
        format!(
            "{}-{}x{}-{}-{}",
            Self::GENERAL,
            board.width(),
            board.height(),
            board.mines(),
            rule.name()
        )
    }

    /// Whether a registry calls a value model so: the general one, or that of a board under a first-click rule.
    pub fn is_name(name: &str) -> bool {
        let own = |rest: &str| {
            let mut parts = rest.splitn(3, '-');
            let (size, mines, rule) = (parts.next()?, parts.next()?, parts.next()?);
            let board = format!("{size}/{mines}").parse::<Board>().ok()?;
            let rule = rule.parse::<FirstClick>().ok()?;
            Some(Self::name(board, rule) == name)
        };
        match name.strip_prefix(Self::GENERAL) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('-').and_then(own).unwrap_or(false),
            None => false,
        }
    }

    /// What a reader of values expects of an artifact.
    pub fn expected() -> Expected<'static> {
        Expected::new(READER, &value_v1::SET)
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// As [`Artifact::load`].
    pub fn load(path: &std::path::Path) -> Result<Self, ArtifactError> {
        let loaded = Artifact::load(path, &Self::expected())?;
        Ok(Self {
            artifact: Arc::new(loaded.artifact),
            sha256: loaded.sha256,
        })
    }

    /// The model of a registry for a board under a first-click rule: its own if there is one, else the general one.
    ///
    /// # Errors
    /// As [`Registry::load`].
    pub fn registered(
        registry: &Registry,
        board: Board,
        rule: FirstClick,
    ) -> Result<Self, RegistryError> {
        let own = Self::name(board, rule);
        let name = if registry.row(&own).is_some() {
            &own
        } else {
            Self::GENERAL
        };
        let loaded = registry.load(name, &Self::expected())?;
        Ok(Self {
            artifact: Arc::new(loaded.artifact),
            sha256: loaded.sha256,
        })
    }
}

/// The chance to win that a value model sees, now and after a guess.
pub struct Foresight {
    model: ValueModel,
    child: Analysis,
    scratch: ModelScratch,
    values: Vec<f32>,
}

/// What the numbers that a cell may show are worth, and their expectation.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Outcomes {
    /// The chance to win after each number, 0 to 1.
    pub values: [f64; NUMBERS],
    /// The chance of each number.
    pub probabilities: [f64; NUMBERS],
    /// The chance to win before the cell is opened: a mine counts 0.
    pub expected: f64,
}

impl Foresight {
    pub fn new(model: ValueModel) -> Self {
        Self {
            model,
            child: Analysis::new(),
            scratch: ModelScratch::default(),
            values: Vec::new(),
        }
    }

    /// The chance to win from the position of `analysis`; `None` beyond the limits of counting.
    pub fn win(&mut self, analysis: &mut Analysis, budget: &mut Budget) -> Option<f64> {
        let row = value_v1::row(analysis, budget).ok()?;
        self.values.clear();
        self.model
            .artifact
            .model()
            .append(&row, &mut self.values, &mut self.scratch);
        Some(if analysis.unknown() == 0 {
            1.0
        } else {
            f64::from(self.values[0])
        })
    }

    /// What opening an unknown `cell` may bring in the position of `analysis`. A cell that `is_promised` is not a mine.
    /// `None` beyond the limits of counting.
    pub fn outcomes(
        &mut self,
        analysis: &mut Analysis,
        cell: Cell,
        is_promised: bool,
        budget: &mut Budget,
    ) -> Option<Outcomes> {
        let ln_layouts = analysis.ln_layouts(budget).ok()?;
        let mut outcomes = Outcomes::default();
        let mut child = std::mem::take(&mut self.child);
        for number in analysis.numbers(cell) {
            child.follow(analysis);
            if child.suppose(cell, number).is_err() {
                continue;
            }
            let Some(value) = self.win(&mut child, budget) else {
                continue;
            };
            let probability = (child.counted().ln_layouts() - ln_layouts).exp();
            outcomes.values[usize::from(number)] = value;
            outcomes.probabilities[usize::from(number)] = probability;
            outcomes.expected += probability * value;
        }
        self.child = child;
        if is_promised {
            outcomes.expected /= outcomes.probabilities.iter().sum::<f64>();
        }
        Some(outcomes)
    }
}

/// The probability of a win that a value model sees around the opening of several cells at once.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChordValues {
    /// Before it: the mean over all numbers that they may show; a mine counts 0.
    pub expected: f64,
    /// After it, with the numbers that they showed; 0 for a mine.
    pub seen: f64,
}

/// The numbers of several cells, as a search goes through them.
struct ChordSearch<'a> {
    /// What the cells show; `None` if one is a mine.
    shown: Option<&'a [u8]>,
    ln_layouts: f64,
    /// Outcomes that may still be valued.
    left: u32,
    values: ChordValues,
}

impl Foresight {
    /// What opening `cells` at once may bring in the position of `analysis`; `shown` are their numbers, `None` if one is a mine.
    /// `None` beyond the limits of counting, and with more than 2,000 outcomes.
    pub fn chord(
        &mut self,
        analysis: &mut Analysis,
        cells: &[Cell],
        shown: Option<&[u8]>,
        budget: &mut Budget,
    ) -> Option<ChordValues> {
        let mut search = ChordSearch {
            shown,
            ln_layouts: analysis.ln_layouts(budget).ok()?,
            left: MOST_OUTCOMES,
            values: ChordValues::default(),
        };
        let is_seen = shown.is_some();
        self.search_chord(analysis, cells, is_seen, &mut search, budget)?;
        Some(search.values)
    }

    /// Adds the outcomes of `cells`, the last of all; `is_seen` if those before them show what they showed. `None` if there are too many.
    fn search_chord(
        &mut self,
        parent: &Analysis,
        cells: &[Cell],
        is_seen: bool,
        search: &mut ChordSearch<'_>,
        budget: &mut Budget,
    ) -> Option<()> {
        let (&cell, rest) = cells.split_first()?;
        let number_shown = search.shown.map(|all| all[all.len() - cells.len()]);
        let mut child = Analysis::new();
        for number in parent.numbers(cell) {
            child.follow(parent);
            if child.suppose(cell, number).is_err() {
                continue;
            }
            let is_seen = is_seen && number_shown == Some(number);
            if !rest.is_empty() {
                self.search_chord(&child, rest, is_seen, search, budget)?;
                continue;
            }
            search.left = search.left.checked_sub(1)?;
            let Some(value) = self.win(&mut child, budget) else {
                continue;
            };
            let probability = (child.counted().ln_layouts() - search.ln_layouts).exp();
            search.values.expected += probability * value;
            if is_seen {
                search.values.seen = value;
            }
        }
        Some(())
    }
}

/// Follows games and adds up their luck: [`Luck::begin`], then [`Luck::before`] and [`Luck::after`] every guess. Told to begin in the
/// midst of a game, it follows that from there.
pub struct Luck {
    foresight: Foresight,
    analysis: Analysis,
    is_new_game: bool,
    /// What the outcomes of the move to come are worth; none where it is not corrected.
    outcomes: Option<Outcomes>,
    /// The outcomes of the first click on a cell, which are the same in every game.
    first: Option<(Cell, Outcomes)>,
    /// Luck of the game so far.
    sum: f64,
}

impl Luck {
    /// Judges by this model.
    pub fn new(model: ValueModel) -> Self {
        Self {
            foresight: Foresight::new(model),
            analysis: Analysis::new(),
            is_new_game: true,
            outcomes: None,
            first: None,
            sum: 0.0,
        }
    }

    /// Forgets the last game.
    pub fn begin(&mut self) {
        self.is_new_game = true;
        self.sum = 0.0;
    }

    /// Works out what opening `cell` may bring. At a first click under `rule` a promised cell is not a mine.
    pub fn before(&mut self, view: &View, cell: Cell, rule: FirstClick) {
        if std::mem::take(&mut self.is_new_game) {
            self.analysis.begin(view.grid(), view.mines());
        }
        let is_first = view.opened().is_empty();
        self.outcomes = match self.first {
            // An opening shows 0 for sure.
            _ if is_first && rule == FirstClick::Opening => None,
            Some((known, outcomes)) if is_first && known == cell => Some(outcomes),
            _ => self.outcomes(view, cell, is_first && rule == FirstClick::Safe),
        };
        if is_first {
            self.first = self.outcomes.map(|outcomes| (cell, outcomes));
        }
    }

    fn outcomes(&mut self, view: &View, cell: Cell, is_promised: bool) -> Option<Outcomes> {
        let Self {
            analysis,
            foresight,
            ..
        } = self;
        let budget = &mut Budget::unlimited();
        analysis.update(view).ok()?;
        analysis.probabilities(Weighting::Posterior, budget).ok()?;
        // A cell that is known is not a guess.
        analysis
            .is_unknown(cell)
            .then(|| foresight.outcomes(analysis, cell, is_promised, budget))
            .flatten()
    }

    /// Takes in what the cell showed; `None` for a mine.
    pub fn after(&mut self, number: Option<u8>) {
        if let Some(outcomes) = self.outcomes.take() {
            self.sum += number.map_or(0.0, |number| outcomes.values[usize::from(number)])
                - outcomes.expected;
        }
    }

    /// The luck of the game so far.
    pub fn sum(&self) -> f64 {
        self.sum
    }
}
