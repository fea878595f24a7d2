//! `standings.csv`: the results of each game and line-up.

use serde::{Deserialize, Serialize};

use super::{AllPlayed, Matches, Pairing, Played, Standing, cooperative_standing, standings};
use crate::ggp::name_of;
use mineflow_arena::{SprtVerdict, numbers::round, to_csv};
use mineflow_gdl::player::{Algorithm, MacUcbSettings, MoveBudget, PlayerRecipe};

/// The name of the file with the table of results.
pub(super) const FILE: &str = "standings.csv";

/// The relation between the roles of a game.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Players play against each other.
    Opposed,
    /// One player plays all roles, which win or lose together.
    Cooperative,
}

/// The results of a game and line-up, from the view of the first player of the line-up. The results
/// are identical in every run if the budget is a number of playouts.
#[derive(Serialize, Deserialize)]
pub struct TableRow {
    pub game: String,
    pub kind: Kind,
    pub player: String,
    /// The opponent; empty if the player has all roles. Several opponents are joined by semicolons,
    /// and their figures are then empty.
    pub opponent: String,
    /// The [versions](mineflow_gdl::player::PlayerRecipe::version) of both players, with several
    /// opponents joined by semicolons; empty in tables from before versions were recorded.
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub opponent_version: String,
    pub budget: String,
    /// The first and the last match of each series that the row includes, counted from 1, if
    /// matches are played in series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u32>,
    /// The solver settings of `player`, or the defaults of MAC-UCB if the player has no solver.
    pub solving_share: f64,
    pub samples_per_stage: String,
    /// Number of matches played: the planned number, or fewer if a sequential test decided earlier.
    pub matches: u32,
    /// The verdict of the sequential test on `player`'s score minus 50 %, if there is one.
    pub test: Option<SprtVerdict>,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Mean score in per cent, with its standard error and 95 % interval.
    pub score: f64,
    pub deviation: Option<f64>,
    pub low: f64,
    pub high: f64,
    pub mean_goal: f64,
    pub opponent_goal: Option<f64>,
    pub samples_per_move: f64,
    pub opponent_samples_per_move: Option<f64>,
    pub stages_per_move: f64,
    pub certain_cuts_per_move: f64,
    pub confidence_cuts_per_move: f64,
    /// Percentage of the playouts that ended in the cache of explored leaves.
    pub explored: f64,
    pub opponent_explored: Option<f64>,
    /// CPU time of the moves at which the player had a choice, and the percentage of it spent in
    /// the solver, if the budget is a time. They differ from run to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ms_per_move: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent_cpu_ms_per_move: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solving: Option<f64>,
    /// The score with the luck of chance subtracted, with its 95 % interval, if luck was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_high: Option<f64>,
}

/// The number of parts into which series of consecutive matches are divided. Each part that has a
/// match is a row.
const PARTS: u32 = 10;

/// Returns the rows of all pairings, as CSV.
pub(super) fn file(matches: &Matches, played: &AllPlayed) -> anyhow::Result<Vec<u8>> {
    let pairings = matches.pairings().zip(&played.pairings);
    to_csv(
        &pairings
            .flat_map(|(pairing, played)| rows_of(matches, &pairing, played))
            .collect::<Vec<_>>(),
    )
}

/// Returns one row for the matches of a pairing, or one row for each tenth of its series of
/// consecutive matches.
fn rows_of(matches: &Matches, pairing: &Pairing<'_>, played: &Played) -> Vec<TableRow> {
    if matches.series == 1 {
        return row(matches, pairing, played).into_iter().collect();
    }
    let end = |part: u32| (u64::from(matches.series) * u64::from(part) / u64::from(PARTS)) as u32;
    let parts = (0..PARTS)
        .map(|part| end(part)..end(part + 1))
        .filter(|part| !part.is_empty());
    parts
        .filter_map(|part| {
            let inside = |index: u32| part.contains(&(index % matches.matches % matches.series));
            let played = Played {
                rows: played
                    .rows
                    .iter()
                    .filter(|row| inside(row.index))
                    .cloned()
                    .collect(),
                costs: played
                    .costs
                    .iter()
                    .filter(|cost| inside(cost.index))
                    .cloned()
                    .collect(),
                test: None,
            };
            let from = Some(part.start + 1);
            let to = Some(part.end);
            Some(TableRow {
                from,
                to,
                ..row(matches, pairing, &played)?
            })
        })
        .collect()
}

/// Returns the row of a pairing's matches, or `None` if there are several players but no match had
/// two of them, as in a game of one role.
fn row(matches: &Matches, pairing: &Pairing<'_>, played: &Played) -> Option<TableRow> {
    let players = pairing.distinct();
    let (own, others): (Standing, Vec<Standing>) = match players[..] {
        [alone] => (cooperative_standing(alone, played), Vec::new()),
        _ => {
            let mut all = standings(pairing, played);
            (all.remove(0), all)
        }
    };
    let joined =
        |text: fn(&Standing) -> &str| others.iter().map(text).collect::<Vec<_>>().join(";");
    let opponent = others.first().filter(|_| others.len() == 1);
    let interval = own.interval?;
    let solving = solving_of(players[0]);
    let is_timed = matches!(matches.budget, MoveBudget::Time(_));
    let cpu = |of: &Standing| round(1000.0 * of.cpu_seconds_per_move, 2);
    let (own_cpu, corrected) = (cpu(&own), own.corrected);
    Some(TableRow {
        game: name_of(pairing.sheet),
        kind: if others.is_empty() {
            Kind::Cooperative
        } else {
            Kind::Opposed
        },
        opponent: joined(|other| &other.player),
        opponent_version: joined(|other| &other.version),
        player: own.player,
        version: own.version,
        budget: matches.budget.to_string(),
        from: None,
        to: None,
        solving_share: solving.solving_share,
        samples_per_stage: solving.samples.to_string(),
        matches: own.matches,
        test: own.sprt.map(|test| test.verdict),
        wins: own.wins,
        draws: own.draws,
        losses: own.losses,
        score: own.score?,
        deviation: own.deviation,
        low: interval.low,
        high: interval.high,
        mean_goal: own.mean_goal,
        opponent_goal: opponent.map(|other| other.mean_goal),
        samples_per_move: own.samples_per_move,
        opponent_samples_per_move: opponent.map(|other| other.samples_per_move),
        stages_per_move: own.stages_per_move,
        certain_cuts_per_move: own.certain_cuts_per_move,
        confidence_cuts_per_move: own.confidence_cuts_per_move,
        explored: own.explored,
        opponent_explored: opponent.map(|other| other.explored),
        cpu_ms_per_move: is_timed.then_some(own_cpu),
        opponent_cpu_ms_per_move: is_timed.then(|| opponent.map(cpu)),
        solving: is_timed.then_some(own.solving),
        corrected_score: corrected.map(|of| of.score),
        corrected_low: corrected.map(|of| of.low),
        corrected_high: corrected.map(|of| of.high),
    })
}

/// Returns the solver settings of a player, or the defaults of MAC-UCB if the player has no solver.
fn solving_of(player: &PlayerRecipe) -> MacUcbSettings {
    match &player.algorithm {
        Algorithm::MacUcb(settings) => *settings,
        Algorithm::Uct(_) | Algorithm::Random => MacUcbSettings::default(),
    }
}
