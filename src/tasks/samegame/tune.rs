//! Tunes the options of a SameGame algorithm by the Cross-Entropy Method (Schadd et al., SP-MCTS,
//! sections 5 and 6.6).
//!
//! ```text
//! DIR/manifest.json, lock    as in every folder; the result is the tuned algorithm
//!     journal.jsonl          a line for each evaluated sample
//!     distribution.csv       mean and deviation of every parameter after every iteration
//! ```
//!
//! The fitness of a sample is its mean score on random boards. Boards are drawn for each iteration,
//! and all samples of an iteration play the same boards.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{ALGORITHMS, BudgetText, RandomBoards};
use crate::as_text;
use crate::help::examples;
use crate::resume::{end, note_resumed};
use crate::{Context, Outcome, Row, Rows, Stage};
use mineflow_arena::numbers::round;
use mineflow_arena::{Keeping, Records, Series, TableOf, Text, to_csv};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, Puzzle};
use mineflow_search::cross_entropy::{CrossEntropy, CrossEntropyError, Distribution, Parameter};
use mineflow_store::{Folder, Journal, Purpose, object};

const DISTRIBUTION: &str = "distribution.csv";

/// Tune the settings of an algorithm by the Cross-Entropy Method
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "samegame tune --algorithm sp-mcts --iterations 5 --out tuned",
            "samegame tune --samples 20 --elite 4 --budget nodes=10000 --out small",
        ], ALGORITHMS))]
#[serde(rename_all = "kebab-case")]
pub struct SamegameTune {
    /// Choose the algorithm, with the options that are not tuned
    #[arg(long, value_name = "ALGORITHM", default_value = "sp-mcts")]
    #[serde(serialize_with = "as_text::one")]
    pub algorithm: Algorithm,
    /// Choose the options to tune, each with its bounds: KEY=LOW..HIGH, separated by commas
    #[arg(long, value_name = "BOUNDS", value_delimiter = ',', default_values_t = usual_bounds())]
    #[serde(serialize_with = "as_text::list")]
    pub bounds: Vec<Bounds>,
    /// Set the number of samples per iteration
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(3..=100_000))]
    pub samples: u32,
    /// Set the number of elite samples, which form the next distribution
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub elite: u32,
    /// Set the number of iterations
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub iterations: u32,
    /// Set the number of random boards per iteration, common to all its samples
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub boards: u32,
    #[command(flatten)]
    #[serde(flatten)]
    pub random: RandomBoards,
    /// Set the budget of a board
    #[arg(long, value_name = "BUDGET", default_value = "playouts=2000")]
    #[serde(serialize_with = "as_text::one")]
    pub budget: BudgetText,
}

/// Returns the default bounds of the options of table 6 of Schadd et al.
fn usual_bounds() -> Vec<Bounds> {
    let bounds = [
        ("c", 10.0),
        ("d", 200.0),
        ("t", 30.0),
        ("w", 1.0),
        ("epsilon", 0.01),
    ];
    bounds
        .map(|(key, high)| Bounds(Parameter::new(key, 0.0, high)))
        .to_vec()
}

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

impl Stage for SamegameTune {
    fn check(&self) -> anyhow::Result<()> {
        self.method(Seed::new(0))?;
        // Both ends of the bounds are tried, so that an invalid option is an error before any work.
        self.with(self.parameters().map(|parameter| parameter.low))?;
        self.with(self.parameters().map(|parameter| parameter.high))?;
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let seed = Seed::new(context.seed);
        let rounds = Rounds::new(self, seed)?;
        self.puzzles(seed, 0)?;
        let settings = self.manifest(context.seed);
        let own = &[Journal::FILE];
        let folder = context.open(&Purpose {
            own,
            results: &[DISTRIBUTION],
            ..Purpose::of(settings)
        })?;
        let mut series = Series::open(rounds, Some(folder))?;
        note_resumed(context, &series);
        let planned = series.records().planned();
        context.count("samples", series.before(), planned, "");
        series.play(
            context.workers(),
            Rounds::missing,
            |boards: &mut Boards, job, results| results.hand_in(self.judge(job, seed, boards)),
            |series, _| context.count("samples", series.records().done(), planned, ""),
        )?;
        if let Some(interrupted) = end(context, &mut series, planned)? {
            return Ok(interrupted);
        }
        let rounds = series.records();
        let tuned = Tuned {
            algorithm: rounds.tuned()?.to_string(),
            rows: rounds.rows(),
        };
        series.seal(&[(DISTRIBUTION, to_csv(&tuned.rows)?)], context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![tuned]))))
    }
}

