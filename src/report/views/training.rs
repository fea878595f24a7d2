//! How the models learnt: what training stages leave in their folders.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Request;
use crate::chart::extent;
use crate::data::Data;
use crate::error::ReportError;
use crate::files::{csv_rows, json, json_lines, ratio};
use crate::row::Row;
use mineflow_arena::Estimate;
use mineflow_arena::numbers::{counted, list};
use mineflow_tasks::training_records::{ImportanceRow, Metrics, TreesMetrics};

/// The boards of validation games where no record names them.
const BOARDS: &str = "9x9/10";

/// A training as its folder describes it.
struct Run<R> {
    settings: Value,
    /// Its result; empty where the folder has no manifest.
    result: Row,
    rounds: Vec<R>,
}

impl<R> Run<R> {
    /// Which network is published, as the number of its round or in a word; `None` in records of trainings that published their last.
    fn published(&self) -> Option<&str> {
        Some(self.result.text("published")).filter(|published| !published.is_empty())
    }

    /// The win ratio of the published network, with its interval where it is known.
    fn won(&self) -> Option<Estimate> {
        let [value, low, high] =
            ["win_ratio", "win_low", "win_high"].map(|name| self.result.number(name));
        Some(Estimate {
            value: value?,
            low: low?,
            high: high?,
        })
    }
}

fn run<R: DeserializeOwned>(
    metrics: &Path,
    is_sound: impl Fn(&R) -> bool,
) -> Result<Run<R>, ReportError> {
    let rounds = json_lines::<R>(metrics)?.unwrap_or_default();
    if let Some(index) = rounds.iter().position(|round| !is_sound(round)) {
        return Err(ReportError::line(
            metrics,
            index as u64 + 1,
            "a loss or ratio is out of range",
        ));
    }
    let manifest: Value = json(&metrics.with_file_name("manifest.json"))?.unwrap_or_default();
    Ok(Run {
        settings: manifest["settings"].clone(),
        result: Row::of(&manifest["result"]),
        rounds,
    })
}

fn network(metrics: &Path) -> Result<Run<Metrics>, ReportError> {
    run(metrics, |round: &Metrics| {
        [round.loss, round.figures.validation_loss]
            .iter()
            .all(|loss| loss.is_finite())
            && round
                .figures
                .won
                .is_none_or(|won| (0.0..=1.0).contains(&won.win_ratio))
    })
}

/// A row for each training that has a last round: `player`, `rounds`, `published`, `rows`, `loss`, `held-out`, `won`. The fact `boards`
/// names those of the validation games.
pub(super) fn trainings(request: &Request<'_>) -> Result<Data, ReportError> {
    let (mut rows, mut boards) = (Vec::new(), Vec::new());
    for file in request.files {
        let run = network(file.path())?;
        if boards.is_empty() {
            let named = run.settings["validation_boards"].as_array();
            boards = named
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect();
        }
        let Some(last) = run.rounds.last() else {
            continue;
        };
        let ratio = run
            .result
            .number("win_ratio")
            .or(last.figures.won.map(|won| won.win_ratio));
        rows.push(
            Row::default()
                .with("player", file.name.as_str())
                .with(
                    "rounds",
                    counted(run.rounds.len() as u64, last.round.name()),
                )
                .with("published", run.published().unwrap_or("the last"))
                .with("rows", run.result.number("rows"))
                .with("loss", last.loss)
                .with(
                    "held-out",
                    run.result
                        .number("validation_loss")
                        .unwrap_or(last.figures.validation_loss),
                )
                .with("ratio", ratio)
                .with("won", run.won()),
        );
    }
    let boards = if boards.is_empty() {
        BOARDS.to_owned()
    } else {
        list(&boards)
    };
    Ok(Data::of(rows).facts(Row::default().with("boards", boards)))
}

