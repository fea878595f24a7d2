//! Luck-corrected tables.

use serde_json::Value;

use crate::models::fixture;
use crate::program::pipeline;

#[test]
fn tables_show_both_estimates() {
    let of = "--boards 9x9/10 --games 400 --luck-corrected --json";
    let row: Value = serde_json::from_str(
        &pipeline(&format!("eval --players 7.0 {of}"))
            .success()
            .stdout(),
    )
    .unwrap();
    for column in [
        "win_ratio",
        "ci_low",
        "corrected_win_ratio",
        "corrected_ci_low",
        "corrected_ci_high",
    ] {
        assert!(row[column].is_f64(), "{column}: {row}");
    }
    let row: Value = serde_json::from_str(
        &pipeline(&format!("compare 10.0-fast 3.0 {of}"))
            .code(0)
            .stdout(),
    )
    .unwrap();
    let [raw, corrected] = ["", "corrected_"].map(|which| {
        let end = |name: &str| row[format!("{which}{name}")].as_f64().unwrap();
        end("ci_high") - end("ci_low")
    });
    assert!(corrected < raw, "{row}");
    let text = pipeline("compare 10.0-fast 3.0 --boards 9x9/10 --games 400 --luck-corrected")
        .code(0)
        .stdout();
    assert!(
        text.contains("McNemar") && text.contains("luck-corrected: a difference of"),
        "{text}"
    );
    // Without being asked for, nothing of it is there.
    assert!(
        !pipeline("eval --players 7.0 --games 10 --json")
            .success()
            .stdout()
            .contains("corrected")
    );
    let wrong = format!(
        "eval --players 7.0 --games 10 --luck-corrected --value-model {}",
        fixture("xgboost-logistic.json")
    );
    assert!(pipeline(&wrong).code(2).stderr().contains("value-v1"));
}
