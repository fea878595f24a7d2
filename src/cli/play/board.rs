//! The board on the screen: which cells are visible, where they are, how each is drawn.
//!
//! A cell is a gap and one or two characters; the gap before and the gap after it hold the marks of the cursor `[ ]`,
//! of the cell that the player would open `( )`, and of both `{ }`.
//!
//! ```text
//!      0  1  2  3
//!  0   1[ #] #  #
//!  1   1  2( #) #
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::look::Look;
use mineflow_minesweeper::play::{Shown, Table};
use mineflow_minesweeper::{Board, Cell, Status};

/// The visible part of a board, and its place on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Window {
    /// The first visible row and column.
    top: usize,
    left: usize,
    rows: usize,
    columns: usize,
    /// Characters of a cell with its gap: 2, or 3 where there is room.
    cell: usize,
    /// Lines of column numbers.
    label_lines: usize,
    /// The place of the first cell's gap.
    x: u16,
    y: u16,
}

impl Window {
    /// Fits the window to a board and an area; keeps the rows and columns of `self` if it can.
    pub(super) fn fitted(self, board: Board, area: Rect) -> Self {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        // Row numbers, a blank or a mark of more rows; on the right a mark of more columns.
        let label = digits(board.height() - 1) + 1;
        let room = width.saturating_sub(label + 2);
        let cell = if 3 * board.width() <= room { 3 } else { 2 };
        let label_lines = if digits(board.width() - 1) < cell { 1 } else { 2 };
        let columns = (room / cell).min(board.width());
        let rows = height.saturating_sub(label_lines).min(board.height());
        let margin = width.saturating_sub(label + columns * cell + 2) / 2;
        Self {
            top: self.top.min(board.height() - rows),
            left: self.left.min(board.width() - columns),
            rows,
            columns,
            cell,
            label_lines,
            x: area.x + (margin + label) as u16,
            y: area.y + label_lines as u16,
        }
    }

    /// The window, moved just far enough to show a cell.
    pub(super) fn showing(self, board: Board, cell: Cell) -> Self {
        let (row, col) = board.row_col(cell);
        let moved = |first: usize, count: usize, at: usize| first.clamp((at + 1).saturating_sub(count), at);
        Self { top: moved(self.top, self.rows, row), left: moved(self.left, self.columns, col), ..self }
    }

    /// The window, moved by this many cells but not off the board.
    pub(super) fn scrolled(self, board: Board, down: isize, right: isize) -> Self {
        let moved =
            |first: usize, by: isize, count: usize, all: usize| first.saturating_add_signed(by).min(all - count);
        Self {
            top: moved(self.top, down, self.rows, board.height()),
            left: moved(self.left, right, self.columns, board.width()),
            ..self
        }
    }

    /// Moves the board to the left edge and returns the free area to its right, if that is at least `width` wide.
    pub(super) fn make_room(&mut self, board: Board, area: Rect, width: u16) -> Option<Rect> {
        let label = (digits(board.height() - 1) + 1) as u16;
        let taken = label + (self.columns * self.cell) as u16 + 3;
        let free = area.width.checked_sub(taken).filter(|&free| free >= width)?;
        self.x = area.x + label;
        Some(Rect { x: area.x + taken, width: free, ..area })
    }

    /// Number of lines of the board with its column numbers.
    pub(super) fn lines(&self) -> u16 {
        (self.label_lines + self.rows) as u16
    }

    /// The cell at a place of the screen; the gap before a cell belongs to it.
    pub(super) fn cell_at(&self, board: Board, at: Position) -> Option<Cell> {
        let row = usize::from(at.y.checked_sub(self.y)?);
        let col = usize::from(at.x.checked_sub(self.x)?).checked_div(self.cell)?;
        let is_seen = row < self.rows && col < self.columns;
        board.cell(self.top + row, self.left + col).filter(|_| is_seen)
    }

    /// The place of a cell's character, if it is visible.
    pub(super) fn place_of(&self, board: Board, cell: Cell) -> Option<Position> {
        let (row, col) = board.row_col(cell);
        let (row, col) = (row.checked_sub(self.top)?, col.checked_sub(self.left)?);
        let x = self.x + (col * self.cell + self.cell - 1) as u16;
        (row < self.rows && col < self.columns).then(|| Position::new(x, self.y + row as u16))
    }

    /// Draws the board with its row and column numbers.
    pub(super) fn draw(&self, buffer: &mut Buffer, table: &Table, look: Look) {
        let board = table.view().board();
        self.draw_column_numbers(buffer, board, look);
        for row in 0..self.rows {
            self.draw_row_number(buffer, board, row, look);
            for col in 0..self.columns {
                let cell = board.cell(self.top + row, self.left + col).expect("the window lies on the board");
                let Drawn { gap, text, style } = Drawn::of(table, cell, self.cell - 1, look);
                let (x, y) = (self.x + (col * self.cell) as u16, self.y + row as u16);
                buffer.set_string(x, y, format!("{gap}{text}"), style);
            }
        }
        self.draw_marks(buffer, table, look);
    }

