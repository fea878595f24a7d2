//! Optimisers: how a gradient changes a tensor.

use burn::optim::{
    Adam, AdamConfig, AdamState, AdaptiveMomentumState, CenteredState, Optimizer as _, RmsProp,
    RmsPropConfig, RmsPropState, SquareAvgState,
};
use burn::tensor::Tensor;

/// An optimiser with the defaults of Keras, which Sinha et al. used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Optimizer {
    /// Adam with the decay rates 0.9 and 0.999 for its two moments, and with an epsilon of 1e-7.
    Adam,
    /// RMSprop with the decay rate 0.9 for the mean square, without momentum, and with an epsilon
    /// of 1e-7.
    RmsProp,
}

const EPSILON: f32 = 1e-7;

impl Optimizer {
    /// Returns the name in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adam => "adam",
            Self::RmsProp => "rmsprop",
        }
    }

    /// Returns the number of moments per tensor.
    pub(super) const fn moments(self) -> usize {
        match self {
            Self::Adam => 2,
            Self::RmsProp => 1,
        }
    }

    pub(super) fn build(self) -> Descent {
        match self {
            Self::Adam => Descent::Adam(AdamConfig::new().with_epsilon(EPSILON).build()),
            Self::RmsProp => {
                let config = RmsPropConfig::new()
                    .with_alpha(0.9)
                    .with_momentum(0.0)
                    .with_epsilon(EPSILON);
                Descent::RmsProp(config.build())
            }
        }
    }
}

/// An optimiser of the training library. The caller keeps its state, so that it can be saved and
/// restored bit by bit.
#[derive(Clone)]
pub(super) enum Descent {
    Adam(Adam),
    RmsProp(RmsProp),
}

impl Descent {
    /// Returns the tensor and its moments after one more step. `steps` is the number of earlier
    /// steps; `moments` is empty before the first step.
    pub(super) fn step(
        &self,
        rate: f64,
        steps: usize,
        tensor: Tensor<2>,
        gradient: Tensor<2>,
        moments: Vec<Tensor<2>>,
    ) -> (Tensor<2>, Vec<Tensor<2>>) {
        const KEPT: &str = "an optimiser gives back its state";
        let mut moments = moments.into_iter();
        match self {
            Self::Adam(adam) => {
                let state = moments.next().zip(moments.next()).map(|(mean, square)| {
                    let momentum = AdaptiveMomentumState::new(steps, mean, square);
                    AdamState::new(momentum)
                });
                let (tensor, state) = adam.step(rate, tensor, gradient, state);
                let momentum = state.expect(KEPT).momentum;
                (tensor, vec![momentum.moment_1, momentum.moment_2])
            }
            Self::RmsProp(rms_prop) => {
                let state = moments.next().map(|square| {
                    let centered = CenteredState::new(None, square.clone());
                    RmsPropState::new(SquareAvgState::new(square), centered, None)
                });
                let (tensor, state) = rms_prop.step(rate, tensor, gradient, state);
                (tensor, vec![state.expect(KEPT).square_avg.square_avg])
            }
        }
    }
}
