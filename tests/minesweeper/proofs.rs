//! Tests of proofs: each step is checked by a search that knows only the numbers it names.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use mineflow_minesweeper::proof::{ProofRule, Proofs, Step};
use mineflow_minesweeper::solver::{Budget, Solution, Solver};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Grid, Status, View};
use mineflow_rng::Seed;

/// The layouts of the covered cells around some numbers, given what is known.
struct Around {
    cells: Vec<Cell>,
    /// For each number, the mines that it needs and the indices of its unknown cells.
    numbers: Vec<(i32, Vec<usize>)>,
}

impl Around {
    fn new(view: &View, numbers: &[Cell], known: &HashMap<Cell, bool>) -> Self {
        let mut around = Self {
            cells: Vec::new(),
            numbers: Vec::new(),
        };
        for &number in numbers {
            let mut need = i32::from(view.number(number).expect("a number is open"));
            let mut own = Vec::new();
            for cell in view
                .grid()
                .neighbors(number)
                .filter(|&cell| !view.is_open(cell))
            {
                match known.get(&cell) {
                    Some(&mine) => need -= i32::from(mine),
                    None => {
                        let found = around.cells.iter().position(|&other| other == cell);
                        own.push(found.unwrap_or_else(|| {
                            around.cells.push(cell);
                            around.cells.len() - 1
                        }));
                    }
                }
            }
            around.numbers.push((need, own));
        }
        around
    }

    /// Adds the layouts that continue `values` to `found`, until there are `most`.
    fn list(
        &self,
        values: &mut Vec<bool>,
        fixed: (usize, bool),
        most: usize,
        found: &mut Vec<Vec<bool>>,
    ) {
        let is_possible = |(need, own): &(i32, Vec<usize>)| {
            let mines = own
                .iter()
                .filter(|&&cell| values.get(cell) == Some(&true))
                .count() as i32;
            let open = own.iter().filter(|&&cell| cell >= values.len()).count() as i32;
            (0..=open).contains(&(need - mines))
        };
        if found.len() == most || !self.numbers.iter().all(is_possible) {
            return;
        }
        if values.len() == self.cells.len() {
            found.push(values.clone());
            return;
        }
        for mine in [false, true] {
            if fixed.0 != values.len() || fixed.1 == mine {
                values.push(mine);
                self.list(values, fixed, most, found);
                values.pop();
            }
        }
    }

    /// Returns whether a layout has this value in `cell`.
    fn has(&self, cell: Cell, mine: bool) -> bool {
        let at = self.cells.iter().position(|&other| other == cell);
        let mut found = Vec::new();
        let at = at.unwrap_or_else(|| panic!("{cell:?} is not around the numbers"));
        self.list(&mut Vec::new(), (at, mine), 1, &mut found);
        !found.is_empty()
    }
}

fn check_count(view: &View, step: &Step, known: &HashMap<Cell, bool>) {
    let around = Around::new(view, &step.numbers, known);
    let used: Vec<usize> = around
        .numbers
        .iter()
        .flat_map(|(_, own)| own.clone())
        .collect();
    let different: BTreeSet<usize> = used.iter().copied().collect();
    assert_eq!(
        used.len(),
        different.len(),
        "the numbers have a cell in common"
    );
    let needed: i32 = around.numbers.iter().map(|(need, _)| need).sum();
    let left = view.mines() as i32 - known.values().filter(|&&mine| mine).count() as i32 - needed;
    let elsewhere = view
        .covered()
        .filter(|cell| !known.contains_key(cell) && !around.cells.contains(cell));
    let elsewhere: Vec<Cell> = elsewhere.collect();
    assert!(step.cells.iter().all(|cell| elsewhere.contains(cell)));
    assert_eq!(left as usize, if step.mines { elsewhere.len() } else { 0 });
}

/// Returns the number of open cells with covered neighbours.
fn all_numbers(view: &View) -> usize {
    let is_covered = |cell| !view.is_open(cell);
    let opened = view.opened().iter();
    opened
        .filter(|&&cell| view.grid().neighbors(cell).any(is_covered))
        .count()
}

fn check(view: &View, step: &Step, known: &HashMap<Cell, bool>, solution: &Solution) {
    let numbers = step.numbers.len();
    match step.rule {
        ProofRule::Count => return check_count(view, step, known),
        ProofRule::Number => assert_eq!(numbers, 1),
        ProofRule::Pair => assert_eq!(numbers, 2),
        ProofRule::Ways => {
            let mut ways = Vec::new();
            Around::new(view, &step.numbers, known).list(
                &mut Vec::new(),
                (usize::MAX, false),
                7,
                &mut ways,
            );
            assert!((1..=6).contains(&ways.len()), "{} ways", ways.len());
        }
        // Only the solver counts the layouts of a whole position.
        ProofRule::Layouts if numbers == all_numbers(view) => {
            let proved = if step.mines {
                &solution.mines
            } else {
                &solution.safe
            };
            return assert!(step.cells.iter().all(|cell| proved.contains(cell)));
        }
        ProofRule::Layouts => {}
    }
    let around = Around::new(view, &step.numbers, known);
    for &cell in &step.cells {
        assert!(
            around.has(cell, step.mines) && !around.has(cell, !step.mines),
            "{cell:?}"
        );
    }
}

