//! The printed lines and the printed result of a training run.

use std::time::Duration;

use super::TrainingResult;
use crate::{
    Context, Outcome, Row, Rows,
    training_records::{Metrics, RoundCost, VALIDATION_BOARDS, Won},
};
use mineflow_arena::{
    TableOf, Text,
    numbers::{grouped, humane, list, percent},
};

/// Returns the result of a training run that was already finished, and prints a note that says so.
pub(crate) fn finished_before(
    result: impl Row + 'static,
    context: &Context<'_>,
) -> anyhow::Result<Outcome> {
    let out = context.folder()?.display();
    context.note(&format!(
        "note: this training was finished before and is in {out}; nothing is left to do"
    ));
    Ok(Outcome::Done(Box::new(Rows(vec![result]))))
}

impl Row for TrainingResult {
    fn text(rows: &[Self]) -> Text {
        TableOf::new(rows)
            .right("rows", |row| grouped(row.rows))
            .right("steps", |row| grouped(row.steps as u64))
            .right("published", |row| &row.published)
            .right("held-out loss", |row| {
                format!("{:.5}", row.figures.validation_loss)
            })
            .right("won", |row| {
                row.figures
                    .won
                    .as_ref()
                    .map_or("-".to_owned(), with_interval)
            })
            .right("read back within", |row| {
                format!("{:.1e}", row.figures.largest_difference)
            })
            .left("sha256", |row| &row.sha256[..12])
            .text()
            .then(format!(
                "won: games on the boards {}\n",
                list(&VALIDATION_BOARDS)
            ))
    }
}

/// Formats the end of a round: `loss 0.31984, held out 0.32808, won 61.20 % (59.04 - 63.31), 1,200
/// rows/s, 2 min 5 s left`.
pub(super) fn round_line(metrics: &Metrics, cost: RoundCost, seconds_left: f64) -> String {
    let figures = metrics.figures;
    let won = figures.won.map_or(String::new(), |won| {
        format!(", won {}", with_interval(&won))
    });
    format!(
        "loss {:.5}, held out {:.5}{won}, {} rows/s, {} left",
        metrics.loss,
        figures.validation_loss,
        grouped(cost.rows_per_second as u64),
        humane(Duration::from_secs_f64(seconds_left))
    )
}

fn with_interval(won: &Won) -> String {
    format!(
        "{} % ({} - {})",
        percent(won.win_ratio),
        percent(won.win_low),
        percent(won.win_high)
    )
}
