//! The safetensors container: eight bytes with the length of a JSON header, the header, and the
//! numbers.
//!
//! It is implemented here because the format's own crate writes the metadata in hash order: the
//! same network would give different bytes each time, while artifacts are named by their hash.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::Fault;

/// The number of bytes before the header.
const LENGTH: usize = 8;
/// The key of the metadata among the names of the tensors.
const METADATA: &str = "__metadata__";

/// A parsed file that borrows the numbers of its tensors.
pub(super) struct Container<'a> {
    pub metadata: BTreeMap<String, String>,
    tensors: BTreeMap<String, TensorEntry>,
    data: &'a [u8],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TensorEntry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// A tensor to write.
pub(super) struct Tensor {
    pub name: String,
    /// The type of the numbers: `F32` or `F64`.
    pub dtype: &'static str,
    pub shape: Vec<usize>,
    /// The numbers, the lowest byte of each first.
    pub bytes: Vec<u8>,
}

/// Returns whether the bytes look like a safetensors file: a length below 2^40 and the brace that
/// opens the header.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    bytes.len() > LENGTH && bytes[5..LENGTH] == [0; 3] && bytes[LENGTH] == b'{'
}

impl<'a> Container<'a> {
    /// Parses a file.
    ///
    /// # Errors
    /// Returns an error if the header is truncated or not JSON, or the tensors don't fill the file
    /// one after another in whole elements.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Fault> {
        let found = bytes.len() as u64;
        let Some((length, rest)) = bytes.split_first_chunk::<LENGTH>() else {
            return Err(Fault::Truncated {
                needed: LENGTH as u64,
                found,
            });
        };
        let length = u64::from_le_bytes(*length);
        let Some((header, data)) = usize::try_from(length)
            .ok()
            .and_then(|length| rest.split_at_checked(length))
        else {
            return Err(Fault::Truncated {
                needed: length.saturating_add(LENGTH as u64),
                found,
            });
        };
        let broken = |error: serde_json::Error| Fault::Header(error.to_string());
        let mut entries: BTreeMap<String, serde_json::Value> =
            serde_json::from_slice(header).map_err(broken)?;
        let metadata = entries
            .remove(METADATA)
            .map(serde_json::from_value)
            .transpose()
            .map_err(broken)?;
        let mut tensors = BTreeMap::new();
        for (name, entry) in entries {
            let entry: TensorEntry = serde_json::from_value(entry).map_err(broken)?;
            tensors.insert(name, entry);
        }
        let mut in_order: Vec<_> = tensors.iter().collect();
        in_order.sort_by_key(|(_, entry)| entry.data_offsets);
        let mut end = 0;
        for (name, entry) in in_order {
            let [start, stop] = entry.data_offsets;
            if start != end || stop < start {
                return Err(Fault::Header(format!(
                    "`{name}` starts at byte {start}, what comes before ends at {end}"
                )));
            }
            end = stop;
        }
        let needed = (end as u64).saturating_add((LENGTH + header.len()) as u64);
        match data.len() {
            has if has < end => Err(Fault::Truncated { needed, found }),
            has if has > end => Err(Fault::TrailingBytes { needed, found }),
            _ => Ok(Self {
                metadata: metadata.unwrap_or_default(),
                tensors,
                data,
            }),
        }
    }

    /// Returns whether there is a tensor with this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// Returns the shape and the numbers of an F32 tensor.
    pub fn f32(&mut self, name: &str) -> Result<(Vec<usize>, Vec<f32>), Fault> {
        let (entry, bytes) = self.take(name)?;
        match entry.dtype.as_str() {
            "F32" => Ok((entry.shape, numbers(bytes, f32::from_le_bytes))),
            _ => Err(Fault::ElementType {
                tensor: name.to_owned(),
                found: entry.dtype,
                expected: "F32",
            }),
        }
    }

    /// Returns the shape and the numbers of an F64 or F32 tensor.
    pub fn f64(&mut self, name: &str) -> Result<(Vec<usize>, Vec<f64>), Fault> {
        let (entry, bytes) = self.take(name)?;
        match entry.dtype.as_str() {
            "F64" => Ok((entry.shape, numbers(bytes, f64::from_le_bytes))),
            "F32" => Ok((
                entry.shape,
                numbers(bytes, |bytes| f32::from_le_bytes(bytes).into()),
            )),
            _ => Err(Fault::ElementType {
                tensor: name.to_owned(),
                found: entry.dtype,
                expected: "F64 or F32",
            }),
        }
    }

    /// Returns an error if a tensor was not read.
    pub fn finish(self) -> Result<(), Fault> {
        match self.tensors.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(Fault::TensorUnknown(name)),
        }
    }

    fn take(&mut self, name: &str) -> Result<(TensorEntry, &'a [u8]), Fault> {
        let entry = self
            .tensors
            .remove(name)
            .ok_or_else(|| Fault::TensorMissing(name.to_owned()))?;
        let [start, stop] = entry.data_offsets;
        let size = match entry.dtype.as_str() {
            "F64" => 8,
            "F32" => 4,
            // The caller rejects types that are not read here, whatever their size.
            _ => return Ok((entry, &[])),
        };
        let bytes = entry
            .shape
            .iter()
            .try_fold(size, |product: usize, &length| product.checked_mul(length));
        if bytes != Some(stop - start) {
            return Err(Fault::Shape {
                tensor: name.to_owned(),
                found: entry.shape,
                expected: format!(
                    "a shape of {} numbers, as many as its bytes are",
                    (stop - start) / size
                ),
            });
        }
        Ok((entry, &self.data[start..stop]))
    }
}

fn numbers<const SIZE: usize, T>(bytes: &[u8], read: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
    bytes
        .as_chunks::<SIZE>()
        .0
        .iter()
        .map(|&chunk| read(chunk))
        .collect()
}

/// Writes a file with these tensors in order; equal arguments give equal bytes.
pub(super) fn to_bytes(metadata: &BTreeMap<String, String>, tensors: &[Tensor]) -> Vec<u8> {
    let mut data = Vec::<u8>::new();
    let mut header = BTreeMap::new();
    for tensor in tensors {
        let start = data.len();
        data.extend(&tensor.bytes);
        let entry = TensorEntry {
            dtype: tensor.dtype.to_owned(),
            shape: tensor.shape.clone(),
            data_offsets: [start, data.len()],
        };
        header.insert(tensor.name.as_str(), serde_json::json!(entry));
    }
    header.insert(METADATA, serde_json::json!(metadata));
    let mut text =
        serde_json::to_vec(&header).expect("strings and whole numbers can always be written");
    // Readers that map the file into memory need the numbers aligned to eight bytes.
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text);
    bytes.extend(data);
    bytes
}
