//! What the rows of data files and models mean: columns with names, units and ranges, and the feature sets that they form.
//!
//! A set is only described here; the room of its game computes its rows.

use super::Symmetry;

/// What a column stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnType {
    Float32,
    UInt32,
    UInt64,
    Boolean,
    String,
    Binary,
}

impl ColumnType {
    /// The name that Parquet readers show.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float32 => "Float32",
            Self::UInt32 => "UInt32",
            Self::UInt64 => "UInt64",
            Self::Boolean => "Boolean",
            Self::String => "String",
            Self::Binary => "Binary",
        }
    }
}

/// A column of a data file. It has no nulls and no NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub name: &'static str,
    pub column_type: ColumnType,
    /// What one is: `cells`, `mines`, `probability`. Empty where there is none.
    pub unit: &'static str,
    /// Least and greatest value of a number.
    pub range: Option<(f64, f64)>,
    /// What it says, special values among it.
    pub meaning: &'static str,
}

impl Column {
    /// A column without a range.
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

    /// A 32-bit float from `range.0` to `range.1`: what features and targets are.
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

    /// A whole number from `range.0` to `range.1`.
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

    /// The names of columns, in their order.
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

/// What is learnt from a row, and so what a row is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A row per cell that was looked at: is it safe?
    Safe,
    /// A row per guess: the discounted sum of the rewards from it on.
    Return,
    /// A row per guess that was safe: is the game won?
    Won,
    /// A row per candidate of a guess: how much better is it to open than the others?
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

impl Target {
    /// The columns that the target adds to the features; the last is the one to learn.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Safe => &[LABEL],
            Self::Return => &[REWARD, RETURN],
            Self::Won => &[VALUE],
            Self::Gain => &[GAIN],
        }
    }

    /// The column to learn.
    pub const fn column(self) -> &'static Column {
        self.columns().last().expect("every target has a column")
    }
}

/// The description of a feature set: all that data files, trainers and model readers need to know of it.
#[derive(Debug)]
pub struct FeatureSet {
    /// The name that data and models carry; it ends in a version, such as `classifier-v2`.
    pub name: &'static str,
    /// What each number of a row is; all are 32-bit floats.
    pub columns: &'static [Column],
    /// The names of the columns.
    pub names: &'static [&'static str],
    pub target: Target,
    /// Turns a row into that of the same decision on the board turned by a symmetry.
    pub turn: fn(&mut [f32], Symmetry),
}

impl FeatureSet {
    /// Numbers a row.
    pub const fn width(&self) -> usize {
        self.columns.len()
    }
}

/// Sets are known by their names.
impl PartialEq for FeatureSet {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for FeatureSet {}
