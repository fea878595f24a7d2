//! The stage `tune`: tunes numbers of a player's recipe by the Cross-Entropy Method (Chaslot et al.
//! 2008, as Schadd et al., SP-MCTS, section 5, use it).
//!
//! ```text
//! DIR/manifest.json, journal.jsonl, lock    as in `tuning`
//!     tune.csv       mean and deviation of every number after every iteration
//!     tune.svg       the loss of every sample by setting
//!     confirm.csv    the tuned recipe against the given one, on other guesses or games
//! ```
//!
//! The fitness of a sample is minus its loss, in percentage points of win rate per game, on half of
//! a guess set or in games.

use std::path::PathBuf;

use anyhow::ensure;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::as_text;
use crate::compare::CompareRow;
use crate::help::{EXIT_CODES, examples};
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::series::SeriesSettings;
use crate::tuning::{Bounds, DistributionRow, Job, Search, SearchArgs, recorded, table};
use crate::values::unique;
use crate::{Context, Outcome, Row, Rows, Stage, Unobserved, score};
use mineflow_arena::numbers::round;
use mineflow_arena::{
    Arena, Confidence, Configuration, Ending, Estimate, GuessToScore, Plan, ScoreRow, Text, to_csv,
};
use mineflow_minesweeper::Board;
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_rng::Seed;
use mineflow_store::{Journal, Purpose};

const RESULTS: [&str; 3] = ["tune.csv", "tune.svg", "confirm.csv"];
/// The number of scores in a percentage point of loss.
const UNITS: f64 = 1e6;
/// The number of games that confirm the result, as a multiple of those of a sample.
const CONFIRMING: u32 = 10;

/// Tune numbers of a player's recipe by the Cross-Entropy Method
///
/// Each sample sets the numbers, and is scored on one half of a guess set (as `score` does) or in
/// games, which are the same for all samples of an iteration. The result is the mean of the last
/// distribution. The other half of the set, or ten times as many new games, then compares the
/// result with the recipe as given; the guesses and games that tuned never serve for it. Losses are
/// in percentage points of the win rate per game; with several kinds of board, their mean is
/// minimised.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "tune dss+posterior+edge --range margin=0..0.2 --set set --samples 20 --elite 5 --out margin",
            "tune dss+posterior+two-step --range two-step.influence=0..1 --games 500 --luck-corrected --out influence",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct Tune {
    /// Choose the player, by name or recipe, with the options that are not tuned
    #[arg(value_name = "RECIPE")]
    pub player: String,
    /// Choose the numbers to tune, each with its bounds: KEY=LOW..HIGH or PART.KEY=LOW..HIGH,
    /// separated by commas
    #[arg(long, value_name = "BOUNDS", value_delimiter = ',', required = true)]
    #[serde(serialize_with = "as_text::list")]
    pub range: Vec<Bounds>,
    /// Score samples on the guess set in this file, or on tune.parquet in this folder
    #[arg(long, value_name = "FILE", required_unless_present = "games")]
    pub set: Option<PathBuf>,
    /// Score samples in N games on each board under each first-click rule
    #[arg(long, value_name = "N", conflicts_with = "set", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub games: Option<u32>,
    /// For games: choose boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated
    /// by commas
    #[arg(
        long,
        value_name = "BOARDS",
        value_delimiter = ',',
        default_value = "beginner"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub boards: Vec<Board>,
    #[command(flatten)]
    #[serde(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub series: SeriesSettings,
}

impl Stage for Tune {
    fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.games.is_some() || !self.series.luck_corrected,
            "--luck-corrected takes --games: a guess set has no luck"
        );
        self.search.method(&self.range, Seed::new(0))?;
        // A player that can't be loaded here may need the settings of the context.
        let player = self.player.parse();
        player.map_or(Ok(()), |player| self.check_ranges(&player))
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        vec![("player", self.player.clone())]
    }

    fn published(&self) -> Vec<String> {
        self.series.value_models(&self.boards)
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let boards = unique(self.boards.clone());
        let games = self.games.unwrap_or(1);
        let player = self
            .series
            .models
            .players(std::slice::from_ref(&self.player), context.models)?;
        let plan = self.series.plan(player, &boards, games, context)?;
        let given = plan.configurations[0].player.clone();
        self.check_ranges(&given)?;
        let Some((judge, settings)) = self.judge(plan, context)? else {
            return Ok(context.interrupted("no samples"));
        };
        let tuned = |values: &[f64]| self.with(&given, values);
        let result = |values: &[f64]| json!({ "recipe": tuned(values).expect("both ends of the bounds can be set").name });
        let seed = Seed::new(context.seed).child("tune", 0);
        let search = Search::new((&self.search, &self.range), seed, UNITS, &result)?;
        let purpose = Purpose {
            own: &[Journal::FILE],
            results: &RESULTS,
            ..Purpose::of(settings)
        };
        let alone = Context {
            threads: 1,
            observer: &Unobserved,
            ..context.clone()
        };
        let judged = search.run(&purpose, context, |(): &mut (), job: &Job| {
            let loss = judge.loss(&tuned(&job.values)?, job.iteration, &alone)?;
            Ok(loss.map(|loss| (-loss * UNITS).round() as i64))
        })?;
        let mut series = match judged {
            Ok(series) => series,
            Err(interrupted) => return Ok(interrupted),
        };
        let best = tuned(series.records().tuned())?;
        let recipe = best.name.clone();
        let Some(confirmed) = judge.confirm((best, given.clone()), context)? else {
            return Ok(context.interrupted("all samples"));
        };
        let tuned = TunedPlayer {
            recipe,
            iterations: series.records().rows(),
            confirmed,
        };
        let plot = self.plot(&series.records().samples());
        let files = [
            (RESULTS[0], to_csv(&tuned.iterations)?),
            (RESULTS[1], plot.into_bytes()),
            (RESULTS[2], tuned.confirmed.csv()?),
        ];
        series.seal(&files, context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![tuned]))))
    }
}

