//! The options of a SameGame algorithm by the Cross-Entropy Method (SP-MCTS paper, sections 5 and 6.6).
//!
//! ```text
//! DIR/manifest.json      the settings; at the end the algorithm as tuned
//!     progress.json      the distributions so far, and the fitness of the samples that were judged
//!     distribution.csv   mean and deviation of every parameter after every iteration
//!     lock               locked while a process works here
//! ```
//!
//! A sample's fitness is its mean score on boards that are drawn again for each iteration, the same ones for all samples.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{ALGORITHMS, BudgetText, Size, check_colours};
use crate::as_text;
use crate::help::examples;
use crate::{Context as StageContext, Outcome, Row, Rows, Stage};
use mineflow_arena::Ending;
use mineflow_arena::numbers::grouped;
use mineflow_arena::{TableOf, numbers::round, to_csv};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, Puzzle};
use mineflow_search::cross_entropy::{CrossEntropy, CrossEntropyError, Distribution, Parameter};
use mineflow_store::{Folder, Purpose, object};

const PROGRESS: &str = "progress.json";
const DISTRIBUTION: &str = "distribution.csv";

/// Find settings of an algorithm by the Cross-Entropy Method
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "samegame tune --algorithm sp-mcts --iterations 5 --out tuned",
            "samegame tune --samples 20 --elite 4 --budget nodes=10000 --out small",
        ], ALGORITHMS))]
#[serde(rename_all = "kebab-case")]
pub struct SamegameTune {
    /// Algorithm, with the options that are not tuned
    #[arg(long, value_name = "ALGORITHM", default_value = "sp-mcts")]
    #[serde(serialize_with = "as_text::one")]
    pub algorithm: Algorithm,
    /// Options to tune, each with its bounds: KEY=LOW..HIGH, separated by commas
    #[arg(long, value_name = "BOUNDS", value_delimiter = ',', default_values_t = usual_bounds())]
    #[serde(serialize_with = "as_text::list")]
    pub bounds: Vec<Bounds>,
    /// Samples of an iteration
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    pub samples: u32,
    /// Samples of which the next iteration is made
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub elite: u32,
    /// Iterations
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub iterations: u32,
    /// Random boards of an iteration, the same ones for all its samples
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub boards: u32,
    /// Size of random boards, up to 25x25
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = Size { width: 15, height: 15 })]
    #[serde(serialize_with = "as_text::one")]
    pub size: Size,
    /// Colours of random boards
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub colours: u32,
    /// Budget of a board
    #[arg(long, value_name = "BUDGET", default_value = "playouts=2000")]
    #[serde(serialize_with = "as_text::one")]
    pub budget: BudgetText,
}

/// The bounds of table 6's options.
fn usual_bounds() -> Vec<Bounds> {
    let bounds = [("c", 10.0), ("d", 200.0), ("t", 30.0), ("w", 1.0), ("epsilon", 0.01)];
    bounds.map(|(key, high)| Bounds(Parameter::new(key, 0.0, high))).to_vec()
}

/// An option between two bounds.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds(pub Parameter);

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').and_then(|(key, range)| Some((key, range.split_once("..")?)));
        let numbers = parts.and_then(|(key, (low, high))| Some((key, low.parse().ok()?, high.parse().ok()?)));
        let (key, low, high) = numbers.ok_or_else(|| format!("`{text}` has no bounds; write KEY=LOW..HIGH"))?;
        Ok(Self(Parameter::new(key, low, high)))
    }
}

impl Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, low, high, .. } = &self.0;
        write!(f, "{name}={low}..{high}")
    }
}

