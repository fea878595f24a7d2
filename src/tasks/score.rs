//! The stage `score`: the loss of players' choices on a guess set.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    Context, ModelArgs, Outcome, Row, Rows, Stage,
    help::{EXIT_CODES, examples},
    program,
    resume::revision_of_players,
    stage::named_players,
    values,
};
use mineflow_arena::{
    CandidateRow, Ending, GuessToScore, ScoreRow, TableOf, Text, numbers::ends, to_csv,
};
use mineflow_learn::data::{DataError, GuessSetRow, read_guess_set};
use mineflow_minesweeper::{
    ahead::{LineValue, Valuation},
    player::PlayerSpec,
};
use mineflow_store::{Purpose, StoreError, object};

const RESULTS: &[&str] = &["score.csv"];

/// Score players on a guess set: the loss of their choices against the best
///
/// The loss is in percentage points of the win rate per game, with a 95 % interval. No game is
/// played, and thus the luck of games adds no variance. The loss measures guesses in positions from
/// the games of the set's player, where no cell is proved safe. It does not measure first clicks or
/// proofs: use `eval` for whole games. With several players, rows `B less A` give the paired
/// difference from the first player, with a much narrower interval; a difference above 0 means that
/// B loses more. The table of several players omits the rows by share of unknown cells; --json and
/// --out include them.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "score --players 7.0,11.0-fast --set set/report.parquet",
            "score --players 5.0 --model 5.0=trees.json --set set/tune.parquet --json",
        ], EXIT_CODES))]
pub struct Score {
    /// Score these players, by name or recipe, separated by commas
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', required = true)]
    pub players: Vec<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
    /// Read the guess set from this file, written by `guess-set`
    #[arg(long, value_name = "FILE")]
    pub set: PathBuf,
}

impl Stage for Score {
    fn check(&self) -> Result<()> {
        values::check_named_once(&self.players)
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        named_players(&self.players)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let players = self.models.players(&self.players, context.models)?;
        values::check_different(&players)?;
        program::attend(&players, context);
        let set = hash(&self.set, context)?;
        let mut settings = object(json!({
            "command": "score",
            "players": players.iter().map(|spec| spec.recipe.without_folders()).collect::<Vec<_>>(),
            "set": set,
            "node_limit": Value::Null,
        }));
        settings.extend(revision_of_players(&players));
        let folder = context.open_if_given(&Purpose {
            own: RESULTS,
            results: RESULTS,
            ..Purpose::of(settings)
        })?;
        let rows = rows(&players, &set[..12], &read(&self.set)?, context)?;
        program::attend(&players, context);
        if let Some(mut folder) = folder {
            folder.write(RESULTS[0], &to_csv(&rows)?)?;
            folder.finish(&rows.len(), context.stop)?;
        }
        Ok(Outcome::Done(Box::new(Rows(rows))))
    }
}

/// Scores players on a set, which is named by the digits of its hash. With several players, the
/// rows of the paired difference from the first player follow those of each other player.
///
/// # Errors
/// Returns [`StoreError::Stopped`] after an interruption, and the errors of players.
pub(crate) fn rows(
    players: &[PlayerSpec],
    set: &str,
    guesses: &[GuessToScore],
    context: &Context<'_>,
) -> Result<Vec<ScoreRow>> {
    let mut rows = Vec::new();
    let mut first = None;
    for (index, spec) in players.iter().enumerate() {
        let place = (index, players.len());
        let losses = losses(spec, place, guesses, context)?;
        let who = (spec.name.as_str(), &spec.version()[..], set);
        rows.extend(ScoreRow::of(who, guesses, &losses));
        let Some((name, of_first)) = &first else {
            first = Some((&spec.name, losses));
            continue;
        };
        let pairs = losses.iter().zip(of_first);
        let less: Vec<f64> = pairs.map(|(loss, of_first)| loss - of_first).collect();
        let name = format!("{} less {name}", spec.name);
        rows.extend(ScoreRow::of((&name, "", set), guesses, &less));
    }
    Ok(rows)
}