impl Tune {
    /// Returns what scores the samples, and all settings that results depend on. Returns `None`
    /// after an interruption.
    fn judge(
        &self,
        plan: Plan,
        context: &Context<'_>,
    ) -> anyhow::Result<Option<(Judge, Map<String, Value>)>> {
        let mut settings = self.series.recorded("tune", &plan, context.seed);
        settings.insert("parameters".to_owned(), recorded(&self.range));
        settings.insert("search".to_owned(), serde_json::to_value(&self.search)?);
        let Some(set) = &self.set else {
            settings.insert(Arena::GAMES.to_owned(), plan.games.into());
            return Ok(Some((Judge::Games(plan), settings)));
        };
        let set = match set.is_dir() {
            true => &set.join("tune.parquet"),
            false => set,
        };
        let Some(hash) = score::hash(set, context)? else {
            return Ok(None);
        };
        settings.insert("set".to_owned(), hash.into());
        let halves = halves(score::read(set)?);
        let file = set.display();
        ensure!(
            !halves[1].is_empty(),
            "{file} has too few guesses for two halves; `pipeline guess-set` makes a larger set"
        );
        Ok(Some((Judge::Guesses(halves), settings)))
    }

    /// Returns the player with these values of the tuned numbers, rounded to four digits of the
    /// width of their ranges, or to integers where needed.
    fn with(&self, player: &PlayerSpec, values: &[f64]) -> anyhow::Result<PlayerSpec> {
        let mut recipe = player.recipe.clone();
        for (Bounds(number), &value) in self.range.iter().zip(values) {
            let decimals = 4.0 - libm::log10(number.high - number.low).floor();
            let set = |value: f64| recipe.with_number(&number.name, &value.to_string());
            recipe = set(round(value, decimals as i32)).or_else(|_| set(value.round()))?;
        }
        let name = recipe.without_folders();
        Ok(PlayerSpec { name, recipe })
    }

    /// Tries both ends of the bounds, so that an invalid number is an error before any work.
    fn check_ranges(&self, player: &PlayerSpec) -> anyhow::Result<()> {
        for end in [|of: &Bounds| of.0.low, |of: &Bounds| of.0.high] {
            let values: Vec<f64> = self.range.iter().map(end).collect();
            self.with(player, &values)?;
        }
        Ok(())
    }

    /// Draws the loss of the samples by setting, a colour for each number.
    fn plot(&self, samples: &[(Vec<f64>, f64)]) -> String {
        let losses = || samples.iter().map(|(_, fitness)| -fitness);
        let low = losses().fold(f64::INFINITY, f64::min);
        let high = losses().fold(f64::NEG_INFINITY, f64::max);
        let series = |(place, bounds): (usize, &Bounds)| {
            let Bounds(number) = bounds;
            let point = |(values, fitness): &(Vec<f64>, f64)| {
                let share = (values[place] - number.low) / (number.high - number.low);
                let [value, low, high] = [-fitness; 3];
                Point::new(share, Estimate { value, low, high }).labelled("")
            };
            Series {
                name: bounds.to_string(),
                points: samples.iter().map(point).collect(),
            }
        };
        let series: Vec<Series> = self.range.iter().enumerate().map(series).collect();
        let x = Axis::new("value, % of its range", Scale::Percent, 0.0, 1.0);
        // All samples may have the same loss.
        let high = high.max(low + 1e-3);
        let y = Axis::new("loss, points a game", Scale::Linear, low, high);
        draw(&x, &y, &series, false).unwrap_or_default()
    }
}

/// Splits a set into two halves: every second guess of equal weight on the same kind of board.
/// Weights are raised so that each half stands for all guesses of a game.
fn halves(mut guesses: Vec<GuessToScore>) -> [Vec<GuessToScore>; 2] {
    let stratum = |guess: &GuessToScore| {
        let board = guess.view.board().to_string();
        (board, guess.first_click.name(), guess.weight.to_bits())
    };
    guesses.sort_by_cached_key(stratum);
    let mut halves = [Vec::new(), Vec::new()];
    for guesses in guesses.chunk_by(|a, b| stratum(a) == stratum(b)) {
        for (index, guess) in guesses.iter().enumerate() {
            let own = (guesses.len() + 1 - index % 2) / 2;
            halves[index % 2].push(GuessToScore {
                weight: guess.weight * guesses.len() as f64 / own as f64,
                ..guess.clone()
            });
        }
    }
    halves
}

