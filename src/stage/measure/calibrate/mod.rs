//! Are probabilities what they say? Players play, and at every guess each candidate's predicted probability of a mine is held against
//! the mines. The tables of `pipeline calibrate`.
//!
//! ```text
//! DIR/manifest.json, lock     as of every run
//!     journal.jsonl           what was counted of each player on each board that is done
//!     calibration.csv         the bins; beside them calibration-scores.csv, and calibration-errors.csv of limited P
//! ```

mod limited;
mod line;
mod observer;
mod tally;
mod units;
mod work;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::series::MODEL;
use limited::Exact;
use line::Chunk;
use mineflow_arena::{Part, Series, Slots};
use mineflow_document::numbers::{grouped, percent};
use mineflow_document::{Align, Estimate, columns};
use mineflow_document::{numbers::round, to_csv};
use mineflow_minesweeper::player::board_seed;
use mineflow_minesweeper::player::{PlayerSpec, Recipe};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_rng::Seed;
use mineflow_stage::definition::{Answer, Context, Outcome, Stage, json_lines};
use mineflow_stage::kind::{Effort, Group, Kind};
use mineflow_stage::part::join;
use mineflow_stage::resume::{end, note_resumed};
use mineflow_stage::settings;
use mineflow_stage::texts::{text, texts};
use mineflow_stage::values::{self, ModelFor, check_games, check_range, unique};
use mineflow_store::Purpose;
use observer::Observer;
use tally::Tally;
pub use tally::{CellKind, Predictor};

/// Games of each player and board where neither they nor guesses are limited.
const GAMES: u32 = 2000;
/// The tables, that of the bins first.
const RESULTS: &[&str; 3] = &["calibration.csv", "calibration-scores.csv", "calibration-errors.csv"];
/// The names of the tables beside it.
pub const SCORES: &str = "scores";
pub const ERRORS: &str = "errors";

settings! {
    /// Players whose probabilities are held against the mines.
    pub struct Calibrate {
        /// Players by name or recipe, separated by commas: their probabilities, and those of the classifiers that they ask
        #[arg(long, value_name = "PLAYERS", value_delimiter = ',', default_values_t = Self::default().players)]
        pub players: Vec<String> = ["4.0", "4.5", "5.0", "5.5", "7.0"].map(str::to_owned).to_vec(),
        /// Another model for a player, such as 5.0=trees.json; several are separated by commas
        #[arg(long, value_name = "PLAYER=FILE", value_delimiter = ',')]
        #[serde(with = "texts")]
        pub model: Vec<ModelFor>,
        /// Boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
        #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "beginner,intermediate,expert")]
        #[serde(with = "texts")]
        pub boards: Vec<Board> = ["beginner", "intermediate", "expert"].map(|name| name.parse().expect("it is a board")).to_vec(),
        /// What the first click is promised: safe, opening or any
        #[arg(long, value_name = "RULE", default_value_t = Self::default().first_click)]
        #[serde(with = "text")]
        pub first_click: FirstClick = FirstClick::Safe,
        #[arg(long, value_name = "N", value_parser = values::games(), help = format!("Games of each player and board [default: {GAMES}; with --guesses as many as these take]"))]
        pub games: Option<u32>,
        /// Guesses of each player and board: its games end with the one in which it has guessed so often
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
        pub guesses: Option<u64>,
    }
}

impl Stage for Calibrate {
    const KIND: Kind = Kind {
        summary: "Play games and hold every predicted probability of a mine against the mines",
        group: Group::Measure,
        examples: &[
            "calibrate --players 3.5,5.0,7.0 --guesses 10000",
            "calibrate --players 7.0 --boards expert --games 1000 --out calibration.csv",
        ],
        out: "Folder for the tables and a journal; interrupted, the same command resumes there",
        revision: 4,
        output: RESULTS[0],
        inputs: &[MODEL],
        parts: Some(join),
        ..Kind::of::<Self>("calibrate")
    };

    fn check(&self) -> anyhow::Result<()> {
        check_range("guesses", self.guesses.unwrap_or(1), 1..=u64::from(u32::MAX))?;
        self.games.map_or(Ok(()), check_games)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        self.players.iter().map(|player| ("players", player.clone())).collect()
    }