impl Row for Tuned {
    fn text(rows: &[Self]) -> Text {
        rows.iter().fold(Text::default(), |text, tuned| {
            text.then(table(&tuned.rows))
                .then(format!("{}\n", tuned.algorithm))
        })
    }
}

fn table(rows: &[DistributionRow]) -> Text {
    let fitness =
        |fitness: Option<f64>| fitness.map_or("-".to_owned(), |fitness| format!("{fitness:.1}"));
    TableOf::new(rows)
        .right("iteration", |row| row.iteration)
        .left("parameter", |row| &row.parameter)
        .right("mean", |row| format!("{:.5}", row.mean))
        .right("deviation", |row| format!("{:.5}", row.deviation))
        .right("mean score", |row| fitness(row.mean_fitness))
        .right("best score", |row| fitness(row.best_fitness))
        .text()
}

/// A row of `distribution.csv`: one parameter after one iteration. Iteration 0 is the first
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

/// The result of `samegame tune`: the tuned algorithm and the table of distributions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuned {
    /// The algorithm whose options are the means of the last distribution.
    pub algorithm: String,
    pub rows: Vec<DistributionRow>,
}

/// An evaluated sample: a line of the journal.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgedSample {
    iteration: usize,
    sample: usize,
    /// Sum of the sample's scores over all boards.
    score: i64,
}

/// Random boards, with the index of their iteration.
type Boards = (Option<usize>, Vec<Puzzle>);

/// The iterations of a search so far: their distributions and the scores of their samples.
struct Rounds<'a> {
    settings: &'a SamegameTune,
    method: CrossEntropy,
    /// The distribution before each iteration. The first distribution is made from the bounds.
    distributions: Vec<Distribution>,
    /// Mean and highest fitness of each finished iteration.
    fitness: Vec<(f64, f64)>,
    /// The sum of scores of each sample, by iteration and index.
    judged: BTreeMap<(usize, usize), i64>,
}

/// The result in the manifest of a finished search.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    algorithm: String,
}

/// Reads the algorithm that the finished search in `folder` found.
pub fn tuned_algorithm(folder: &Path) -> anyhow::Result<Algorithm> {
    let found = Folder::finished_result(folder)?;
    let Some(found) = found else {
        bail!(
            "{} holds no finished search of `samegame tune`; run that to its end first",
            folder.display()
        );
    };
    let Found { algorithm } = serde_json::from_value(found)
        .with_context(|| format!("{} is not a folder of `samegame tune`", folder.display()))?;
    Ok(algorithm.parse()?)
}

