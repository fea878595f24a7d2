//! The progress display and the printed result of a training run.

use std::time::Duration;

use serde_json::json;

use super::{Activity, TrainingEnd, TrainingPlan, TrainingProgress, TrainingResult};
use crate::training_records::{Metrics, RoundCost, VALIDATION_BOARDS, Won};
use crate::{Answer, Context, Outcome, Row, Rows, json_lines};
use mineflow_arena::numbers::{counted, grouped, humane, list, percent};
use mineflow_arena::{TableOf, Text};
use mineflow_learn::train::Overfit;

/// Trains with progress output, or overfits a few rows if the settings ask for it.
pub(crate) fn train(plan: TrainingPlan<'_>) -> anyhow::Result<Outcome> {
    let context = plan.learning.context;
    if plan.learning.settings.overfit {
        return Ok(Outcome::Done(Box::new(plan.overfit()?)));
    }
    let end = plan.run(&mut |progress| {
        if let Activity::Done {
            metrics,
            cost,
            seconds_left,
        } = progress.activity
        {
            context
                .observer
                .line(&line(progress, &metrics, cost, seconds_left));
        } else {
            context.say(progress.number - 1, progress.rounds, &in_words(progress));
        }
    });
    let result = match end? {
        TrainingEnd::Finished(result) => result,
        TrainingEnd::AlreadyFinished(result) => return finished_before(result, context),
        TrainingEnd::Stopped { rounds, windows: 0 } => {
            return Ok(context.interrupted(&counted(rounds, "whole round")));
        }
        TrainingEnd::Stopped { rounds, windows } => {
            let rounds = counted(rounds, "whole round");
            let windows = counted(windows as u64, "window");
            return Ok(context.interrupted(&format!("{rounds} and {windows} of the next")));
        }
    };
    Ok(Outcome::Done(Box::new(Rows(vec![result]))))
}

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

impl Answer for Overfit {
    fn json(&self) -> serde_json::Result<String> {
        json_lines([json!({
            "rows": self.rows,
            "steps": self.steps,
            "loss": self.loss,
            "wanted": self.wanted,
            "learnt": !self.is_no(),
        })])
    }

    fn text(&self) -> Text {
        let verdict = if self.is_no() {
            "not learnt by heart"
        } else {
            "learnt by heart"
        };
        let steps = grouped(self.steps as u64);
        format!(
            "{} rows {verdict} in {steps} steps: loss {:.6}, wanted below {}\n",
            self.rows, self.loss, self.wanted
        )
        .into()
    }

    fn is_no(&self) -> bool {
        self.loss >= self.wanted
    }
}

fn in_words(progress: TrainingProgress) -> String {
    let of_games = |played, games| format!("{} of {} games", grouped(played), grouped(games));
    let activity = match progress.activity {
        Activity::GettingRows => "getting rows".to_owned(),
        Activity::Learning {
            progress,
            rows_per_second,
        } => format!(
            "{} of {} rows, loss {:.5}, {} rows/s",
            grouped(progress.rows as u64),
            grouped(progress.of_rows as u64),
            progress.loss,
            grouped(rows_per_second as u64)
        ),
        Activity::Playing { played, games } => of_games(played, games),
        Activity::Done { .. } => "done".to_owned(),
        Activity::Choosing {
            candidate,
            candidates,
            played,
            games,
        } => {
            return format!(
                "final validation, network {candidate} of {candidates}: {}",
                of_games(played, games)
            );
        }
    };
    format!("{}: {activity}", place(progress))
}

/// Formats a finished round: `episode 3 of 50: loss 0.31984, held out 0.32808, won 61.20 % (59.04 -
/// 63.31), 2 min 5 s left`.
fn line(
    progress: TrainingProgress,
    metrics: &Metrics,
    cost: RoundCost,
    seconds_left: f64,
) -> String {
    let figures = metrics.figures;
    let won = figures.won.map_or(String::new(), |won| {
        format!(", won {}", with_interval(&won))
    });
    format!(
        "{}: loss {:.5}, held out {:.5}{won}, {} rows/s, {} left",
        place(progress),
        metrics.loss,
        figures.validation_loss,
        grouped(cost.rows_per_second as u64),
        humane(Duration::from_secs_f64(seconds_left))
    )
}

fn place(progress: TrainingProgress) -> String {
    let TrainingProgress { number, rounds, .. } = progress;
    format!("{} {number} of {rounds}", progress.round.name())
}

fn with_interval(won: &Won) -> String {
    format!(
        "{} % ({} - {})",
        percent(won.win_ratio),
        percent(won.win_low),
        percent(won.win_high)
    )
}
