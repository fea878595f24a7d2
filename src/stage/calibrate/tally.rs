//! Predictions counted in bins.

use super::{CalibrationRow, rounded};

/// Bins of equal width from 0 to 1.
const BINS: usize = 20;
/// Predictions are added up as whole numbers of this part, so that sums don't depend on their order.
const UNIT: f64 = (1u64 << 30) as f64;

/// Who predicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Predictor {
    Source,
    Model,
}

/// What cell a prediction is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellKind {
    Boundary,
    Elsewhere,
    Chosen,
}

const PREDICTORS: [(Predictor, &str); 2] = [(Predictor::Source, "source"), (Predictor::Model, "model")];
const KINDS: [(CellKind, &str); 3] =
    [(CellKind::Boundary, "boundary"), (CellKind::Elsewhere, "elsewhere"), (CellKind::Chosen, "chosen")];

#[derive(Clone, Copy, Default)]
struct Bin {
    count: u64,
    mines: u64,
    sum: u64,
}

/// The bins of one player.
#[derive(Clone, Default)]
pub(super) struct Tally {
    bins: [[[Bin; BINS]; KINDS.len()]; PREDICTORS.len()],
}

impl Tally {
    /// Counts a cell with its predicted probability of a mine, 0 to 1.
    pub(super) fn count(&mut self, predictor: Predictor, kind: CellKind, predicted: f64, is_mine: bool) {
        let at = ((predicted * BINS as f64) as usize).min(BINS - 1);
        let bin = &mut self.bins[predictor as usize][kind as usize][at];
        bin.count += 1;
        bin.mines += u64::from(is_mine);
        bin.sum += (predicted * UNIT).round() as u64;
    }

    /// Takes in what another has counted.
    pub(super) fn add(&mut self, other: &Self) {
        let bins = self.bins.as_flattened_mut().as_flattened_mut();
        for (bin, more) in bins.iter_mut().zip(other.bins.as_flattened().as_flattened()) {
            bin.count += more.count;
            bin.mines += more.mines;
            bin.sum += more.sum;
        }
    }

    /// The rows of all bins that hold something.
    pub(super) fn rows(&self, player: &str) -> Vec<CalibrationRow> {
        let mut rows = Vec::new();
        for (predictor, predictor_name) in PREDICTORS {
            for (kind, cells) in KINDS {
                let bins = self.bins[predictor as usize][kind as usize].iter().enumerate();
                rows.extend(bins.filter(|(_, bin)| bin.count > 0).map(|(at, bin)| CalibrationRow {
                    player: player.to_owned(),
                    predictor: predictor_name,
                    cells,
                    bin_low: rounded(at as f64 / BINS as f64),
                    bin_high: rounded((at + 1) as f64 / BINS as f64),
                    count: bin.count,
                    mines: bin.mines,
                    predicted: rounded(bin.sum as f64 / UNIT / bin.count as f64),
                    observed: rounded(bin.mines as f64 / bin.count as f64),
                }));
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_bins_belong_to_the_upper_one_and_1_to_the_last() {
        let mut tally = Tally::default();
        for (predicted, is_mine) in [(0.0, false), (0.05, false), (0.07, true), (1.0, true)] {
            tally.count(Predictor::Source, CellKind::Chosen, predicted, is_mine);
        }
        let rows: Vec<_> = tally
            .rows("3.0")
            .iter()
            .map(|row| (row.bin_low, row.bin_high, row.count, row.mines, row.predicted, row.observed))
            .collect();
        assert_eq!(rows, [(0.0, 0.05, 1, 0, 0.0, 0.0), (0.05, 0.1, 2, 1, 0.06, 0.5), (0.95, 1.0, 1, 1, 1.0, 1.0)]);
    }
}
