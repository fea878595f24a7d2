//! The Cross-Entropy Method (Schadd et al., SP-MCTS, section 5, after Chaslot et al. 2008) as a
//! resumable search in a folder. `samegame tune` and `tune` share it and judge the samples.
//!
//! ```text
//! DIR/manifest.json, lock    as in every folder
//!     journal.jsonl          a line for each evaluated sample
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Context, Outcome,
    resume::{end, note_resumed},
};
use mineflow_arena::{Keeping, Records, Series, TableOf, Text, numbers::round};
use mineflow_rng::Seed;
use mineflow_search::cross_entropy::{CrossEntropy, CrossEntropyError, Distribution, Parameter};
use mineflow_store::{Purpose, StoreError};

/// The size of a search.
#[derive(clap::Args, Serialize)]
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
        bounds: &[Parameter],
        seed: Seed,
    ) -> Result<CrossEntropy, CrossEntropyError> {
        let (samples, elite) = (self.samples as usize, self.elite as usize);
        CrossEntropy::new(bounds.to_vec(), samples, elite, seed)
    }
}

/// Returns `of` with its parameters set to these values, or to the nearest integers where needed.
pub(crate) fn with<T, E>(
    of: T,
    bounds: &[Parameter],
    values: &[f64],
    set: impl Fn(&T, &str, &str) -> Result<T, E>,
) -> Result<T, E> {
    bounds
        .iter()
        .zip(values)
        .try_fold(of, |of, (bounds, value)| {
            let set = |value: f64| set(&of, &bounds.name, &value.to_string());
            set(*value).or_else(|_| set(value.round()))
        })
}

/// Returns the lower and the upper ends of the bounds. Both are tried, so that an invalid parameter
/// is an error before any work.
pub(crate) fn ends(bounds: &[Parameter]) -> [Vec<f64>; 2] {
    [|of: &Parameter| of.low, |of: &Parameter| of.high].map(|end| bounds.iter().map(end).collect())
}

/// A row of the table of distributions: one parameter after one iteration. Iteration 0 is the first
/// distribution, which is made from the bounds.
#[derive(Serialize, Deserialize)]
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

/// A search in progress.
pub(crate) struct Search<'a> {
    args: &'a SearchArgs,
    bounds: &'a [Parameter],
    method: CrossEntropy,
    /// The number of units of score per unit of fitness.
    units: f64,
    /// Returns the result of the finished folder for the tuned values.
    result: &'a dyn Fn(&[f64]) -> Value,
    /// The distribution before each iteration, from the first one, which is made from the bounds, to
    /// that of the current iteration.
    distributions: Vec<Distribution>,
    /// The score of each sample, by iteration and index.
    judged: BTreeMap<(usize, usize), i64>,
}

impl<'a> Search<'a> {
    pub fn new(
        (args, bounds): (&'a SearchArgs, &'a [Parameter]),
        seed: Seed,
        units: f64,
        result: &'a dyn Fn(&[f64]) -> Value,
    ) -> Result<Self, CrossEntropyError> {
        let method = args.method(bounds, seed)?;
        Ok(Self {
            args,
            bounds,
            distributions: vec![method.start()],
            method,
            units,
            result,
            judged: BTreeMap::new(),
        })
    }

    /// Evaluates the samples that the output folder lacks. `judge` returns the score of a sample,
    /// which is a set of values in an iteration. Returns the finished series, or the outcome if it
    /// was interrupted.
    pub fn run(
        self,
        purpose: &Purpose,
        context: &Context<'_>,
        judge: impl Fn(usize, &[f64]) -> anyhow::Result<i64> + Sync,
    ) -> anyhow::Result<Result<Series<Self>, Outcome>> {
        let mut series = Series::open(self, Some(context.open(purpose)?))?;
        note_resumed(context, &series);
        let planned = series.records().planned();
        let count = |series: &Series<Self>| {
            context.count("samples", series.records().done(), planned, "");
        };
        count(&series);
        series.play(
            context.workers(),
            Self::missing,
            |(): &mut (), (iteration, sample, values), results| {
                let judged = |score| JudgedSample {
                    iteration,
                    sample,
                    score,
                };
                match judge(iteration, &values) {
                    // An interrupted sample has no score.
                    Err(error) if matches!(error.downcast_ref(), Some(StoreError::Stopped)) => {}
                    score => results.hand_in(score.map(|score| (judged(score), ()))),
                }
            },
            |series, _| count(series),
        )?;
        Ok(end(context, &mut series, planned)?.map_or(Ok(series), Err))
    }

    /// Returns the current iteration; after the last one, the number of iterations.
    fn iteration(&self) -> usize {
        self.distributions.len() - 1
    }

    fn draw(&self, iteration: usize) -> Vec<Vec<f64>> {
        self.method
            .draw(&self.distributions[iteration], iteration as u64)
    }

    /// Returns the fitness of the evaluated samples of an iteration, in order.
    fn fitness(&self, iteration: usize) -> Vec<f64> {
        let scores = self.judged.range((iteration, 0)..(iteration + 1, 0));
        scores
            .map(|(_, &score)| score as f64 / self.units)
            .collect()
    }

    /// Returns the samples of the current iteration that are not yet evaluated: iteration, index and
    /// values.
    fn missing(&self) -> Vec<(usize, usize, Vec<f64>)> {
        if self.is_whole() {
            return Vec::new();
        }
        let iteration = self.iteration();
        let samples = self.draw(iteration).into_iter().enumerate();
        samples
            .filter(|&(sample, _)| !self.judged.contains_key(&(iteration, sample)))
            .map(|(sample, values)| (iteration, sample, values))
            .collect()
    }

    /// Returns the tuned values: the means of the last distribution.
    pub fn tuned(&self) -> &[f64] {
        &self.distributions[self.iteration()].mean
    }

    /// Returns the samples of the finished iterations in order: the values and the fitness of each.
    #[cfg(feature = "train")]
    pub fn samples(&self) -> Vec<(Vec<f64>, f64)> {
        (0..self.iteration())
            .flat_map(|iteration| {
                self.draw(iteration)
                    .into_iter()
                    .zip(self.fitness(iteration))
            })
            .collect()
    }

    pub fn rows(&self) -> Vec<DistributionRow> {
        let mut rows = Vec::new();
        for (iteration, distribution) in self.distributions.iter().enumerate() {
            let fitness = iteration.checked_sub(1).map(|before| self.fitness(before));
            let mean = |of: &Vec<f64>| round(of.iter().sum::<f64>() / of.len() as f64, 3);
            let best =
                |of: &Vec<f64>| round(of.iter().copied().fold(f64::NEG_INFINITY, f64::max), 3);
            for (place, bounds) in self.bounds.iter().enumerate() {
                rows.push(DistributionRow {
                    iteration,
                    parameter: bounds.name.clone(),
                    mean: round(distribution.mean[place], 9),
                    deviation: round(distribution.deviation[place], 9),
                    mean_fitness: fitness.as_ref().map(mean),
                    best_fitness: fitness.as_ref().map(best),
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
        let iteration = self.iteration();
        let samples = self.args.samples as usize;
        if judged.iteration != iteration || self.is_whole() || judged.sample >= samples {
            return Err(format!(
                "sample {} is not one of iteration {iteration}",
                judged.sample
            ));
        }
        self.judged.insert((iteration, judged.sample), judged.score);
        if self.judged.len() == (iteration + 1) * samples {
            let fitness = self.fitness(iteration);
            let next = self.method.focus(&self.draw(iteration), &fitness);
            self.distributions
                .push(next.map_err(|error| error.to_string())?);
        }
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
