//! Extracts the `id` of a request verbatim, so that a number keeps all its digits. The keys may be in any order, and the spacing is
//! arbitrary.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Returns the text of the first `id` in a JSON object, or `None` if there is no `id`. `object` must be one valid JSON object.
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

#[cfg(test)]
mod tests {
    use super::id_of;

    #[test]
    fn an_id_is_cut_out_as_it_was_written() {
        for id in [
            "1",
            "-0.50e+400",
            "123456789012345678901234567890",
            "null",
            "true",
            r#""a\u0041}""#,
        ] {
            assert_eq!(id_of(&format!(r#"{{"id":{id}}}"#)), Some(id));
            assert_eq!(
                id_of(&format!(
                    " {{ \"x\" : [1, {{\"id\":2}}] , \"\\u0069d\" : {id} , \"y\":0}} "
                )),
                Some(id)
            );
        }
        assert_eq!(
            id_of(r#"{"id": {"b": 1,  "a": [2]} , "z": 0}"#),
            Some(r#"{"b": 1,  "a": [2]}"#)
        );
    }

    #[test]
    fn an_object_without_id_has_none() {
        for object in ["{}", r#"{"rows":["id"]}"#, r#"{"a":{"id":1}}"#] {
            assert_eq!(id_of(object), None);
        }
    }
}
