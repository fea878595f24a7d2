//! Tests of the linear model that is fitted to the best alpha of each board.

use mineflow_learn::train::alpha::{AlphaError, AlphaFit, AlphaRow, best_alpha};

const THETA: [f64; 4] = [0.012, -0.03, 0.8, 0.25];

/// Returns the boards of Sinha et al., with targets from a linear function plus noise.
fn paper_boards(noise: impl Fn(usize) -> f64) -> Vec<AlphaRow> {
    let mut rows = Vec::new();
    for width in (5..=10).chain([20]) {
        for height in (width + 1) / 2..=width {
            for step in 1..=5 {
                let (longer, shorter, mine_ratio) =
                    (f64::from(width), f64::from(height), f64::from(step) * 0.05);
                let [of_longer, of_shorter, of_ratio, constant] = THETA;
                let alpha =
                    of_longer * longer + of_shorter * shorter + of_ratio * mine_ratio + constant;
                rows.push(AlphaRow {
                    longer,
                    shorter,
                    mine_ratio,
                    alpha: alpha + noise(rows.len()),
                });
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
    for column in [
        |_: &AlphaRow| 1.0,
        |row: &AlphaRow| row.longer,
        |row: &AlphaRow| row.shorter,
        |row: &AlphaRow| row.mine_ratio,
    ] {
        let along: f64 = rows
            .iter()
            .zip(&residuals)
            .map(|(row, residual)| column(row) * residual)
            .sum();
        assert!(along.abs() < 1e-8, "{along}");
    }
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>()
    };
    let all: Vec<f64> = rows.iter().map(|row| row.alpha).collect();
    let expected = 1.0 - variance(&residuals) / variance(&all);
    assert!((fit.r_squared.unwrap() - expected).abs() < 1e-9 && expected < 0.95);
}

#[test]
fn boards_that_do_not_determine_a_factor_are_refused() {
    let rows = paper_boards(|_| 0.0);
    let change = |change: &dyn Fn(&mut AlphaRow)| {
        let mut rows = rows.clone();
        rows.iter_mut().for_each(change);
        AlphaFit::new(&rows).unwrap_err()
    };
    let deficient = |column| AlphaError::Deficient { column };
    assert_eq!(change(&|row| row.mine_ratio = 0.1), deficient("mine ratio"));
    assert_eq!(change(&|row| row.longer = 9.0), deficient("longer side"));
    assert_eq!(
        change(&|row| row.shorter = row.longer),
        deficient("shorter side")
    );
    assert_eq!(
        change(&|row| row.shorter = 2.0 * row.longer + 1.0 + 1e-9 * row.mine_ratio),
        deficient("shorter side")
    );
    assert!(matches!(
        change(&|row| row.alpha = f64::NAN),
        AlphaError::NotFinite {
            row: 0,
            column: "alpha",
            ..
        }
    ));
    assert_eq!(
        AlphaFit::new(&rows[..3]).unwrap_err(),
        AlphaError::TooFew(3)
    );
    let mut level = rows.clone();
    level.iter_mut().for_each(|row| row.alpha = 0.5);
    assert_eq!(AlphaFit::new(&level).unwrap().r_squared, None);
}

#[test]
fn the_best_alpha_is_the_mean_of_those_that_tie_for_the_most_wins() {
    let alphas = [0.0, 0.25, 0.5, 0.75, 1.0];
    assert_eq!(best_alpha(&alphas, &[1, 5, 2, 3, 4]), 0.25);
    assert_eq!(best_alpha(&alphas, &[9, 5, 2, 9, 4]), 0.375);
    assert_eq!(best_alpha(&alphas, &[7; 5]), 0.5);
}
