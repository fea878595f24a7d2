//! Tests of the sweep over alpha and of the linear model that is fitted to its results.

use mineflow::model::{Artifact, Linear};

use crate::program::{assert_has, json_of, pipeline, read_bytes, rows, tempdir};

#[test]
fn a_sweep_has_every_board_and_alpha_and_its_line_is_kept() {
    let directory = tempdir();
    let one = &directory;
    let run = "fit-alpha --widths 4..6 --alphas 4 --mine-ratios 0.1..0.2:0.1 --games 30 --out";
    pipeline(format!("{run} {one}")).success();
    let sweep_rows = String::from_utf8(read_bytes(one.join("sweep.csv"))).unwrap();
    let boards = 3 + 3 + 4;
    assert_eq!(sweep_rows.lines().count(), 1 + 2 * boards * 4);
    assert_eq!(rows(one, "targets.csv").len(), 2 * boards);
    let loaded = Artifact::load(
        &one.join("alpha.safetensors"),
        &Linear::expected("the test"),
    )
    .unwrap();
    let result = json_of(read_bytes(one.join("alpha.json")));
    assert_eq!(result["sha256"], loaded.sha256);
    let linear = loaded.into_alpha("the test").unwrap();
    let theta: Vec<f64> = serde_json::from_value(result["theta"].clone()).unwrap();
    assert_eq!(linear.theta().to_vec(), theta);
}

#[test]
fn a_sweep_over_one_size_is_refused_after_the_games() {
    let directory = tempdir();
    let run =
        format!("fit-alpha --widths 5 --height-ratio 1 --alphas 3 --games 5 --out {directory}");
    let refused = pipeline(&run).code(2);
    assert_has(
        refused.stderr(),
        "the longer side follows from the other columns",
    );
    assert!(!directory.join("alpha.safetensors").exists());
}
