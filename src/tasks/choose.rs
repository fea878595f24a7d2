//! The stage `choose`: keeps the better of several models by their loss on a guess set, and by
//! games if asked.
//!
//! ```text
//! DIR/manifest.json, lock     as in every folder
//!     artifact.json           the kept model, a copy (a network: artifact.safetensors)
//!     choose.csv              the scores of `score`: the current model, then the other candidates
//!     games/                  the folder of the comparison, if games were played
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Serialize;
use serde_json::json;

use crate::{
    Answer, Context, FirstClickArgs, Outcome, Row, Stage,
    compare::{CompareRow, play},
    help::{EXIT_CODES, examples},
    json_lines,
    resume::revision_of_players,
    score,
    series::SeriesSettings,
    values::whole,
};
use mineflow_arena::{Part, ScoreRow, Text, numbers::round, to_csv};
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_store::{Purpose, object};

const RESULTS: &[&str] = &[
    "choose.csv",
    "artifact.json",
    "artifact.safetensors",
    "games/",
];

/// Keep the better of several models: by their loss on a guess set, then by games
///
/// The candidate with the lowest loss replaces the last one, the current model, if the paired
/// difference of their losses is below 0 with its whole 95 % interval. With --confirm, its
/// luck-corrected win rate in the same games must also be higher. Both are measured on the set's
/// first kind of board. The output folder has a copy of the kept model.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "choose --candidates new,old --set data/guesses-tune.parquet --player 11.0 --out best",
            "choose --candidates new,old --set data/guesses-tune.parquet --player 11.0 --confirm games=20000 --out best",
        ], EXIT_CODES))]
pub struct Choose {
    /// Choose among these files of models or folders of trainings, separated by commas; the last
    /// one is the current model
    #[arg(long, value_name = "FILES", value_delimiter = ',', required = true)]
    pub candidates: Vec<PathBuf>,
    /// Measure losses on the guess set in this file, or on tune.parquet in this folder
    #[arg(long, value_name = "FILE")]
    pub set: PathBuf,
    /// Choose the player that plays with each candidate as its model, by name or recipe
    #[arg(long, value_name = "PLAYER")]
    pub player: String,
    /// Before a candidate is kept, play games with it and with the current model: games=N, or
    /// games=N,seed=S [default seed: --seed]
    #[arg(long, value_name = "GAMES", value_parser = confirm)]
    pub confirm: Option<(u32, Option<u64>)>,
}

/// Parses the number and the seed of games.
fn confirm(text: &str) -> Result<(u32, Option<u64>), String> {
    let (games, seed) = text.split_once(",seed=").unwrap_or((text, ""));
    let games = games.strip_prefix("games=").and_then(whole);
    let games = games.and_then(|games| games.try_into().ok());
    match (games, whole(seed)) {
        (Some(games @ 1..), seed) if seed.is_some() || !text.contains("seed") => Ok((games, seed)),
        _ => Err(format!("`{text}` is not games=N or games=N,seed=S")),
    }
}

/// What was chosen: the result in the manifest, and the tables.
#[derive(Default, Serialize)]
struct Choice {
    /// The best candidate: the name of its folder, or of its file.
    candidate: String,
    /// Its loss on the set in percentage points of win rate per game, and the loss less that of the
    /// current model with the ends of its 95 % interval.
    loss: f64,
    difference: f64,
    difference_low: f64,
    difference_high: f64,
    /// The win rate less that of the current model in percentage points, with the ends of its 95 %
    /// interval, if games were played. It is luck-corrected if the interval of `compare` is.
    games_difference: Option<f64>,
    games_low: Option<f64>,
    games_high: Option<f64>,
    /// Whether the candidate is kept. Otherwise the current model is.
    kept: bool,
    #[serde(skip)]
    scores: Vec<ScoreRow>,
    #[serde(skip)]
    games: Vec<CompareRow>,
}

