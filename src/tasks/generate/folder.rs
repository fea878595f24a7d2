//! Self-play into a data folder, shard by shard, to be interrupted at any time.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::GenerateError;
use super::memory::Amount;
use super::record::PlayedGame;
use super::rows::{Alpha, DISCOUNT, GainSettings, Labels, RowKind};
use super::self_play::SelfPlay;
use super::shard::Shard;
use super::stream::SelfPlaySeries;
use mineflow_arena::{Part, Workers};
use mineflow_learn::data::{Counts, DataError, Manifest, ShardEntry, check_hash};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_store::{Lock, StoreError, object};

/// The manifest is written again when one in this many of its shards is new: a killed process loses no more of its work, and the bytes
/// that are written in all grow with the shards, not with their square.
const NEW_SHARDS_A_WRITE: usize = 64;
/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// Everything that `pipeline generate` depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct Generation {
    pub settings: SelfPlay,
    pub kind: RowKind,
    pub amount: Amount,
    pub player: PlayerSpec,
    /// A shard holds this many games, one after another.
    pub games_per_shard: u64,
    /// Which shards are made here: every `of`-th, from shard `index` on.
    pub part: Part,
    /// Number of workers; the files don't depend on it.
    pub threads: usize,
    pub out: PathBuf,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenerationProgress {
    /// What is kept or about to be, the work of earlier processes included.
    pub counts: Counts,
    /// The work of earlier processes.
    pub before: Counts,
    /// Games to play, unless rows decide.
    pub games: Option<u64>,
    /// Rows to make, if they decide.
    pub rows: Option<u64>,
}

impl Generation {
    /// Everything that the rows depend on, by name.
    fn resolved(&self) -> Map<String, Value> {
        let SelfPlay { boards, first_click, first_cell, explore, seed } = &self.settings;
        let mut settings = json!({
            "command": "generate",
            "kind": self.kind.labels.name(),
            "boards": boards.description(),
            "first_click": first_click.name(),
            "first_cell": first_cell.name(),
            "explore": explore,
            "seed": seed.value(),
            "player": {"name": self.player.name, "recipe": self.player.recipe.to_string()},
            "games_per_shard": self.games_per_shard,
            "shard": self.part.to_string(),
        });
        let object = settings.as_object_mut().expect("it was written as an object");
        match self.amount {
            Amount::Passes(passes) => object.insert("passes".to_owned(), json!(passes)),
            Amount::Rows(rows) => object.insert("rows".to_owned(), json!(rows)),
        };
        object.extend(self.kind.resolved());
        object.clone()
    }

    /// Shards of this part, lowest first; endless where rows decide.
    fn shards(&self) -> impl Iterator<Item = u64> + Clone + use<> {
        let shards = self.games().map_or(u64::MAX, |games| games.div_ceil(self.games_per_shard));
        (self.part.index..shards).step_by(self.part.of as usize)
    }

    /// Games of all parts.
    fn games(&self) -> Option<u64> {
        self.amount.games(&self.settings.boards)
    }

    /// Games of this part.
    fn own_games(&self) -> Option<u64> {
        let games = self.games()?;
        let of_shard = |shard: u64| ((shard + 1) * self.games_per_shard).min(games) - shard * self.games_per_shard;
        Some(self.shards().map(of_shard).sum())
    }

    /// Rows of this part: a part but the whole makes as many whole shards as have them, so that the parts together have at least what was
    /// asked for.
    fn own_rows(&self) -> u64 {
        let Amount::Rows(rows) = self.amount else { return u64::MAX };
        let own = self.part.range(rows);
        own.end - own.start
    }

