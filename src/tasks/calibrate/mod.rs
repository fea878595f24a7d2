//! Calibration of mine probabilities: players play, and the predicted mine probability of each
//! candidate at every guess is compared with the actual mines. `pipeline calibrate` writes the
//! resulting tables.
//!
//! ```text
//! DIR/manifest.json, lock     as in every run
//!     journal.jsonl           the counts of each finished player and board
//!     calibration.csv         the bins; also calibration-scores.csv
//! ```

mod observer;
mod tables;
mod tally;
mod work;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    Context, ModelArgs, Outcome, Stage, as_text,
    help::{EXIT_CODES, examples},
    resume::{end, note_resumed, recorded, revision_of_players},
    stage::named_players,
    values::{self, unique},
};
use mineflow_arena::{Part, Series, Slots};
use mineflow_minesweeper::{
    Board, FirstClick,
    player::{PlayerSpec, board_seed},
};
use mineflow_rng::Seed;
use mineflow_store::{Purpose, object};
use observer::Observer;
use tables::RESULTS;
pub use tables::{CalibrationRow, CellKind, Predictor, ScoreRow, TableRow, Tables};
use tally::Tally;
use work::Chunk;

/// Compare predicted mine probabilities with observed mine frequencies
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "calibrate --players 3.5,5.0,7.0 --games 500",
            "calibrate --players 7.0 --boards expert --games 1000 --out calibration.csv",
        ], EXIT_CODES))]
pub struct Calibrate {
    /// Evaluate these players (names or recipes, separated by commas) and the classifiers that they
    /// use
    #[arg(
        long,
        value_name = "PLAYERS",
        value_delimiter = ',',
        default_value = "4.0,4.5,5.0,5.5,7.0"
    )]
    pub players: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
    /// Choose boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    #[arg(
        long,
        value_name = "BOARDS",
        value_delimiter = ',',
        default_value = "beginner,intermediate,expert"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub boards: Vec<Board>,
    /// Set the first-click rule: safe, opening or any
    #[arg(long, value_name = "RULE", default_value_t = FirstClick::Safe)]
    #[serde(serialize_with = "as_text::one")]
    pub first_click: FirstClick,
    /// Play N games of each player and board
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = values::games())]
    pub games: u32,
}

impl Stage for Calibrate {
    fn check(&self) -> Result<()> {
        values::check_named_once(&self.players)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        named_players(&self.players)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let calibration = Calibration {
            players: self.models.players(&self.players, context.models)?,
            boards: unique(self.boards.clone()),
            first_click: self.first_click,
            games: self.games,
            seed: context.seed,
        };
        let settings = calibration.settings(context.part);
        let folder = context.open_if_given(&Purpose {
            own: RESULTS,
            results: RESULTS,
            ..Purpose::of(settings)
        })?;
        let own = context
            .part
            .range((calibration.players.len() * calibration.boards.len()) as u64);
        let mut series = Series::open(Slots::new(own.map(|line| line as usize)), folder)?;
        note_resumed(context, &series);
        let mut watch = |done, planned| context.count("games", done, planned, "");
        calibration.play_missing(&mut series, context.workers(), &mut watch)?;
        let games = series.records().pieces().map(|line| line.tally.games).sum();
        if let Some(outcome) = end(context, &mut series, games)? {
            return Ok(outcome);
        }
        let lines: Vec<_> = series.records().pieces().map(|line| &line.tally).collect();
        let tables = calibration.tables(&lines);
        series.seal(&tables.files()?, context.stop)?;
        Ok(Outcome::Done(Box::new(tables)))
    }
}

/// The players and boards of a calibration.
struct Calibration {
    players: Vec<PlayerSpec>,
    boards: Vec<Board>,
    first_click: FirstClick,
    /// Number of games of each player on each board. The games are those of `pipeline eval` with
    /// the same seed.
    games: u32,
    seed: u64,
}

impl Calibration {
    /// Returns all settings that the tables depend on.
    fn settings(&self, part: Part) -> Map<String, Value> {
        let mut settings = object(json!({
            "command": "calibrate",
            "players": self.players.iter().map(recorded).collect::<Value>(),
            "boards": self.boards.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "first_click": self.first_click.to_string(),
            "games": self.games,
            // Folders from before the limit on guesses was removed have it too.
            "guesses": Value::Null,
            "seed": self.seed,
        }));
        settings.extend(revision_of_players(&self.players));
        part.noted_in(settings)
    }

    /// Returns the tables of all players on all boards.
    fn tables(&self, lines: &[&Tally]) -> Tables {
        let mut tables = Tables {
            scores: Vec::new(),
            bins: Vec::new(),
        };
        for (player, lines) in self.players.iter().zip(lines.chunks(self.boards.len())) {
            let mut all = Tally::default();
            lines.iter().for_each(|line| all.add(line));
            tables.scores.extend(all.scores(player));
            tables.bins.extend(all.bins(player));
        }
        tables
    }

    /// Returns the player and the board of a line.
    fn line(&self, line: usize) -> (&PlayerSpec, Board) {
        let boards = self.boards.len();
        (&self.players[line / boards], self.boards[line % boards])
    }

    /// Plays the games of a chunk, and stops early after the game during which `is_over` becomes
    /// true.
    fn play(&self, chunk: Chunk, is_over: impl Fn() -> bool) -> Result<Tally> {
        let (player, board) = self.line(chunk.line);
        let mut observer = Observer::new(player, self.first_click)?;
        let seed = board_seed(Seed::new(self.seed), board);
        for game in chunk.first..chunk.end {
            observer
                .play(board, seed.child("game", u64::from(game)))
                .map_err(|fault| {
                    let name = &player.name;
                    anyhow::anyhow!(
                        "player {name} is wrong on {board}, first click {}, game {game}: {fault}",
                        self.first_click
                    )
                })?;
            if is_over() {
                break;
            }
        }
        Ok(observer.into_tally())
    }
}
