//! Reads the decisions of a shard.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::parquet::{Reading, check_hash, read};
use super::{DataError, ShardEntry};

/// A guess with its outcome. The fields are the columns of [`super::FileKind::Decisions`].
#[derive(Clone, PartialEq, Debug)]
pub struct StoredDecision {
    pub game: u64,
    pub seed: u64,
    pub turn: u32,
    pub explored: bool,
    pub won: bool,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub cell: u16,
    pub safe: bool,
    pub opened: u32,
    pub rows: u32,
    pub cells: Vec<u8>,
}

/// Reads the decisions of a shard and checks them against its manifest.
pub fn read_decisions(
    folder: &Path,
    shard: &ShardEntry,
    stop: &AtomicBool,
) -> Result<Vec<StoredDecision>, DataError> {
    check_hash(folder, &shard.decisions, stop)?;
    let path = folder.join(&shard.decisions.file);
    let frame = read(&path, shard.counts.decisions)?;
    let reading = Reading {
        path: &path,
        frame: &frame,
    };
    let [game, seed, turn, width, height, mines, cell, opened, rows] = [
        "game", "seed", "turn", "width", "height", "mines", "cell", "opened", "rows",
    ]
    .map(|name| reading.numbers(name));
    let [explored, won, safe] = ["explored", "won", "safe"].map(|name| reading.truths(name));
    let game = game?;
    let seed = seed?;
    let turn = turn?;
    let width = width?;
    let height = height?;
    let mines = mines?;
    let cell = cell?;
    let opened = opened?;
    let rows = rows?;
    let explored = explored?;
    let won = won?;
    let safe = safe?;
    let cells = reading.bytes("cells")?;
    let decision = |(i, cells): (usize, Vec<u8>)| StoredDecision {
        game: game[i],
        seed: seed[i],
        turn: turn[i] as u32,
        explored: explored[i],
        won: won[i],
        width: width[i] as usize,
        height: height[i] as usize,
        mines: mines[i] as usize,
        cell: cell[i] as u16,
        safe: safe[i],
        opened: opened[i] as u32,
        rows: rows[i] as u32,
        cells,
    };
    Ok(cells.into_iter().enumerate().map(decision).collect())
}
