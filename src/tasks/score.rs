//! `score`: what the choices of players lose on a set of guesses.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use serde::Serialize;
use serde_json::json;

use crate::as_text;
use crate::help::{EXIT_CODES, examples};
use crate::resume::noted_revision;
use crate::stage::named_players;
use crate::values::{self, ModelFor, unique};
use crate::{Context, Outcome, Row, Rows, Stage};
use mineflow_arena::numbers::round;
use mineflow_arena::{Ending, Estimate, TableOf, to_csv};
use mineflow_learn::data::{GuessSetRow, read_guess_set};
use mineflow_minesweeper::ahead::{LineValue, Lines, SCORING_LOOKS, Valuation, losses};
use mineflow_minesweeper::player::{GameStart, Player, PlayerSpec, REVISION};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::text::view_on;
use mineflow_minesweeper::{Board, Cell, FirstClick, Grid, View};
use mineflow_rng::Seed;
use mineflow_store::{Purpose, object};

const RESULTS: &[&str] = &["score.csv"];
/// Upper ends of the shares of the board that are unknown by which rows are made.
const BANDS: [f64; 4] = [0.25, 0.5, 0.94, 1.0];

/// Score players on a set of guesses: what their choices lose against the best candidate
///
/// The loss is in percentage points of win ratio a game, with a 95 % interval. No game is played, so the luck of games has no part in it. It
/// measures guesses in positions of another player's games, where no cell is safe. First clicks and proofs have no part in it either: `eval`
/// measures whole games.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "score --players 7.0,10.0-fast --set set/report.parquet",
            "score --players 5.0 --model 5.0=trees.json --set set/tune.parquet --json",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct Score {
    /// Players by name or recipe, separated by commas
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    pub players: Vec<String>,
    /// Another model for a player, such as 5.0=trees.json; several are separated by commas
    #[arg(long, value_name = "PLAYER=FILE", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    pub model: Vec<ModelFor>,
    /// The set: a file of `guess-set`
    #[arg(long, value_name = "FILE")]
    pub set: PathBuf,
    /// Search nodes a decision; a decision that needs more counts as the worst candidate
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,
}

impl Stage for Score {
    fn players(&self) -> Vec<(&'static str, String)> {
        named_players(&self.players)
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let players = values::players(&self.players, &self.model)?;
        let mut settings = object(json!({
            "command": "score",
            "players": players.iter().map(|spec| spec.recipe.to_string()).collect::<Vec<_>>(),
            "set": mineflow_store::file_sha256(&self.set, context.stop)?,
            "node_limit": self.node_limit,
        }));
        settings.extend(noted_revision(REVISION));
        let folder = context.open_if_given(&Purpose {
            own: RESULTS,
            results: RESULTS,
            ..Purpose::of(settings)
        })?;
        let guesses = read(&self.set)?;
        let mut rows = Vec::new();
        for spec in &players {
            match self.losses(spec, &guesses, context)? {
                Some(losses) => rows.extend(score_rows(spec, &guesses, &losses)),
                None => return Ok(context.interrupted("no scores")),
            }
        }
        if let Some(mut folder) = folder {
            folder.write(RESULTS[0], &to_csv(&rows)?)?;
            folder.finish(&rows.len(), context.stop)?;
        }
        Ok(Outcome::Done(Box::new(Rows(rows))))
    }
}

