//! The line that gives alpha, and the sweep behind it.

use std::fs;

use mineflow::learn::model::{Artifact, Linear};
use mineflow::learn::train::alpha::{AlphaError, AlphaFit, AlphaRow, best_alpha};

use crate::program::{pipeline, tempdir};

const THETA: [f64; 4] = [0.012, -0.03, 0.8, 0.25];

/// The boards of the main paper with targets on a line.
fn paper_boards(noise: impl Fn(usize) -> f64) -> Vec<AlphaRow> {
    let mut rows = Vec::new();
    for width in (5..=10).chain([20]) {
        for height in (width + 1) / 2..=width {
            for step in 1..=5 {
                let (longer, shorter, mine_ratio) = (f64::from(width), f64::from(height), f64::from(step) * 0.05);
                let [of_longer, of_shorter, of_ratio, constant] = THETA;
                let alpha = of_longer * longer + of_shorter * shorter + of_ratio * mine_ratio + constant;
                rows.push(AlphaRow { longer, shorter, mine_ratio, alpha: alpha + noise(rows.len()) });
            }
        }
    }
    rows
}

#[test]
fn targets_on_a_line_give_that_line() {
    let fit = AlphaFit::new(&paper_boards(|_| 0.0)).unwrap();
    for (found, expected) in fit.theta.iter().zip(THETA) {
        assert!((found - expected).abs() < 1e-9, "{:?}", fit.theta);
    }
    assert!((fit.r_squared.unwrap() - 1.0).abs() < 1e-9);
}

#[test]
fn r_squared_is_the_explained_share_and_residuals_are_orthogonal() {
    let rows = paper_boards(|row| if row % 2 == 0 { 0.1 } else { -0.1 });
    let fit = AlphaFit::new(&rows).unwrap();
    let residuals: Vec<f64> = rows.iter().map(|row| row.alpha - fit.at(row)).collect();
    for column in
        [|_: &AlphaRow| 1.0, |row: &AlphaRow| row.longer, |row: &AlphaRow| row.shorter, |row: &AlphaRow| row.mine_ratio]
    {
        let along: f64 = rows.iter().zip(&residuals).map(|(row, residual)| column(row) * residual).sum();
        assert!(along.abs() < 1e-8, "{along}");
    }
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let all: Vec<f64> = rows.iter().map(|row| row.alpha).collect();
    let expected = 1.0 - variance(&residuals) / variance(&all);
    assert!((fit.r_squared.unwrap() - expected).abs() < 1e-9 && expected < 0.95);
}

#[test]
fn boards_that_leave_a_factor_open_are_refused() {
    let rows = paper_boards(|_| 0.0);
    let change = |change: &dyn Fn(&mut AlphaRow)| {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(change);
        AlphaFit::new(&rows).unwrap_err()
    };
    let deficient = |column| AlphaError::Deficient { column };
    assert_eq!(change(&|row| row.mine_ratio = 0.1), deficient("mine ratio"));
    assert_eq!(change(&|row| row.longer = 9.0), deficient("longer side"));
    assert_eq!(change(&|row| row.shorter = row.longer), deficient("shorter side"));
    assert_eq!(change(&|row| row.shorter = 2.0 * row.longer + 1.0 + 1e-9 * row.mine_ratio), deficient("shorter side"));
    assert!(matches!(change(&|row| row.alpha = f64::NAN), AlphaError::NotFinite { row: 0, column: "alpha", .. }));
    assert_eq!(AlphaFit::new(&rows[..3]).unwrap_err(), AlphaError::TooFew(3));
    let mut level = rows.clone();
    level.iter_mut().for_each(|row| row.alpha = 0.5);
    assert_eq!(AlphaFit::new(&level).unwrap().r_squared, None);
}

#[test]
fn the_best_alpha_is_the_mean_of_those_that_share_the_most_wins() {
    let alphas = [0.0, 0.25, 0.5, 0.75, 1.0];
    assert_eq!(best_alpha(&alphas, &[1, 5, 2, 3, 4]), 0.25);
    assert_eq!(best_alpha(&alphas, &[9, 5, 2, 9, 4]), 0.375);
    assert_eq!(best_alpha(&alphas, &[7; 5]), 0.5);
}

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
