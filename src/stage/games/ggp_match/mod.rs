//! Matches between players of a rule sheet's game.

mod budget;
mod join;
mod record;
mod referee;
mod stage;
mod standing;

use std::cell::OnceCell;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use budget::MoveBudgetText;
pub use join::SERIES;
pub use join::join_matches;
pub use record::{CostRow, MatchRow};
pub use stage::GgpMatch;
pub use standing::{Interval, Standing, cooperative_standing, standings};

use super::ggp::name_of;
use super::ggp_fault::in_sheet;
use super::ggp_game::{Compiled, Game, TooLarge};
use mineflow_arena::{Part, Workers};
use mineflow_document::numbers::round;
use mineflow_gdl::GroundingLimits;
use mineflow_gdl::network::{GameNetwork, Rules};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use mineflow_search::scsp::{Filtering, NetworkSolver};
use mineflow_store::{Folder, Purpose};
use record::{read_rows, write_rows};
use referee::Referee;

/// How often the matches are kept.
const BETWEEN_WRITES: Duration = Duration::from_millis(500);

/// A series of matches.
#[derive(Clone, PartialEq, Debug)]
pub struct Matches {
    pub sheet: PathBuf,
    /// Who plays: role `r` of match `m` is player `(r + m) mod n`, so that the sides alternate.
    pub players: Vec<PlayerRecipe>,
    pub matches: u32,
    /// Matches that follow one another: a player keeps what it knows from one to the next, and forgets it before others.
    pub series: u32,
    /// Of players that have none of their own.
    pub budget: MoveBudget,
    pub horizon: usize,
    /// Joint moves that each player's cache of explored leaves may hold.
    pub most_explored: usize,
    pub seed: u64,
    /// Which of the matches are played.
    pub part: Part,
    pub threads: usize,
    pub out: Option<PathBuf>,
}

/// What was played of a series.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    pub rows: Vec<MatchRow>,
    /// What each of them took. No two runs agree in it.
    pub costs: Vec<CostRow>,
}

impl Played {
    /// CPU seconds of all matches and players together, to a tenth.
    pub fn cpu_seconds(&self) -> f64 {
        let seconds = self.costs.iter().flat_map(|cost| cost.cpu_seconds.split(';'));
        round(seconds.filter_map(|seconds| seconds.parse::<f64>().ok()).sum(), 1)
    }
}

/// The result in a folder's manifest.
#[derive(Serialize, Deserialize)]
struct Finished {
    matches: usize,
}

/// A sheet with all that players need, made when it is first asked for.
pub struct Venue {
    sheet: PathBuf,
    game: OnceCell<Game>,
    stage: OnceCell<Stage>,
}

/// The network of a game's stage, and the solver of its preprocessed copy.
struct Stage {
    network: GameNetwork,
    solver: NetworkSolver,
}

impl Venue {
    pub fn new(sheet: &Path) -> Self {
        Self { sheet: sheet.to_owned(), game: OnceCell::new(), stage: OnceCell::new() }
    }

    fn game(&self) -> anyhow::Result<&Game> {
        if let Some(game) = self.game.get() {
            return Ok(game);
        }
        let game = Game::load(&self.sheet, &GroundingLimits::default(), TooLarge::Interpret)?;
        Ok(self.game.get_or_init(|| game))
    }

    /// What players that solve need besides the game.
    fn stage(&self, solving: &PlayerRecipe) -> anyhow::Result<&Stage> {
        if let Some(stage) = self.stage.get() {
            return Ok(stage);
        }
        let needed = || {
            format!(
                "{} needs the game's constraint network, and there is none; uct and random play without",
                solving.algorithm.name()
            )
        };
        let Compiled { grounding, .. } = self.game()?.compiled().with_context(needed)?;
        let network = GameNetwork::new(grounding, Rules::Stage).map_err(in_sheet(&self.sheet)).with_context(needed)?;
        let mut preprocessed = network.network().clone();
        preprocessed.preprocess(Filtering::SingletonArc);
        let solver = NetworkSolver::new(preprocessed).map_err(in_sheet(&self.sheet)).with_context(needed)?;
        Ok(self.stage.get_or_init(|| Stage { network, solver }))
    }
}

/// What is told of a series while it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchEvent {
    /// What people should know of the sheet before the first match.
    Note(String),
    /// How many matches are played, told after each few.
    Played(u32),
    /// How many matches are kept in the folder.
    Kept(u32),
}

