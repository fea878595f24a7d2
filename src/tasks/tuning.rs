//! The Cross-Entropy Method (Schadd et al., SP-MCTS, section 5, after Chaslot et al. 2008) as a
//! resumable search in a folder. `samegame tune` and `tune` share it and judge the samples.
//!
//! ```text
//! DIR/manifest.json, lock    as in every folder
//!     journal.jsonl          a line for each evaluated sample
//! ```

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::resume::{end, note_resumed};
use crate::{Context, Outcome};
use mineflow_arena::numbers::round;
use mineflow_arena::{Keeping, Records, Series, TableOf, Text};
use mineflow_rng::Seed;
use mineflow_search::cross_entropy::{CrossEntropy, CrossEntropyError, Distribution, Parameter};
use mineflow_store::Purpose;

/// An option with its lower and upper bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Bounds(pub Parameter);

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parameter = || {
            let (key, range) = text.split_once('=')?;
            let (low, high) = range.split_once("..")?;
            Some(Parameter::new(key, low.parse().ok()?, high.parse().ok()?))
        };
        let found = parameter().map(Self);
        found.ok_or_else(|| format!("`{text}` has no bounds; write KEY=LOW..HIGH"))
    }
}

impl Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.0.name, self.0.low, self.0.high)
    }
}

/// Returns the bounds as manifests record them.
pub(crate) fn recorded(bounds: &[Bounds]) -> Value {
    bounds
        .iter()
        .map(|Bounds(p)| json!({ "name": p.name, "low": p.low, "high": p.high }))
        .collect()
}

/// The size of a search.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SearchArgs {
    /// Set the number of samples per iteration
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    pub samples: u32,
    /// Set the number of elite samples, which form the next distribution
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub elite: u32,
    /// Set the number of iterations
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub iterations: u32,
}

impl SearchArgs {
    /// Returns the method that tunes these parameters.
    ///
    /// # Errors
    /// Returns an error for invalid bounds or an elite that does not select.
    pub(crate) fn method(
        &self,
        bounds: &[Bounds],
        seed: Seed,
    ) -> Result<CrossEntropy, CrossEntropyError> {
        CrossEntropy::new(
            bounds.iter().map(|bounds| bounds.0.clone()).collect(),
            self.samples as usize,
            self.elite as usize,
            seed,
        )
    }
}

/// A row of the table of distributions: one parameter after one iteration. Iteration 0 is the first
/// distribution, which is made from the bounds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistributionRow {
    pub iteration: usize,
    pub parameter: String,
    pub mean: f64,
    pub deviation: f64,
    /// Mean fitness of all samples of the iteration; `None` for iteration 0.
    pub mean_fitness: Option<f64>,
    /// Highest fitness of the samples of the iteration; `None` for iteration 0.
    pub best_fitness: Option<f64>,
}

/// Returns the table of distributions; the fitness is shown with this many decimals.
pub(crate) fn table(rows: &[DistributionRow], decimals: usize) -> Text {
    let fitness = |fitness: Option<f64>| {
        fitness.map_or("-".to_owned(), |fitness| format!("{fitness:.decimals$}"))
    };
    TableOf::new(rows)
        .right("iteration", |row| row.iteration)
        .left("parameter", |row| &row.parameter)
        .right("mean", |row| format!("{:.5}", row.mean))
        .right("deviation", |row| format!("{:.5}", row.deviation))
        .right("mean score", |row| fitness(row.mean_fitness))
        .right("best score", |row| fitness(row.best_fitness))
        .text()
}

/// An evaluated sample: a line of the journal.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JudgedSample {
    iteration: usize,
    sample: usize,
    /// The fitness of the sample in integer units, so that sums do not depend on their order.
    score: i64,
}

/// A sample to evaluate.
pub(crate) struct Job {
    pub(crate) iteration: usize,
    pub(crate) sample: usize,
    pub(crate) values: Vec<f64>,
}

