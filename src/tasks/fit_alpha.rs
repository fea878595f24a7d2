//! Fits alpha of equation 9 (Sinha et al., sections 4.2.3 and 5.2.2): a sweep for the alpha with
//! the most wins on each board, and the linear regression of equation 10.
//!
//! ```text
//! DIR/manifest.json, journal.jsonl, lock   the games; see the arena's folder
//!     sweep.csv                            wins of every alpha on every board
//!     targets.csv                          the best alpha of every board, the fitted alpha and the residual
//!     alpha.json                           theta, R squared, counts
//!     alpha.safetensors                    the artifact, written last
//! ```

use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    Context, Outcome, Row, Rows, Stage, as_text,
    help::{EXIT_CODES, examples},
    series::{arena, play},
    values::{self, Range, Steps, grid, unique},
};
use mineflow_arena::{
    Arena, Configuration, Plan, TableOf, Text,
    numbers::{grouped, round},
    to_csv,
};
use mineflow_learn::train::alpha::{AlphaFit, AlphaRow, best_alpha};
use mineflow_minesweeper::{
    Board, FirstClick,
    features::LocationScore,
    player::{
        Limits, PlayerSpec, Recipe,
        choose::{Candidates, Choice, Rule},
    },
};
use mineflow_model::{Artifact, Linear, Metadata};
use mineflow_rng::Seed;
use mineflow_store::{Journal, object, sha256};

const ARTIFACT: &str = "alpha.safetensors";
/// The journal, and the files made from it.
const FILES: &[&str] = &[
    Journal::FILE,
    "sweep.csv",
    "targets.csv",
    "alpha.json",
    ARTIFACT,
];
/// The player whose choice by P is replaced by a choice by the score Sc.
const PLAYER: &str = "4.0";
/// Largest accepted difference between the alpha of the fit and that of the artifact that was read
/// back.
const READ_BACK: f64 = 1e-12;

/// A row of `sweep.csv`: the results of one alpha on one board.
#[derive(Serialize)]
struct SweepRow {
    width: usize,
    height: usize,
    mines: usize,
    mine_ratio: f64,
    alpha: f64,
    games: u64,
    wins: u64,
    win_ratio: f64,
}

/// A row of `targets.csv`: the best alpha of one board, and the alpha that the regression predicts
/// for the board.
#[derive(Serialize)]
struct TargetRow {
    width: usize,
    height: usize,
    mines: usize,
    mine_ratio: f64,
    /// The alpha with the most wins, or the mean of several tied alphas.
    alpha: f64,
    /// Number of alphas that tie for the most wins.
    sharing: usize,
    /// The win rate of the best alpha.
    best_win_ratio: f64,
    /// The win rate of the worst alpha.
    worst_win_ratio: f64,
    /// The win rate of alpha = 1, which is player 4.0.
    win_ratio_of_p_alone: f64,
    /// The fitted alpha, 0 to 1.
    fitted: f64,
    /// `alpha` minus the fitted value before clamping.
    residual: f64,
}

/// The result of the regression of alpha.
#[derive(Serialize)]
struct AlphaResult {
    /// Coefficients of the longer side, the shorter side and the mine ratio, and the constant.
    theta: [f64; 4],
    /// The share of the targets' variance that the line explains; `None` if all targets are equal.
    r_squared: Option<f64>,
    #[serde(serialize_with = "as_text::one")]
    score: LocationScore,
    boards: usize,
    games: u64,
    /// The content hash of the artifact.
    sha256: String,
}

impl Row for AlphaResult {
    fn text(rows: &[Self]) -> Text {
        let theta = |at: usize| move |row: &Self| format!("{:.5}", row.theta[at]);
        TableOf::new(rows)
            .right("longer side", theta(0))
            .right("shorter side", theta(1))
            .right("mine ratio", theta(2))
            .right("constant", theta(3))
            .right("R squared", |row| {
                row.r_squared
                    .map_or_else(|| "-".to_owned(), |r| format!("{r:.4}"))
            })
            .right("boards", |row| row.boards)
            .right("games", |row| grouped(row.games))
            .left("sha256", |row| &row.sha256[..12])
            .text()
    }
}

