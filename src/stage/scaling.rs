//! How long a pipeline takes on many machines: a simulation from measured costs, of more machines than there are here.
//!
//! A node does one job at a time on one thread. A stage that has parts is cut into as many as there are nodes, each a job, and a
//! job that joins them; any other stage is one job. A node that is free takes the longest of the jobs that can begin first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a stage costs at its own size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageCost {
    pub stage: String,
    /// The stages that it reads, separated by spaces.
    pub needs: String,
    /// Processor seconds of all its jobs but joining.
    pub cpu_seconds: f64,
    /// Whether it takes `--shard`.
    pub parts: bool,
    /// Whether its work and its results grow with the number of games.
    pub grows: bool,
    /// Of its results.
    pub bytes: f64,
    /// Of its results.
    pub files: f64,
}

/// What jobs cost besides their work, in processor seconds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobCost {
    /// To begin a job.
    pub start: f64,
    /// To join a part, a file of results and a byte of them.
    pub part: f64,
    pub file: f64,
    pub byte: f64,
}

/// What came of a simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct Scaled {
    pub wall_seconds: f64,
    /// The share of the nodes' time in which they work.
    pub busy: f64,
    /// Seconds of all joining.
    pub joining: f64,
    /// The stage that takes longest of those that the end waits for.
    pub last: String,
}

/// Simulates the stages, each after those that it needs, with `times` the games on so many nodes.
///
/// # Panics
/// If there is no node, or a stage needs one that is not among those before it.
pub fn simulate(stages: &[StageCost], cost: JobCost, nodes: usize, times: f64) -> Scaled {
    assert!(nodes > 0, "work needs a node");
    let mut free = vec![0.0_f64; nodes];
    let mut ends: BTreeMap<&str, f64> = BTreeMap::new();
    let (mut work, mut joining) = (0.0, 0.0);
    let mut left: Vec<&StageCost> = stages.iter().collect();
    while !left.is_empty() {
        let ready = |stage: &StageCost| {
            let ends: Option<Vec<f64>> = stage.needs.split_whitespace().map(|name| ends.get(name).copied()).collect();
            ends.map(|ends| ends.into_iter().fold(0.0, f64::max))
        };
        let job = |stage: &StageCost| {
            let grown = if stage.grows { times } else { 1.0 };
            let jobs = if stage.parts { nodes } else { 1 };
            (jobs, cost.start + stage.cpu_seconds * grown / jobs as f64, grown)
        };
        let able = left.iter().enumerate().filter_map(|(at, stage)| Some((at, ready(stage)?, job(stage).1)));
        let (at, begin, _) = able
            .min_by(|a, b| a.1.total_cmp(&b.1).then(b.2.total_cmp(&a.2)))
            .expect("a stage needs those before it alone");
        let stage = left.remove(at);
        let (jobs, seconds, grown) = job(stage);
        let mut end = (0..jobs).map(|_| run(&mut free, begin, seconds)).fold(0.0, f64::max);
        work += seconds * jobs as f64;
        if jobs > 1 {
            let of_results = (stage.files * cost.file + stage.bytes * cost.byte) * grown;
            let join = cost.start + jobs as f64 * cost.part + of_results;
            end = run(&mut free, end, join);
            (work, joining) = (work + join, joining + join);
        }
        ends.insert(&stage.stage, end);
    }
    let (last, &wall_seconds) = ends.iter().max_by(|a, b| a.1.total_cmp(b.1)).expect("there are stages");
    // Back along what was waited for last, to the stage that took longest.
    let stage_of = |name: &str| stages.iter().find(|stage| stage.stage == name).expect("it was simulated");
    let (mut at, mut longest) = (stage_of(last), (0.0, ""));
    loop {
        let before = at.needs.split_whitespace().max_by(|a, b| ends[a].total_cmp(&ends[b]));
        let span = ends[at.stage.as_str()] - before.map_or(0.0, |before| ends[before]);
        if span > longest.0 {
            longest = (span, at.stage.as_str());
        }
        match before {
            Some(before) => at = stage_of(before),
            None => break,
        }
    }
    let last = longest.1.to_owned();
    Scaled { wall_seconds, busy: work / (wall_seconds * nodes as f64), joining, last }
}

