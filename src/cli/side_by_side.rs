//! Runs stages of a pipeline at the same time on a fixed number of threads.
//!
//! Stages start in the file's order, each when the stages that it needs are done. A later stage uses the threads that earlier ones
//! leave free. A training has its own threads, and only one runs at a time, because each may use all the memory that it is
//! allowed. Answers are printed in the file's order.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::Global;
use super::progress::{Meter, StageMeter};
use mineflow_arena::{Permits, Turn};
use mineflow_document::numbers::humane;
use mineflow_pipeline::{Action, Forecasts, OutFolder, ReadyStage, StageState, Step, state};
use mineflow_stage::definition::{Context, Outcome};

/// The most stages that run at once; each has its own workers and memory.
const AT_ONCE: usize = 4;

/// How the stages ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) ran: u64,
    pub(super) up_to_date: u64,
    pub(super) is_interrupted: bool,
}

/// What is reported of a stage.
pub(super) enum Told<'a> {
    /// Whether it runs, and why.
    State(&'a Step, StageState),
    /// Its answer, and the paths of its folder before and after it was finished.
    Answer { text: String, moved: (String, String) },
    /// It was interrupted; what is kept, in words.
    Interrupted(String),
}

/// Everything that stages run with.
pub(super) struct Run<'a> {
    pub(super) stages: Vec<(&'a ReadyStage, Action)>,
    pub(super) steps: &'a [Step],
    pub(super) out: &'a OutFolder,
    pub(super) global: &'a Global,
    pub(super) stop: &'static AtomicBool,
}

/// What a stage's thread returns: its reports, and whether it ran to its end.
type Worked<'a> = anyhow::Result<(Vec<Told<'a>>, bool)>;

