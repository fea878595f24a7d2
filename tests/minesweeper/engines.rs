//! Tests of the engines of the papers, compared with enumeration of all layouts.

use std::collections::HashSet;
use std::sync::Arc;

use mineflow_minesweeper::player::{Agent, Reason};
use mineflow_minesweeper::solver::{
    Backtracking, Budget, Contradiction, Dss, Dsscsp, Enumeration, Exhausted, ForwardChecking,
    System, Traversal, enumerate_copies,
};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Grid, Status, View};
use mineflow_rng::{Rng, Seed};
use rand::RngExt;

use crate::brute_force::{Counts, solutions};
use crate::players::play;

/// All engines with their scratch memory, which is reused to show that no state leaks from one
/// position into the next.
#[derive(Default)]
struct Engines {
    system: System,
    dss: Dss,
    backtracking: Backtracking,
    dsscsp: Dsscsp,
    forward_checking: ForwardChecking,
}

/// Returns an enumeration with old contents that an engine must overwrite.
fn used() -> Enumeration {
    Enumeration {
        solutions: 3,
        mines: vec![2; 50],
        edges: 9,
        complete: true,
    }
}

impl Engines {
    fn backtracking(&mut self, traversal: Traversal, seed: u64) -> Enumeration {
        let mut rng = Seed::new(seed).rng();
        let (budget, mut found) = (&mut Budget::unlimited(), used());
        self.backtracking
            .enumerate(&mut self.system, traversal, &mut rng, budget, &mut found)
            .unwrap();
        found
    }

    fn dsscsp(&mut self, traversal: Traversal, seed: u64) -> Enumeration {
        let mut rng = Seed::new(seed).rng();
        let (budget, mut found) = (&mut Budget::unlimited(), used());
        self.dsscsp
            .enumerate(&mut self.system, traversal, &mut rng, budget, &mut found)
            .unwrap();
        found
    }

    fn walks(&mut self) -> [Enumeration; 2] {
        let walks: [fn(&mut Self, Traversal, u64) -> Enumeration; 2] =
            [Self::backtracking, Self::dsscsp];
        walks.map(|walk| walk(self, Traversal::COMPLETE, 0))
    }

    /// Returns the number of solutions and the mine counts of the whole system, combined from its
    /// independent components.
    fn forward_checking(&mut self) -> (u64, Vec<u64>) {
        let columns = self.system.cells().len();
        if self.system.is_impossible() {
            return (0, vec![0; columns]);
        }
        let sets = self.forward_checking.partition(&self.system);
        let mut total = 1;
        for set in 0..sets {
            total *= self
                .forward_checking
                .enumerate(&mut self.system, set, &mut Budget::unlimited())
                .unwrap();
        }
        let mut mines = vec![0; columns];
        for set in 0..sets {
            for &column in self.forward_checking.variables(set) {
                let column = usize::from(column);
                let inside = self.forward_checking.mines(column);
                mines[column] = if total == 0 {
                    0
                } else {
                    total / self.forward_checking.solutions(set) * inside
                };
            }
        }
        (total, mines)
    }

    /// Compares all engines with the reference. Returns the number of solutions.
    fn check(&mut self, view: &View) -> u64 {
        let truth = solutions(view);
        self.system.rebuild(view, |_| false);
        assert_eq!(self.system.cells(), truth.cells, "{}", drawn(view));
        for (found, dss) in self.walks().into_iter().zip([false, true]) {
            assert!(found.complete);
            assert_counts(&found, &truth, view);
            let (budget, mut copies) = (&mut Budget::unlimited(), used());
            enumerate_copies(&self.system, dss, budget, &mut copies).unwrap();
            assert_eq!(copies, found, "{}", drawn(view));
        }
        assert_eq!(
            self.forward_checking(),
            (truth.layouts, truth.mines.clone()),
            "{}",
            drawn(view)
        );
        self.check_dss(view, &truth);
        truth.layouts
    }

    fn check_dss(&mut self, view: &View, truth: &Counts) {
        let determined: Result<Vec<_>, _> = self.dss.run(&mut self.system).map(Iterator::collect);
        match determined {
            Err(Contradiction) => assert_eq!(truth.layouts, 0, "{}", drawn(view)),
            Ok(determined) => {
                for (column, mine) in determined {
                    assert_eq!(
                        truth.mines[column],
                        truth.layouts * u64::from(mine),
                        "{}",
                        drawn(view)
                    );
                }
                // The reduced system has the same solutions.
                for rest in self.walks() {
                    assert_counts(&rest, truth, view);
                }
                assert_eq!(self.forward_checking().0, truth.layouts, "{}", drawn(view));
            }
        }
        self.system.undo(0);
        assert_eq!(
            self.dsscsp(Traversal::COMPLETE, 0).mines,
            truth.mines,
            "undoing brings the system back"
        );
    }
}

