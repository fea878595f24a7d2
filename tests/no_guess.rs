//! Boards without a guess: each is solved by proofs of its level, and no other board is called one.

use std::fs;

use mineflow::minesweeper::no_guess::{Level, NoGuess};
use mineflow::minesweeper::solver::{Budget, Solver};
use mineflow::minesweeper::{Board, Cell, CellView, FirstClick, Game, Status, View, mbf};
use mineflow::rng::Seed;

use crate::program::{pipeline, tempdir};

/// The cells that one number alone proves safe, those of the mines it proves being known.
fn single_numbers(view: &View) -> Vec<Cell> {
    let mut mines: Vec<Cell> = Vec::new();
    loop {
        let (mut safe, before) = (Vec::new(), mines.len());
        for &cell in view.opened() {
            let covered: Vec<Cell> = view.grid().neighbors(cell).filter(|&near| !view.is_open(near)).collect();
            let unknown: Vec<Cell> = covered.iter().copied().filter(|near| !mines.contains(near)).collect();
            let left = usize::from(view.number(cell).unwrap()) - (covered.len() - unknown.len());
            if left == 0 {
                safe.extend(unknown);
            } else if left == unknown.len() {
                mines.extend(unknown);
            }
        }
        if !safe.is_empty() || mines.len() == before {
            return safe;
        }
    }
}

/// The hardest proof by another way: single numbers as above, and then all that the exact solver knows.
fn expected(game: &mut Game, first: Cell) -> Option<bool> {
    let mut only_single = true;
    let mut status = game.open(first).unwrap();
    while status == Status::Playing {
        let mut safe = single_numbers(game.view());
        if safe.is_empty() {
            only_single = false;
            let solution = Solver::new().solve(game.view(), &mut Budget::unlimited()).unwrap();
            let all = game.board().all_cells();
            safe = all
                .filter(|cell| {
                    game.view().at(*cell) == CellView::Covered && solution.mine_probability[cell.index()] == 0.0
                })
                .collect();
        }
        if safe.is_empty() {
            return None;
        }
        for cell in safe {
            if status == Status::Playing && !game.view().is_open(cell) {
                status = game.open(cell).unwrap();
            }
        }
    }
    (status == Status::Won).then_some(only_single)
}

#[test]
fn levels_are_those_of_other_proofs() {
    let mut seen = [0; 4];
    for (board, rule) in [("9x9/10", FirstClick::Opening), ("8x8/14", FirstClick::Opening), ("6x4/5", FirstClick::Any)]
    {
        let board: Board = board.parse().unwrap();
        let first = board.cell(1, 2).unwrap();
        let mut no_guess = NoGuess::new(board, rule);
        let mut game = Game::new(board, rule);
        for index in 0..300 {
            let seed = Seed::new(7).child("game", index);
            let level = no_guess.level(seed, first);
            game.start(seed);
            let only_single = expected(&mut game, first);
            assert_eq!(level.map(|level| level == Level::SingleNumbers), only_single, "{board}, board {index}");
            assert_eq!(game.field().unwrap().to_string(), no_guess.field().to_string());
            seen[level.map_or(3, |level| level as usize)] += 1;
        }
    }
    assert!(seen.iter().all(|&boards| boards > 10), "{seen:?}");
}

#[test]
fn the_program_writes_board_files_and_the_same_for_any_number_of_threads() {
    let dir = tempdir();
    let out = |name: &str| dir.path().join(name);
    for (name, threads) in [("one", 1), ("two", 2)] {
        let line = format!(
            "boards --no-guess 9x9/10 --first 4,4 --count 20 --level pairs --out {} --threads {threads} --seed 3",
            out(name).display()
        );
        let said = pipeline(&line).success().stderr();
        assert!(said.contains("kept 20 of "), "{said}");
    }
    let mut files: Vec<_> = fs::read_dir(out("one")).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files.len(), 21);
    let board: Board = "9x9/10".parse().unwrap();
    for file in &files {
        let bytes = fs::read(out("one").join(file)).unwrap();
        assert_eq!(bytes, fs::read(out("two").join(file)).unwrap(), "{file:?}");
        if file.to_string_lossy().ends_with(".mbf") {
            let mut game = Game::on(mbf::read(&bytes).unwrap());
            assert_eq!(expected(&mut game, board.cell(4, 4).unwrap()), Some(false));
        }
    }
    let again = format!("boards --no-guess 9x9/10 --out {}", out("one").display());
    assert!(pipeline(&again).code(2).stderr().contains("not an empty folder"));
    assert!(pipeline("boards --no-guess 9x9/10 --first 9,0").code(2).stderr().contains("columns 0 to 8"));
    let none = pipeline("boards --no-guess 3x1/1 --first-click any --level pairs --tries 100 --json").code(1);
    assert!(none.stderr().contains("kept 0 of 100 boards"));
}
