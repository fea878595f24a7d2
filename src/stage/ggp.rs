//! Games by their rule sheets: loading, checking, measuring playouts.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use cpu_time::ThreadTime;
use serde::Serialize;

use super::series::round;
use crate::gdl::network::{GameNetwork, Rules};
use crate::gdl::propnet::{Playouts, Propnet};
use crate::gdl::{Grounding, GroundingLimits, PlayError, Sheet};
use crate::rng::Seed;
use crate::search::scsp::{Filtering, NetworkSize};

/// Words of 64 playouts that run at once. Measured with 1, 2, 4 and 8: 4 is best or within a fifth of it on all games.
const WORDS: usize = 4;
/// Playouts of a check.
const CHECKED: usize = 64 * WORDS;

/// A sheet, its ground form and its network.
pub struct Game {
    pub sheet: Sheet,
    pub grounding: Grounding,
    pub net: Propnet,
}

impl Game {
    /// Reads, checks, grounds and compiles a sheet.
    pub fn load(path: &Path, limits: &GroundingLimits) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let wrong = |error: crate::gdl::SheetError| anyhow!("{}: {error}", path.display());
        let sheet = Sheet::read(&text).map_err(wrong)?;
        let grounding = Grounding::new(&sheet, limits).map_err(|error| wrong(error.into()))?;
        let net = Propnet::new(&grounding);
        Ok(Self { sheet, grounding, net })
    }
}

/// The game of a sheet, by the name of its file.
pub(super) fn name_of(sheet: &Path) -> String {
    sheet.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Says in which sheet something went wrong; for `map_err`.
pub(super) fn in_sheet<E: std::fmt::Display>(sheet: &Path) -> impl Fn(E) -> anyhow::Error {
    move |error| anyhow!("{}: {error}", sheet.display())
}

/// What `ggp check` tells of a sheet.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Description {
    pub roles: Vec<String>,
    /// The role that chance plays.
    pub chance: Option<String>,
    pub rules: usize,
    pub fluents: usize,
    /// Of each role.
    pub actions: Vec<usize>,
    pub atoms: usize,
    pub clauses: usize,
    pub literals: usize,
    pub gates: usize,
    pub loop_gates: usize,
    /// Predicates that no rule gives, with the place where one is used.
    pub undefined: Vec<String>,
    pub mean_steps: f64,
    pub mean_goals: Vec<f64>,
    pub cpu_seconds: f64,
}

/// Loads a sheet and tries it in some hundred random playouts.
pub fn check(path: &Path, limits: &GroundingLimits, horizon: usize, seed: u64) -> anyhow::Result<Description> {
    let clock = ThreadTime::now();
    let Game { sheet, grounding, net } = Game::load(path, limits)?;
    let cpu_seconds = round(clock.elapsed().as_secs_f64(), 3);
    let sums = playouts(&net, &grounding, CHECKED, horizon, seed).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    if sums.cut_off > 0 {
        return Err(anyhow!("{}: {}", path.display(), PlayError::Endless { steps: horizon }));
    }
    Ok(Description {
        roles: (0..grounding.roles.len()).map(|role| grounding.role_name(role)).collect(),
        chance: grounding.chance.map(|role| grounding.role_name(role)),
        rules: sheet.rule_count(),
        fluents: grounding.fluents.len(),
        actions: grounding.actions.iter().map(Vec::len).collect(),
        atoms: grounding.atoms.len(),
        clauses: grounding.clause_count(),
        literals: grounding.literal_count(),
        gates: net.gate_count(),
        loop_gates: net.loop_gate_count(),
        undefined: sheet.undefined().iter().map(|(name, at)| format!("{name} at {at}")).collect(),
        mean_steps: sums.mean_steps(),
        mean_goals: sums.mean_goals(),
        cpu_seconds,
    })
}

/// A row of `ggp check --scsp`: one of a game's networks, as built or after preprocessing (English paper, table 2).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScspRow {
    pub game: String,
    pub network: &'static str,
    pub preprocessed: bool,
    pub variables: usize,
    pub largest_domain: usize,
    pub constraints: usize,
    pub tuples: usize,
    pub cpu_seconds: f64,
}

