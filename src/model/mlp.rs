//! Dense networks, such as those in tables 1 and 2 of Sinha et al. (2021): forward passes only.

use super::{
    activation::Activation,
    error::{Fault, check_finite},
    kind::{Model, ModelScratch},
    metadata::Metadata,
};

/// Number of rows that are computed together.
const WIDE: usize = 16;
/// Number of rows that are computed together at the end of a batch.
const NARROW: usize = 4;
/// Number of outputs that are computed together.
const TOGETHER: usize = 4;

/// One fully connected layer: `activation(weight x + bias)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Dense {
    /// The weights, of shape (outputs, inputs), row-major.
    pub weight: Vec<f32>,
    /// The biases, one per output.
    pub bias: Vec<f32>,
    pub activation: Activation,
}

impl Dense {
    /// The maximum width of a layer.
    pub const WIDEST: usize = 4096;

    /// Returns the number of inputs.
    pub fn inputs(&self) -> usize {
        self.weight.len() / self.bias.len()
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Computes the outputs for `LANES` rows. Each sum runs over the inputs in the same order for
    /// any number of lanes, so that the result of a row does not depend on its batch.
    fn forward<const LANES: usize>(&self, input: &[[f32; LANES]], output: &mut [[f32; LANES]]) {
        // With constant lengths the compiler unrolls the sums of the networks of Sinha et al.,
        // which is a sixth faster.
        match input.len() {
            5 => self.sums_of::<LANES, 5>(input, output),
            9 => self.sums_of::<LANES, 9>(input, output),
            _ => self.sums(input, output),
        }
        self.activation.apply(output.as_flattened_mut());
    }

    fn sums<const LANES: usize>(&self, input: &[[f32; LANES]], output: &mut [[f32; LANES]]) {
        let (groups, rest) = output.as_chunks_mut::<TOGETHER>();
        let done = groups.len() * TOGETHER;
        let (biases, bias) = self.bias.split_at(done);
        let (weights, weight) = self.weight.split_at(done * input.len());
        let weights = weights.chunks_exact(TOGETHER * input.len());
        for ((weights, biases), sums) in weights.zip(biases.as_chunks().0).zip(groups) {
            *sums = weighted_sums(biases, weights, input);
        }
        for ((weights, &bias), sums) in weight.chunks_exact(input.len()).zip(bias).zip(rest) {
            *sums = weighted_sum(bias, weights, input);
        }
    }

    fn sums_of<const LANES: usize, const INPUTS: usize>(
        &self,
        input: &[[f32; LANES]],
        output: &mut [[f32; LANES]],
    ) {
        let input: &[[f32; LANES]; INPUTS] =
            input.try_into().expect("the caller chose by the length");
        for ((weights, &bias), sums) in self
            .weight
            .as_chunks::<INPUTS>()
            .0
            .iter()
            .zip(&self.bias)
            .zip(output)
        {
            *sums = weighted_sum(bias, weights, input);
        }
    }
}

#[inline]
fn weighted_sum<const LANES: usize>(
    bias: f32,
    weights: &[f32],
    input: &[[f32; LANES]],
) -> [f32; LANES] {
    let mut sum = [bias; LANES];
    for (&weight, x) in weights.iter().zip(input) {
        for lane in 0..LANES {
            sum[lane] += weight * x[lane];
        }
    }
    sum
}

/// Computes the sums of several outputs, interleaved so that their additions don't wait for each
/// other.
#[inline]
fn weighted_sums<const LANES: usize>(
    bias: &[f32; TOGETHER],
    weights: &[f32],
    input: &[[f32; LANES]],
) -> [[f32; LANES]; TOGETHER] {
    let mut sums = bias.map(|bias| [bias; LANES]);
    let weights: [&[f32]; TOGETHER] =
        std::array::from_fn(|output| &weights[output * input.len()..][..input.len()]);
    for (i, x) in input.iter().enumerate() {
        for (sum, weights) in sums.iter_mut().zip(weights) {
            for lane in 0..LANES {
                sum[lane] += weights[i] * x[lane];
            }
        }
    }
    sums
}

/// A dense network with standardised inputs.
#[derive(Clone, PartialEq, Debug)]
pub struct Mlp {
    layers: Vec<Dense>,
    mean: Vec<f32>,
    deviation: Vec<f32>,
    metadata: Metadata,
    inverse_deviation: Vec<f32>,
    widest: usize,
}

/// Scratch memory for the outputs of the layers, reused between calls.
#[derive(Default)]
struct MlpScratch {
    wide: LayerLanes<WIDE>,
    narrow: LayerLanes<NARROW>,
}

#[derive(Default)]
struct LayerLanes<const LANES: usize> {
    now: Vec<[f32; LANES]>,
    next: Vec<[f32; LANES]>,
}

impl Mlp {
    /// Creates a network of `layers` on inputs standardised by `mean` and `deviation`, each as long
    /// as a row.
    ///
    /// # Errors
    /// Returns an error if there are no layers, a width is 0 or over 4096, layers don't match, a
    /// number is not finite, or a deviation is not above 0.
    pub fn new(
        layers: Vec<Dense>,
        mean: Vec<f32>,
        deviation: Vec<f32>,
        metadata: Metadata,
    ) -> Result<Self, Fault> {
        if layers.is_empty() {
            return Err(Fault::TensorMissing("layers.0.weight".to_owned()));
        }
        let mut width = mean.len();
        let mut widest = width;
        check_width("input.mean", width)?;
        if deviation.len() != width {
            return Err(Fault::Shape {
                tensor: "input.deviation".to_owned(),
                found: vec![deviation.len()],
                expected: format!("[{width}], as `input.mean` is"),
            });
        }
        for (index, layer) in layers.iter().enumerate() {
            check_width(&format!("layers.{index}.bias"), layer.outputs())?;
            if !layer.weight.len().is_multiple_of(layer.outputs()) || layer.inputs() != width {
                return Err(Fault::LayersDontJoin {
                    layer: index,
                    takes: layer.inputs(),
                    given: width,
                });
            }
            check_finite(&format!("layers.{index}.weight"), &layer.weight)?;
            check_finite(&format!("layers.{index}.bias"), &layer.bias)?;
            width = layer.outputs();
            widest = widest.max(width);
        }
        check_finite("input.mean", &mean)?;
        check_finite("input.deviation", &deviation)?;
        // If the inverse of a tiny deviation is infinite, an input equal to the mean would become
        // NaN.
        if let Some((index, &value)) = deviation
            .iter()
            .enumerate()
            .find(|&(_, &d)| d <= 0.0 || !(1.0 / d).is_finite())
        {
            return Err(Fault::Deviation { index, value });
        }
        let inverse_deviation = deviation.iter().map(|d| 1.0 / d).collect();
        Ok(Self {
            layers,
            mean,
            deviation,
            metadata,
            inverse_deviation,
            widest,
        })
    }

