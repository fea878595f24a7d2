//! One board of an environment: the rules of a step and its rewards.

use mineflow_minesweeper::no_guess::NoGuess;
use mineflow_minesweeper::player::board_seed;
use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Status};
use mineflow_rng::Seed;

use crate::exact::NODE_LIMIT;

/// The maximum number of boards that are tried to find one without a guess.
const TRIES: u64 = 100_000;

/// The rules of an environment.
#[derive(Clone, Copy)]
pub struct Rules {
    pub board: Board,
    pub first_click: FirstClick,
    /// Whether a cell without adjacent mines opens its neighbours.
    pub cascade: bool,
    /// Whether an action on an open cell ends the game; otherwise it has no effect.
    pub invalid_ends: bool,
    /// The number of steps after which a game is truncated.
    pub max_steps: u32,
    /// Whether cells that are proved safe are opened for the agent.
    pub certain_moves: bool,
    /// Whether boards are restricted to those that need no guess after the first click.
    pub no_guess: bool,
    /// Whether the exact probabilities are computed after each step.
    pub counts: bool,
}

/// The rewards of the possible outcomes of a step.
#[derive(Clone, Copy)]
pub struct Rewards {
    pub win: f64,
    pub safe: f64,
    pub mine: f64,
    pub invalid: f64,
    /// The factor by which the regret is multiplied.
    pub regret: f64,
}

/// The result of a step.
#[derive(Clone, Copy, Default)]
pub struct Stepped {
    pub reward: f64,
    pub terminated: bool,
    pub truncated: bool,
    pub won: bool,
    /// The mine probability of the opened cell minus the lowest one of all covered cells, 0 to 1. It is 0 for the first click and if
    /// nothing was opened, and NaN if the layouts could not be counted.
    pub regret: f64,
}

/// Scratch memory that a thread reuses from board to board.
pub struct Scratch {
    analysis: Analysis,
    no_guess: Option<NoGuess>,
}

impl Scratch {
    pub fn new(rules: &Rules) -> Self {
        let no_guess = rules
            .no_guess
            .then(|| NoGuess::new(rules.board, rules.first_click));
        Self {
            analysis: Analysis::new(),
            no_guess,
        }
    }
}

/// A board on which one game is played after another.
#[derive(Clone)]
pub struct Env {
    pub game: Game,
    /// The seed of all games, which [`board_seed`] derives. Game `i` has its child seed `child("game", i)`, as everywhere in mineflow.
    pub seed: Seed,
    /// The number of the next game.
    pub next: u64,
    pub steps: u32,
    /// Whether the game has ended and the next one has not begun.
    pub over: bool,
    /// The mine probability of every cell, 0 for open cells. It is NaN if the layouts could not be counted. The list is empty if
    /// probabilities are not computed.
    pub mine: Vec<f64>,
}

impl Env {
    pub fn new(rules: &Rules) -> Self {
        let mine = if rules.counts {
            vec![0.0; rules.board.cells()]
        } else {
            Vec::new()
        };
        let game = Game::new(rules.board, rules.first_click).with_cascade(rules.cascade);
        Self {
            game,
            seed: Seed::new(0),
            next: 0,
            steps: 0,
            over: true,
            mine,
        }
    }

    /// Sets the seed; the next game is its first one.
    pub fn seed(&mut self, seed: u64) {
        self.seed = board_seed(Seed::new(seed), self.game.board());
        self.next = 0;
    }

    /// Begins the next game.
    pub fn begin(&mut self) {
        self.game.start(self.game_seed());
        self.next += 1;
        self.steps = 0;
        self.over = false;
        self.mine.fill(self.game.board().mine_ratio());
    }

    fn game_seed(&self) -> Seed {
        self.seed.child("game", self.next)
    }

    /// Resets the current game to the position before its first step.
    pub fn lay_none(&mut self) {
        self.game
            .start(self.seed.child("game", self.next.wrapping_sub(1)));
    }

    /// Writes the observation, one number per cell, and the action mask.
    #[inline]
    pub fn show(&self, seen: &mut [i8], mask: &mut [i8]) {
        self.game.view().write_numbers(seen);
        seen.iter()
            .zip(mask)
            .for_each(|(&seen, mask)| *mask = i8::from(seen < 0));
    }

