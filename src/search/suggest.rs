//! Suggestions for mistyped names.

/// Returns a suggestion for the end of a message, such as ``; did you mean `rows`?``, or an empty
/// string if none of `names` is similar to `typed`. A name is similar if it differs by at most one
/// typing error, plus one for every four letters of the name. Transposing two letters counts as one
/// error.
pub fn did_you_mean<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let errors = names
        .into_iter()
        .map(|name| (strsim::osa_distance(typed, name), name));
    match errors.min_by_key(|&(errors, _)| errors) {
        Some((errors, name)) if errors <= 1 + name.len() / 4 && errors < name.len() => {
            format!("; did you mean `{name}`?")
        }
        _ => String::new(),
    }
}
