//! Tests of the page's puzzles: their descriptions are correct, and no player solves fewer puzzles
//! than stated.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

use mineflow::minesweeper::optimum::{Optimum, Resources};
use mineflow::minesweeper::play::{Adviser, Judge};
use mineflow::minesweeper::player::{GameStart, versions};
use mineflow::minesweeper::solver::{Analysis, Budget, Endgame, EndgameLimits, Solver, Weighting};
use mineflow::minesweeper::{Board, Cell, FirstClick, View};
use mineflow::rng::Seed;
use serde::Deserialize;

const PUZZLES: &str = include_str!("../src/page/answers/puzzles.jsonl");
/// The maximum number of layouts of the positions whose exact win probabilities are recomputed.
const LAYOUTS: u64 = 4000;
/// The maximum number of nodes that a player may use for one answer.
const NODES: u64 = 5_000_000;

/// The row and column of a cell, counted from 0.
type Place = (usize, usize);

#[derive(Deserialize)]
struct Puzzle {
    name: String,
    mines: usize,
    rows: Vec<String>,
    first_click: String,
    known: Known,
    best: Vec<Place>,
    candidates: Vec<Candidate>,
    choices: BTreeMap<String, Option<Place>>,
}

#[derive(Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
enum Known {
    Exact { layouts: u64 },
    RollOuts {},
}

#[derive(Deserialize, PartialEq, Debug)]
struct Candidate {
    cell: Place,
    mine: f64,
    win: f64,
    behind: Option<[f64; 2]>,
}

impl Puzzle {
    fn view(&self) -> View {
        View::from_rows(&self.rows, self.mines).unwrap()
    }

    fn rule(&self) -> FirstClick {
        self.first_click.parse().unwrap()
    }
}

