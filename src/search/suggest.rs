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

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_nearest_name_is_meant_and_nothing_if_none_is_near() {
        let names = ["rounds", "learning-rate", "rows", "leaf-weight"];
        assert_eq!(did_you_mean("round", names), "; did you mean `rounds`?");
        assert_eq!(
            did_you_mean("learning_rate", names),
            "; did you mean `learning-rate`?"
        );
        assert_eq!(did_you_mean("orws", names), "; did you mean `rows`?");
        assert_eq!(did_you_mean("zzz", names), "");
        assert_eq!(did_you_mean("x", ["w"]), "");
    }
}
