//! Matches between players of a rule sheet's game.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ggp::Game;
use super::run_folder::RunFolder;
use super::series::round;
use crate::ggp::Limits;
use crate::ggp::player::{Budget, Explored, MacUcb, MacUcbSettings, Player, Table, Uct};
use crate::ggp::scsp::{Rules, StageNetwork};
use crate::rng::{Rng, Seed};
use crate::scsp::{Filtering, Method, Solver};

/// The file of a folder of matches: a row a match.
const MATCHES: &str = "matches.csv";

/// A player by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    Uct,
    MacUcb,
    FcUcb,
    Random,
}

impl Algorithm {
    const ALL: [(Self, &'static str); 4] =
        [(Self::Uct, "uct"), (Self::MacUcb, "mac-ucb"), (Self::FcUcb, "fc-ucb"), (Self::Random, "random")];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(algorithm, _)| *algorithm == self).expect("all are listed").1
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(_, name)| *name == text);
        found
            .map(|(algorithm, _)| *algorithm)
            .ok_or_else(|| format!("`{text}` is none of uct, mac-ucb, fc-ucb, random"))
    }
}

/// A series of matches.
#[derive(Clone, PartialEq, Debug)]
pub struct Matches {
    pub sheet: PathBuf,
    /// Who plays: role `r` of match `m` is player `(r + m) mod n`, so that the sides alternate.
    pub players: Vec<Algorithm>,
    pub matches: u32,
    pub budget: Budget,
    pub solving_share: f64,
    /// As in [`MacUcbSettings`].
    pub samples_an_arm: u32,
    pub horizon: usize,
    /// States that the cache of explored leaves may hold in a match.
    pub most_explored: usize,
    pub seed: u64,
    pub threads: usize,
    pub out: Option<PathBuf>,
}

/// A match: a row of `matches.csv`. Lists are joined by semicolons, in the order of the roles, chance left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchRow {
    pub index: u32,
    pub players: String,
    pub goals: String,
    pub steps: usize,
    /// Whether a terminal state was reached within the horizon.
    pub ended: bool,
}

/// What came of one algorithm's seats.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    pub player: &'static str,
    pub matches: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Wins and half of the draws in per cent, and the standard deviation of that mean; none if nobody else played.
    pub score: Option<f64>,
    pub deviation: Option<f64>,
    pub mean_goal: f64,
}

/// The result in a folder's manifest.
#[derive(Serialize, Deserialize)]
struct Finished {
    matches: usize,
}

/// Plays what is not yet played and gives all rows; `told` hears how many are done.
pub fn play(matches: &Matches, told: impl Fn(u32)) -> anyhow::Result<Vec<MatchRow>> {
    let mut folder = matches.out.as_deref().map(|path| open(path, matches)).transpose()?;
    let mut rows = folder.as_ref().map_or_else(|| Ok(Vec::new()), read_rows)?;
    if let Some(folder) = &folder
        && let Some(Finished { matches }) = folder.result()?
        && rows.len() == matches
    {
        return Ok(rows);
    }
    let game = Game::load(&matches.sheet, &Limits::default())?;
    let stage =
        StageNetwork::new(&game.grounding, Rules::Stage).with_context(|| matches.sheet.display().to_string())?;
    let mut network = stage.network().clone();
    network.preprocess(Filtering::SingletonArc)?;
    let solver = Solver::new(network)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(matches.threads).build()?;
    while (rows.len() as u32) < matches.matches {
        told(rows.len() as u32);
        let first = rows.len() as u32;
        let end = matches.matches.min(first + 2 * matches.threads as u32);
        let table = Seats { matches, game: &game, stage: &stage, solver: &solver };
        rows.extend(pool.install(|| (first..end).into_par_iter().map(|index| table.play(index)).collect::<Vec<_>>()));
        if let Some(folder) = &folder {
            write_rows(folder, &rows)?;
        }
    }
    if let Some(folder) = &mut folder {
        folder.finish(json!(Finished { matches: rows.len() }))?;
    }
    Ok(rows)
}

/// Wins, draws and goals by algorithm. A seat wins if its goal is higher than every other algorithm's.
pub fn standings(matches: &Matches, rows: &[MatchRow]) -> Vec<Standing> {
    let mut algorithms = Vec::new();
    for &player in &matches.players {
        if !algorithms.contains(&player) {
            algorithms.push(player);
        }
    }
    algorithms.iter().map(|&algorithm| standing(algorithm, rows)).collect()
}

