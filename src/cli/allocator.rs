//! An allocator that ends the program if memory is refused. By default, the program would abort.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::{self, Write},
    process::exit,
    sync::atomic::{AtomicBool, Ordering},
};

use super::failure::FAILED;

/// The system allocator, except that a refused request ends the program with exit code 2. A damaged
/// Parquet file can request 2^61 bytes, and the crate that reads it can't report that.
pub struct Allocator;

/// Returns `start`, or ends the program if it is null.
fn granted(start: *mut u8, bytes: usize) -> *mut u8 {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if start.is_null() {
        if IS_ENDING.swap(true, Ordering::Relaxed) {
            // Another thread prints the message and ends the program.
            std::thread::sleep(std::time::Duration::from_secs(2));
        } else {
            let _ = writeln!(io::stderr(), "error: not enough memory ({bytes} bytes)");
        }
        exit(FAILED.into());
    }
    start
}

// SAFETY: every call is forwarded to the system allocator with the caller's arguments.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        granted(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        granted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        granted(unsafe { System.realloc(start, layout, size) }, size)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        unsafe { System.dealloc(start, layout) }
    }
}
