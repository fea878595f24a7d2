//! Every column of every file: its type, unit, range and meaning, in one place. No column has nulls or NaN.

use crate::minesweeper::features::{Feature, classifier_v2, q_v2};

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

/// A column of a data file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub name: &'static str,
    pub column_type: ColumnType,
    /// Empty where there is none.
    pub unit: &'static str,
    /// Least and greatest value of a number.
    pub range: Option<(f64, f64)>,
    pub meaning: &'static str,
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// `rows-*.parquet` of the classifier: a row per cell that was looked at.
    ClassifierRows,
    /// `rows-*.parquet` of Q: a row per guess.
    QRows,
    /// `decisions-*.parquet`: a row per guess with the whole position, to compute other features from.
    Decisions,
}

impl FileKind {
    /// The file kind of a feature set's rows.
    pub fn of_features(features: &str) -> Option<Self> {
        match features {
            classifier_v2::NAME => Some(Self::ClassifierRows),
            q_v2::NAME => Some(Self::QRows),
            _ => None,
        }
    }

    /// The feature set; `None` for decisions.
    pub const fn features(self) -> Option<&'static str> {
        match self {
            Self::ClassifierRows => Some(classifier_v2::NAME),
            Self::QRows => Some(q_v2::NAME),
            Self::Decisions => None,
        }
    }

    /// The columns that make up a row of features, and the one with its target; none for decisions.
    pub(crate) const fn features_and_target(self) -> Option<(&'static [&'static str], &'static str)> {
        match self {
            Self::ClassifierRows => Some((&classifier_v2::COLUMNS, LABEL.name)),
            Self::QRows => Some((&q_v2::COLUMNS, RETURN.name)),
            Self::Decisions => None,
        }
    }

    /// Its columns in their order.
    pub fn columns(self) -> Vec<Column> {
        let features = |features: &[Feature]| features.iter().map(of_feature).collect::<Vec<_>>();
        match self {
            Self::ClassifierRows => [features(&classifier_v2::FEATURES), vec![LABEL], WHENCE.to_vec()].concat(),
            Self::QRows => {
                [features(&q_v2::FEATURES), vec![REWARD, RETURN], WHENCE.to_vec(), BOARD.to_vec(), vec![CELL]].concat()
            }
            Self::Decisions => [WHENCE.to_vec(), BOARD.to_vec(), vec![CELL], OUTCOME.to_vec()].concat(),
        }
    }
}

const fn of_feature(feature: &Feature) -> Column {
    let &Feature { name, unit, range, meaning } = feature;
    Column { name, column_type: ColumnType::Float32, unit, range: Some(range), meaning }
}

const fn column(name: &'static str, column_type: ColumnType, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, column_type, unit, range: None, meaning }
}

const fn number(name: &'static str, unit: &'static str, range: (f64, f64), meaning: &'static str) -> Column {
    Column { range: Some(range), ..column(name, ColumnType::UInt32, unit, meaning) }
}

const fn float(name: &'static str, range: (f64, f64), meaning: &'static str) -> Column {
    Column { range: Some(range), ..column(name, ColumnType::Float32, "", meaning) }
}

const LABEL: Column = float("label", (0.0, 1.0), "1: the cell is safe; 0: it is a mine");
const REWARD: Column = float("reward", (-1.0, 1.0), "cells opened / safe cells of the board; -1: it was a mine");
const RETURN: Column = float("return", (-1.0, 1.0), "discounted sum of this reward and the later ones of the game");

/// Where a row is from.
const WHENCE: [Column; 6] = [
    column("game", ColumnType::UInt64, "", "number of the game"),
    column("seed", ColumnType::UInt64, "", "seed of the game; says which part of the data it is in"),
    number("turn", "guesses", (0.0, 65_535.0), "guesses of the game before this one"),
    column("player", ColumnType::String, "", "who played, by name or recipe"),
    column("explored", ColumnType::Boolean, "", "the player's choice was replaced by a random candidate"),
    column("won", ColumnType::Boolean, "", "the game was won"),
];

const BOARD: [Column; 3] = [
    number("width", "cells", (1.0, 65_535.0), "columns of the board"),
    number("height", "cells", (1.0, 65_535.0), "rows of the board"),
    number("mines", "mines", (0.0, 65_535.0), "mines of the board"),
];

const CELL: Column = number("cell", "", (0.0, 65_534.0), "the cell opened: row * width + col");

const OUTCOME: [Column; 4] = [
    column("safe", ColumnType::Boolean, "", "the cell opened was no mine"),
    number("opened", "cells", (0.0, 65_535.0), "opened by it and the certain moves that followed"),
    number("rows", "rows", (0.0, 65_535.0), "rows of the other file that come of it"),
    column(
        "cells",
        ColumnType::Binary,
        "",
        "the position before it, half a byte a cell, the low half first: 0 to 8 open \
        with this number, 9 covered and safe, 10 covered and a mine, 11 the same and known, 15 no cell",
    ),
];
