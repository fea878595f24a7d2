//! `pipeline ggp check` and what it makes of sheets.

mod refused;
mod taken;

use std::path::{Path, PathBuf};

use crate::program::pipeline;

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp").join(name).with_extension("kif")
}

#[test]
fn check_says_in_what_a_sheet_is_simplified() {
    let shown = |name: &str| pipeline(&format!("ggp check {}", path_of(name).display())).success().stdout();
    assert!(shown("yahtzee").contains("simplified        no jokers and no bonus for further yahtzees\n"));
    assert!(!shown("tic-tac-toe").contains("simplified"));
}

#[test]
fn the_program_compares_the_same_on_any_number_of_threads() {
    let sheet = path_of("kaseklau");
    let row = |threads: u32| -> serde_json::Value {
        let command = format!("ggp check {} --playouts 30 --threads {threads} --json", sheet.display());
        let mut row: serde_json::Value = serde_json::from_str(&pipeline(&command).success().stdout()).unwrap();
        row.as_object_mut().unwrap().remove("cpu_seconds");
        row
    };
    let alone = row(1);
    assert_eq!(alone["playouts"], 30);
    assert!(alone["states"].as_u64().unwrap() > 300 && alone["difference"].is_null(), "{alone}");
    assert_eq!(row(3), alone);
}
