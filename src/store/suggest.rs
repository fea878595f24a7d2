//! What somebody may have meant to type.

/// How alike two names must be, from 0 to 1 by Jaro and Winkler, for one to be a slip of the keys for the other.
const LIKE: f64 = 0.75;

/// Of `names` the one most like `typed`, if one is near enough.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let likeness = |name: &'a str| (strsim::jaro_winkler(typed, name), name);
    let near = names.into_iter().map(likeness).filter(|(likeness, _)| *likeness > LIKE);
    near.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_meant_and_nothing_if_none_is_near() {
        let names = ["rounds", "learning-rate", "rows", "leaf-weight"];
        assert_eq!(nearest("round", names), Some("rounds"));
        assert_eq!(nearest("learning_rate", names), Some("learning-rate"));
        assert_eq!(nearest("zzz", names), None);
    }
}
