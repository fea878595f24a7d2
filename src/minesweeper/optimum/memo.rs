//! The transposition table, shared by the threads of a search.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::perfect::WinBound;

/// Number of entries in which a key may be stored.
const PLACES: usize = 4;
const ENTRY_BYTES: u64 = 24;
const EXACT: u64 = 1 << 32;

/// A transposition table of fixed size, from the name of a state to a bound on its value. When the
/// entries of a key are full, the one with the smallest value is replaced.
///
/// The table is lock-free. An entry is `(data, name ^ data)`: if two threads write it at the same
/// time, the result matches no name, except with a probability of 2^-128. Every bound in the table
/// is true. The computed values thus don't depend on which entries a search finds.
pub(super) struct Memo {
    entries: Box<[Entry]>,
}

#[derive(Default)]
struct Entry {
    /// The value, plus [`EXACT`] if it is exact; 0 if the entry is empty.
    data: AtomicU64,
    high: AtomicU64,
    low: AtomicU64,
}

impl Memo {
    /// Creates a table of about `wanted` entries that takes at most `bytes` bytes.
    pub fn new(wanted: u64, bytes: u64) -> Self {
        let most = (bytes / ENTRY_BYTES).max(PLACES as u64);
        let wanted = wanted.clamp(1 << 10, 1 << 40).next_power_of_two();
        let fit = if most.is_power_of_two() {
            most
        } else {
            most.next_power_of_two() / 2
        };
        Self {
            entries: (0..wanted.min(fit)).map(|_| Entry::default()).collect(),
        }
    }

    fn places(&self, name: u128) -> &[Entry] {
        let first = (name as usize & (self.entries.len() - 1)) & !(PLACES - 1);
        &self.entries[first..first + PLACES]
    }

    pub fn get(&self, name: u128) -> Option<WinBound> {
        self.places(name).iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            (data != 0 && entry.name(data) == name).then_some(WinBound {
                value: data as u32,
                exact: data & EXACT != 0,
            })
        })
    }

    pub fn put(&self, name: u128, WinBound { value, exact }: WinBound) {
        let places = self.places(name);
        let data_of = |entry: &Entry| entry.data.load(Ordering::Relaxed);
        let own = places
            .iter()
            .find(|entry| entry.name(data_of(entry)) == name);
        let Some(entry) = own.or_else(|| places.iter().min_by_key(|entry| data_of(entry) as u32))
        else {
            return;
        };
        let data = u64::from(value) | if exact { EXACT } else { 0 };
        entry
            .high
            .store((name >> 64) as u64 ^ data, Ordering::Relaxed);
        entry.low.store(name as u64 ^ data, Ordering::Relaxed);
        entry.data.store(data, Ordering::Relaxed);
    }
}

impl Entry {
    /// Returns the name under which the entry was written, provided that `data` was written with
    /// it.
    fn name(&self, data: u64) -> u128 {
        let high = self.high.load(Ordering::Relaxed) ^ data;
        let low = self.low.load(Ordering::Relaxed) ^ data;
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_keeps_what_is_largest_and_invents_nothing() {
        let memo = Memo::new(1, 24 * 7);
        let name = |i: u32| u128::from(i) << 70 | u128::from(i);
        for i in 1..100 {
            memo.put(
                name(i),
                WinBound {
                    value: i,
                    exact: i % 2 == 0,
                },
            );
            assert_eq!(
                memo.get(name(i)),
                Some(WinBound {
                    value: i,
                    exact: i % 2 == 0
                })
            );
        }
        let kept: Vec<_> = (1..100).filter(|&i| memo.get(name(i)).is_some()).collect();
        assert_eq!(kept, [96, 97, 98, 99]);
        memo.put(
            name(99),
            WinBound {
                value: 5,
                exact: true,
            },
        );
        assert_eq!(
            memo.get(name(99)),
            Some(WinBound {
                value: 5,
                exact: true
            })
        );
        assert_eq!(memo.get(name(200)), None);
    }
}
