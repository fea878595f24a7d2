//! What every kind of model can do, whatever it is inside.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;

/// A trained model: rows of numbers in, numbers out.
///
/// A new kind is a file with an implementation and a line in `kinds!` of `artifact.rs`.
pub trait Model: fmt::Debug + Send + Sync {
    /// Numbers a row.
    fn width(&self) -> usize;

    /// Numbers that it gives for a row.
    fn outputs(&self) -> usize {
        1
    }

    /// Appends the outputs of all `rows`, (rows, width) row-major, to `out`: (rows, outputs). A row gives the same bits in any
    /// batch. Allocates nothing once `out` and `scratch` have grown.
    ///
    /// # Panics
    /// If `rows` is not a whole number of rows.
    fn append(&self, rows: &[f32], out: &mut Vec<f32>, scratch: &mut ModelScratch);

    /// Whether rows with many numbers in common are computed faster if each call gets such rows alone.
    fn gains_by_grouping(&self) -> bool {
        false
    }

    /// The feature set that the file says it reads; not all have to say.
    fn features(&self) -> Option<&str>;

    /// What else the file says of itself.
    fn notes(&self) -> &BTreeMap<String, String>;

    /// The columns' names; none if the file has none.
    fn columns(&self) -> &[String] {
        &[]
    }

    /// How files of its kind end.
    fn extension(&self) -> &'static str {
        "safetensors"
    }
}

/// Memory that models keep from call to call. That of one kind is dropped when a model of another kind asks for its own.
#[derive(Default)]
pub struct ModelScratch(Option<Box<dyn Any + Send + Sync>>);

impl ModelScratch {
    /// The memory of a kind.
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

/// A copy starts without memory.
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
