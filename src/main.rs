//! The program `pipeline`; everything is in [`mineflow::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    mineflow::cli::run()
}
