//! Hyperparameters of boosting, which are also its options on the command line.

use std::num::NonZeroU32;

use serde::Serialize;

/// Hyperparameters of boosting. XGBoost's names are given in parentheses.
#[derive(Clone, Copy, PartialEq, Debug, clap::Args, Serialize)]
pub struct TreesSettings {
    /// Grow at most N trees; more trees hardly win more games and slow the player down
    #[arg(long, value_name = "N", default_value_t = TreesSettings::default().rounds)]
    pub rounds: NonZeroU32,
    /// Stop after N rounds without a lower validation loss
    #[arg(long, value_name = "N", default_value_t = TreesSettings::default().patience)]
    pub patience: NonZeroU32,
    /// Set the learning rate, the factor of each tree's output (eta)
    #[arg(long, value_name = "R", default_value_t = TreesSettings::default().learning_rate)]
    pub learning_rate: f64,
    /// Set the maximum depth of a tree: splits from root to leaf
    #[arg(long, value_name = "N", default_value_t = TreesSettings::default().depth)]
    pub depth: NonZeroU32,
    /// Set the L2 regularisation of the leaves (lambda)
    #[arg(long, value_name = "R", default_value_t = TreesSettings::default().l2)]
    pub l2: f64,
    /// Set the minimum weight of a leaf (min_child_weight)
    #[arg(long, value_name = "R", default_value_t = TreesSettings::default().leaf_weight)]
    pub leaf_weight: f64,
    /// Set the maximum number of bins of a feature (max_bin)
    #[arg(long, value_name = "N", default_value_t = TreesSettings::default().bins)]
    pub bins: u32,
    /// The column along which predictions must not increase (monotone_constraints).
    #[arg(skip)]
    #[serde(skip)]
    pub falling: Option<usize>,
}

impl Default for TreesSettings {
    /// Returns XGBoost's defaults, except for the number of rounds and for early stopping. With 193
    /// rounds instead of 30, the test log-loss is 0.1 % lower, but the player wins no more games
    /// and is four times slower. The number of rounds was not chosen by the win rate: no training
    /// row describes a first click, so that the cell that a player with trees opens first depends
    /// on chance, and on small boards this effect outweighs that of the number of rounds.
    fn default() -> Self {
        let number = |number| NonZeroU32::new(number).expect("it is not zero");
        Self {
            rounds: number(30),
            patience: number(10),
            learning_rate: 0.3,
            depth: number(6),
            l2: 1.0,
            leaf_weight: 1.0,
            bins: 256,
            falling: None,
        }
    }
}
