//! Evaluation of players: the table of `pipeline eval`.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::series::SeriesSettings;
use crate::{
    Context, Outcome, Row, Rows, Stage, as_text,
    help::{EXIT_CODES, examples},
    stage::named_players,
    values::{self, Steps, grid, mines_at, unique},
};
use mineflow_arena::{
    Configuration, Estimate, PairedMean, TableOf, Tally, Text, WeightedGames, WinRate,
    numbers::{grouped, percent, round},
    to_csv,
};
use mineflow_minesweeper::{Board, player::Limits};
use mineflow_store::Journal;

/// The journal, and the files made from it.
const FILES: &[&str] = &[Journal::FILE, "eval.csv"];

/// A row of `eval.csv`: one player on one board under one first-click rule.
#[derive(Serialize, Deserialize)]
pub struct EvalRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables
    /// from before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    /// Mines per cell.
    pub mine_ratio: f64,
    pub first_click: String,
    pub games: u64,
    pub wins: u64,
    /// Number of games not won, including timeouts.
    pub losses: u64,
    /// Number of games not won because a limit was reached.
    pub timeouts: u64,
    /// Wins per game, with the ends of its 95 % interval: Wilson's, or the exact one if luck was
    /// measured and `corrected_ci_low` is empty.
    pub win_ratio: f64,
    pub ci_low: f64,
    pub ci_high: f64,
    pub guesses_per_game: f64,
    /// The luck-corrected win rate with the ends of its 95 % interval, clipped to 0 and 1, if luck
    /// was measured. The ends are empty if the raw interval is the better one: the games are too
    /// few to trust the other, or the correction raises the variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_win_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_ci_low: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_ci_high: Option<Option<f64>>,
    /// The mean luck subtracted by the correction, `win_ratio` minus `corrected_win_ratio`, and its
    /// standard error. If the correction is unbiased, the mean is 0 within a few standard errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck_error: Option<f64>,
    /// The seed of all games; `None` in tables from before it was recorded.
    pub seed: Option<u64>,
    /// The value of `--mine-ratios` from which the number of mines was rounded, on a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked_mine_ratio: Option<f64>,
    /// The folder of the table in a report; empty elsewhere.
    #[serde(skip)]
    pub run: PathBuf,
    /// CPU seconds of the games if known; stored in a separate file.
    #[serde(skip)]
    pub cpu_seconds: Option<f64>,
    /// Search nodes per game if known; stored in a separate file.
    #[serde(skip)]
    pub nodes_per_game: Option<f64>,
}

/// A row of `cost.csv`: the cost of the games of a row of `eval.csv`.
#[derive(Serialize, Deserialize)]
pub struct CostRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables
    /// from before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub first_click: String,
    /// CPU seconds of the games.
    pub cpu_seconds: f64,
    /// Wall-clock seconds of the games, summed over all threads.
    pub wall_seconds: f64,
    pub games_per_cpu_second: f64,
    /// Search nodes per game, as `--node-limit` counts them: with `--engine paper`, the edges of
    /// the search trees. `None` in tables from before they were counted.
    pub nodes_per_game: Option<f64>,
}

fn nodes_per_game(tally: &Tally) -> f64 {
    round(tally.nodes as f64 / tally.games as f64, 2)
}

impl CostRow {
    fn new(at: &Configuration, tally: &Tally) -> Self {
        Self {
            player: at.player.name.clone(),
            version: at.player.version(),
            width: at.board.width(),
            height: at.board.height(),
            mines: at.board.mines(),
            first_click: at.first_click.name().to_owned(),
            cpu_seconds: round(tally.cpu_seconds, 6),
            wall_seconds: round(tally.wall_seconds, 6),
            games_per_cpu_second: round(tally.games as f64 / tally.cpu_seconds.max(1e-9), 1),
            nodes_per_game: Some(nodes_per_game(tally)),
        }
    }
}

