//! The numbers of all cells, several at a time.

/// The least number of `mine`, NaN left out; infinity if there is none. Eight running minima let the compiler use
/// vectors.
pub(super) fn least(mine: &[f64]) -> f64 {
    let mut lanes = [f64::INFINITY; 8];
    let (chunks, rest) = mine.as_chunks::<8>();
    for chunk in chunks {
        for (lane, &p) in lanes.iter_mut().zip(chunk) {
            *lane = if p < *lane { p } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(f64::INFINITY, |least, &p| if p < least { p } else { least })
}

/// Sets the bits of the cells with a number up to `limit`, clears all others. Bits go through eight lanes, each a byte
/// of every eighth cell, last cells first: again for vectors.
pub(super) fn mark_up_to(mine: &[f64], limit: f64, words: &mut [u64]) {
    for (word, cells) in words.iter_mut().zip(mine.chunks(64)) {
        let mut lanes = [0u64; 8];
        let (rows, rest) = cells.as_chunks::<8>();
        for row in rows.iter().rev() {
            for (lane, &p) in lanes.iter_mut().zip(row) {
                *lane = *lane << 8 | u64::from(p <= limit);
            }
        }
        *word = lanes.iter().enumerate().fold(0, |word, (lane, bits)| word | bits << lane);
        for (i, &p) in rest.iter().enumerate() {
            *word |= u64::from(p <= limit) << (rows.len() * 8 + i);
        }
    }
}