    /// Plays what the folder lacks. Soon after `stop` is set it ends with [`GenerateError::Stopped`]; the shards that are
    /// done are kept. `watch` gets how far it is many times a second, on the calling thread.
    pub fn run(&self, stop: &AtomicBool, watch: &mut dyn FnMut(GenerationProgress)) -> Result<Manifest, GenerateError> {
        let out = self.out.as_path();
        let wanted = Manifest::new(self.kind.features.set().name, self.resolved());
        check(out, &wanted)?;
        fs::create_dir_all(out).map_err(DataError::io("make", out))?;
        let _lock = Lock::take(out)?;
        let mut manifest = check(out, &wanted)?.unwrap_or(wanted);
        let lost = lost_shards(out, &manifest, stop)?;
        if manifest.complete && lost.is_empty() {
            return Ok(manifest);
        }
        manifest.write(out)?;
        let mut work = Work::new(self, &mut manifest, &lost, watch);
        let numbers = work.numbers(&lost);
        let series = SelfPlaySeries { settings: &self.settings, kind: &self.kind, keep_cells: true };
        let make = || self.player.build();
        let workers = Workers { threads: self.threads, stop };
        std::thread::scope(|scope| {
            let (to_writer, shards) = mpsc::sync_channel::<Shard>(1);
            let (entries, from_writer) = mpsc::channel();
            scope.spawn(move || {
                for shard in shards {
                    if entries.send(shard.write(out)).is_err() {
                        return;
                    }
                }
            });
            let played = series.play(numbers, &make, workers, |played| {
                work.note_written(&mut from_writer.try_iter())?;
                match played {
                    Some(played) => work.take(&played, &to_writer),
                    None => Ok(ControlFlow::Continue(())),
                }
            });
            let played = played.and_then(|()| work.hand_over(&to_writer));
            drop(to_writer);
            // What was handed over before is kept, however it ended.
            let written = work.note_written(&mut from_writer.iter());
            played.and(written).and(work.write_manifest())
        })?;
        manifest.complete = true;
        manifest.write(out)?;
        Ok(manifest)
    }
}

/// The numbers of the shards of which a file is missing or not as it was written.
///
/// # Errors
/// [`GenerateError::Stopped`] if it was asked to stop.
pub(super) fn lost_shards(out: &Path, manifest: &Manifest, stop: &AtomicBool) -> Result<Vec<u64>, GenerateError> {
    let is_lost = |shard: &ShardEntry| {
        let checked = [&shard.rows, &shard.decisions].iter().try_for_each(|file| check_hash(out, file, stop));
        match checked {
            Ok(()) => None,
            Err(DataError::Store(StoreError::Stopped)) => Some(Err(GenerateError::Stopped)),
            Err(_) => Some(Ok(shard.number)),
        }
    };
    manifest.shards.par_iter().filter_map(is_lost).collect()
}

/// The manifest of a folder if it may go on, `None` if there is none yet.
fn check(out: &Path, wanted: &Manifest) -> Result<Option<Manifest>, DataError> {
    let known = Manifest::read(out)?;
    if let Some(known) = &known {
        known.check(out, wanted)?;
    }
    Ok(known)
}

/// A generation under way.
struct Work<'a> {
    generation: &'a Generation,
    manifest: &'a mut Manifest,
    watch: &'a mut dyn FnMut(GenerationProgress),
    shard: Option<Shard>,
    /// Rows that the shard under construction may have.
    rows_left: u64,
    /// Rows of every finished shard, written or not.
    rows: BTreeMap<u64, u64>,
    /// Shards that the manifest on disk doesn't have yet.
    unwritten: usize,
    progress: GenerationProgress,
    reported: Instant,
}

impl<'a> Work<'a> {
    fn new(
        generation: &'a Generation,
        manifest: &'a mut Manifest,
        lost: &[u64],
        watch: &'a mut dyn FnMut(GenerationProgress),
    ) -> Self {
        let mut before = Counts::default();
        let kept = manifest.shards.iter().filter(|shard| !lost.contains(&shard.number));
        kept.for_each(|shard| before += shard.counts);
        let rows = Some(generation.own_rows()).filter(|&rows| rows < u64::MAX);
        let progress = GenerationProgress { counts: before, before, games: generation.own_games(), rows };
        watch(progress);
        let rows = manifest.shards.iter().map(|shard| (shard.number, shard.counts.rows)).collect();
        Self {
            generation,
            manifest,
            watch,
            shard: None,
            rows_left: 0,
            rows,
            unwritten: 0,
            progress,
            reported: Instant::now(),
        }
    }

