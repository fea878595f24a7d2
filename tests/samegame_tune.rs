//! Tests of `pipeline samegame tune`.

use crate::program::{json_of, prints, tempdir};

#[test]
fn whole_numbers_are_tuned_too() {
    let of = "samegame tune --algorithm sp-mcts:expand=after-visits --bounds c=0..10,t=0..30 --samples 8 --elite 3 --iterations 3 \
              --boards 2 --size 8x8 --budget playouts=60 --json --out";
    let out = tempdir();
    let tuned = prints(format!("{of} {out}"));
    let tuned = json_of(&tuned);
    let rows = tuned["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 4);
    let t = rows
        .iter()
        .rev()
        .find(|row| row["parameter"] == "t")
        .unwrap();
    let rounded = format!(":t={}", t["mean"].as_f64().unwrap().round());
    let algorithm = tuned["algorithm"].as_str().unwrap();
    assert!(
        algorithm.contains(&rounded) && algorithm.ends_with(":expand=after-visits"),
        "{algorithm}"
    );
}
