//! Dependencies of stages, and the selection of stages to run.

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::{Stage, did_you_mean};

/// Sorts stages topologically: every stage follows those that it reads. Otherwise the order of the
/// file is kept.
///
/// # Errors
/// Returns an error if stages depend on each other in a cycle.
pub fn order(stages: Vec<Stage>) -> Result<Vec<Stage>> {
    let mut ordered: Vec<Stage> = Vec::with_capacity(stages.len());
    let mut left = stages;
    while !left.is_empty() {
        let ready = |stage: &Stage| {
            stage
                .needs()
                .all(|name| ordered.iter().any(|done| done.name == name))
        };
        let Some(next) = left.iter().position(ready) else {
            bail!("{}", cycle(&left));
        };
        ordered.push(left.remove(next));
    }
    Ok(ordered)
}

/// Describes a cycle among stages.
fn cycle(left: &[Stage]) -> String {
    let of = |name: &str| left.iter().find(|stage| stage.name == name);
    let mut path = vec![&left[0]];
    loop {
        let next = path[path.len() - 1]
            .needs()
            .find_map(of)
            .expect("what is not ready needs one that is not either");
        if let Some(start) = path.iter().position(|stage| stage.name == next.name) {
            let names: Vec<_> = path[start..]
                .iter()
                .map(|stage| stage.name.as_str())
                .collect();
            let at = &path[start].at;
            return format!(
                "{at}: the stages need each other in a circle: {} needs {}",
                names.join(" needs "),
                names[0]
            );
        }
        path.push(next);
    }
}

/// The stages of a pipeline to run.
#[derive(Args)]
pub struct Selection {
    /// Bring these stages and their dependencies up to date [default: all]; the name of a matrix or
    /// a repeat means all of its stages
    pub stages: Vec<String>,
    /// Start with this stage; earlier stages are used as they are
    #[arg(long, value_name = "STAGE")]
    pub from: Option<String>,
    /// End with this stage
    #[arg(long, value_name = "STAGE")]
    pub until: Option<String>,
    /// Run the named stages, or all of them, even if they are up to date
    #[arg(long)]
    pub force: bool,
}

/// What `pipeline run` does with a stage.
#[derive(Clone, Copy, PartialEq)]
pub enum Action {
    /// Leave the stage as it is.
    Leave,
    /// Run the stage if it is outdated.
    Refresh,
    /// Run the stage in any case.
    Force,
}

impl Selection {
    /// Returns the action for each of `stages`, which must be in the order of [`order`].
    ///
    /// # Errors
    /// Returns an error if no stage has a given name, or `from` comes after `until`.
    pub fn of(&self, stages: &[Stage]) -> Result<Vec<Action>> {
        let names = || stages.iter().map(|stage| stage.name.as_str());
        let meant = |name: &String| {
            let meant = (0..stages.len()).filter(|&at| stages[at].is_meant(name));
            let meant: Vec<_> = meant.collect();
            if meant.is_empty() {
                bail!("there is no stage `{name}`{}", did_you_mean(name, names()));
            }
            Ok(meant)
        };
        let from = self.from.as_ref().map_or(Ok(vec![0]), meant)?;
        let until = self.until.as_ref().map(meant).transpose()?;
        let first = from[0];
        let last = until.map_or(stages.len() - 1, |until| until[until.len() - 1]);
        ensure!(
            first <= last,
            "--from {} comes after --until {}",
            stages[first].name,
            stages[last].name
        );
        let mut wanted = self
            .stages
            .iter()
            .map(meant)
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect::<BTreeSet<_>>();
        if wanted.is_empty() {
            wanted.extend(0..stages.len());
        }
        for at in (0..stages.len()).rev() {
            if wanted.contains(&at) {
                wanted.extend(
                    stages[at]
                        .needs()
                        .filter_map(|name| names().position(|known| known == name)),
                );
            }
        }
        let is_named = |at: usize| {
            let mut names = self.stages.iter();
            self.stages.is_empty() || names.any(|name| stages[at].is_meant(name))
        };
        let action = |at: usize| match wanted.contains(&at) && (first..=last).contains(&at) {
            true if self.force && is_named(at) => Action::Force,
            true => Action::Refresh,
            false => Action::Leave,
        };
        Ok((0..stages.len()).map(action).collect())
    }
}