impl Score {
    /// What the choices of a player lose, guess by guess; `None` if it was asked to stop.
    fn losses(
        &self,
        spec: &PlayerSpec,
        guesses: &[GuessToScore],
        context: &Context<'_>,
    ) -> anyhow::Result<Option<Vec<f64>>> {
        let mut losses = BTreeMap::new();
        let planned = guesses.len() as u64;
        let ending = context.workers().run(
            0..guesses.len(),
            || (spec.build(), Valuation::default()),
            |(player, valuation), guess, results, _| {
                let loss = guesses[guess].loss(player.as_mut(), valuation, self.node_limit);
                results.hand_in((guess, loss));
            },
            |found| {
                if let Some((guess, loss)) = found {
                    let about = || format!("player {}, guess {}", spec.name, guesses[guess].number);
                    losses.insert(guess, loss.with_context(about)?);
                }
                context.count(
                    "guesses",
                    losses.len() as u64,
                    planned,
                    &format!(", {}", spec.name),
                );
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok((ending == Ending::Finished).then(|| losses.into_values().collect()))
    }
}

/// A guess of a set.
struct GuessToScore {
    number: u32,
    view: View,
    first_click: FirstClick,
    unknown: f64,
    weight: f64,
    seed: u64,
    exact: bool,
    layouts: u32,
    cells: Vec<Cell>,
    values: Vec<LineValue>,
}

/// Reads a set.
fn read(path: &Path) -> anyhow::Result<Vec<GuessToScore>> {
    let rows = read_guess_set(path)?;
    ensure!(!rows.is_empty(), "{} has no guesses", path.display());
    let mut grids = BTreeMap::new();
    rows.chunk_by(|a, b| a.guess == b.guess)
        .map(|rows| {
            GuessToScore::of(rows, &mut grids)
                .with_context(|| format!("{}, guess {}", path.display(), rows[0].guess))
        })
        .collect()
}

/// The rows of a player: of each kind of board all guesses, then by the share of the board that is unknown.
fn score_rows(spec: &PlayerSpec, guesses: &[GuessToScore], losses: &[f64]) -> Vec<ScoreRow> {
    let scored = guesses.iter().zip(losses);
    let kinds = unique(guesses.iter().map(GuessToScore::kind).collect());
    let mut rows = Vec::new();
    for kind in kinds {
        let of_kind = || {
            scored
                .clone()
                .filter(move |(guess, _)| guess.kind() == kind)
        };
        rows.push(ScoreRow::of(spec, kind, "all".to_owned(), of_kind()));
        let mut low = 0.0;
        for high in BANDS {
            let here = of_kind().filter(|(guess, _)| guess.unknown > low && guess.unknown <= high);
            if here.clone().next().is_some() {
                rows.push(ScoreRow::of(spec, kind, format!("{low}-{high}"), here));
            }
            low = high;
        }
    }
    rows
}

impl GuessToScore {
    fn of(rows: &[GuessSetRow], grids: &mut BTreeMap<String, Arc<Grid>>) -> anyhow::Result<Self> {
        let first = &rows[0];
        let board: Board = first.board.parse()?;
        let grid = grids
            .entry(first.board.clone())
            .or_insert_with(|| Arc::new(Grid::new(board)));
        let lines: Vec<&str> = first.position.split('/').collect();
        let view = view_on(grid.clone(), board.mines(), &lines)?;
        let cell = |row: &GuessSetRow| {
            board
                .cell(row.row as usize, row.column as usize)
                .with_context(|| format!("({}, {}) is off the board", row.row, row.column))
        };
        let value = |row: &GuessSetRow| LineValue {
            tried: row.lines,
            value: f64::from(row.value),
            error: f64::from(row.error),
            blocks: row.blocks.map(f64::from),
        };
        Ok(Self {
            number: first.guess,
            view,
            first_click: first.first_click.parse().map_err(anyhow::Error::msg)?,
            unknown: f64::from(first.unknown),
            weight: f64::from(first.weight),
            seed: first.seed,
            exact: first.exact,
            layouts: first.layouts,
            cells: rows.iter().map(cell).collect::<anyhow::Result<_>>()?,
            values: rows.iter().map(value).collect(),
        })
    }

    fn kind(&self) -> (Board, FirstClick) {
        (self.view.board(), self.first_click)
    }

    /// What the choice of a player loses, in wins.
    fn loss(
        &self,
        player: &mut dyn Player,
        valuation: &mut Valuation,
        node_limit: Option<u64>,
    ) -> anyhow::Result<f64> {
        player.begin(&GameStart {
            board: self.view.board(),
            first_click: self.first_click,
            seed: Seed::new(self.seed),
        });
        let chosen = player
            .decide(&self.view, &mut Budget::new(node_limit, None))
            .ok()
            .map(|decision| decision.cells[0]);
        let mut values = self.values.clone();
        let place = match chosen {
            Some(cell) => match self.cells.iter().position(|&other| other == cell) {
                Some(place) => place,
                None => {
                    values.push(self.value_of(cell, valuation)?);
                    values.len() - 1
                }
            },
            None => {
                let worst = |a: &usize, b: &usize| values[*a].value.total_cmp(&values[*b].value);
                (0..values.len()).min_by(worst).unwrap_or(0)
            }
        };
        Ok(losses(&values)[place])
    }

    /// The value of a cell outside the candidates, by the same layouts.
    fn value_of(&self, cell: Cell, valuation: &mut Valuation) -> anyhow::Result<LineValue> {
        valuation.read(&self.view)?;
        // A known mine is worth nothing. No cell is known to be safe in these positions.
        if !valuation.analysis().is_unknown(cell) {
            return Ok(LineValue::exact(&[], cell));
        }
        if self.exact
            && let Some(exact) = valuation.exact()
        {
            return Ok(LineValue::exact(&exact, cell));
        }
        let lines = Lines {
            layouts: self.layouts,
            looks: SCORING_LOOKS,
        };
        Ok(valuation.by_lines(&[cell], lines, self.seed)[0])
    }
}

/// What the choices of a player lose.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ScoreRow {
    pub player: String,
    pub version: String,
    pub board: String,
    pub first_click: &'static str,
    /// The share of the board that is unknown, or `all`.
    pub unknown: String,
    pub guesses: usize,
    /// Percentage points of win ratio a game, with a 95 % interval.
    pub loss: f64,
    pub low: f64,
    pub high: f64,
}

impl ScoreRow {
    fn of<'a>(
        spec: &PlayerSpec,
        (board, first_click): (Board, FirstClick),
        unknown: String,
        scored: impl Iterator<Item = (&'a GuessToScore, &'a f64)>,
    ) -> Self {
        let mut strata: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for (guess, &loss) in scored {
            // Guesses of one weight are a stratum.
            let stratum = strata.entry(guess.weight.to_bits()).or_default();
            stratum.push(loss);
        }
        let a_game = |(&weight, losses): (&u64, &Vec<f64>)| {
            let mean = Estimate::mean(losses.iter().copied());
            (mean, f64::from_bits(weight) * losses.len() as f64)
        };
        let all = strata.iter().map(a_game);
        let guesses_a_game: f64 = all.clone().map(|(_, guesses)| guesses).sum();
        let loss = Estimate::weighted(all).expect("no row is without guesses");
        let points = |wins: f64| round(100.0 * guesses_a_game * wins, 4);
        Self {
            player: spec.name.clone(),
            version: spec.version(),
            board: board.to_string(),
            first_click: first_click.name(),
            unknown,
            guesses: strata.values().map(Vec::len).sum(),
            loss: points(loss.value),
            low: points(loss.low),
            high: points(loss.high),
        }
    }
}

impl Row for ScoreRow {
    fn text(rows: &[Self]) -> String {
        TableOf::new(rows)
            .left("player", |row| &row.player)
            .left("board", |row| &row.board)
            .left("first click", |row| row.first_click)
            .left("unknown", |row| &row.unknown)
            .right("guesses", |row| row.guesses)
            .right("loss, points a game", |row| format!("{:.3}", row.loss))
            .right("95 %", |row| format!("{:.3} to {:.3}", row.low, row.high))
            .text()
    }
}
