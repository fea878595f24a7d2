//! The puzzles of the program: what is said of them holds, and no player finds fewer.

use std::fs;
use std::io::Write as _;

use mineflow::minesweeper::Board;
use mineflow::minesweeper::solver::{Budget, Solver};
use mineflow::stage::puzzles::{Kind, Known, Maker, PLAYERS, PUBLISHED, Puzzle, read};

use crate::program::{pipeline, tempdir};

/// Exact chances of positions with more layouts are not searched again.
const LAYOUTS: u64 = 4000;

fn puzzles() -> Vec<Puzzle> {
    read(PUBLISHED).unwrap()
}

#[test]
fn there_are_a_hundred_puzzles_of_all_kinds_without_a_certain_cell() {
    let puzzles = puzzles();
    let exact = puzzles.iter().filter(|puzzle| matches!(puzzle.known, Known::Exact { .. })).count();
    assert!(puzzles.len() == 100 && exact >= 80, "{exact} of {} are exact", puzzles.len());
    for kind in Kind::ALL {
        let of_kind = puzzles.iter().filter(|puzzle| puzzle.kinds.contains(kind)).count();
        assert!(of_kind >= 5, "{of_kind} puzzles of kind {kind}");
    }
    for puzzle in &puzzles {
        let Puzzle { name, shows, best, candidates, .. } = puzzle;
        assert!(name.len() <= 60 && shows.ends_with('.') && shows.matches(". ").count() == 0, "{name}: {shows}");
        let solution = Solver::new().solve(&puzzle.view().unwrap(), &mut Budget::unlimited()).unwrap();
        assert_eq!(solution.safe, [], "{name}: a cell is certain");
        let most = candidates.iter().map(|candidate| candidate.win).fold(0.0, f64::max);
        for candidate in candidates {
            let is_best = best.contains(&candidate.cell);
            assert!(
                (0.0..=1.0).contains(&candidate.win) && is_best == (candidate.win == most),
                "{name}: {candidate:?}"
            );
            if let Known::RollOuts { .. } = puzzle.known {
                let is_apart = candidate.behind.is_some_and(|[low, _]| low > 0.0);
                assert!(best.len() == 1 && is_apart != is_best, "{name}: {candidate:?}");
            }
        }
    }
}

#[test]
fn puzzles_are_made_again_from_their_games() {
    let mut maker = Maker::new().unwrap();
    let mut searched = 0;
    for puzzle in puzzles() {
        match puzzle.known {
            Known::Exact { layouts } if layouts <= LAYOUTS => {
                let again = maker.make(&puzzle).unwrap();
                assert_eq!(again, Puzzle { choices: again.choices.clone(), ..puzzle });
                searched += 1;
            }
            _ => {
                let board = Board::new(puzzle.width, puzzle.height, puzzle.mines).unwrap();
                let view = puzzle.source.position(board, puzzle.first_click).unwrap();
                assert_eq!(view.to_string(), puzzle.rows.join("\n"), "{}", puzzle.name);
            }
        }
    }
    assert!(searched >= 40, "{searched} puzzles are searched again");
}

#[test]
fn what_is_found_is_made_again_to_the_byte_on_any_number_of_threads() {
    let dir = tempdir();
    let file = dir.path().join("found.jsonl");
    for wanted in ["safest-loses --board 5x5/6", "equal-safety --board 9x9/10 --gap 0.02 --roll-outs 200"] {
        let found = pipeline(&format!("puzzles find --positions 1 --kind {wanted}")).success();
        fs::write(&file, found.stdout()).unwrap();
        let again = pipeline(&format!("puzzles make {} --threads 1", file.display())).success();
        assert_eq!(again.stdout(), found.stdout());
    }
    fs::write(&file, "{}").unwrap();
    let refused = pipeline(&format!("puzzles make {}", file.display())).code(2);
    assert!(refused.stderr().contains("line 1 is not a puzzle"), "{}", refused.stderr());
}

#[test]
fn no_player_finds_fewer_puzzles() {
    let mut maker = Maker::new().unwrap();
    let (mut lost, mut won) = (Vec::new(), Vec::new());
    for puzzle in puzzles() {
        let now =
            Puzzle { choices: maker.choices(&puzzle.view().unwrap(), puzzle.first_click).unwrap(), ..puzzle.clone() };
        for player in PLAYERS {
            match (puzzle.is_found_by(player), now.is_found_by(player)) {
                (true, false) => lost.push(format!("{player}: {}", puzzle.name)),
                (false, true) => won.push(format!("{player}: {}", puzzle.name)),
                _ => {}
            }
        }
    }
    if !won.is_empty() {
        // Not by `eprintln!`, which is hidden where a test passes.
        let _ = writeln!(
            std::io::stderr(),
            "found for the first time: {}\n`pipeline puzzles make --choices --out src/stage/measure/puzzles/puzzles.jsonl` writes it down",
            won.join("; ")
        );
    }
    assert!(lost.is_empty(), "not found any more: {}", lost.join("; "));
}