/// Plays what is not yet played. Once `stop` is set no other matches are begun; what is given is then not all of the series.
pub fn play(
    matches: &Matches,
    venue: &Venue,
    stop: &AtomicBool,
    report: &mut dyn FnMut(MatchEvent),
) -> anyhow::Result<Played> {
    let mut folder = matches
        .out
        .as_deref()
        .map(|path| Folder::open(path, &Purpose::of(matches.settings(&venue.sheet)), stop))
        .transpose()?;
    let mut played = folder.as_ref().map_or_else(|| Ok(Played::default()), read_rows)?;
    let own = matches.own();
    if let Some(folder) = &folder
        && let Some(Finished { matches }) = folder.result()?
        && played.rows.len() == matches
    {
        report(MatchEvent::Played(played.rows.len() as u32));
        return Ok(played);
    }
    if played.rows.len() < own.len() {
        play_missing(matches, venue, folder.as_ref(), &mut played, stop, report)?;
    }
    if let Some(folder) = &folder {
        write_rows(folder, &played)?;
    }
    if played.rows.len() < own.len() {
        return Ok(played);
    }
    if let Some(folder) = &mut folder {
        folder.finish(&Finished { matches: played.rows.len() }, stop)?;
    }
    report(MatchEvent::Played(played.rows.len() as u32));
    Ok(played)
}

/// Plays the matches of the part that follow those played.
fn play_missing(
    matches: &Matches,
    venue: &Venue,
    folder: Option<&Folder>,
    played: &mut Played,
    stop: &AtomicBool,
    report: &mut dyn FnMut(MatchEvent),
) -> anyhow::Result<()> {
    let game = venue.game()?;
    game.notes().into_iter().for_each(|note| report(MatchEvent::Note(note)));
    let solving = matches.players.iter().find(|player| player.algorithm.solves());
    let stage = solving.map(|player| venue.stage(player)).transpose()?;
    let referee = Referee { matches, game, stage };
    report(MatchEvent::Played(played.rows.len() as u32));
    if folder.is_some() {
        report(MatchEvent::Kept(played.rows.len() as u32));
    }
    // A series that was interrupted is played again: what the players knew is gone.
    let whole = played.rows.len() / matches.series as usize * matches.series as usize;
    played.rows.truncate(whole);
    played.costs.truncate(whole);
    let own = matches.own();
    let first = (own.start + whole as u32) / matches.series;
    let mut kept = played.rows.len();
    let mut written = Instant::now();
    Workers { threads: matches.threads, stop }.run_in_order(
        first..own.end.div_ceil(matches.series),
        || (),
        |(), series| {
            let start = series * matches.series;
            referee.play_series(start..(start + matches.series).min(own.end), stop)
        },
        |series| {
            // Once one was broken off, those after it wait for another run.
            if let Some(series) = series.transpose()?.flatten()
                && series[0].0.index == own.start + played.rows.len() as u32
            {
                let (rows, costs): (Vec<_>, Vec<_>) = series.into_iter().unzip();
                played.rows.extend(rows);
                played.costs.extend(costs);
                report(MatchEvent::Played(played.rows.len() as u32));
            }
            let due = written.elapsed() >= BETWEEN_WRITES || stop.load(Ordering::Relaxed);
            if let Some(folder) = folder.filter(|_| due && kept < played.rows.len()) {
                write_rows(folder, played)?;
                (written, kept) = (Instant::now(), played.rows.len());
                report(MatchEvent::Kept(kept as u32));
            }
            anyhow::Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(())
}

impl Matches {
    /// The matches of the part: whole series.
    pub fn own(&self) -> Range<u32> {
        let series = self.part.range(self.matches.div_ceil(self.series).into());
        let first = |series: u64| (series * u64::from(self.series)).min(self.matches.into()) as u32;
        first(series.start)..first(series.end)
    }

    fn settings(&self, sheet: &Path) -> Map<String, Value> {
        let settings = json!({
            "command": "ggp match",
            "sheet": name_of(sheet),
            "players": self.players,
            "matches": self.matches,
            "series": self.series,
            "budget": self.budget.to_string(),
            "horizon": self.horizon,
            "most_explored": self.most_explored,
            "seed": self.seed,
        });
        self.part.noted_in(settings.as_object().expect("it was written as an object").clone())
    }
}
