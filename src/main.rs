//! The program `pipeline`, which is implemented in [`mineflow::cli`].

use std::process::ExitCode;

use mineflow::cli::allocator::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    mineflow::cli::run()
}
