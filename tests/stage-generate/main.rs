//! Tests of the rows that self-play makes.

mod feature_rows;
mod generate;
