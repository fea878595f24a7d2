//! Networks as safetensors files, whose layout `docs/src/formats.md` describes.

use super::{
    activation::Activation,
    error::{Fault, check_finite},
    kind::Model,
    metadata::Metadata,
    mlp::{Dense, Mlp},
    safetensors::{Container, Tensor, to_bytes},
};

const MEAN: &str = "input.mean";
const DEVIATION: &str = "input.deviation";

impl Mlp {
    pub(super) const KIND: &str = "mlp";

    /// Serialises the network as a safetensors file; equal networks give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let names: Vec<_> = self
            .layers()
            .iter()
            .map(|layer| layer.activation.name())
            .collect();
        let mut metadata = self.metadata().to_file(Self::KIND);
        metadata.insert("activations".to_owned(), names.join(","));
        let mut tensors = Vec::new();
        for (index, layer) in self.layers().iter().enumerate() {
            let shape = vec![layer.outputs(), layer.inputs()];
            tensors.push(tensor(weight_name(index), shape, &layer.weight));
            tensors.push(tensor(bias_name(index), vec![layer.outputs()], &layer.bias));
        }
        let shape = vec![self.inputs()];
        tensors.push(tensor(MEAN.to_owned(), shape.clone(), self.mean()));
        tensors.push(tensor(DEVIATION.to_owned(), shape, self.deviation()));
        to_bytes(&metadata, &tensors)
    }

    pub(super) fn from_container(mut container: Container) -> Result<Self, Fault> {
        let names = container
            .metadata
            .get("activations")
            .ok_or(Fault::MetadataMissing("activations"))?;
        let activations = names
            .split(',')
            .map(|name| activation(name.trim()))
            .collect::<Result<Vec<_>, _>>()?;
        let count = (0..)
            .take_while(|&index| container.has(&weight_name(index)))
            .count();
        if count > 0 && count != activations.len() {
            return Err(Fault::Activations {
                layers: count,
                activations: activations.len(),
            });
        }
        let mut layers = Vec::with_capacity(activations.len());
        for (index, &activation) in activations.iter().enumerate() {
            layers.push(layer(&mut container, index, activation)?);
        }
        let width = layers.first().map_or(0, Dense::inputs);
        let (mean, deviation) = match (container.has(MEAN), container.has(DEVIATION)) {
            (false, false) => (vec![0.0; width], vec![1.0; width]),
            _ => (
                row(&mut container, MEAN, width)?,
                row(&mut container, DEVIATION, width)?,
            ),
        };
        let metadata = Metadata::from_file(std::mem::take(&mut container.metadata));
        container.finish()?;
        Self::new(layers, mean, deviation, metadata)
    }
}

fn tensor(name: String, shape: Vec<usize>, values: &[f32]) -> Tensor {
    Tensor {
        name,
        dtype: "F32",
        shape,
        bytes: values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
    }
}

fn weight_name(index: usize) -> String {
    format!("layers.{index}.weight")
}

fn bias_name(index: usize) -> String {
    format!("layers.{index}.bias")
}

fn activation(name: &str) -> Result<Activation, Fault> {
    name.parse().map_err(|_: String| Fault::Metadata {
        key: "activations",
        found: name.to_owned(),
        expected: "one of relu, tanh, linear, sigmoid",
    })
}

fn layer(container: &mut Container, index: usize, activation: Activation) -> Result<Dense, Fault> {
    let tensor = weight_name(index);
    let (shape, weight) = container.f32(&tensor)?;
    let &[outputs, inputs] = shape.as_slice() else {
        return Err(Fault::Shape {
            tensor,
            found: shape,
            expected: "(outputs, inputs)".to_owned(),
        });
    };
    if !(1..=Dense::WIDEST).contains(&outputs) || !(1..=Dense::WIDEST).contains(&inputs) {
        return Err(Fault::Shape {
            tensor,
            found: shape,
            expected: format!("from 1 to {} each way", Dense::WIDEST),
        });
    }
    let bias = row(container, &bias_name(index), outputs)?;
    Ok(Dense {
        weight,
        bias,
        activation,
    })
}

/// Reads a tensor with one axis of this length.
fn row(container: &mut Container, tensor: &str, length: usize) -> Result<Vec<f32>, Fault> {
    let (shape, values) = container.f32(tensor)?;
    if shape != [length] {
        return Err(Fault::Shape {
            tensor: tensor.to_owned(),
            found: shape,
            expected: format!("[{length}]"),
        });
    }
    check_finite(tensor, &values)?;
    Ok(values)
}
