//! Matches between players of games given as rule sheets.

mod record;
mod referee;
mod stage;
mod standing;
mod table;
mod venue;

use anyhow::Result;
use std::{
    collections::BTreeSet,
    ops::Range,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use serde_json::{Map, Value, json};

pub use record::{CostRow, MatchRow};
pub use stage::GgpMatch;
use standing::lead;
pub use standing::{Interval, Standing, cooperative_standing, standings};
pub use table::{Kind, TableRow};

use super::ggp::name_of;
use mineflow_arena::{Pairs, Part, Piece, Records, Rounds, Series, Slots, Sprt, Tested, Workers};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use mineflow_store::{Folder, Purpose, object, read, sha256};
use record::{add_tables, tables};
use referee::referees;
use venue::Venue;

/// A plan of matches: every line-up plays every game, in series of consecutive matches.
pub struct Matches {
    /// The rule sheets of the games.
    pub sheets: Vec<PathBuf>,
    /// The line-ups. In match `m` of a pairing, the `r`-th role other than chance is played by
    /// entry `(r + m) mod n` of the line-up, where `n` is the number of roles or of players,
    /// whichever is larger. The sides thus alternate. If a game has more roles than players, the
    /// last player takes the remaining places: with two players for three roles, one plays against
    /// two copies of the other.
    pub line_ups: Vec<Vec<PlayerRecipe>>,
    /// Number of matches of each game and line-up.
    pub matches: u32,
    /// Number of consecutive matches over which a player keeps its tree and cache. A player starts
    /// every series without knowledge.
    pub series: u32,
    /// The budget of a move, for players without a budget of their own.
    pub budget: MoveBudget,
    pub horizon: usize,
    /// Whether the luck of chance is measured, by exact values of all states.
    pub luck_corrected: bool,
    /// Capacity of each player's cache of explored leaves, in joint moves.
    pub most_explored: usize,
    pub seed: u64,
    /// The shard of the run: which of the matches are played.
    pub part: Part,
    /// The sequential test that may end the matches of each pairing of two players early, if one
    /// was asked for.
    pub sprt: Option<Sprt>,
    pub threads: usize,
    pub out: Option<PathBuf>,
}

/// A game with its line-up.
#[derive(Clone, Copy)]
pub struct Pairing<'m> {
    pub sheet: &'m Path,
    pub players: &'m [PlayerRecipe],
}

/// The finished matches of every pairing, in the order of [`Matches::pairings`].
#[derive(Debug, Default)]
pub struct AllPlayed {
    pub pairings: Vec<Played>,
    /// Whether the run's shard has all its matches, or all that the sequential tests need.
    pub is_whole: bool,
}

/// The finished matches of a pairing: `rows` has one row per match, in ascending order of the match
/// index.
#[derive(Clone, Debug, Default)]
pub struct Played {
    pub rows: Vec<MatchRow>,
    /// The cost of each match, in the order of `rows`. Costs differ from run to run.
    pub costs: Vec<CostRow>,
    /// The result of the sequential test of the pairing; `None` without a test.
    pub test: Option<Tested>,
}

impl AllPlayed {
    fn of(matches: &Matches, slots: &Slots<MatchRow>) -> Self {
        let pairings = matches.sheets.len() * matches.line_ups.len();
        let played = |pairing: usize| {
            let is_of = |row: &&MatchRow| (row.index / matches.matches) as usize == pairing;
            let rows: Vec<_> = slots.pieces().filter(is_of).cloned().collect();
            // Without the file of costs, the cost of matches is unknown.
            let cost = |row: &MatchRow| slots.cost(row.number()).cloned().unwrap_or_default();
            let costs = rows.iter().map(cost).collect();
            Played {
                rows,
                costs,
                test: slots.test(pairing),
            }
        };
        Self {
            pairings: (0..pairings).map(played).collect(),
            is_whole: slots.is_whole(),
        }
    }
}

/// An event in the progress of the matches.
pub enum MatchEvent {
    /// A note on the rule sheet of a game, reported before its first match.
    Note(String),
    /// Number of matches played, reported at intervals.
    Played(u32),
    /// Number of matches that were found in the folder.
    Saved(u32),
}

/// Plays the missing matches and returns all finished ones. No match starts after `stop` is set;
/// the result then lacks some matches.
///
/// # Errors
/// Returns an error if a sheet or folder can't be used, or a match fails.
pub fn play(
    matches: &Matches,
    stop: &AtomicBool,
    report: &mut dyn FnMut(MatchEvent),
) -> Result<AllPlayed> {
    let venues: Vec<Venue> = matches
        .sheets
        .iter()
        .map(|sheet| Venue::new(sheet))
        .collect();
    if matches.sprt.is_some() {
        venues.iter().try_for_each(Venue::ensure_two_roles)?;
    }
    if matches.luck_corrected {
        venues.iter().try_for_each(Venue::ensure_chance)?;
    }
    let open = |path: &Path| -> Result<Folder> {
        let purpose = Purpose {
            results: &[table::FILE],
            ..Purpose::of(matches.settings()?)
        };
        Ok(Folder::open(path, &purpose, stop)?)
    };
    let folder = matches.out.as_deref().map(open).transpose()?;
    let mut played = matches.slots();
    folder
        .iter()
        .try_for_each(|folder| add_tables(folder.path(), &mut played))?;
    let mut series = Series::open(played, folder)?;
    if !series.records().is_whole() {
        play_missing(matches, &venues, &mut series, stop, report)?;
    }
    report(MatchEvent::Played(series.records().done() as u32));
    let played = AllPlayed::of(matches, series.records());
    if played.is_whole && !series.folder().is_some_and(Folder::is_finished) {
        let mut files = tables(series.records())?.to_vec();
        if matches.part.is_whole() {
            files.push((table::FILE, table::file(matches, &played)?));
        }
        series.seal(&files, stop)?;
    }
    Ok(played)
}