    fn draw_column_numbers(&self, buffer: &mut Buffer, board: Board, look: Look) {
        let y = self.y - self.label_lines as u16;
        for col in self.left..self.left + self.columns {
            let end = self.x + ((col - self.left + 1) * self.cell) as u16;
            if self.label_lines == 1 {
                let text = format!("{col:>width$}", width = self.cell);
                buffer.set_string(end - self.cell as u16, y, text, look.label());
            } else {
                // Above, the number of every tenth column, its first digit over the column.
                if col % 10 == 0 {
                    let room = usize::from(buffer.area.right() + 1 - end);
                    buffer.set_stringn(end - 1, y, col.to_string(), room, look.label());
                }
                buffer.set_string(end - 1, y + 1, (col % 10).to_string(), look.label());
            }
        }
        if self.left > 0 {
            buffer.set_string(self.x - 1, self.y - 1, "<", look.title());
        }
        if self.left + self.columns < board.width() {
            buffer.set_string(self.x + (self.columns * self.cell) as u16 + 1, self.y - 1, ">", look.title());
        }
    }

    fn draw_row_number(&self, buffer: &mut Buffer, board: Board, row: usize, look: Look) {
        let label = digits(board.height() - 1);
        let (x, y) = (self.x - 1 - label as u16, self.y + row as u16);
        buffer.set_string(x, y, format!("{:>label$}", self.top + row), look.label());
        let more_above = row == 0 && self.top > 0;
        let more_below = row + 1 == self.rows && self.top + self.rows < board.height();
        if more_above || more_below {
            buffer.set_string(self.x - 1, y, if more_above { "^" } else { "v" }, look.title());
        }
    }

    fn draw_marks(&self, buffer: &mut Buffer, table: &Table, look: Look) {
        let cursor = table.cursor();
        let advised = table.advice().map(|advice| advice.moves[0]);
        if let Some(cell) = advised.filter(|&cell| cell != cursor) {
            self.mark(buffer, table, cell, ["(", ")"], look.advice());
        }
        let pair = if advised == Some(cursor) { ["{", "}"] } else { ["[", "]"] };
        self.mark(buffer, table, cursor, pair, look.cursor());
    }

    fn mark(&self, buffer: &mut Buffer, table: &Table, cell: Cell, [before, after]: [&str; 2], style: Style) {
        if let Some(Position { x, y }) = self.place_of(table.view().board(), cell) {
            buffer.set_string(x + 1 - self.cell as u16, y, before, style);
            buffer.set_string(x + 1, y, after, style);
        }
    }
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

/// How a cell is drawn.
struct Drawn {
    gap: char,
    /// Exactly as many characters as a cell has.
    text: String,
    style: Style,
}

impl Drawn {
    fn of(table: &Table, cell: Cell, room: usize, look: Look) -> Self {
        let shown = table.round().shown(cell);
        let is_covered = matches!(shown, Shown::Covered | Shown::Flag);
        if is_covered && table.shows_hints() && table.round().status() == Status::Playing {
            let p = table.odds().and_then(|odds| odds.mine(cell));
            return Self::with_probability(shown, p, room, look);
        }
        let letter = match shown {
            Shown::Covered => '#',
            Shown::Flag => 'F',
            Shown::Open(0) => ' ',
            Shown::Open(number) => char::from(b'0' + number),
            Shown::Mine => '*',
            Shown::Exploded => '@',
            Shown::WrongFlag => 'X',
        };
        Self { gap: ' ', text: format!("{letter:>room$}"), style: look.cell(shown) }
    }

    /// `+` is safe, `*` a mine; else the probability in percent, or in tenths if there is room for one digit only. A cell that is
    /// not certain is never rounded to look certain. A flag is drawn in the gap.
    fn with_probability(shown: Shown, p: Option<f64>, room: usize, look: Look) -> Self {
        let flag = (shown == Shown::Flag).then_some('F');
        let Some(p) = p else {
            return Self { gap: flag.unwrap_or(' '), text: format!("{:>room$}", '?'), style: look.cell(shown) };
        };
        let (gap, text) = match p {
            0.0 => (' ', "+".to_owned()),
            1.0 => (' ', "*".to_owned()),
            _ if room > 1 => (' ', (100.0 * p).round().clamp(1.0, 99.0).to_string()),
            _ => ('.', (10.0 * p).round().min(9.0).to_string()),
        };
        Self { gap: flag.unwrap_or(gap), text: format!("{text:>room$}"), style: look.heat(p) }
    }
}
