//! The table: a round, a cursor, hints and prompts, changed by one command after another.

use std::path::PathBuf;
use std::time::Duration;

use super::adviser::{Advice, Adviser, Odds};
use super::clock::Clock;
use super::command::{Button, Command, Direction, Effect, Mode};
use super::judge::{Candidate, Judge};
use super::round::{Refusal, Round};
use super::words;
use crate::player::{PlayerSpec, ValueModel, board_seed};
use crate::{Board, Cell, FirstClick, Status, View};
use mineflow_rng::Seed;

/// What a table begins with.
#[derive(Clone, Debug)]
pub struct Settings {
    pub board: Board,
    pub first_click: FirstClick,
    pub seed: u64,
    /// Number of the first game: game `i` has the mines of game `i` of the arena's series with this seed.
    pub game: u64,
    /// Names or recipes of the players to choose from, the one that sits at the table among them.
    pub line_up: Vec<String>,
    pub player: PlayerSpec,
    /// Nodes that one answer of a player or one count of layouts may cost.
    pub node_limit: u64,
    /// The model that estimates the chance to win on a board under a first-click rule, if there is one.
    pub value_model: fn(Board, FirstClick) -> Option<ValueModel>,
}

/// Whether probabilities and advice are shown, and what they are.
#[derive(Clone, Debug)]
pub(super) enum Hints {
    Hidden,
    Shown { odds: Result<Odds, String>, advice: Option<Result<Advice, String>>, candidates: Vec<Candidate> },
}

/// Who makes the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pace {
    ByHand,
    /// The player plays until the game is over.
    ToTheEnd,
}

/// Everything that a person sees and changes.
pub struct Table {
    settings: Settings,
    pub(super) round: Round,
    clock: Clock,
    /// What the clock showed when the round was put on the table.
    time_at_begin: Duration,
    pub(super) adviser: Adviser,
    /// Judges guesses on this board under this rule.
    pub(super) judge: Option<(Board, FirstClick, Judge)>,
    pub(super) hints: Hints,
    pace: Pace,
    pub(super) cursor: Cell,
    pub(super) mode: Mode,
    pub(super) message: String,
    /// The file that the game was last saved to or loaded from.
    pub(super) file: Option<PathBuf>,
    /// The place in the line-up from which the next player is looked for.
    seat: usize,
}

impl Table {
    /// A table with a new game.
    pub fn new(settings: Settings) -> Self {
        let adviser = Adviser::new(settings.player.clone(), settings.node_limit);
        let seat = settings.line_up.iter().position(|name| *name == settings.player.name).unwrap_or(0);
        let mut table = Self {
            round: Round::new(settings.board, settings.first_click, Seed::new(0)),
            clock: Clock::default(),
            time_at_begin: Duration::ZERO,
            adviser,
            judge: None,
            hints: Hints::Hidden,
            pace: Pace::ByHand,
            cursor: middle(settings.board),
            mode: Mode::Playing,
            message: String::new(),
            file: None,
            seat,
            settings,
        };
        table.deal();
        table
    }

    /// The game that is played.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// What a player may know.
    pub fn view(&self) -> &View {
        self.round.view()
    }

    /// What the clock shows at `now`.
    pub fn time(&self, now: Duration) -> Duration {
        self.clock.read(now)
    }

    /// The cell under the cursor.
    pub fn cursor(&self) -> Cell {
        self.cursor
    }

    /// What the keys mean.
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// Where the game comes from: its seed and number, or its file.
    pub fn origin(&self) -> String {
        match &self.file {
            Some(file) => file.display().to_string(),
            None => format!("seed {} game {}", self.settings.seed, self.settings.game),
        }
    }

    /// Who is asked for advice.
    pub fn player(&self) -> &PlayerSpec {
        self.adviser.player()
    }

    /// Whether the player plays by itself: call [`Table::step`] then.
    pub fn goes_on(&self) -> bool {
        self.pace == Pace::ToTheEnd
    }

    /// What the last command led to.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Does what is asked for at `now`, and says what is left to do outside.
    pub fn handle(&mut self, command: Command, now: Duration) -> Effect {
        self.pace = Pace::ByHand;
        match std::mem::take(&mut self.mode) {
            Mode::Typing(prompt) => self.type_on(prompt, command, now),
            Mode::Help if command != Command::Quit => Effect::Nothing,
            Mode::Help | Mode::Playing => self.play(command, now),
        }
    }

