//! The options of a SameGame algorithm by the Cross-Entropy Method (SP-MCTS paper, sections 5 and 6.6).
//!
//! ```text
//! DIR/manifest.json      the settings; at the end the algorithm as tuned
//!     progress.json      the distributions so far, and the fitness of the samples that were judged
//!     distribution.csv   mean and deviation of every parameter after every iteration
//!     lock               locked while a process works here
//! ```
//!
//! A sample's fitness is its mean score on boards that are drawn anew for each iteration, the same ones for all samples.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::BudgetText;
use crate::arena::{Ending, Workers};
use crate::rng::Seed;
use crate::samegame::{Algorithm, Puzzle};
use crate::search::cross_entropy::{CrossEntropy, Distribution, Parameter};
use crate::stage::series::{round, to_csv};
use crate::store::{Folder, Purpose};

const PROGRESS: &str = "progress.json";

/// Settings of a search for options.
#[derive(Clone)]
pub struct Tune {
    /// The options that are not tuned.
    pub algorithm: Algorithm,
    /// The options that are, by key.
    pub parameters: Vec<Parameter>,
    /// Samples of an iteration (the paper: 100), and how many of them the next one is made of (10).
    pub samples: usize,
    pub elite: usize,
    pub iterations: u64,
    /// Boards of an iteration (the paper: 30), and their size.
    pub boards: usize,
    pub width: usize,
    pub height: usize,
    pub colours: usize,
    pub budget: BudgetText,
    pub seed: u64,
    /// Number of workers; results don't depend on it.
    pub threads: usize,
    pub out: PathBuf,
}

/// A row of `distribution.csv`: one parameter after one iteration; iteration 0 is the distribution from the bounds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistributionRow {
    pub iteration: usize,
    pub parameter: String,
    pub mean: f64,
    pub deviation: f64,
    /// The mean fitness of the samples that the distribution was made of: of all, and of the fittest one.
    pub mean_fitness: Option<f64>,
    pub best_fitness: Option<f64>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuned {
    /// The algorithm with the last means.
    pub algorithm: String,
    pub rows: Vec<DistributionRow>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    /// The first one is made of the bounds.
    distributions: Vec<Distribution>,
    /// Mean and highest fitness of each finished iteration.
    fitness: Vec<(f64, f64)>,
    /// The samples of the iteration under way that were judged.
    judged: BTreeMap<usize, f64>,
}

/// What the manifest of a finished search says of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    algorithm: String,
}

/// A search under way.
pub struct Tuning {
    settings: Tune,
    method: CrossEntropy,
    folder: Folder,
    progress: Progress,
}

/// The algorithm that the finished search in `folder` found.
pub fn tuned_algorithm(folder: &Path) -> anyhow::Result<Algorithm> {
    let found = Folder::finished_result(folder)?;
    let Some(found) = found else {
        bail!("{} holds no finished search of `samegame tune`; run that to its end first", folder.display());
    };
    let Found { algorithm } = serde_json::from_value(found)
        .with_context(|| format!("{} is no folder of `samegame tune`", folder.display()))?;
    Ok(algorithm.parse()?)
}

impl Tune {
    /// Opens the folder, with everything that it holds already; judges nothing yet.
    pub fn open(self) -> anyhow::Result<Tuning> {
        ensure!(self.iterations > 0 && self.boards > 0, "tuning takes at least one iteration and one board");
        let seed = Seed::new(self.seed).child("samegame tune", 0);
        let method = CrossEntropy::new(self.parameters.clone(), self.samples, self.elite, seed)?;
        // Both ends, so that what can't be set is told before the work.
        for end in [|parameter: &Parameter| parameter.low, |parameter: &Parameter| parameter.high] {
            self.with(&self.parameters.iter().map(end).collect::<Vec<_>>())?;
        }
        self.puzzles(0)?;
        let folder = Folder::open(&self.out, &Purpose::of(self.manifest()))?;
        let progress = match folder.read(PROGRESS)? {
            Some(text) => serde_json::from_slice(&text)
                .with_context(|| format!("{} is no progress of this search", self.out.join(PROGRESS).display()))?,
            None => Progress { distributions: vec![method.start()], fitness: Vec::new(), judged: BTreeMap::new() },
        };
        Ok(Tuning { settings: self, method, folder, progress })
    }

    /// The algorithm with these values of the parameters; an option that takes whole numbers gets the nearest one.
    fn with(&self, values: &[f64]) -> anyhow::Result<Algorithm> {
        let mut algorithm = self.algorithm;
        for (parameter, value) in self.parameters.iter().zip(values) {
            let set = |value: f64| algorithm.with_option(&parameter.name, &value.to_string());
            algorithm = set(*value).or_else(|_| set(value.round()))?;
        }
        Ok(algorithm)
    }

    fn puzzles(&self, iteration: u64) -> anyhow::Result<Vec<Puzzle>> {
        let boards = Seed::new(self.seed).child("samegame tune boards", iteration);
        let puzzle = |index| Puzzle::random(self.width, self.height, self.colours, boards.child("board", index));
        Ok((0..self.boards as u64).map(puzzle).collect::<Result<_, _>>()?)
    }