    fn effort(&self) -> Option<Effort> {
        Some(match self.guesses {
            Some(guesses) => Effort::new("guesses", guesses, 50),
            None => Effort::new("games", self.games(), 10),
        })
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let calibration = Calibration {
            players: values::players(&self.players, &self.model)?,
            boards: unique(self.boards.clone()),
            first_click: self.first_click,
            games: self.games(),
            guesses: self.guesses,
            seed: context.seed,
        };
        let settings = calibration.settings(context.part);
        let folder = context.open_if_given(&Purpose { own: RESULTS, results: RESULTS, ..Purpose::of(settings) })?;
        let own = context.part.range((calibration.players.len() * calibration.boards.len()) as u64);
        let mut series = Series::open(Slots::new(own.map(|line| line as usize)), folder)?;
        note_resumed(context, &series);
        let counted = if self.guesses.is_some() { "guesses" } else { "games" };
        let mut watch = |done, planned| context.count(counted, done, planned, "");
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

impl Calibrate {
    fn games(&self) -> u32 {
        // Where guesses are limited: more than anybody waits for.
        self.games.unwrap_or(if self.guesses.is_some() { values::MOST_GAMES } else { GAMES })
    }
}

/// Who plays where.
struct Calibration {
    players: Vec<PlayerSpec>,
    boards: Vec<Board>,
    first_click: FirstClick,
    /// Games of each player on each board: those of `pipeline eval` with the same seed.
    games: u32,
    /// A player's games on a board end with the one in which it has guessed so often, if that is before all of them.
    guesses: Option<u64>,
    seed: u64,
}

/// A row of the table: the candidates of one kind whose predicted probability of a mine lies in one bin. Bins without any have no row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CalibrationRow {
    pub player: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    /// The bin holds its low end, and the last one its high end.
    pub bin_low: f64,
    pub bin_high: f64,
    pub count: u64,
    pub mines: u64,
    /// Mean of the predictions, and mines per cell.
    pub predicted: f64,
    pub observed: f64,
}

/// A row of the table of scores: one predictor of a player on one kind of cells, on all boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreRow {
    pub player: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    pub count: u64,
    /// Mean of the squared distance of the prediction from 1 for a mine and from 0 for none.
    pub brier_score: f64,
    /// Mean of minus the natural logarithm of the probability given to what is there, held between 1e-6 and 1 less 1e-6.
    pub log_loss: f64,
    /// Mean distance of the prediction and the share of mines over the bins, each as often as it has cells.
    pub calibration_error: f64,
}

/// A row of the table of errors: how far a limited walk's P is from that of all solutions, for one player on one board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorRow {
    pub player: String,
    pub board: String,
    pub guesses: u64,
    /// Mean over the guesses with a boundary of the mean of |P - exact P| over its cells; none if there was no such guess.
    pub mean_error: Option<f64>,
    /// Cells of the boundary with P = 0, none of them proved safe, at all guesses; those of them that are mines.
    pub zero_cells: u64,
    pub zero_mines: u64,
    /// The second as a share of the first, with the ends of its 95 % interval (Wilson). A cell counts at every guess at which it is
    /// there, so the interval is somewhat too short.
    pub share: Option<f64>,
    pub ci_low: f64,
    pub ci_high: f64,
}

/// What came of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    pub scores: Vec<ScoreRow>,
    /// Of the players whose P comes from a limited walk.
    pub errors: Vec<ErrorRow>,
    pub bins: Vec<CalibrationRow>,
}

