//! The budget of a move, as text: `playouts=10000` or `time=500ms`, or in the older form `10000it`,
//! `500ms` or `1s`, in which budgets are recorded.

use std::fmt;
use std::str::FromStr;

use crate::values::{duration, whole};
use mineflow_gdl::player::MoveBudget;

/// The budget of a move: CPU time or a number of playouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveBudgetText(pub MoveBudget);

impl FromStr for MoveBudgetText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let playouts = text.strip_prefix("playouts=").or(text.strip_suffix("it"));
        let budget = match playouts {
            Some(number) => MoveBudget::Playouts(
                whole(number).filter(|&number| number > 0).ok_or_else(|| {
                    format!("`{text}` is not a number of playouts above 0; write playouts=10000")
                })?,
            ),
            None => MoveBudget::Time(duration(text.strip_prefix("time=").unwrap_or(text))?),
        };
        Ok(Self(budget))
    }
}

impl fmt::Display for MoveBudgetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
