//! Errors of networks.

use super::variable::VariableKind;

/// Why a network is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
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
    #[error("variable {variable}, of kind {kind:?}, may not occur here")]
    Kind { variable: usize, kind: VariableKind },
    #[error(
        "variable {variable} needs a two-valued indicator for each value, not these {indicators}"
    )]
    Indicators { variable: usize, indicators: usize },
}
