//! The loss of [`Lists`](super::Lists) on what a network gives.

use std::iter::repeat_n;

use burn::tensor::{Device, Int, Tensor, TensorData, activation};

use super::lists::softmax;

/// What keeps a place without a row out of every sum.
const NOWHERE: f32 = -1e9;

/// The mean loss of lists, `outputs` being those of their rows, (1, rows), in units of the temperature. A list begins at each place
/// of `begins`, the first at 0. Lists lie side by side, filled up to the longest.
pub(super) fn list_loss(
    outputs: Tensor<2>,
    targets: &[f32],
    begins: &[usize],
    temperature: f32,
    device: &Device,
) -> Tensor<1> {
    let ends = || begins.iter().copied().skip(1).chain([targets.len()]);
    let lists = || begins.iter().zip(ends()).map(|(&begin, end)| begin..end);
    let longest = lists().map(|list| list.len()).max().unwrap_or(0);
    let (mut places, mut absent) = (Vec::new(), Vec::new());
    let (mut wanted, mut chances) = (Vec::new(), Vec::new());
    for list in lists() {
        softmax(&targets[list.clone()], temperature.into(), &mut chances);
        let missing = longest - list.len();
        places.extend(list.clone().chain(repeat_n(list.start, missing)).map(|at| at as i64));
        absent.extend(list.map(|_| 0.0).chain(repeat_n(NOWHERE, missing)));
        wanted.extend(chances.iter().map(|&chance| chance as f32).chain(repeat_n(0.0, missing)));
    }
    let shape = [begins.len(), longest];
    let places = Tensor::<1, Int>::from_data(TensorData::new::<i64, _>(places, [begins.len() * longest]), device);
    let table = |values: Vec<f32>| Tensor::<2>::from_data(TensorData::new(values, shape), device);
    let found = activation::log_softmax(outputs.select(1, places).reshape(shape) + table(absent), 1);
    -(found * table(wanted)).sum() / begins.len() as f64
}