/// Builds the networks of a sheet and makes them singleton arc consistent; `report` gets how many rows are made of how many.
pub fn scsp_rows(
    path: &Path,
    limits: &GroundingLimits,
    report: &mut dyn FnMut(u64, u64),
) -> anyhow::Result<Vec<ScspRow>> {
    let Game { grounding, .. } = Game::load(path, limits)?;
    let networks = [("stage", Rules::Stage), ("last stage", Rules::Goals)];
    let planned = 2 * networks.len() as u64;
    let mut rows = Vec::new();
    report(0, planned);
    for (network, rules) in networks {
        let clock = ThreadTime::now();
        let stage = GameNetwork::new(&grounding, rules).map_err(in_sheet(path))?;
        let mut built = stage.network().clone();
        for preprocessed in [false, true] {
            if preprocessed {
                built.preprocess(Filtering::SingletonArc);
            }
            let NetworkSize { variables, largest_domain, constraints, tuples, .. } = NetworkSize::of(&built);
            let cpu_seconds = round(clock.elapsed().as_secs_f64(), 3);
            let game = name_of(path);
            rows.push(ScspRow {
                game,
                network,
                preprocessed,
                variables,
                largest_domain,
                constraints,
                tuples,
                cpu_seconds,
            });
            report(rows.len() as u64, planned);
        }
    }
    Ok(rows)
}

/// A row of `ggp bench`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BenchRow {
    pub game: String,
    pub playouts: usize,
    /// Playouts that ended at the horizon and not in a terminal state.
    pub cut_off: usize,
    pub mean_steps: f64,
    /// Of each role, in the order of the sheet.
    pub mean_goals: Vec<f64>,
    pub cpu_seconds: f64,
    pub playouts_per_cpu_second: f64,
}

/// Plays `count` random playouts from the initial state on one thread.
pub fn bench(path: &Path, count: usize, horizon: usize, seed: u64) -> anyhow::Result<BenchRow> {
    let Game { grounding, net, .. } = Game::load(path, &GroundingLimits::default())?;
    let clock = ThreadTime::now();
    let sums = playouts(&net, &grounding, count, horizon, seed).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    let cpu_seconds = clock.elapsed().as_secs_f64();
    Ok(BenchRow {
        game: name_of(path),
        playouts: count,
        cut_off: sums.cut_off,
        mean_steps: sums.mean_steps(),
        mean_goals: sums.mean_goals(),
        cpu_seconds: round(cpu_seconds, 6),
        playouts_per_cpu_second: round(count as f64 / cpu_seconds.max(1e-9), 1),
    })
}

struct Sums {
    playouts: usize,
    cut_off: usize,
    steps: usize,
    goals: Vec<u64>,
}

impl Sums {
    fn mean_steps(&self) -> f64 {
        round(self.steps as f64 / self.playouts as f64, 2)
    }

    fn mean_goals(&self) -> Vec<f64> {
        self.goals.iter().map(|&sum| round(sum as f64 / self.playouts as f64, 2)).collect()
    }
}

fn playouts(net: &Propnet, grounding: &Grounding, count: usize, horizon: usize, seed: u64) -> Result<Sums, PlayError> {
    let mut sums = Sums { playouts: count, cut_off: 0, steps: 0, goals: vec![0; net.roles()] };
    let starts = std::iter::repeat_n(net.initial(), count);
    let mut rng = Seed::new(seed).child("play-outs", 0).rng();
    let ran = Playouts::<WORDS>::new(net, horizon).run(starts, &mut rng, |outcome| {
        sums.cut_off += usize::from(!outcome.terminal);
        sums.steps += outcome.steps;
        sums.goals.iter_mut().zip(outcome.goals).for_each(|(sum, &points)| *sum += u64::from(points));
    });
    ran.map_err(|breakdown| breakdown.error(grounding))?;
    Ok(sums)
}