/// Checks all proofs of a position, and counts its cells by the last rule of their proofs.
fn check_all(view: &View, rules: &mut BTreeMap<&str, usize>) {
    let solution = Solver::new().solve(view, &mut Budget::unlimited()).unwrap();
    let proofs = Proofs::new(view, &solution.safe, &solution.mines);
    let mut proved = solution.safe.clone();
    proved.extend(&solution.mines);
    check_chains(view, &proofs, &solution, rules);
    let mut cells = proofs.cells();
    cells.sort_unstable_by_key(|cell| cell.index());
    proved.sort_unstable_by_key(|cell| cell.index());
    assert_eq!(cells, proved);
    let uncounted = Proofs::by_numbers(view).unwrap();
    check_chains(view, &uncounted, &solution, &mut BTreeMap::new());
    let by_numbers = |cell: &Cell| {
        let mut steps = proofs.chain(*cell).into_iter();
        steps.all(|step| matches!(step.rule, ProofRule::Number | ProofRule::Pair))
    };
    for cell in cells.iter().filter(|cell| by_numbers(cell)) {
        assert_eq!(uncounted.is_mine(*cell), proofs.is_mine(*cell), "{cell:?}");
    }
}

/// Checks the chain of each proved cell.
fn check_chains(
    view: &View,
    proofs: &Proofs,
    solution: &Solution,
    rules: &mut BTreeMap<&str, usize>,
) {
    let cells = proofs.cells();
    let lengths: Vec<usize> = cells.iter().map(|&cell| proofs.chain(cell).len()).collect();
    assert!(lengths.is_sorted(), "{lengths:?}");
    for &cell in &cells {
        let chain = proofs.chain(cell);
        for (index, step) in chain.iter().enumerate() {
            assert!(step.after.iter().all(|&after| after < index));
            let before = step.after.iter().flat_map(|&after| {
                let step = &chain[after];
                step.cells.iter().map(|&cell| (cell, step.mines))
            });
            check(view, step, &before.collect(), solution);
        }
        let last = chain.last().unwrap();
        assert!(last.cells.contains(&cell));
        assert_eq!(proofs.is_mine(cell), Some(solution.mines.contains(&cell)));
        *rules.entry(last.rule.name()).or_default() += 1;
    }
}

#[test]
fn each_step_follows_from_its_numbers() {
    let mut rules = BTreeMap::new();
    let mut positions = 0;
    for (board, games) in [("expert", 40), ("beginner", 200), ("30x16/140", 40)] {
        for seed in 0..games {
            let mut game = Game::new(board.parse().unwrap(), FirstClick::Opening);
            game.start(Seed::new(seed));
            game.open(Cell(0)).unwrap();
            while game.status() == Status::Playing {
                check_all(game.view(), &mut rules);
                positions += 1;
                let solution = Solver::new()
                    .solve(game.view(), &mut Budget::unlimited())
                    .unwrap();
                let least = game.view().covered().min_by(|a, b| {
                    let mine = |cell: &Cell| solution.mine_probability[cell.index()];
                    mine(a).total_cmp(&mine(b))
                });
                game.open(least.unwrap()).unwrap();
            }
        }
    }
    assert_eq!(rules.len(), 5, "{rules:?}");
    assert!(positions > 10_000, "{positions}");
}

/// Returns the rules of the chain of a cell.
fn rules(rows: &[&str], mines: usize, row: usize, col: usize) -> Vec<ProofRule> {
    let view = View::from_rows(rows, mines).unwrap();
    let solution = Solver::new()
        .solve(&view, &mut Budget::unlimited())
        .unwrap();
    let proofs = Proofs::new(&view, &solution.safe, &solution.mines);
    let chain = proofs.chain(view.board().cell(row, col).unwrap());
    chain.iter().map(|step| step.rule).collect()
}

#[test]
fn the_simplest_rule_comes_first() {
    use ProofRule::{Count, Number, Pair};
    // The 1 in the corner has one covered neighbour.
    assert_eq!(rules(&["1#", "11"], 1, 0, 1), [Number]);
    // The mine of the outer 1 is the inner 1's too. The 2 and the other 1 share one mine at most.
    assert_eq!(rules(&["#####", "11211"], 2, 0, 2), [Pair]);
    assert_eq!(rules(&["#####", "11211"], 2, 0, 1), [Pair]);
    // The mines of the two columns of 1s are all there are.
    assert_eq!(rules(&["1#####1", "1#####1"], 2, 0, 3), [Count]);
    // Nothing is proved.
    assert_eq!(rules(&["1#", "##"], 1, 0, 1), []);
}

#[test]
fn numbers_that_contradict_each_other_prove_nothing_without_counting() {
    // A number that needs more than it has, one whose known mines are too many, and a pair.
    for (rows, mines) in [
        (&["3#", "11"][..], 1),
        (&["1#", "01"], 1),
        (&["#31#", "#11#"], 2),
        (&["####", "#51#", "####"], 6),
    ] {
        let view = View::from_rows(rows, mines).unwrap();
        assert!(
            Solver::new()
                .solve(&view, &mut Budget::unlimited())
                .is_err()
        );
        let proofs = Proofs::by_numbers(&view);
        assert!(proofs.is_none(), "{rows:?}");
    }
}

/// All mines may be known, so that no number is needed.
#[test]
fn the_mine_count_alone_is_a_reason_without_numbers() {
    let step = Step {
        rule: ProofRule::Count,
        numbers: Vec::new(),
        cells: vec![Cell(0)],
        mines: false,
        after: Vec::new(),
    };
    let board = Board::new(2, 2, 1).unwrap();
    let view = View::new(Arc::new(Grid::new(board)), 1);
    assert_eq!(step.explain(&view), "the mine count");
}