    /// The games to play: those of lost shards, then those of shards that never were.
    fn numbers(&self, lost: &[u64]) -> impl Iterator<Item = u64> + Clone + Send + Sync + use<> {
        let last = self.manifest.shards.last().map(|shard| shard.number);
        let enough = self.manifest.totals.rows >= self.generation.own_rows();
        // Shards may have no end: where there are enough rows none is looked at.
        let shards = if enough { None } else { Some(self.generation.shards()) };
        let new = shards.into_iter().flatten().filter(move |&shard| last.is_none_or(|last| shard > last));
        let (per_shard, games) = (self.generation.games_per_shard, self.generation.games().unwrap_or(u64::MAX));
        let games_of = move |shard: u64| shard * per_shard..(shard + 1).saturating_mul(per_shard).min(games);
        let lost: Vec<u64> = lost.to_vec();
        lost.into_iter().chain(new).flat_map(games_of)
    }

    /// Adds a game to its shard.
    fn take(
        &mut self,
        played: &PlayedGame,
        to_writer: &mpsc::SyncSender<Shard>,
    ) -> Result<ControlFlow<()>, GenerateError> {
        let Generation { kind, player, games_per_shard, part, .. } = self.generation;
        let number = played.number / games_per_shard;
        if self.shard.as_ref().is_none_or(|shard| shard.number() != number) {
            self.hand_over(to_writer)?;
            self.shard = Some(Shard::new(number, kind.features.set(), &player.name));
            // A lost shard ends where it ended before: it counts the rows of those before it alone.
            let before = self.rows_before(number);
            self.rows_left = if part.is_whole() { self.generation.own_rows() - before } else { u64::MAX };
        }
        let shard = self.shard.as_mut().expect("there is one now");
        let before = shard.counts();
        let left = self.rows_left - before.rows;
        shard.push(played, left);
        let Counts { games, won, decisions, rows } = shard.counts();
        self.progress.counts += Counts {
            games: games - before.games,
            won: won - before.won,
            decisions: decisions - before.decisions,
            rows: rows - before.rows,
        };
        if self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            (self.watch)(self.progress);
        }
        let enough = if part.is_whole() {
            rows - before.rows == left
        } else {
            let is_last_game = (played.number + 1).is_multiple_of(*games_per_shard);
            let is_last_shard = || self.rows.range(number + 1..).next().is_none();
            is_last_game && is_last_shard() && self.rows_before(number) + rows >= self.generation.own_rows()
        };
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Rows of the shards before this one.
    fn rows_before(&self, number: u64) -> u64 {
        self.rows.range(..number).map(|(_, rows)| rows).sum()
    }

    /// Gives the shard under construction to the writer.
    fn hand_over(&mut self, to_writer: &mpsc::SyncSender<Shard>) -> Result<(), GenerateError> {
        match self.shard.take() {
            // A writer that is gone has said why.
            Some(shard) => {
                self.rows.insert(shard.number(), shard.counts().rows);
                to_writer.send(shard).map_err(|_| GenerateError::Stopped)
            }
            None => Ok(()),
        }
    }

    /// Puts what was written into the manifest.
    fn note_written(
        &mut self,
        entries: &mut dyn Iterator<Item = Result<ShardEntry, DataError>>,
    ) -> Result<(), GenerateError> {
        for entry in entries {
            self.manifest.put(entry?);
            self.unwritten += 1;
            if self.unwritten * NEW_SHARDS_A_WRITE >= self.manifest.shards.len() {
                self.write_manifest()?;
            }
        }
        Ok(())
    }

    fn write_manifest(&mut self) -> Result<(), GenerateError> {
        self.unwritten = 0;
        Ok(self.manifest.write(&self.generation.out)?)
    }
}

impl RowKind {
    /// What the rows of a position depend on, by name.
    pub(super) fn resolved(&self) -> Map<String, Value> {
        object(match &self.labels {
            Labels::Safe { score } => json!({"score": score.name()}),
            Labels::Return(q) => {
                let alpha = match &q.alpha {
                    Alpha::Fixed(alpha) => json!(alpha),
                    Alpha::Fitted(linear) => json!({"theta": linear.theta()}),
                };
                json!({"alpha": alpha, "score": q.score.name(), "off_board": q.off_board, "discount": DISCOUNT})
            }
            Labels::Won => json!({}),
            Labels::Gain(GainSettings { teacher, least_layouts }) => {
                json!({"teacher": teacher.to_string(), "least_layouts": least_layouts})
            }
        })
    }
}
