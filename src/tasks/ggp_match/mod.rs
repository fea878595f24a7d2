//! Matches between players of a rule sheet's game.

mod budget;
mod record;
mod referee;
mod several;
mod stage;
mod standing;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, ensure};
use serde_json::{Map, Value, json};

pub use budget::MoveBudgetText;
pub use record::{CostRow, MatchRow};
pub use several::{planned, play_all};
pub use stage::GgpMatch;
use standing::lead;
pub use standing::{Interval, Standing, cooperative_standing, standings};

use super::ggp::name_of;
use super::ggp_fault::in_sheet;
use super::ggp_game::{Compiled, Game, TooLarge};
use mineflow_arena::numbers::round;
use mineflow_arena::{Pairs, Part, Piece, Records, Rounds, Series, Slots, Sprt, Tested, Workers};
use mineflow_gdl::GroundingLimits;
use mineflow_gdl::network::{GameNetwork, Rules};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use mineflow_search::scsp::{Filtering, NetworkSolver};
use mineflow_store::{Folder, Purpose, object, read, sha256};
use record::{add_tables, tables};
use referee::Referee;

/// A series of matches.
#[derive(Clone, PartialEq, Debug)]
pub struct Matches {
    pub sheet: PathBuf,
    /// Who plays: in match `m` role `r` is at place `(r + m) mod n` of the players, so that the sides alternate. In a game of more roles the
    /// last player has the places that are left: of two players for three roles, one plays against two of the other.
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
    /// By which matches between two players, each of its own, end before all of them.
    pub sprt: Option<Sprt>,
    pub threads: usize,
    pub out: Option<PathBuf>,
}

/// What was played of a series, in the order of the matches.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    pub rows: Vec<MatchRow>,
    /// What each of them took. No two runs agree in it.
    pub costs: Vec<CostRow>,
    /// Whether all matches of the part are played, or all that a test needs.
    pub is_whole: bool,
    /// What the test says, where there is one.
    pub test: Option<Tested>,
}

impl Played {
    fn of(matches: &Slots<MatchRow>) -> Self {
        let rows: Vec<_> = matches.pieces().cloned().collect();
        // Without the file of costs, what matches took is not known.
        let cost = |row: &MatchRow| matches.cost(row.number()).cloned().unwrap_or_default();
        let costs = rows.iter().map(cost).collect();
        Self { rows, costs, is_whole: matches.is_whole(), test: matches.test() }
    }

    /// CPU seconds of all matches and players together, to a tenth.
    pub fn cpu_seconds(&self) -> f64 {
        round(self.costs.iter().flat_map(|cost| &cost.cpu_seconds).sum(), 1)
    }
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

    /// How many roles players have; chance is not one of them.
    fn roles(&self) -> anyhow::Result<usize> {
        let engines = self.game()?.engines()?;
        Ok(engines.roles() - usize::from(engines.chance().is_some()))
    }

    /// Checks that a sequential test can take two matches for mirrored ones.
    fn hold_two_roles(&self) -> anyhow::Result<()> {
        let (roles, game) = (self.roles()?, self.sheet.display());
        ensure!(roles == 2, "--sprt takes games of two roles, and {game} has {roles}; leave it away");
        Ok(())
    }

    /// What players that ask the constraint network need besides the game; None where no player does.
    fn stage(&self, players: &[PlayerRecipe]) -> anyhow::Result<Option<&Stage>> {
        let Some(player) = players.iter().find(|player| player.algorithm.asks_network()) else { return Ok(None) };
        let without = |what: &str, name: &str| {
            format!("{name} needs the game's {what}, and there is none; uct and random play without")
        };
        let circuit = || without("rules as a circuit", player.algorithm.name());
        let Compiled { grounding, .. } = self.game()?.compiled().with_context(circuit)?;
        if let Some(stage) = self.stage.get() {
            return Ok(Some(stage));
        }
        let needed = || without("constraint network", player.algorithm.name());
        let network = GameNetwork::new(grounding, Rules::Stage).map_err(in_sheet(&self.sheet)).with_context(needed)?;
        let mut preprocessed = network.network().clone();
        preprocessed.preprocess(Filtering::SingletonArc);
        let solver = NetworkSolver::new(preprocessed).map_err(in_sheet(&self.sheet)).with_context(needed)?;
        Ok(Some(self.stage.get_or_init(|| Stage { network, solver })))
    }
}

/// The progress of a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchEvent {
    /// What people should know of the sheet before the first match.
    Note(String),
    /// How many matches are played, reported after each few.
    Played(u32),
    /// How many matches are kept in the folder.
    Kept(u32),
}

