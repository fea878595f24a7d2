//! `pipeline samegame tune`: what it tunes and what it refuses.

use crate::program::{pipeline, tempdir};

#[test]
fn whole_numbers_are_tuned_too() {
    let of = "samegame tune --algorithm sp-mcts:log=common --bounds c=0..10,t=0..30 --samples 8 --elite 3 --iterations 3 \
              --boards 2 --size 8x8 --budget playouts=60 --json --out";
    let out = tempdir();
    let tuned = pipeline(&format!("{of} {}", out.path().display())).success().stdout();
    let tuned: serde_json::Value = serde_json::from_str(&tuned).unwrap();
    let rows = tuned["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 4);
    let t = rows.iter().rev().find(|row| row["parameter"] == "t").unwrap();
    let rounded = format!(":t={}", t["mean"].as_f64().unwrap().round());
    let algorithm = tuned["algorithm"].as_str().unwrap();
    assert!(algorithm.contains(&rounded) && algorithm.ends_with(":log=common"), "{algorithm}");
}

#[test]
fn what_can_not_be_tuned_is_refused_before_a_folder_is_made() {
    let folder = tempdir();
    let out = folder.path().join("out");
    let said = |arguments: &str| {
        let ended = pipeline(&format!("samegame tune --out {} {arguments}", out.display())).code(2);
        assert!(!out.exists(), "{arguments}");
        ended.stderr()
    };
    assert!(said("--bounds q=0..1").contains("`sp-mcts` has no option `q`"));
    assert!(said("--bounds c=2..1").contains("parameter c is to lie between 2 and 1"));
    assert!(said("--bounds epsilon=0..2").contains("`epsilon` of `sp-mcts` can't be `2`"));
    assert!(said("--bounds c").contains("write KEY=LOW..HIGH"));
    assert!(said("--samples 10 --elite 10").contains("10 elite samples of 10"));
}
