//! Optimisers: how a gradient changes a tensor.

use burn::{
    optim::{
        Adam, AdamConfig, AdamState, AdamW, AdamWConfig, AdamWState, AdaptiveMomentumState,
        CenteredState, Optimizer as _, RmsProp, RmsPropConfig, RmsPropState, Sgd, SgdConfig,
        SgdState, SquareAvgState, decay::WeightDecayConfig,
    },
    tensor::Tensor,
};
use mineflow_store::named;

/// An optimiser with the defaults of Keras, which Sinha et al. used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimizer {
    /// Adam with the decay rates 0.9 and 0.999 for its two moments, and with an epsilon of 1e-7.
    Adam,
    /// Adam with decoupled weight decay (Loshchilov and Hutter).
    AdamW,
    /// RMSprop with the decay rate 0.9 for the mean square, without momentum, and with an epsilon
    /// of 1e-7.
    RmsProp,
    /// Gradient descent without momentum.
    Sgd,
}

named!(Optimizer, "known optimiser": Adam = "adam", AdamW = "adamw", RmsProp = "rmsprop", Sgd = "sgd");

const EPSILON: f32 = 1e-7;

impl Optimizer {
    /// Returns the default weight decay: burn's for AdamW, otherwise 0.
    pub const fn weight_decay(self) -> f64 {
        match self {
            Self::AdamW => 1e-4,
            Self::Adam | Self::RmsProp | Self::Sgd => 0.0,
        }
    }

    /// Returns the number of moments per tensor.
    pub(super) const fn moments(self) -> usize {
        match self {
            Self::Adam | Self::AdamW => 2,
            Self::RmsProp => 1,
            Self::Sgd => 0,
        }
    }

    pub(super) fn build(self, weight_decay: f64) -> Descent {
        let weight_decay = weight_decay as f32;
        let penalty = (weight_decay > 0.0).then(|| WeightDecayConfig::new(weight_decay));
        match self {
            Self::Adam => {
                let config = AdamConfig::new().with_epsilon(EPSILON);
                Descent::Adam(config.with_weight_decay(penalty).build())
            }
            Self::AdamW => {
                let config = AdamWConfig::new().with_epsilon(EPSILON);
                Descent::AdamW(config.with_weight_decay(weight_decay).build())
            }
            Self::RmsProp => {
                let config = RmsPropConfig::new()
                    .with_alpha(0.9)
                    .with_momentum(0.0)
                    .with_epsilon(EPSILON);
                Descent::RmsProp(config.with_weight_decay(penalty).build())
            }
            Self::Sgd => Descent::Sgd(SgdConfig::new().with_weight_decay(penalty).build()),
        }
    }
}

/// An optimiser of the training library. The caller keeps its state, so that it can be saved and
/// restored bit by bit.
pub(super) enum Descent {
    Adam(Adam),
    AdamW(AdamW),
    RmsProp(RmsProp),
    Sgd(Sgd),
}

impl Descent {
    /// Returns the tensor and its moments after one more step. `steps` is the number of earlier
    /// steps; `moments` is empty before the first step.
    pub fn step(
        &self,
        rate: f64,
        steps: usize,
        tensor: Tensor<2>,
        gradient: Tensor<2>,
        moments: Vec<Tensor<2>>,
    ) -> (Tensor<2>, Vec<Tensor<2>>) {
        const KEPT: &str = "an optimiser gives back its state";
        let mut moments = moments.into_iter();
        let mut momentum = || {
            let pair = moments.next().zip(moments.next());
            pair.map(|(mean, square)| AdaptiveMomentumState::new(steps, mean, square))
        };
        match self {
            Self::Adam(adam) => {
                let state = momentum().map(AdamState::new);
                let (tensor, state) = adam.step(rate, tensor, gradient, state);
                let momentum = state.expect(KEPT).momentum;
                (tensor, vec![momentum.moment_1, momentum.moment_2])
            }
            Self::AdamW(adam) => {
                let state = momentum().map(AdamWState::new);
                let (tensor, state) = adam.step(rate, tensor, gradient, state);
                let momentum = state.expect(KEPT).momentum;
                (tensor, vec![momentum.moment_1, momentum.moment_2])
            }
            Self::Sgd(sgd) => {
                let none: Option<SgdState<2>> = None;
                (sgd.step(rate, tensor, gradient, none).0, Vec::new())
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
