//! `pipeline ggp ladder`: rows that add up, the same bytes however it was run, nonsense refused.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::program::{pipeline, tempdir};

fn sheet(game: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/ggp").join(game).with_extension("kif").display().to_string()
}

#[test]
fn a_ladder_has_a_row_a_rung_and_the_same_bytes_for_any_number_of_threads() {
    let dir = tempdir();
    let table = |name: &str, threads: u32| {
        let out = dir.path().join(name);
        let opponents = "uct,uct:lanes=4:cache=no";
        let games = [sheet("tic-tac-toe"), sheet("kaseklau")].join(",");
        let command = format!(
            "ggp ladder --games {games} --player uct:solver=yes --opponents {opponents} --budget 40it --divisors 1,8 \
             --matches 6 --threads {threads} --out {}",
            out.display()
        );
        pipeline(&command).success();
        fs::read_to_string(out.join("ladder.csv")).unwrap()
    };
    let text = table("one", 1);
    assert_eq!(table("two", 2), text);
    assert_eq!(table("one", 2), text);
    let rows: Vec<HashMap<String, String>> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect();
    let rungs: Vec<(&str, &str)> = rows.iter().map(|row| (&*row["opponent"], &*row["opponent_budget"])).collect();
    let of_game = [("uct", "40it"), ("uct", "5it"), ("uct:cache=no:lanes=4", "40it"), ("uct:cache=no:lanes=4", "5it")];
    assert_eq!(rungs, [of_game, of_game].concat());
    for row in &rows {
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        assert_eq!(number("wins") + number("draws") + number("losses"), 6.0);
        assert!((number("score") - 100.0 * (number("wins") + 0.5 * number("draws")) / 6.0).abs() < 0.01);
        let budget: f64 = row["opponent_budget"].trim_end_matches("it").parse().unwrap();
        assert!(number("opponent_samples_per_move") <= budget);
    }
}

#[test]
fn a_ladder_without_sense_is_refused_in_one_line() {
    let dir = tempdir();
    let game = sheet("tic-tac-toe");
    let said =
        |options: &str| pipeline(&format!("ggp ladder --out {} {options}", dir.path().display())).code(2).stderr();
    assert!(said("").contains("--games names no rule sheet"));
    assert!(said(&format!("--games {game} --player uct:playouts=5")).contains("has a budget of its own"));
    assert!(said(&format!("--games {game} --divisors 0")).contains("--divisors 0 leaves nothing of 256it"));
    assert!(
        said(&format!("--games {game} --budget 7it --divisors 1,8")).contains("--divisors 8 leaves nothing of 7it")
    );
    assert!(said(&format!("--games {game} --player uct --opponents uct")).contains("would meet itself"));
    assert!(said(&format!("--games {game} --opponents utc:x=1")).contains("is none of uct"));
    assert!(said("--games ./no-such-game.kif").contains("no-such-game.kif"));
}
