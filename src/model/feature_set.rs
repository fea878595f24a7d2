//! Descriptions of data rows: columns with names, units and ranges, and the feature sets that they
//! form.
//!
//! This crate only describes the sets; the crate of the game computes their rows.

use super::Symmetry;
use mineflow_store::named;

/// The data type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnType {
    Float32,
    UInt32,
    UInt64,
    Boolean,
    String,
    Binary,
}

// The names are those that Parquet readers show.
named!(
    ColumnType,
    "type of a column": Float32 = "Float32",
    UInt32 = "UInt32",
    UInt64 = "UInt64",
    Boolean = "Boolean",
    String = "String",
    Binary = "Binary"
);

/// A column of a data file. It contains no nulls and no NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub name: &'static str,
    pub column_type: ColumnType,
    /// The unit: `cells`, `mines`, `probability`; empty if there is none.
    pub unit: &'static str,
    /// The minimum and the maximum of a numeric column.
    pub range: Option<(f64, f64)>,
    /// The meaning of the values, including special ones.
    pub meaning: &'static str,
}

impl Column {
    /// Creates a column without a range.
    pub const fn new(
        name: &'static str,
        column_type: ColumnType,
        unit: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self {
            name,
            column_type,
            unit,
            range: None,
            meaning,
        }
    }

    /// Creates a 32-bit float column from `range.0` to `range.1`, the type of features and targets.
    pub const fn float(
        name: &'static str,
        unit: &'static str,
        range: (f64, f64),
        meaning: &'static str,
    ) -> Self {
        Self {
            range: Some(range),
            ..Self::new(name, ColumnType::Float32, unit, meaning)
        }
    }

    /// Creates an integer column from `range.0` to `range.1`.
    pub const fn whole(
        name: &'static str,
        unit: &'static str,
        range: (f64, f64),
        meaning: &'static str,
    ) -> Self {
        Self {
            range: Some(range),
            ..Self::new(name, ColumnType::UInt32, unit, meaning)
        }
    }

    /// Returns the names of columns, in order.
    pub const fn names<const N: usize>(columns: &[Self; N]) -> [&'static str; N] {
        let mut names = [""; N];
        let mut i = 0;
        while i < N {
            names[i] = columns[i].name;
            i += 1;
        }
        names
    }
}

/// The learning target, which also determines what a row stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// One row per observed cell. The label says whether the cell is safe.
    Safe,
    /// One row per guess. The label is the discounted sum of the rewards from this guess on.
    Return,
    /// One row per guess that was safe. The label says whether the game is won.
    Won,
    /// One row per candidate of a guess. The label is the candidate's gain over the other
    /// candidates.
    Gain,
}

const LABEL: Column = Column::float(
    "label",
    "",
    (0.0, 1.0),
    "1: the cell is safe; 0: it is a mine",
);
const REWARD: Column = Column::float(
    "reward",
    "",
    (-1.0, 1.0),
    "cells opened / safe cells of the board; -1: it was a mine",
);
const RETURN: Column = Column::float(
    "return",
    "",
    (-1.0, 1.0),
    "discounted sum of this reward and the later ones of the game",
);

const GAIN: Column = Column::float(
    "gain",
    "wins",
    (-1.0, 1.0),
    "the teacher's chance to win after it, less the mean of the candidates",
);

const VALUE: Column = Column::float(
    "value",
    "",
    (0.0, 1.0),
    "1: the game was won; 0: it was lost",
);

// The names are those in files of models.
named!(Target, "target": Safe = "safe", Return = "return", Won = "won", Gain = "gain");

impl Target {
    /// Returns the columns that the target adds to the features; the last one is the label.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Safe => &[LABEL],
            Self::Return => &[REWARD, RETURN],
            Self::Won => &[VALUE],
            Self::Gain => &[GAIN],
        }
    }

    /// Returns the label column.
    pub const fn column(self) -> &'static Column {
        self.columns().last().expect("every target has a column")
    }
}

/// The description of a feature set: everything that data files, trainers and model readers need to
/// know.
#[derive(Debug)]
pub struct FeatureSet {
    /// The name used in data and models; it ends in a version, such as `classifier-v2`.
    pub name: &'static str,
    /// The columns of a row; all are 32-bit floats.
    pub columns: &'static [Column],
    /// The names of the columns.
    pub names: &'static [&'static str],
    pub target: Target,
    /// Transforms a row as if the symmetry had been applied to the board.
    pub turn: fn(&mut [f32], Symmetry),
}

impl FeatureSet {
    /// Returns the number of inputs per row.
    pub const fn width(&self) -> usize {
        self.columns.len()
    }
}

/// Two feature sets are equal if their names are equal.
impl PartialEq for FeatureSet {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for FeatureSet {}
