//! Colours: plotters draws with stand-ins, one a class, which then become the classes.

use plotters::prelude::{Color, RGBAColor, RGBColor};

/// The last part of every stand-in.
const MARK: u8 = 0x07;

/// What a shape is painted as; the classes of [`STYLE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Paint {
    Line(u8),
    Dashes(u8),
    Full(u8),
    Hollow(u8),
    Grid,
    Frame,
    Guide,
    Text,
    Muted,
}

impl Paint {
    /// The stand-in.
    pub(super) fn color(self) -> RGBColor {
        let (kind, tone) = match self {
            Self::Line(tone) => (1, tone),
            Self::Dashes(tone) => (2, tone),
            Self::Full(tone) => (3, tone),
            Self::Hollow(tone) => (4, tone),
            Self::Grid => (5, 0),
            Self::Frame => (6, 0),
            Self::Guide => (7, 0),
            Self::Text => (8, 0),
            Self::Muted => (9, 0),
        };
        RGBColor(kind, tone, MARK)
    }

    /// The stand-in, so thin that what lies below is seen.
    pub(super) fn veil(self) -> RGBAColor {
        self.color().mix(0.16)
    }
}

/// The class that a stand-in such as `030207` means.
fn class(hexadecimal: &str) -> Option<String> {
    let byte = |at: usize| u8::from_str_radix(hexadecimal.get(at..at + 2)?, 16).ok();
    let (kind, tone) = (byte(0)?, byte(2)?);
    if byte(4)? != MARK {
        return None;
    }
    Some(match kind {
        1 => format!("l{tone}"),
        2 => format!("l{tone} d"),
        3 => format!("f{tone}"),
        4 => format!("h{tone}"),
        5 => "g".to_owned(),
        6 => "a".to_owned(),
        7 => "u".to_owned(),
        8 => "t".to_owned(),
        9 => "m".to_owned(),
        _ => return None,
    })
}

/// Puts classes in place of the stand-ins, and takes out what the style says anyway.
pub(super) fn with_classes(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(at) = rest.find("=\"#") {
        let (before, colour) = (&rest[..at], rest.get(at + 3..at + 9).unwrap_or(""));
        let attribute = before.rfind(' ').map_or(before, |space| &before[space + 1..]);
        match class(colour) {
            Some(class) => {
                text += &before[..before.len() - attribute.len()];
                text += "class=\"";
                text += &class;
                rest = &rest[at + 9..];
            }
            None => {
                text += &rest[..at + 3];
                rest = &rest[at + 3..];
            }
        }
    }
    text += rest;
    // plotters divides the size that it is given by 1.24, and the quotient isn't whole.
    while let Some(at) = text.find(".00000000000001\"") {
        text.replace_range(at..at + ".00000000000001".len(), "");
    }
    for noise in [" opacity=\"1\"", " stroke=\"none\"", " stroke-width=\"1\"", " font-family=\"sans-serif\""] {
        text = text.replace(noise, "");
    }
    text.replace(">\n", ">").replace("\n</text>", "</text>").replace(" \"", "\"")
}

/// The style of charts. Colours keep apart for all common kinds of colour blindness (after Okabe and Ito).
pub const STYLE: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_become_classes_and_other_colours_stay() {
        let svg = "<line opacity=\"1\" stroke=\"#010207\" stroke-width=\"8\" x1=\"1\"/>\n<rect fill=\"#FFFFFF\"/>\n";
        assert_eq!(with_classes(svg), "<line class=\"l2\" stroke-width=\"8\" x1=\"1\"/><rect fill=\"#FFFFFF\"/>");
    }

    #[test]
    fn every_paint_has_a_class() {
        let paints = [
            Paint::Line(1),
            Paint::Dashes(7),
            Paint::Full(0),
            Paint::Hollow(3),
            Paint::Grid,
            Paint::Frame,
            Paint::Guide,
            Paint::Text,
            Paint::Muted,
        ];
        for paint in paints {
            let RGBColor(r, g, b) = paint.color();
            assert!(class(&format!("{r:02X}{g:02X}{b:02X}")).is_some(), "{paint:?}");
        }
    }
}
