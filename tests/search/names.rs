//! Tests of versions, and of suggestions for mistyped names.

use mineflow_search::{did_you_mean, version};

#[test]
fn a_version_is_the_beginning_of_the_hash_of_text_models_and_revision() {
    // printf 'a+b\nmodel 00ff\nrevision 1\n' | sha256sum
    assert_eq!(version("a+b", &["00ff"], 1), "22311be983c3");
    let others = [
        version("a+c", &["00ff"], 1),
        version("a+b", &["00fe"], 1),
        version("a+b", &[], 1),
        version("a+b", &["00ff"], 2),
    ];
    assert!(
        others
            .iter()
            .all(|other| *other != version("a+b", &["00ff"], 1))
    );
}

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
