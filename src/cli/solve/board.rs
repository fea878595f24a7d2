//! Shows a solved position: the board with the mine probabilities, and a summary.
//!
//! ```text
//!      0   1   2   3
//! 0  .50   1   1   1
//! 1  .50   2   *   1
//! 2    1   2   1   1
//! ```
//!
//! Cells of wider boards are narrower, so that up to 38 columns fit into a line of 80 characters.

use std::io::{self, Write};

use anstyle::{AnsiColor, Color, Style};
use num_bigint::BigUint;

use mineflow_arena::numbers::counted;
use mineflow_minesweeper::{
    Cell, CellSet, CellView, View,
    proof::Proofs,
    solver::{Solution, TIE},
};

/// The maximum number of cells in a list of the summary.
const LISTED: usize = 5;

/// Writes the board and a summary with ANSI colours; the caller's stream passes them on or strips
/// them.
///
/// `+` is a safe cell, `*` a mine, `.25` a mine with probability 0.25, a digit an open cell, a
/// blank an open 0.
pub fn write_solution(out: &mut impl Write, view: &View, solution: &Solution) -> io::Result<()> {
    let drawing = Drawing::new(view, solution);
    drawing.write_column_labels(out)?;
    for row in 0..view.board().height() {
        drawing.write_row(out, row)?;
    }
    writeln!(out)?;
    write_summary(out, view, solution)
}

/// Writes the steps that prove cells safe or mines, each with the steps on which it rests.
pub fn write_proofs(out: &mut impl Write, view: &View, solution: &Solution) -> io::Result<()> {
    let proofs = Proofs::new(view, &solution.safe, &solution.mines);
    for (number, step) in (1..).zip(&proofs.steps) {
        let cells = list(view, &step.cells, |_| String::new());
        let what = if step.mines { "mine" } else { "safe" };
        write!(out, "{number}. {cells} {what}: {}", step.explain(view))?;
        match &step.after[..] {
            [] => writeln!(out)?,
            after => {
                let after: Vec<String> = after.iter().map(|step| (step + 1).to_string()).collect();
                writeln!(out, ", after {}", after.join(", "))?;
            }
        }
    }
    Ok(())
}

/// The layout of a drawn board.
struct Drawing<'a> {
    view: &'a View,
    solution: &'a Solution,
    safe: CellSet,
    mines: CellSet,
    /// Width of a row label including the blank after it, in characters.
    label: usize,
    /// Width of a cell, in characters.
    cell: usize,
}

impl<'a> Drawing<'a> {
    fn new(view: &'a View, solution: &'a Solution) -> Self {
        let board = view.board();
        let set = |cells: &[Cell]| {
            let mut set = CellSet::new(board.cells());
            set.extend(cells.iter().copied());
            set
        };
        Self {
            view,
            solution,
            safe: set(&solution.safe),
            mines: set(&solution.mines),
            label: (board.height() - 1).to_string().len() + 1,
            cell: match board.width() {
                ..=19 => 4,
                20..=25 => 3,
                _ => 2,
            },
        }
    }

    fn write_column_labels(&self, out: &mut impl Write) -> io::Result<()> {
        let columns = self.view.board().width();
        let cell = self.cell;
        // The narrowest cells have no room for two digits; the tens then get a line of their own.
        let stacked = cell == 2 || columns > 100;
        let mut line = " ".repeat(self.label);
        if stacked {
            for ten in (0..columns).step_by(10) {
                line += &format!(
                    "{}{ten:<width$}",
                    " ".repeat(cell - 1),
                    width = 9 * cell + 1
                );
            }
            write_label(out, line.trim_end())?;
            line = " ".repeat(self.label);
        }
        for col in 0..columns {
            line += &format!("{:>cell$}", if stacked { col % 10 } else { col });
        }
        write_label(out, &line)
    }

    fn write_row(&self, out: &mut impl Write, row: usize) -> io::Result<()> {
        let board = self.view.board();
        let label = Style::new().dimmed();
        write!(out, "{label}{row:>width$}{label:#}", width = self.label - 1)?;
        // Blanks are written together with the next token, so that no line ends in a blank.
        let mut blanks = 1;
        for col in 0..board.width() {
            let cell = board
                .cell(row, col)
                .expect("a row and a column of this board");
            let (token, style) = self.token(cell);
            if token.is_empty() {
                blanks += self.cell;
            } else {
                let pad = blanks + self.cell - token.len();
                write!(out, "{:pad$}{style}{token}{style:#}", "")?;
                blanks = 0;
            }
        }
        writeln!(out)
    }

