//! Whether a stage has to run, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::bail;

use super::{Action, InputSource, OutFolder, StageRecord, Step};

/// Whether a stage has to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageState {
    UpToDate,
    /// It has to, for these reasons.
    Stale(Vec<String>),
    /// It has to if what these stages will make is not what they made before.
    Waits(Vec<String>),
}

impl StageState {
    /// The word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UpToDate => "up to date",
            Self::Stale(_) => "stale",
            Self::Waits(_) => "waits",
        }
    }

    /// Why it is so; empty if there is nothing to say.
    pub fn why(&self) -> String {
        match self {
            Self::UpToDate => String::new(),
            Self::Stale(reasons) => reasons.join("; "),
            Self::Waits(stages) => format!("runs if {} will have changed", stages.join(" or ")),
        }
    }
}

/// What a stage would be made from if it ran now.
///
/// # Errors
/// If an input isn't there.
pub fn wanted(out: &OutFolder, step: &Step, stop: &AtomicBool) -> anyhow::Result<StageRecord> {
    let mut inputs = BTreeMap::new();
    for input in &step.inputs {
        let Some(hash) = out.hash(input, stop)? else {
            match &input.from {
                InputSource::Stage { name, .. } => {
                    bail!(
                        "stage {} needs what stage {name} makes, and that is not there; run {name} first",
                        step.name
                    )
                }
                InputSource::Path(path) => bail!("{}", missing(step, path)),
            }
        };
        inputs.insert(input.role.clone(), hash);
    }
    Ok(StageRecord::of(step, inputs))
}

fn missing(step: &Step, path: &Path) -> String {
    format!(
        "{}: stage {} needs {}, and that is not there",
        step.at,
        step.name,
        path.display()
    )
}

/// The state of a stage of which this is wished; the stages in `to_run` will run before it.
///
/// # Errors
/// An input that is neither there nor will be, and a folder that can't be read.
pub fn state(
    out: &OutFolder,
    step: &Step,
    action: Action,
    to_run: &BTreeSet<&str>,
    stop: &AtomicBool,
) -> anyhow::Result<StageState> {
    // Before any other stage runs, also where this one waits for them.
    for input in &step.inputs {
        if let InputSource::Path(path) = &input.from
            && !path.exists()
        {
            bail!("{}", missing(step, path));
        }
    }
    let folder = out.stage(&step.name);
    let waits: Vec<_> = step
        .needs()
        .filter(|name| to_run.contains(name))
        .map(str::to_owned)
        .collect();
    let record = folder.record()?;
    let wanted = if waits.is_empty() {
        Some(wanted(out, step, stop)?)
    } else {
        None
    };
    let begun = wanted
        .as_ref()
        .is_some_and(|wanted| folder.unfinished(wanted).exists());
    let Some(record) = record else {
        let reason = if begun {
            "never finished; it goes on where it stopped"
        } else {
            "never ran"
        };
        return Ok(StageState::Stale(vec![reason.to_owned()]));
    };
    // What is to come counts as unchanged; whether it is will be seen.
    let assumed = wanted.unwrap_or_else(|| StageRecord::of(step, record.inputs.clone()));
    let mut reasons = record.differences(&assumed, step);
    reasons.extend(record.damage(&folder.finished(), &step.name, stop)?);
    if action == Action::Force {
        reasons.push("forced".to_owned());
    }
    match reasons.is_empty() {
        true if waits.is_empty() => return Ok(StageState::UpToDate),
        true => return Ok(StageState::Waits(waits)),
        false if begun => reasons.push("it goes on where it stopped".to_owned()),
        false if step.task.grows && record.grows_into(&assumed) => {
            reasons.push("the games there are kept".to_owned())
        }
        false => {}
    }
    Ok(StageState::Stale(reasons))
}

/// The states of all stages, in order, if `actions` came true now.
pub fn predict_states(
    out: &OutFolder,
    steps: &[Step],
    actions: &[Action],
    stop: &AtomicBool,
) -> anyhow::Result<Vec<StageState>> {
    let mut to_run = BTreeSet::new();
    let mut states = Vec::with_capacity(steps.len());
    for (step, &action) in steps.iter().zip(actions) {
        let state = match state(out, step, action, &to_run, stop) {
            Err(error) if action == Action::Leave => StageState::Stale(vec![error.to_string()]),
            state => state?,
        };
        if action != Action::Leave && state != StageState::UpToDate {
            to_run.insert(step.name.as_str());
        }
        states.push(state);
    }
    Ok(states)
}