impl Stage for Choose {
    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let players = self.candidates.iter().map(|file| self.with(file));
        let mut players = players.collect::<Result<Vec<_>>>()?;
        // The first player is the one from which differences are measured.
        players.rotate_right(1);
        let set_file = &score::tuning_set(&self.set);
        let set = score::hash(set_file, context)?;
        let mut settings = object(json!({
            "command": "choose",
            "candidates": players.iter().map(|spec| spec.recipe.without_folders()).collect::<Vec<_>>(),
            "set": set,
            "confirm": self.confirm,
            "seed": context.seed,
        }));
        settings.extend(revision_of_players(&players));
        let mut folder = context.open(&Purpose {
            own: &RESULTS[..1],
            results: RESULTS,
            ..Purpose::of(settings)
        })?;
        // Scores and games are read or made again, because the folder has no tables of results.
        folder.reopen()?;
        let scores = score::rows(&players, &set[..12], &score::read(set_file)?, context)?;
        let (mut best, mut choice) = best(&players, &scores);
        if let Some(confirm) = self.confirm.filter(|_| choice.kept && best > 0) {
            let pair = [best, 0].map(|at| players[at].clone());
            match compare(pair, &scores[0], confirm, context)? {
                Ok(games) => choice.add_games(games),
                Err(outcome) => return Ok(outcome),
            }
        }
        if !choice.kept {
            best = 0;
        }
        let artifact = &players[best].model().context("it has no model")?.artifact;
        let is_network = artifact.path.extension() == Some("safetensors".as_ref());
        folder.write(RESULTS[1 + usize::from(is_network)], &artifact.bytes)?;
        folder.write(RESULTS[0], &to_csv(&scores)?)?;
        folder.finish(&choice, context.stop)?;
        Ok(Outcome::Done(Box::new(Choice { scores, ..choice })))
    }
}

impl Choose {
    /// Returns the player with a candidate as its model, named after the candidate's folder or, if
    /// no training wrote it, file.
    fn with(&self, file: &Path) -> Result<PlayerSpec> {
        let player = PlayerSpec::with_model_file(&self.player, file)?;
        let name = file
            .components()
            .rev()
            .map(|part| part.as_os_str().to_string_lossy());
        let name = name.into_iter().find(|name| !name.starts_with("artifact."));
        Ok(PlayerSpec {
            name: name.unwrap_or_default().into_owned(),
            ..player
        })
    }
}

/// Returns the number of the player with the lowest loss on the first kind of board, and whether it
/// is better than the first player beyond the error.
fn best(players: &[PlayerSpec], scores: &[ScoreRow]) -> (usize, Choice) {
    // Each player but the first has rows of its loss and then of the difference.
    let rows: Vec<&ScoreRow> = scores
        .chunks(scores.len() / (2 * players.len() - 1))
        .map(|rows| &rows[0])
        .collect();
    let loss = |player: usize| rows[(2 * player).saturating_sub(1)];
    let others = 1..players.len();
    let best = others
        .min_by(|a, b| loss(*a).loss.total_cmp(&loss(*b).loss))
        .unwrap_or(0);
    let [difference, difference_low, difference_high] = match best {
        0 => [0.0; 3],
        _ => [rows[2 * best].loss, rows[2 * best].low, rows[2 * best].high],
    };
    let choice = Choice {
        candidate: players[best].name.clone(),
        loss: loss(best).loss,
        difference,
        difference_low,
        difference_high,
        kept: best == 0 || difference_high < 0.0,
        ..Choice::default()
    };
    (best, choice)
}

/// Plays the same games with a candidate and the current model, in a folder of their own.
fn compare(
    players: [PlayerSpec; 2],
    on: &ScoreRow,
    (games, seed): (u32, Option<u64>),
    context: &Context<'_>,
) -> Result<Result<Vec<CompareRow>, Outcome>> {
    let context = Context {
        out: Some(context.folder()?.join(RESULTS[3])),
        seed: seed.unwrap_or(context.seed),
        part: Part::WHOLE,
        ..context.clone()
    };
    let series = SeriesSettings {
        first_clicks: FirstClickArgs::one(on.first_click.parse().map_err(anyhow::Error::msg)?),
        luck_corrected: true,
        ..SeriesSettings::default()
    };
    let plan = series.plan(players.into(), &[on.board.parse()?], games, &context)?;
    play(&series, plan, None, &context)
}

impl Choice {
    fn add_games(&mut self, games: Vec<CompareRow>) {
        let row = &games[0];
        let ends = row
            .corrected_ci_low
            .flatten()
            .zip(row.corrected_ci_high.flatten());
        let corrected = row.corrected_difference.zip(ends);
        let raw = (row.difference, (row.ci_low, row.ci_high));
        let (difference, (low, high)) = corrected.unwrap_or(raw);
        self.kept = difference > 0.0;
        [self.games_difference, self.games_low, self.games_high] =
            [difference, low, high].map(|ratio| Some(round(100.0 * ratio, 4)));
        self.games = games;
    }
}

impl Answer for Choice {
    fn json(&self) -> serde_json::Result<String> {
        json_lines([self])
    }

    fn text(&self) -> Text {
        let no = if self.kept { "" } else { "not " };
        let text = Row::text(&self.scores).then(Row::text(&self.games));
        text.then(format!("{} is {no}kept\n", self.candidate))
    }
}
