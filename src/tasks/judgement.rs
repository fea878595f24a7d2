//! Evaluation of a ranker on test guesses.

use mineflow_arena::numbers::round;
use mineflow_learn::data::Table;
use mineflow_minesweeper::features::guess_v2;

/// The gain of a ranker's choices over those of two-step safety, measured by the teacher's values.
pub(super) struct Judgement {
    pub(super) guesses: usize,
    /// Gain in win probability per guess.
    pub(super) gain: f64,
    /// Standard error of `gain`.
    pub(super) error: f64,
    /// The share of guesses in which the ranker and two-step safety choose different cells.
    pub(super) other_choice: f64,
}

impl Judgement {
    /// Evaluates the predictions `predicted` of a ranker for the rows of `test`.
    pub(super) fn of(predicted: &[f32], test: &Table) -> Self {
        // The first candidate of a guess is the choice of two-step safety.
        let begins: Vec<usize> = (0..test.rows())
            .filter(|&row| test.row(row)[guess_v2::RANK] == 0.0)
            .collect();
        let ends = begins.iter().skip(1).copied().chain([test.rows()]);
        let (mut sum, mut squares, mut other_choice) = (0.0, 0.0, 0);
        for (&begin, end) in begins.iter().zip(ends) {
            let better = |best: usize, row: usize| {
                if predicted[row] > predicted[best] {
                    row
                } else {
                    best
                }
            };
            let chosen = (begin..end).fold(begin, better);
            let gain = f64::from(test.target[chosen] - test.target[begin]);
            other_choice += usize::from(chosen != begin);
            sum += gain;
            squares += gain * gain;
        }
        let guesses = begins.len();
        let (n, mean) = (guesses.max(1) as f64, sum / guesses.max(1) as f64);
        let error = ((squares / n - mean * mean).max(0.0) / n).sqrt();
        let other_choice = round(other_choice as f64 / n, 6);
        Self {
            guesses,
            gain: round(mean, 9),
            error: round(error, 9),
            other_choice,
        }
    }
}
