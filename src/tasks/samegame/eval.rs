//! Evaluates algorithms on sets of boards with several budgets, as in the tables of Schadd et al.
//! (SP-MCTS).

use std::{num::NonZeroU32, path::PathBuf};

use anyhow::{Result, ensure};
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use super::tables::{BoardRow, CostRow, EvalRow};
use super::{ALGORITHMS, BoardSet, BudgetText, RandomBoards, tune::tuned_algorithm};
use super::{
    games::{Games, PlayedBoard},
    tables::Tables,
};
use crate::{
    Context, Outcome, SprtArgs, Stage, as_text,
    help::examples,
    part::ensure_unsharded,
    resume::{end, note_resumed, noted_revision},
    values::check_range,
};
use mineflow_arena::{Pairs, Part, Records, Rounds, Series, Slots, Sprt};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, REVISION};
use mineflow_store::{Purpose, object};

/// The files that are made from the journal.
const RESULTS: &[&str] = &["boards.csv", "solutions.json", "eval.csv"];

/// Default number of random boards.
const RANDOM_BOARDS: u32 = 250;

/// Play boards with each algorithm and budget; print means and standard deviations
///
/// The hypotheses of --sprt are on the mean score of the first of two algorithms minus that of the
/// second, in points of the game. The test is evaluated after every 5 boards, first after 20.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "samegame eval --algorithms sp-mcts,nrpa:iterations=30 --count 20",
            "samegame eval --boards boards.json --budgets nodes=10000,nodes=100000 --out points",
        ], ALGORITHMS))]
pub struct SamegameEval {
    /// Read the boards from this file [default: random boards of --seed]
    #[arg(long, value_name = "FILE")]
    pub boards: Option<PathBuf>,
    #[arg(long, value_name = "N", help = format!("Play the first N boards [default: all of the file, or {RANDOM_BOARDS} random ones]"))]
    pub count: Option<NonZeroU32>,
    #[command(flatten)]
    #[serde(flatten)]
    pub random: RandomBoards,
    /// Choose the algorithms, with options, separated by commas
    #[arg(
        long,
        value_name = "ALGORITHMS",
        value_delimiter = ',',
        default_value = "sp-mcts"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub algorithms: Vec<Algorithm>,
    /// Add the algorithms found in these folders of `samegame tune`, separated by commas
    #[arg(long, value_name = "DIRS", value_delimiter = ',')]
    pub tuned: Vec<PathBuf>,
    /// Set the budgets of a board, separated by commas
    #[arg(
        long,
        value_name = "BUDGETS",
        value_delimiter = ',',
        default_value = "nodes=10000"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub budgets: Vec<BudgetText>,
    #[command(flatten)]
    #[serde(flatten)]
    pub test: SprtArgs,
}

impl Stage for SamegameEval {
    fn check(&self) -> Result<()> {
        check_range(
            "count",
            self.count.map_or(1, NonZeroU32::get),
            1..=1_000_000,
        )?;
        for (index, algorithm) in self.algorithms.iter().enumerate() {
            ensure!(
                !self.algorithms[..index].contains(algorithm),
                "algorithm {algorithm} is given twice; give it once, or another one"
            );
        }
        self.test.sprt.map_or(Ok(()), |_| self.check_test())
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let set = self.board_set();
        let games = self.games(&set, context.seed)?;
        if self.test.sprt.is_some() {
            ensure_unsharded(context, Sprt::SETTING)?;
        }
        let mut settings = settings_of(&games, &set.settings()?);
        settings.extend(self.test.sprt.map(Sprt::noted));
        let purpose = Purpose {
            results: RESULTS,
            ..Purpose::of(context.part.noted_in(settings))
        };
        let folder = context.open_if_given(&purpose)?;
        let mut series = Series::open(self.slots(&games, context.part), folder)?;
        note_resumed(context, &series);
        series.play(
            context.workers(),
            Slots::missing,
            |(): &mut (), game, results| results.hand_in(anyhow::Ok(games.play(game))),
            |series, _| {
                context.count(
                    "games",
                    series.records().done(),
                    series.records().most(),
                    "",
                )
            },
        )?;
        let planned = series.records().planned();
        if let Some(outcome) = end(context, &mut series, planned)? {
            return Ok(outcome);
        }
        let tables = Tables::of(&games, series.records());
        series.seal(&tables.files()?, context.stop)?;
        Ok(Outcome::Done(Box::new(tables)))
    }
}

/// Number of boards between two evaluations of a sequential test.
const ROUND: u32 = 5;

impl SamegameEval {
    /// Checks that every board has two scores, which the sequential test compares.
    fn check_test(&self) -> Result<()> {
        let algorithms = self.algorithms.len() + self.tuned.len();
        let budgets = self.budgets.len();
        ensure!(
            algorithms == 2 && budgets == 1,
            "--sprt tests two algorithms with one budget, not {algorithms} with {budgets}; name two --algorithms and one of --budgets"
        );
        Ok(())
    }

    /// Creates empty slots for the games to play.
    fn slots(&self, games: &Games, part: Part) -> Slots<PlayedBoard> {
        let Some(sprt) = self.test.sprt else {
            return Slots::new(games.own(part));
        };
        let observe = |first: &PlayedBoard, second: &PlayedBoard| {
            f64::from(first.score) - f64::from(second.score)
        };
        let pairs = Pairs {
            step: 1,
            apart: games.boards(),
            observe,
        };
        // The reach of an observation is given as 0 (not known), because scores have no common
        // upper bound.
        Slots::tested(
            vec![(0, Rounds::new(sprt, ROUND, games.boards() as u32, 0.0))],
            pairs,
        )
    }

    /// Returns the number of boards, or `None` for all boards of a file.
    fn count(&self) -> Option<u32> {
        self.count
            .map(NonZeroU32::get)
            .or(self.boards.is_none().then_some(RANDOM_BOARDS))
    }

    fn board_set(&self) -> BoardSet {
        match &self.boards {
            Some(file) => BoardSet::File(file.clone()),
            None => self.random.set(),
        }
    }

    fn games(&self, set: &BoardSet, seed: u64) -> Result<Games> {
        let tuned = self
            .tuned
            .iter()
            .map(|folder| tuned_algorithm(folder))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Games {
            puzzles: set.puzzles(self.count().map(|count| count as usize), Seed::new(seed))?,
            algorithms: [&self.algorithms[..], &tuned].concat(),
            budgets: self.budgets.clone(),
            seed,
        })
    }
}

/// Returns all settings that results depend on.
fn settings_of(games: &Games, boards: &Value) -> Map<String, Value> {
    let Games {
        puzzles,
        algorithms,
        budgets,
        seed,
    } = games;
    let mut settings = object(json!({
        "command": "samegame eval",
        "boards": boards,
        "count": puzzles.len(),
        "algorithms": Value::from_iter(algorithms.iter().map(Algorithm::to_string)),
        "budgets": Value::from_iter(budgets.iter().map(BudgetText::to_string)),
        "seed": seed,
    }));
    settings.extend(noted_revision(REVISION));
    settings
}
