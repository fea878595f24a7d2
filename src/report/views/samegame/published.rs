//! What the SP-MCTS paper reports. In its tables beside the code alone are its figures written down.

use super::super::paper;
use crate::row::Row;
use crate::template::WELL_FORMED;

/// Table 2: a setting with `c` and `d` at a number of nodes.
pub(super) fn settings() -> Vec<Row> {
    paper(include_str!("../../papers/sp-mcts-settings.csv"))
}

/// Tables 3 and 6: means by seconds a position, which are about as many nodes at the 5,000 a second of section 6.2; per game with
/// manual and tuned settings, per move likewise.
pub(super) fn times() -> Vec<Row> {
    paper(include_str!("../../papers/sp-mcts-times.csv"))
}

/// Table 5: a parameter, set manually, tuned per game, tuned per move. Epsilon was not tuned again per move.
pub(super) fn parameters() -> Vec<Row> {
    paper(include_str!("../../papers/sp-mcts-parameters.csv"))
}

/// A program of table 7.
pub(super) struct PaperProgram {
    pub(super) name: String,
    /// As printed. That of IDA* is 36 more than its positions make.
    pub(super) total: u64,
    /// On each of the standard 20 positions.
    pub(super) points: Vec<u64>,
}

/// Table 7, in its order.
pub(super) fn programs() -> Vec<PaperProgram> {
    let rows =
        csv::Reader::from_reader(include_str!("../../papers/sp-mcts-table-7.csv").as_bytes())
            .into_deserialize();
    let rows = rows.map(|row| row.expect(WELL_FORMED));
    rows.map(|(name, total, points)| PaperProgram {
        name,
        total,
        points,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_sum_to_the_totals_of_the_table() {
        let programs = programs();
        assert_eq!(programs.len(), 9);
        for PaperProgram {
            name,
            total,
            points,
        } in programs
        {
            let missing = if name == "IDA*" { 36 } else { 0 };
            assert_eq!(
                (points.len(), points.iter().sum::<u64>() + missing),
                (20, total),
                "{name}"
            );
        }
    }

    #[test]
    fn the_other_tables_can_be_read() {
        assert_eq!(
            (settings().len(), times().len(), parameters().len()),
            (9, 5, 5)
        );
    }
}