fn standing(algorithm: Algorithm, rows: &[MatchRow]) -> Standing {
    let name = algorithm.name();
    let (mut scores, mut goals) = (Vec::new(), Vec::new());
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for row in rows {
        let seats: Vec<(&str, f64)> =
            row.players.split(';').zip(row.goals.split(';').map(|goal| goal.parse().unwrap_or(0.0))).collect();
        let best = |own: bool| {
            seats
                .iter()
                .filter(|(seat, _)| (*seat == name) == own)
                .map(|&(_, goal)| goal)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        goals.extend(seats.iter().filter(|(seat, _)| *seat == name).map(|&(_, goal)| goal));
        let (own, other) = (best(true), best(false));
        if own == f64::NEG_INFINITY || other == f64::NEG_INFINITY {
            continue;
        }
        let score = if own > other {
            1.0
        } else if own == other {
            0.5
        } else {
            0.0
        };
        wins += u32::from(own > other);
        draws += u32::from(own == other);
        losses += u32::from(own < other);
        scores.push(score);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let score = mean(&scores);
    let against_others = |percent: f64| (!scores.is_empty()).then(|| round(percent, 2));
    let spread = mean(&scores.iter().map(|s| (s - score).powi(2)).collect::<Vec<_>>());
    Standing {
        player: name,
        matches: rows.len() as u32,
        wins,
        draws,
        losses,
        score: against_others(100.0 * score),
        deviation: against_others(100.0 * (spread / scores.len().max(1) as f64).sqrt()),
        mean_goal: round(mean(&goals), 2),
    }
}

fn open(path: &Path, matches: &Matches) -> anyhow::Result<RunFolder> {
    let budget = match matches.budget {
        Budget::Time(time) => format!("{} s", time.as_secs_f64()),
        Budget::Samples(samples) => format!("{samples} samples"),
    };
    let sheet = matches.sheet.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let settings = json!({
        "command": "ggp match",
        "sheet": sheet,
        "players": matches.players,
        "matches": matches.matches,
        "budget": budget,
        "solving_share": matches.solving_share,
        "samples_an_arm": matches.samples_an_arm,
        "horizon": matches.horizon,
        "most_explored": matches.most_explored,
        "seed": matches.seed,
    });
    let settings = settings.as_object().expect("it was written as an object").clone();
    Ok(RunFolder::open(path, &settings)?)
}

fn read_rows(folder: &RunFolder) -> anyhow::Result<Vec<MatchRow>> {
    let Some(text) = folder.read(MATCHES)? else { return Ok(Vec::new()) };
    let rows: Result<Vec<MatchRow>, _> = csv::Reader::from_reader(&text[..]).deserialize().collect();
    rows.with_context(|| folder.path().join(MATCHES).display().to_string())
}

fn write_rows(folder: &RunFolder, rows: &[MatchRow]) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    let text = writer.into_inner().map_err(|error| anyhow!("{error}"))?;
    Ok(folder.write(MATCHES, &text)?)
}

/// What every match needs.
struct Seats<'a> {
    matches: &'a Matches,
    game: &'a Game,
    stage: &'a StageNetwork,
    solver: &'a Solver,
}

impl<'a> Seats<'a> {
    fn play(&self, index: u32) -> MatchRow {
        let Self { matches, game, .. } = *self;
        let chance = game.grounding.chance;
        let seed = Seed::new(matches.seed).child("match", u64::from(index));
        let mut rng = seed.child("chance", 0).rng();
        let seats: Vec<usize> = (0..game.net.roles()).filter(|&role| Some(role) != chance).collect();
        let algorithm = |seat: usize| matches.players[(seat + index as usize) % matches.players.len()];
        let mut players: Vec<_> = (0..seats.len()).map(|seat| self.player(algorithm(seat))).collect();
        let mut rngs: Vec<Rng> = (0..seats.len()).map(|seat| seed.child("player", seat as u64).rng()).collect();
        let mut explored = Explored::new(chance, matches.most_explored);
        let mut table = Table::new(&game.net, chance, matches.horizon);
        table.look_at(game.net.initial());
        let mut steps = 0;
        while !table.is_terminal() && steps < matches.horizon {
            let state = table.state();
            let mut joint = vec![None; game.net.roles()];
            for (seat, &role) in seats.iter().enumerate() {
                if let Some(player) = &mut players[seat] {
                    joint[role] = Some(player.choose(&state, role, matches.budget, &mut explored, &mut rngs[seat]));
                }
            }
            table.step(|role| joint[role], &mut rng);
            steps += 1;
        }
        let ended = table.is_terminal();
        let rewards = if ended { table.rewards().to_vec() } else { vec![0.0; game.net.roles()] };
        let join = |texts: Vec<String>| texts.join(";");
        MatchRow {
            index,
            players: join((0..seats.len()).map(|seat| algorithm(seat).name().to_owned()).collect()),
            goals: join(seats.iter().map(|&role| format!("{}", (100.0 * rewards[role]).round())).collect()),
            steps,
            ended,
        }
    }

    /// A player; none for one that moves at random.
    fn player(&self, algorithm: Algorithm) -> Option<Box<dyn Player + 'a>> {
        let Self { matches, game, stage, solver } = *self;
        let mac = |method| -> Box<dyn Player + 'a> {
            let Matches { solving_share, samples_an_arm, horizon, .. } = *matches;
            let settings =
                MacUcbSettings { method, solving_share, samples_an_arm, horizon, ..MacUcbSettings::default() };
            Box::new(MacUcb::new(&game.grounding, &game.net, stage, solver.clone(), settings))
        };
        match algorithm {
            Algorithm::Random => None,
            Algorithm::Uct => Some(Box::new(Uct::new(&game.net, game.grounding.chance, matches.horizon, 1_000_000))),
            Algorithm::MacUcb => Some(mac(Method::Mac)),
            Algorithm::FcUcb => Some(mac(Method::ForwardChecking)),
        }
    }
}