impl EvalRow {
    fn new(at: &Configuration, tally: &Tally, seed: u64, asked: Option<f64>) -> Self {
        let WinRate {
            raw,
            corrected,
            interval,
        } = tally.win_rate();
        let games = tally.games as f64;
        let luck = tally.luck().map(PairedMean::of);
        Self {
            player: at.player.name.clone(),
            version: at.player.version(),
            width: at.board.width(),
            height: at.board.height(),
            mines: at.board.mines(),
            mine_ratio: round(at.board.mine_ratio(), 6),
            first_click: at.first_click.name().to_owned(),
            games: tally.games,
            wins: tally.wins,
            losses: tally.games - tally.wins,
            timeouts: tally.timeouts,
            win_ratio: round(raw.value, 6),
            ci_low: round(raw.low, 6),
            ci_high: round(raw.high, 6),
            guesses_per_game: round(tally.guesses as f64 / games, 6),
            corrected_win_ratio: corrected.map(|mean| round(mean, 6)),
            corrected_ci_low: corrected.map(|_| interval.map(|of| round(of.low, 6))),
            corrected_ci_high: corrected.map(|_| interval.map(|of| round(of.high, 6))),
            luck: luck.map(|luck| round(luck.mean, 6)),
            luck_error: luck.map(|luck| round(luck.error, 6)),
            seed: Some(seed),
            asked_mine_ratio: asked,
            run: PathBuf::new(),
            cpu_seconds: Some(tally.cpu_seconds),
            nodes_per_game: Some(nodes_per_game(tally)),
        }
    }
}

/// The default players.
const PLAYERS: &str = "1.0..7.0";
/// The default limit of the search nodes of a game if the players are the default, because 1.0 can
/// search for hours.
const NODES: u64 = 1_000_000;

/// Play many games with each player on each board; print win rates and speeds
///
/// Without any setting, the results go to runs/eval. Without --players, --node-limit is 1,000,000.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "eval",
            "eval --players 11.0 --boards expert --first-click safe,opening --games 100000 --luck-corrected --out strength",
            "eval --players dss+components+min-p --widths 5..9 --mine-ratios 0.1..0.2:0.05",
        ], EXIT_CODES))]
pub struct Eval {
    /// Play these players (names, recipes or exec:COMMAND, separated by commas); `pipeline players`
    /// lists them
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', default_value = PLAYERS)]
    pub players: Vec<String>,
    /// Choose boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    /// [default: beginner]
    #[arg(long, value_name = "BOARDS", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    pub boards: Vec<Board>,
    /// Play on a grid of boards instead: widths LOW..HIGH, both included
    #[arg(long, value_name = "RANGE", requires = "mine_ratios")]
    #[serde(serialize_with = "as_text::optional")]
    pub widths: Option<values::Range<u16>>,
    /// Set the heights of the grid, as a share of the width: LOW..HIGH
    #[arg(long, value_name = "RANGE", requires = "widths", default_value_t = values::Range { low: 0.5, high: 1.0 })]
    #[serde(serialize_with = "as_text::one")]
    pub height_ratio: values::Range<f64>,
    /// Set the mines of the grid, as a share of the cells: LOW..HIGH:STEP
    #[arg(long, value_name = "RANGE", requires = "widths")]
    #[serde(serialize_with = "as_text::optional")]
    pub mine_ratios: Option<Steps>,
    /// Play N games of each player, board and first-click rule
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = values::games())]
    pub games: u32,
    #[command(flatten)]
    #[serde(flatten)]
    pub series: SeriesSettings,
}

impl Eval {
    fn names(&self) -> Vec<String> {
        self.players
            .iter()
            .flat_map(|item| values::player_names(item, true))
            .map(str::to_owned)
            .collect()
    }

    fn boards(&self) -> Result<Vec<Board>> {
        match (self.widths, self.mine_ratios) {
            (Some(widths), Some(ratios)) => {
                ensure!(
                    self.boards.is_empty(),
                    "--boards and a grid of --widths and --mine-ratios exclude each other"
                );
                grid(widths, self.height_ratio, ratios).map_err(anyhow::Error::msg)
            }
            (None, None) if self.boards.is_empty() => Ok(vec!["beginner".parse()?]),
            (None, None) => Ok(unique(self.boards.clone())),
            _ => bail!("a grid of boards takes both --widths and --mine-ratios"),
        }
    }

    /// Returns the first mine ratio of the grid that gives this board, or `None` if the boards are
    /// no grid.
    fn asked(&self, board: Board) -> Option<f64> {
        let mut ratios = self.mine_ratios?.values();
        let ratio = ratios.find(|&ratio| mines_at(ratio, board.cells()) == board.mines())?;
        Some(round(ratio, 6))
    }
}

impl Stage for Eval {
    fn check(&self) -> Result<()> {
        self.series.check()?;
        values::check_named_once(&self.names())?;
        self.boards().map(drop)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        named_players(&self.names())
    }