/// Fit alpha of Sinha et al. (equation 9) for 6.0 and 6.5 by regression
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&["fit-alpha --games 20 --out alpha", "fit-alpha --widths 5..7 --alphas 11 --out small-alpha"], EXIT_CODES))]
pub struct FitAlpha {
    /// Set the widths, as LOW..HIGH or one number; separate several by commas
    #[arg(
        long,
        value_name = "RANGES",
        value_delimiter = ',',
        default_value = "5..10,20"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub widths: Vec<Range<u16>>,
    /// Set the heights, as a share of the width: LOW..HIGH
    #[arg(long, value_name = "RANGE", default_value_t = Range { low: 0.5, high: 1.0 })]
    #[serde(serialize_with = "as_text::one")]
    pub height_ratio: Range<f64>,
    /// Set the mines, as a share of the cells: LOW..HIGH:STEP
    #[arg(long, value_name = "RANGE", default_value = "0.05..0.25:0.05")]
    #[serde(serialize_with = "as_text::one")]
    pub mine_ratios: Steps,
    /// Try N evenly spaced values of alpha, from 0 to 1 inclusive
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = clap::value_parser!(u32).range(2..=1001))]
    pub alphas: u32,
    /// Play N games with each alpha on each board, the same games for every alpha
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = values::games())]
    pub games: u32,
    /// Choose the location score: opening (the chance of an opening) or printed (equation 4 of
    /// Sinha et al. as printed)
    #[arg(long, value_name = "SCORE", default_value_t = LocationScore::Opening)]
    #[serde(serialize_with = "as_text::one")]
    pub score: LocationScore,
}

impl Stage for FitAlpha {
    fn check(&self) -> Result<()> {
        let rows: Vec<_> = self
            .boards()?
            .iter()
            .map(|&board| alpha_row([board.width(), board.height(), board.mines()], 0.0))
            .collect();
        Ok(AlphaFit::check(&rows)?)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        context.folder()?;
        let boards = self.boards()?;
        let plan = Plan {
            configurations: self.configurations(&boards)?,
            games: self.games,
            part: context.part,
            seed: Seed::new(context.seed),
            limits: Limits::default(),
            sprt: None,
            threads: context.threads,
        };
        let opened = arena(plan, self.manifest(&boards, context.seed), FILES, context)?;
        let arena = match play(opened, context)? {
            Ok(arena) => arena,
            Err(interrupted) => return Ok(interrupted),
        };
        let mut search = AlphaSearch {
            settings: self,
            boards,
            arena,
            seed: context.seed,
        };
        Ok(Outcome::Done(Box::new(Rows(vec![
            search.fit(context.stop)?,
        ]))))
    }
}

/// A sweep over alpha: every alpha plays the same games of every board.
struct AlphaSearch<'a> {
    settings: &'a FitAlpha,
    boards: Vec<Board>,
    arena: Arena,
    seed: u64,
}

impl FitAlpha {
    /// Returns the `index`-th alpha.
    fn alpha(&self, index: u32) -> f64 {
        f64::from(index) / f64::from(self.alphas - 1)
    }

    fn boards(&self) -> Result<Vec<Board>> {
        let mut boards = Vec::new();
        for &widths in &self.widths {
            let grid = grid(widths, self.height_ratio, self.mine_ratios);
            boards.extend(grid.map_err(anyhow::Error::msg)?);
        }
        Ok(unique(boards))
    }

    fn configurations(&self, boards: &[Board]) -> Result<Vec<Configuration>> {
        let Recipe::Steps(base) = PLAYER.parse::<PlayerSpec>()?.recipe else {
            unreachable!("player {PLAYER} deduces, weighs and chooses");
        };
        let mut configurations = Vec::new();
        for &board in boards {
            for alpha in (0..self.alphas).map(|index| self.alpha(index)) {
                let rule = Rule::EdgeScore {
                    alpha,
                    score: self.score,
                };
                let mut steps = base.clone();
                steps.choice = Choice {
                    rule,
                    candidates: Candidates::Covered,
                };
                configurations.push(Configuration {
                    player: PlayerSpec {
                        name: format!("alpha={alpha:.4}"),
                        recipe: Recipe::Steps(steps),
                    },
                    board,
                    first_click: FirstClick::Safe,
                    value_model: None,
                });
            }
        }
        Ok(configurations)
    }

    fn manifest(&self, boards: &[Board], seed: u64) -> Map<String, Value> {
        object(json!({
            "command": "fit-alpha",
            "player": PLAYER,
            "boards": Value::from_iter(boards.iter().map(ToString::to_string)),
            "alphas": self.alphas,
            "score": self.score.name(),
            "seed": seed,
        }))
    }
}

