//! The stage `tune`: tunes numbers of a player's recipe by the Cross-Entropy Method (Chaslot et al.
//! 2008, as Schadd et al., SP-MCTS, section 5, use it).
//!
//! ```text
//! DIR/manifest.json, journal.jsonl, lock    as in `tuning`
//!     tune.csv       mean and deviation of every number after every iteration
//!     samples.csv    the loss of every sample
//!     confirm.csv    the tuned recipe against the given one, on other guesses or games
//!     tune.svg       loss by setting
//! ```
//!
//! The fitness of a sample is minus its loss on half of a guess set, or in games. The two halves of
//! a set are told apart by a hash of each guess's seed: one tunes, the other confirms.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::ensure;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::as_text;
use crate::help::{EXIT_CODES, examples};
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::resume::revision_of_players;
use crate::series::value_models;
use crate::tuning::{Bounds, DistributionRow, Job, Search, SearchArgs, recorded, table};
use crate::values::{self, unique};
use crate::{Context, FirstClickArgs, ModelArgs, Outcome, Row, Rows, Stage, Unobserved, score};
use mineflow_arena::numbers::{ends, grouped, round};
use mineflow_arena::{
    Arena, Comparison, Confidence, Configuration, Ending, Estimate, GuessToScore, Plan, ScoreRow,
    TableOf, Text, to_csv,
};
use mineflow_minesweeper::player::{Limits, PlayerSpec, ValueModel};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_rng::Seed;
use mineflow_store::{Journal, Purpose, object};

const RESULTS: [&str; 4] = ["tune.csv", "samples.csv", "confirm.csv", "tune.svg"];
/// The number of scores in a percentage point of loss.
const UNITS: f64 = 1e6;
/// The name of a row that covers all kinds of board.
const ALL: &str = "all";
/// The number of games that confirm the result, as a multiple of those of a sample.
const CONFIRM: u32 = 10;

/// Tune numbers of a player's recipe by the Cross-Entropy Method
///
/// Each sample sets the numbers, and is scored on one half of a guess set (as `score` does) or in
/// games. All samples of an iteration play the same games, which are luck-corrected. The result is
/// the mean of the last distribution. The other half of the set, or ten times as many new games,
/// then compares the result with the recipe as given: only this comparison is unbiased. Losses are
/// in percentage points of the win rate per game; with several kinds of board, the mean over them
/// is minimised.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "tune posterior+edge --range margin=0..0.2 --set set/tune.parquet --samples 20 --elite 5",
            "tune dss+posterior+two-step --range influence=0..1 --games 500 --boards beginner",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct Tune {
    /// Choose the player, by name or recipe
    #[arg(value_name = "RECIPE")]
    pub player: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
    /// Choose the numbers to tune, each with its bounds: KEY=LOW..HIGH or PART.KEY=LOW..HIGH,
    /// separated by commas
    #[arg(long, value_name = "BOUNDS", value_delimiter = ',', required = true)]
    #[serde(serialize_with = "as_text::list")]
    pub range: Vec<Bounds>,
    /// Score samples on this guess set, a file or folder of `guess-set`
    #[arg(long, value_name = "FILE", required_unless_present = "games")]
    pub set: Option<PathBuf>,
    /// Score samples in N games on each board under each first-click rule instead
    #[arg(long, value_name = "N", conflicts_with = "set", value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub games: Option<u32>,
    /// Choose boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    /// [default: all boards of the set; beginner for games]
    #[arg(long, value_name = "BOARDS", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    pub boards: Vec<Board>,
    #[command(flatten)]
    #[serde(flatten)]
    pub first_clicks: FirstClickArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub search: SearchArgs,
}

/// What scores players.
enum Judge {
    /// The guesses that tune, and those that confirm.
    Guesses([Vec<GuessToScore>; 2]),
    /// Games on each kind of board, with the value model that measures their luck if there is one.
    Games(u32, Vec<(Board, FirstClick, Option<ValueModel>)>),
}

impl Stage for Tune {
    fn check(&self) -> anyhow::Result<()> {
        self.search.method(&self.range, Seed::new(0))?;
        match self.player.parse() {
            Ok(player) => self.check_ranges(&player),
            // The player may need a model that --model gives.
            Err(_) => Ok(()),
        }
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        vec![("player", self.player.clone())]
    }

