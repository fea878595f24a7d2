//! Activation functions, written so that the compiler can vectorise them.

use std::f32::consts::LOG2_E;

use mineflow_store::named;

/// The activation function of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activation {
    Relu,
    Tanh,
    Linear,
    Sigmoid,
}

named!(Activation, "activation": Relu = "relu", Tanh = "tanh", Linear = "linear", Sigmoid = "sigmoid");

impl Activation {
    pub(super) fn apply(self, values: &mut [f32]) {
        match self {
            Self::Relu => values
                .iter_mut()
                .for_each(|x| *x = if *x > 0.0 { *x } else { 0.0 }),
            Self::Tanh => values.iter_mut().for_each(|x| *x = tanh(*x)),
            Self::Linear => {}
            Self::Sigmoid => values.iter_mut().for_each(|x| *x = sigmoid(*x)),
        }
    }
}

/// Computes `1 / (1 + e^-x)`, within 3e-7 of the exact value everywhere.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + two_to((-LOG2_E * x).clamp(-125.0, 125.0)))
}

/// Computes the hyperbolic tangent, within 3e-7 of the exact value everywhere and exactly 0 at 0.
///
/// Near 0, the difference of two numbers near 1 loses relative accuracy but not absolute accuracy,
/// which is what matters in the sums of a layer.
fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + two_to((2.0 * LOG2_E * x).clamp(-60.0, 60.0)))
}

/// Computes `2^x` for `x` in -125..=125, with a relative error below 3e-7.
///
/// The standard library's `exp` needs a function call per number, and its results differ between
/// systems; this function is straight-line arithmetic. The nearest whole number goes into the
/// exponent. The remainder `r` is in -1/2..=1/2, and `2^r` is computed by the minimax polynomial of
/// degree 5 with value 1 at 0 and a maximum relative error of 7.5e-8.
#[inline]
fn two_to(x: f32) -> f32 {
    /// Adding this constant leaves the nearest whole number in the low bits of the sum.
    const TO_WHOLE: f32 = 12_582_912.0;
    const C: [f32; 5] = [
        0.693_147_06,
        0.240_222_51,
        0.055_504_974,
        0.009_671_451,
        0.001_335_051_7,
    ];
    let shifted = x + TO_WHOLE;
    let r = x - (shifted - TO_WHOLE);
    let power = 1.0 + r * (C[0] + r * (C[1] + r * (C[2] + r * (C[3] + r * C[4]))));
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every 64th float up to 100 and a few larger floats up to infinity, each with both
    /// signs.
    fn floats() -> impl Iterator<Item = f32> {
        let positive = (0..=100.0f32.to_bits()).step_by(64).map(f32::from_bits);
        positive
            .chain([88.0, 1e3, 3e38, f32::MAX, f32::INFINITY])
            .flat_map(|x| [x, -x])
    }

    #[test]
    fn values_are_within_three_ten_millionths_of_the_exact_ones() {
        let worst = |error: fn(f32) -> f64| floats().map(error).fold(0.0, f64::max);
        assert!(worst(|x| (f64::from(tanh(x)) - f64::from(x).tanh()).abs()) < 3e-7);
        assert_eq!(tanh(0.0), 0.0);
        assert!(
            worst(|x| (f64::from(sigmoid(x)) - 1.0 / (1.0 + (-f64::from(x)).exp())).abs()) < 3e-7
        );
        let relative = |x: f32| match x.abs() {
            ..=125.0 => (f64::from(two_to(x)) / f64::from(x).exp2() - 1.0).abs(),
            _ => 0.0,
        };
        assert!(worst(relative) < 3e-7);
        assert!((-125i16..=125).all(|n| two_to(f32::from(n)) == f32::from(n).exp2()));
    }
}