/// A row for each round of a network's training, if it had several. Facts: `player`, the `unit` of rounds, the `level` of what is won by
/// the published network, the `worst` and the `best` of the second half, and which is `published`.
pub(super) fn rounds(request: &Request<'_>) -> Result<Data, ReportError> {
    let [file] = request.files else {
        return Ok(Data::default());
    };
    let run = network(file.path())?;
    let rounds = &run.rounds;
    if rounds.len() < 2 {
        return Ok(Data::default());
    }
    let unit = rounds[0].round.name();
    let won: Vec<_> = rounds
        .iter()
        .filter_map(|round| Some(round.figures.won?.win_ratio))
        .collect();
    // One win ratio is no line.
    let is_line = won.len() > 1;
    let (worst, best) = extent(won[won.len() / 2..].iter().copied());
    let published = match run.published() {
        None => "the last is published, not the best".to_owned(),
        Some("average") => {
            "the mean of the last ones is published, chosen by other games".to_owned()
        }
        Some(number) => {
            format!("{unit} {number} is published, chosen among the best by other games")
        }
    };
    let facts = Row::default()
        .with("player", file.name.as_str())
        .with("unit", unit)
        .with(
            "level",
            run.result.number("win_ratio").or(won.last().copied()),
        )
        .with("worst", worst)
        .with("best", best)
        .with("published", published);
    let row = |round: &Metrics| {
        let ratio = round
            .figures
            .won
            .map(|won| won.win_ratio)
            .filter(|_| is_line);
        Row::of(round)
            .with("held-out", round.figures.validation_loss)
            .with("won", ratio)
    };
    Ok(Data::of(rounds.iter().map(row).collect()).facts(facts))
}

/// A row for each round of the training of trees. Facts: how they and P alone do on games that they never saw.
pub(super) fn trees(request: &Request<'_>) -> Result<Data, ReportError> {
    let [file] = request.files else {
        return Ok(Data::default());
    };
    let Run { result, rounds, .. } = run(file.path(), |round: &TreesMetrics| {
        round.validation_log_loss.is_finite()
    })?;
    let [loss, auc, loss_of_p, auc_of_p] = [
        "test_log_loss",
        "test_auc",
        "log_loss_of_p_alone",
        "auc_of_p_alone",
    ]
    .map(|name| result.number(name));
    let is_better = auc > auc_of_p && loss < loss_of_p;
    let facts = Row::default()
        .with("loss", loss)
        .with("auc", auc)
        .with("loss-of-p", loss_of_p)
        .with("auc-of-p", auc_of_p)
        .with(
            "verb",
            if is_better {
                "better than"
            } else {
                "no better than"
            },
        );
    // One round is no line.
    let is_line = rounds.len() > 1;
    let row = |round: &TreesMetrics| {
        Row::of(round).with(
            "held-out",
            Some(round.validation_log_loss).filter(|_| is_line),
        )
    };
    Ok(Data::of(rounds.iter().map(row).collect()).facts(facts))
}

/// What each feature is worth to the trees, the best first; the facts `first`, `second` and their shares.
pub(super) fn importance(request: &Request<'_>) -> Result<Data, ReportError> {
    let mut rows = request.rows(|path| csv_rows(path, check_importance))?;
    rows.sort_by(|a, b| b.share_of_gain.total_cmp(&a.share_of_gain));
    let facts = match rows.as_slice() {
        [first, second, ..] => Row::default()
            .with("first", first.feature.as_str())
            .with("first-share", first.share_of_gain)
            .with("second", second.feature.as_str())
            .with("second-share", second.share_of_gain),
        _ => Row::default(),
    };
    Ok(Data::of(rows.iter().map(Row::of).collect()).facts(facts))
}

fn check_importance(row: &ImportanceRow) -> Result<(), String> {
    ratio("share_of_gain", row.share_of_gain)?;
    let rest = [row.gain_per_split, row.splits];
    if rest.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err("a number is not finite".to_owned())
    }
}