    fn published(&self) -> Vec<String> {
        self.games.map_or(Vec::new(), |_| {
            value_models(&self.boards(), &self.first_clicks.rules())
        })
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let player = self.models.player(&self.player, context.models)?;
        self.check_ranges(&player)?;
        let Some((judge, judged_by)) = self.judge(context)? else {
            return Ok(context.interrupted("no samples"));
        };
        let tuned = |values: &[f64]| self.with(&player, values);
        let result = |values: &[f64]| json!({ "recipe": tuned(values).expect("both ends of the bounds can be set").name });
        let seed = Seed::new(context.seed).child("tune", 0);
        let search = Search::new((&self.search, &self.range), seed, UNITS, &result)?;
        let purpose = Purpose {
            own: &[Journal::FILE],
            results: &RESULTS,
            ..Purpose::of(self.manifest(&player, judged_by, context.seed))
        };
        let alone = Context {
            threads: 1,
            observer: &Unobserved,
            ..context.clone()
        };
        let judged = search.run(&purpose, context, |(): &mut (), job: &Job| {
            let sample = [tuned(&job.values)?];
            let rows = judge.rows(&sample, Some(job.iteration), &alone)?;
            let loss = rows.and_then(|rows| rows.last().map(|row| row.loss));
            Ok(loss.map(|loss| (-loss * UNITS).round() as i64))
        })?;
        let mut series = match judged {
            Ok(series) => series,
            Err(interrupted) => return Ok(interrupted),
        };
        let best = tuned(series.records().tuned())?;
        let recipe = best.name.clone();
        let named = |name: &str, spec: PlayerSpec| PlayerSpec {
            name: name.to_owned(),
            ..spec
        };
        let pair = [named("given", player.clone()), named("tuned", best)];
        let Some(confirmed) = judge.rows(&pair, None, context)? else {
            return Ok(context.interrupted("all samples"));
        };
        let samples = self.samples(&series.records().samples());
        let tuned = TunedPlayer {
            recipe,
            iterations: series.records().rows(),
            confirmed,
        };
        let files = [
            (RESULTS[0], to_csv(&tuned.iterations)?),
            (RESULTS[1], to_csv(&samples)?),
            (RESULTS[2], to_csv(&tuned.confirmed)?),
            (RESULTS[3], self.plot(&samples).into_bytes()),
        ];
        series.seal(&files, context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(vec![tuned]))))
    }
}

