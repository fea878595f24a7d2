//! Small multiples: a panel for each line, with the other lines behind it in grey.

use super::canvas::{Anchor, Canvas, fitting, stroke};
use super::labels::Rectangle;
use super::plot::{Plot, Ticks};

/// Panels beside each other, and the size of one plot.
pub(super) struct Grid {
    pub(super) columns: i32,
    pub(super) plot_height: i32,
}

/// Draws the panels in place of one plot and returns the lower end of the last.
pub(super) fn draw_panels(canvas: &mut Canvas, grid: &Grid, whole: &Plot<'_>) -> i32 {
    let Plot {
        chart,
        frame: Rectangle {
            left, right, top, ..
        },
        text,
        ..
    } = *whole;
    let (columns, gap) = (grid.columns, text);
    let width = (right - left - (columns - 1) * gap) / columns;
    let row_height = grid.plot_height + text * 5 / 2;
    let count = chart.series.len() as i32;
    let mut bottom = top;
    for (at, series) in (0..).zip(&chart.series) {
        let x = left + at % columns * (width + gap);
        let y = top + at / columns * row_height + text * 3 / 2;
        bottom = y + grid.plot_height;
        let frame = Rectangle {
            left: x,
            top: y,
            right: x + width,
            bottom,
        };
        let plot = Plot {
            chart,
            frame,
            text,
            room: (x, x + width),
            has_titles: whole.has_titles,
            is_small: true,
        };
        plot.draw_axes(
            canvas,
            Ticks {
                x: at + columns >= count,
                y: at % columns == 0,
            },
        );
        for other in chart
            .series
            .iter()
            .filter(|other| !std::ptr::eq(*other, series))
        {
            plot.draw_line(canvas, other, "o", 1);
        }
        plot.draw_series(canvas, series);
        let name = (x + text * 9 / 4, y - text * 3 / 4);
        canvas.line(
            &[(x, name.1), (x + text * 2, name.1)],
            &stroke(series.appearance),
            2,
        );
        let room = width - text * 9 / 4;
        canvas.text(
            &fitting(&series.name, room, text),
            name,
            Anchor::RightOf,
            (text, &format!("f{} b", series.appearance.tone)),
        );
    }
    bottom
}
