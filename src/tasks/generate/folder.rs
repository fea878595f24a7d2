//! Fills a data folder with shards of the data by self-play, one shard after another. The work can
//! be interrupted at any time.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};

use super::{
    GenerateError,
    memory::Amount,
    record::PlayedGame,
    rows::{DISCOUNT, Labels, RowKind},
    self_play::{SelfPlay, SelfPlaySeries},
    shard::Shard,
};
use crate::{Context, Outcome, resume::recorded};
use mineflow_arena::{Part, numbers::grouped};
use mineflow_learn::data::{Counts, DataError, DataFolder, ShardEntry, purpose};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_store::{Folder, StoreError, object};

/// The interval between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// All settings that the rows of `pipeline generate` depend on.
pub(super) struct Generation {
    pub settings: SelfPlay,
    pub kind: RowKind,
    pub amount: Amount,
    pub player: PlayerSpec,
    /// Number of games per shard of the data; a shard holds consecutive games.
    pub games_per_shard: u64,
    /// The shard of the run. It makes every `part.of`-th shard of the data, starting from number
    /// `part.index`.
    pub part: Part,
}

impl Generation {
    /// Returns all settings that the rows depend on, by name.
    fn resolved(&self) -> Map<String, Value> {
        let games = &self.settings;
        let mut settings = object(json!({
            "kind": self.kind.labels.name(),
            "boards": games.boards.description(),
            "first_click": games.first_click.name(),
            "first_cell": games.first_cell,
            "explore": games.explore,
            "seed": games.seed.value(),
            "player": recorded(&self.player),
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

    /// Returns the number of rows that this shard of the run makes.
    fn quota(&self) -> Quota {
        match self.amount {
            Amount::Passes(_) => Quota::Unlimited,
            Amount::Rows(rows) if self.part.is_whole() => Quota::Exactly(rows),
            Amount::Rows(rows) => {
                let own = self.part.range(rows);
                Quota::WholeShards(own.end - own.start)
            }
        }
    }

    /// Plays the games that the output folder lacks.
    pub fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
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
                    Some(played) => work.add(played, &to_writer),
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

/// The number of rows that a shard of the run makes.
#[derive(Clone, Copy)]
enum Quota {
    /// As many as the games have.
    Unlimited,
    /// Exactly this number: the last game may lack some of its rows.
    Exactly(u64),
    /// Whole shards of the data with at least this number of rows. All shards of the run together
    /// then have at least the requested number.
    WholeShards(u64),
}

impl Quota {
    /// Returns the number of rows at which the run ends, or `u64::MAX` if it has no quota.
    fn rows(self) -> u64 {
        match self {
            Self::Unlimited => u64::MAX,
            Self::Exactly(rows) | Self::WholeShards(rows) => rows,
        }
    }

    /// Returns how many more rows may be made after this many.
    fn left(self, made: u64) -> u64 {
        match self {
            Self::Exactly(rows) => rows - made,
            Self::Unlimited | Self::WholeShards(_) => u64::MAX,
        }
    }

    /// Returns whether the run ends after this many rows. `ends_shard` says whether they are those
    /// of whole shards.
    fn is_filled(self, made: u64, ends_shard: bool) -> bool {
        match self {
            Self::Unlimited => false,
            Self::Exactly(rows) => made == rows,
            Self::WholeShards(rows) => ends_shard && made >= rows,
        }
    }
}

/// Notes for the user which work a data folder already has, if it has any. Returns the totals of
/// its shards.
pub(super) fn note_resumed(data: &DataFolder, context: &Context<'_>) -> Counts {
    let shards = data.shards().values();
    let counts = Counts::sum(shards.filter(|shard| data.has(shard.number)));
    if counts.games > 0 {
        let out = data.path().display();
        let games = grouped(counts.games);
        let rows = grouped(counts.rows);
        context.note(&format!(
            "note: resuming in {out} after {games} games with {rows} rows"
        ));
    }
    counts
}

/// The state of a run of `generate` in progress.
struct Work<'a> {
    generation: &'a Generation,
    data: &'a mut DataFolder,
    context: &'a Context<'a>,
    shard: Option<Shard>,
    /// Number of rows of every finished shard, whether or not the shard is written yet.
    rows: BTreeMap<u64, u64>,
    /// Totals of the finished shards, including those of earlier processes.
    counts: Counts,
    reported: Instant,
}

impl<'a> Work<'a> {
    fn new(generation: &'a Generation, data: &'a mut DataFolder, context: &'a Context<'a>) -> Self {
        let shards = data.shards().values();
        let counts = note_resumed(data, context);
        let work = Self {
            generation,
            context,
            shard: None,
            rows: shards
                .map(|shard| (shard.number, shard.counts.rows))
                .collect(),
            counts,
            reported: Instant::now(),
            data,
        };
        work.report();
        work
    }

    /// Returns the totals so far, including those of earlier processes.
    fn totals(&self) -> Counts {
        let mut counts = self.counts;
        self.shard.iter().for_each(|shard| counts += shard.counts);
        counts
    }

    /// Reports progress, including the work of earlier processes.
    fn report(&self) {
        let counts = self.totals();
        let games = format!(", {} games", grouped(counts.games));
        let rows = format!(", {} rows", grouped(counts.rows));
        match self.generation.own_games() {
            Some(planned) => {
                let played = counts.games + counts.left_out;
                self.context.count("games", played, planned, &rows);
            }
            None => {
                let planned = self.generation.quota().rows();
                self.context.count("rows", counts.rows, planned, &games);
            }
        }
    }

    /// Returns the numbers of the games to play: first the games of lost shards, then those of new
    /// shards.
    fn numbers(&self) -> impl Iterator<Item = u64> + Send + use<> {
        let last = self.rows.last_key_value().map(|(&number, _)| number);
        let lacks_rows = self.rows.values().sum::<u64>() < self.generation.quota().rows();
        // The shards may be infinite: don't iterate over them if there are enough rows.
        let shards = lacks_rows.then(|| self.generation.shards());
        let is_new = move |&shard: &u64| last.is_none_or(|last| shard > last);
        let new = shards.into_iter().flatten().filter(is_new);
        let per_shard = self.generation.games_per_shard;
        let games = self.generation.games().unwrap_or(u64::MAX);
        let games_of =
            move |shard: u64| shard * per_shard..(shard + 1).saturating_mul(per_shard).min(games);
        let lost = self.data.lost().clone().into_iter();
        lost.chain(new).flat_map(games_of)
    }

    /// Adds a game to its shard.
    fn add(
        &mut self,
        played: PlayedGame,
        to_writer: &mpsc::SyncSender<Shard>,
    ) -> Result<ControlFlow<()>, GenerateError> {
        let generation = self.generation;
        let quota = generation.quota();
        let number = played.number / generation.games_per_shard;
        let ends_shard = (played.number + 1).is_multiple_of(generation.games_per_shard);
        if self
            .shard
            .as_ref()
            .is_none_or(|shard| shard.number != number)
        {
            self.hand_over(to_writer)?;
            let set = generation.kind.features.set();
            self.shard = Some(Shard::new(number, set, &generation.player.name));
        }
        // A lost shard must end where it ended before: count only the rows of the shards before it.
        let mut made: u64 = self.rows.range(..number).map(|(_, rows)| rows).sum();
        let shard = self.shard.as_mut().expect("there is one now");
        shard.push(played, quota.left(made + shard.counts.rows));
        made += shard.counts.rows;
        if self.reported.elapsed() >= REPORT_EVERY {
            self.reported = Instant::now();
            self.report();
        }
        // A lost shard is made again before new ones.
        let is_last_shard = self.rows.range(number + 1..).next().is_none();
        if quota.is_filled(made, ends_shard && is_last_shard) {
            return Ok(ControlFlow::Break(()));
        }
        if is_last_shard {
            let counts = self.totals();
            let games = counts.games + counts.left_out;
            let boards = &generation.settings.boards;
            generation.amount.check_pace(boards, games, counts.rows)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Passes the shard under construction to the writer.
    fn hand_over(&mut self, to_writer: &mpsc::SyncSender<Shard>) -> Result<(), GenerateError> {
        match self.shard.take() {
            // If the writer has ended, it has reported the reason.
            Some(shard) => {
                self.rows.insert(shard.number, shard.counts.rows);
                self.counts += shard.counts;
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
                let alpha = match q.alpha.theta() {
                    [0.0, 0.0, 0.0, alpha] => json!(alpha),
                    theta => json!({"theta": theta}),
                };
                json!({"alpha": alpha, "score": q.score.name(), "off_board": q.off_board, "discount": DISCOUNT})
            }
            Labels::Won => json!({}),
            Labels::Gain(gain) => {
                json!({"teacher": gain.teacher.to_string(), "least_layouts": gain.least_layouts})
            }
        })
    }
}
