//! Whether a stage must run, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::bail;

use super::{Action, InputSource, OutFolder, StageRecord, Step};

/// Whether a stage is up to date, must run, or waits for other stages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageState {
    UpToDate,
    /// The stage must run, for these reasons.
    Stale(Vec<String>),
    /// The stage must run if the output of these stages changes.
    Waits(Vec<String>),
}

impl StageState {
    /// Returns the name of the state.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::UpToDate => "up to date",
            Self::Stale(_) => "stale",
            Self::Waits(_) => "waits",
        }
    }

    /// Returns the reasons in words, or an empty text if there are none.
    pub fn why(&self) -> String {
        match self {
            Self::UpToDate => String::new(),
            Self::Stale(reasons) => reasons.join("; "),
            Self::Waits(stages) => format!("runs if {} will have changed", stages.join(" or ")),
        }
    }
}

/// Returns the record that a stage would have if the stage ran now.
///
/// # Errors
/// Returns an error if an input doesn't exist.
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
    let path = path.display().to_string();
    let several = if path.contains(',') {
        r#"; several paths are a list: ["./a", "./b"]"#
    } else {
        ""
    };
    format!(
        "{}: stage {} needs {path}, and that is not there{several}",
        step.at, step.name
    )
}

/// Returns the state of a stage for which `action` is planned, and the record that it would have if
/// it ran now, or `None` if it reads one of the stages in `to_run`, which will run before it.
///
/// # Errors
/// Returns an error if an input doesn't exist and won't be made, or a folder can't be read.
pub fn state(
    out: &OutFolder,
    step: &Step,
    action: Action,
    to_run: &BTreeSet<&str>,
    stop: &AtomicBool,
) -> anyhow::Result<(StageState, Option<StageRecord>)> {
    // Check this before any stage runs, even if this stage waits for another.
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
        return Ok((StageState::Stale(vec![reason.to_owned()]), wanted));
    };
    // If the stage waits for another stage, all of its inputs count as unchanged here. Their hashes
    // are compared when the stage is about to run.
    let assumed = wanted
        .clone()
        .unwrap_or_else(|| StageRecord::of(step, record.inputs.clone()));
    let mut reasons = record.differences(&assumed, step);
    reasons.extend(record.damage(&folder.finished(), &step.name, stop)?);
    if action == Action::Force {
        reasons.push("forced".to_owned());
    }
    let state = if !reasons.is_empty() {
        if begun {
            reasons.push("it goes on where it stopped".to_owned());
        } else if step.task.grows && record.grows_into(&assumed) {
            reasons.push("the games there are kept".to_owned());
        }
        StageState::Stale(reasons)
    } else if waits.is_empty() {
        StageState::UpToDate
    } else {
        StageState::Waits(waits)
    };
    Ok((state, wanted))
}

/// Returns the states of all stages, in order, if `actions` are carried out now.
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
            state => state?.0,
        };
        if action != Action::Leave && state != StageState::UpToDate {
            to_run.insert(step.name.as_str());
        }
        states.push(state);
    }
    Ok(states)
}
