//! Proofs from one open number and from two.

use crate::Cell;

/// An open number with unknown neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub cell: Cell,
    /// The number of mines among `unknown`.
    pub need: usize,
    pub unknown: Vec<Cell>,
}

impl Number {
    /// Returns what the number alone proves: the safe cells and the mines.
    pub fn prove(&self) -> [Vec<Cell>; 2] {
        let all = |is_proved| match is_proved {
            true => self.unknown.clone(),
            false => Vec::new(),
        };
        [all(self.need == 0), all(self.need == self.unknown.len())]
    }
}

/// Derives what two numbers prove about their common unknown neighbours, and about the unknown
/// neighbours of only one of them. Returns the safe cells and the mines.
pub(crate) fn prove_pair(first: &Number, second: &Number) -> [Vec<Cell>; 2] {
    let [mut safe, mut mines] = [const { Vec::new() }; 2];
    let (both, first_alone): (Vec<Cell>, Vec<Cell>) = first
        .unknown
        .iter()
        .copied()
        .partition(|cell| second.unknown.contains(cell));
    let second_alone: Vec<Cell> = second
        .unknown
        .iter()
        .copied()
        .filter(|cell| !both.contains(cell))
        .collect();
    let least = first
        .need
        .saturating_sub(first_alone.len())
        .max(second.need.saturating_sub(second_alone.len()));
    let most = both.len().min(first.need).min(second.need);
    // If the numbers contradict each other, one of them then needs more mines than it has cells.
    if both.is_empty() || least > most {
        return [both, mines];
    }
    let mut conclude = |cells: &[Cell], least: usize, most: usize| {
        if most == 0 {
            safe.extend(cells);
        } else if least == cells.len() {
            mines.extend(cells);
        }
    };
    conclude(&both, least, most);
    conclude(&first_alone, first.need - most, first.need - least);
    conclude(&second_alone, second.need - most, second.need - least);
    [safe, mines]
}
