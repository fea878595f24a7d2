//! The columns of every kind of file. Features and targets are described by their feature set.

use mineflow_model::{Column, ColumnType, FeatureSet, Target};

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// `rows/*.parquet`: rows of a feature set with their targets.
    Rows(&'static FeatureSet),
    /// `decisions/*.parquet`: one row per guess with the whole position, from which other features
    /// can be computed.
    Decisions,
    /// A guess set: one row per candidate with its value.
    GuessSet,
}

impl FileKind {
    /// Returns the columns in their order.
    pub fn columns(self) -> Vec<Column> {
        let action = [&BOARD[..], &[CELL]].concat();
        match self {
            Self::Rows(set) => {
                let action = if set.target == Target::Return {
                    action
                } else {
                    Vec::new()
                };
                [set.columns, set.target.columns(), &ORIGIN, &action].concat()
            }
            Self::Decisions => [&ORIGIN[..], &action, &OUTCOME].concat(),
            Self::GuessSet => super::guess_set::columns(),
        }
    }
}

/// The columns with the origin of a row.
const ORIGIN: [Column; 6] = [
    Column::new("game", ColumnType::UInt64, "", "number of the game"),
    Column::new(
        "seed",
        ColumnType::UInt64,
        "",
        "seed of the game; says which part of the data it is in",
    ),
    Column::whole(
        "turn",
        "guesses",
        (0.0, 65_535.0),
        "guesses of the game before this one",
    ),
    Column::new(
        "player",
        ColumnType::String,
        "",
        "who played, by name or recipe",
    ),
    Column::new(
        "explored",
        ColumnType::Boolean,
        "",
        "the player's choice was replaced by a random candidate",
    ),
    Column::new("won", ColumnType::Boolean, "", "the game was won"),
];

const BOARD: [Column; 3] = [
    Column::whole("width", "cells", (1.0, 65_535.0), "columns of the board"),
    Column::whole("height", "cells", (1.0, 65_535.0), "rows of the board"),
    Column::whole("mines", "mines", (0.0, 65_535.0), "mines of the board"),
];

const CELL: Column = Column::whole(
    "cell",
    "",
    (0.0, 65_534.0),
    "the cell opened: row * width + col",
);

const OUTCOME: [Column; 4] = [
    Column::new(
        "safe",
        ColumnType::Boolean,
        "",
        "the cell opened was not a mine",
    ),
    Column::whole(
        "opened",
        "cells",
        (0.0, 65_535.0),
        "opened by it and the certain moves that followed",
    ),
    Column::whole(
        "rows",
        "rows",
        (0.0, 65_535.0),
        "rows of the other file that come of it",
    ),
    Column::new(
        "cells",
        ColumnType::Binary,
        "",
        "the position before it, half a byte a cell, the low half first: 0 to 8 open \
        with this number, 9 covered and safe, 10 covered and a mine, 11 the same and known, 15 no cell",
    ),
];
