//! The elements of a drawing: lines, shapes and texts with a class each.

use std::borrow::Cow;
use std::fmt::Write;

use super::series::{Appearance, Marker, Stroke};
use crate::escape::escaped;

/// Units of the drawing in a pixel: all coordinates are whole numbers.
pub(super) const UNIT: i32 = 4;

/// A place in units of the drawing, from the upper left corner.
pub(super) type Coordinates = (i32, i32);

/// The elements drawn so far. A class of [`STYLE`](super::STYLE) gives each its colours: `l` and `f` with a tone are lines and filled
/// shapes, `h` hollow ones, `d` is dashed; `g` is the grid, `a` an axis, `u` a guide, `t` text and `m` muted text, `p` a place without a
/// mark.
#[derive(Default)]
pub(super) struct Canvas {
    pub(super) elements: String,
}

/// How a text is placed at its point: `text-anchor` and `dy`.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    LeftOf,
    RightOf,
    Below,
    BelowFrom,
    Middle,
}

impl Canvas {
    pub(super) fn put(&mut self, element: std::fmt::Arguments<'_>) {
        self.elements
            .write_fmt(element)
            .expect("a string takes all that is written");
    }

    pub(super) fn line(&mut self, path: &[Coordinates], class: &str, pixels: i32) {
        let (width, points) = (pixels * UNIT, list(path));
        self.put(format_args!(
            "<polyline fill=\"none\" class=\"{class}\" stroke-width=\"{width}\" points=\"{points}\"/>"
        ));
    }

    /// `more` are attributes; a title is shown as a tooltip.
    pub(super) fn polygon(
        &mut self,
        corners: &[Coordinates],
        more: &str,
        class: &str,
        title: &str,
    ) {
        self.shape(
            "polygon",
            format_args!("{more} class=\"{class}\" points=\"{}\"", list(corners)),
            title,
        );
    }

    pub(super) fn circle(
        &mut self,
        (x, y): Coordinates,
        radius: i32,
        more: &str,
        (class, title): (&str, &str),
    ) {
        self.shape(
            "circle",
            format_args!(" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{more} class=\"{class}\""),
            title,
        );
    }

    /// A tooltip at a place without a mark; nothing if the title is empty.
    pub(super) fn spot(&mut self, at: Coordinates, title: &str) {
        if !title.is_empty() {
            self.circle(at, UNIT * 4, "", ("p", title));
        }
    }

    fn shape(&mut self, name: &str, attributes: std::fmt::Arguments<'_>, title: &str) {
        match title {
            "" => self.put(format_args!("<{name}{attributes}/>")),
            _ => self.put(format_args!(
                "<{name}{attributes}><title>{}</title></{name}>",
                escaped(title)
            )),
        }
    }

    pub(super) fn text(
        &mut self,
        text: &str,
        (x, y): Coordinates,
        anchor: Anchor,
        (size, class): (i32, &str),
    ) {
        if text.is_empty() {
            return;
        }
        let (side, down) = match anchor {
            Anchor::LeftOf => ("end", "0.5ex"),
            Anchor::RightOf => ("start", "0.5ex"),
            Anchor::Below => ("middle", "0.76em"),
            Anchor::BelowFrom => ("start", "0.76em"),
            Anchor::Middle => ("middle", "0.5ex"),
        };
        let text = escaped(text);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"{down}\" text-anchor=\"{side}\" font-size=\"{size}\" class=\"{class}\">{text}</text>"
        ));
    }

    /// Draws a marker with `title` as its tooltip.
    pub(super) fn mark(&mut self, appearance: Appearance, (x, y): Coordinates, title: &str) {
        let class = format!(
            "{}{}",
            if appearance.stroke == Stroke::Dashed {
                'h'
            } else {
                'f'
            },
            appearance.tone
        );
        let r = UNIT * 4;
        let corners: &[Coordinates] = match appearance.marker {
            Marker::Circle => return self.circle((x, y), r, "", (&class, title)),
            Marker::Square => &[(-9, -9), (9, -9), (9, 9), (-9, 9)],
            Marker::Triangle => &[(0, -13), (12, 9), (-12, 9)],
            Marker::Inverted => &[(0, 13), (12, -9), (-12, -9)],
            Marker::Diamond => &[(0, -13), (13, 0), (0, 13), (-13, 0)],
            Marker::Bar => &[(-3, -13), (3, -13), (3, 13), (-3, 13)],
        };
        // The shapes are drawn on a circle of radius 10.
        let corners: Vec<_> = corners
            .iter()
            .map(|(dx, dy)| (x + dx * r / 10, y + dy * r / 10))
            .collect();
        self.polygon(&corners, "", &class, title);
    }
}

/// The class of a line.
pub(super) fn stroke(appearance: Appearance) -> String {
    let dashes = if appearance.stroke == Stroke::Dashed {
        " d"
    } else {
        ""
    };
    format!("l{}{dashes}", appearance.tone)
}

/// About how wide a text is.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 9 / 16
}

/// A text cut to this width.
pub(super) fn fitting(text: &str, width: i32, size: i32) -> Cow<'_, str> {
    if text_width(text, size) <= width {
        return Cow::Borrowed(text);
    }
    let kept = (width * 16 / 9 / size - 1).max(1) as usize;
    Cow::Owned(text.chars().take(kept).chain(['\u{2026}']).collect())
}

/// Places as the value of the attribute `points`.
fn list(places: &[Coordinates]) -> String {
    places
        .iter()
        .map(|(x, y)| format!("{x},{y}"))
        .collect::<Vec<_>>()
        .join(" ")
}
