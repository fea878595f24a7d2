//! Proofs from two open numbers.

use crate::{
    Cell, View,
    proof::{Number, prove_pair},
    solver::Analysis,
};

/// Derives proofs from pairs of open numbers, and keeps scratch memory between calls.
#[derive(Default)]
pub(super) struct Pairs {
    numbers: Vec<Number>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
}

impl Pairs {
    /// Finds the first pair of numbers that proves something and adds the conclusions to the
    /// analysis; returns false if there is no such pair.
    pub fn learn(&mut self, view: &View, analysis: &mut Analysis) -> bool {
        self.read(view, analysis);
        let board = view.board();
        let near = |a: Cell, b: Cell| {
            let ((row, col), (other_row, other_col)) = (board.row_col(a), board.row_col(b));
            row.abs_diff(other_row) <= 2 && col.abs_diff(other_col) <= 2
        };
        for (place, first) in self.numbers.iter().enumerate() {
            for second in self.numbers[place + 1..]
                .iter()
                .filter(|second| near(first.cell, second.cell))
            {
                [self.safe, self.mines] = prove_pair(first, second);
                if !self.safe.is_empty() || !self.mines.is_empty() {
                    analysis
                        .learn(&self.safe, &self.mines)
                        .expect("a proof contradicts nothing");
                    return true;
                }
            }
        }
        false
    }

    fn read(&mut self, view: &View, analysis: &Analysis) {
        self.numbers.clear();
        for &cell in view.opened() {
            let around = || view.grid().neighbors(cell);
            let unknown: Vec<Cell> = around().filter(|&near| analysis.is_unknown(near)).collect();
            if let Some(number) = view.number(cell).filter(|_| !unknown.is_empty()) {
                let known = around().filter(|&near| analysis.is_mine(near)).count();
                self.numbers.push(Number {
                    cell,
                    need: usize::from(number) - known,
                    unknown,
                });
            }
        }
    }
}
