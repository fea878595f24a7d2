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
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{ALGORITHMS, BudgetText, Size, check_colours};
use mineflow_arena::{Ending, Workers};
use mineflow_document::numbers::grouped;
use mineflow_document::{Align, columns};
use mineflow_document::{numbers::round, to_csv};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, Puzzle};
use mineflow_search::cross_entropy::{CrossEntropy, Distribution, Parameter};
use mineflow_stage::definition::{Answer, Context as StageContext, Outcome, Stage, json_lines};
use mineflow_stage::kind::{Effort, Kind};
use mineflow_stage::settings;
use mineflow_stage::texts::{text, texts};
use mineflow_stage::values::check_range;
use mineflow_store::{Folder, Purpose};

const PROGRESS: &str = "progress.json";
const DISTRIBUTION: &str = "distribution.csv";

settings! {
    /// Options of an algorithm, found by the Cross-Entropy Method.
    pub struct SamegameTune {
        /// Algorithm, with the options that are not tuned
        #[arg(long, value_name = "ALGORITHM", default_value_t = Self::default().algorithm)]
        #[serde(with = "text")]
        pub algorithm: Algorithm = "sp-mcts".parse().expect("it is an algorithm"),
        /// Options to tune, each with its bounds: KEY=LOW..HIGH, separated by commas
        #[arg(long, value_name = "BOUNDS", value_delimiter = ',', default_values_t = Self::default().bounds)]
        #[serde(with = "texts")]
        pub bounds: Vec<Bounds> = usual_bounds(),
        /// Samples of an iteration
        #[arg(long, value_name = "N", default_value_t = Self::default().samples, value_parser = clap::value_parser!(u32).range(3..=100_000))]
        pub samples: u32 = 100,
        /// Samples of which the next iteration is made
        #[arg(long, value_name = "N", default_value_t = Self::default().elite, value_parser = clap::value_parser!(u32).range(2..=100_000))]
        pub elite: u32 = 10,
        /// Iterations
        #[arg(long, value_name = "N", default_value_t = Self::default().iterations, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        pub iterations: u32 = 10,
        /// Random boards of an iteration, the same ones for all its samples
        #[arg(long, value_name = "N", default_value_t = Self::default().boards, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        pub boards: u32 = 30,
        /// Size of random boards, up to 25x25
        #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = Self::default().size)]
        #[serde(with = "text")]
        pub size: Size = Size { width: 15, height: 15 },
        /// Colours of random boards
        #[arg(long, value_name = "N", default_value_t = Self::default().colours)]
        pub colours: u32 = 5,
        /// Budget of a board
        #[arg(long, value_name = "BUDGET", default_value_t = Self::default().budget)]
        #[serde(with = "text")]
        pub budget: BudgetText = "playouts=2000".parse().expect("it is a budget"),
    }
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
    const KIND: Kind = Kind {
        summary: "Find settings of an algorithm by the Cross-Entropy Method",
        examples: &[
            "samegame tune --algorithm sp-mcts --iterations 5 --out tuned",
            "samegame tune --samples 20 --elite 4 --budget nodes=10000",
        ],
        out: "Folder for progress and tables; interrupted, the same command resumes there",
        notes: ALGORITHMS,
        ..Kind::of::<Self>("samegame tune")
    };

    fn check(&self) -> anyhow::Result<()> {
        check_range("samples", self.samples, 3..=100_000)?;
        check_range("elite", self.elite, 2..=100_000)?;
        check_range("iterations", self.iterations, 1..=10_000)?;
        check_range("boards", self.boards, 1..=100_000)?;
        check_colours(self.colours)
    }

    fn effort(&self) -> Option<Effort> {
        Some(Effort::new("iterations", self.iterations, 1))
    }

    fn run(&self, context: &StageContext<'_>) -> anyhow::Result<Outcome> {
        let settings = Tune {
            algorithm: self.algorithm,
            parameters: self.bounds.iter().map(|bounds| bounds.0.clone()).collect(),
            samples: self.samples as usize,
            elite: self.elite as usize,
            iterations: self.iterations.into(),
            boards: self.boards as usize,
            width: self.size.width,
            height: self.size.height,
            colours: self.colours as usize,
            budget: self.budget,
            seed: context.seed,
            threads: context.threads,
            out: context.folder()?.to_owned(),
        };
        let mut tuning = settings.open(context.stop)?;
        context.note_damage(&tuning.folder);
        let (before, planned) = tuning.progress();
        if before > 0 {
            context.note(&format!("note: resuming after {} of {} samples", grouped(before), grouped(planned)));
        }
        context.count("samples", before, planned, "");
        let ending = tuning.run(context.stop, &mut |judged| context.count("samples", judged, planned, ""))?;
        if ending == Ending::Stopped {
            let judged = grouped(tuning.progress().0);
            return Ok(context.interrupted(&format!("{judged} of {} samples", grouped(planned))));
        }
        Ok(Outcome::Done(Box::new(tuning.finish(context.stop)?)))
    }
}