/// A row of one of the tables, as an object that says of which.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "table", rename_all = "lowercase")]
pub enum TableRow<'a> {
    Scores(&'a ScoreRow),
    Errors(&'a ErrorRow),
    Bins(&'a CalibrationRow),
}

impl Calibration {
    /// Everything that the tables depend on.
    fn settings(&self, part: Part) -> Map<String, Value> {
        let player = |player: &PlayerSpec| json!({"name": player.name, "recipe": player.recipe.to_string()});
        let settings = json!({
            "command": "calibrate",
            "players": self.players.iter().map(player).collect::<Value>(),
            "boards": self.boards.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "first_click": self.first_click.to_string(),
            "games": self.games,
            "guesses": self.guesses,
            "seed": self.seed,
        });
        part.noted_in(settings.as_object().expect("it was written as an object").clone())
    }

    /// What is counted of a player on a board: its games, or its guesses if those are limited.
    fn counted(&self, tally: &Tally) -> u64 {
        match self.guesses {
            Some(guesses) => tally.errors.guesses.min(guesses),
            None => tally.games,
        }
    }

    /// How much of that there is to be of each.
    fn counted_of_each(&self) -> u64 {
        self.guesses.unwrap_or(self.games.into())
    }

    /// Of every player on every board.
    fn tables(&self, lines: &[&Tally]) -> Tables {
        let mut tables = Tables { scores: Vec::new(), errors: Vec::new(), bins: Vec::new() };
        for (player, lines) in self.players.iter().zip(lines.chunks(self.boards.len())) {
            let mut all = Tally::default();
            lines.iter().for_each(|line| all.add(line));
            tables.scores.extend(all.scores(&player.name));
            tables.bins.extend(all.bins(&player.name));
            if matches!(&player.recipe, Recipe::Steps(steps) if Exact::beside(&steps.source).is_some()) {
                let boards = self.boards.iter().zip(lines);
                tables.errors.extend(boards.map(|(board, line)| line.errors.row(&player.name, board.to_string())));
            }
        }
        tables
    }

    /// Plays the games of a chunk, or as many of them as it takes to guess so often.
    fn play(&self, chunk: Chunk, guesses: u64) -> anyhow::Result<Tally> {
        let player = &self.players[chunk.line / self.boards.len()];
        let board = self.boards[chunk.line % self.boards.len()];
        let mut observer = Observer::new(player, self.first_click)?;
        let seed = board_seed(Seed::new(self.seed), board);
        let mut games = 0;
        for game in chunk.first..chunk.end {
            observer.play(board, seed.child("game", u64::from(game))).map_err(|fault| {
                let name = &player.name;
                anyhow::anyhow!(
                    "player {name} is wrong on {board}, first click {}, game {game}: {fault}",
                    self.first_click
                )
            })?;
            games += 1;
            if observer.guesses() >= guesses {
                break;
            }
        }
        let mut tally = observer.into_tally();
        tally.games = games;
        Ok(tally)
    }
}

impl Answer for Tables {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(self.rows())
    }

    fn text(&self) -> String {
        let errors = if self.errors.is_empty() { String::new() } else { errors(&self.errors) + "\n" };
        format!("{}\n{errors}{}", scores(&self.scores), bins(&self.bins))
    }
}

impl Tables {
    /// All rows: scores, errors, bins.
    pub fn rows(&self) -> impl Iterator<Item = TableRow<'_>> {
        let errors = self.errors.iter().map(TableRow::Errors);
        self.scores.iter().map(TableRow::Scores).chain(errors).chain(self.bins.iter().map(TableRow::Bins))
    }

    /// Their files. A table without rows is an empty one.
    fn files(&self) -> anyhow::Result<[(&'static str, Vec<u8>); 3]> {
        let [bins, scores, errors] = RESULTS;
        Ok([(scores, to_csv(&self.scores)?), (errors, to_csv(&self.errors)?), (bins, to_csv(&self.bins)?)])
    }
}

/// A number of the table, with as many decimals as it has there.
fn rounded(value: f64) -> f64 {
    round(value, 6)
}

/// The file of another table of a calibration, beside that of its bins: `calibration-scores.csv` beside `calibration.csv`.
pub fn beside(bins: &Path, table: &str) -> PathBuf {
    let name = bins.file_stem().unwrap_or_default().to_string_lossy();
    bins.with_file_name(format!("{name}-{table}.csv"))
}

fn scores(rows: &[ScoreRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("predictor", Align::Left),
        ("cells", Align::Left),
        ("count", Align::Right),
        ("Brier score", Align::Right),
        ("log-loss", Align::Right),
        ("calibration error", Align::Right),
    ];
    let line = |row: &ScoreRow| {
        [
            row.player.clone(),
            row.predictor.name().to_owned(),
            row.cells.name().to_owned(),
            grouped(row.count),
            format!("{:.4}", row.brier_score),
            format!("{:.4}", row.log_loss),
            format!("{:.4}", row.calibration_error),
        ]
    };
    columns(header, &rows.iter().map(line).collect::<Vec<_>>())
}

fn errors(rows: &[ErrorRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("board", Align::Left),
        ("guesses", Align::Right),
        ("mean error of P", Align::Right),
        ("cells with P = 0", Align::Right),
        ("mines", Align::Right),
        ("mines %", Align::Right),
        ("95 % interval", Align::Right),
    ];
    let line = |row: &ErrorRow| {
        [
            row.player.clone(),
            row.board.clone(),
            grouped(row.guesses),
            row.mean_error.map_or(String::new(), |error| format!("{error:.4}")),
            grouped(row.zero_cells),
            grouped(row.zero_mines),
            row.share.map_or(String::new(), percent),
            format!("{} - {}", percent(row.ci_low), percent(row.ci_high)),
        ]
    };
    columns(header, &rows.iter().map(line).collect::<Vec<_>>())
}

fn bins(rows: &[CalibrationRow]) -> String {
    let header = [
        ("player", Align::Left),
        ("predictor", Align::Left),
        ("cells", Align::Left),
        ("bin", Align::Left),
        ("count", Align::Right),
        ("predicted", Align::Right),
        ("observed", Align::Right),
    ];
    let line = |row: &CalibrationRow| {
        [
            row.player.clone(),
            row.predictor.name().to_owned(),
            row.cells.name().to_owned(),
            format!("{:.2} - {:.2}", row.bin_low, row.bin_high),
            grouped(row.count),
            format!("{:.4}", row.predicted),
            format!("{:.4}", row.observed),
        ]
    };
    columns(header, &rows.iter().map(line).collect::<Vec<_>>())
}

impl ErrorRow {
    /// The share of mines among the cells with P = 0, with its interval, if there are any.
    pub fn mines_at_zero(&self) -> Option<Estimate> {
        self.share.map(|value| Estimate { value, low: self.ci_low, high: self.ci_high })
    }
}
