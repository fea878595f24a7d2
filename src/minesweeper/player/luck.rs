//! Measures the luck of a game, to reduce the variance of measured win rates (AIVAT).
//!
//! A guess has one of several outcomes: a mine, or a number `v`. Their probabilities P are exact,
//! computed from the consistent layouts. For any value function V of the resulting view, with V = 0
//! for a mine, the luck of the guess is `V(seen) - sum over v of P(v) V(v)`. The expectation of the
//! luck is 0 given everything before the guess. Subtracting the luck of all guesses from the game's
//! result (1 won, 0 lost) therefore leaves the expectation unchanged, for every V and every player.
//! The better V predicts the result, the lower the variance of the difference. This control variate
//! is AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling, AAAI 2018), here applied to chance
//! events only. The first click counts as a guess whose outcomes are those that the first-click
//! rule allows. Moves that open cells proved safe are not corrected.
//!
//! The estimate stays unbiased if the decision whether to correct a guess depends only on what was
//! seen before the guess. Guesses in positions beyond the limits of exact counting are left
//! uncorrected, without bias.

use std::{fmt, sync::Arc};

use crate::{
    Board, Cell, FirstClick, View,
    features::value_v1,
    solver::{Analysis, Budget, Weighting},
};
use mineflow_model::{
    AnyModel, Artifact, ArtifactError, Expected, ModelScratch, Registry, RegistryError,
};

/// The number of different numbers that a cell may show, 0 to 8.
const NUMBERS: usize = 9;
/// The maximum number of joint outcomes of several cells that are evaluated.
const MOST_OUTCOMES: u32 = 2_000;
/// The name of the reader of a value model in error messages.
const READER: &str = "luck-corrected measurement";

/// A model that predicts the win probability of a position from feature set `value-v1`.
#[derive(Clone)]
pub struct ValueModel {
    model: Arc<AnyModel>,
    /// The SHA-256 hash of the model file, in hexadecimal.
    pub sha256: String,
    /// Whether the model is that of a board and a first-click rule. The general model estimates
    /// luck without bias on any board, but its win probabilities may be far off.
    pub is_own: bool,
}

impl fmt::Debug for ValueModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueModel({})", self.sha256)
    }
}

impl ValueModel {
    /// The registry name of the model for boards that have no model of their own.
    pub const GENERAL: &str = "value";

    /// Returns the registry name of the model for a board and a first-click rule.
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

    /// Returns whether `name` is a registry name of a value model: the general model, or the model
    /// for a board and a first-click rule.
    pub fn is_name(name: &str) -> bool {
        let is_own = |size: &str, mines: &str, rule: &str| {
            let board = format!("{size}/{mines}").parse::<Board>();
            let rule = rule.parse::<FirstClick>();
            board.is_ok_and(|board| rule.is_ok_and(|rule| Self::name(board, rule) == name))
        };
        match name.splitn(4, '-').collect::<Vec<_>>()[..] {
            [general] => general == Self::GENERAL,
            [_, size, mines, rule] => is_own(size, mines, rule),
            _ => false,
        }
    }

    /// Returns what luck-corrected measurement expects of an artifact.
    pub fn expected() -> Expected<'static> {
        Expected::new(READER, &value_v1::SET)
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::load`].
    pub fn load(path: &std::path::Path) -> Result<Self, ArtifactError> {
        Artifact::load(path, &Self::expected()).map(Self::new)
    }

    fn new(artifact: Artifact) -> Self {
        Self {
            model: Arc::new(artifact.model),
            sha256: artifact.sha256,
            is_own: false,
        }
    }

    /// Loads the registry's model for a board and a first-click rule, or the general model if there
    /// is none. Models in the registry's folder take precedence over built-in ones: a general model
    /// in the folder is preferred to a built-in model for the board.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::load`].
    pub fn registered(
        registry: &Registry,
        board: Board,
        rule: FirstClick,
    ) -> Result<Self, RegistryError> {
        let own = Self::name(board, rule);
        let is_built_in = |name: &str| registry.row(name).map(|row| registry.is_built_in(row));
        let name = match is_built_in(&own) {
            Some(false) => &own,
            Some(true) if is_built_in(Self::GENERAL) != Some(false) => &own,
            _ => Self::GENERAL,
        };
        let model = registry.load(name, &Self::expected()).map(Self::new)?;
        Ok(Self {
            is_own: name != Self::GENERAL,
            ..model
        })
    }
}

/// An evaluator of positions by a value model, before and after a guess.
pub struct Foresight {
    model: ValueModel,
    child: Analysis,
    scratch: ModelScratch,
    values: Vec<f32>,
}

