//! Plays games of one player on one board.

use std::time::Duration;

use super::{
    GameStart, NoMove, Player, Reason,
    luck::{Luck, ValueModel},
};
use crate::{Board, Cell, FirstClick, Game, Minefield, MoveError, Status, View, solver::Budget};
use mineflow_rng::Seed;

/// The limits of one game; `None` means no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The maximum number of search nodes per game. Results with this limit are the same on every
    /// machine.
    pub nodes: Option<u64>,
    /// The maximum processor time per game. Results with this limit depend on the machine.
    pub time: Option<Duration>,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameEnd {
    /// Every safe cell is open.
    Won,
    /// A mine was opened.
    Lost,
    /// A limit was reached; the game counts as lost.
    TimedOut,
}

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    pub end: GameEnd,
    /// The number of decisions that were guesses. A first click counts only if it is not guaranteed
    /// to be safe.
    pub guesses: u32,
    /// The number of nodes that the player spent of its [`Budget`]. For an engine of Sinha et al.
    /// (2021), nodes are the edges of its search trees.
    pub nodes: u64,
    /// The player's luck, in wins; 0 if luck isn't measured. The result minus the luck has the same
    /// mean as the result and a lower variance.
    pub luck: f64,
}

/// An error that a correct player never causes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    #[error("it gave no cell to open")]
    NoCell,
    #[error("it made an illegal move: {0}")]
    Illegal(#[from] MoveError),
    #[error("it opened cell {0} as proved safe, and there was a mine")]
    FalseProof(usize),
    #[error("it found that {0}")]
    Contradiction(NoMove),
    #[error("it broke off: {0}")]
    Panicked(String),
    /// A program failed in too many games in a row.
    #[error("{0}")]
    Program(String),
}

/// A player with the game that it plays. A seat reuses its game and scratch memory, and thus
/// allocates nothing itself to play another game.
pub struct Seat {
    player: Box<dyn Player>,
    game: Game,
    limits: Limits,
    luck: Option<Luck>,
}

/// A game in play.
struct Play {
    budget: Budget,
    guesses: u32,
    is_over: bool,
}

/// Returns the seed from which the seeds of all games on `board` are derived. For every player, the
/// seed of game `i` is `board_seed(seed, board).child("game", i)`.
pub const fn board_seed(seed: Seed, board: Board) -> Seed {
    seed.child(
        "board",
        (board.width() as u64) << 32 | (board.height() as u64) << 16 | board.mines() as u64,
    )
}

impl Seat {
    /// Creates a seat for `player` on `board`.
    pub fn new(
        player: Box<dyn Player>,
        board: Board,
        first_click: FirstClick,
        limits: Limits,
    ) -> Self {
        Self {
            player,
            game: Game::new(board, first_click),
            limits,
            luck: None,
        }
    }

    /// Sets whether opening a zero opens its neighbours; see [`Game::with_cascade`].
    #[must_use]
    pub fn with_cascade(self, cascades: bool) -> Self {
        Self {
            game: self.game.with_cascade(cascades),
            ..self
        }
    }

    /// Turns on the measurement of luck by `model` for all following games.
    pub fn measure_luck(mut self, model: ValueModel) -> Self {
        self.luck = Some(Luck::new(model));
        self
    }

    /// Plays the game of `seed` to its end and returns its outcome.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the player makes an error. The seat can then continue with another
    /// game.
    pub fn play(&mut self, seed: Seed) -> Result<Outcome, Fault> {
        self.game.start(seed);
        Ok(self.play_on(seed)?.0)
    }

    /// Plays a game with the minefield `field` to its end and returns its outcome. The player gets
    /// the same seed as in the game of `seed`.
    ///
    /// # Errors
    /// Returns the errors of [`Seat::play`].
    ///
    /// # Panics
    /// Panics if the board of `field` differs from the seat's board.
    pub fn play_field(&mut self, field: &Minefield, seed: Seed) -> Result<Outcome, Fault> {
        self.game.start_on(field);
        Ok(self.play_on(seed)?.0)
    }

    /// Returns the first cell that the player opens in the game of `seed`, or `None` if a limit is
    /// reached before the first decision.
    ///
    /// # Errors
    /// Returns the errors of [`Seat::play`].
    pub fn first_cell(&mut self, seed: Seed) -> Result<Option<Cell>, Fault> {
        self.game.start(seed);
        let mut play = self.begin(seed);
        let view = self.game.view();
        let decided = self.player.decide_checked(view, &mut play.budget)?;
        Ok(decided.map(|decision| decision.cells[0]))
    }

