//! One player at one board, game after game.

use std::time::Duration;

use super::luck::{Luck, ValueModel};
use super::{GameStart, NoMove, Player, Reason};
use crate::solver::Budget;
use crate::{Board, Cell, FirstClick, Game, Minefield, MoveError, Status, View};
use mineflow_rng::Seed;

/// What one game may cost; `None` is without limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Search nodes a game. Repeatable on every machine.
    pub nodes: Option<u64>,
    /// Processor time a game. Makes results depend on the machine.
    pub time: Option<Duration>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameEnd {
    /// Every safe cell is open.
    Won,
    /// A mine was opened.
    Lost,
    /// A limit was reached first; counts as lost.
    TimedOut,
}

/// How a game went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    pub end: GameEnd,
    /// Decisions that were guesses. The first click is one only where it is promised nothing.
    pub guesses: u32,
    /// Nodes that the player spent of its [`Budget`]: with an engine of the main paper the edges of its search trees.
    pub nodes: u64,
    /// How much luck the player had, in wins; 0 where it isn't measured. The end of the game less its luck has the same mean as
    /// the end, and varies less.
    pub luck: f64,
}

/// What a correct player never does.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
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
}

/// A player at a board. Keeps its game and its scratch, so that a game allocates nothing here.
pub struct Seat {
    player: Box<dyn Player>,
    game: Game,
    limits: Limits,
    luck: Option<Luck>,
}

/// The seed of all games on `board`: game `i` has `board_seed(seed, board).child("game", i)`, for every player.
pub const fn board_seed(seed: Seed, board: Board) -> Seed {
    seed.child(
        "board",
        (board.width() as u64) << 32 | (board.height() as u64) << 16 | board.mines() as u64,
    )
}

impl Seat {
    /// Seats `player` at `board`.
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

    /// Plays with or without the rule that a zero opens its neighbours: [`Game::with_cascade`].
    #[must_use]
    pub fn with_cascade(self, cascades: bool) -> Self {
        Self {
            game: self.game.with_cascade(cascades),
            ..self
        }
    }

    /// Measures the luck of every game from now on.
    pub fn measure_luck(mut self, model: ValueModel) -> Self {
        self.luck = Some(Luck::new(model));
        self
    }

    /// Plays the game of `seed` to its end.
    ///
    /// # Errors
    /// A [`Fault`] if the player is wrong; the seat can go on with another game.
    pub fn play(&mut self, seed: Seed) -> Result<Outcome, Fault> {
        self.game.start(seed);
        self.play_on(seed)
    }

    /// Plays a game to its end whose mines lie as `field` says, and whose player has the seed that it has in the game of `seed`.
    ///
    /// # Errors
    /// As [`Seat::play`].
    ///
    /// # Panics
    /// If `field` is of another board.
    pub fn play_field(&mut self, field: &Minefield, seed: Seed) -> Result<Outcome, Fault> {
        self.game.start_on(field);
        self.play_on(seed)
    }

    /// The first cell that the player opens in the game of `seed`; `None` if a limit is reached before.
    ///
    /// # Errors
    /// As [`Seat::play`].
    pub fn first_cell(&mut self, seed: Seed) -> Result<Option<Cell>, Fault> {
        self.game.start(seed);
        self.begin(seed);
        let mut budget = Budget::new(self.limits.nodes, self.limits.time);
        match self.player.decide(self.game.view(), &mut budget) {
            Ok(decision) => decision
                .cells
                .first()
                .copied()
                .ok_or(Fault::NoCell)
                .map(Some),
            Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => Ok(None),
            Err(contradiction @ NoMove::Contradiction) => Err(Fault::Contradiction(contradiction)),
        }
    }

    fn begin(&mut self, seed: Seed) {
        self.player.begin(&GameStart {
            board: self.game.board(),
            first_click: self.game.first_click(),
            seed: seed.child("player", 0),
        });
    }

    /// Plays the game that was started.
    fn play_on(&mut self, seed: Seed) -> Result<Outcome, Fault> {
        self.begin(seed);
        let Self {
            player,
            game,
            limits,
            luck,
        } = self;
        let mut budget = Budget::new(limits.nodes, limits.time);
        let mut guesses = 0;
        luck.iter_mut().for_each(Luck::begin);
        while game.status() == Status::Playing {
            let promised = game.first_click() != FirstClick::Any && game.view().opened().is_empty();
            let decision = match player.decide(game.view(), &mut budget) {
                Ok(decision) if budget.check_clock().is_ok() => decision,
                Ok(_) | Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => {
                    let luck = luck.as_ref().map_or(0.0, Luck::sum);
                    return Ok(Outcome {
                        end: GameEnd::TimedOut,
                        guesses,
                        nodes: budget.spent(),
                        luck,
                    });
                }
                Err(contradiction @ NoMove::Contradiction) => {
                    return Err(Fault::Contradiction(contradiction));
                }
            };
            guesses += u32::from(decision.reason != Reason::Certain && !promised);
            let guessed = decision
                .cells
                .first()
                .copied()
                .filter(|_| decision.reason != Reason::Certain);
            if let (Some(luck), Some(cell)) = (&mut *luck, guessed) {
                luck.before(game.view(), cell, game.first_click());
            }
            open_all(game, decision.cells, decision.reason)?;
            if let (Some(luck), Some(cell)) = (&mut *luck, guessed) {
                luck.after(game.view().number(cell));
            }
        }
        let luck = luck.as_ref().map_or(0.0, Luck::sum);
        let end = if game.status() == Status::Won {
            GameEnd::Won
        } else {
            GameEnd::Lost
        };
        Ok(Outcome {
            end,
            guesses,
            nodes: budget.spent(),
            luck,
        })
    }

    /// Whether the luck of games is measured.
    pub fn measures_luck(&self) -> bool {
        self.luck.is_some()
    }

    /// The game last played, as its player saw it.
    pub fn view(&self) -> &View {
        self.game.view()
    }
}

/// Opens the cells of one decision. The first must be covered; later ones may have opened meanwhile.
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
