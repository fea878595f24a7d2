//! Tests of the rows of guesses, compared with enumeration of all layouts.

use mineflow_minesweeper::ahead::{LayoutPlayout, LookScratch, TwoStep};
use mineflow_minesweeper::features::guess_v2::{self, RowScratch};
use mineflow_minesweeper::solver::{Budget, Layouts};

use crate::look_ahead::{guesses, parts};

#[test]
fn a_row_describes_the_position_after_a_guess_correctly() {
    let column = |name: &str| {
        guess_v2::SET
            .names
            .iter()
            .position(|&other| other == name)
            .unwrap()
    };
    let names = ["any_safety", "any_certain", "any_cells", "next_ln_layouts"].map(column);
    let (mut looking, mut roll_out, mut scratch) = (
        LookScratch::default(),
        LayoutPlayout::default(),
        RowScratch::default(),
    );
    let (mut layouts, mut rows, mut seen) = (Layouts::default(), Vec::new(), 0);
    guesses("4x4/5", 1000, |seed, view, analysis, all| {
        analysis
            .layouts(&mut layouts, &mut Budget::unlimited())
            .unwrap();
        let mine = analysis.counted().mine.clone();
        TwoStep::of_living_cells().look(analysis, &mine, 8, &mut looking);
        rows.clear();
        let of = (&*analysis, &layouts);
        guess_v2::append_rows(of, &looking.scored, &mut roll_out, &mut scratch, &mut rows);
        assert_eq!(rows.len(), guess_v2::WIDTH * looking.scored.len());
        for (row, of) in rows.chunks_exact(guess_v2::WIDTH).zip(&looking.scored) {
            // The features of the next move leave out open and proved cells.
            let covered = || {
                view.grid()
                    .board()
                    .all_cells()
                    .filter(|&c| analysis.is_unknown(c) && c != of.cell)
            };
            let (mut safety, mut certain, mut cells, mut ln, mut safe) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for part in parts(view.grid(), of.cell, all) {
                let chance = part.len() as f64 / all.len() as f64;
                let mines =
                    |cell: u16| part.iter().filter(|&&mines| mines >> cell & 1 == 1).count();
                let of_certain = covered().filter(|cell| mines(cell.0) == 0).count();
                let either = covered()
                    .map(|cell| mines(cell.0))
                    .filter(|&mines| mines < part.len());
                // If only mines are left, the game is won.
                let least = either.min().unwrap_or(0) as f64 / part.len() as f64;
                safety += chance * (1.0 - least);
                certain += chance * f64::from(u8::from(of_certain > 0));
                cells += chance * of_certain as f64;
                ln += chance * (part.len() as f64).ln();
                safe += chance;
            }
            let found = names.map(|column| f64::from(row[column]));
            for (found, true_one) in found.into_iter().zip([safety, certain, cells, ln / safe]) {
                assert!(
                    (found - true_one).abs() < 1e-5,
                    "seed {seed}, {:?}: {found}, not {true_one}",
                    of.cell
                );
            }
            seen += 1;
        }
    });
    assert!(seen > 1_000, "{seen}");
}
