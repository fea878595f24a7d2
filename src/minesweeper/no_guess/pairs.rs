//! Proofs from two open numbers.

use crate::solver::Analysis;
use crate::{Cell, View};

/// An open number with unknown neighbours.
struct Number {
    cell: Cell,
    /// The number of mines among `unknown`.
    need: usize,
    unknown: Vec<Cell>,
}

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
    pub(super) fn learn(&mut self, view: &View, analysis: &mut Analysis) -> bool {
        self.read(view, analysis);
        self.safe.clear();
        self.mines.clear();
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
                prove(first, second, &mut self.safe, &mut self.mines);
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

/// Derives what two numbers prove about their common unknown neighbours, and about the unknown
/// neighbours of only one of them.
fn prove(first: &Number, second: &Number, safe: &mut Vec<Cell>, mines: &mut Vec<Cell>) {
    let (both, first_alone): (Vec<Cell>, Vec<Cell>) = first
        .unknown
        .iter()
        .copied()
        .partition(|cell| second.unknown.contains(cell));
    if both.is_empty() {
        return;
    }
    let second_alone: Vec<Cell> = second
        .unknown
        .iter()
        .copied()
        .filter(|cell| !both.contains(cell))
        .collect();
    let least = first
        .need
        .saturating_sub(first_alone.len())
        .max(second.need.saturating_sub(second_alone.len()));
    let most = both.len().min(first.need).min(second.need);
    let mut conclude = |cells: &[Cell], least: usize, most: usize| {
        if most == 0 {
            safe.extend(cells);
        } else if least == cells.len() {
            mines.extend(cells);
        }
    };
    conclude(&both, least, most);
    conclude(&first_alone, first.need - most, first.need - least);
    conclude(&second_alone, second.need - most, second.need - least);
}
