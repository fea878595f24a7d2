//! Listwise loss: how the rows of a list compare with each other, whatever they have in common.
//!
//! The labels of a list, over a temperature, become chances by softmax, and so do the predictions; the loss is the cross-entropy of
//! the second under the first (the top-one loss of ListNet: Cao, Qin, Liu, Tsai and Li, ICML 2007).

use hessboost::metric::CustomMetric;
use hessboost::objective::{CustomLoss, GradPair};

use mineflow_data::Table;

/// Where the lists of `table` begin: at each row with 0 in the column `rank`, and at the first.
pub(super) fn beginnings(table: &Table, rank: usize) -> impl Iterator<Item = usize> + '_ {
    (0..table.rows()).filter(move |&row| row == 0 || table.row(row)[rank] == 0.0)
}

/// The chances of `values` over a temperature, by softmax.
pub(super) fn softmax(values: &[f32], temperature: f64, chances: &mut Vec<f64>) {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    chances.clear();
    chances.extend(values.iter().map(|&value| libm::exp(f64::from(value - most) / temperature)));
    let sum: f64 = chances.iter().sum();
    chances.iter_mut().for_each(|chance| *chance /= sum);
}

/// The least second derivative, so that rows that are as good as decided move no leaf far.
const LEAST_CURVATURE: f64 = 0.01;

/// The lists of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Lists {
    /// Rows of each.
    lengths: Vec<usize>,
    /// In units of the label.
    temperature: f64,
}

impl Lists {
    /// The name of the loss.
    pub const LOSS: &str = "rank:listwise";

    /// The lists of `table`; one begins at each row with 0 in the column `rank`.
    pub fn of(table: &Table, rank: usize, temperature: f64) -> Self {
        let ends = beginnings(table, rank).skip(1).chain([table.rows()]);
        let lengths = beginnings(table, rank).zip(ends).map(|(begin, end)| end - begin).collect();
        Self { lengths, temperature }
    }

    /// Gives `each` the rows of every list, the chances of its labels and those of its predictions.
    fn each(&self, predictions: &[f32], labels: &[f32], mut each: impl FnMut(usize, &[f64], &[f64])) {
        let (mut wanted, mut found) = (Vec::new(), Vec::new());
        let mut begin = 0;
        for length in &self.lengths {
            let rows = begin..begin + length;
            softmax(&labels[rows.clone()], self.temperature, &mut wanted);
            softmax(&predictions[rows.clone()], self.temperature, &mut found);
            each(begin, &wanted, &found);
            begin = rows.end;
        }
    }

    /// The first and second derivatives by the predictions, both times the square of the temperature.
    fn gradients(&self, predictions: &[f32], labels: &[f32], out: &mut [GradPair]) {
        self.each(predictions, labels, |begin, wanted, found| {
            for ((out, wanted), found) in out[begin..].iter_mut().zip(wanted).zip(found) {
                let gradient = self.temperature * (found - wanted);
                let curvature = (found * (1.0 - found)).max(LEAST_CURVATURE);
                *out = GradPair::new(gradient as f32, curvature as f32);
            }
        });
    }

    /// The mean loss of a list, in nats.
    pub fn loss(&self, predictions: &[f32], labels: &[f32]) -> f64 {
        let mut sum = 0.0;
        self.each(predictions, labels, |_, wanted, found| {
            sum -= wanted.iter().zip(found).map(|(wanted, found)| wanted * libm::log(found.max(1e-300))).sum::<f64>();
        });
        sum / self.lengths.len().max(1) as f64
    }

    /// The loss, as trees grow by it.
    pub(super) fn custom_loss(self) -> CustomLoss {
        CustomLoss::new(Self::LOSS, 1, move |predictions, labels, _, out| self.gradients(predictions, labels, out))
    }

    /// The loss, as growing stops by it.
    pub(super) fn custom_metric(self) -> CustomMetric {
        CustomMetric::new(Self::LOSS, false, move |predictions, labels, _| self.loss(predictions, labels))
    }
}
