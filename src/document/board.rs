//! A position as SVG: numbers, covered cells, and letters on some of them.

use std::fmt::Write;

use super::escape::escaped;

/// Units of a cell's side; the text is sized to it.
const CELL: usize = 20;

/// A letter on a cell, with a tooltip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardMark {
    pub row: usize,
    pub column: usize,
    pub letter: char,
    pub title: String,
}

/// The position whose rows are `rows`: digits are open cells, 0 drawn empty, all else is covered. For a file of its own, `style` is
/// included.
pub fn board(title: &str, rows: &[&str], marks: &[BoardMark], style: Option<&str>) -> String {
    let width = rows.first().map_or(0, |row| row.chars().count());
    let mut cells = String::new();
    for (row, line) in rows.iter().enumerate() {
        for (column, cell) in line.chars().enumerate() {
            let (x, y) = (CELL * column, CELL * row);
            let mark = marks.iter().find(|mark| (mark.row, mark.column) == (row, column));
            let class = if mark.is_some() {
                "k"
            } else if cell.is_ascii_digit() {
                "e"
            } else {
                "c"
            };
            let text = mark.map(|mark| mark.letter).or(Some(cell).filter(|cell| ('1'..='8').contains(cell)));
            let said = mark.map_or(String::new(), |mark| format!("<title>{}</title>", escaped(&mark.title)));
            let _ = write!(cells, "<g>{said}<rect x=\"{x}\" y=\"{y}\" width=\"19\" height=\"19\" class=\"{class}\"/>");
            if let Some(text) = text {
                let (x, y) = (x + CELL / 2, y + CELL * 7 / 10);
                let class = if mark.is_some() { "w" } else { "t" };
                let _ = write!(
                    cells,
                    "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"13\" class=\"{class}\">{text}</text>"
                );
            }
            cells.push_str("</g>");
        }
    }
    let style = style.map_or_else(String::new, |style| format!("<style>{style}</style>"));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart board\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{style}{cells}</svg>\n",
        CELL * width,
        CELL * rows.len(),
        escaped(title)
    )
}