/// The possible numbers of a cell: the value and probability of each, and the expected value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Outcomes {
    /// The win probability after each number, 0 to 1.
    pub values: [f64; NUMBERS],
    /// The probability of each number.
    pub probabilities: [f64; NUMBERS],
    /// The expected win probability before the cell is opened, with 0 for a mine.
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

    /// Returns the win probability of the position of `analysis`, or `None` if the position is
    /// beyond the solver's limits.
    pub fn win(&mut self, analysis: &mut Analysis, budget: &mut Budget) -> Option<f64> {
        let row = value_v1::row(analysis, budget).ok()?;
        self.values.clear();
        self.model
            .model
            .append(&row, &mut self.values, &mut self.scratch);
        Some(if analysis.unknown() == 0 {
            1.0
        } else {
            f64::from(self.values[0])
        })
    }

    /// Evaluates the outcomes of opening an unknown `cell` in the position of `analysis`. If
    /// `is_promised`, the cell is guaranteed not to be a mine. Returns `None` if the position is
    /// beyond the solver's limits. A number after which the position is beyond these limits gets
    /// the value and probability 0.
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
            let probability = libm::exp(child.counted().ln_layouts() - ln_layouts);
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

/// A value model's win probabilities before and after opening several cells at once.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ChordValues {
    /// The expected value before the cells are opened: the mean over all numbers that they may
    /// show, with 0 for a mine.
    pub expected: f64,
    /// The value after the cells were opened, given the numbers that they showed; 0 for a mine.
    pub seen: f64,
}

/// The state of the search over the numbers of several cells.
struct ChordSearch<'a> {
    /// The numbers that the cells show; `None` if one of the cells is a mine.
    shown: Option<&'a [u8]>,
    ln_layouts: f64,
    /// The number of outcomes that may still be evaluated.
    left: u32,
    values: ChordValues,
}

impl Foresight {
    /// Evaluates opening `cells` at once in the position of `analysis`. `shown` holds the numbers
    /// of the cells, or is `None` if one of them is a mine. Returns `None` if the position is
    /// beyond the solver's limits, if there are more than 2,000 joint outcomes, or if `cells` is
    /// empty. An outcome after which the position is beyond the solver's limits counts 0.
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

    /// Adds the values of all outcomes of `cells`, the cells that have no number in `parent` yet.
    /// `is_seen` is true if all earlier cells were given the numbers that they really show. Returns
    /// `None` if there are too many outcomes.
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
            let probability = libm::exp(child.counted().ln_layouts() - search.ln_layouts);
            search.values.expected += probability * value;
            if is_seen {
                search.values.seen = value;
            }
        }
        Some(())
    }
}

/// A measurement of the luck of games. Call [`Luck::begin`] at the start of a game, then
/// [`Luck::before`] and [`Luck::after`] around each guess. If the first call of [`Luck::before`] is
/// in the middle of a game, only the luck from there on is measured.
pub struct Luck {
    foresight: Foresight,
    analysis: Analysis,
    is_new_game: bool,
    /// The outcomes of the current guess; `None` if the guess is not corrected.
    outcomes: Option<Outcomes>,
    /// The cell of the last first click and its outcomes, which are the same in every game.
    first: Option<(Cell, Outcomes)>,
    /// The luck of the current game.
    sum: f64,
}

impl Luck {
    /// Creates a measurement of luck by `model`.
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

    /// Starts a new game.
    pub fn begin(&mut self) {
        self.is_new_game = true;
        self.sum = 0.0;
    }

    /// Evaluates the outcomes of opening `cell`, a guess in `view`. At a first click, `cell` can't
    /// be a mine if `rule` is [`FirstClick::Safe`], and the guess is not corrected if `rule` is
    /// [`FirstClick::Opening`].
    pub fn before(&mut self, view: &View, cell: Cell, rule: FirstClick) {
        if std::mem::take(&mut self.is_new_game) {
            self.analysis.begin(view.grid(), view.mines());
        }
        let is_first = view.opened().is_empty();
        self.outcomes = match self.first {
            // A guaranteed opening shows 0 and thus involves no luck.
            _ if is_first && rule == FirstClick::Opening => None,
            Some((known, outcomes)) if is_first && known == cell => Some(outcomes),
            _ => self.outcomes(view, cell, is_first && rule == FirstClick::Safe),
        };
        if is_first {
            self.first = self.outcomes.map(|outcomes| (cell, outcomes));
        }
    }

    fn outcomes(&mut self, view: &View, cell: Cell, is_promised: bool) -> Option<Outcomes> {
        let budget = &mut Budget::unlimited();
        self.analysis.update(view).ok()?;
        self.analysis
            .probabilities(Weighting::Posterior, budget)
            .ok()?;
        // Opening a cell whose content is known is not a guess.
        if !self.analysis.is_unknown(cell) {
            return None;
        }
        self.foresight
            .outcomes(&mut self.analysis, cell, is_promised, budget)
    }

    /// Adds the luck of the current guess, whose cell showed `number`. `number` is `None` if the
    /// cell was a mine.
    pub fn after(&mut self, number: Option<u8>) {
        if let Some(outcomes) = self.outcomes.take() {
            self.sum += number.map_or(0.0, |number| outcomes.values[usize::from(number)])
                - outcomes.expected;
        }
    }

    /// Returns the luck of the game so far, in wins.
    pub fn sum(&self) -> f64 {
        self.sum
    }
}
