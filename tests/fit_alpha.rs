//! The sweep that alpha is fitted to.

use std::fs;

use mineflow::model::{Artifact, Linear};

use crate::program::{pipeline, tempdir};

#[test]
fn a_sweep_is_the_same_for_any_number_of_threads_and_goes_on_where_it_stopped() {
    let directory = tempdir();
    let sweep = |out: &str, more: &str| {
        let out = directory.path().join(out);
        let run =
            format!("fit-alpha --widths 4..6 --alphas 4 --mine-ratios 0.1..0.2:0.1 {more} --out {}", out.display());
        (pipeline(&run).success(), out)
    };
    let files = ["sweep.csv", "targets.csv", "alpha.json", "alpha.safetensors", "manifest.json"];
    let read = |out: &std::path::Path| files.map(|file| fs::read(out.join(file)).unwrap());
    let (_, one) = sweep("one", "--games 30 --threads 1");
    let (_, two) = sweep("two", "--games 30 --threads 2");
    assert_eq!(read(&one), read(&two));
    let (_, grown) = sweep("grown", "--games 10");
    let (grew, _) = sweep("grown", "--games 30");
    assert!(grew.stderr().contains("resuming in"), "{}", grew.stderr());
    assert_eq!(read(&grown), read(&one));

    let sweep_rows = String::from_utf8(fs::read(one.join("sweep.csv")).unwrap()).unwrap();
    let boards = 3 + 3 + 4;
    assert_eq!(sweep_rows.lines().count(), 1 + 2 * boards * 4);
    let targets = csv::Reader::from_path(one.join("targets.csv")).unwrap().into_records().map(Result::unwrap).count();
    assert_eq!(targets, 2 * boards);
    let loaded = Artifact::load(&one.join("alpha.safetensors"), &Linear::expected("the test")).unwrap();
    let result: serde_json::Value = serde_json::from_slice(&fs::read(one.join("alpha.json")).unwrap()).unwrap();
    assert_eq!(result["sha256"], loaded.sha256);
    let Artifact::Linear(linear) = loaded.artifact else { panic!("alpha is linear") };
    let theta: Vec<f64> = serde_json::from_value(result["theta"].clone()).unwrap();
    assert_eq!(linear.theta().to_vec(), theta);
}

#[test]
fn a_sweep_over_one_size_is_refused_after_the_games() {
    let directory = tempdir();
    let run =
        format!("fit-alpha --widths 5 --height-ratio 1 --alphas 3 --games 5 --out {}", directory.path().display());
    let refused = pipeline(&run).code(2);
    assert!(refused.stderr().contains("the longer side follows from the other columns"), "{}", refused.stderr());
    assert!(!directory.path().join("alpha.safetensors").exists());
}