/// Gives a job to the node that can begin it first; says when it ends.
fn run(free: &mut [f64], begin: f64, seconds: f64) -> f64 {
    let node = free.iter_mut().min_by(|a, b| a.total_cmp(b)).expect("there is a node");
    *node = node.max(begin) + seconds;
    *node
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde::de::DeserializeOwned;

    use super::*;

    const FREE: JobCost = JobCost { start: 0.0, part: 0.0, file: 0.0, byte: 0.0 };

    fn stage(stage: &str, needs: &str, cpu_seconds: f64, parts: bool) -> StageCost {
        let (stage, needs) = (stage.to_owned(), needs.to_owned());
        StageCost { stage, needs, cpu_seconds, parts, grows: true, bytes: 100.0, files: 2.0 }
    }

    #[test]
    fn parts_share_the_work_and_whatever_has_none_bounds_it() {
        let stages =
            [stage("play", "", 60.0, true), stage("train", "", 20.0, false), stage("judge", "train", 40.0, true)];
        let of = |nodes| simulate(&stages, FREE, nodes, 10.0);
        assert_eq!((of(1).wall_seconds, of(1).busy), (1200.0, 1.0));
        // A training of 200 seconds; then 400 of games, shared by all.
        assert_eq!((of(400).wall_seconds, of(400).last.as_str()), (201.0, "train"));
        assert_eq!(of(2).wall_seconds, 700.0);
    }

    #[test]
    fn joining_grows_with_parts_files_and_bytes() {
        let cost = JobCost { start: 1.0, part: 0.5, file: 3.0, byte: 0.01 };
        let of = |nodes| simulate(&[stage("play", "", 60.0, true)], cost, nodes, 10.0);
        assert_eq!((of(1).wall_seconds, of(1).joining), (601.0, 0.0));
        // Files and bytes of ten times the games: 60 and 10 seconds.
        assert_eq!((of(10).joining, of(10).wall_seconds), (1.0 + 5.0 + 70.0, 61.0 + 76.0));
    }

    const NODES: [usize; 4] = [1, 10, 100, 1000];
    const TIMES: f64 = 1000.0;

    fn rows<R: DeserializeOwned>(name: &str) -> Vec<R> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports/scale").join(name);
        csv::Reader::from_path(path).unwrap().into_deserialize().map(Result::unwrap).collect()
    }

    #[test]
    fn the_table_of_many_machines_is_what_the_measured_costs_give() {
        let stages: Vec<StageCost> = rows("stages.csv");
        let cost = rows::<JobCost>("jobs.csv")[0];
        let with = |change: &dyn Fn(&mut StageCost)| {
            let mut stages = stages.clone();
            stages.iter_mut().for_each(change);
            stages
        };
        let in_memory = |stage: &mut StageCost| {
            if stage.stage == "trees" {
                (stage.cpu_seconds, stage.grows) = (76.0, true);
            }
        };
        let cases = [
            ("all rows in memory", with(&in_memory)),
            ("windows", stages.clone()),
            ("windows, models as they are", with(&|stage| stage.grows &= stage.parts)),
        ];
        let mut table = "case,nodes,wall_seconds,busy,joining_seconds,waits_for\n".to_owned();
        for (name, stages) in &cases {
            for nodes in NODES {
                let scaled = simulate(stages, cost, nodes, TIMES);
                let (wall, busy, joining) = (scaled.wall_seconds, scaled.busy, scaled.joining);
                table += &format!("\"{name}\",{nodes},{wall:.0},{busy:.3},{joining:.1},{}\n", scaled.last);
            }
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks-free-reports/scale/nodes.csv");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &table).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), table);
    }
}
