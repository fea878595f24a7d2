//! Checks of rule sheets: sizes, constraint networks and random playouts.

use std::path::Path;

use cpu_time::ThreadTime;
use serde::Serialize;

use super::{
    ggp_fault::{fault_of, in_sheet},
    ggp_game::{Compiled, Engines, Game},
};
use mineflow_arena::numbers::round;
use mineflow_gdl::{
    SheetError,
    engine::play_out,
    network::{GameNetwork, Rules},
};
use mineflow_rng::Seed;
use mineflow_search::scsp::NetworkSize;

/// Number of playouts of a check with the propositional network.
const CHECKED: usize = 256;
/// Number of playouts of a check with the interpreter.
const CHECKED_BY_RULES: usize = 4;

/// Returns the name of a game: the file name of its sheet without the extension.
pub(super) fn name_of(sheet: &Path) -> String {
    sheet
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The findings of `ggp check` in a sheet.
#[derive(Serialize)]
pub struct Description {
    pub roles: Vec<String>,
    /// The role `random`, which chance plays; `None` if the game has no such role.
    pub chance: Option<String>,
    pub rules: usize,
    /// Sizes of the ground form; `None` if it is too large.
    #[serde(flatten)]
    pub ground: Option<GroundSizes>,
    /// Predicates that no rule defines, each with a place of use.
    pub undefined: Vec<String>,
    /// The sheet's own notes on how it simplifies the usual game.
    pub simplified: Vec<String>,
    /// Ignored parts of the sheet, and the engine if it is not the propositional network.
    pub notes: Vec<String>,
    pub mean_steps: f64,
    pub mean_goals: Vec<f64>,
    pub cpu_seconds: f64,
}

/// The sizes of a ground form and its propositional network.
#[derive(Serialize)]
pub struct GroundSizes {
    pub fluents: usize,
    /// Number of actions of each role.
    pub actions: Vec<usize>,
    pub atoms: usize,
    pub clauses: usize,
    pub literals: usize,
    pub gates: usize,
    pub loop_gates: usize,
}

impl GroundSizes {
    fn of(Compiled { grounding, net }: &Compiled) -> Self {
        Self {
            fluents: grounding.fluents.len(),
            actions: grounding.actions.iter().map(Vec::len).collect(),
            atoms: grounding.atoms.len(),
            clauses: grounding.clause_count(),
            literals: grounding.literal_count(),
            gates: net.gate_count(),
            loop_gates: net.loop_gate_count(),
        }
    }
}

/// Loads a rule sheet and checks it with several hundred random playouts, or with a few if it is
/// interpreted rather than compiled. Returns the findings.
pub fn check(path: &Path, horizon: usize, seed: u64) -> anyhow::Result<Description> {
    let clock = ThreadTime::now();
    let game = Game::load(path)?;
    let cpu_seconds = round(clock.elapsed().as_secs_f64(), 3);
    let engines = game.engines()?;
    let (mean_steps, mean_goals) = playouts(&engines, horizon, seed).map_err(fault_of(path))?;
    Ok(Description {
        roles: (0..engines.roles())
            .map(|role| engines.role_name(role))
            .collect(),
        chance: engines.chance().map(|role| engines.role_name(role)),
        rules: game.sheet.rule_count(),
        ground: game.compiled().ok().map(GroundSizes::of),
        undefined: game
            .sheet
            .undefined()
            .iter()
            .map(|(name, at)| format!("{name} at {at}"))
            .collect(),
        simplified: game.simplified().to_vec(),
        notes: game.notes(),
        mean_steps,
        mean_goals,
        cpu_seconds,
    })
}

/// A row of `ggp check --scsp`: one of a game's constraint networks, as built or after
/// preprocessing (Koriche et al., table 2).
#[derive(Serialize)]
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

/// Builds the constraint networks of a sheet, and returns their sizes before and after enforcing
/// singleton arc consistency. `report` receives the number of rows made and planned.
pub fn scsp_rows(path: &Path, report: &mut dyn FnMut(u64, u64)) -> anyhow::Result<Vec<ScspRow>> {
    let game = Game::load(path)?;
    let grounding = &game.compiled()?.grounding;
    let networks = [("stage", Rules::Stage), ("last stage", Rules::Goals)];
    let planned = 2 * networks.len() as u64;
    let mut rows = Vec::new();
    report(0, planned);
    for (network, rules) in networks {
        let clock = ThreadTime::now();
        let stage = GameNetwork::new(grounding, rules).map_err(in_sheet(path))?;
        let mut built = stage.network().clone();
        for preprocessed in [false, true] {
            if preprocessed {
                built.preprocess();
            }
            let size = NetworkSize::of(&built);
            rows.push(ScspRow {
                game: name_of(path),
                network,
                preprocessed,
                variables: size.variables,
                largest_domain: size.largest_domain,
                constraints: size.constraints,
                tuples: size.tuples,
                cpu_seconds: round(clock.elapsed().as_secs_f64(), 3),
            });
            report(rows.len() as u64, planned);
        }
    }
    Ok(rows)
}

/// Returns the mean number of steps of random playouts, and the mean goal of each role.
fn playouts(
    engines: &Engines<'_>,
    horizon: usize,
    seed: u64,
) -> Result<(f64, Vec<f64>), SheetError> {
    let count = match engines {
        Engines::Net(_) => CHECKED,
        Engines::Rules(_) => CHECKED_BY_RULES,
    };
    let mut engine = engines.engine();
    let mut rng = Seed::new(seed).child("play-outs", 0).rng();
    let mut all_steps = 0;
    let mut sums = vec![0; engines.roles()];
    for _ in 0..count {
        let name = |role| engines.role_name(role);
        let played = play_out(&mut *engine, engines.chance(), name, horizon, &mut rng);
        if let Some(fault) = engine.fault() {
            return Err(fault);
        }
        let (steps, goals) = played?;
        all_steps += steps;
        for (sum, points) in sums.iter_mut().zip(goals) {
            *sum += usize::from(points);
        }
    }
    let mean = |sum| round(sum as f64 / count as f64, 2);
    Ok((mean(all_steps), sums.into_iter().map(mean).collect()))
}
