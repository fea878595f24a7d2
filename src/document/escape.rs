//! Text within markup.

/// A text as HTML and SVG write it, so that nothing in it is markup.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
