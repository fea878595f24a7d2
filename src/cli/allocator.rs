//! An allocator that reports out-of-memory errors with the file being read. By default, the program would abort without naming the file.

use std::alloc::{GlobalAlloc, Layout, System};

use super::failure;

/// The system allocator, except that a refused request ends the program with exit code 2: a damaged Parquet file can request 2^61
/// bytes, and the crate that reads it cannot report that.
pub struct Allocator;

impl Allocator {
    /// Returns `start`, or ends the program if it is null.
    fn given(start: *mut u8, bytes: usize) -> *mut u8 {
        if start.is_null() {
            failure::exit_without_memory(bytes);
        }
        start
    }
}

// SAFETY: every call is forwarded to the system allocator with the caller's arguments.
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