impl Tune {
    /// Returns the player with these values of the tuned numbers, rounded to four digits of the
    /// width of their ranges, or to integers where needed.
    fn with(&self, player: &PlayerSpec, values: &[f64]) -> anyhow::Result<PlayerSpec> {
        let mut recipe = player.recipe.clone();
        for (Bounds(number), &value) in self.range.iter().zip(values) {
            let decimals = (4.0 - libm::log10(number.high - number.low)).ceil();
            let value = round(value, decimals as i32).clamp(number.low, number.high);
            let set = |value: f64| recipe.with_number(&number.name, &value.to_string());
            recipe = set(value).or_else(|_| set(value.round()))?;
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

    /// Returns the boards of the games.
    fn boards(&self) -> Vec<Board> {
        match self.boards.is_empty() {
            true => vec!["beginner".parse().expect("it is a board's name")],
            false => unique(self.boards.clone()),
        }
    }

    /// Returns what scores the samples, and its settings. Returns `None` after an interruption.
    fn judge(&self, context: &Context<'_>) -> anyhow::Result<Option<(Judge, Value)>> {
        if let Some(set) = &self.set {
            let set = match set.is_dir() {
                true => &set.join("tune.parquet"),
                false => set,
            };
            let Some(hash) = score::hash(set, context)? else {
                return Ok(None);
            };
            let mut guesses = score::read(set)?;
            guesses.retain(|guess| {
                self.boards.is_empty() || self.boards.contains(&guess.view.board())
            });
            let halves = halves(guesses);
            let least = halves.iter().map(Vec::len).min().unwrap_or_default();
            let file = set.display();
            ensure!(
                least > 0,
                "{file} has too few guesses on these boards for two halves; give other --boards or a larger set"
            );
            return Ok(Some((Judge::Guesses(halves), json!({ "set": hash }))));
        }
        let registry = context.models.registry()?;
        let mut kinds = Vec::new();
        for board in self.boards() {
            for rule in self.first_clicks.rules() {
                let model = ValueModel::registered(registry, board, rule).ok();
                kinds.push((board, rule, model));
            }
        }
        let sha256 = |(_, _, model): &(_, _, Option<ValueModel>)| {
            model.as_ref().map(|model| model.sha256.to_string())
        };
        let settings = json!({
            "games": self.games,
            "first_click": self.first_clicks.rules().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "value_models": kinds.iter().map(sha256).collect::<Vec<_>>(),
        });
        let games = self.games.unwrap_or_default();
        Ok(Some((Judge::Games(games, kinds), settings)))
    }

    fn manifest(&self, player: &PlayerSpec, judged_by: Value, seed: u64) -> Map<String, Value> {
        let mut settings = object(json!({
            "command": "tune",
            "player": {"name": player.name, "recipe": player.recipe.without_folders()},
            "parameters": recorded(&self.range),
            "samples": self.search.samples,
            "elite": self.search.elite,
            "iterations": self.search.iterations,
            "boards": self.boards.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "seed": seed,
        }));
        settings.extend(object(judged_by));
        settings.extend(revision_of_players([player]));
        settings
    }

    /// Returns a row for each number of each sample.
    fn samples(&self, samples: &[(Vec<f64>, f64)]) -> Vec<SampleRow> {
        let mut rows = Vec::new();
        for (sample, (values, fitness)) in samples.iter().enumerate() {
            for (Bounds(number), value) in self.range.iter().zip(values) {
                rows.push(SampleRow {
                    iteration: sample / self.search.samples as usize + 1,
                    sample,
                    parameter: number.name.clone(),
                    value: round(*value, 9),
                    loss: -fitness,
                });
            }
        }
        rows
    }

    /// Draws the loss of the samples by setting, a colour for each number.
    fn plot(&self, samples: &[SampleRow]) -> String {
        let losses = || samples.iter().map(|row| row.loss);
        let low = losses().fold(f64::INFINITY, f64::min);
        let high = losses().fold(f64::NEG_INFINITY, f64::max).max(low + 1e-3);
        let series = |bounds: &Bounds| {
            let Bounds(number) = bounds;
            let own = samples.iter().filter(|row| row.parameter == number.name);
            let share = |value: f64| (value - number.low) / (number.high - number.low);
            let point = |row: &SampleRow| {
                let [value, low, high] = [row.loss; 3];
                Point::new(share(row.value), Estimate { value, low, high }).labelled("")
            };
            Series {
                name: bounds.to_string(),
                points: own.map(point).collect(),
            }
        };
        let series: Vec<Series> = self.range.iter().map(series).collect();
        let x = Axis::new("value, % of its range", Scale::Percent, 0.0, 1.0);
        let y = Axis::new("loss, points a game", Scale::Linear, low, high);
        draw(&x, &y, &series, false).unwrap_or_default()
    }
}

/// Splits a set in two by a hash of the guesses' seeds. Weights are raised so that each half stands
/// for all guesses of a game.
fn halves(guesses: Vec<GuessToScore>) -> [Vec<GuessToScore>; 2] {
    let half = |guess: &GuessToScore| Seed::new(guess.seed).child("half", 0).value() % 2;
    // Guesses of equal weight on the same kind of board form a stratum.
    let stratum = |guess: &GuessToScore| {
        let kind = (guess.view.board(), guess.first_click.name());
        (kind, guess.weight.to_bits())
    };
    let mut counts: HashMap<_, [f64; 2]> = HashMap::new();
    for guess in &guesses {
        counts.entry(stratum(guess)).or_default()[half(guess) as usize] += 1.0;
    }
    let mut halves = [Vec::new(), Vec::new()];
    for mut guess in guesses {
        let own = half(&guess) as usize;
        let [first, second] = counts[&stratum(&guess)];
        guess.weight *= (first + second) / [first, second][own];
        halves[own].push(guess);
    }
    halves
}

impl Judge {
    /// Scores players: by the samples of an iteration, or to confirm. With two players, the rows of
    /// the paired difference of the second from the first come last. With several kinds of board,
    /// a row for all of them comes last for each player. Returns `None` after an interruption.
    fn rows(
        &self,
        players: &[PlayerSpec],
        iteration: Option<usize>,
        context: &Context<'_>,
    ) -> anyhow::Result<Option<Vec<LossRow>>> {
        let rows = match self {
            Self::Guesses(halves) => {
                let half = &halves[usize::from(iteration.is_none())];
                let rows = score::rows(players, "", half, context)?;
                rows.map(|rows| rows.into_iter().filter_map(LossRow::of_score).collect())
            }
            Self::Games(games, kinds) => {
                let times = if iteration.is_some() { 1 } else { CONFIRM };
                let seed = Seed::new(context.seed);
                let seed = match iteration {
                    Some(iteration) => seed.child("tune games", iteration as u64),
                    None => seed.child("confirm games", 0),
                };
                play(players, kinds, (games * times, seed), context)?
            }
        };
        Ok(rows.map(LossRow::with_means))
    }
}

/// Plays games and returns the rows of their losses, or `None` after an interruption.
fn play(
    players: &[PlayerSpec],
    kinds: &[(Board, FirstClick, Option<ValueModel>)],
    (games, seed): (u32, Seed),
    context: &Context<'_>,
) -> anyhow::Result<Option<Vec<LossRow>>> {
    let of_player = |player: &PlayerSpec| {
        let player = player.clone();
        kinds
            .iter()
            .map(move |(board, first_click, value_model)| Configuration {
                player: player.clone(),
                board: *board,
                first_click: *first_click,
                value_model: value_model.clone(),
            })
    };
    let mut arena = Arena::in_memory(Plan {
        configurations: players.iter().flat_map(of_player).collect(),
        games,
        part: context.part,
        seed,
        limits: Limits::default(),
        sprt: None,
        threads: context.threads,
    });
    let ending = arena.play(context.stop, &mut |progress| context.games(progress, ""))?;
    if ending == Ending::Stopped {
        return Ok(None);
    }
    let row = |player: &str, at: &Configuration, loss: Estimate| LossRow {
        player: player.to_owned(),
        board: at.board.to_string(),
        first_click: at.first_click.name().to_owned(),
        count: games.into(),
        loss: round(100.0 * loss.value, 4),
        low: round(100.0 * loss.low, 4),
        high: round(100.0 * loss.high, 4),
    };
    let configurations = &arena.plan().configurations;
    let mut rows = Vec::new();
    for (at, tally) in configurations.iter().zip(arena.ledger().tallies()) {
        let rate = tally.win_rate();
        let won = rate.interval.unwrap_or(rate.raw);
        let lost = Estimate {
            value: 1.0 - won.value,
            low: 1.0 - won.high,
            high: 1.0 - won.low,
        };
        rows.push(row(&at.player.name, at, lost));
    }
    if let [first, second] = players {
        let name = format!("{} less {}", second.name, first.name);
        for (pair, at) in configurations.iter().take(kinds.len()).enumerate() {
            // The games that the first player wins more are those that the second loses more.
            let of = Comparison::of(arena.ledger(), pair, Confidence::default());
            let corrected = of.better.map(|mean| mean.interval(Confidence::default()));
            rows.push(row(&name, at, corrected.unwrap_or(of.raw)));
        }
    }
    Ok(Some(rows))
}

/// A row of `samples.csv`: a number of a sample.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct SampleRow {
    /// The iteration, from 1, and the index of the sample.
    iteration: usize,
    sample: usize,
    parameter: String,
    value: f64,
    /// The loss of the sample in percentage points of win rate per game.
    loss: f64,
}

/// A row of `confirm.csv`: the loss of a player on one kind of board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LossRow {
    /// `given`, `tuned`, or `tuned less given` for the paired difference.
    pub player: String,
    /// The board and the first-click rule; `all` for the mean over several kinds.
    pub board: String,
    pub first_click: String,
    /// Number of guesses or games.
    pub count: u64,
    /// The loss in percentage points of win rate per game, with its 95 % interval: against the best
    /// candidates on a guess set, and the games not won in games.
    pub loss: f64,
    pub low: f64,
    pub high: f64,
}