fn assert_counts(found: &Enumeration, truth: &Counts, view: &View) {
    let expected = (truth.layouts, &truth.mines);
    assert_eq!((found.solutions, &found.mines), expected, "{}", drawn(view));
}

fn grid(width: usize, height: usize) -> Arc<Grid> {
    Arc::new(Grid::new(Board::new(width, height, 0).unwrap()))
}

/// Returns the view in which the cells of `open` are open and the cells of `mines` are mines; both
/// are bit sets of cells.
fn view_of(grid: &Arc<Grid>, mines: u32, open: u32) -> View {
    let mut view = View::new(grid.clone(), mines.count_ones() as usize);
    for cell in grid
        .board()
        .all_cells()
        .filter(|cell| open >> cell.0 & 1 == 1)
    {
        let number = grid
            .neighbors(cell)
            .filter(|d| mines >> d.0 & 1 == 1)
            .count();
        view.open(cell, number as u8).unwrap();
    }
    view
}

/// Returns the view as text, for the message of a failing test.
fn drawn(view: &View) -> String {
    let rows = numbers(view);
    let rows = rows.chunks(view.board().width());
    let row = |row: &[Option<u8>]| {
        row.iter()
            .map(|n| n.map_or('#', |n| (b'0' + n) as char))
            .collect::<String>()
    };
    rows.map(row).collect::<Vec<_>>().join("\n")
}

fn numbers(view: &View) -> Vec<Option<u8>> {
    view.grid()
        .board()
        .all_cells()
        .map(|cell| view.number(cell))
        .collect()
}

/// Returns a mid-game view: some safe cells are opened in random order, so that at most `boundary`
/// cells are on the boundary.
pub(crate) fn mid_game(game: &mut Game, boundary: usize, rng: &mut Rng) -> View {
    let cells = game.board().cells() as u16;
    game.start(Seed::new(rng.random()));
    let mut view = game.view().clone();
    let opens = rng.random_range(1..=cells as u32 / 2);
    for _ in 0..opens {
        let cell = Cell(rng.random_range(0..cells));
        let known_mine = game.field().is_some_and(|field| field.is_mine(cell));
        if game.view().is_open(cell) || known_mine {
            continue;
        }
        if game.open(cell) != Ok(Status::Playing) {
            break;
        }
        if game.view().boundary().count() <= boundary {
            view = game.view().clone();
        }
    }
    view
}

#[test]
fn every_view_of_boards_up_to_3x4_counts_as_brute_force_does() {
    let mut engines = Engines::default();
    let mut views = 0;
    for (width, height) in [
        (1, 1),
        (1, 4),
        (4, 1),
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
        (4, 3),
    ] {
        let grid = grid(width, height);
        let all = (1u32 << (width * height)) - 1;
        let mut seen = HashSet::new();
        for open in 0..=all {
            let covered = all & !open;
            let mut mines = covered;
            // The mines are all subsets of the covered cells, in decreasing order of their bits.
            loop {
                let view = view_of(&grid, mines, open);
                if seen.insert(numbers(&view)) {
                    assert!(engines.check(&view) > 0);
                }
                if mines == 0 {
                    break;
                }
                mines = (mines - 1) & covered;
            }
        }
        views += seen.len();
    }
    println!("{views} views");
}

#[test]
fn random_mid_game_views_count_as_brute_force_does() {
    let mut rng = Seed::new(2).child("mid-game", 0).rng();
    let mut engines = Engines::default();
    for (width, height, mines) in [
        (4, 4, 3),
        (5, 5, 4),
        (5, 5, 7),
        (6, 5, 6),
        (6, 6, 6),
        (6, 6, 10),
    ] {
        let mut game = Game::new(Board::new(width, height, mines).unwrap(), FirstClick::Safe);
        for _ in 0..700 {
            let view = mid_game(&mut game, 15, &mut rng);
            assert!(engines.check(&view) > 0);
        }
    }
}

#[test]
fn contradictory_views_have_no_solution() {
    let mut rng = Seed::new(2).child("contradiction", 0).rng();
    let mut engines = Engines::default();
    let grid = grid(4, 4);
    let mut contradictory = 0;
    for _ in 0..5000 {
        let mut view = View::new(grid.clone(), 5);
        for cell in grid.board().all_cells() {
            if rng.random_bool(0.4) {
                view.open(cell, rng.random_range(0u8..3)).unwrap();
            }
        }
        contradictory += u32::from(engines.check(&view) == 0);
    }
    assert!(
        (1000..5000).contains(&contradictory),
        "{contradictory} of 5000 contradict themselves"
    );
}

