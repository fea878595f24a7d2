//! Minesweeper for Python: the module `mineflow._mineflow`, which the Python sources in `mineflow/` re-export.
//!
//! Batches are processed without Python's lock on the requested number of threads, and results don't depend on that number. No panic
//! reaches Python. `arrays.rs` defines which arrays are accepted.

mod arrays;
mod boards;
mod env;
mod exact;
mod features;
mod games;
mod measure;
mod players;
mod pool;
mod positions;
mod score;
mod state;
mod stepping;
mod text;

use pyo3::prelude::*;

#[pymodule]
mod _mineflow {
    #[pymodule_export]
    use crate::boards::Boards;
    #[pymodule_export]
    use crate::exact::{explain, layouts, probabilities, safe_cells, solve};
    #[pymodule_export]
    use crate::features::{features, predict};
    #[pymodule_export]
    use crate::measure::{compare, evaluate};
    #[pymodule_export]
    use crate::players::{Player, players};
    #[pymodule_export]
    use crate::positions::guesses;
    #[pymodule_export]
    use crate::score::score;
    #[pymodule_export]
    use crate::text::{constraints, parse, render};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
