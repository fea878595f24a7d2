//! Rows of `guess-v2` from folders with rows of `guess-v1`: the positions are kept, so nothing is played or judged again.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::GenerateError;
use super::cells::unpack;
use mineflow_arena::{Ending, Workers};
use mineflow_data::{
    DataError, Manifest, ReadLimits, Split, StoredDecision, Table, check_memory, read_decisions, read_table,
};
use mineflow_minesweeper::ahead::{LookScratch, TwoStep};
use mineflow_minesweeper::features::{guess_v1, guess_v2};
use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};
use mineflow_minesweeper::{Board, Cell, Grid};

/// How far a candidate's probability of a mine may be from that of its row.
const SAME: f32 = 1e-5;

/// The rows of one part of the games of folders with rows of `guess-v1`, with the cells around each candidate.
///
/// # Errors
/// As [`read_table`]; [`GenerateError::Stopped`]; a position that does not have the candidates of its rows.
pub fn guesses_with_cells(
    paths: &[PathBuf],
    split: Split,
    limits: ReadLimits<'_>,
    threads: usize,
) -> Result<Table, GenerateError> {
    let without = read_table(paths, &guess_v1::SET, split, limits)?;
    check_memory(without.rows() as u64, guess_v2::WIDTH, limits.memory)?;
    let mut table = Table::new(guess_v2::WIDTH);
    table.features.reserve_exact(without.rows() * guess_v2::WIDTH);
    for path in paths {
        for shard in &Manifest::of_finished(path)?.shards {
            let decisions = read_decisions(path, shard, limits.stop)?;
            let file = path.join(&shard.decisions.file);
            let mut first = table.features.len() / guess_v2::WIDTH;
            let guesses = decisions.iter().enumerate();
            let guesses = guesses.filter(|(_, decision)| decision.rows > 0 && split.holds(decision.seed));
            let jobs = guesses.map(|(row, decision)| {
                let begin = first * guess_v1::WIDTH;
                first += decision.rows as usize;
                (row, decision, without.features.get(begin..first * guess_v1::WIDTH).unwrap_or(&[]))
            });
            let ending = Workers { threads, stop: limits.stop }.run_in_order(
                jobs,
                Looker::default,
                |looker, (row, decision, rows)| looker.with_cells(decision, rows).map_err(|why| wrong(&file, row, why)),
                |rows| {
                    table.features.extend(rows.transpose()?.unwrap_or_default());
                    Ok::<_, GenerateError>(ControlFlow::Continue(()))
                },
            )?;
            if ending == Ending::Stopped {
                return Err(GenerateError::Stopped);
            }
        }
    }
    Ok(Table { target: without.target, game: without.game, ..table })
}

fn wrong(path: &Path, row: usize, why: String) -> GenerateError {
    DataError::Position { path: path.to_owned(), row, why }.into()
}

/// Finds the candidates of positions once more.
#[derive(Default)]
struct Looker {
    parent: Analysis,
    mine: Vec<f64>,
    looking: LookScratch,
}

impl Looker {
    /// The rows of a guess with the cells around each candidate.
    fn with_cells(&mut self, decision: &StoredDecision, rows: &[f32]) -> Result<Vec<f32>, String> {
        let Self { parent, mine, looking } = self;
        let &StoredDecision { width, height, mines, .. } = decision;
        let board = Board::new(width, height, mines).map_err(|error| error.to_string())?;
        let position = unpack(&Arc::new(Grid::new(board)), mines, &decision.cells)?;
        parent.begin(position.view.grid(), mines);
        parent.update(&position.view).map_err(|error| error.to_string())?;
        parent.probabilities(Weighting::Posterior, &mut Budget::unlimited()).map_err(|error| error.to_string())?;
        mine.clear();
        let chance = |cell: Cell| if parent.is_unknown(cell) { parent.counted().mine[cell.index()] } else { f64::NAN };
        mine.extend(board.all_cells().map(chance));
        TwoStep::default().look(parent, mine, guess_v1::CANDIDATES, looking);
        let cells = || looking.scored.iter().map(|of| of.cell);
        let is_of = |(cell, row): (Cell, &[f32])| (mine[cell.index()] as f32 - row[guess_v1::MINE]).abs() <= SAME;
        let own = rows.chunks_exact(guess_v1::WIDTH);
        if own.len() != decision.rows as usize || looking.scored.len() < own.len() || !cells().zip(own).all(is_of) {
            return Err("its rows are not those of its candidates".to_owned());
        }
        let mut out = Vec::with_capacity(decision.rows as usize * guess_v2::WIDTH);
        guess_v2::append_rows((&position.view, parent), cells(), rows, &mut out);
        Ok(out)
    }
}