    fn play(&mut self, command: Command, now: Duration) -> Effect {
        self.message.clear();
        match command {
            Command::Go(direction, steps) => self.go(direction, steps),
            Command::GoToAdvice => match self.advice() {
                Some(advice) => self.cursor = advice.moves[0],
                None => "h shows what the player would open".clone_into(&mut self.message),
            },
            Command::Press(button) => self.press(button, now),
            Command::Click(cell, button) => {
                self.cursor = cell;
                self.press(button, now);
            }
            Command::Undo => self.change(now, Round::undo),
            Command::Redo => self.change(now, Round::redo),
            Command::Restart => {
                self.change(now, Round::restart);
                self.clock = Clock::at(self.time_at_begin);
            }
            Command::NewGame => {
                self.settings.game += 1;
                self.deal();
            }
            Command::Play(board) => self.deal_on(board),
            Command::NextRule => {
                self.settings.first_click = match self.settings.first_click {
                    FirstClick::Safe => FirstClick::Opening,
                    FirstClick::Opening => FirstClick::Any,
                    FirstClick::Any => FirstClick::Safe,
                };
                self.deal();
            }
            Command::Hints => {
                self.hints = match self.hints {
                    Hints::Hidden => self.look(),
                    Hints::Shown { .. } => Hints::Hidden,
                };
            }
            Command::NextPlayer => {
                self.seat = (self.seat + 1) % self.settings.line_up.len().max(1);
                if let Some(name) = self.settings.line_up.get(self.seat) {
                    return Effect::Find(name.clone());
                }
            }
            Command::LetPlay => {
                self.let_play(now);
            }
            Command::LetFinish => self.go_on(now),
            Command::Ask(question) => self.ask(question),
            Command::Help => self.mode = Mode::Help,
            Command::Quit => return Effect::Quit,
            Command::Type(_) | Command::Erase | Command::Confirm | Command::Cancel => {}
        }
        Effect::Nothing
    }

    /// One more move of a player that plays by itself.
    pub fn step(&mut self, now: Duration) {
        if self.goes_on() {
            self.go_on(now);
        }
    }

    /// Lets the player of `found` sit down, or says why it can't.
    pub fn seat(&mut self, found: Result<PlayerSpec, String>) {
        match found {
            Ok(spec) => {
                self.message = format!("{} sits at the table: {}", words::short(&spec.name), spec.recipe);
                self.adviser.seat(spec);
                self.refresh();
            }
            Err(why) => self.message = why,
        }
    }

    pub(super) fn deal_on(&mut self, board: Board) {
        self.settings.board = board;
        self.settings.game = 0;
        self.deal();
    }

    /// Puts a round on the table, its clock showing `time`.
    pub(super) fn put(&mut self, round: Round, time: Duration) {
        let board = round.board();
        let (row, col) = self.board().row_col(self.cursor);
        let is_same_size = (board.width(), board.height()) == (self.board().width(), self.board().height());
        self.cursor = board.cell(row, col).filter(|_| is_same_size).unwrap_or_else(|| middle(board));
        self.settings.board = board;
        self.round = round;
        self.clock = Clock::at(time);
        self.time_at_begin = time;
        self.refresh();
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The seed of the game; the first click lays its mines.
    pub(super) fn seed(&self) -> Seed {
        board_seed(Seed::new(self.settings.seed), self.settings.board).child("game", self.settings.game)
    }

    pub(super) fn board(&self) -> Board {
        self.settings.board
    }

    /// Begins the game that the settings name.
    fn deal(&mut self) {
        self.file = None;
        self.put(Round::new(self.board(), self.settings.first_click, self.seed()), Duration::ZERO);
    }

    fn go(&mut self, direction: Direction, steps: usize) {
        let board = self.board();
        let (row, col) = board.row_col(self.cursor);
        let (row, col) = match direction {
            Direction::Up => (row.saturating_sub(steps), col),
            Direction::Down => (row.saturating_add(steps).min(board.height() - 1), col),
            Direction::Left => (row, col.saturating_sub(steps)),
            Direction::Right => (row, col.saturating_add(steps).min(board.width() - 1)),
        };
        self.cursor = board.cell(row, col).expect("the steps end at the edge");
    }

    fn press(&mut self, button: Button, now: Duration) {
        let cell = self.cursor;
        match button {
            Button::Open if self.view().is_open(cell) => self.change(now, |round| round.chord(cell)),
            Button::Open => self.change(now, |round| round.open(cell)),
            Button::Flag => self.change(now, |round| round.flag(cell)),
            Button::Chord => self.change(now, |round| round.chord(cell)),
        }
    }

    /// Changes the round, the clock and the hints with it, or says why not.
    fn change(&mut self, now: Duration, change: impl FnOnce(&mut Round) -> Result<(), Refusal>) {
        if let Err(refusal) = change(&mut self.round) {
            self.message = refusal.to_string();
            return;
        }
        match self.round.status() {
            Status::Playing if self.view().opened().is_empty() => {}
            Status::Playing => self.clock.start(now),
            Status::Won | Status::Lost => self.clock.stop(now),
        }
        self.refresh();
    }

    /// Lets the player make a move; false if it makes none.
    fn let_play(&mut self, now: Duration) -> bool {
        let hints = if self.shows_hints() { self.hints.clone() } else { self.look() };
        let Hints::Shown { odds, advice, .. } = hints else { return false };
        match advice {
            None => self.message = Refusal::Over.to_string(),
            Some(Err(why)) => self.message = format!("{} gives no move: {why}", words::short(&self.player().name)),
            Some(Ok(advice)) => {
                let said = words::of_move(self.player(), &advice, odds.as_ref().ok(), self.board());
                self.cursor = advice.moves[0];
                self.change(now, |round| round.open_chosen(&advice.moves));
                self.message = said;
                return true;
            }
        }
        false
    }

    fn go_on(&mut self, now: Duration) {
        let has_moved = self.let_play(now);
        let goes_on = has_moved && self.round.status() == Status::Playing;
        self.pace = if goes_on { Pace::ToTheEnd } else { Pace::ByHand };
    }
}

/// Where the cursor begins.
fn middle(board: Board) -> Cell {
    board.cell((board.height() - 1) / 2, (board.width() - 1) / 2).expect("the middle is on the board")
}
