//! Tests of `sp-mcts` and `mac-ucb` on tiny boards, compared with the exact value of every guess,
//! and of their recipes.

use std::collections::HashMap;

use mineflow_minesweeper::player::{GameStart, Player, PlayerSpec, Reason};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Grid, Status, View};
use mineflow_rng::Seed;

/// Expectimax over the equally likely consistent layouts: the number of layouts that optimal play
/// wins.
struct Judge {
    grid: Grid,
    memory: HashMap<(Vec<u32>, u32), u32>,
}

impl Judge {
    fn new(board: Board) -> Self {
        Self {
            grid: Grid::new(board),
            memory: HashMap::new(),
        }
    }

    fn number(&self, layout: u32, cell: Cell) -> u32 {
        self.grid
            .neighbors(cell)
            .filter(|d| layout >> d.0 & 1 == 1)
            .count() as u32
    }

    /// Returns the open cells after `cell` is opened in addition to `opened`, with flood fill.
    fn flood(&self, layout: u32, opened: u32, cell: Cell) -> u32 {
        let mut opened = opened;
        let mut to_open = vec![cell];
        while let Some(cell) = to_open.pop() {
            if opened >> cell.0 & 1 == 0 {
                opened |= 1 << cell.0;
                if self.number(layout, cell) == 0 {
                    to_open.extend(self.grid.neighbors(cell));
                }
            }
        }
        opened
    }

    /// Returns the number of layouts won by optimal play after `cell` is opened.
    fn wins_after(&mut self, layouts: &[u32], opened: u32, cell: Cell) -> u32 {
        let mut groups: HashMap<(u32, Vec<u32>), Vec<u32>> = HashMap::new();
        for &layout in layouts.iter().filter(|&&layout| layout >> cell.0 & 1 == 0) {
            let now = self.flood(layout, opened, cell);
            let board = self.grid.board();
            let shown = board
                .all_cells()
                .filter(|c| now >> c.0 & 1 == 1)
                .map(|c| self.number(layout, c))
                .collect();
            groups.entry((now, shown)).or_default().push(layout);
        }
        groups
            .into_iter()
            .map(|((now, _), group)| self.wins(group, now))
            .sum()
    }

    fn wins(&mut self, layouts: Vec<u32>, opened: u32) -> u32 {
        let board = self.grid.board();
        if opened.count_ones() as usize == board.cells() - board.mines() {
            return layouts.len() as u32;
        }
        let key = (layouts, opened);
        if let Some(&wins) = self.memory.get(&key) {
            return wins;
        }
        let covered: Vec<Cell> = board
            .all_cells()
            .filter(|c| opened >> c.0 & 1 == 0)
            .collect();
        let is_safe = |cell: &&Cell| key.0.iter().all(|layout| layout >> cell.0 & 1 == 0);
        let safe = covered.iter().find(is_safe).copied();
        let choices = safe.map_or(covered, |cell| vec![cell]);
        let wins = choices
            .iter()
            .map(|&cell| self.wins_after(&key.0, opened, cell))
            .max()
            .unwrap_or(0);
        self.memory.insert(key, wins);
        wins
    }

    /// Returns for every covered cell the share of layouts that optimal play wins after opening the
    /// cell.
    fn values(&mut self, view: &View) -> Vec<(Cell, f64)> {
        let opened: u32 = view.opened().iter().map(|cell| 1 << cell.0).sum();
        let fits = |layout: &u32| {
            layout.count_ones() as usize == view.mines()
                && layout & opened == 0
                && view
                    .opened()
                    .iter()
                    .all(|&c| view.number(c) == Some(self.number(*layout, c) as u8))
        };
        let layouts: Vec<u32> = (0u32..1 << view.board().cells()).filter(fits).collect();
        let value = |cell| {
            (
                cell,
                f64::from(self.wins_after(&layouts, opened, cell)) / layouts.len() as f64,
            )
        };
        view.covered().map(value).collect()
    }
}

fn player(text: &str) -> Box<dyn Player> {
    text.parse::<PlayerSpec>()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .build()
}

fn decide(text: &str, view: &View) -> (Reason, Cell) {
    let mut player = player(text);
    player.begin(&GameStart {
        board: view.board(),
        first_click: FirstClick::Safe,
        seed: Seed::new(4),
    });
    let decision = player.decide(view, &mut Budget::unlimited()).unwrap();
    (decision.reason, decision.cells[0])
}