/// Plays what is not yet played. Once `stop` is set no other matches are begun; what is given is then not all of the series.
///
/// # Errors
/// A sheet or folder that can't be used, and whatever goes wrong in a match.
pub fn play(
    matches: &Matches,
    venue: &Venue,
    stop: &AtomicBool,
    report: &mut dyn FnMut(MatchEvent),
) -> anyhow::Result<Played> {
    let open = |path: &Path| -> anyhow::Result<Folder> {
        Ok(Folder::open(path, &Purpose::of(matches.settings(&venue.sheet)?), stop)?)
    };
    let folder = matches.out.as_deref().map(open).transpose()?;
    let mut played = matches.slots();
    folder.iter().try_for_each(|folder| add_tables(folder.path(), &mut played))?;
    let mut series = Series::open(played, folder)?;
    if !series.records().is_whole() {
        play_missing(matches, venue, &mut series, stop, report)?;
    }
    report(MatchEvent::Played(series.records().done() as u32));
    if series.records().is_whole() && !series.folder().is_some_and(Folder::is_finished) {
        series.seal(&tables(series.records())?, stop)?;
    }
    Ok(Played::of(series.records()))
}

/// Plays the rows of matches of which one is missing: what the players knew after those before it is gone.
fn play_missing(
    matches: &Matches,
    venue: &Venue,
    series: &mut Series<Slots<MatchRow>>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(MatchEvent),
) -> anyhow::Result<()> {
    let game = venue.game()?;
    game.notes().into_iter().for_each(|note| report(MatchEvent::Note(note)));
    let referee = Referee { matches, game, stage: venue.stage(&matches.players)? };
    let end = matches.own().end;
    let mut tell = |series: &Series<Slots<MatchRow>>| {
        report(MatchEvent::Played(series.records().done() as u32));
        if series.folder().is_some() {
            report(MatchEvent::Kept(series.kept() as u32));
        }
    };
    tell(series);
    let rows_of = |slots: &Slots<MatchRow>| -> BTreeSet<u32> {
        slots.missing().into_iter().map(|index| index as u32 / matches.series).collect()
    };
    series.play::<_, (), anyhow::Error>(
        Workers { threads: matches.threads, stop },
        rows_of,
        |(), row, desk, over| {
            let first = row * matches.series;
            match referee.play_row(first..(first + matches.series).min(end), over) {
                Ok(played) => played.into_iter().flatten().for_each(|played| desk.hand_in(Ok(played))),
                Err(error) => desk.hand_in(Err(error)),
            }
        },
        |series, _| tell(series),
    )?;
    Ok(())
}

/// Pairs of mirrored matches between two looks at a test.
const ROUND: u32 = 10;
/// How far the score of a pair can lie from the middle, in points.
const REACH: f64 = 50.0;

impl Matches {
    /// The matches that are played, none of them yet.
    fn slots(&self) -> Slots<MatchRow> {
        match self.sprt {
            // The players of a match have exchanged their seats in the next one.
            Some(sprt) => {
                let pairs = Pairs { step: 2, apart: 1, observe: lead };
                Slots::tested(Rounds::new(sprt, ROUND, self.matches / 2, REACH), pairs)
            }
            None => Slots::new(self.own().map(|index| index as usize)),
        }
    }

    /// The matches of the part: whole series.
    pub fn own(&self) -> Range<u32> {
        let series = self.part.range(self.matches.div_ceil(self.series).into());
        let first = |series: u64| (series * u64::from(self.series)).min(self.matches.into()) as u32;
        first(series.start)..first(series.end)
    }

    /// Which player has a seat of a match, the seats being those of the `roles` that are not chance.
    fn player_of(&self, seat: usize, match_: u32, roles: usize) -> usize {
        let places = self.players.len().max(roles);
        ((seat + match_ as usize) % places).min(self.players.len() - 1)
    }

    fn settings(&self, sheet: &Path) -> anyhow::Result<Map<String, Value>> {
        let mut settings = object(json!({
            "command": "ggp match",
            "sheet": name_of(sheet),
            "rules": read(sheet)?.map(|rules| sha256(&rules)),
            "players": self.players,
            "versions": self.players.iter().map(|player| player.algorithm.revision()).collect::<Vec<_>>(),
            "matches": self.matches,
            "series": self.series,
            "budget": self.budget.to_string(),
            "horizon": self.horizon,
            "most_explored": self.most_explored,
            "seed": self.seed,
        }));
        settings.extend(self.sprt.map(Sprt::noted));
        Ok(self.part.noted_in(settings))
    }
}
