//! The state of a board as bytes. All boards of an environment have states of the same length, so that they form an array.
//!
//! | bytes | meaning |
//! |---|---|
//! | 0-7 | a hash of all that follows |
//! | 8-15 | [`MAGIC`] |
//! | 16-23 | `u16`: width, height, mines, [flags](`OVER`) |
//! | 24-39 | `u64`: seed of all games, number of the next game |
//! | 40-47 | `u32`: steps of the game, opened cells |
//! | 48- | `u16` each: the opened cells in their order, followed by 0 up to the number of safe cells of the board |
//! | then | one bit per cell: the mines, if they are placed; padded to 8 bytes |
//! | then | one `f64` per cell: its mine probability, if the environment computes probabilities |
//!
//! Numbers are little-endian. The rules are not included: they are those of the environment that restores the state.

use mineflow_minesweeper::{Cell, Minefield, Status};
use mineflow_rng::{Seed, mix};

use crate::arrays::words;
use crate::env::{Env, Rules};

const MAGIC: [u8; 8] = *b"mfboard1";
const HEADER: usize = 48;
/// Flags: the game has ended, a mine was opened, the mines are placed, probabilities are counted.
const OVER: u16 = 1;
const LOST: u16 = 2;
const LAID: u16 = 4;
const COUNTS: u16 = 8;

/// The end of each part of a state under some rules.
struct Layout {
    opened: usize,
    mines: usize,
    end: usize,
}

impl Layout {
    fn new(rules: &Rules) -> Self {
        let (cells, mines) = (rules.board.cells(), rules.board.mines());
        let opened = HEADER + 2 * (cells - mines);
        let laid = (opened + cells.div_ceil(8)).next_multiple_of(8);
        Self {
            opened,
            mines: laid,
            end: laid + if rules.counts { 8 * cells } else { 0 },
        }
    }
}

/// Returns the number of bytes of a state under these rules.
pub fn length(rules: &Rules) -> usize {
    Layout::new(rules).end
}

/// Writes the state of a board into bytes that are initially 0.
pub fn write(env: &Env, rules: &Rules, to: &mut [u8]) {
    let (game, layout) = (&env.game, Layout::new(rules));
    let (board, opened) = (game.board(), game.view().opened());
    let flag = |is_set: bool, flag: u16| if is_set { flag } else { 0 };
    let flags = flag(env.over, OVER)
        | flag(game.status() == Status::Lost, LOST)
        | flag(game.field().is_some(), LAID)
        | flag(rules.counts, COUNTS);
    to[8..16].copy_from_slice(&MAGIC);
    let shorts = [
        board.width() as u16,
        board.height() as u16,
        board.mines() as u16,
        flags,
    ];
    put(&mut to[16..24], shorts.map(u16::to_le_bytes));
    put(
        &mut to[24..40],
        [env.seed.value(), env.next].map(u64::to_le_bytes),
    );
    put(
        &mut to[40..HEADER],
        [env.steps, opened.len() as u32].map(u32::to_le_bytes),
    );
    put(
        &mut to[HEADER..layout.opened],
        opened.iter().map(|cell| cell.0.to_le_bytes()),
    );
    for mine in game.field().into_iter().flat_map(Minefield::mine_cells) {
        to[layout.opened + mine.index() / 8] |= 1 << (mine.index() % 8);
    }
    put(
        &mut to[layout.mines..],
        env.mine.iter().map(|mine| mine.to_le_bytes()),
    );
    let hash = hash(&to[8..]);
    to[..8].copy_from_slice(&hash.to_le_bytes());
}

