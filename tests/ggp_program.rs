//! Tests of `pipeline ggp check` and of its simplification of sheets.

mod refused;
mod taken;

use std::path::{Path, PathBuf};

use crate::program::{assert_has, prints, read_bytes};

fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("pipelines/ggp")
        .join(name)
        .with_extension("kif")
}

#[test]
fn check_reports_how_a_sheet_is_simplified() {
    let shown = |name: &str| prints(format!("ggp check {}", path_of(name).display()));
    assert_has(
        shown("yahtzee"),
        "simplified        no jokers and no bonus for further yahtzees\n",
    );
    assert!(!shown("tic-tac-toe").contains("simplified"));
}

/// The sheets and the first digits of their hashes. Sheets without published counts agreed with
/// games written by hand in thousands of random games; these games are in `tests/gdl/ggp/` of
/// commit 41dabd26. Compare a changed sheet with such a game before you change its hash.
const SHEETS: &[(&str, &str)] = &[
    ("awale", "7f4dcfffa08b"),
    ("backgammon", "c4b95f0ee770"),
    ("bomberman", "a8cf38ee00c3"),
    ("cant-stop", "e0de7a7895b0"),
    ("checkers", "38cbf613e4b2"),
    ("chess", "eaa724d851a7"),
    ("chinese-checkers", "d7762e4c2a22"),
    ("connect-four", "5bf9ee4bffb8"),
    ("hex", "f16dccf5c3dc"),
    ("kaseklau", "bd6b728407e2"),
    ("matching-pennies", "2ddfa477e350"),
    ("orchard", "d3e452536840"),
    ("othello", "7c8f01704aa4"),
    ("pacman", "fcb363ad6d8f"),
    ("pickomino", "39f48d9aa184"),
    ("tic-tac-toe", "08ac7c62e546"),
    ("yahtzee", "222a5c07769e"),
];

#[test]
fn sheets_are_those_that_were_compared_with_games_written_by_hand() {
    for (name, hash) in SHEETS {
        let sheet = read_bytes(path_of(name));
        assert_eq!(&mineflow::store::sha256(&sheet)[..12], *hash, "{name}");
    }
}