/// Computes the loss of a player's choices, guess by guess. `place` is the index of the player and
/// the number of players, for the progress.
fn losses(
    spec: &PlayerSpec,
    place: (usize, usize),
    guesses: &[GuessToScore],
    context: &Context<'_>,
) -> Result<Vec<f64>> {
    let mut losses = BTreeMap::new();
    let done = place.0 * guesses.len();
    let planned = place.1 * guesses.len();
    let ending = context.workers().run(
        0..guesses.len(),
        || (spec.build(), Valuation::default()),
        |(player, valuation), guess, results| {
            let choice = guesses[guess].choice_of(player.as_mut(), None);
            let loss = choice
                .map_err(anyhow::Error::new)
                .and_then(|choice| Ok(guesses[guess].loss(choice, valuation)?));
            results.hand_in((guess, loss));
        },
        |found| {
            if let Some((guess, loss)) = found {
                let about = || format!("player {}, guess {}", spec.name, guesses[guess].number);
                losses.insert(guess, loss.with_context(about)?);
            }
            context.count(
                "guesses",
                (done + losses.len()) as u64,
                planned as u64,
                &format!(", {}", spec.name),
            );
            anyhow::Ok(ControlFlow::Continue(()))
        },
    )?;
    ensure!(ending == Ending::Finished, StoreError::Stopped);
    Ok(losses.into_values().collect())
}

/// Returns the file of a guess set by which something is chosen: `set`, or tune.parquet in the
/// folder `set`. Results are reported on report.parquet.
pub(crate) fn tuning_set(set: &Path) -> PathBuf {
    if set.is_dir() {
        set.join("tune.parquet")
    } else {
        set.to_owned()
    }
}

/// Returns the hash of a guess set's file.
pub(crate) fn hash(set: &Path, context: &Context<'_>) -> Result<String> {
    mineflow_store::file_sha256(set, context.stop)?.with_context(|| {
        let set = set.display();
        format!("there is no guess set {set}; `pipeline guess-set` makes one")
    })
}

/// Reads a guess set.
pub(crate) fn read(path: &Path) -> Result<Vec<GuessToScore>> {
    let rows = read_guess_set(path).map_err(|error| match error {
        DataError::Parquet { .. } | DataError::MissingColumn { .. } => {
            anyhow!("{error}; `pipeline guess-set` makes a guess set")
        }
        DataError::Store(error) => error.into(),
        // As text, because the help of these errors is about data folders.
        other => anyhow!("{other}"),
    })?;
    ensure!(!rows.is_empty(), "{} has no guesses", path.display());
    let rows: Vec<CandidateRow<'_>> = rows.iter().map(candidate).collect();
    GuessToScore::of_rows(&rows)
        .map_err(|(guess, why)| anyhow!(why).context(format!("{}, guess {guess}", path.display())))
}

fn candidate(row: &GuessSetRow) -> CandidateRow<'_> {
    CandidateRow {
        guess: row.guess,
        board: &row.board,
        first_click: &row.first_click,
        position: &row.position,
        unknown: f64::from(row.unknown),
        weight: f64::from(row.weight),
        seed: row.seed,
        exact: row.exact,
        layouts: row.layouts,
        row: row.row as usize,
        column: row.column as usize,
        chosen: row.chosen,
        value: LineValue {
            tried: row.lines,
            value: f64::from(row.value),
            error: f64::from(row.error),
            blocks: row.blocks.map(f64::from),
        },
    }
}

impl Row for ScoreRow {
    /// A table of several players omits the rows by share of unknown cells.
    fn text(rows: &[Self]) -> Text {
        let several = rows.iter().any(|row| row.player != rows[0].player);
        let shown: Vec<&Self> = rows
            .iter()
            .filter(|row| !several || row.unknown == ScoreRow::ALL)
            .collect();
        TableOf::new(&shown)
            .left("player", |row| &row.player)
            .left("board", |row| &row.board)
            .left("first click", |row| &row.first_click)
            .left("unknown", |row| &row.unknown)
            .right("guesses", |row| row.guesses)
            .right("loss, points a game", |row| format!("{:.3}", row.loss))
            .right("95 %", |row| ends(row.low, row.high, 3))
            .text()
    }
}