#[test]
fn known_mines_are_subtracted_from_the_numbers() {
    let mut rng = Seed::new(2).child("known", 0).rng();
    let mut engines = Engines::default();
    let mut game = Game::new(Board::new(6, 6, 8).unwrap(), FirstClick::Safe);
    for _ in 0..500 {
        let view = mid_game(&mut game, 15, &mut rng);
        let truth = solutions(&view);
        let mines: Vec<Cell> = truth
            .cells
            .iter()
            .zip(&truth.mines)
            .filter(|&(_, &n)| n == truth.layouts)
            .map(|(&c, _)| c)
            .collect();
        engines.system.rebuild(&view, |cell| mines.contains(&cell));
        let rest: Vec<(Cell, u64)> = truth
            .cells
            .iter()
            .copied()
            .zip(truth.mines.iter().copied())
            .filter(|(c, _)| !mines.contains(c))
            .collect();
        for found in engines.walks() {
            assert_eq!(found.solutions, truth.layouts);
            let found: Vec<(Cell, u64)> = engines
                .system
                .cells()
                .iter()
                .copied()
                .zip(found.mines)
                .collect();
            assert_eq!(found, rest, "{}", drawn(&view));
        }
    }
}

#[test]
fn limited_traversals_find_part_of_the_solutions_within_their_limits() {
    let mut rng = Seed::new(2).child("limited", 0).rng();
    let mut engines = Engines::default();
    let mut game = Game::new(Board::new(9, 9, 14).unwrap(), FirstClick::Safe);
    let (mut limited, mut varied) = (0, 0);
    for seed in 0..300 {
        let view = mid_game(&mut game, 26, &mut rng);
        engines.system.rebuild(&view, |_| false);
        let all = engines.dsscsp(Traversal::COMPLETE, 0);
        let version_2_5 = Traversal {
            max_solutions: Some(100),
            max_edges: Some(1000),
        };
        let small = Traversal {
            max_solutions: Some(5),
            max_edges: Some(60),
        };
        for traversal in [version_2_5, small] {
            let walks: [fn(&mut Engines, Traversal, u64) -> Enumeration; 2] =
                [Engines::backtracking, Engines::dsscsp];
            for walk in walks {
                let part = walk(&mut engines, traversal, seed);
                assert_eq!(
                    part,
                    walk(&mut engines, traversal, seed),
                    "the same seed gives the same walk"
                );
                assert!(part.edges <= traversal.max_edges.unwrap());
                assert!(part.solutions <= traversal.max_solutions.unwrap());
                for column in 0..all.mines.len() {
                    assert!(part.mines[column] <= all.mines[column]);
                    assert!(
                        part.solutions - part.mines[column] <= all.solutions - all.mines[column]
                    );
                    let known = part.solutions > 0;
                    assert!(known || part.probability(column) == 0.5);
                }
                if part.complete {
                    assert_eq!((part.solutions, &part.mines), (all.solutions, &all.mines));
                } else {
                    limited += 1;
                    varied +=
                        u32::from(walk(&mut engines, traversal, seed + 1000).mines != part.mines);
                }
                let wide = Traversal {
                    max_solutions: Some(u64::MAX),
                    max_edges: None,
                };
                let whole = walk(&mut engines, wide, seed);
                assert!(whole.complete);
                assert_eq!(
                    (whole.solutions, &whole.mines),
                    (all.solutions, &all.mines),
                    "in any order of the values"
                );
            }
        }
    }
    assert!(
        limited > 100 && varied * 2 > limited,
        "{limited} walks ended early, {varied} depend on the seed"
    );
}

#[test]
fn an_exhausted_budget_is_an_error_and_leaves_the_system_unchanged() {
    let board = Board::new(9, 9, 14).unwrap();
    let mut game = Game::new(board, FirstClick::Safe);
    let mut rng = Seed::new(2).child("budget", 0).rng();
    let mut engines = Engines::default();
    let mut exhausted = 0;
    for _ in 0..100 {
        let view = mid_game(&mut game, 24, &mut rng);
        engines.system.rebuild(&view, |_| false);
        let expected = engines.dsscsp(Traversal::COMPLETE, 0);
        let Engines {
            system,
            backtracking,
            dsscsp,
            forward_checking,
            ..
        } = &mut engines;
        let limited = || Budget::new(Some(3), None);
        let walks = [
            backtracking.enumerate(
                system,
                Traversal::COMPLETE,
                &mut rng,
                &mut limited(),
                &mut used(),
            ),
            dsscsp.enumerate(
                system,
                Traversal::COMPLETE,
                &mut rng,
                &mut limited(),
                &mut used(),
            ),
        ];
        for (walk, edges) in walks
            .into_iter()
            .zip([view.boundary().count(), expected.edges as usize])
        {
            if edges > 3 {
                assert_eq!(walk, Err(Exhausted::Nodes(3)));
                exhausted += 1;
            }
        }
        for set in 0..forward_checking.partition(system) {
            let _ = forward_checking.enumerate(system, set, &mut limited());
        }
        assert_eq!(engines.dsscsp(Traversal::COMPLETE, 0), expected);
        assert_eq!(
            engines.backtracking(Traversal::COMPLETE, 0).mines,
            expected.mines
        );
        assert_eq!(engines.forward_checking().1, expected.mines);
    }
    assert!(exhausted > 50);
}

