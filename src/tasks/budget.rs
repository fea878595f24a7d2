//! A budget as text: `nodes=100000`, `playouts=20000`, `time=10s`, or several of them joined by
//! `+`. The older forms `20000it` and `10s` are read too; budgets of moves are recorded in these.

use std::{fmt, str::FromStr};

use super::values;
use mineflow_gdl::player::MoveBudget;
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
        let budget = budget_of(text).ok_or_else(|| {
            format!(
                "`{text}` is not a budget; write nodes=N, playouts=N or time=10s, joined by + if several"
            )
        })?;
        Ok(Self(budget))
    }
}

fn budget_of(text: &str) -> Option<Budget> {
    let mut budget = Budget::default();
    for limit in text.split('+') {
        let playouts = limit.strip_suffix("it").map(|amount| ("playouts", amount));
        let (what, amount) = limit
            .split_once('=')
            .or(playouts)
            .unwrap_or(("time", limit));
        match what {
            "nodes" => budget.nodes = Some(whole(amount)?),
            "playouts" => budget.playouts = Some(whole(amount)?),
            "time" => budget.time = Some(values::duration(amount).ok()?),
            _ => return None,
        }
    }
    Some(budget)
}

/// Parses the budget of a move of [other games](crate::ggp_match): one limit of playouts or of
/// time.
pub fn move_budget(text: &str) -> Result<MoveBudget, String> {
    match budget_of(text) {
        Some(Budget {
            nodes: None,
            playouts: Some(playouts),
            time: None,
            ..
        }) => Ok(MoveBudget::Playouts(playouts)),
        Some(Budget {
            nodes: None,
            playouts: None,
            time: Some(time),
            ..
        }) => Ok(MoveBudget::Time(time)),
        _ => Err(format!(
            "`{text}` is not the budget of a move; write playouts=10000 or time=500ms"
        )),
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
