//! Extracts the `id` of a request verbatim, so that a number keeps all its digits. The keys may be
//! in any order, and the spacing is arbitrary.

use std::borrow::Cow;

use serde::{Deserialize, de::IgnoredAny};

/// Returns the text of the first `id` in a JSON object, or `None` if there is no `id`. `object`
/// must be one valid JSON object.
pub(super) fn id_of(object: &str) -> Option<&str> {
    let mut rest = object.trim_ascii_start().strip_prefix('{')?;
    loop {
        let (key, after_key) = value(rest)?;
        let (id, after_value) = value(after_key.trim_ascii_start().strip_prefix(':')?)?;
        if serde_json::from_str::<Key<'_>>(key).is_ok_and(|key| key.0 == "id") {
            return Some(id);
        }
        rest = after_value.trim_ascii_start().strip_prefix(',')?;
    }
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Splits off the JSON value at the start of `text`; returns the value and the rest.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    Some(text.split_at(values.byte_offset()))
}
