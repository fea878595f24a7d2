//! The interface that all kinds of models share.

use std::{any::Any, collections::BTreeMap, fmt};

use super::metadata::Metadata;

/// A trained model that maps rows of numbers to outputs.
///
/// To add a kind, implement this trait in a file and add a variant to
/// [`AnyModel`](super::AnyModel).
pub trait Model: fmt::Debug + Send + Sync {
    /// Returns the number of inputs per row.
    fn width(&self) -> usize;

    /// Returns the number of outputs per row.
    fn outputs(&self) -> usize {
        1
    }

    /// Appends the outputs of all `rows`, (rows, width) row-major, to `out`: (rows, outputs). The
    /// result of a row does not depend on the batch, bit for bit. The call does not allocate once
    /// `out` and `scratch` have grown.
    ///
    /// # Panics
    /// Panics if the length of `rows` is not a multiple of the width.
    fn append(&self, rows: &[f32], out: &mut Vec<f32>, scratch: &mut ModelScratch);

    /// Returns a magnitude that no sum in the model exceeds if no input exceeds `largest`.
    fn bound(&self, largest: f64) -> f64;

    /// Returns whether it is faster to group rows with many equal numbers and pass each group in
    /// its own call.
    fn gains_by_grouping(&self) -> bool {
        false
    }

    /// Returns the metadata of the file.
    fn metadata(&self) -> &Metadata;

    /// Returns the feature set that the file names, if any.
    fn features(&self) -> Option<&str> {
        Some(self.metadata().features.as_str()).filter(|features| !features.is_empty())
    }

    /// Returns the other metadata of the file.
    fn notes(&self) -> &BTreeMap<String, String> {
        &self.metadata().notes
    }

    /// Returns the names of the columns, or an empty list if the file has none.
    fn columns(&self) -> &[String] {
        &[]
    }

    /// Returns the file extension of this kind.
    fn extension(&self) -> &'static str {
        "safetensors"
    }
}

/// Scratch memory that models reuse between calls. It is dropped when a model of another kind needs
/// its own.
#[derive(Default)]
pub struct ModelScratch(Option<Box<dyn Any + Send + Sync>>);

impl ModelScratch {
    /// Returns the scratch memory of type `T`, which is new if the memory had another type.
    pub fn of<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        if !self.0.as_ref().is_some_and(|kept| kept.is::<T>()) {
            self.0 = Some(Box::new(T::default()));
        }
        self.0
            .as_mut()
            .and_then(|kept| kept.downcast_mut())
            .expect("it is of this type now")
    }
}

/// A clone starts without memory.
impl Clone for ModelScratch {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl fmt::Debug for ModelScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ModelScratch")
    }
}
