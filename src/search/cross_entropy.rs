//! The Cross-Entropy Method (Rubinstein 2003), as Schadd et al. (SP-MCTS, section 5) use it to tune
//! parameters: draw samples from one normal distribution per parameter, keep the elite, fit the
//! distribution to it, and repeat.
//!
//! The method does not depend on what is tuned: [`CrossEntropy::draw`] returns the samples of an
//! iteration, the caller evaluates the fitness of each sample, and [`CrossEntropy::focus`] returns
//! the next distribution.
//!
//! ```
//! use mineflow_rng::Seed;
//! use mineflow_search::cross_entropy::{CrossEntropy, Parameter};
//! let method = CrossEntropy::new(vec![Parameter::new("x", -8.0, 4.0)], 100, 10, Seed::new(1))?;
//! let mut distribution = method.start();
//! for iteration in 0..20 {
//!     let samples = method.draw(&distribution, iteration);
//!     let fitness: Vec<f64> = samples.iter().map(|x| -(x[0] - 3.0).powi(2)).collect();
//!     distribution = method.focus(&samples, &fitness)?;
//! }
//! assert!((distribution.mean[0] - 3.0).abs() < 1e-3);
//! # Ok::<(), mineflow_search::cross_entropy::CrossEntropyError>(())
//! ```

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use mineflow_rng::{Rng, Seed};

/// A parameter to tune, with its bounds. The text form is `margin=0..0.2`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Parameter {
    pub name: String,
    pub low: f64,
    pub high: f64,
}

impl Parameter {
    /// Returns a parameter with the range `low..=high`.
    pub fn new(name: &str, low: f64, high: f64) -> Self {
        Self {
            name: name.to_owned(),
            low,
            high,
        }
    }
}

impl FromStr for Parameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parameter = || {
            let (name, bounds) = text.split_once('=')?;
            let (low, high) = bounds.split_once("..")?;
            Some(Self::new(name, low.parse().ok()?, high.parse().ok()?))
        };
        parameter().ok_or_else(|| format!("`{text}` has no bounds; write KEY=LOW..HIGH"))
    }
}

impl Display for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.name, self.low, self.high)
    }
}

/// Independent normal distributions, one per parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    pub mean: Vec<f64>,
    /// Standard deviations, one per parameter; 0 means that the parameter has converged.
    pub deviation: Vec<f64>,
}

/// Invalid settings or samples.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CrossEntropyError {
    #[error("there is no parameter to tune")]
    NoParameters,
    #[error(
        "parameter {name} is to lie between {low} and {high}; give two finite bounds, the lower one first"
    )]
    Bounds { name: String, low: f64, high: f64 },
    #[error(
        "{elite} elite samples of {samples} do not select; take at least 2, and fewer than the samples"
    )]
    Elite { samples: usize, elite: usize },
    #[error("{given} samples were judged, and {drawn} were drawn")]
    Judged { given: usize, drawn: usize },
    #[error("sample {sample} has no fitness: {fitness}")]
    Fitness { sample: usize, fitness: f64 },
}

/// The cross-entropy method with its settings.
#[derive(Clone, PartialEq, Debug)]
pub struct CrossEntropy {
    parameters: Vec<Parameter>,
    samples: usize,
    elite: usize,
    seed: Seed,
}

impl CrossEntropy {
    /// Creates a search that draws `samples` samples per iteration and keeps the `elite` fittest of
    /// them (Schadd et al.: 100 and 10).
    ///
    /// # Errors
    /// Returns an error if there are no parameters, if the bounds of a parameter are invalid, or if
    /// the elite has fewer than two samples or all of them.
    pub fn new(
        parameters: Vec<Parameter>,
        samples: usize,
        elite: usize,
        seed: Seed,
    ) -> Result<Self, CrossEntropyError> {
        if parameters.is_empty() {
            return Err(CrossEntropyError::NoParameters);
        }
        let bounded = |p: &Parameter| p.low.is_finite() && p.high.is_finite() && p.low < p.high;
        if let Some(wrong) = parameters.iter().find(|p| !bounded(p)) {
            return Err(CrossEntropyError::Bounds {
                name: wrong.name.clone(),
                low: wrong.low,
                high: wrong.high,
            });
        }
        if elite < 2 || elite >= samples {
            return Err(CrossEntropyError::Elite { samples, elite });
        }
        Ok(Self {
            parameters,
            samples,
            elite,
            seed,
        })
    }

    /// Returns the initial distribution: each mean is the centre of the bounds, each standard
    /// deviation half of their width (Chaslot et al. 2008, as cited by Schadd et al., section 5).
    pub fn start(&self) -> Distribution {
        Distribution {
            mean: self
                .parameters
                .iter()
                .map(|p| f64::midpoint(p.low, p.high))
                .collect(),
            deviation: self
                .parameters
                .iter()
                .map(|p| (p.high - p.low) / 2.0)
                .collect(),
        }
    }

    /// Returns the samples of an iteration. Each sample has its own seed. Values beyond a bound are
    /// clamped to the bound.
    pub fn draw(&self, distribution: &Distribution, iteration: u64) -> Vec<Vec<f64>> {
        let of_iteration = self.seed.child("iteration", iteration);
        let sample = |index: u64| {
            let mut rng = of_iteration.child("sample", index).rng();
            let numbers = self
                .parameters
                .iter()
                .zip(&distribution.mean)
                .zip(&distribution.deviation);
            numbers
                .map(|((p, mean), deviation)| {
                    (mean + deviation * normal(&mut rng)).clamp(p.low, p.high)
                })
                .collect()
        };
        (0..self.samples as u64).map(sample).collect()
    }

    /// Fits the distribution to the elite and returns it: the means and the standard deviations
    /// (with divisor `n`, the size of the elite). Ties in fitness go to the earlier sample.
    ///
    /// # Errors
    /// Returns an error if the number of samples or of fitness values is wrong, or if a fitness is
    /// not finite.
    pub fn focus(
        &self,
        samples: &[Vec<f64>],
        fitness: &[f64],
    ) -> Result<Distribution, CrossEntropyError> {
        if samples.len() != self.samples || fitness.len() != samples.len() {
            return Err(CrossEntropyError::Judged {
                given: fitness.len(),
                drawn: self.samples,
            });
        }
        if let Some(sample) = fitness.iter().position(|fitness| !fitness.is_finite()) {
            return Err(CrossEntropyError::Fitness {
                sample,
                fitness: fitness[sample],
            });
        }
        let mut order: Vec<_> = (0..samples.len()).collect();
        order.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        let elite = &order[..self.elite];
        let share = 1.0 / self.elite as f64;
        let parameters = 0..self.parameters.len();
        let mean: Vec<f64> = parameters
            .clone()
            .map(|p| elite.iter().map(|&sample| samples[sample][p]).sum::<f64>() * share)
            .collect();
        let variance = |p: usize| {
            elite
                .iter()
                .map(|&sample| {
                    let from = samples[sample][p] - mean[p];
                    from * from
                })
                .sum::<f64>()
                * share
        };
        let deviation = parameters.map(|p| variance(p).sqrt()).collect();
        Ok(Distribution { mean, deviation })
    }
}

/// Returns a standard normal random number (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
    // The value is in (0, 1], so that its logarithm is finite.
    let radius = ((rng.next_u64() >> 11) + 1) as f64 * UNIT;
    let turn = (rng.next_u64() >> 11) as f64 * UNIT;
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * turn)
}
