//! What `pipeline eval` writes.

use std::path::Path;
use std::rc::Rc;

use serde::Deserialize;

use super::played::{Played, played};
use super::{csv_rows, ratio};
use crate::document::{Estimate, Stratum};
use crate::stage::report::error::ReportError;

/// A row of `eval.csv`, as far as the report needs it: one player on one board under one first-click rule.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct GameRow {
    pub(crate) player: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) mines: u32,
    pub(crate) first_click: String,
    pub(crate) games: u32,
    pub(crate) wins: u32,
    pub(crate) timeouts: u32,
    win_ratio: f64,
    ci_low: f64,
    ci_high: f64,
    pub(crate) cpu_seconds: f64,
    /// With which settings, if a manifest lies beside the table.
    #[serde(skip)]
    pub(crate) played: Option<Rc<Played>>,
}

impl GameRow {
    /// The win ratio with its interval, as the file has them.
    pub(crate) fn estimate(&self) -> Estimate {
        Estimate { value: self.win_ratio, low: self.ci_low, high: self.ci_high }
    }

    /// The games as a share of a mean.
    pub(crate) fn stratum(&self, weight: f64) -> Stratum {
        Stratum { wins: self.wins.into(), games: self.games.into(), weight }
    }

    fn check(&self) -> Result<(), String> {
        if self.games == 0 {
            return Err("games is 0".to_owned());
        }
        if self.wins + self.timeouts > self.games {
            return Err(format!("{} wins and {} timeouts in {} games", self.wins, self.timeouts, self.games));
        }
        if self.width == 0 || self.height == 0 {
            return Err(format!("the board is {}x{}", self.width, self.height));
        }
        if !(self.cpu_seconds.is_finite() && self.cpu_seconds >= 0.0) {
            return Err(format!("cpu_seconds is {}", self.cpu_seconds));
        }
        ratio("ci_low", self.ci_low)?;
        ratio("ci_high", self.ci_high)?;
        ratio("win_ratio", self.win_ratio)?;
        let of_games = f64::from(self.wins) / f64::from(self.games);
        if (self.win_ratio - of_games).abs() > 1e-5 {
            return Err(format!("win_ratio is {}, and {} of {} games are won", self.win_ratio, self.wins, self.games));
        }
        Ok(())
    }
}

/// The rows of a table of games, `None` if there is no such file.
pub(crate) fn games(path: &Path) -> Result<Option<Vec<GameRow>>, ReportError> {
    let Some(mut rows) = csv_rows(path, GameRow::check)? else {
        return Ok(None);
    };
    let played = played(path)?.map(Rc::new);
    rows.iter_mut().for_each(|row| row.played.clone_from(&played));
    Ok(Some(rows))
}