/// The iterations of a search so far: their distributions and the scores of their samples.
pub(crate) struct Search<'a> {
    args: &'a SearchArgs,
    bounds: &'a [Bounds],
    method: CrossEntropy,
    /// The number of units of score per unit of fitness.
    units: f64,
    /// Returns the result of the finished folder for the tuned values.
    result: &'a dyn Fn(&[f64]) -> Value,
    /// The distribution before each iteration. The first distribution is made from the bounds.
    distributions: Vec<Distribution>,
    /// Mean and highest fitness of each finished iteration.
    fitness: Vec<(f64, f64)>,
    /// The score of each sample, by iteration and index.
    judged: BTreeMap<(usize, usize), i64>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        (args, bounds): (&'a SearchArgs, &'a [Bounds]),
        seed: Seed,
        units: f64,
        result: &'a dyn Fn(&[f64]) -> Value,
    ) -> Result<Self, CrossEntropyError> {
        let method = args.method(bounds, seed)?;
        let distributions = vec![method.start()];
        Ok(Self {
            args,
            bounds,
            method,
            units,
            result,
            distributions,
            fitness: Vec::new(),
            judged: BTreeMap::new(),
        })
    }

    /// Evaluates the samples that the output folder lacks. `judge` returns the score of a sample,
    /// or `None` after an interruption. Returns the finished series, or the outcome if it was
    /// interrupted.
    pub(crate) fn run<W: Default>(
        self,
        purpose: &Purpose,
        context: &Context<'_>,
        judge: impl Fn(&mut W, &Job) -> anyhow::Result<Option<i64>> + Sync,
    ) -> anyhow::Result<Result<Series<Self>, Outcome>> {
        let mut series = Series::open(self, Some(context.open(purpose)?))?;
        note_resumed(context, &series);
        let planned = series.records().planned();
        context.count("samples", series.before(), planned, "");
        series.play(
            context.workers(),
            Self::missing,
            |scratch: &mut W, job: Job, results| {
                let Job {
                    iteration, sample, ..
                } = job;
                let judged = |score| JudgedSample {
                    iteration,
                    sample,
                    score,
                };
                if let Some(score) = judge(scratch, &job).transpose() {
                    results.hand_in(score.map(|score| (judged(score), ())));
                }
            },
            |series, _| context.count("samples", series.records().done(), planned, ""),
        )?;
        Ok(end(context, &mut series, planned)?.map_or(Ok(series), Err))
    }

    fn draw(&self, iteration: usize) -> Vec<Vec<f64>> {
        self.method
            .draw(&self.distributions[iteration], iteration as u64)
    }

    /// Returns the samples of the current iteration that are not yet evaluated.
    fn missing(&self) -> Vec<Job> {
        let iteration = self.fitness.len();
        if self.is_whole() {
            return Vec::new();
        }
        let samples = self.draw(iteration).into_iter().enumerate();
        samples
            .filter(|&(sample, _)| !self.judged.contains_key(&(iteration, sample)))
            .map(|(sample, values)| Job {
                iteration,
                sample,
                values,
            })
            .collect()
    }

    /// Returns the tuned values: the means of the last distribution.
    pub(crate) fn tuned(&self) -> &[f64] {
        &self.distributions[self.fitness.len()].mean
    }

    /// Returns the evaluated samples in order: the values and the fitness of each.
    #[cfg(feature = "train")]
    pub(crate) fn samples(&self) -> Vec<(Vec<f64>, f64)> {
        let drawn = (0..self.fitness.len()).flat_map(|iteration| self.draw(iteration));
        let fitness = self.judged.values().map(|&score| score as f64 / self.units);
        drawn.zip(fitness).collect()
    }

    pub(crate) fn rows(&self) -> Vec<DistributionRow> {
        let mut rows = Vec::new();
        for (iteration, distribution) in self.distributions.iter().enumerate() {
            let fitness = iteration.checked_sub(1).map(|before| self.fitness[before]);
            for (place, bounds) in self.bounds.iter().enumerate() {
                rows.push(DistributionRow {
                    iteration,
                    parameter: bounds.0.name.clone(),
                    mean: round(distribution.mean[place], 9),
                    deviation: round(distribution.deviation[place], 9),
                    mean_fitness: fitness.map(|(mean, _)| round(mean, 3)),
                    best_fitness: fitness.map(|(_, best)| round(best, 3)),
                });
            }
        }
        rows
    }
}

impl Records for Search<'_> {
    type Record = JudgedSample;
    type Cost = ();
    const KEEPING: Keeping = Keeping {
        things: "samples",
        has_costs: false,
        journal_stays: true,
    };

    /// Adds an evaluated sample of the current iteration. The last sample of an iteration completes
    /// it, and the next distribution is formed.
    fn add(&mut self, judged: &JudgedSample) -> Result<(), String> {
        let iteration = self.fitness.len();
        let samples = self.args.samples as usize;
        if judged.iteration != iteration || self.is_whole() || judged.sample >= samples {
            return Err(format!(
                "sample {} is not one of iteration {iteration}",
                judged.sample
            ));
        }
        self.judged.insert((iteration, judged.sample), judged.score);
        if self.judged.len() == (iteration + 1) * samples {
            let scores = self.judged.range((iteration, 0)..);
            let fitness: Vec<f64> = scores
                .map(|(_, &score)| score as f64 / self.units)
                .collect();
            let next = self.method.focus(&self.draw(iteration), &fitness);
            self.distributions
                .push(next.map_err(|error| error.to_string())?);
            let mean = fitness.iter().sum::<f64>() / fitness.len() as f64;
            let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            self.fitness.push((mean, best));
        }
        Ok(())
    }

    fn add_cost(&mut self, (): &()) -> Result<(), String> {
        Ok(())
    }

    fn done(&self) -> u64 {
        self.judged.len() as u64
    }

    fn planned(&self) -> u64 {
        u64::from(self.args.iterations) * u64::from(self.args.samples)
    }

    fn in_order(&self) -> impl Iterator<Item = JudgedSample> {
        self.judged
            .iter()
            .map(|(&(iteration, sample), &score)| JudgedSample {
                iteration,
                sample,
                score,
            })
    }

    fn result(&self) -> Value {
        (self.result)(self.tuned())
    }
}
