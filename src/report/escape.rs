//! Escapes text for HTML and SVG.

/// A text for HTML and SVG in which nothing is markup.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
