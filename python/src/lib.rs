//! Minesweeper for Python: the module `mineflow._mineflow`, which the sources in `mineflow/` pass on.
//!
//! Work on a batch runs outside Python's lock on as many threads as asked for, and results don't depend on how many. No panic
//! reaches Python. What arrays may be says `arrays.rs`.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod arrays;
mod boards;
mod env;
mod exact;
mod games;
mod measure;
mod players;
mod pool;
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
    use crate::exact::{layouts, probabilities, safe_cells, solve};
    #[pymodule_export]
    use crate::measure::{compare, evaluate};
    #[pymodule_export]
    use crate::players::{Player, players};
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