/// What scores players.
enum Judge {
    /// The guesses that tune, and those that confirm.
    Guesses([Vec<GuessToScore>; 2]),
    /// The games of a sample.
    Games(Plan),
}

impl Judge {
    /// Returns the loss of a sample, or `None` after an interruption.
    fn loss(
        &self,
        player: &PlayerSpec,
        iteration: usize,
        context: &Context<'_>,
    ) -> anyhow::Result<Option<f64>> {
        let losses: Vec<f64> = match self {
            Self::Guesses([guesses, _]) => {
                let player = std::slice::from_ref(player);
                let Some(rows) = score::rows(player, "", guesses, context)? else {
                    return Ok(None);
                };
                rows.iter()
                    .filter(|row| row.unknown == ScoreRow::ALL)
                    .map(|row| row.loss)
                    .collect()
            }
            Self::Games(plan) => {
                let seed = plan.seed.child("tune", iteration as u64);
                let plan = Plan {
                    seed,
                    threads: context.threads,
                    ..played_by([player], plan)
                };
                let Some(arena) = play(plan, context)? else {
                    return Ok(None);
                };
                let tallies = arena.ledger().tallies().iter();
                let won = tallies.map(|tally| {
                    let of = tally.win_rate();
                    of.corrected.unwrap_or(of.raw.value)
                });
                won.map(|won| 100.0 * (1.0 - won)).collect()
            }
        };
        Ok(Some(losses.iter().sum::<f64>() / losses.len() as f64))
    }

    /// Compares the tuned player with the given one on guesses or games that tuned nothing. Returns
    /// `None` after an interruption.
    fn confirm(
        &self,
        players: (PlayerSpec, PlayerSpec),
        context: &Context<'_>,
    ) -> anyhow::Result<Option<Confirmed>> {
        let [tuned, given] = ["tuned", "given"].map(str::to_owned);
        let named = |name, spec: PlayerSpec| PlayerSpec { name, ..spec };
        let (tuned, given) = (named(tuned, players.0), named(given, players.1));
        Ok(match self {
            Self::Guesses([_, guesses]) => {
                score::rows(&[given, tuned], "", guesses, context)?.map(Confirmed::Scores)
            }
            Self::Games(plan) => {
                let seed = plan.seed.child("confirm", 0);
                let plan = Plan {
                    seed,
                    games: plan.games * CONFIRMING,
                    ..played_by([&tuned, &given], plan)
                };
                let row = |arena: &Arena, pair| CompareRow::new(arena, pair, Confidence::default());
                play(plan, context)?.map(|arena| {
                    let pairs = 0..arena.plan().configurations.len() / 2;
                    Confirmed::Games(pairs.map(|pair| row(&arena, pair)).collect())
                })
            }
        })
    }
}

/// Returns a plan in which each of these players plays the games of the planned player.
fn played_by<const N: usize>(players: [&PlayerSpec; N], plan: &Plan) -> Plan {
    let of_player = |player: &PlayerSpec| {
        let mut own = plan.configurations.clone();
        own.iter_mut()
            .for_each(|at: &mut Configuration| at.player = player.clone());
        own
    };
    Plan {
        configurations: players.into_iter().flat_map(of_player).collect(),
        ..plan.clone()
    }
}

/// Plays a plan. Returns `None` after an interruption.
fn play(plan: Plan, context: &Context<'_>) -> anyhow::Result<Option<Arena>> {
    let mut arena = Arena::in_memory(plan);
    let ending = arena.play(context.stop, &mut |progress| context.games(progress, ""))?;
    Ok((ending == Ending::Finished).then_some(arena))
}

/// The result of `tune`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TunedPlayer {
    /// The recipe with the means of the last distribution.
    pub recipe: String,
    pub iterations: Vec<DistributionRow>,
    pub confirmed: Confirmed,
}

/// The comparison of the tuned player with the given one: of their scores, or of their games.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Confirmed {
    Scores(Vec<ScoreRow>),
    Games(Vec<CompareRow>),
}

impl Confirmed {
    fn csv(&self) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::Scores(rows) => to_csv(rows),
            Self::Games(rows) => to_csv(rows),
        }
    }
}

impl Row for TunedPlayer {
    fn text(rows: &[Self]) -> Text {
        rows.iter().fold(Text::default(), |text, of| {
            text.then(table(&of.iterations, 3))
                .then("score: minus the loss, in points a game\n\n")
                .then(match &of.confirmed {
                    Confirmed::Scores(rows) => ScoreRow::text(rows),
                    Confirmed::Games(rows) => CompareRow::text(rows),
                })
                .then(format!("tuned: {}\n", of.recipe))
        })
    }
}
