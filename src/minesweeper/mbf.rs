//! Board files.