/// Runs algorithm 2 as printed by Sinha et al.: every loop looks at every row.
fn printed_dss(system: &mut System, loops: usize) -> Vec<(usize, bool)> {
    let mut determined = Vec::new();
    for _ in 0..loops {
        for row in 0..system.rows().len() {
            let (variables, mines) = (system.unknown_in(row), system.mines_left(row));
            if variables == 0 || (mines != 0 && mines != variables) {
                continue;
            }
            for column in system.columns_of(row).to_vec() {
                let column = usize::from(column);
                if system.value(column).is_none() {
                    assert!(system.reduce(column, mines != 0));
                    determined.push((column, mines != 0));
                }
            }
        }
    }
    determined
}

#[test]
fn dss_finds_what_the_printed_loops_find_in_the_same_order() {
    let mut rng = Seed::new(2).child("printed", 0).rng();
    let mut game = Game::new(Board::new(12, 12, 18).unwrap(), FirstClick::Safe);
    for _ in 0..500 {
        let view = mid_game(&mut game, 144, &mut rng);
        let mut system = System::new(&view, |_| false);
        let limited = [0, 1, 2, 3].map(|loops| (loops, Dss::new(loops)));
        for (loops, mut dss) in limited.into_iter().chain([(10, Dss::default())]) {
            let expected = printed_dss(&mut system, loops);
            system.undo(0);
            let found: Vec<_> = dss.run(&mut system).unwrap().collect();
            system.undo(0);
            assert_eq!(found, expected, "{}", drawn(&view));
        }
    }
}

#[test]
fn dsscsp_finds_every_solution_however_few_loops_its_nodes_have() {
    let mut rng = Seed::new(2).child("loops", 0).rng();
    let mut game = Game::new(Board::new(9, 9, 14).unwrap(), FirstClick::Safe);
    let mut engines = [0, 1, 2, 10].map(|loops| Dsscsp::new(Dss::new(loops)));
    let mut fewer_edges = 0;
    for _ in 0..300 {
        let view = mid_game(&mut game, 22, &mut rng);
        let mut system = System::new(&view, |_| false);
        let found = engines.each_mut().map(|engine| {
            let (budget, mut found) = (&mut Budget::unlimited(), used());
            engine
                .enumerate(
                    &mut system,
                    Traversal::COMPLETE,
                    &mut rng,
                    budget,
                    &mut found,
                )
                .unwrap();
            found
        });
        for other in &found[1..] {
            assert_eq!(
                (other.solutions, &other.mines),
                (found[0].solutions, &found[0].mines),
                "{}",
                drawn(&view)
            );
        }
        assert!(
            found.is_sorted_by(|few, more| few.edges >= more.edges),
            "more loops prune more"
        );
        fewer_edges += u32::from(found[1].edges > found[3].edges);
    }
    assert!(
        fewer_edges > 30,
        "one loop is often not enough: {fewer_edges}"
    );
}

#[test]
fn the_agent_plays_2000_beginner_games_and_certain_moves_never_lose() {
    let mut agent = Agent::default();
    let mut game = Game::new("beginner".parse().unwrap(), FirstClick::Safe);
    let mut won = 0;
    for index in 0..2000 {
        let record = play(&mut agent, &mut game, index, |game, decision| {
            let &[cell] = decision.cells else {
                panic!("the agent acts on one square at a time")
            };
            let is_first = game.view().opened().is_empty();
            assert_eq!(decision.reason == Reason::FirstClick, is_first);
            assert!(
                !is_first || cell == Cell(0),
                "it begins in the first corner"
            );
            let is_mine = game.field().is_some_and(|field| field.is_mine(cell));
            assert!(
                !is_mine || decision.reason != Reason::Certain,
                "a certain move lost\n{}",
                drawn(game.view())
            );
        });
        won += u32::from(record.unwrap().won);
    }
    assert!((1700..=1850).contains(&won), "{won} of 2000 won");
}