    fn token(&self, cell: Cell) -> (String, Style) {
        let probability = self.solution.mine_probability[cell.index()];
        match self.view.at(cell) {
            CellView::Open(0) => (String::new(), Style::new()),
            CellView::Open(number) => (number.to_string(), Style::new()),
            _ if self.safe.contains(cell) => ("+".to_owned(), color(AnsiColor::Green).bold()),
            _ if self.mines.contains(cell) => ("*".to_owned(), color(AnsiColor::Red).bold()),
            // A probability below 1 must not be rounded to 1.
            _ => {
                let shown = match self.cell {
                    2 => format!(".{:01}", (probability * 10.0).round().min(9.0)),
                    _ => format!(".{:02}", (probability * 100.0).round().min(99.0)),
                };
                (shown, shade(probability))
            }
        }
    }
}

fn write_label(out: &mut impl Write, line: &str) -> io::Result<()> {
    let style = Style::new().dimmed();
    writeln!(out, "{style}{line}{style:#}")
}

fn color(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

/// Returns the colour of a probability, from green over yellow to red.
fn shade(probability: f64) -> Style {
    color(match probability {
        ..0.1 => AnsiColor::Green,
        ..0.2 => AnsiColor::Cyan,
        ..0.4 => AnsiColor::Yellow,
        ..0.7 => AnsiColor::Magenta,
        _ => AnsiColor::Red,
    })
}

fn write_summary(out: &mut impl Write, view: &View, solution: &Solution) -> io::Result<()> {
    writeln!(
        out,
        "{}, {}, {} on {}",
        layouts(&solution.layouts),
        counted(solution.safe.len() as u64, "safe cell"),
        counted(solution.mines.len() as u64, "proved mine"),
        view.board(),
    )?;
    if view.is_won() {
        writeln!(out, "the game is won: every cell without a mine is open")?;
    } else if !solution.safe.is_empty() {
        writeln!(
            out,
            "safe: {}",
            list(view, &solution.safe, |_| String::new())
        )?;
    } else {
        let probability = |cell: Cell| solution.mine_probability[cell.index()];
        let mut cells: Vec<Cell> = view.covered().collect();
        cells.retain(|cell| !solution.mines.contains(cell));
        cells.sort_by(|&a, &b| probability(a).total_cmp(&probability(b)));
        // Beyond the cells that are named, only those that tie with the first are counted.
        let ties = cells.partition_point(|&cell| probability(cell) <= probability(cells[0]) + TIE);
        cells.truncate(ties.max(LISTED));
        let list = list(view, &cells, |cell| {
            format!(" {:.2} %", 100.0 * probability(cell))
        });
        writeln!(out, "no cell is safe; least likely mines: {list}")?;
    }
    let flagged_safe: Vec<Cell> = solution
        .safe
        .iter()
        .copied()
        .filter(|&cell| view.at(cell) == CellView::Flagged)
        .collect();
    if !flagged_safe.is_empty() {
        writeln!(
            out,
            "flagged, but safe: {}",
            list(view, &flagged_safe, |_| String::new())
        )?;
    }
    writeln!(
        out,
        "cells are (row, column), counted from 0; + safe, * mine, .25 a mine with probability 0.25"
    )
}

/// Lists the first cells, and says how many more there are.
fn list(view: &View, cells: &[Cell], note: impl Fn(Cell) -> String) -> String {
    let named: Vec<String> = cells
        .iter()
        .take(LISTED)
        .map(|&cell| {
            let (row, col) = view.board().row_col(cell);
            format!("({row}, {col}){}", note(cell))
        })
        .collect();
    let named = named.join(", ");
    match cells.len().saturating_sub(LISTED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Shows a number of up to 21 digits in full, and a larger one as a power of ten.
fn layouts(layouts: &BigUint) -> String {
    let digits = layouts.to_string();
    match digits.len() {
        1 if digits == "1" => "1 layout fits".to_owned(),
        ..=21 => format!("{digits} layouts fit"),
        length => format!(
            "about {}.{}e{} layouts fit",
            &digits[..1],
            &digits[1..4],
            length - 1
        ),
    }
}