impl SamegameTune {
    fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.bounds.iter().map(|bounds| &bounds.0)
    }

    /// Returns the algorithm with these parameter values. Values of integer options are rounded to
    /// the nearest integer.
    fn with(&self, values: impl IntoIterator<Item = f64>) -> anyhow::Result<Algorithm> {
        let mut algorithm = self.algorithm;
        for (parameter, value) in self.parameters().zip(values) {
            let set = |value: f64| algorithm.with_option(&parameter.name, &value.to_string());
            algorithm = set(value).or_else(|_| set(value.round()))?;
        }
        Ok(algorithm)
    }

    fn method(&self, seed: Seed) -> Result<CrossEntropy, CrossEntropyError> {
        CrossEntropy::new(
            self.parameters().cloned().collect(),
            self.samples as usize,
            self.elite as usize,
            seed.child("samegame tune", 0),
        )
    }

    fn puzzles(&self, seed: Seed, iteration: usize) -> anyhow::Result<Vec<Puzzle>> {
        let boards = seed.child("samegame tune boards", iteration as u64);
        self.random.set().draw(self.boards as usize, boards)
    }

    /// Plays the boards of an iteration with the values of a sample.
    fn judge(
        &self,
        (iteration, sample, values): (usize, usize, Vec<f64>),
        seed: Seed,
        boards: &mut Boards,
    ) -> anyhow::Result<(JudgedSample, ())> {
        if boards.0 != Some(iteration) {
            *boards = (Some(iteration), self.puzzles(seed, iteration)?);
        }
        let algorithm = self.with(values)?;
        let budget = self.budget.budget();
        let seed = seed.child("games", iteration as u64);
        let games = boards.1.iter().zip(0..);
        let play = |(puzzle, game)| algorithm.solve(puzzle, budget, seed.child("game", game));
        let judged = JudgedSample {
            iteration,
            sample,
            score: games.map(play).map(|game| i64::from(game.score)).sum(),
        };
        Ok((judged, ()))
    }

    fn manifest(&self, seed: u64) -> Map<String, Value> {
        let parameters = self
            .parameters()
            .map(|p| json!({ "name": p.name, "low": p.low, "high": p.high }));
        object(json!({
            "command": "samegame tune",
            "algorithm": self.algorithm.to_string(),
            "parameters": parameters.collect::<Value>(),
            "samples": self.samples,
            "elite": self.elite,
            "iterations": self.iterations,
            "boards": { "count": self.boards, "width": self.random.size.width, "height": self.random.size.height },
            "colours": self.random.colours,
            "budget": self.budget.to_string(),
            "seed": seed,
        }))
    }
}

impl<'a> Rounds<'a> {
    fn new(settings: &'a SamegameTune, seed: Seed) -> Result<Self, CrossEntropyError> {
        let method = settings.method(seed)?;
        let distributions = vec![method.start()];
        Ok(Self {
            settings,
            method,
            distributions,
            fitness: Vec::new(),
            judged: BTreeMap::new(),
        })
    }

    fn draw(&self, iteration: usize) -> Vec<Vec<f64>> {
        self.method
            .draw(&self.distributions[iteration], iteration as u64)
    }

    /// Returns the samples of the current iteration that are not yet evaluated, each with
    /// iteration, index and values.
    fn missing(&self) -> Vec<(usize, usize, Vec<f64>)> {
        let iteration = self.fitness.len();
        if self.is_whole() {
            return Vec::new();
        }
        let samples = self.draw(iteration).into_iter().enumerate();
        samples
            .filter(|&(sample, _)| !self.judged.contains_key(&(iteration, sample)))
            .map(|(sample, values)| (iteration, sample, values))
            .collect()
    }

    /// Returns the algorithm whose options are the means of the last distribution.
    fn tuned(&self) -> anyhow::Result<Algorithm> {
        let mean = &self.distributions[self.fitness.len()].mean;
        self.settings.with(mean.iter().copied())
    }

    fn rows(&self) -> Vec<DistributionRow> {
        let mut rows = Vec::new();
        for (iteration, distribution) in self.distributions.iter().enumerate() {
            let fitness = iteration.checked_sub(1).map(|before| self.fitness[before]);
            for (place, parameter) in self.settings.parameters().enumerate() {
                rows.push(DistributionRow {
                    iteration,
                    parameter: parameter.name.clone(),
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

impl Records for Rounds<'_> {
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
        let samples = self.settings.samples as usize;
        if judged.iteration != iteration || self.is_whole() || judged.sample >= samples {
            return Err(format!(
                "sample {} is not one of iteration {iteration}",
                judged.sample
            ));
        }
        self.judged.insert((iteration, judged.sample), judged.score);
        if self.judged.len() == (iteration + 1) * samples {
            let boards = f64::from(self.settings.boards);
            let scores = self.judged.range((iteration, 0)..);
            let fitness: Vec<f64> = scores.map(|(_, &score)| score as f64 / boards).collect();
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
        u64::from(self.settings.iterations) * u64::from(self.settings.samples)
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
        json!({ "algorithm": self.tuned().expect("both ends of the bounds can be set").to_string() })
    }
}