impl Answer for Tuned {
    fn json(&self) -> serde_json::Result<String> {
        json_lines([self])
    }

    fn text(&self) -> String {
        let header = [
            ("iteration", Align::Right),
            ("parameter", Align::Left),
            ("mean", Align::Right),
            ("deviation", Align::Right),
            ("mean score", Align::Right),
            ("best score", Align::Right),
        ];
        let rows: Vec<_> = self.rows.iter().map(for_people).collect();
        format!("{}{}\n", columns(header, &rows), self.algorithm)
    }
}

fn for_people(row: &DistributionRow) -> [String; 6] {
    let fitness = |fitness: Option<f64>| fitness.map_or("-".to_owned(), |fitness| format!("{fitness:.1}"));
    [
        row.iteration.to_string(),
        row.parameter.clone(),
        format!("{:.5}", row.mean),
        format!("{:.5}", row.deviation),
        fitness(row.mean_fitness),
        fitness(row.best_fitness),
    ]
}

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
        .with_context(|| format!("{} is not a folder of `samegame tune`", folder.display()))?;
    Ok(algorithm.parse()?)
}

impl Tune {
    /// Opens the folder, with everything that it holds already; judges nothing yet.
    pub fn open(self, stop: &AtomicBool) -> anyhow::Result<Tuning> {
        ensure!(self.iterations > 0 && self.boards > 0, "tuning takes at least one iteration and one board");
        let seed = Seed::new(self.seed).child("samegame tune", 0);
        let method = CrossEntropy::new(self.parameters.clone(), self.samples, self.elite, seed)?;
        // Both ends, so that what can't be set is told before the work.
        for end in [|parameter: &Parameter| parameter.low, |parameter: &Parameter| parameter.high] {
            self.with(&self.parameters.iter().map(end).collect::<Vec<_>>())?;
        }
        self.puzzles(0)?;
        let purpose = Purpose { results: &[DISTRIBUTION], ..Purpose::of(self.manifest()) };
        let folder = Folder::open(&self.out, &purpose, stop)?;
        let progress = match folder.read_checked(PROGRESS)? {
            Some(text) => serde_json::from_slice(&text).with_context(|| {
                format!("{} does not record the progress of this search", self.out.join(PROGRESS).display())
            })?,
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
            ("command", json!("samegame tune")),
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

    /// Judges what is missing; `watch` gets the number of samples judged after each. Once `stop` is set, samples under
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
    pub fn finish(&mut self, stop: &AtomicBool) -> anyhow::Result<Tuned> {
        let last = self.progress.distributions.last().expect("the first is there from the start");
        let tuned = Tuned { algorithm: self.settings.with(&last.mean)?.to_string(), rows: self.rows() };
        self.folder.write(DISTRIBUTION, &to_csv(&tuned.rows)?)?;
        self.folder.finish(&Found { algorithm: tuned.algorithm.clone() }, stop)?;
        Ok(tuned)
    }
}
