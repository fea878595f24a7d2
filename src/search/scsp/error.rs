//! Errors of networks and of queries.

use super::variable::VariableKind;

/// Why a network or a query is invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    #[error("variable {variable} is not among the {variables} variables of this network")]
    UnknownVariable { variable: usize, variables: usize },
    #[error("variable {variable} occurs twice in one scope")]
    TwiceInScope { variable: usize },
    #[error("{values} values do not make tuples of {arity} values each")]
    Ragged { arity: usize, values: usize },
    #[error("variable {variable} has the values 0..{size}, a tuple gives it {value}")]
    OutsideDomain {
        variable: usize,
        value: u32,
        size: usize,
    },
    #[error(
        "the tuples of the hard constraints hold more than {limit} values, more than this program keeps"
    )]
    TooLarge { limit: usize },
    #[error("variable {variable} is not a chance variable and cannot have a distribution")]
    NoChance { variable: usize },
    #[error("variable {variable}, of kind {kind:?}, may not occur in this scope")]
    KindInScope { variable: usize, kind: VariableKind },
    #[error(
        "a distribution of variable {variable} must be {values} probabilities with sum 1; the sum is {sum}"
    )]
    Distribution {
        variable: usize,
        values: usize,
        sum: f64,
    },
    #[error(
        "variable {variable} needs a two-valued indicator for each value, not these {indicators}"
    )]
    Indicators { variable: usize, indicators: usize },
    #[error("a utility is {players} numbers from 0 to 1, not {utility:?}")]
    Utility { players: usize, utility: Vec<f64> },
    #[error("chance variable {variable} has no distribution")]
    DistributionMissing { variable: usize },
}
