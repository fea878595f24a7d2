//! Statistics of games: estimates with their intervals, paired and sequential tests, scores of
//! guesses, and their distributions.

mod comparison;
mod confidence;
mod distributions;
mod estimate;
mod paired;
mod score;
mod sequential;
mod verdict;

pub use comparison::Comparison;
pub use confidence::{Confidence, Z_95};
pub use estimate::{Estimate, WeightedGames};
pub use paired::{Paired, PairedMean, mcnemar_exact};
pub use score::{CandidateRow, GuessToScore, ScoreRow};
pub use sequential::{Rounds, Sprt, SprtVerdict, Tested};
pub use verdict::Verdict;
