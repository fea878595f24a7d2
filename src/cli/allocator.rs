//! Memory that runs out ends the program with one error; an abort would leave a signal and no word of the file that asked for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure;

/// The allocator of the system. A request that it refuses is an error of exit code 2: a damaged Parquet file can ask for 2^61
/// bytes, and the crate that reads it has no way to say so.
pub struct Allocator;

static ENDING: AtomicBool = AtomicBool::new(false);

impl Allocator {
    /// Hands on what the system gave.
    fn given(start: *mut u8, bytes: usize) -> *mut u8 {
        if start.is_null() && !ENDING.swap(true, Ordering::Relaxed) {
            failure::exit_without_memory(bytes);
        }
        start
    }
}

// SAFETY: every call is the system's own, with the caller's arguments.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::given(unsafe { System.realloc(start, layout, size) }, size)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        unsafe { System.dealloc(start, layout) }
    }
}
