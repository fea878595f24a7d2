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

#[test]
fn a_game_with_too_many_states_is_refused_in_one_line() {
    let command = format!("ggp solve {} --most-states 1000", path_of("tic-tac-toe").display());
    let finished = pipeline(&command).code(2);
    assert!(
        finished.stderr().contains("more than 1000 states") && finished.stdout().is_empty(),
        "{}",
        finished.stderr()
    );
}

#[test]
fn the_program_prints_a_row_a_role_and_way() {
    let path = path_of("tic-tac-toe");
    let rows = pipeline(&format!("ggp solve {} --json", path.display())).success().stdout();
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let best = rows.iter().find(|row| row["role"] == "x" && row["plays"] == "best" && row["others"] == "best").unwrap();
    assert_eq!((&best["goal"], &best["states"]), (&50.0.into(), &5478.into()));
    assert!(pipeline(&format!("ggp solve {}", path.display())).success().stdout().contains("5,478 states"));
}
