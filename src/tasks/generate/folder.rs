//! Fills a data folder with shards of the data by self-play, one shard after another. The work can
//! be interrupted at any time.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::GenerateError;
use super::memory::Amount;
use super::record::PlayedGame;
use super::rows::{Alpha, DISCOUNT, GainSettings, Labels, RowKind};
use super::self_play::SelfPlay;
use super::shard::Shard;
use super::stream::SelfPlaySeries;
use crate::{Context, Outcome};
use mineflow_arena::Part;
use mineflow_arena::numbers::grouped;
use mineflow_learn::data::{Counts, DataError, DataFolder, ShardEntry, purpose};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_store::{Folder, StoreError, object};

/// The interval between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// All settings that the rows of `pipeline generate` depend on.
pub(super) struct Generation {
    pub(super) settings: SelfPlay,
    pub(super) kind: RowKind,
    pub(super) amount: Amount,
    pub(super) player: PlayerSpec,
    /// Number of games per shard of the data; a shard holds consecutive games.
    pub(super) games_per_shard: u64,
    /// The shard of the run. It makes every `part.of`-th shard of the data, starting from number
    /// `part.index`.
    pub(super) part: Part,
}

impl Generation {
    /// Returns all settings that the rows depend on, by name.
    fn resolved(&self) -> Map<String, Value> {
        let SelfPlay {
            boards,
            first_click,
            first_cell,
            explore,
            seed,
        } = &self.settings;
        let mut settings = object(json!({
            "kind": self.kind.labels.name(),
            "boards": boards.description(),
            "first_click": first_click.name(),
            "first_cell": first_cell,
            "explore": explore,
            "seed": seed.value(),
            "player": {"name": self.player.name, "recipe": self.player.recipe.without_folders()},
            "games_per_shard": self.games_per_shard,
        }));
        let (name, amount) = match self.amount {
            Amount::Passes(passes) => ("passes", passes),
            Amount::Rows(rows) => ("rows", rows),
        };
        settings.insert(name.to_owned(), amount.into());
        settings.extend(self.kind.resolved());
        settings
    }

    /// Returns the numbers of the shards of the data that this shard of the run makes, in ascending
    /// order. The iterator is infinite if the amount is a number of rows.
    fn shards(&self) -> impl Iterator<Item = u64> + Clone + use<> {
        let shards = self
            .games()
            .map_or(u64::MAX, |games| games.div_ceil(self.games_per_shard));
        (self.part.index..shards).step_by(self.part.of as usize)
    }

    /// Returns the number of games of the whole run, or `None` if the amount is a number of rows.
    fn games(&self) -> Option<u64> {
        self.amount.games(&self.settings.boards)
    }

    /// Returns the number of games of this shard of the run, or `None` if the amount is a number of
    /// rows.
    fn own_games(&self) -> Option<u64> {
        let games = self.games()?;
        let of_shard = |shard: u64| {
            ((shard + 1) * self.games_per_shard).min(games) - shard * self.games_per_shard
        };
        Some(self.shards().map(of_shard).sum())
    }

    /// Returns the number of rows of this shard of the run, or `u64::MAX` if the amount is a number
    /// of passes. If the run has several shards, each of them makes whole shards of the data until
    /// it reaches its number of rows, so that all together have at least the requested number.
    fn own_rows(&self) -> u64 {
        let Amount::Rows(rows) = self.amount else {
            return u64::MAX;
        };
        let own = self.part.range(rows);
        own.end - own.start
    }

