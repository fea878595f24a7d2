//! Tests of `pipeline tune`.

use crate::program::{json_of, pipeline, prints, read_text, tempdir};
use mineflow::learn::data::read_guess_set;

/// The edge rule with margin 1 opens the covered cell nearest to an edge, whatever its risk: every
/// lower margin is better.
#[test]
fn a_tuned_margin_is_better_on_guesses_that_tuned_nothing() {
    let folder = tempdir();
    let set = folder.join("set");
    pipeline(format!(
        "guess-set --player 4.0 --kinds 6x6/8:safe=1000 --games 3000 --layouts 8 --looking-layouts 8 --out {set}"
    ))
    .success();
    let out = folder.join("tuned");
    let tuned = prints(format!(
        "tune dss+posterior+edge:margin=1 --range margin=0..1 --set {set} --samples 10 --elite 3 --iterations 3 --json --out {out}"
    ));
    let tuned = json_of(&tuned);
    let rows: Vec<_> = tuned["confirmed"].as_array().unwrap().iter().collect();
    let row = |player: &str| {
        let is_all = |row: &&&serde_json::Value| row["player"] == player && row["unknown"] == "all";
        *rows.iter().find(is_all).unwrap()
    };
    let number = |of: &serde_json::Value, name: &str| of[name].as_f64().unwrap();
    let given = row("given");
    let less = row("tuned less given");
    assert!(number(less, "high") < 0.0, "{less}");
    assert!(number(given, "low") > 0.0, "{given}");
    // One half of the guesses of each weight confirms. The set has at most six weights.
    let mut guesses: Vec<_> = read_guess_set(&set.join("tune.parquet")).unwrap();
    guesses.dedup_by_key(|row| row.guess);
    let confirming = number(given, "guesses") as usize;
    assert!(
        (guesses.len() / 2 - 3..=guesses.len() / 2).contains(&confirming),
        "{confirming}"
    );
    let last = tuned["iterations"].as_array().unwrap().last().unwrap();
    let recipe = tuned["recipe"].as_str().unwrap();
    let margin: f64 = recipe.rsplit('=').next().unwrap().parse().unwrap();
    assert!(
        (margin - number(last, "mean")).abs() < 1e-4,
        "{recipe} {last}"
    );
    assert!(read_text(out.join("tune.svg")).contains("loss, points a game"));
}
