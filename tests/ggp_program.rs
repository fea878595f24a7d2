//! Tests of `pipeline ggp check` and of its simplification of sheets.

mod refused;
mod taken;

use std::path::{Path, PathBuf};

use crate::program::pipeline;

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("pipelines/ggp")
        .join(name)
        .with_extension("kif")
}

#[test]
fn check_reports_how_a_sheet_is_simplified() {
    let shown = |name: &str| {
        pipeline(&format!("ggp check {}", path_of(name).display()))
            .success()
            .stdout()
    };
    assert!(
        shown("yahtzee")
            .contains("simplified        no jokers and no bonus for further yahtzees\n")
    );
    assert!(!shown("tic-tac-toe").contains("simplified"));
}
