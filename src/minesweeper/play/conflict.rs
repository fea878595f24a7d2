//! Finds the open cells that make a position contradictory.

use crate::{
    Cell, View,
    solver::{Analysis, Budget, CountError, Weighting},
};

/// Returns a minimal set of open cells that contradict each other: without any one of them the rest
/// is consistent. The search removes cells that the contradiction does not need, larger groups
/// first. If the budget runs out, it returns the set found so far, which may not be minimal. The
/// set is empty if no contradiction is found.
pub fn conflict(view: &View, budget: &mut Budget) -> Vec<Cell> {
    let mut analysis = Analysis::new();
    let mut contradicts = |cells: &[Cell]| {
        let mut part = View::new(view.grid().clone(), view.mines());
        for &cell in cells {
            part.open(cell, view.number(cell)?).ok()?;
        }
        if analysis.read(&part).is_err() {
            return Some(true);
        }
        match analysis.probabilities(Weighting::Posterior, budget) {
            Err(CountError::Contradiction(_)) => Some(true),
            Ok(_) => Some(false),
            Err(_) => None,
        }
    };
    let mut cells = view.opened().to_vec();
    if contradicts(&cells) != Some(true) {
        return Vec::new();
    }
    let mut size = cells.len();
    while size > 0 {
        let mut at = 0;
        while at < cells.len() {
            let mut fewer = cells.clone();
            fewer.drain(at..(at + size).min(cells.len()));
            match contradicts(&fewer) {
                Some(true) => cells = fewer,
                Some(false) => at += size,
                None => return cells,
            }
        }
        size /= 2;
    }
    cells
}