    /// Plays the games of these seeds, at once if there are several seats, with one game in each.
    /// Passes the outcomes in order to `done`, with the CPU seconds in another process. There may be
    /// more seats than games.
    ///
    /// # Errors
    /// Returns the errors of [`Seat::play`].
    pub fn play_together(
        seats: &mut [Self],
        seeds: impl Iterator<Item = Seed>,
        mut done: impl FnMut((Outcome, f64)),
    ) -> Result<(), Fault> {
        if let [seat] = seats {
            for seed in seeds {
                seat.game.start(seed);
                done(seat.play_on(seed)?);
            }
            return Ok(());
        }
        let mut games: Vec<_> = seats
            .iter_mut()
            .zip(seeds)
            .map(|(seat, seed)| {
                seat.game.start(seed);
                let play = seat.begin(seed);
                (seat, play)
            })
            .collect();
        while games.iter().any(|(_, play)| !play.is_over) {
            for (seat, _) in games.iter_mut().filter(|(_, play)| !play.is_over) {
                seat.player.ask(seat.game.view());
            }
            for (seat, play) in games.iter_mut().filter(|(_, play)| !play.is_over) {
                seat.step(play)?;
            }
        }
        for (seat, play) in games {
            done(seat.outcome(&play));
        }
        Ok(())
    }

    fn begin(&mut self, seed: Seed) -> Play {
        self.player.begin(&GameStart {
            board: self.game.board(),
            first_click: self.game.first_click(),
            seed: seed.child("player", 0),
        });
        self.luck.iter_mut().for_each(Luck::begin);
        Play {
            budget: Budget::new(self.limits.nodes, self.limits.time),
            guesses: 0,
            is_over: self.game.status() != Status::Playing,
        }
    }

    /// Plays the current game to its end. Returns the results of [`Seat::outcome`].
    fn play_on(&mut self, seed: Seed) -> Result<(Outcome, f64), Fault> {
        let mut play = self.begin(seed);
        while !play.is_over {
            self.step(&mut play)?;
        }
        Ok(self.outcome(&play))
    }

    /// Plays one decision of the current game.
    fn step(&mut self, play: &mut Play) -> Result<(), Fault> {
        let game = &mut self.game;
        let first_click = game.first_click();
        let is_first = game.view().opened().is_empty();
        let decided = self.player.decide_checked(game.view(), &mut play.budget)?;
        let Some(decision) = decided.filter(|_| play.budget.check_clock().is_ok()) else {
            play.is_over = true;
            return Ok(());
        };
        // Only a single cell is a guess: several are proved safe, or a program holds them so.
        if decision.reason == Reason::Certain || decision.cells.len() > 1 {
            open_all(game, decision.cells, decision.reason)?;
        } else {
            play.guesses += u32::from(!is_first || first_click == FirstClick::Any);
            let cell = decision.cells[0];
            if let Some(luck) = &mut self.luck {
                luck.before(game.view(), cell, first_click);
            }
            open_all(game, decision.cells, decision.reason)?;
            if let Some(luck) = &mut self.luck {
                luck.after(game.view().number(cell));
            }
        }
        play.is_over = game.status() != Status::Playing;
        Ok(())
    }

    /// Ends the current game. Returns its outcome and the result of [`Player::end`].
    fn outcome(&mut self, play: &Play) -> (Outcome, f64) {
        let end = match self.game.status() {
            Status::Won => GameEnd::Won,
            Status::Lost => GameEnd::Lost,
            Status::Playing => GameEnd::TimedOut,
        };
        let outcome = Outcome {
            end,
            guesses: play.guesses,
            nodes: play.budget.spent(),
            luck: self.luck.as_ref().map_or(0.0, Luck::sum),
        };
        (outcome, self.player.end(end))
    }

    /// Returns whether the luck of games is measured.
    pub fn measures_luck(&self) -> bool {
        self.luck.is_some()
    }

    /// Returns the player's view of the last game.
    pub fn view(&self) -> &View {
        self.game.view()
    }
}

/// Opens the cells of one decision in order. The first cell must be covered; later cells are
/// skipped if an earlier one has opened them.
pub fn open_all(game: &mut Game, moves: &[Cell], reason: Reason) -> Result<(), Fault> {
    let (&first, others) = moves.split_first().ok_or(Fault::NoCell)?;
    let mut at = first;
    let mut status = game.open(first)?;
    for &cell in others {
        if status != Status::Playing {
            break;
        }
        if cell.index() >= game.board().cells() {
            return Err(MoveError::OffBoard(cell.index()).into());
        }
        if !game.view().is_open(cell) {
            at = cell;
            status = game.open(cell)?;
        }
    }
    if status == Status::Lost && reason == Reason::Certain {
        return Err(Fault::FalseProof(at.index()));
    }
    Ok(())
}