/// Reads the board from a state; `like` is any board of the environment.
///
/// # Errors
/// Returns an explanation of why the bytes are not a state of such a board.
pub fn read(like: &Env, rules: &Rules, from: &[u8]) -> Result<Env, String> {
    let (board, layout) = (rules.board, Layout::new(rules));
    if from.len() < HEADER || from[8..16] != MAGIC {
        return Err("it is not a state of a board, or of another version of mineflow".to_owned());
    }
    let short = |at: usize| u16::from_le_bytes([from[at], from[at + 1]]);
    let long = |at: usize| {
        words(&from[at..at + 8])
            .next()
            .expect("eight bytes are a number")
    };
    let flags = short(22);
    let is_set = |flag: u16| flags & flag != 0;
    let size = [16, 18, 20].map(|at| usize::from(short(at)));
    if size != [board.width(), board.height(), board.mines()] {
        let [width, height, mines] = size;
        return Err(format!(
            "its board is {width}x{height}/{mines}, the boards here are {board}"
        ));
    }
    if is_set(COUNTS) != rules.counts {
        let (there, here) = if rules.counts {
            ("without", "with")
        } else {
            ("with", "without")
        };
        return Err(format!(
            "its environment is {there} probabilities or regret, this one is {here}"
        ));
    }
    if from.len() != layout.end || long(0) != hash(&from[8..]) {
        return Err("it is damaged: its bytes are not those that were written".to_owned());
    }
    game(like, rules, &layout, from, is_set, long)
        .ok_or_else(|| "it is not a state that a game can have".to_owned())
}

/// Reads the board from a state whose hash and header were checked. Returns `None` if the contents are inconsistent.
fn game(
    like: &Env,
    rules: &Rules,
    layout: &Layout,
    from: &[u8],
    is_set: impl Fn(u16) -> bool,
    long: impl Fn(usize) -> u64,
) -> Option<Env> {
    let (counts, board) = (long(40), rules.board);
    let (steps, opened) = (counts as u32, (counts >> 32) as usize);
    let mut env = Env {
        seed: Seed::new(long(24)),
        next: long(32),
        steps,
        over: is_set(OVER),
        ..like.clone()
    };
    let mines = &from[layout.opened..layout.mines];
    let mines: Vec<Cell> = board
        .all_cells()
        .filter(|cell| mines[cell.index() / 8] >> (cell.index() % 8) & 1 == 1)
        .collect();
    let is_begun = env.next > 0;
    let expected_mines = if is_set(LAID) { board.mines() } else { 0 };
    let is_laid_enough = is_set(LAID) || (opened == 0 && !is_set(LOST));
    if opened > board.cells() - board.mines() || mines.len() != expected_mines || !is_laid_enough {
        return None;
    }
    if !is_begun && (!env.over || is_set(LAID)) {
        return None;
    }
    env.lay_none();
    if is_set(LAID) {
        let first_mine = mines.first().copied();
        let field = Minefield::from_mines(env.game.view().grid().clone(), mines);
        let mut game = env.game.with_cascade(false);
        game.start_on(&field);
        for cell in from[HEADER..].chunks_exact(2).take(opened) {
            let cell = Cell(u16::from_le_bytes([cell[0], cell[1]]));
            if cell.index() >= board.cells() || field.is_mine(cell) {
                return None;
            }
            game.open(cell).ok()?;
        }
        if is_set(LOST) {
            game.open(first_mine?).ok()?;
        }
        env.game = game.with_cascade(rules.cascade);
    }
    env.mine
        .iter_mut()
        .zip(words(&from[layout.mines..]))
        .for_each(|(mine, bits)| *mine = f64::from_bits(bits));
    Some(env)
}

/// Writes numbers one after another.
fn put<const BYTES: usize>(to: &mut [u8], numbers: impl IntoIterator<Item = [u8; BYTES]>) {
    to.chunks_exact_mut(BYTES)
        .zip(numbers)
        .for_each(|(to, number)| to.copy_from_slice(&number));
}

/// Hashes bytes whose length is a multiple of 8.
fn hash(bytes: &[u8]) -> u64 {
    words(bytes).fold(bytes.len() as u64, |hash, word| mix(hash ^ word))
}