    /// Plays the games that the output folder lacks.
    pub(super) fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let settings = self.part.noted_in(self.resolved());
        let folder = context.open(&purpose(self.kind.features.set().name, settings))?;
        GenerateError::outcome(self.play(folder, context), context)
    }

    /// Plays the games of the missing shards. Returns [`GenerateError::Stopped`] soon after an
    /// interruption; finished shards are saved.
    fn play(&self, folder: Folder, context: &Context<'_>) -> Result<Counts, GenerateError> {
        let mut data = DataFolder::open(folder, context.stop)?;
        if data.is_finished() {
            return Ok(data.finish(context.stop)?);
        }
        let out = data.path().to_owned();
        let mut work = Work::new(self, &mut data, context);
        let numbers = work.numbers();
        let series = SelfPlaySeries {
            settings: &self.settings,
            kind: &self.kind,
            keep_cells: true,
        };
        let make = || self.player.build();
        thread::scope(|scope| {
            let (to_writer, shards) = mpsc::sync_channel::<Shard>(1);
            let (entries, from_writer) = mpsc::channel();
            let out = &out;
            let write = move || {
                for shard in shards {
                    if entries.send(shard.write(out)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .spawn_scoped(scope, write)
                .map_err(StoreError::io("start a thread for", out))
                .map_err(DataError::from)?;
            let played = series.play(numbers, &make, context.workers(), |played| {
                work.note_written(from_writer.try_iter())?;
                match played {
                    Some(played) => work.take(&played, &to_writer),
                    None => Ok(ControlFlow::Continue(())),
                }
            });
            let played = played.and_then(|()| work.hand_over(&to_writer));
            drop(to_writer);
            // Shards that were handed over earlier are saved even if self-play failed.
            let written = work.note_written(from_writer.iter());
            played.and(written)
        })?;
        Ok(data.finish(context.stop)?)
    }
}

/// The state of a run of `generate` in progress.
struct Work<'a> {
    generation: &'a Generation,
    data: &'a mut DataFolder,
    context: &'a Context<'a>,
    shard: Option<Shard>,
    /// Maximum number of rows of the shard under construction.
    rows_left: u64,
    /// Number of rows of every finished shard, whether or not the shard is written yet.
    rows: BTreeMap<u64, u64>,
    /// Totals of the finished shards, including those of earlier processes.
    counts: Counts,
    /// Number of games to play, or of rows to make if the amount is a number of rows.
    planned: u64,
    reported: Instant,
}

impl<'a> Work<'a> {
    fn new(generation: &'a Generation, data: &'a mut DataFolder, context: &'a Context<'a>) -> Self {
        let counts = Counts::sum(
            data.shards()
                .values()
                .filter(|shard| data.has(shard.number)),
        );
        if counts.games > 0 {
            let out = data.path().display();
            let games = grouped(counts.games);
            let rows = grouped(counts.rows);
            context.note(&format!(
                "note: resuming in {out} after {games} games with {rows} rows"
            ));
        }
        let rows = data
            .shards()
            .values()
            .map(|shard| (shard.number, shard.counts.rows))
            .collect();
        let planned = generation
            .own_games()
            .unwrap_or_else(|| generation.own_rows());
        let reported = Instant::now();
        let work = Self {
            generation,
            data,
            context,
            shard: None,
            rows_left: 0,
            rows,
            counts,
            planned,
            reported,
        };
        work.report();
        work
    }

    /// Reports progress, including the work of earlier processes.
    fn report(&self) {
        let mut counts = self.counts;
        self.shard.iter().for_each(|shard| counts += shard.counts());
        let games = format!(", {} games", grouped(counts.games));
        let rows = format!(", {} rows", grouped(counts.rows));
        match self.generation.amount {
            Amount::Passes(_) => {
                self.context
                    .count("games", counts.games + counts.left_out, self.planned, &rows)
            }
            Amount::Rows(_) => self
                .context
                .count("rows", counts.rows, self.planned, &games),
        }
    }

    /// Returns the numbers of the games to play: first the games of lost shards, then those of new
    /// shards.
    fn numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let last = self.rows.last_key_value().map(|(&number, _)| number);
        let enough = self.rows.values().sum::<u64>() >= self.generation.own_rows();
        // The shards may be infinite: don't iterate over them if there are enough rows.
        let shards = if enough {
            None
        } else {
            Some(self.generation.shards())
        };
        let new = shards
            .into_iter()
            .flatten()
            .filter(move |&shard| last.is_none_or(|last| shard > last));
        let per_shard = self.generation.games_per_shard;
        let games = self.generation.games().unwrap_or(u64::MAX);
        let games_of =
            move |shard: u64| shard * per_shard..(shard + 1).saturating_mul(per_shard).min(games);
        self.data
            .lost()
            .clone()
            .into_iter()
            .chain(new)
            .flat_map(games_of)
    }

    /// Adds a game to its shard.
    fn take(
        &mut self,
        played: &PlayedGame,
        to_writer: &mpsc::SyncSender<Shard>,
    ) -> Result<ControlFlow<()>, GenerateError> {
        let Generation {
            settings,
            kind,
            amount,
            player,
            games_per_shard,
            part,
        } = self.generation;
        let number = played.number / games_per_shard;
        if self
            .shard
            .as_ref()
            .is_none_or(|shard| shard.number() != number)
        {
            self.hand_over(to_writer)?;
            self.shard = Some(Shard::new(number, kind.features.set(), &player.name));
            // A lost shard must end where it ended before: count only the rows of the shards before
            // it.
            let before = self.rows_before(number);
            self.rows_left = if part.is_whole() {
                self.generation.own_rows() - before
            } else {
                u64::MAX
            };
        }
        let shard = self.shard.as_mut().expect("there is one now");
        let left = self.rows_left - shard.counts().rows;
        shard.push(played, left);
        let made = shard.counts();
        let rows = made.rows;
        if self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            self.report();
        }
        // A lost shard is made again before new ones.
        let is_last_shard = self.rows.range(number + 1..).next().is_none();
        let enough = if part.is_whole() {
            rows == self.rows_left
        } else {
            let is_last_game = (played.number + 1).is_multiple_of(*games_per_shard);
            is_last_game
                && is_last_shard
                && self.rows_before(number) + rows >= self.generation.own_rows()
        };
        if is_last_shard && !enough {
            let mut counts = self.counts;
            counts += made;
            let games = counts.games + counts.left_out;
            let boards = &settings.boards;
            amount.check_pace(boards, games, counts.rows)?;
        }
        Ok(if enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    /// Returns the number of rows of the shards before shard `number`.
    fn rows_before(&self, number: u64) -> u64 {
        self.rows.range(..number).map(|(_, rows)| rows).sum()
    }

    /// Passes the shard under construction to the writer.
    fn hand_over(&mut self, to_writer: &mpsc::SyncSender<Shard>) -> Result<(), GenerateError> {
        match self.shard.take() {
            // If the writer has ended, it has reported the reason.
            Some(shard) => {
                self.rows.insert(shard.number(), shard.counts().rows);
                self.counts += shard.counts();
                to_writer.send(shard).map_err(|_| GenerateError::Stopped)
            }
            None => Ok(()),
        }
    }

    /// Records the written shards in the journal.
    fn note_written(
        &mut self,
        mut entries: impl Iterator<Item = Result<ShardEntry, DataError>>,
    ) -> Result<(), GenerateError> {
        entries.try_for_each(|entry| Ok(self.data.keep(entry?)?))
    }
}

impl RowKind {
    /// Returns the settings that the rows of a position depend on, by name.
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
            Labels::Gain(GainSettings {
                teacher,
                least_layouts,
            }) => {
                json!({"teacher": teacher.to_string(), "least_layouts": least_layouts})
            }
        })
    }
}