    /// Opens a cell.
    ///
    /// # Errors
    /// Returns an explanation of why no board without a guess was found for the first click.
    #[inline]
    pub fn step(
        &mut self,
        cell: Cell,
        rules: &Rules,
        rewards: &Rewards,
        scratch: &mut Scratch,
    ) -> Result<Stepped, String> {
        let mut stepped = Stepped::default();
        self.steps += 1;
        if self.game.status() != Status::Playing || self.game.view().is_open(cell) {
            stepped.reward = rewards.invalid;
            // A board without a safe cell is won from the start.
            stepped.won = self.game.status() == Status::Won;
            stepped.terminated = rules.invalid_ends || stepped.won;
        } else {
            let is_first = self.game.view().opened().is_empty();
            if is_first && let Some(no_guess) = &mut scratch.no_guess {
                lay(
                    no_guess,
                    &mut self.game,
                    self.seed.child("game", self.next - 1),
                    cell,
                )?;
            }
            if rules.counts && !is_first {
                stepped.regret = self.regret(cell);
            }
            let mut status = self
                .game
                .open(cell)
                .expect("it is covered, and the game goes on");
            stepped.reward = if status == Status::Lost {
                rewards.mine
            } else {
                rewards.safe
            };
            if stepped.regret != 0.0 && stepped.regret.is_finite() {
                stepped.reward += rewards.regret * stepped.regret;
            }
            if status == Status::Playing && (rules.certain_moves || rules.counts) {
                status = self.follow(rules, &mut scratch.analysis);
            }
            stepped.won = status == Status::Won;
            stepped.terminated = status != Status::Playing;
        }
        if stepped.won {
            stepped.reward += rewards.win;
        }
        stepped.truncated = !stepped.terminated && self.steps >= rules.max_steps;
        self.over = stepped.terminated || stepped.truncated;
        Ok(stepped)
    }

    /// Returns the mine probability of a cell minus the lowest one of all covered cells.
    fn regret(&self, cell: Cell) -> f64 {
        let covered = self
            .game
            .view()
            .covered()
            .map(|cell| self.mine[cell.index()]);
        self.mine[cell.index()] - covered.fold(f64::INFINITY, f64::min)
    }

    /// Opens the cells that are proved safe and computes the probabilities, if the rules require it. Returns the status of the game.
    fn follow(&mut self, rules: &Rules, analysis: &mut Analysis) -> Status {
        let Self { game, mine, .. } = self;
        analysis.begin(&game.view().grid().clone(), game.view().mines());
        loop {
            let mut budget = Budget::new(Some(NODE_LIMIT), None);
            analysis
                .update(game.view())
                .expect("numbers of a game agree");
            if analysis.safe().is_empty() || !rules.certain_moves {
                match analysis.probabilities(Weighting::Posterior, &mut budget) {
                    Ok(counted) if rules.counts => {
                        let known = |&mine: &f64| if mine.is_nan() { 0.0 } else { mine };
                        mine.iter_mut()
                            .zip(counted.mine.iter().map(known))
                            .for_each(|(to, mine)| *to = mine);
                    }
                    Ok(_) => {}
                    Err(_) => {
                        mine.fill(f64::NAN);
                        return Status::Playing;
                    }
                }
            }
            if !rules.certain_moves || analysis.safe().is_empty() {
                return game.status();
            }
            for cell in analysis.safe().to_vec() {
                if game.status() == Status::Playing && !game.view().is_open(cell) {
                    game.open(cell).expect("it is covered");
                }
            }
            if game.status() != Status::Playing {
                return game.status();
            }
        }
    }
}

/// Starts a game on the first board of its seed that needs no guess after a first click on `cell`.
fn lay(no_guess: &mut NoGuess, game: &mut Game, seed: Seed, cell: Cell) -> Result<(), String> {
    let found = (0..TRIES).find(|&index| no_guess.level(seed.child("try", index), cell).is_some());
    match found {
        Some(_) => {
            game.start_on(no_guess.field());
            Ok(())
        }
        None => Err(format!(
            "none of {TRIES} boards {} needs no guess after a first click on cell {}; take fewer mines, or no_guess=False",
            game.board(),
            cell.index()
        )),
    }
}
