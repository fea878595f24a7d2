//! Random play-outs by several engines at once: do they agree?

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use cpu_time::ProcessTime;
use serde::Serialize;

use super::ggp::{Game, in_sheet, name_of};
use super::series::round;
use crate::gdl::GroundingLimits;
use crate::gdl::agreement::{Agreement, ComparedEngine, Networks, Trouble};
use crate::rng::Seed;
use crate::search::scsp::Filtering;

/// What to compare.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub limits: GroundingLimits,
    pub play_outs: u64,
    pub engines: Vec<ComparedEngine>,
    /// Play-outs must end within so many steps.
    pub horizon: usize,
    pub seed: u64,
    pub threads: usize,
}

/// What was compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgreementRow {
    pub game: String,
    pub engines: String,
    /// Play-outs compared from their start to their end.
    pub play_outs: u64,
    /// States on them, each with terminal, goals, legal actions and the state that followed.
    pub states: u64,
    /// Of all threads, the making of the networks included.
    pub cpu_seconds: f64,
    /// What the engines say differently in the first play-out in which they do.
    pub difference: Option<String>,
}

/// Compares engines along random play-outs; `told` hears how many are done. Once `stop` is set, no others are begun.
pub fn agree(
    path: &Path,
    comparison: &Comparison,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> anyhow::Result<AgreementRow> {
    let clock = ProcessTime::now();
    let game = Game::load(path, &comparison.limits)?;
    let has = |engine| comparison.engines.contains(&engine);
    let networks =
        has(ComparedEngine::Constraints).then(|| Networks::new(&game.grounding, Filtering::SingletonArc)).transpose();
    let networks = networks.map_err(in_sheet(path))?;
    let sheet = has(ComparedEngine::Interpreter).then_some(&game.sheet);
    let mut workers = Vec::new();
    for _ in 0..comparison.threads {
        let networks = networks.clone();
        let worker = Agreement::new(&game.grounding, &game.net, networks, sheet, comparison.horizon);
        workers.push(worker.map_err(in_sheet(path))?);
    }
    // Play-outs after the first in which something is wrong need not be played.
    let first_wrong = AtomicU64::new(u64::MAX);
    let (send, receive) = mpsc::channel();
    let (mut play_outs, mut states) = (0, 0);
    let mut troubles = Vec::new();
    std::thread::scope(|scope| {
        for (number, mut worker) in workers.into_iter().enumerate() {
            let (send, first_wrong) = (send.clone(), &first_wrong);
            scope.spawn(move || {
                for index in (number as u64..comparison.play_outs).step_by(comparison.threads) {
                    if stop.load(Ordering::Relaxed) || index > first_wrong.load(Ordering::Relaxed) {
                        return;
                    }
                    let mut rng = Seed::new(comparison.seed).child("play-out", index).rng();
                    let outcome = worker.play_out(&mut rng);
                    if outcome.is_err() {
                        first_wrong.fetch_min(index, Ordering::Relaxed);
                    }
                    // Who listens does so until all have ended.
                    let _ = send.send((index, outcome));
                }
            });
        }
        drop(send);
        for (index, outcome) in receive {
            match outcome {
                Ok(on_it) => {
                    play_outs += 1;
                    states += on_it;
                    told(play_outs);
                }
                Err(trouble) => troubles.push((index, trouble)),
            }
        }
    });
    let difference = match troubles.into_iter().min_by_key(|(index, _)| *index) {
        None => None,
        Some((index, Trouble::Differs(difference))) => Some(format!("play-out {}: {difference}", index + 1)),
        Some((_, Trouble::Sheet(error))) => return Err(in_sheet(path)(error)),
    };
    Ok(AgreementRow {
        game: name_of(path),
        engines: comparison.engines.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(" "),
        play_outs,
        states,
        cpu_seconds: round(clock.elapsed().as_secs_f64(), 1),
        difference,
    })
}
