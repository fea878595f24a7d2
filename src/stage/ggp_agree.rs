//! Random playouts by several engines at once: do they agree?

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use cpu_time::ProcessTime;
use serde::Serialize;

use super::ggp::{Game, in_sheet, name_of};
use super::series::round;
use crate::arena::Workers;
use crate::gdl::GroundingLimits;
use crate::gdl::agreement::{Agreement, ComparedEngine, Networks, Trouble};
use crate::rng::Seed;
use crate::search::scsp::Filtering;

/// What to compare.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub limits: GroundingLimits,
    pub playouts: u64,
    pub engines: Vec<ComparedEngine>,
    /// Playouts must end within this many steps.
    pub horizon: usize,
    pub seed: u64,
    pub threads: usize,
}

/// What was compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgreementRow {
    pub game: String,
    pub engines: String,
    /// Playouts compared from their start to their end.
    pub playouts: u64,
    /// States on them, each with terminal, goals, legal actions and the state that followed.
    pub states: u64,
    /// Of all threads, the making of the networks included.
    pub cpu_seconds: f64,
    /// What the engines say differently in the first playout in which they do.
    pub difference: Option<String>,
}

/// Compares engines along random playouts; `report` gets how many are done. Once `stop` is set, no others are begun.
pub fn agree(
    path: &Path,
    comparison: &Comparison,
    stop: &AtomicBool,
    report: &mut dyn FnMut(u64),
) -> anyhow::Result<AgreementRow> {
    let clock = ProcessTime::now();
    let game = Game::load(path, &comparison.limits)?;
    let has = |engine| comparison.engines.contains(&engine);
    let networks =
        has(ComparedEngine::Constraints).then(|| Networks::new(&game.grounding, Filtering::SingletonArc)).transpose();
    let networks = networks.map_err(in_sheet(path))?;
    let sheet = has(ComparedEngine::Interpreter).then_some(&game.sheet);
    let (mut playouts, mut states, mut difference) = (0, 0, None);
    Workers { threads: comparison.threads, stop }.run_in_order(
        0..comparison.playouts,
        || Agreement::new(&game.grounding, &game.net, networks.clone(), sheet, comparison.horizon),
        |worker, index| match worker {
            Ok(worker) => worker.playout(&mut Seed::new(comparison.seed).child("play-out", index).rng()),
            Err(error) => Err(error.clone().into()),
        },
        |outcome| {
            match outcome {
                None => {}
                Some(Ok(on_it)) => {
                    playouts += 1;
                    states += on_it;
                    report(playouts);
                }
                Some(Err(Trouble::Sheet(error))) => return Err(in_sheet(path)(error)),
                Some(Err(Trouble::Differs(text))) => {
                    difference = Some(format!("playout {}: {text}", playouts + 1));
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok(AgreementRow {
        game: name_of(path),
        engines: comparison.engines.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(" "),
        playouts,
        states,
        cpu_seconds: round(clock.elapsed().as_secs_f64(), 1),
        difference,
    })
}