impl<'a> Run<'a> {
    /// Runs all stages and calls `tell` with the reports of each, in their order.
    ///
    /// # Errors
    /// The first error; the other stages then stop and keep their work.
    pub(super) fn run(&self, tell: &mut dyn FnMut(Told<'a>) -> anyhow::Result<()>) -> anyhow::Result<Ended> {
        let threads = self.global.threads();
        let permits = Arc::new(Permits::new(threads));
        let forecasts = Forecasts::read(self.out.path()).ok();
        let mut ended = Ended { ran: 0, up_to_date: 0, is_interrupted: false };
        let mut waiting: BTreeSet<usize> = (0..self.stages.len()).collect();
        let mut running = BTreeMap::new();
        let (mut told, mut next) = (BTreeMap::new(), 0);
        let mut failure = None;
        let meter = Meter::new(self.global);
        let (sender, finished) = mpsc::channel::<(usize, Worked<'a>)>();
        std::thread::scope(|scope| {
            loop {
                while failure.is_none() && !self.stop.load(Ordering::Relaxed) && running.len() < threads.min(AT_ONCE) {
                    let Some((at, reserved)) = self.next(&waiting, &running, threads) else { break };
                    waiting.remove(&at);
                    running.insert(at, Instant::now());
                    let (sender, turn) = (sender.clone(), Turn { permits: Arc::clone(&permits), place: at });
                    let meter = &meter;
                    scope.spawn(move || {
                        let worked = catch_unwind(AssertUnwindSafe(|| self.work(at, turn, reserved, meter)));
                        let panicked = || Err(anyhow::anyhow!("stage {} panicked", self.stages[at].0.step.name));
                        // A stage that panicked must not leave the others waiting.
                        let (worked, panic) =
                            worked.map_or_else(|panic| (panicked(), Some(panic)), |done| (done, None));
                        let _ = sender.send((at, worked));
                        if let Some(panic) = panic {
                            resume_unwind(panic);
                        }
                    });
                }
                if running.is_empty() {
                    break;
                }
                let (at, worked) = finished.recv().expect("stages run");
                let began = running.remove(&at).unwrap_or_else(Instant::now);
                match worked {
                    Ok((says, is_done)) => {
                        ended.is_interrupted |= !is_done;
                        let is_up_to_date = matches!(&says[..], [Told::State(_, StageState::UpToDate)]);
                        ended.up_to_date += u64::from(is_up_to_date);
                        if is_done && !is_up_to_date {
                            ended.ran += 1;
                            let left: Vec<usize> = waiting.iter().chain(running.keys()).copied().collect();
                            self.note_time(at, began.elapsed(), &left, forecasts.as_ref());
                        }
                        told.insert(at, says);
                    }
                    Err(why) => {
                        self.stop.store(true, Ordering::Relaxed);
                        failure.get_or_insert(why);
                    }
                }
                while let Some(says) = told.remove(&next) {
                    next += 1;
                    if let Err(why) = says.into_iter().try_for_each(&mut *tell) {
                        self.stop.store(true, Ordering::Relaxed);
                        failure.get_or_insert(why);
                    }
                }
            }
        });
        meter.finish();
        // If a stage was interrupted, later ones may have ended.
        for says in told.into_values() {
            says.into_iter().try_for_each(&mut *tell)?;
        }
        ended.is_interrupted |= !waiting.is_empty();
        failure.map_or(Ok(ended), Err)
    }

    /// The first stage that can start, and the threads to reserve for it. A training gets threads of its own: all of them if no other
    /// stage could use some.
    fn next(
        &self,
        waiting: &BTreeSet<usize>,
        running: &BTreeMap<usize, Instant>,
        threads: usize,
    ) -> Option<(usize, Option<usize>)> {
        let trains = |at: &usize| self.stages[*at].0.step.kind.trains();
        let has_training = running.keys().any(trains);
        let is_left =
            |name: &str| self.place(name).is_some_and(|at| waiting.contains(&at) || running.contains_key(&at));
        let is_ready = |at: &&usize| !(has_training && trains(at) || self.stages[**at].0.step.needs().any(is_left));
        let ready: Vec<usize> = waiting.iter().filter(is_ready).copied().collect();
        let &at = ready.first()?;
        let is_alone = running.is_empty() && ready.iter().all(|&other| other == at || trains(&other));
        Some((at, trains(&at).then_some(if is_alone { threads } else { threads.div_ceil(2) })))
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.stages.iter().position(|(stage, _)| stage.step.name == name)
    }

    /// Brings a stage up to date on this thread.
    fn work(&self, at: usize, turn: Turn, reserved: Option<usize>, meter: &Meter) -> Worked<'a> {
        let (stage, action) = self.stages[at];
        let is_over = || self.stop.load(Ordering::Relaxed);
        let state = state(self.out, &stage.step, action, &BTreeSet::new(), self.stop)?;
        let mut says = vec![Told::State(&stage.step, state.clone())];
        if state == StageState::UpToDate {
            return Ok((says, true));
        }
        let (number, of) = (at + 1, self.stages.len());
        let label = format!("stage {number} of {of}, {}", stage.step.name);
        self.global.note(&format!("note: {label}: {}", state.why()));
        let shown = meter.stage(&label);
        let run = |threads| -> anyhow::Result<(Outcome, (String, String))> {
            let begun = stage.begin(self.out, self.stop)?;
            let moved = (begun.work.display().to_string(), begun.finished.display().to_string());
            Ok((begun.run(&self.context(threads, &shown))?, moved))
        };
        let (outcome, moved) = match reserved {
            Some(threads) => {
                let permits = Arc::clone(&turn.permits);
                let Some(_permit) = permits.acquire(threads, turn.place, is_over) else { return Ok((says, false)) };
                run(threads)?
            }
            None => turn.within(|| run(self.global.threads()))?,
        };
        let is_done = match outcome {
            Outcome::Done(of) => {
                says.push(Told::Answer { text: if self.global.json { of.json()? } else { of.text() }, moved });
                true
            }
            Outcome::Interrupted(kept) => {
                says.push(Told::Interrupted(kept));
                false
            }
        };
        Ok((says, is_done))
    }

    fn context<'c>(&self, threads: usize, observer: &'c StageMeter<'c>) -> Context<'c> {
        Context { threads, ..self.global.context(None, self.stop, observer) }
    }

    /// Says how long a stage took, and what is left.
    fn note_time(&self, at: usize, took: Duration, left: &[usize], forecasts: Option<&Forecasts>) {
        let (number, of, name) = (at + 1, self.stages.len(), &self.stages[at].0.step.name);
        let expected = |at: &usize| Some(forecasts?.of(&self.stages[*at].0.step, self.steps)?.expected.cpu_seconds);
        let seconds: Option<f64> = left.iter().map(expected).sum();
        let left = match (left.len(), seconds) {
            (0, _) => String::new(),
            (count, None) => format!("; {count} left"),
            (count, Some(seconds)) => {
                let seconds = seconds / self.global.threads() as f64;
                format!("; {count} left, some {}", humane(Duration::from_secs_f64(seconds)))
            }
        };
        self.global.note(&format!("note: stage {number} of {of}, {name}, took {}{left}", humane(took)));
    }
}