fn puzzles() -> Vec<Puzzle> {
    PUZZLES
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn there_are_a_hundred_puzzles_without_a_certain_cell() {
    let puzzles = puzzles();
    let exact = puzzles
        .iter()
        .filter(|puzzle| matches!(puzzle.known, Known::Exact { .. }))
        .count();
    assert!(
        puzzles.len() == 100 && exact >= 80,
        "{exact} of {} are exact",
        puzzles.len()
    );
    assert_eq!(
        puzzles
            .iter()
            .map(|puzzle| &puzzle.name)
            .collect::<HashSet<_>>()
            .len(),
        100
    );
    for puzzle in &puzzles {
        let Puzzle {
            name,
            best,
            candidates,
            ..
        } = puzzle;
        let solution = Solver::new()
            .solve(&puzzle.view(), &mut Budget::unlimited())
            .unwrap();
        assert_eq!(solution.safe, [], "{name}: a cell is certain");
        let most = candidates
            .iter()
            .map(|candidate| candidate.win)
            .fold(0.0, f64::max);
        for candidate in candidates {
            let is_best = best.contains(&candidate.cell);
            assert!(
                (0.0..=1.0).contains(&candidate.win) && is_best == (candidate.win == most),
                "{name}: {candidate:?}"
            );
            if let Known::RollOuts {} = puzzle.known {
                let is_apart = candidate.behind.is_some_and(|[low, _]| low > 0.0);
                assert!(
                    best.len() == 1 && is_apart != is_best,
                    "{name}: {candidate:?}"
                );
            }
        }
    }
}

/// Returns the mine probability and the win probability under optimal play of every cell, and the
/// number of layouts.
fn searched(view: &View, rule: FirstClick) -> (Vec<(Cell, f64, f64)>, u64) {
    let board = view.board();
    if view.opened().is_empty() {
        let optimum = Optimum::new(board, rule, Resources::default()).unwrap();
        let never = AtomicBool::new(false);
        let values: Vec<_> = board
            .all_cells()
            .map(|cell| optimum.value(cell, &never).unwrap())
            .collect();
        let best = values
            .iter()
            .reduce(|best, value| if value.beats(best) { value } else { best })
            .unwrap();
        let mine = if rule == FirstClick::Any {
            board.mine_ratio()
        } else {
            0.0
        };
        return (
            values
                .iter()
                .map(|value| (value.cell, mine, value.ratio()))
                .collect(),
            best.layouts,
        );
    }
    let mut analysis = Analysis::new();
    analysis.begin(view.grid(), view.mines());
    analysis.update(view).unwrap();
    analysis
        .probabilities(Weighting::Posterior, &mut Budget::unlimited())
        .unwrap();
    let limits = EndgameLimits {
        layouts: LAYOUTS as u32,
        nodes: 4_000_000,
    };
    let found = analysis
        .endgame_cells(&mut Endgame::default(), limits, &mut Budget::unlimited())
        .unwrap()
        .unwrap();
    let mine = |cell: Cell| analysis.counted().mine[cell.index()];
    let cells = found
        .won
        .iter()
        .map(|&(cell, won)| (cell, mine(cell), f64::from(won) / f64::from(found.layouts)));
    (cells.collect(), found.layouts.into())
}

#[test]
fn exact_win_probabilities_are_those_of_optimal_play() {
    let mut checked = 0;
    for puzzle in puzzles() {
        let Known::Exact { layouts } = puzzle.known else {
            continue;
        };
        if layouts > LAYOUTS {
            continue;
        }
        let view = puzzle.view();
        let (cells, found) = searched(&view, puzzle.rule());
        assert_eq!(
            (cells.len(), found),
            (puzzle.candidates.len(), layouts),
            "{}",
            puzzle.name
        );
        for (cell, mine, win) in cells {
            let place = view.board().row_col(cell);
            let said = puzzle
                .candidates
                .iter()
                .find(|candidate| candidate.cell == place)
                .unwrap();
            assert!(
                f64::max((said.mine - mine).abs(), (said.win - win).abs()) < 1e-6,
                "{}: {said:?}",
                puzzle.name
            );
        }
        checked += 1;
    }
    assert!(checked >= 40, "{checked} puzzles are searched again");
}

/// Returns the cell that a player opens first, if there is one.
fn choice(adviser: &mut Adviser, view: &View, first_click: FirstClick) -> Option<Place> {
    let board: Board = view.board();
    let advice = adviser
        .advise(
            view,
            &GameStart {
                board,
                first_click,
                seed: Seed::new(1),
            },
        )
        .ok()?;
    Some(board.row_col(advice.moves[0]))
}

#[test]
fn no_player_finds_fewer_puzzles() {
    let puzzles = puzzles();
    let mut lost = Vec::new();
    for player in versions()
        .iter()
        .filter(|version| puzzles[0].choices.contains_key(version.name))
    {
        let mut adviser = Adviser::new(player.name.parse().unwrap(), NODES);
        for puzzle in &puzzles {
            let is_best =
                |place: Option<Place>| place.is_some_and(|place| puzzle.best.contains(&place));
            if is_best(puzzle.choices[player.name])
                && !is_best(choice(&mut adviser, &puzzle.view(), puzzle.rule()))
            {
                lost.push(format!("{}: {}", player.name, puzzle.name));
            }
        }
    }
    assert!(lost.is_empty(), "not found any more: {}", lost.join("; "));
}

#[test]
fn the_judge_knows_the_exact_win_probabilities_of_endgames() {
    let mut judge = Judge::new(None, &"11.0".parse().unwrap());
    let mut judged = 0;
    for puzzle in puzzles() {
        let known = judge
            .judge(&puzzle.view(), &mut Budget::unlimited())
            .unwrap();
        if !known.is_exact {
            continue;
        }
        judged += 1;
        let most = (puzzle.candidates.iter())
            .map(|candidate| candidate.win)
            .fold(0.0, f64::max);
        let best = &known.candidates[0];
        assert!(
            (best.win.unwrap() - most).abs() < 1e-6,
            "{}: {best:?} is not {most}",
            puzzle.name
        );
        assert_eq!(known.win, best.win, "{}", puzzle.name);
    }
    assert!(judged >= 40, "{judged} positions were judged exactly");
}

/// The mine is in the first or third cell, and the last cell, which is safe, shows which.
#[test]
fn the_judge_opens_proved_cells_first() {
    let view = View::from_rows(&["#1##"], 1).unwrap();
    let mut judge = Judge::new(None, &"11.0".parse().unwrap());
    let budget = &mut Budget::unlimited();
    let known = judge.judge(&view, budget).unwrap();
    assert!(known.is_exact);
    assert_eq!((known.best, known.win), (Some(Cell(3)), Some(1.0)));
    let guess = judge.compare(&known, (&[Cell(0)], 0.5), budget).unwrap();
    assert_eq!(
        (guess.after, guess.loss, guess.error),
        (Some(0.5), 0.5, 0.0)
    );
}
