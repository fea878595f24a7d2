//! Records of matches: their results and their costs.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use mineflow_arena::{Keeping, Piece, Records, Slots, to_csv};
use mineflow_store::read;

const MATCHES: &str = "matches.csv";
const COSTS: &str = "cost.csv";

/// A row of `matches.csv`: one match. The entries of a list are joined by semicolons. Lists have an
/// entry for each role except chance, in the order of the roles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchRow {
    /// Index of the match among the matches of all pairings.
    pub index: u32,
    /// The game; `None` if all matches play the same game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    #[serde(with = "joined")]
    pub players: Vec<String>,
    #[serde(with = "joined")]
    pub goals: Vec<f64>,
    pub steps: usize,
    /// Whether a terminal state was reached within the horizon.
    pub ended: bool,
    /// Totals of each player's deliberations in this field and the next five, in order: moves with
    /// a choice, playouts, playouts that ended in the cache of explored leaves, stages solved, arms
    /// cut by exact values and arms cut by confidence bounds.
    #[serde(with = "joined")]
    pub moves: Vec<u64>,
    #[serde(with = "joined")]
    pub samples: Vec<u64>,
    #[serde(with = "joined")]
    pub explored: Vec<u64>,
    #[serde(with = "joined")]
    pub stages: Vec<u64>,
    #[serde(with = "joined")]
    pub certain_cuts: Vec<u64>,
    #[serde(with = "joined")]
    pub confidence_cuts: Vec<u64>,
    /// The luck of chance and of the seat for each player, as a share of the highest goal; empty if
    /// it was not measured.
    #[serde(default, with = "joined", skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<f64>,
}

/// A row of `cost.csv`: the CPU seconds of each player of a match, in total and in the solver.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CostRow {
    pub index: u32,
    #[serde(with = "joined")]
    pub cpu_seconds: Vec<f64>,
    #[serde(with = "joined")]
    pub solving_seconds: Vec<f64>,
}

impl Piece for MatchRow {
    type Cost = CostRow;
    const KEEPING: Keeping = Keeping {
        things: "matches",
        has_costs: true,
        journal_stays: false,
    };

    fn number(&self) -> usize {
        self.index as usize
    }

    fn number_of(cost: &CostRow) -> usize {
        cost.index as usize
    }
}

impl MatchRow {
    /// Checks that every list has an entry for each player.
    fn check(&self) -> Result<()> {
        let Self {
            index,
            players,
            goals,
            moves,
            samples,
            explored,
            stages,
            certain_cuts,
            confidence_cuts,
            luck,
            ..
        } = self;
        let lists = [
            moves,
            samples,
            explored,
            stages,
            certain_cuts,
            confidence_cuts,
        ];
        let is_whole = lists.iter().all(|list| list.len() == players.len())
            && goals.len() == players.len()
            && (luck.is_empty() || luck.len() == players.len());
        ensure!(
            is_whole,
            "a list of match {index} has not as many entries as there are players"
        );
        Ok(())
    }
}

/// Adds the matches recorded in the tables of a folder to `matches`. A finished folder has all
/// matches.
///
/// # Errors
/// Returns an error if a table can't be read or belongs to other matches.
pub(super) fn add_tables(folder: &Path, matches: &mut Slots<MatchRow>) -> Result<()> {
    let rows = folder.join(MATCHES);
    let costs = folder.join(COSTS);
    for row in rows_of::<MatchRow>(&rows)? {
        let added = row
            .check()
            .and_then(|()| matches.add(&row).map_err(anyhow::Error::msg));
        added.with_context(|| rows.display().to_string())?;
    }
    let mut costs_of = rows_of(&costs)?.into_iter();
    costs_of
        .try_for_each(|cost| matches.add_cost(&cost))
        .map_err(anyhow::Error::msg)
        .with_context(|| costs.display().to_string())
}

/// Returns the tables of a complete set of matches as CSV, each with its file name.
pub(super) fn tables(matches: &Slots<MatchRow>) -> Result<[(&'static str, Vec<u8>); 2]> {
    let rows: Vec<_> = matches.pieces().collect();
    let costs: Vec<_> = rows
        .iter()
        .filter_map(|row| matches.cost(row.number()))
        .collect();
    Ok([(COSTS, to_csv(&costs)?), (MATCHES, to_csv(&rows)?)])
}

fn rows_of<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>> {
    let Some(text) = read(path)? else {
        return Ok(Vec::new());
    };
    let rows: Result<Vec<R>, _> = csv::Reader::from_reader(&text[..]).deserialize().collect();
    rows.with_context(|| path.display().to_string())
}

/// Serde functions that read and write a list as one text, with entries joined by semicolons.
mod joined {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<T: Display, S: Serializer>(
        list: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&list.iter().map(T::to_string).collect::<Vec<_>>().join(";"))
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let entry = |entry: &str| {
            entry
                .parse()
                .map_err(|why| de::Error::custom(format!("`{entry}`: {why}")))
        };
        if text.is_empty() {
            Ok(Vec::new())
        } else {
            text.split(';').map(entry).collect()
        }
    }
}
