//! What stages will take, estimated from tries of them with less to do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Source, Step};
use mineflow_stage::kind::Effort;
use mineflow_store::{Program, StoreError, pretty, read_record, sha256, write_record};

const FORMAT: u64 = 1;
/// The file in the folder of a pipeline's run that keeps forecasts.
const FILE: &str = "cost.json";

/// What the time of a stage grows with.
#[derive(Clone, PartialEq, Debug)]
pub enum Work {
    /// With a setting: its name, its value, and the least that a try makes sense with.
    Setting { name: &'static str, full: u64, least: u64 },
    /// With the rows of this stage.
    RowsOf(String),
    /// With nothing that a try could have less of.
    Fixed,
}

/// A try of a stage, or what is expected of it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Try {
    /// How much there was to do, in units of the stage.
    pub work: f64,
    pub cpu_seconds: f64,
    /// In bytes.
    pub memory: f64,
    /// Of the files in the stage's folder, in bytes.
    pub disk: f64,
}

/// What is expected of a stage, and the tries that say so.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    pub stage: String,
    pub expected: Try,
    pub tries: Vec<Try>,
}

/// The forecasts of a pipeline, by what each stage is made from, so that a change of settings asks for new tries.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecasts {
    format: u64,
    by_key: BTreeMap<String, Forecast>,
}

impl Work {
    /// What the time of this stage grows with.
    pub fn of(step: &Step) -> Self {
        if let Some(Effort { setting, full, least }) = step.effort {
            return Self::Setting { name: setting, full, least };
        }
        let rows = step.inputs.iter().find_map(|input| match &input.from {
            Source::Stage { name, .. } if input.role == "data" => Some(Self::RowsOf(name.clone())),
            _ => None,
        });
        rows.unwrap_or(Self::Fixed)
    }
}

impl Try {
    /// What so much work would take, on the line through the last two tries; never more than in proportion to the last one, which is
    /// what the time of starting can't exceed. One try alone counts in proportion.
    pub fn expect(tries: &[Self], work: f64) -> Option<Self> {
        let last = *tries.last()?;
        let first = tries.len().checked_sub(2).map(|at| tries[at]).filter(|first| first.work < last.work);
        let at = |value: fn(&Self) -> f64| {
            let in_proportion = value(&last) * work / last.work;
            let Some(first) = first else { return in_proportion };
            let slope = ((value(&last) - value(&first)) / (last.work - first.work)).max(0.0);
            (value(&last) + slope * (work - last.work)).min(in_proportion)
        };
        Some(Self {
            work,
            cpu_seconds: at(|t| t.cpu_seconds),
            memory: at(|t| t.memory).max(last.memory),
            disk: at(|t| t.disk),
        })
    }
}

impl Forecasts {
    /// Those kept in the folder of a run.
    pub fn read(out: &Path) -> Result<Self, StoreError> {
        let known = read_record(&file(out), FORMAT)?;
        Ok(known.unwrap_or(Self { format: FORMAT, by_key: BTreeMap::new() }))
    }

    /// Keeps them in the folder of a run.
    pub fn write(&self, out: &Path) -> Result<(), StoreError> {
        write_record(&file(out), self)
    }

    /// That of a stage, if it was tried with these settings.
    pub fn of(&self, step: &Step, all: &[Step]) -> Option<&Forecast> {
        self.by_key.get(&key(step, all))
    }

    /// Notes that of a stage.
    pub fn put(&mut self, step: &Step, all: &[Step], forecast: Forecast) {
        self.by_key.insert(key(step, all), forecast);
    }
}

fn file(out: &Path) -> PathBuf {
    out.join(FILE)
}

/// What a stage is made from, and the stages before it, as the digits of a hash.
fn key(step: &Step, all: &[Step]) -> String {
    let inputs: Vec<String> = step
        .inputs
        .iter()
        .map(|input| match &input.from {
            Source::Stage { name, .. } => {
                all.iter().find(|step| step.name == *name).map_or_else(String::new, |step| key(step, all))
            }
            Source::Path(path) => path.display().to_string(),
        })
        .collect();
    let (command, revision) = (step.kind.command, step.kind.revision);
    let made_from = json!([Program::VERSION, command, revision, step.settings, inputs]);
    sha256(&pretty(&made_from))[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries(points: &[(f64, f64)]) -> Vec<Try> {
        points.iter().map(|&(work, cpu_seconds)| Try { work, cpu_seconds, memory: 100.0, disk: work }).collect()
    }

    #[test]
    fn a_forecast_lies_on_the_line_of_the_last_two_tries_and_not_above_proportion() {
        let expected = |points: &[(f64, f64)], work| Try::expect(&tries(points), work).unwrap().cpu_seconds;
        // A second to start, and a tenth for each piece.
        assert_eq!(expected(&[(10.0, 2.0), (20.0, 3.0)], 1000.0), 101.0);
        assert_eq!(expected(&[(1.0, 9.0), (10.0, 2.0), (20.0, 3.0)], 20.0), 3.0);
        assert_eq!(expected(&[(5.0, 2.0)], 50.0), 20.0);
        // Noise: the second try was faster, or much slower than twice the first.
        assert_eq!(expected(&[(10.0, 2.0), (20.0, 1.5)], 1000.0), 1.5);
        assert_eq!(expected(&[(10.0, 1.0), (20.0, 4.0)], 200.0), 40.0);
        let all = Try::expect(&tries(&[(10.0, 2.0), (20.0, 3.0)]), 1000.0).unwrap();
        assert_eq!((all.memory, all.disk), (100.0, 1000.0));
        assert_eq!(Try::expect(&[], 1.0), None);
    }
}
