//! Compares several engines along random playouts.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use cpu_time::ProcessTime;
use serde::Serialize;

use super::ggp::name_of;
use super::ggp_fault::fault_of;
use super::ggp_game::{Compiled, Engines, Game, TooLarge};
use mineflow_arena::Workers;
use mineflow_arena::numbers::round;
use mineflow_gdl::agreement::{Agreement, Networks, Trouble};
use mineflow_gdl::engine::play_out;
use mineflow_gdl::{GroundingLimits, PlayError, SheetError};
use mineflow_rng::{Rng, Seed};
use mineflow_search::scsp::Filtering;

/// The settings of a comparison between engines.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub limits: GroundingLimits,
    pub too_large: TooLarge,
    pub playouts: u64,
    /// Maximum length of a playout, in steps.
    pub horizon: usize,
    pub seed: u64,
    pub threads: usize,
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgreementRow {
    pub game: String,
    /// The engines compared with the propositional network; empty if only the interpreter played.
    pub engines: String,
    /// Number of playouts compared from start to end.
    pub playouts: u64,
    /// Number of states on these playouts. In each state, the engines were compared in terminal status, goals, legal actions and successor.
    pub states: u64,
    /// CPU seconds of all threads, including building the networks.
    pub cpu_seconds: f64,
    /// The first difference between the engines, if there is one.
    pub difference: Option<String>,
    /// Ignored parts of the sheet, and engines that are left out, with the reason.
    pub notes: Vec<String>,
}

/// Compares engines along random playouts and returns the result. `report` receives the number of playouts done. No playout starts after
/// `stop` is set.
///
/// If only the interpreter can play a game, there is no comparison: the only check is that every playout ends with one goal for each
/// player.
pub fn agree(
    path: &Path,
    comparison: &Comparison,
    stop: &AtomicBool,
    report: &mut dyn FnMut(u64),
) -> anyhow::Result<AgreementRow> {
    let clock = ProcessTime::now();
    let game = Game::load(path, &comparison.limits, comparison.too_large)?;
    let mut row = AgreementRow {
        game: name_of(path),
        engines: String::new(),
        playouts: 0,
        states: 0,
        cpu_seconds: 0.0,
        difference: None,
        notes: game.notes(),
    };
    let task = Task {
        path,
        game: &game,
        comparison,
        stop,
    };
    match game.compiled() {
        Ok(compiled) => task.compare(compiled, &mut row, report)?,
        Err(_) => task.play_by_rules(&mut row, report)?,
    }
    row.cpu_seconds = round(clock.elapsed().as_secs_f64(), 1);
    Ok(row)
}

/// A game with its comparison.
struct Task<'a> {
    path: &'a Path,
    game: &'a Game,
    comparison: &'a Comparison,
    stop: &'a AtomicBool,
}

impl Task<'_> {
    fn compare(
        &self,
        Compiled { grounding, net }: &Compiled,
        row: &mut AgreementRow,
        report: &mut dyn FnMut(u64),
    ) -> anyhow::Result<()> {
        let Self {
            path,
            game,
            comparison,
            stop,
        } = *self;
        let networks = Networks::new(grounding, Filtering::SingletonArc)
            .map_err(|error| row.notes.push(format!("no constraint networks: {error}")))
            .ok();
        row.engines = if networks.is_some() {
            "constraints interpreter"
        } else {
            "interpreter"
        }
        .to_owned();
        Workers {
            threads: comparison.threads,
            stop,
        }
        .run_in_order(
            0..comparison.playouts,
            || {
                Agreement::new(
                    grounding,
                    net,
                    networks.clone(),
                    Some(&game.sheet),
                    comparison.horizon,
                )
            },
            |worker, index| match worker {
                Ok(worker) => worker.playout(&mut rng_of(comparison, index)),
                Err(error) => Err(error.clone().into()),
            },
            |outcome| {
                match outcome {
                    None => {}
                    Some(Ok(on_it)) => {
                        row.playouts += 1;
                        row.states += on_it;
                        report(row.playouts);
                    }
                    Some(Err(Trouble::Sheet(error))) => return Err(fault_of(path)(error)),
                    Some(Err(Trouble::Differs(text))) => {
                        row.difference = Some(format!("playout {}: {text}", row.playouts + 1));
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(())
    }

    /// Checks playouts of the interpreter alone.
    fn play_by_rules(
        &self,
        row: &mut AgreementRow,
        report: &mut dyn FnMut(u64),
    ) -> anyhow::Result<()> {
        let Self {
            path,
            game,
            comparison,
            stop,
        } = *self;
        let horizon = comparison.horizon;
        let play = |engines: &Engines<'_>, index| -> Result<u64, SheetError> {
            let name = |role| engines.role_name(role);
            let played = play_out(
                &mut *engines.engine(),
                engines.chance(),
                horizon,
                &name,
                &mut rng_of(comparison, index),
            )?;
            if played.terminal {
                Ok(played.steps as u64 + 1)
            } else {
                Err(PlayError::Endless { steps: horizon }.into())
            }
        };
        Workers {
            threads: comparison.threads,
            stop,
        }
        .run_in_order(
            0..comparison.playouts,
            || game.engines(),
            |engines, index| match engines {
                Ok(engines) => play(engines, index).map_err(fault_of(path)),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            },
            |outcome| {
                if let Some(states) = outcome {
                    row.playouts += 1;
                    row.states += states?;
                    report(row.playouts);
                }
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(())
    }
}

fn rng_of(comparison: &Comparison, playout: u64) -> Rng {
    Seed::new(comparison.seed).child("play-out", playout).rng()
}