    /// Returns the number of inputs per row.
    pub fn inputs(&self) -> usize {
        self.mean.len()
    }

    /// Returns the layers in order, the first one at the input.
    pub fn layers(&self) -> &[Dense] {
        &self.layers
    }

    /// Returns the mean that is subtracted from each input.
    pub fn mean(&self) -> &[f32] {
        &self.mean
    }

    /// Returns the standard deviation by which each input is divided after the mean is subtracted.
    pub fn deviation(&self) -> &[f32] {
        &self.deviation
    }

    fn block<const LANES: usize>(
        &self,
        rows: &[f32],
        out: &mut Vec<f32>,
        lanes: &mut LayerLanes<LANES>,
    ) {
        let outputs = self.forward(rows, lanes);
        for lane in 0..rows.len() / self.inputs() {
            out.extend(outputs.iter().map(|lanes| lanes[lane]));
        }
    }

    /// Computes the outputs of up to `LANES` rows, one row per lane; lanes without a row compute
    /// the outputs of zeros.
    fn forward<'a, const LANES: usize>(
        &self,
        rows: &[f32],
        lanes: &'a mut LayerLanes<LANES>,
    ) -> &'a [[f32; LANES]] {
        let LayerLanes { now, next } = lanes;
        for values in [&mut *now, &mut *next] {
            values.resize(values.len().max(self.widest), [0.0; LANES]);
        }
        let mut width = self.inputs();
        if rows.len() < LANES * width {
            now[..width].fill([0.0; LANES]);
        }
        for (lane, row) in rows.chunks_exact(width).enumerate() {
            for (x, &value) in now.iter_mut().zip(row) {
                x[lane] = value;
            }
        }
        for ((x, &mean), &inverse) in now.iter_mut().zip(&self.mean).zip(&self.inverse_deviation) {
            x.iter_mut().for_each(|x| *x = (*x - mean) * inverse);
        }
        for layer in &self.layers {
            layer.forward(&now[..width], &mut next[..layer.outputs()]);
            width = layer.outputs();
            std::mem::swap(now, next);
        }
        &now[..width]
    }
}

impl Model for Mlp {
    fn width(&self) -> usize {
        self.inputs()
    }

    fn outputs(&self) -> usize {
        self.layers.last().map_or(0, Dense::outputs)
    }

    fn append(&self, rows: &[f32], out: &mut Vec<f32>, scratch: &mut ModelScratch) {
        let scratch: &mut MlpScratch = scratch.of();
        assert!(
            rows.len().is_multiple_of(self.inputs()),
            "{} numbers are not rows of {}",
            rows.len(),
            self.inputs()
        );
        let mut wide = rows.chunks_exact(WIDE * self.inputs());
        for block in &mut wide {
            self.block(block, out, &mut scratch.wide);
        }
        for block in wide.remainder().chunks(NARROW * self.inputs()) {
            self.block(block, out, &mut scratch.narrow);
        }
    }

    fn bound(&self, largest: f64) -> f64 {
        let mut bound = self
            .mean
            .iter()
            .zip(&self.deviation)
            .map(|(&mean, &deviation)| (largest + f64::from(mean.abs())) / f64::from(deviation))
            .fold(0.0, f64::max);
        for layer in &self.layers {
            let inputs = bound;
            for (row, bias) in layer.weight.chunks_exact(layer.inputs()).zip(&layer.bias) {
                let weights: f64 = row.iter().map(|&weight| f64::from(weight.abs())).sum();
                bound = bound.max(weights * inputs + f64::from(bias.abs()));
            }
        }
        bound
    }

    fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

fn check_width(tensor: &str, width: usize) -> Result<(), Fault> {
    if (1..=Dense::WIDEST).contains(&width) {
        return Ok(());
    }
    Err(Fault::Shape {
        tensor: tensor.to_owned(),
        found: vec![width],
        expected: format!("of a width from 1 to {}", Dense::WIDEST),
    })
}