impl AlphaSearch<'_> {
    /// Fits the regression line to a finished sweep, and writes the tables and the artifact.
    fn fit(&mut self, stop: &AtomicBool) -> Result<AlphaResult> {
        let table = self.sweep();
        let sweep: Vec<&[SweepRow]> = table.chunks(self.settings.alphas as usize).collect();
        let rows: Vec<AlphaRow> = sweep.iter().map(|at| regression_row(at)).collect();
        let fit = AlphaFit::new(&rows)?;
        let artifact = self.artifact(&fit)?;
        let bytes = artifact.to_bytes();
        let read = read_back(&bytes)?;
        let targets: Vec<_> = sweep
            .iter()
            .zip(&rows)
            .map(|(at, row)| target(at, row, &fit, &read))
            .collect();
        for row in &targets {
            let expected = (row.alpha - row.residual).clamp(0.0, 1.0);
            let difference = (row.fitted - expected).abs();
            ensure!(
                difference <= READ_BACK,
                "the artifact read back gives alpha {} on {}x{}/{}, the regression {expected}",
                row.fitted,
                row.width,
                row.height,
                row.mines
            );
        }
        let result = AlphaResult {
            theta: fit.theta,
            r_squared: fit.r_squared,
            score: self.settings.score,
            boards: self.boards.len(),
            games: self.arena.ledger().played(),
            sha256: sha256(&bytes),
        };
        let files = [
            ("sweep.csv", to_csv(&table)?),
            ("targets.csv", to_csv(&targets)?),
            ("alpha.json", format!("{}\n", json!(result)).into_bytes()),
            (ARTIFACT, bytes),
        ];
        self.arena.series().seal(&files, stop)?;
        Ok(result)
    }

    fn sweep(&self) -> Vec<SweepRow> {
        let alphas = (0..self.settings.alphas).map(|index| self.settings.alpha(index));
        let configurations = self.arena.plan().configurations.iter();
        let tallies = self.arena.ledger().tallies();
        let mut rows = Vec::new();
        for ((at, tally), alpha) in configurations.zip(tallies).zip(alphas.cycle()) {
            rows.push(SweepRow {
                width: at.board.width(),
                height: at.board.height(),
                mines: at.board.mines(),
                mine_ratio: round(at.board.mine_ratio(), 6),
                alpha: round(alpha, 6),
                games: tally.games,
                wins: tally.wins,
                win_ratio: round(tally.wins as f64 / tally.games as f64, 6),
            });
        }
        rows
    }

    fn artifact(&self, fit: &AlphaFit) -> Result<Linear> {
        let FitAlpha {
            alphas,
            games,
            score,
            ..
        } = self.settings;
        let seed = self.seed;
        let command = format!(
            "pipeline fit-alpha --alphas {alphas} --games {games} --score {score} --seed {seed}"
        );
        let r_squared = fit.r_squared.map(|r| r.to_string());
        let metadata = Metadata::new(Linear::FEATURES)
            .note("command", command)
            .note("location_score", score)
            .note("boards", self.boards.len())
            .note(
                "r_squared",
                r_squared.unwrap_or_else(|| "undefined".to_owned()),
            )
            .note("seed", seed);
        Ok(Linear::new(fit.theta, metadata)?)
    }
}

/// Reads the artifact as a player will read it.
fn read_back(bytes: &[u8]) -> Result<Linear> {
    let artifact = Artifact::new("the artifact just made".into(), bytes.to_vec())
        .context("the artifact just made can't be read back")?;
    artifact.check(&Linear::expected("fit-alpha"))?;
    Ok(artifact.into_alpha("fit-alpha")?)
}

/// Returns the regression row of one board.
fn regression_row(sweep: &[SweepRow]) -> AlphaRow {
    let at = &sweep[0];
    let alphas: Vec<f64> = sweep.iter().map(|row| row.alpha).collect();
    let wins: Vec<u64> = sweep.iter().map(|row| row.wins).collect();
    alpha_row([at.width, at.height, at.mines], best_alpha(&alphas, &wins))
}

fn alpha_row([width, height, mines]: [usize; 3], alpha: f64) -> AlphaRow {
    AlphaRow {
        longer: width.max(height) as f64,
        shorter: width.min(height) as f64,
        mine_ratio: mines as f64 / (width * height) as f64,
        alpha,
    }
}

fn target(sweep: &[SweepRow], row: &AlphaRow, fit: &AlphaFit, artifact: &Linear) -> TargetRow {
    let at = &sweep[0];
    let ratios = || sweep.iter().map(|row| row.win_ratio);
    let best = ratios().fold(0.0, f64::max);
    TargetRow {
        width: at.width,
        height: at.height,
        mines: at.mines,
        mine_ratio: at.mine_ratio,
        alpha: row.alpha,
        sharing: ratios().filter(|&ratio| ratio == best).count(),
        best_win_ratio: best,
        worst_win_ratio: ratios().fold(1.0, f64::min),
        win_ratio_of_p_alone: sweep.last().map_or(0.0, |row| row.win_ratio),
        fitted: artifact.alpha(at.width, at.height, at.mines),
        residual: row.alpha - fit.at(row),
    }
}