impl Stage for SamegameTune {
    fn check(&self) -> anyhow::Result<()> {
        check_colours(self.colours)?;
        self.method(Seed::new(0))?;
        // Both ends, so that what can't be set is an error before the work.
        for end in [|parameter: &Parameter| parameter.low, |parameter: &Parameter| parameter.high] {
            self.with(&self.parameters().map(end).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn run(&self, context: &StageContext<'_>) -> anyhow::Result<Outcome> {
        let mut tuning = Tuning::open(self, context)?;
        let (before, planned) = tuning.judged();
        if before > 0 {
            context.note(&format!("note: resuming after {} of {} samples", grouped(before), grouped(planned)));
        }
        context.count("samples", before, planned, "");
        while tuning.progress.fitness.len() < self.iterations as usize {
            if tuning.iterate(context)? == Ending::Stopped {
                let judged = grouped(tuning.judged().0);
                return Ok(context.interrupted(&format!("{judged} of {} samples", grouped(planned))));
            }
        }
        Ok(Outcome::Done(Box::new(Rows(vec![tuning.finish(context)?]))))
    }
}

impl Row for Tuned {
    fn text(rows: &[Self]) -> String {
        rows.iter().map(|Self { algorithm, rows }| format!("{}{algorithm}\n", table(rows))).collect()
    }
}

fn table(rows: &[DistributionRow]) -> String {
    let fitness = |fitness: Option<f64>| fitness.map_or("-".to_owned(), |fitness| format!("{fitness:.1}"));
    TableOf::new(rows)
        .right("iteration", |row| row.iteration)
        .left("parameter", |row| &row.parameter)
        .right("mean", |row| format!("{:.5}", row.mean))
        .right("deviation", |row| format!("{:.5}", row.deviation))
        .right("mean score", |row| fitness(row.mean_fitness))
        .right("best score", |row| fitness(row.best_fitness))
        .text()
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
struct Rounds {
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
struct Tuning<'a> {
    settings: &'a SamegameTune,
    seed: Seed,
    method: CrossEntropy,
    folder: Folder,
    progress: Rounds,
}

/// The algorithm that the finished search in `folder` found.
pub fn tuned_algorithm(folder: &Path) -> anyhow::Result<Algorithm> {
    let found = Folder::finished_result(folder)?;
    let Some(found) = found else {
        bail!("{} holds no finished search of `samegame tune`; run that to its end first", folder.display());
    };
    let Found { algorithm } = serde_json::from_value(found)
        .with_context(|| format!("{} is not a folder of `samegame tune`", folder.display()))?;
    Ok(algorithm.parse()?)
}

impl SamegameTune {
    fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.bounds.iter().map(|bounds| &bounds.0)
    }

    /// The algorithm with these values of the parameters; an option that takes whole numbers gets the nearest one.
    fn with(&self, values: &[f64]) -> anyhow::Result<Algorithm> {
        let mut algorithm = self.algorithm;
        for (parameter, value) in self.parameters().zip(values) {
            let set = |value: f64| algorithm.with_option(&parameter.name, &value.to_string());
            algorithm = set(*value).or_else(|_| set(value.round()))?;
        }
        Ok(algorithm)
    }

    fn method(&self, seed: Seed) -> Result<CrossEntropy, CrossEntropyError> {
        let (samples, elite) = (self.samples as usize, self.elite as usize);
        CrossEntropy::new(self.parameters().cloned().collect(), samples, elite, seed.child("samegame tune", 0))
    }

    fn puzzles(&self, seed: Seed, iteration: u64) -> anyhow::Result<Vec<Puzzle>> {
        let boards = seed.child("samegame tune boards", iteration);
        let (Size { width, height }, colours) = (self.size, self.colours as usize);
        let puzzle = |index| Puzzle::random(width, height, colours, boards.child("board", index));
        Ok((0..self.boards.into()).map(puzzle).collect::<Result<_, _>>()?)
    }

    fn manifest(&self, seed: u64) -> Map<String, Value> {
        let parameters = self.parameters().map(|p| json!({ "name": p.name, "low": p.low, "high": p.high }));
        object(json!({
            "command": "samegame tune",
            "algorithm": self.algorithm.to_string(),
            "parameters": parameters.collect::<Value>(),
            "samples": self.samples,
            "elite": self.elite,
            "iterations": self.iterations,
            "boards": { "count": self.boards, "width": self.size.width, "height": self.size.height },
            "colours": self.colours,
            "budget": self.budget.to_string(),
            "seed": seed,
        }))
    }
}

impl<'a> Tuning<'a> {
    /// Opens the folder, with everything that it holds already; judges nothing yet.
    fn open(settings: &'a SamegameTune, context: &StageContext<'_>) -> anyhow::Result<Self> {
        let seed = Seed::new(context.seed);
        let method = settings.method(seed)?;
        settings.puzzles(seed, 0)?;
        let purpose = Purpose { results: &[DISTRIBUTION], ..Purpose::of(settings.manifest(context.seed)) };
        let folder = context.open(&purpose)?;
        let progress = match folder.read_checked(PROGRESS)? {
            Some(text) => serde_json::from_slice(&text).with_context(|| {
                format!("{} does not record the progress of this search", folder.path().join(PROGRESS).display())
            })?,
            None => Rounds { distributions: vec![method.start()], fitness: Vec::new(), judged: BTreeMap::new() },
        };
        Ok(Self { settings, seed, method, folder, progress })
    }

    /// Samples judged, and samples in all.
    fn judged(&self) -> (u64, u64) {
        let samples = u64::from(self.settings.samples);
        let finished = self.progress.fitness.len() as u64 * samples;
        (finished + self.progress.judged.len() as u64, u64::from(self.settings.iterations) * samples)
    }

    /// Judges what is missing of an iteration.
    fn iterate(&mut self, context: &StageContext<'_>) -> anyhow::Result<Ending> {
        let iteration = self.progress.fitness.len() as u64;
        let distribution = &self.progress.distributions[iteration as usize];
        let samples = self.method.draw(distribution, iteration);
        let puzzles = self.settings.puzzles(self.seed, iteration)?;
        let algorithms = samples.iter().map(|values| self.settings.with(values)).collect::<Result<Vec<_>, _>>()?;
        let missing: Vec<usize> = (0..samples.len()).filter(|at| !self.progress.judged.contains_key(at)).collect();
        let (budget, seed) = (self.settings.budget.budget(), self.seed.child("games", iteration));
        let fitness = |sample: usize| {
            let games = puzzles.iter().zip(0..);
            let scores =
                games.map(|(puzzle, game)| algorithms[sample].solve(puzzle, budget, seed.child("game", game)).score);
            scores.map(f64::from).sum::<f64>() / puzzles.len() as f64
        };
        let ending = context.workers().run(
            missing.into_iter(),
            || (),
            |(), sample, results, _| results.hand_in((sample, fitness(sample))),
            |judged| {
                if let Some((sample, fitness)) = judged {
                    self.progress.judged.insert(sample, fitness);
                    self.keep()?;
                    let (judged, planned) = self.judged();
                    context.count("samples", judged, planned, "");
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
        self.folder.write(DISTRIBUTION, &to_csv(&self.rows())?)?;
        Ok(Ending::Finished)
    }

    fn keep(&self) -> anyhow::Result<()> {
        Ok(self.folder.write_checked(PROGRESS, &serde_json::to_vec(&self.progress)?)?)
    }

    fn rows(&self) -> Vec<DistributionRow> {
        let row = |iteration: usize, parameter: usize| {
            let Distribution { mean, deviation } = &self.progress.distributions[iteration];
            let fitness = iteration.checked_sub(1).map(|before| self.progress.fitness[before]);
            DistributionRow {
                iteration,
                parameter: self.settings.bounds[parameter].0.name.clone(),
                mean: round(mean[parameter], 9),
                deviation: round(deviation[parameter], 9),
                mean_fitness: fitness.map(|(mean, _)| round(mean, 3)),
                best_fitness: fitness.map(|(_, best)| round(best, 3)),
            }
        };
        let parameters = 0..self.settings.bounds.len();
        let iterations = 0..self.progress.distributions.len();
        iterations
            .flat_map(|iteration| parameters.clone().map(|parameter| row(iteration, parameter)).collect::<Vec<_>>())
            .collect()
    }

    /// The result of a finished search, written to its folder too.
    fn finish(&mut self, context: &StageContext<'_>) -> anyhow::Result<Tuned> {
        let last = self.progress.distributions.last().expect("the first is there from the start");
        let tuned = Tuned { algorithm: self.settings.with(&last.mean)?.to_string(), rows: self.rows() };
        self.folder.write(DISTRIBUTION, &to_csv(&tuned.rows)?)?;
        self.folder.finish(&Found { algorithm: tuned.algorithm.clone() }, context.stop)?;
        Ok(tuned)
    }
}