impl LossRow {
    /// Makes the row of a score over all guesses on a kind of board.
    fn of_score(row: ScoreRow) -> Option<Self> {
        (row.unknown == ScoreRow::ALL).then_some(Self {
            player: row.player,
            board: row.board,
            first_click: row.first_click,
            count: row.guesses as u64,
            loss: row.loss,
            low: row.low,
            high: row.high,
        })
    }

    /// Adds a row for all kinds of board after the rows of each player, if there are several.
    fn with_means(rows: Vec<Self>) -> Vec<Self> {
        let mut all = Vec::new();
        for rows in rows.chunk_by(|a, b| a.player == b.player) {
            all.extend_from_slice(rows);
            let estimates = rows.iter().map(|row| Estimate {
                value: row.loss,
                low: row.low,
                high: row.high,
            });
            let mean = Estimate::weighted(estimates.map(|of| (of, 1.0)));
            all.extend(mean.filter(|_| rows.len() > 1).map(|mean| Self {
                board: ALL.to_owned(),
                first_click: ALL.to_owned(),
                count: rows.iter().map(|row| row.count).sum(),
                loss: round(mean.value, 4),
                low: round(mean.low, 4),
                high: round(mean.high, 4),
                ..rows[0].clone()
            }));
        }
        all
    }
}

/// The result of `tune`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TunedPlayer {
    /// The recipe with the means of the last distribution.
    pub recipe: String,
    pub iterations: Vec<DistributionRow>,
    /// The losses of the tuned recipe and of the given one on guesses or games that tuned nothing.
    pub confirmed: Vec<LossRow>,
}

impl Row for TunedPlayer {
    fn text(rows: &[Self]) -> Text {
        rows.iter().fold(Text::default(), |text, of| {
            let confirmed = TableOf::new(&of.confirmed)
                .left("player", |row| &row.player)
                .left("board", |row| &row.board)
                .left("first click", |row| &row.first_click)
                .right("confirmed on", |row| grouped(row.count))
                .right("loss, points a game", |row| format!("{:.3}", row.loss))
                .right("95 %", |row| ends(row.low, row.high, 3));
            text.then(table(&of.iterations, 3))
                .then("A score is minus the loss, in points a game.\n")
                .then(confirmed)
                .then(format!("{}\n", of.recipe))
        })
    }
}
