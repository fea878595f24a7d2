//! Tests of luck-corrected tables.

use serde_json::Value;

use crate::models::fixture;
use crate::program::{assert_has, fails, json_of, pipeline, prints, read_text, tempdir};

#[test]
fn tables_show_both_estimates() {
    let of = "--boards 9x9/10 --games 400 --luck-corrected --json";
    let row = json_of(prints(format!("eval --players 7.0 {of}")));
    for column in [
        "win_ratio",
        "ci_low",
        "corrected_win_ratio",
        "corrected_ci_low",
        "corrected_ci_high",
        "luck",
        "luck_error",
    ] {
        assert!(row[column].is_f64(), "{column}: {row}");
    }
    assert!(is_what_the_correction_subtracts(&row, "win_ratio"), "{row}");
    let row = json_of(prints(format!("compare 11.0-fast 3.0 {of}")));
    let [raw, corrected] = ["", "corrected_"].map(|which| {
        let end = |name: &str| row[format!("{which}{name}")].as_f64().unwrap();
        end("ci_high") - end("ci_low")
    });
    assert!(corrected < raw, "{row}");
    assert!(
        is_what_the_correction_subtracts(&row, "difference"),
        "{row}"
    );
    let text = prints("compare 11.0-fast 3.0 --boards 9x9/10 --games 400 --luck-corrected");
    assert_has(&text, "McNemar");
    assert_has(&text, "luck-corrected: a difference of");
    // By default, tables have no luck-corrected columns.
    assert!(!prints("eval --players 7.0 --games 10 --json").contains("corrected"));
    let wrong = format!(
        "eval --players 7.0 --games 10 --luck-corrected --value-model {}",
        fixture("xgboost-logistic.json")
    );
    assert_has(fails(&wrong), "value-v1");
}

/// Returns whether `luck` is the raw estimate minus the corrected one, and is zero within four
/// standard errors.
fn is_what_the_correction_subtracts(row: &Value, estimate: &str) -> bool {
    let number = |column: &str| row[column].as_f64().unwrap();
    let subtracted = number(estimate) - number(&format!("corrected_{estimate}"));
    (number("luck") - subtracted).abs() < 2.1e-6
        && number("luck_error") > 0.0
        && number("luck").abs() < 4.0 * number("luck_error")
}

#[test]
fn a_dozen_games_have_the_exact_interval_of_the_raw_rate() {
    // Nearly all corrected results are equal, and thus their interval would be almost a point.
    let answer = pipeline(
        "eval --players 7.0 --boards 9x9/4 --first-click opening --games 12 --luck-corrected --json",
    );
    let row = json_of(answer.success().stdout());
    let [low, high] = ["ci_low", "ci_high"].map(|end| row[end].as_f64().unwrap());
    assert!((0.7..0.75).contains(&low) && high == 1.0, "{row}");
    assert!(
        row["corrected_win_ratio"].as_f64().unwrap() > 0.9 && row["corrected_ci_low"].is_null(),
        "{row}"
    );
}

#[test]
fn rows_with_and_without_a_corrected_interval_have_the_same_columns() {
    for (command, columns) in [
        (
            "eval --players 7.0",
            ["corrected_ci_low", "corrected_ci_high"],
        ),
        ("compare 7.0 4.0", ["corrected_ci_low", "corrected_p_value"]),
    ] {
        let line = format!("{command} --boards beginner,9x9/2 --games 900 --luck-corrected");
        let rows: Vec<Value> = prints(format!("{line} --json"))
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        for column in columns {
            assert!(rows[0][column].is_f64() && rows[1].get(column) == Some(&Value::Null));
        }
        let folder = tempdir();
        let out = folder.join("out");
        pipeline(format!("{line} --out {out}")).success();
        let file = out
            .join(command.split(' ').next().unwrap())
            .with_extension("csv");
        assert_eq!(read_text(file).lines().count(), 3);
    }
}
