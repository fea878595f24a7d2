//! Proofs as JSON.

use serde_json::{Value, json};

use super::{Proofs, Step};
use crate::{Board, Cell};

impl Proofs {
    /// Returns the proved cells with their proofs as JSON, in the order of [`Proofs::cells`]:
    /// `{"cell", "mine", "steps": [{"rule", "numbers", "cells", "mines", "after"}]}`, with the
    /// fields of [`Step`]. Cells are `[row, column]`, counted from 0, and `after` counts the steps
    /// of the same proof from 0.
    pub fn json(&self, board: Board) -> impl Iterator<Item = Value> {
        let places = move |cells: &[Cell]| -> Vec<(usize, usize)> {
            cells.iter().map(|&cell| board.row_col(cell)).collect()
        };
        let of_step = move |step: &Step| {
            json!({
                "rule": step.rule.name(),
                "numbers": places(&step.numbers),
                "cells": places(&step.cells),
                "mines": step.mines,
                "after": step.after,
            })
        };
        let of_cell = move |cell: Cell| {
            json!({
                "cell": board.row_col(cell),
                "mine": self.is_mine(cell),
                "steps": self.chain(cell).iter().map(of_step).collect::<Vec<_>>(),
            })
        };
        self.cells().into_iter().map(of_cell)
    }
}
