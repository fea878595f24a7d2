//! Checkpoints, from which a trainer continues with bit-identical results.

use serde::{Deserialize, Serialize};

use super::{error::TrainError, learner::Numbers, standardisation::Standardisation};

const FORMAT: u32 = 1;

/// The JSON form of a checkpoint. Every number is stored as the bits of a 32-bit float, so that no
/// decimal conversion can round it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: u32,
    steps: usize,
    mean: Vec<u32>,
    deviation: Vec<u32>,
    parameters: Vec<Vec<u32>>,
    moments: Vec<Vec<Vec<u32>>>,
    /// The number of steps of the whole training run, if the schedule counts steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    planned: Option<usize>,
}

/// Serialises a checkpoint.
pub(super) fn to_json(
    numbers: &Numbers,
    inputs: &Standardisation,
    planned: Option<usize>,
) -> serde_json::Value {
    let stored = Stored {
        format: FORMAT,
        steps: numbers.steps,
        mean: bits(&inputs.mean),
        deviation: bits(&inputs.deviation),
        parameters: numbers
            .parameters
            .iter()
            .map(|values| bits(values))
            .collect(),
        moments: nested(&numbers.moments, |values| bits(values)),
        planned,
    };
    serde_json::to_value(stored).expect("whole numbers can always be written")
}

/// Parses the output of [`to_json`].
pub(super) fn from_json(
    value: serde_json::Value,
) -> Result<(Numbers, Standardisation, Option<usize>), TrainError> {
    let stored: Stored =
        serde_json::from_value(value).map_err(|error| TrainError::Checkpoint(error.to_string()))?;
    if stored.format != FORMAT {
        let why = format!("its format is {}, not {FORMAT}", stored.format);
        return Err(TrainError::Checkpoint(why));
    }
    let numbers = Numbers {
        steps: stored.steps,
        parameters: stored.parameters.iter().map(|bits| floats(bits)).collect(),
        moments: nested(&stored.moments, |bits| floats(bits)),
    };
    let inputs = Standardisation {
        mean: floats(&stored.mean),
        deviation: floats(&stored.deviation),
    };
    Ok((numbers, inputs, stored.planned))
}

/// Converts the moments of each tensor.
pub(super) fn nested<A, B>(moments: &[Vec<A>], convert: impl Fn(&A) -> B) -> Vec<Vec<B>> {
    let of_one = |of_one: &Vec<A>| of_one.iter().map(&convert).collect();
    moments.iter().map(of_one).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn floats(bits: &[u32]) -> Vec<f32> {
    bits.iter().map(|&bits| f32::from_bits(bits)).collect()
}