    fn manifest(&self) -> Map<String, Value> {
        let parameters = self.parameters.iter().map(|p| json!({ "name": p.name, "low": p.low, "high": p.high }));
        let settings = [
            ("stage", json!("samegame tune")),
            ("algorithm", json!(self.algorithm.to_string())),
            ("parameters", parameters.collect()),
            ("samples", json!(self.samples)),
            ("elite", json!(self.elite)),
            ("iterations", json!(self.iterations)),
            ("boards", json!({ "count": self.boards, "width": self.width, "height": self.height })),
            ("colours", json!(self.colours)),
            ("budget", json!(self.budget.to_string())),
            ("seed", json!(self.seed)),
        ];
        settings.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
    }
}

impl Tuning {
    /// Samples judged, and samples in all.
    pub fn progress(&self) -> (u64, u64) {
        let samples = self.settings.samples as u64;
        let finished = self.progress.fitness.len() as u64 * samples;
        (finished + self.progress.judged.len() as u64, self.settings.iterations * samples)
    }

    /// Judges what is missing; `watch` is told the number of samples judged after each. Once `stop` is set, samples under
    /// way are ended and no others begun.
    pub fn run(&mut self, stop: &AtomicBool, watch: &mut dyn FnMut(u64)) -> anyhow::Result<Ending> {
        while (self.progress.fitness.len() as u64) < self.settings.iterations {
            if self.iterate(stop, watch)? == Ending::Stopped {
                return Ok(Ending::Stopped);
            }
        }
        Ok(Ending::Finished)
    }

    fn iterate(&mut self, stop: &AtomicBool, watch: &mut dyn FnMut(u64)) -> anyhow::Result<Ending> {
        let iteration = self.progress.fitness.len() as u64;
        let distribution = &self.progress.distributions[iteration as usize];
        let samples = self.method.draw(distribution, iteration);
        let puzzles = self.settings.puzzles(iteration)?;
        let algorithms = samples.iter().map(|values| self.settings.with(values)).collect::<Result<Vec<_>, _>>()?;
        let missing: Vec<usize> = (0..samples.len()).filter(|at| !self.progress.judged.contains_key(at)).collect();
        let (budget, seed) = (self.settings.budget.budget(), Seed::new(self.settings.seed).child("games", iteration));
        let fitness = |sample: usize| {
            let games = puzzles.iter().zip(0..);
            let scores =
                games.map(|(puzzle, game)| algorithms[sample].solve(puzzle, budget, seed.child("game", game)).score);
            scores.map(f64::from).sum::<f64>() / puzzles.len() as f64
        };
        let ending = Workers { threads: self.settings.threads, stop }.run(
            missing.into_iter(),
            || (),
            |(), sample, desk, _| desk.hand_in((sample, fitness(sample))),
            |judged| {
                if let Some((sample, fitness)) = judged {
                    self.progress.judged.insert(sample, fitness);
                    self.keep()?;
                    watch(self.progress().0);
                }
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        if ending == Ending::Stopped {
            return Ok(Ending::Stopped);
        }
        let fitness: Vec<f64> = std::mem::take(&mut self.progress.judged).into_values().collect();
        self.progress.distributions.push(self.method.focus(&samples, &fitness)?);
        let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
        self.progress.fitness.push((mean, fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max)));
        self.keep()?;
        self.folder.write("distribution.csv", &to_csv(&self.rows())?)?;
        Ok(Ending::Finished)
    }

    fn keep(&self) -> anyhow::Result<()> {
        Ok(self.folder.write(PROGRESS, &serde_json::to_vec(&self.progress)?)?)
    }

    fn rows(&self) -> Vec<DistributionRow> {
        let row = |iteration: usize, parameter: usize| {
            let Distribution { mean, deviation } = &self.progress.distributions[iteration];
            let fitness = iteration.checked_sub(1).map(|before| self.progress.fitness[before]);
            DistributionRow {
                iteration,
                parameter: self.settings.parameters[parameter].name.clone(),
                mean: round(mean[parameter], 9),
                deviation: round(deviation[parameter], 9),
                mean_fitness: fitness.map(|(mean, _)| round(mean, 3)),
                best_fitness: fitness.map(|(_, best)| round(best, 3)),
            }
        };
        let parameters = 0..self.settings.parameters.len();
        let iterations = 0..self.progress.distributions.len();
        iterations
            .flat_map(|iteration| parameters.clone().map(|parameter| row(iteration, parameter)).collect::<Vec<_>>())
            .collect()
    }

    /// The result of a finished search, written to its folder too.
    pub fn finish(&mut self) -> anyhow::Result<Tuned> {
        let last = self.progress.distributions.last().expect("the first is there from the start");
        let tuned = Tuned { algorithm: self.settings.with(&last.mean)?.to_string(), rows: self.rows() };
        self.folder.write("distribution.csv", &to_csv(&tuned.rows)?)?;
        self.folder.finish(&Found { algorithm: tuned.algorithm.clone() })?;
        Ok(tuned)
    }
}
