//! Whether a stage must run, and why.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::atomic::AtomicBool,
};

use anyhow::{Result, bail};

use super::{Action, InputSource, Stage, StageRecord};

/// Whether a stage is up to date, must run, or waits for other stages.
#[derive(PartialEq)]
pub enum StageState {
    UpToDate,
    /// The stage must run, for this reason.
    Stale(String),
    /// The stage must run if the output of other stages changes, as the text says.
    Waits(String),
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

    /// Returns the reason in words, or an empty text if there is none.
    pub fn why(&self) -> &str {
        match self {
            Self::UpToDate => "",
            Self::Stale(why) | Self::Waits(why) => why,
        }
    }
}

impl Stage {
    /// Returns the record that the stage would have if it ran now.
    ///
    /// # Errors
    /// Returns an error if an input doesn't exist.
    pub fn wanted(&self, stop: &AtomicBool) -> Result<StageRecord> {
        let mut inputs = BTreeMap::new();
        for input in &self.inputs {
            let Some(hash) = input.hash(stop)? else {
                match &input.from {
                    InputSource::Stage { name, .. } => bail!(
                        "stage {} needs what stage {name} makes, and that is not there; run {name} first",
                        self.name
                    ),
                    InputSource::Path(path) => bail!("{}", self.missing(path)),
                }
            };
            inputs.insert(input.role.clone(), hash);
        }
        Ok(StageRecord::of(self, inputs))
    }

    /// Checks that the files that the stage reads exist. This is done before any stage runs, even
    /// if this stage waits for another.
    fn ensure_paths_exist(&self) -> Result<()> {
        for input in &self.inputs {
            match &input.from {
                InputSource::Path(path) if !path.exists() => bail!("{}", self.missing(path)),
                _ => {}
            }
        }
        Ok(())
    }

    fn missing(&self, path: &Path) -> String {
        let path = path.display().to_string();
        let several = if path.contains(',') {
            r#"; several paths are a list: ["./a", "./b"]"#
        } else {
            ""
        };
        format!(
            "{}: stage {} needs {path}, and that is not there{several}",
            self.at, self.name
        )
    }

    /// Returns the state of the stage if `action` is planned, and the record that it would have if
    /// it ran now, or `None` if it reads one of the stages in `to_run`, which will run before it.
    ///
    /// # Errors
    /// Returns an error if an input doesn't exist and won't be made, or a folder can't be read.
    pub fn state(
        &self,
        action: Action,
        to_run: &BTreeSet<&str>,
        stop: &AtomicBool,
    ) -> Result<(StageState, Option<StageRecord>)> {
        self.ensure_paths_exist()?;
        let waits: Vec<_> = self.needs().filter(|name| to_run.contains(name)).collect();
        let record = self.record()?;
        let wanted = if waits.is_empty() {
            Some(self.wanted(stop)?)
        } else {
            None
        };
        let is_begun = |wanted| self.unfinished(wanted).exists();
        let begun = wanted.as_ref().is_some_and(is_begun);
        let Some(record) = record else {
            let reason = if begun {
                "never finished; it goes on where it stopped"
            } else {
                "never ran"
            };
            return Ok((StageState::Stale(reason.to_owned()), wanted));
        };
        // If the stage waits for another stage, all of its inputs count as unchanged here. Their
        // hashes are compared when the stage is about to run.
        let assumed = wanted
            .clone()
            .unwrap_or_else(|| StageRecord::of(self, record.inputs.clone()));
        let mut reasons = record.differences(&assumed, &self.inputs);
        reasons.extend(record.damage(&self.finished(), &self.name, stop)?);
        if action == Action::Force {
            reasons.push("forced".to_owned());
        }
        let state = if reasons.is_empty() {
            if waits.is_empty() {
                StageState::UpToDate
            } else {
                StageState::Waits(format!("runs if {} will have changed", waits.join(" or ")))
            }
        } else {
            if begun {
                reasons.push("it goes on where it stopped".to_owned());
            } else if self.task.grows && record.grows_into(&assumed) {
                reasons.push("the games there are kept".to_owned());
            }
            StageState::Stale(reasons.join("; "))
        };
        Ok((state, wanted))
    }
}

/// Returns the states of all stages, in order, if `actions` are carried out now.
pub fn predict_states(
    stages: &[Stage],
    actions: &[Action],
    stop: &AtomicBool,
) -> Result<Vec<StageState>> {
    let mut to_run = BTreeSet::new();
    let mut states = Vec::with_capacity(stages.len());
    for (stage, &action) in stages.iter().zip(actions) {
        let state = match stage.state(action, &to_run, stop) {
            Err(error) if action == Action::Leave => StageState::Stale(error.to_string()),
            state => state?.0,
        };
        if action != Action::Leave && state != StageState::UpToDate {
            to_run.insert(stage.name.as_str());
        }
        states.push(state);
    }
    Ok(states)
}
