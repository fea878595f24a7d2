//! Dependencies of stages, and the selection of stages to run.

use std::collections::BTreeSet;

use anyhow::{bail, ensure};

use super::{Step, did_you_mean};

/// Sorts stages topologically: every stage follows those that it reads. Otherwise the order of the file is kept.
///
/// # Errors
/// Returns an error if stages depend on each other in a cycle.
pub fn order(steps: Vec<Step>) -> anyhow::Result<Vec<Step>> {
    let mut ordered: Vec<Step> = Vec::with_capacity(steps.len());
    let mut left = steps;
    while !left.is_empty() {
        let ready = |step: &Step| {
            step.needs()
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
fn cycle(left: &[Step]) -> String {
    let of = |name: &str| left.iter().find(|step| step.name == name);
    let mut path = vec![&left[0]];
    loop {
        let next = path[path.len() - 1]
            .needs()
            .find_map(of)
            .expect("what is not ready needs one that is not either");
        if let Some(start) = path.iter().position(|step| step.name == next.name) {
            let names: Vec<_> = path[start..]
                .iter()
                .map(|step| step.name.as_str())
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
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// These stages and their dependencies run; all stages run if the list is empty.
    pub stages: Vec<String>,
    /// Stages before this one are skipped.
    pub from: Option<String>,
    /// Stages after this one are skipped.
    pub until: Option<String>,
    /// Whether the named stages, or all stages, run even if they are up to date.
    pub force: bool,
}

/// What `pipeline run` does with a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Leave the stage as it is.
    Leave,
    /// Run the stage if it is outdated.
    Refresh,
    /// Run the stage in any case.
    Force,
}

impl Selection {
    /// Returns the action for each of `steps`, which must be in the order of [`order`].
    ///
    /// # Errors
    /// Returns an error if no stage has a given name, or `from` comes after `until`.
    pub fn of(&self, steps: &[Step]) -> anyhow::Result<Vec<Action>> {
        let names = || steps.iter().map(|step| step.name.as_str());
        let index = |name: &String| match names().position(|known| known == name) {
            Some(index) => Ok(index),
            None => bail!("there is no stage `{name}`{}", did_you_mean(name, names())),
        };
        let first = self.from.as_ref().map_or(Ok(0), index)?;
        let last = self.until.as_ref().map_or(Ok(steps.len() - 1), index)?;
        ensure!(
            first <= last,
            "--from {} comes after --until {}",
            steps[first].name,
            steps[last].name
        );
        let mut wanted = self
            .stages
            .iter()
            .map(index)
            .collect::<anyhow::Result<BTreeSet<_>>>()?;
        if wanted.is_empty() {
            wanted.extend(0..steps.len());
        }
        for at in (0..steps.len()).rev() {
            if wanted.contains(&at) {
                wanted.extend(
                    steps[at]
                        .needs()
                        .filter_map(|name| names().position(|known| known == name)),
                );
            }
        }
        let is_named = |at: usize| self.stages.is_empty() || self.stages.contains(&steps[at].name);
        let action = |at: usize| match wanted.contains(&at) && (first..=last).contains(&at) {
            true if self.force && is_named(at) => Action::Force,
            true => Action::Refresh,
            false => Action::Leave,
        };
        Ok((0..steps.len()).map(action).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Input, InputSource};
    use super::*;
    use mineflow_tasks::table::{Reads, task};

    fn step(name: &str, needs: &[&str]) -> Step {
        let task = task("eval").unwrap();
        let from = |name: &&str| InputSource::Stage {
            name: (*name).to_owned(),
            task,
        };
        let input = |name: &&str| Input {
            role: (*name).to_owned(),
            from: from(name),
            reads: Reads::Output,
        };
        Step {
            name: name.to_owned(),
            task,
            at: format!("p.toml:{name}"),
            settings: serde_json::Map::new(),
            inputs: needs.iter().map(input).collect(),
        }
    }

    fn names(steps: &[Step]) -> String {
        steps
            .iter()
            .map(|step| step.name.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn inputs_come_first_and_else_the_file_decides() {
        let steps = vec![
            step("play", &["trees", "net"]),
            step("net", &[]),
            step("trees", &["rows"]),
            step("rows", &[]),
        ];
        assert_eq!(names(&order(steps).unwrap()), "net rows trees play");
    }

    #[test]
    fn a_circle_is_shown() {
        let steps = vec![
            step("z", &["a"]),
            step("a", &["b"]),
            step("b", &["a"]),
            step("free", &[]),
        ];
        let refused = order(steps).unwrap_err().to_string();
        assert_eq!(
            refused,
            "p.toml:a: the stages need each other in a circle: a needs b needs a"
        );
        let own = order(vec![step("a", &["a"])]).unwrap_err().to_string();
        assert!(own.ends_with("a needs a"), "{own}");
    }

    #[test]
    fn named_stages_come_with_what_they_need_and_are_alone_forced() {
        let steps = vec![
            step("rows", &[]),
            step("trees", &["rows"]),
            step("net", &[]),
            step("play", &["trees", "net"]),
        ];
        let selected = |stages: &[&str], from: Option<&str>, until: Option<&str>| {
            let text = |name: &str| name.to_owned();
            let stages = stages.iter().map(|name| text(name)).collect();
            let selection = Selection {
                stages,
                from: from.map(text),
                until: until.map(text),
                force: true,
            };
            let selected = steps
                .iter()
                .zip(selection.of(&steps)?)
                .filter_map(|(step, action)| match action {
                    Action::Leave => None,
                    Action::Refresh => Some(step.name.clone()),
                    Action::Force => Some(step.name.to_uppercase()),
                });
            anyhow::Ok(selected.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(selected(&[], None, None).unwrap(), "ROWS TREES NET PLAY");
        assert_eq!(selected(&["trees"], None, None).unwrap(), "rows TREES");
        assert_eq!(selected(&[], Some("net"), None).unwrap(), "NET PLAY");
        assert_eq!(selected(&[], None, Some("trees")).unwrap(), "ROWS TREES");
        assert_eq!(
            selected(&["play"], Some("trees"), Some("net")).unwrap(),
            "trees net"
        );
        let unknown = selected(&["tree"], None, None).unwrap_err().to_string();
        assert_eq!(unknown, "there is no stage `tree`; did you mean `trees`?");
        assert!(selected(&[], Some("play"), Some("rows")).is_err());
    }
}
