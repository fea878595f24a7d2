//! What the SP-MCTS paper reports (Schadd and others, section 6). Only here and in `sp-mcts-table-7.csv` are its figures written down.

/// Table 1: mean and standard deviation of Random, TabuRandom and TabuColorRandom with (0.5; 10,000) at 10^7 nodes.
pub(crate) const STRATEGIES: [(&str, f64, f64); 3] =
    [("Random", 2069.0, 322.0), ("TabuRandom", 2737.0, 445.0), ("TabuColorRandom", 3038.0, 479.0)];

/// A setting of table 2.
pub(crate) struct PaperSetting {
    pub(crate) name: &'static str,
    pub(crate) c: f64,
    pub(crate) d: f64,
    /// At 10^5, 10^6 and 5 x 10^6 nodes: mean, deviation, average depth, average deepest node.
    pub(crate) results: [[f64; 4]; 3],
}

/// The nodes of table 2.
pub(crate) const NODES: [u64; 3] = [100_000, 1_000_000, 5_000_000];

/// Table 2.
pub(crate) const SETTINGS: [PaperSetting; 3] = [
    PaperSetting {
        name: "exploitation",
        c: 0.1,
        d: 32.0,
        results: [[2552.0, 572.0, 25.0, 63.0], [2674.0, 607.0, 36.0, 71.0], [2806.0, 576.0, 40.0, 69.0]],
    },
    PaperSetting {
        name: "balanced",
        c: 0.5,
        d: 10_000.0,
        results: [[2388.0, 501.0, 7.0, 19.0], [2858.0, 560.0, 14.0, 37.0], [3008.0, 524.0, 18.0, 59.0]],
    },
    PaperSetting {
        name: "exploration",
        c: 1.0,
        d: 20_000.0,
        results: [[2197.0, 450.0, 3.0, 8.0], [2579.0, 492.0, 6.0, 15.0], [2901.0, 518.0, 9.0, 20.0]],
    },
];

/// Section 6.3, figure 2: the gain of two searches on one, and the mean at ten, which is the highest.
pub(crate) const RESTART_GAIN: f64 = 140.0;
pub(crate) const TEN_RESTARTS: f64 = 2970.0;

/// Tables 3 and 6 by seconds a position: per game with manual and tuned settings, per move likewise.
pub(crate) const TIMES: [(u32, [f64; 4]); 5] = [
    (5, [2223.0, 2405.0, 2588.0, 2652.0]),
    (10, [2342.0, 2493.0, 2644.0, 2749.0]),
    (20, [2493.0, 2598.0, 2742.0, 2856.0]),
    (30, [2555.0, 2734.0, 2822.0, 2876.0]),
    (60, [2750.0, 2804.0, 2880.0, 2913.0]),
];

/// Nodes a second by section 6.2: 10^5 in about 20 seconds.
pub(crate) const NODES_A_SECOND: u64 = 5_000;

/// Table 4: the final move by highest average, most playouts and top score.
pub(crate) const FINAL_MOVES: [(&str, f64); 3] =
    [("highest-mean", 784.0), ("most-playouts", 1458.0), ("top-score", 2644.0)];

/// Table 5: manual, tuned per game, tuned per move. Epsilon was not tuned again per move.
pub(crate) const PARAMETERS: [(&str, [f64; 3]); 5] = [
    ("c", [0.1, 5.96, 4.31]),
    ("d", [32.0, 67.98, 96.67]),
    ("t", [10.0, 13.0, 11.0]),
    ("w", [0.02, 0.49, 0.28]),
    ("epsilon", [0.003, 0.00007, 0.00007]),
];

/// A program of table 7.
pub(crate) struct PaperProgram {
    pub(crate) name: String,
    /// As printed. That of IDA* is 36 more than its positions make.
    pub(crate) total: u64,
    /// On each of the standard 20 positions.
    pub(crate) points: Vec<u64>,
}

/// Table 7, in its order.
pub(crate) fn programs() -> Vec<PaperProgram> {
    let mut reader = csv::Reader::from_reader(include_str!("sp-mcts-table-7.csv").as_bytes());
    let rows = reader.deserialize().map(|row| row.expect("the table is right: a test reads it"));
    rows.map(|(name, total, points)| PaperProgram { name, total, points }).collect()
}

/// The total of SP-MCTS(3), which the best of ours should reach.
pub(crate) const SP_MCTS_3: u64 = 78_012;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_sum_to_the_totals_of_the_table() {
        let programs = programs();
        assert_eq!(programs.len(), 9);
        for PaperProgram { name, total, points } in programs {
            let missing = if name == "IDA*" { 36 } else { 0 };
            assert_eq!((points.len(), points.iter().sum::<u64>() + missing), (20, total), "{name}");
        }
    }
}