    fn published(&self) -> Vec<String> {
        let boards = self.boards().unwrap_or_default();
        self.series.value_models(&boards)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let players = self.series.models.players(&self.names(), context.models)?;
        let mut plan = self
            .series
            .plan(players, &self.boards()?, self.games, context)?;
        if plan.limits == Limits::default() && self.players == [PLAYERS] {
            plan.limits.nodes = Some(NODES);
            context.note(&format!(
                "note: a game is lost after {} search nodes; --node-limit N sets another limit",
                grouped(NODES)
            ));
        }
        let mut arena = match self.series.play("eval", FILES, plan, None, context)? {
            Ok(arena) => arena,
            Err(interrupted) => return Ok(interrupted),
        };
        let tallies = || {
            arena
                .plan()
                .configurations
                .iter()
                .zip(arena.ledger().tallies())
        };
        let rows: Vec<_> = tallies()
            .map(|(at, tally)| EvalRow::new(at, tally, context.seed, self.asked(at.board)))
            .collect();
        let costs: Vec<_> = tallies()
            .map(|(at, tally)| CostRow::new(at, tally))
            .collect();
        let mut files = vec![("eval.csv", to_csv(&rows)?), ("cost.csv", to_csv(&costs)?)];
        if !self.series.keep(&arena, &mut files, context)? {
            return Ok(context.interrupted("all games of the table"));
        }
        arena.series().seal(&files, context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(rows))))
    }
}

impl Row for EvalRow {
    fn text(rows: &[Self]) -> Text {
        let interval = |(low, high)| format!("{} - {}", percent(low), percent(high));
        let is_corrected = rows.iter().any(|row| row.corrected_win_ratio.is_some());
        let mut table = TableOf::new(rows)
            .left("player", |row| &row.player)
            .left("board", Self::board);
        // A luck-corrected table leaves out what the file has and every reader can do without,
        // because it must fit into 100 columns.
        if !is_corrected || rows.iter().any(|row| row.first_click != "safe") {
            table = table.left("first click", |row| &row.first_click);
        }
        table = table
            .right("games", |row| grouped(row.games))
            .right("won %", |row| percent(row.win_ratio))
            .right("95 % interval", |row| interval((row.ci_low, row.ci_high)));
        if is_corrected {
            let corrected = |row: &Self| row.corrected().map(|of| (of.low, of.high));
            table = table
                .right("luck corrected", |row| {
                    row.corrected()
                        .map_or_else(|| "-".to_owned(), |of| percent(of.value))
                })
                .right("95 % interval", |row| {
                    corrected(row).map_or_else(|| "-".to_owned(), interval)
                });
        }
        if !is_corrected || rows.iter().any(|row| row.timeouts > 0) {
            table = table.right("timeouts", |row| grouped(row.timeouts));
        }
        let speed = |row: &Self| {
            let seconds = row.cpu_seconds?;
            Some(format!("{:.1}", row.games as f64 / seconds.max(1e-9)))
        };
        if !is_corrected {
            table = table
                .right("guesses/game", |row| format!("{:.3}", row.guesses_per_game))
                .right("CPU s", |row| {
                    row.cpu_seconds
                        .map_or_else(String::new, |seconds| format!("{seconds:.3}"))
                });
        }
        let table = table
            .right("games/CPU s", |row| speed(row).unwrap_or_default())
            .text();
        if !rows
            .iter()
            .any(|row| row.corrected_win_ratio.is_some() && row.corrected().is_none())
        {
            return table;
        }
        table.then(Text::prose(
                "-: the games are too few to trust the luck-corrected interval, or the correction raises the variance, as it does for weak \
                 players: the raw rate is then the better estimate. The interval is the exact one.".to_owned(),
            ))
    }
}

impl EvalRow {
    /// Returns the win rate with its confidence interval, luck-corrected if luck was measured.
    pub fn won(&self) -> Estimate {
        self.corrected().unwrap_or(Estimate {
            value: self.win_ratio,
            low: self.ci_low,
            high: self.ci_high,
        })
    }

    /// Returns the luck-corrected win rate with its confidence interval, if luck was measured.
    pub fn corrected(&self) -> Option<Estimate> {
        let value = self.corrected_win_ratio?;
        let low = self.corrected_ci_low??;
        let high = self.corrected_ci_high??;
        Some(Estimate { value, low, high })
    }

    /// Returns width, height and mines, such as `9x9/10`.
    pub fn board(&self) -> String {
        format!("{}x{}/{}", self.width, self.height, self.mines)
    }

    /// Returns the games as a stratum with this weight, for a stratified mean.
    pub fn stratum(&self, weight: f64) -> WeightedGames {
        WeightedGames {
            wins: self.wins as f64,
            games: self.games as f64,
            weight,
        }
    }
}