/// Returns guesses of games on 4x4/4 with few cells left, in which 7.0 takes a cell whose value is
/// more than `gap` below the best. Each guess has the values of all cells.
fn traps(gap: f64, wanted: usize) -> Vec<(View, Vec<(Cell, f64)>)> {
    let board: Board = "4x4/4".parse().unwrap();
    let mut judge = Judge::new(board);
    let mut found = Vec::new();
    let mut game = Game::new(board, FirstClick::Safe);
    let mut plain = player("7.0");
    for seed in 0..20_000 {
        game.start(Seed::new(seed));
        plain.begin(&GameStart {
            board,
            first_click: FirstClick::Safe,
            seed: Seed::new(seed),
        });
        while game.status() == Status::Playing {
            let decision = plain.decide(game.view(), &mut Budget::unlimited()).unwrap();
            let (reason, moves) = (decision.reason, decision.cells);
            if reason == Reason::Guess && game.view().covered_count() <= 9 {
                let values = judge.values(game.view());
                if regret(&values, moves[0]) > gap {
                    found.push((game.view().clone(), values));
                    if found.len() == wanted {
                        return found;
                    }
                }
            }
            for &cell in moves {
                if game.status() == Status::Playing && !game.view().is_open(cell) {
                    game.open(cell).unwrap();
                }
            }
        }
    }
    panic!("only {} traps", found.len());
}

/// Returns the regret of `cell`: the best value minus the value of `cell`.
fn regret(values: &[(Cell, f64)], cell: Cell) -> f64 {
    let best = values.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    best - values.iter().find(|(other, _)| *other == cell).unwrap().1
}

#[test]
fn searches_lose_less_per_guess_than_the_least_mine_rule() {
    let guesses = traps(0.03, 30);
    let mean_regret = |player: &str| -> f64 {
        let lost = |(view, values): &(View, Vec<_>)| regret(values, decide(player, view).1);
        guesses.iter().map(lost).sum::<f64>() / guesses.len() as f64
    };
    let players = [
        "7.0",
        "dss+posterior+sp-mcts:playouts=20000",
        "dss+posterior+sp-mcts:d=1:t=5",
        "mac-ucb",
    ];
    let [least, searched, explored, sampled] = players.map(mean_regret);
    assert!(
        searched < least / 2.0 && explored < least && sampled < least / 2.0,
        "{least} {searched} {explored} {sampled}"
    );
}

#[test]
fn wrong_options_are_refused_by_name() {
    let cases = [
        (
            "dss+posterior+sp-mcts:playouts=0",
            "`playouts` of `sp-mcts` can't be `0`",
            "from 1 to 1000000",
        ),
        (
            "dss+posterior+sp-mcts:playouts=9999999999",
            "`playouts` of `sp-mcts` can't be",
            "from 1 to 1000000",
        ),
        (
            "dss+posterior+sp-mcts:c=nan",
            "`c` of `sp-mcts` can't be `nan`",
            "a number from 0 to 1000",
        ),
        (
            "dss+posterior+mac-ucb:playouts=0",
            "`playouts` of `mac-ucb` can't be `0`",
            "from 1 to 1000000",
        ),
        (
            "dss+posterior+mac-ucb:c=1",
            "`mac-ucb` has no option `c`",
            "playouts",
        ),
        (
            "dss+dsscsp+mac-ucb",
            "`mac-ucb` needs the true posterior",
            "`posterior` where `dsscsp` is",
        ),
        (
            "dss+components+sp-mcts",
            "`sp-mcts` needs the true posterior",
            "`posterior` where `components` is",
        ),
    ];
    for (text, wrong, remedy) in cases {
        let message = text.parse::<PlayerSpec>().expect_err(text).to_string();
        assert!(
            message.contains(wrong) && message.contains(remedy),
            "{text}: {message}"
        );
    }
}

#[test]
fn options_round_trip() {
    for rule in [
        "sp-mcts:c=0.25:d=0:playouts=7:t=3",
        "sp-mcts:c=0.5:d=2:playouts=1000:t=0",
        "mac-ucb:playouts=7",
    ] {
        for candidates in ["", ":candidates=sampled"] {
            let text = format!("dss+posterior+{rule}{candidates}");
            assert_eq!(text.parse::<PlayerSpec>().unwrap().recipe.to_string(), text);
        }
    }
}
