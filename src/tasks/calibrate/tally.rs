//! Counts of predictions, from which the scores and the bins are computed.

use serde::{Deserialize, Serialize};

use super::tables::{CalibrationRow, CellKind, Predictor, ScoreRow, rounded};
use mineflow_minesweeper::player::PlayerSpec;

/// Number of bins, which have equal width and cover 0 to 1.
const BINS: usize = 20;
/// Probabilities are clamped to the range from `CLAMP` to `1 - CLAMP` before taking the logarithm.
/// A wrong prediction of 0 or 1 thus costs 13.8 instead of infinity.
pub(super) const CLAMP: f64 = 1e-6;

/// Numbers are summed as multiples of `1 / UNIT`, so that the order of the terms doesn't matter.
const UNIT: f64 = (1u64 << 30) as f64;

const PREDICTORS: [Predictor; 2] = [Predictor::Source, Predictor::Model];
const KINDS: [CellKind; 3] = [CellKind::Boundary, CellKind::Elsewhere, CellKind::Chosen];

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Bin {
    count: u64,
    mines: u64,
    sum: u128,
}

/// All predictions of one predictor on one kind of cells.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Predictions {
    bins: [Bin; BINS],
    /// Sums of the squared errors and of the log losses (natural logarithm).
    squares: u128,
    losses: u128,
}

/// The counts of one player.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    pub games: u64,
    predictions: [[Predictions; KINDS.len()]; PREDICTORS.len()],
}

/// Converts a non-negative number to a multiple of `1 / UNIT`.
fn in_units(number: f64) -> u128 {
    (number * UNIT).round() as u128
}

impl Predictions {
    fn count(&mut self, predicted: f64, is_mine: bool) {
        let bin = &mut self.bins[((predicted * BINS as f64) as usize).min(BINS - 1)];
        bin.count += 1;
        bin.mines += u64::from(is_mine);
        bin.sum += in_units(predicted);
        let truth = f64::from(u8::from(is_mine));
        self.squares += in_units((predicted - truth).powi(2));
        let of_truth = if is_mine { predicted } else { 1.0 - predicted };
        self.losses += in_units(-of_truth.clamp(CLAMP, 1.0 - CLAMP).ln());
    }

    fn add(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            bin.count += more.count;
            bin.mines += more.mines;
            bin.sum += more.sum;
        }
        self.squares += other.squares;
        self.losses += other.losses;
    }
}

impl Tally {
    /// Counts a cell with its predicted probability of a mine, 0 to 1.
    pub fn count(&mut self, predictor: Predictor, kind: CellKind, predicted: f64, is_mine: bool) {
        self.predictions[predictor as usize][kind as usize].count(predicted, is_mine);
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        let mine = self.predictions.as_flattened_mut();
        mine.iter_mut()
            .zip(other.predictions.as_flattened())
            .for_each(|(mine, more)| mine.add(more));
        self.games += other.games;
    }

    /// Iterates over the combinations of predictor and kind of cell that have predictions.
    fn predicted(&self) -> impl Iterator<Item = (Predictor, CellKind, &Predictions)> {
        let all = PREDICTORS.into_iter().flat_map(move |predictor| {
            KINDS.into_iter().map(move |kind| {
                (
                    predictor,
                    kind,
                    &self.predictions[predictor as usize][kind as usize],
                )
            })
        });
        all.filter(|(_, _, predictions)| predictions.bins.iter().any(|bin| bin.count > 0))
    }

    /// Returns the scores of each predictor on each kind of cell.
    pub fn scores(&self, player: &PlayerSpec) -> Vec<ScoreRow> {
        let row = |(predictor, cells, predictions): (Predictor, CellKind, &Predictions)| {
            let count: u64 = predictions.bins.iter().map(|bin| bin.count).sum();
            let mean = |sum: u128| rounded(sum as f64 / UNIT / count as f64);
            // Each bin's distance is weighted by its number of cells.
            let distance = |bin: &Bin| bin.sum.abs_diff(u128::from(bin.mines) * UNIT as u128);
            ScoreRow {
                player: player.name.clone(),
                version: player.version(),
                predictor,
                cells,
                count,
                brier_score: mean(predictions.squares),
                log_loss: mean(predictions.losses),
                calibration_error: mean(predictions.bins.iter().map(distance).sum()),
            }
        };
        self.predicted().map(row).collect()
    }

    /// Returns the rows of all bins that are not empty.
    pub fn bins(&self, player: &PlayerSpec) -> Vec<CalibrationRow> {
        let mut rows = Vec::new();
        for (predictor, cells, predictions) in self.predicted() {
            let bins = predictions.bins.iter().enumerate();
            rows.extend(
                bins.filter(|(_, bin)| bin.count > 0)
                    .map(|(at, bin)| CalibrationRow {
                        player: player.name.clone(),
                        version: player.version(),
                        predictor,
                        cells,
                        bin_low: rounded(at as f64 / BINS as f64),
                        bin_high: rounded((at + 1) as f64 / BINS as f64),
                        count: bin.count,
                        mines: bin.mines,
                        predicted: rounded(bin.sum as f64 / UNIT / bin.count as f64),
                        observed: rounded(bin.mines as f64 / bin.count as f64),
                    }),
            );
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(predictions: &[(f64, bool)]) -> Tally {
        let mut tally = Tally::default();
        for &(predicted, is_mine) in predictions {
            tally.count(Predictor::Source, CellKind::Chosen, predicted, is_mine);
        }
        tally
    }

    #[test]
    fn ends_of_bins_belong_to_the_upper_one_and_1_to_the_last() {
        let rows: Vec<_> = tally(&[(0.0, false), (0.05, false), (0.07, true), (1.0, true)])
            .bins(&"3.0".parse().unwrap())
            .iter()
            .map(|row| {
                (
                    row.bin_low,
                    row.bin_high,
                    row.count,
                    row.mines,
                    row.predicted,
                    row.observed,
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                (0.0, 0.05, 1, 0, 0.0, 0.0),
                (0.05, 0.1, 2, 1, 0.06, 0.5),
                (0.95, 1.0, 1, 1, 1.0, 1.0)
            ]
        );
    }

    #[test]
    fn scores_are_those_of_their_definitions() {
        let of = |predictions: &[(f64, bool)]| {
            let rows = tally(predictions).scores(&"3.0".parse().unwrap());
            assert_eq!(
                (rows.len(), rows[0].cells, rows[0].count),
                (1, CellKind::Chosen, predictions.len() as u64)
            );
            (
                rows[0].brier_score,
                rows[0].log_loss,
                rows[0].calibration_error,
            )
        };
        // The Brier score is (0.04 + 0.04 + 0.64) / 3, the log loss (ln 1.25 + ln 1.25 + ln 5) / 3,
        // and the calibration error 1/3 - 0.2.
        assert_eq!(
            of(&[(0.2, false), (0.2, false), (0.2, true)]),
            (0.24, 0.685_242, 0.133_333)
        );
        assert_eq!(of(&[(0.2, false), (0.8, true)]), (0.04, 0.223_144, 0.2));
        // The loss of a prediction of 0 or 1 is -ln(1 - 1e-6) if it is right and -ln(1e-6) if it is
        // wrong.
        assert_eq!(of(&[(0.0, false), (1.0, true)]), (0.0, 0.000_001, 0.0));
        assert_eq!(of(&[(0.0, true)]), (1.0, 13.815_511, 1.0));
    }
}
