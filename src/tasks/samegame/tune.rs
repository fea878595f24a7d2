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

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{ALGORITHMS, BudgetText, RandomBoards};
use crate::{
    Context, Outcome, Row, Rows, Stage, as_text,
    help::examples,
    tuning::{DistributionRow, Search, SearchArgs, ends, table, with},
};
use mineflow_arena::{Text, to_csv};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, Puzzle};
use mineflow_search::cross_entropy::Parameter;
use mineflow_store::{Folder, Journal, Purpose, object};

const DISTRIBUTION: &str = "distribution.csv";

/// Tune the settings of an algorithm by the Cross-Entropy Method
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "samegame tune --algorithm sp-mcts --iterations 5 --out tuned",
            "samegame tune --samples 20 --elite 4 --budget nodes=10000 --out small",
        ], ALGORITHMS))]
pub struct SamegameTune {
    /// Choose the algorithm, with the options that are not tuned
    #[arg(long, value_name = "ALGORITHM", default_value = "sp-mcts")]
    #[serde(serialize_with = "as_text::one")]
    pub algorithm: Algorithm,
    /// Choose the options to tune, each with its bounds: KEY=LOW..HIGH, separated by commas
    #[arg(long, value_name = "BOUNDS", value_delimiter = ',', default_values_t = usual_bounds())]
    #[serde(serialize_with = "as_text::list")]
    pub bounds: Vec<Parameter>,
    #[command(flatten)]
    #[serde(flatten)]
    pub search: SearchArgs,
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
fn usual_bounds() -> Vec<Parameter> {
    let bounds = [
        ("c", 10.0),
        ("d", 200.0),
        ("t", 30.0),
        ("w", 1.0),
        ("epsilon", 0.01),
    ];
    bounds
        .map(|(key, high)| Parameter::new(key, 0.0, high))
        .to_vec()
}

impl Stage for SamegameTune {
    fn check(&self) -> Result<()> {
        self.search.method(&self.bounds, Seed::new(0))?;
        for values in ends(&self.bounds) {
            self.with(&values)?;
        }
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let seed = Seed::new(context.seed);
        self.puzzles(seed, 0)?;
        let result = |values: &[f64]| json!({ "algorithm": self.with(values).expect("both ends of the bounds can be set").to_string() });
        let search = Search::new(
            (&self.search, &self.bounds),
            seed.child("samegame tune", 0),
            self.boards.into(),
            &result,
        )?;
        let purpose = Purpose {
            own: &[Journal::FILE],
            results: &[DISTRIBUTION],
            ..Purpose::of(self.manifest(context.seed))
        };
        let judged = search.run(&purpose, context, |iteration, values| {
            self.judge(iteration, values, seed)
        })?;
        let mut series = match judged {
            Ok(series) => series,
            Err(interrupted) => return Ok(interrupted),
        };
        let tuned = Tuned {
            algorithm: self.with(series.records().tuned())?.to_string(),
            rows: series.records().rows(),
        };
        series.seal(&[(DISTRIBUTION, to_csv(&tuned.rows)?)], context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![tuned]))))
    }
}

impl Row for Tuned {
    fn text(rows: &[Self]) -> Text {
        rows.iter().fold(Text::default(), |text, tuned| {
            text.then(table(&tuned.rows, 1))
                .then(format!("{}\n", tuned.algorithm))
        })
    }
}

/// The result of `samegame tune`: the tuned algorithm and the table of distributions.
#[derive(Serialize)]
pub struct Tuned {
    /// The algorithm whose options are the means of the last distribution.
    pub algorithm: String,
    pub rows: Vec<DistributionRow>,
}

/// Reads the algorithm that the finished search in `folder` found.
pub fn tuned_algorithm(folder: &Path) -> Result<Algorithm> {
    let there = folder.display();
    let found = Folder::finished_result(folder)?.with_context(|| {
        format!("{there} holds no finished search of `samegame tune`; run that to its end first")
    })?;
    let algorithm = found["algorithm"].as_str();
    let algorithm =
        algorithm.with_context(|| format!("{there} is not a folder of `samegame tune`"))?;
    Ok(algorithm.parse()?)
}

impl SamegameTune {
    /// Returns the algorithm with these parameter values.
    fn with(&self, values: &[f64]) -> Result<Algorithm> {
        Ok(with(
            self.algorithm,
            &self.bounds,
            values,
            |of, key, value| of.with_option(key, value),
        )?)
    }

    fn puzzles(&self, seed: Seed, iteration: usize) -> Result<Vec<Puzzle>> {
        let boards = seed.child("samegame tune boards", iteration as u64);
        self.random.set().draw(self.boards as usize, boards)
    }

    /// Plays the boards of an iteration with the values of a sample and returns the sum of scores.
    fn judge(&self, iteration: usize, values: &[f64], seed: Seed) -> Result<i64> {
        let algorithm = self.with(values)?;
        let budget = self.budget.budget();
        let puzzles = self.puzzles(seed, iteration)?;
        let seed = seed.child("games", iteration as u64);
        let games = puzzles.iter().zip(0..);
        let play = |(puzzle, game)| algorithm.solve(puzzle, budget, seed.child("game", game));
        Ok(games.map(play).map(|game| i64::from(game.score)).sum())
    }

    fn manifest(&self, seed: u64) -> Map<String, Value> {
        object(json!({
            "command": "samegame tune",
            "algorithm": self.algorithm.to_string(),
            "parameters": self.bounds,
            "samples": self.search.samples,
            "elite": self.search.elite,
            "iterations": self.search.iterations,
            "boards": { "count": self.boards, "width": self.random.size.width, "height": self.random.size.height },
            "colours": self.random.colours,
            "budget": self.budget.to_string(),
            "seed": seed,
        }))
    }
}
