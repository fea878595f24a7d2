//! The decisions of a shard, and the two files of a shard.

use std::{path::Path, sync::atomic::AtomicBool};

use super::{
    Counts, DataError, FileKind, ShardEntry,
    fields::Field,
    parquet::{Values, check_hash, read, write},
};
use mineflow_model::{FeatureSet, Target};

/// A guess with its outcome. The fields are the columns of [`FileKind::Decisions`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StoredDecision {
    pub game: u64,
    pub seed: u64,
    pub turn: u32,
    pub explored: bool,
    pub won: bool,
    pub width: u32,
    pub height: u32,
    pub mines: u32,
    pub cell: u32,
    pub safe: bool,
    pub opened: u32,
    /// Number of rows that come of the guess.
    pub rows: u32,
    pub cells: Vec<u8>,
}

type DecisionField = (&'static str, Field<StoredDecision>);

/// The origin of a row, without the player.
const ORIGIN: [DecisionField; 5] = [
    ("game", Field::UInt64(|decision| &mut decision.game)),
    ("seed", Field::UInt64(|decision| &mut decision.seed)),
    ("turn", Field::UInt32(|decision| &mut decision.turn)),
    (
        "explored",
        Field::Boolean(|decision| &mut decision.explored),
    ),
    ("won", Field::Boolean(|decision| &mut decision.won)),
];
/// The place of the player's column in the origin of a row.
const PLAYER: usize = 3;

const ACTION: [DecisionField; 4] = [
    ("width", Field::UInt32(|decision| &mut decision.width)),
    ("height", Field::UInt32(|decision| &mut decision.height)),
    ("mines", Field::UInt32(|decision| &mut decision.mines)),
    ("cell", Field::UInt32(|decision| &mut decision.cell)),
];

const OUTCOME: [DecisionField; 4] = [
    ("safe", Field::Boolean(|decision| &mut decision.safe)),
    ("opened", Field::UInt32(|decision| &mut decision.opened)),
    ("rows", Field::UInt32(|decision| &mut decision.rows)),
    ("cells", Field::Bytes(|decision| &mut decision.cells)),
];

/// Reads the decisions of a shard and checks them against its manifest.
pub fn read_decisions(
    folder: &Path,
    shard: &ShardEntry,
    stop: &AtomicBool,
) -> Result<Vec<StoredDecision>, DataError> {
    check_hash(folder, &shard.decisions, stop)?;
    let path = folder.join(&shard.decisions.file);
    let file = read(&path, shard.counts.decisions)?;
    let mut decisions = vec![StoredDecision::default(); file.frame.height()];
    for (name, field) in ORIGIN.into_iter().chain(ACTION).chain(OUTCOME) {
        field.read(name, &file, &mut decisions)?;
    }
    Ok(decisions)
}

/// The rows of a shard with the decisions that they come of.
pub struct ShardRows {
    pub set: &'static FeatureSet,
    /// The player of the games.
    pub player: String,
    /// The columns of the features, then those of the target.
    pub columns: Vec<Vec<f32>>,
    /// The decisions, in the order of their rows.
    pub decisions: Vec<StoredDecision>,
}

impl ShardRows {
    /// Writes the files of shard `number` and returns its entry.
    ///
    /// # Errors
    /// Returns an error if a file can't be written; then this file is not left.
    pub fn write(
        mut self,
        folder: &Path,
        number: u64,
        counts: Counts,
    ) -> Result<ShardEntry, DataError> {
        let all: Vec<usize> = (0..self.decisions.len()).collect();
        let of_rows = |(at, decision): (usize, &StoredDecision)| {
            std::iter::repeat_n(at, decision.rows as usize)
        };
        let rows: Vec<usize> = self
            .decisions
            .iter()
            .enumerate()
            .flat_map(of_rows)
            .collect();
        let columns = std::mem::take(&mut self.columns);
        let mut values: Vec<Values> = columns.into_iter().map(Values::Float32).collect();
        values.extend(self.origin(&rows));
        if self.set.target == Target::Return {
            values.extend(self.values(&ACTION, &rows));
        }
        let name = format!("rows/{number:05}.parquet");
        let rows = write(folder, name, FileKind::Rows(self.set), rows.len(), values)?;
        let mut values = self.origin(&all);
        values.extend(self.values(&ACTION, &all));
        values.extend(self.values(&OUTCOME, &all));
        let name = format!("decisions/{number:05}.parquet");
        Ok(ShardEntry {
            number,
            counts,
            rows,
            decisions: write(folder, name, FileKind::Decisions, all.len(), values)?,
        })
    }

    fn origin(&mut self, of: &[usize]) -> Vec<Values> {
        let mut values = self.values(&ORIGIN, of);
        values.insert(PLAYER, Values::Text(self.player.clone()));
        values
    }

    fn values(&mut self, fields: &[DecisionField], of: &[usize]) -> Vec<Values> {
        let fields = fields.iter();
        fields
            .map(|(_, field)| field.values(&mut self.decisions, of))
            .collect()
    }
}
