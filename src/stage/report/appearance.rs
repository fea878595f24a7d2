//! The appearance of players in charts.

use mineflow_document::chart::{Appearance, Marker, Stroke};

/// The appearance of a player: the colour and marker of its family, a dashed line for its limited or second form.
pub(crate) fn appearance_of(player: &str) -> Appearance {
    let (tone, marker) = match player.as_bytes().first() {
        Some(b'1') => (0, Marker::Bar),
        Some(b'2') => (1, Marker::Circle),
        Some(b'3') => (2, Marker::Square),
        Some(b'4') => (3, Marker::Triangle),
        Some(b'5') => (4, Marker::Diamond),
        Some(b'6') => (5, Marker::Inverted),
        Some(b'7') => (6, Marker::Circle),
        _ => (7, Marker::Square),
    };
    let stroke = if player.ends_with(".5") { Stroke::Dashed } else { Stroke::Solid };
    Appearance { tone, stroke, marker }
}