/// Plays every series with a missing match from its start, because the players' knowledge from
/// earlier matches is not saved.
fn play_missing(
    matches: &Matches,
    venues: &[Venue],
    series: &mut Series<Slots<MatchRow>>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(MatchEvent),
) -> Result<()> {
    let rows_of = |slots: &Slots<MatchRow>| -> BTreeSet<u32> {
        slots
            .missing()
            .into_iter()
            .map(|index| matches.row_of(index as u32))
            .collect()
    };
    let missing: BTreeSet<usize> = rows_of(series.records())
        .into_iter()
        .map(|row| (row / matches.rows_each()) as usize)
        .collect();
    let referees = referees(matches, venues, &missing, report)?;
    let mut tell = |series: &Series<Slots<MatchRow>>| {
        report(MatchEvent::Played(series.records().done() as u32));
        if series.folder().is_some() {
            report(MatchEvent::Saved(series.kept() as u32));
        }
    };
    tell(series);
    series.play::<_, (), anyhow::Error>(
        Workers {
            threads: matches.threads,
            stop,
        },
        rows_of,
        |(), row, results| {
            let referee = referees[(row / matches.rows_each()) as usize]
                .as_ref()
                .expect("its pairing is not complete");
            match referee.play_row(matches.row(row), &|| results.is_over()) {
                Ok(played) => played
                    .into_iter()
                    .flatten()
                    .for_each(|played| results.hand_in(Ok(played))),
                Err(error) => results.hand_in(Err(error)),
            }
        },
        |series, _| tell(series),
    )?;
    Ok(())
}

/// Number of pairs of mirrored matches between two evaluations of a sequential test.
const ROUND: u32 = 10;
/// The largest distance of a pair's score from 50 %, in percentage points.
const REACH: f64 = 50.0;

impl Matches {
    /// Returns every game with every line-up, ordered by game.
    pub fn pairings(&self) -> impl ExactSizeIterator<Item = Pairing<'_>> {
        let line_ups = self.line_ups.len();
        (0..self.sheets.len() * line_ups).map(move |pairing| Pairing {
            sheet: &self.sheets[pairing / line_ups],
            players: &self.line_ups[pairing % line_ups],
        })
    }

    /// Creates empty slots for the matches to play.
    fn slots(&self) -> Slots<MatchRow> {
        let Some(sprt) = self.sprt else {
            return Slots::new(self.own().map(|index| index as usize));
        };
        let test = |pairing: usize| {
            (
                pairing * self.matches as usize,
                Rounds::new(sprt, ROUND, self.matches / 2, REACH),
            )
        };
        // The players of a match exchange their seats in the next match.
        let pairs = Pairs {
            step: 2,
            apart: 1,
            observe: lead,
        };
        Slots::tested((0..self.pairings().len()).map(test).collect(), pairs)
    }

    /// Returns the matches of the shard of the run, which consists of whole series.
    pub fn own(&self) -> impl Iterator<Item = u32> {
        let rows = self
            .part
            .range(self.pairings().len() as u64 * u64::from(self.rows_each()));
        (rows.start as u32..rows.end as u32).flat_map(|row| self.row(row))
    }

    /// Returns the number of series of each pairing.
    fn rows_each(&self) -> u32 {
        self.matches.div_ceil(self.series)
    }

    /// Returns the matches of the series `row`.
    fn row(&self, row: u32) -> Range<u32> {
        let pairing = row / self.rows_each();
        let row = row % self.rows_each();
        let start = pairing * self.matches;
        let first = row * self.series;
        start + first..start + first.saturating_add(self.series).min(self.matches)
    }

    /// Returns the series of the match `index`.
    fn row_of(&self, index: u32) -> u32 {
        index / self.matches * self.rows_each() + index % self.matches / self.series
    }

    fn settings(&self) -> Result<Map<String, Value>> {
        let rules = |sheet: &PathBuf| anyhow::Ok(json!(read(sheet)?.map(|rules| sha256(&rules))));
        let versions = |players: &Vec<PlayerRecipe>| -> Value {
            players
                .iter()
                .map(|player| player.algorithm.revision())
                .collect()
        };
        let mut settings = object(json!({
            "command": "ggp match",
            "sheet": one_or_all(self.sheets.iter().map(|sheet| name_of(sheet).into()).collect()),
            "rules": one_or_all(self.sheets.iter().map(rules).collect::<Result<_, _>>()?),
            "players": one_or_all(self.line_ups.iter().map(|players| json!(players)).collect()),
            "versions": one_or_all(self.line_ups.iter().map(versions).collect()),
            "matches": self.matches,
            "series": self.series,
            "budget": self.budget.to_string(),
            "horizon": self.horizon,
            "most_explored": self.most_explored,
            "seed": self.seed,
        }));
        settings.extend(self.sprt.map(Sprt::noted));
        if self.luck_corrected {
            settings.insert("luck_corrected".to_owned(), true.into());
        }
        Ok(self.part.noted_in(settings))
    }
}

/// Returns a single value as it is, and several values as a list.
fn one_or_all(mut values: Vec<Value>) -> Value {
    if values.len() == 1 {
        values.remove(0)
    } else {
        values.into()
    }
}
