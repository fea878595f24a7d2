//! The stage `tune`: tunes numbers of a player's recipe by the Cross-Entropy Method (Chaslot et al.
//! 2008, as Schadd et al., SP-MCTS, section 5, use it).
//!
//! ```text
//! DIR/manifest.json, journal.jsonl, lock    as in `tuning`
//!     tune.csv       mean and deviation of every number after every iteration
//!     tune.svg       the loss of every sample by setting
//!     confirm.csv    the tuned recipe against the given one, on other guesses
//! ```
//!
//! The fitness of a sample is minus its loss, in percentage points of win rate per game, on half of
//! a guess set.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    Context, ModelArgs, Outcome, Row, Rows, Stage, Unobserved, as_text,
    help::{EXIT_CODES, examples},
    plot::{Axis, Point, Scale, Series, draw},
    resume::revision_of_players,
    score,
    tuning::{DistributionRow, Search, SearchArgs, ends, table, with},
};
use mineflow_arena::{Estimate, GuessToScore, ScoreRow, Text, numbers::round, to_csv};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_rng::Seed;
use mineflow_search::cross_entropy::Parameter;
use mineflow_store::{Journal, Purpose, object};

const RESULTS: [&str; 3] = ["tune.csv", "tune.svg", "confirm.csv"];
/// The number of scores in a percentage point of loss.
const UNITS: f64 = 1e6;

/// Tune numbers of a player's recipe by the Cross-Entropy Method
///
/// Each sample sets the numbers, and is scored on one half of a guess set, as `score` does. The
/// result is the mean of the last distribution. The other half of the set, which tuned nothing,
/// then compares the result with the recipe as given. Losses are in percentage points of the win
/// rate per game; with several kinds of board, their mean is minimised.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "tune dss+posterior+edge --range margin=0..0.2 --set set --samples 20 --elite 5 --out margin",
            "tune dss+posterior+two-step --range two-step.influence=0..1 --set set --out influence",
        ], EXIT_CODES))]
pub struct Tune {
    /// Choose the player, by name or recipe, with the options that are not tuned
    #[arg(value_name = "RECIPE")]
    pub player: String,
    /// Choose the numbers to tune, each with its bounds: KEY=LOW..HIGH or PART.KEY=LOW..HIGH,
    /// separated by commas
    #[arg(long, value_name = "BOUNDS", value_delimiter = ',', required = true)]
    #[serde(serialize_with = "as_text::list")]
    pub range: Vec<Parameter>,
    /// Score samples on the guess set in this file, or on tune.parquet in this folder
    #[arg(long, value_name = "FILE")]
    pub set: PathBuf,
    #[command(flatten)]
    #[serde(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
}

impl Stage for Tune {
    fn check(&self) -> Result<()> {
        self.search.method(&self.range, Seed::new(0))?;
        // A player that can't be loaded here may need the settings of the context.
        let player = self.player.parse();
        player.map_or(Ok(()), |player| self.check_ranges(&player))
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let player = std::slice::from_ref(&self.player);
        let given = self.models.players(player, context.models)?.remove(0);
        self.check_ranges(&given)?;
        let set = &score::tuning_set(&self.set);
        let settings = self.manifest(&given, &score::hash(set, context)?, context.seed);
        let [tuning, confirming] = halves(score::read(set)?);
        ensure!(
            !confirming.is_empty(),
            "{} has too few guesses for two halves; `pipeline guess-set` makes a larger set",
            set.display()
        );
        let result = |values: &[f64]| json!({ "recipe": self.with(&given, values).expect("both ends of the bounds can be set").name });
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
        let judged = search.run(&purpose, context, |_, values| {
            let rows = score::rows(&[self.with(&given, values)?], "", &tuning, &alone)?;
            let all = rows.iter().filter(|row| row.unknown == ScoreRow::ALL);
            let losses = all.clone().map(|row| row.loss).sum::<f64>();
            Ok((-losses / all.count() as f64 * UNITS).round() as i64)
        })?;
        let mut series = match judged {
            Ok(series) => series,
            Err(interrupted) => return Ok(interrupted),
        };
        let best = self.with(&given, series.records().tuned())?;
        let recipe = best.name.clone();
        let players =
            [("given", given.clone()), ("tuned", best)].map(|(name, player)| PlayerSpec {
                name: name.to_owned(),
                ..player
            });
        let tuned = TunedPlayer {
            recipe,
            iterations: series.records().rows(),
            confirmed: score::rows(&players, "", &confirming, context)?,
        };
        let plot = self.plot(&series.records().samples());
        let files = [
            (RESULTS[0], to_csv(&tuned.iterations)?),
            (RESULTS[1], plot.into_bytes()),
            (RESULTS[2], to_csv(&tuned.confirmed)?),
        ];
        series.seal(&files, context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![tuned]))))
    }
}

impl Tune {
    /// Returns all settings that the result depends on. `set` is the hash of the guess set.
    fn manifest(&self, given: &PlayerSpec, set: &str, seed: u64) -> Map<String, Value> {
        let mut settings = object(json!({
            "command": "tune",
            "player": given.recipe.without_folders(),
            "parameters": self.range,
            "search": self.search,
            "set": set,
            "seed": seed,
        }));
        settings.extend(revision_of_players([given]));
        settings
    }

    /// Returns the player with these values of the tuned numbers, rounded to four digits of the
    /// width of their ranges.
    fn with(&self, player: &PlayerSpec, values: &[f64]) -> Result<PlayerSpec> {
        let rounded = |(of, &value): (&Parameter, &f64)| {
            let decimals = 4.0 - libm::log10(of.high - of.low).floor();
            round(value, decimals as i32)
        };
        let values: Vec<f64> = self.range.iter().zip(values).map(rounded).collect();
        let recipe = player.recipe.clone();
        let recipe = with(recipe, &self.range, &values, |of, key, value| {
            of.with_number(key, value)
        })?;
        let name = recipe.without_folders();
        Ok(PlayerSpec { name, recipe })
    }

    fn check_ranges(&self, player: &PlayerSpec) -> Result<()> {
        for values in ends(&self.range) {
            self.with(player, &values)?;
        }
        Ok(())
    }

    /// Draws the loss of the samples by setting, a colour for each number.
    fn plot(&self, samples: &[(Vec<f64>, f64)]) -> String {
        let series = |(place, bounds): (usize, &Parameter)| {
            let point = |(values, fitness): &(Vec<f64>, f64)| {
                let share = (values[place] - bounds.low) / (bounds.high - bounds.low);
                Point::new(share, Estimate::exactly(-fitness)).labelled("")
            };
            Series::new(&bounds.to_string(), samples.iter().map(point))
        };
        let series: Vec<Series> = self.range.iter().enumerate().map(series).collect();
        let x = Axis::new("value, % of its range", Scale::Percent, 0.0, 1.0);
        let y = Axis::fitted("loss, points a game", Scale::Linear);
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

/// The result of `tune`.
#[derive(Serialize)]
pub struct TunedPlayer {
    /// The recipe with the means of the last distribution.
    pub recipe: String,
    pub iterations: Vec<DistributionRow>,
    /// The scores of the tuned player and the given one, on guesses that tuned nothing.
    pub confirmed: Vec<ScoreRow>,
}

impl Row for TunedPlayer {
    fn text(rows: &[Self]) -> Text {
        rows.iter().fold(Text::default(), |text, of| {
            text.then(table(&of.iterations, 3))
                .then("score: minus the loss, in points a game\n\n")
                .then(ScoreRow::text(&of.confirmed))
                .then(format!("tuned: {}\n", of.recipe))
        })
    }
}
