//! A budget as text: `nodes=100000`, `playouts=20000`, `time=10s`, or several of them joined by
//! `+`. `20000it` and `10s` are read too, as for the moves of [other
//! games](crate::ggp_match::MoveBudgetText).

use std::fmt;
use std::str::FromStr;

use crate::values;
use mineflow_search::Budget;

/// A budget with at least one limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BudgetText(Budget);

impl BudgetText {
    pub fn budget(self) -> Budget {
        self.0
    }
}

impl FromStr for BudgetText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a budget; write nodes=N, playouts=N or time=10s, joined by + if several"
            )
        };
        let mut budget = Budget::default();
        for limit in text.split('+') {
            let playouts = limit.strip_suffix("it").map(|amount| ("playouts", amount));
            let (what, amount) = limit
                .split_once('=')
                .or(playouts)
                .unwrap_or(("time", limit));
            match what {
                "nodes" => budget.nodes = Some(whole(amount).ok_or_else(wrong)?),
                "playouts" => budget.playouts = Some(whole(amount).ok_or_else(wrong)?),
                "time" => budget.time = Some(values::duration(amount).map_err(|_| wrong())?),
                _ => return Err(wrong()),
            }
        }
        Ok(Self(budget))
    }
}

/// Parses a whole number from 1 to 1e12. A search with a larger budget would not fit into memory.
fn whole(text: &str) -> Option<u64> {
    values::whole(text).filter(|number| (1..=1_000_000_000_000).contains(number))
}

impl fmt::Display for BudgetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            self.0.nodes.map(|nodes| format!("nodes={nodes}")),
            self.0
                .playouts
                .map(|playouts| format!("playouts={playouts}")),
            self.0
                .time
                .map(|time| format!("time={}s", time.as_secs_f64())),
        ];
        f.write_str(&limits.into_iter().flatten().collect::<Vec<_>>().join("+"))
    }
}
