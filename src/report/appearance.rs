//! The appearance of series in charts.

use super::template::WELL_FORMED;
use crate::chart::{Appearance, Marker, Stroke};

/// The appearance of a player: the colour and marker of its family, a dashed line for its limited or second form.
pub(super) fn appearance_of(player: &str) -> Appearance {
    let of_family = look(match player.as_bytes().first() {
        Some(b'1') => "0 bar",
        Some(b'2') => "1 circle",
        Some(b'3') => "2 square",
        Some(b'4') => "3 triangle",
        Some(b'5') => "4 diamond",
        Some(b'6') => "5 inverted",
        Some(b'7') => "6 circle",
        _ => "7 square",
    });
    Appearance {
        stroke: if player.ends_with(".5") {
            Stroke::Dashed
        } else {
            Stroke::Solid
        },
        ..of_family
    }
}

/// The appearance that a description names: a tone and a marker, dashed if it says so: `2 circle`, `dashed 1 diamond`.
pub(super) fn look(text: &str) -> Appearance {
    let (stroke, text) = match text.strip_prefix("dashed ") {
        Some(rest) => (Stroke::Dashed, rest),
        None => (Stroke::Solid, text),
    };
    let (tone, marker) = text.split_once(' ').expect(WELL_FORMED);
    let marker = match marker {
        "circle" => Marker::Circle,
        "square" => Marker::Square,
        "triangle" => Marker::Triangle,
        "diamond" => Marker::Diamond,
        "inverted" => Marker::Inverted,
        "bar" => Marker::Bar,
        _ => panic!("a marker {marker}: {WELL_FORMED}"),
    };
    Appearance {
        tone: tone.parse().expect(WELL_FORMED),
        stroke,
        marker,
    }
}
