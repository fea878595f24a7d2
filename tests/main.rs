//! The one integration binary: a module a subject.

mod brute_force;
mod components;
