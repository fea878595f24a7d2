//! Tests of replays: each format is written from a known game and must be read back equal; mouse
//! buttons make the right clicks; malicious files are rejected.

use std::sync::Arc;

use crate::files::assert_has;
use mineflow_minesweeper::play::{KeptError, SavedGame};
use mineflow_minesweeper::replay::{
    self, Click, ClickKind, Format, MAX_BYTES, MAX_CLICKS, Replay, ReplayError,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Grid, Minefield, Status, mbf};
use mineflow_rng::Seed;
use proptest::prelude::*;

const PLAYER: &str = "Ada";

/// A mouse event: its time in milliseconds, its name in RawVF, and its cell.
type Event = (u32, &'static str, Cell);

/// A game: flags before the first click, then the clicks.
#[derive(Clone, Debug)]
struct Known {
    field: Minefield,
    preflags: Vec<Cell>,
    clicks: Vec<Click>,
    status: Status,
}

impl Known {
    /// Returns the game on these mines in which `preflags` are flagged, `first` is opened, and the
    /// clicks `wanted` follow. Clicks after the end and flags without effect are dropped.
    fn new(mines: &[Cell], first: Cell, preflags: &[Cell], wanted: &[(ClickKind, Cell)]) -> Self {
        let board = "8x8/10".parse::<Board>().unwrap();
        let field = Minefield::from_mines(Arc::new(Grid::new(board)), mines.iter().copied());
        let mut preflags: Vec<Cell> = preflags.to_vec();
        preflags.retain(|&cell| cell != first);
        preflags.sort();
        preflags.dedup();
        let flags = preflags.iter().map(|&cell| (ClickKind::Flag, cell));
        let kinds: Vec<(ClickKind, Cell)> = flags
            .chain([(ClickKind::Open, first)])
            .chain(wanted.iter().copied())
            .collect();
        let click = |(at, &(kind, cell)): (usize, &(ClickKind, Cell))| Click {
            // Some pauses are longer than a byte of milliseconds can represent.
            seconds: (at.saturating_sub(preflags.len()) * 270) as f64 / 1000.0,
            kind,
            cell,
        };
        let clicks = kinds.iter().enumerate().map(click).collect();
        let mut game = Self {
            field,
            preflags: preflags.clone(),
            clicks,
            status: Status::Playing,
        };
        // Clicks after the end of the game are dropped, because files contain none. Flags without
        // effect are dropped, because a right click on a flagged cell would remove the flag.
        let play = game.replay(Format::RawVf, None, None).play().unwrap();
        let end = match play.status {
            Status::Playing => play.moves.len(),
            _ => 1 + play.moves.iter().rposition(|made| !made.wasted).unwrap(),
        };
        let is_button = |kind| matches!(kind, ClickKind::Open | ClickKind::Chord);
        game.clicks = play.moves[..end]
            .iter()
            .filter(|made| !made.wasted || is_button(made.click.kind))
            .map(|made| made.click)
            .collect();
        game.status = play.status;
        game
    }

    fn replay(&self, format: Format, player: Option<&str>, won: Option<bool>) -> Replay {
        Replay {
            format,
            program: String::new(),
            player: player.map(str::to_owned),
            field: self.field.clone(),
            first_click: FirstClick::Safe,
            clicks: self.clicks.clone(),
            won,
        }
    }

    /// Returns the events of the clicks from index `from` on.
    fn events(&self, from: usize) -> Vec<Event> {
        let mut events = Vec::new();
        for (at, click) in self.clicks.iter().enumerate().skip(from) {
            let names: &[&str] = match (click.kind, at % 3) {
                (ClickKind::Open, _) => &["lc", "lr"],
                (ClickKind::Flag | ClickKind::Unflag, _) => &["rc", "rr"],
                (ClickKind::Chord, 0) => &["lc", "rc", "rr", "lr"],
                (ClickKind::Chord, 1) => &["lc", "rc", "lr", "rr"],
                (ClickKind::Chord, _) => &["mc", "mr"],
            };
            let time = (click.seconds * 1000.0).round() as u32;
            events.extend(names.iter().map(|&name| (time, name, click.cell)));
        }
        events
    }

    /// Returns the rows and columns of the mines.
    fn mines(&self) -> impl Iterator<Item = [u8; 2]> + '_ {
        let board = self.field.board();
        self.field.mine_cells().map(move |cell| {
            let (row, col) = board.row_col(cell);
            [row as u8, col as u8]
        })
    }

    fn mine_bits(&self) -> Vec<u8> {
        let is_mine = |row: usize, col: usize| self.field.is_mine(Cell((row * 8 + col) as u16));
        (0..8)
            .map(|row| (0..8).fold(0, |bits, col| bits << 1 | u8::from(is_mine(row, col))))
            .collect()
    }

    fn is_won(&self) -> bool {
        self.status == Status::Won
    }
}

/// Returns a pixel in a cell with sides of `square` pixels.
fn pixel(cell: Cell, square: u16) -> (u16, u16) {
    (cell.0 % 8 * square + 3, cell.0 / 8 * square + square - 1)
}

fn number(events: &[&str], name: &str) -> u8 {
    events.iter().position(|event| *event == name).unwrap() as u8 + 1
}

const NUMBERED: [&str; 7] = ["mv", "lc", "lr", "rc", "rr", "mc", "mr"];

fn avf(game: &Known) -> Vec<u8> {
    let mut bytes = vec![52, 9, 8, 7, 6, 3];
    bytes.extend(game.mines().flat_map(|[row, col]| [row + 1, col + 1]));
    bytes.extend(b"\x06\xd3\x8f\x08\x7f7[0|26.10.2022.23:13:27:2236|26.23:13:29:7764|B7T3.52]\x0b\x09\x0a\x0a");
    for (time, name, cell) in game.events(0) {
        let button = match name {
            "lc" => 3,
            "lr" => 5,
            "rc" => 9,
            "rr" => 17,
            "mc" => 33,
            _ => 65,
        };
        let ((x, y), second) = (pixel(cell, 16), time / 1000 + 1);
        let [x, y] = [x, y].map(u16::to_be_bytes);
        let [.., high, low] = second.to_be_bytes();
        bytes.extend([
            button,
            x[0],
            low,
            x[1],
            (time % 1000 / 10) as u8,
            y[0],
            high,
            y[1],
        ]);
    }
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend(b"0065cs=0123456789abcdef\rRealTime: 3.52\rSkin: 3.1\rAda\rMinesweeper Arbiter 0.52.3. Copyright");
    bytes
}

fn evf(game: &Known, version: u8) -> Vec<u8> {
    let square = 20;
    let mut bytes = vec![version, u8::from(game.is_won()) << 7];
    bytes.extend(vec![0; usize::from(version >= 3)]);
    bytes.extend([8, 8, 0, 10, square as u8, 0, 0, 0, 30]);
    if version == 4 {
        bytes.extend(b"\0\0\x10\x20XX0123456701234567Meta 3.2\0Ada\0race\0id\0\0\x02\0\x01");
    } else {
        bytes.extend(b"\0\x10\x20Meta 3.1\0Ada\0race\0id\x001\x002\0XX\0");
        bytes.extend(if version >= 2 { &b"uuid\0"[..] } else { b"" });
    }
    bytes.extend(game.mine_bits());
    bytes.extend(if version == 4 {
        &b"\0\x01metric\0"[..]
    } else {
        b""
    });
    let (mut before, mut last) = (0, (0, 0));
    for (time, name, cell) in game.events(0) {
        let (x, y) = pixel(cell, square);
        if version == 4 {
            let mut pause = time - before;
            if pause > 255 {
                bytes.push(255);
                bytes.extend((pause as u16).to_be_bytes());
                pause = 0;
            }
            bytes.extend([number(&NUMBERED, name), pause as u8]);
            bytes.extend((x as i16 - last.0).to_be_bytes());
            bytes.extend((y as i16 - last.1).to_be_bytes());
            // These bytes say that a cell shows a 1, that one metric is 0, and that another is "x".
            bytes.extend([101, 0, 2, 3]);
            bytes.extend(b"\xc8\0\x27\x100000\0\0\0\0\xc9\0\x27\x10x\0");
            (before, last) = (time, (x as i16, y as i16));
        } else {
            bytes.push(number(&NUMBERED, name));
            bytes.extend(&time.to_be_bytes()[1..]);
            bytes.extend([x, y].iter().flat_map(|pixel| pixel.to_be_bytes()));
        }
    }
    match version {
        4 => bytes.extend([82 + u8::from(!game.is_won()), 0, 0, 0, 0]),
        _ => bytes.push(255),
    }
    bytes
}

/// Returns the sizes and mines of an `.mvf` file; rows and columns are counted from `from`.
fn mvf_board(game: &Known, from: u8) -> Vec<u8> {
    let mut bytes = vec![8, 8, 0, 10];
    bytes.extend(game.mines().flat_map(|[row, col]| [col + from, row + from]));
    bytes
}

/// Returns which of the left, right and middle buttons are down after each event.
fn buttons(game: &Known) -> Vec<(u32, [bool; 3], Cell)> {
    let mut down = [false; 3];
    let event = |(time, name, cell): Event| {
        let button = ["l", "r", "m"]
            .iter()
            .position(|start| name.starts_with(start));
        down[button.unwrap()] = name.ends_with('c');
        (time, down, cell)
    };
    game.events(0).into_iter().map(event).collect()
}

fn mvf_old(game: &Known, end: &[u8]) -> Vec<u8> {
    let mut bytes = mvf_board(game, 0);
    bytes.extend([0, 0]);
    let records = buttons(game);
    for &(time, [left, right, middle], cell) in &records {
        let (x, y) = pixel(cell, 16);
        let down = u8::from(left) | u8::from(middle) << 1 | u8::from(right) << 2;
        bytes.extend([(time / 1000) as u8, (time % 1000 / 10) as u8, down]);
        bytes.extend([x, y].iter().flat_map(|pixel| pixel.to_be_bytes()));
        bytes.push(0);
    }
    let time = records.last().unwrap().0;
    bytes.extend([0, (time / 1000) as u8, (time % 1000 / 10) as u8]);
    bytes.extend(end);
    bytes
}

fn mvf(game: &Known, is_097: bool, key: u16) -> Vec<u8> {
    let mut bytes = b"\x11Minesweeper Clone".to_vec();
    let (years, version) = if is_097 {
        (b"\x092004-2005", &b"\x11version 0.97 beta"[..])
    } else {
        (b"\x092004-2007", &b"\x0e2007 release 2"[..])
    };
    bytes.extend(years);
    bytes.extend(b"\x18Rodrigo Silveira Camargo");
    bytes.extend(version);
    bytes.extend(b"???\x02\x03\x07\xd7\x01\x02\x03\x01\x01\0\x20\x10");
    if is_097 {
        bytes.extend([0, 30, 0, if game.is_won() { 30 } else { 29 }]);
        bytes.extend([0; 6]);
    }
    bytes.push(0);
    bytes.extend(mvf_board(game, 1));
    bytes.extend(b"\x03Ada");
    bytes.extend(key.to_be_bytes());
    let records = buttons(game);
    bytes.extend(&(records.len() as u32).to_be_bytes()[1..]);

    let key = f64::from(key);
    let (one, two) = (key.sqrt(), (key + 1000.0).sqrt());
    let (three, four) = ((one + 1000.0).sqrt(), (two + 1000.0).sqrt());
    let waves = [
        (three + 1000.0).cos(),
        two.sqrt().sin(),
        three.cos(),
        (one.sqrt() + 1000.0).sin(),
        four.cos(),
        four.sin(),
    ];
    let digits: String = waves[..if is_097 { 5 } else { 6 }]
        .iter()
        .map(|wave| format!("{:08}", (wave.abs() * 1e8).round() as u64)[..8].to_owned())
        .collect();
    let places: Vec<usize> = ('0'..='9')
        .flat_map(|digit| {
            digits
                .match_indices(digit)
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        })
        .collect();
    for (time, [left, right, middle], cell) in records {
        let (x, y) = pixel(cell, 16);
        let time = u64::from(time);
        let (width, margin, time) = if is_097 {
            (9, 0, (time % 1000 / 10) | ((time / 1000) << 7))
        } else {
            (11, 32, time)
        };
        let place = u64::from(y + margin) | u64::from(x + margin) << width | time << (2 * width);
        let bits = u64::from(right) | u64::from(middle) << 1 | u64::from(left) << 2 | place << 3;
        let mut record = vec![0_u8; digits.len() / 8];
        for (bit, &at) in places.iter().enumerate() {
            record[at / 8] |= ((bits >> bit & 1) as u8) << (at % 8);
        }
        bytes.extend(record);
    }
    bytes.extend([7; 20]);
    bytes
}

fn rmv(game: &Known, format: u8) -> Vec<u8> {
    let is_new = format == 2;
    let square = if is_new { 24 } else { 16 };
    let board: Vec<u8> = [0, 0, 0, 0].into_iter().chain(mvf_board(game, 0)).collect();
    let mut preflags = Vec::new();
    if !game.preflags.is_empty() {
        preflags.extend([0, game.preflags.len() as u8]);
        preflags.extend(
            game.preflags
                .iter()
                .flat_map(|cell| [cell.0 as u8 % 8, cell.0 as u8 / 8]),
        );
    }
    let properties: &[u8] = if is_new {
        &[0, 0, 0, 0, 30, 0, 24]
    } else {
        &[0, 0, 0, 0]
    };
    let events = rmv_events(game, is_new, square);
    let mut bytes = b"*rmv\0".to_vec();
    bytes.push(format);
    bytes.extend(if is_new { &[1, 5][..] } else { &[] });
    bytes.extend([0; 4]);
    bytes.extend(if is_new { &[][..] } else { &[0, 8] });
    let sizes = [29, 2 + 4 + 3, board.len(), preflags.len(), properties.len()];
    bytes.extend(sizes.iter().flat_map(|&size| (size as u16).to_be_bytes()));
    bytes.extend(if is_new { &[0, 2][..] } else { &[] });
    bytes.extend((events.len() as u32).to_be_bytes());
    bytes.extend([0, 3]);
    bytes.extend(if is_new { &b""[..] } else { b"\nNF:0##\n" });
    bytes.extend(b"Vienna Minesweeper Copyright.");
    bytes.extend(b"\0\x02\x03Ada\x02Ad");
    bytes.extend(&board);
    bytes.extend(&preflags);
    bytes.extend(properties);
    bytes.extend(if is_new { &[0, 0][..] } else { &[] });
    bytes.extend(events);
    bytes.extend(b"sum");
    bytes
}

/// Returns the events of a game as in an `.rmv` file, which begins with the release of the button
/// in the first click.
fn rmv_events(game: &Known, is_new: bool, square: u16) -> Vec<u8> {
    let corner = if is_new { (0, 0) } else { (12, 56) };
    let mut events = Vec::new();
    for (time, name, cell) in game.events(game.preflags.len()).into_iter().skip(1) {
        let (x, y) = pixel(cell, square);
        events.push(number(&NUMBERED, name));
        events.extend(&time.to_be_bytes()[1..]);
        events.push(1);
        events.extend((x + corner.0).to_be_bytes());
        events.extend((y + corner.1).to_be_bytes());
        // These bytes say that a cell shows a 1; the newer format also has a short mouse movement.
        events.extend([19, 2, 3]);
        events.extend(if is_new { &[28, 5, 0x1F][..] } else { &[] });
    }
    events.extend([if game.is_won() { 16 } else { 15 }, 0, 1, 0]);
    events
}

fn rawvf(game: &Known) -> Vec<u8> {
    let mut text = format!(
        "RawVF_Version: Rev6\r\nProgram: Test\r\nPlayer: Ada\r\nWidth: 8\r\nHeight: 8\r\nMines: 10\r\nMarks: Off\r\nBoard:\r\n{}\r\nEvents:\r\n0.000 start\r\n",
        game.field
            .to_string()
            .trim_end()
            .replace('.', "0")
            .replace('\n', "\r\n")
    );
    for (time, name, cell) in game.events(0) {
        let (x, y) = pixel(cell, 16);
        text += &format!("{}.{:03} mv ({x} {y})\r\n", time / 1000, time % 1000);
        text += &format!(
            "{}.{:03} {name} {} {} ({x} {y}) (l)\r\nnumber1 3 4\r\n",
            time / 1000,
            time % 1000,
            x / 16 + 1,
            y / 16 + 1
        );
    }
    text += if game.is_won() {
        "won\r\n"
    } else {
        "1.000 boom\r\n"
    };
    text.into_bytes()
}

/// The format and the bytes of a file, and the player and the result that the file contains.
type File = (Format, Vec<u8>, Option<&'static str>, Option<bool>);

/// Returns the files of a game, one for each variant of each format. A result is given only for
/// formats that record it.
fn files(game: &Known, key: u16) -> Vec<File> {
    let (ada, won) = (Some(PLAYER), game.is_won());
    let mut named = [b' '; 122];
    named[..3].copy_from_slice(b"Ada");
    named[100..].fill(0);
    let mut spaced = named[..110].to_vec();
    spaced[100..].fill(b'7');
    let mut files = vec![
        (Format::Avf, avf(game), ada, None),
        (Format::Mvf, mvf_old(game, &named), ada, None),
        (Format::Mvf, mvf_old(game, &spaced), ada, None),
        (Format::Mvf, mvf_old(game, b"1234567890"), None, None),
        (Format::Mvf, mvf(game, true, key), ada, Some(won)),
        (Format::Mvf, mvf(game, false, key), ada, None),
        (Format::Rmv, rmv(game, 1), ada, Some(won)),
        (Format::Rmv, rmv(game, 2), ada, Some(won)),
        (Format::RawVf, rawvf(game), ada, Some(won)),
        (Format::Evf, evf(game, 4), ada, Some(won)),
    ];
    let stated = won.then_some(true);
    files.extend((0..4).map(|version| (Format::Evf, evf(game, version), ada, stated)));
    files
}

fn assert_same(read: &Replay, known: &Replay) {
    assert_eq!(
        (read.format, &read.player, read.won),
        (known.format, &known.player, known.won)
    );
    assert_eq!(read.field.to_string(), known.field.to_string());
    let format = read.format;
    assert_eq!(read.clicks.len(), known.clicks.len(), "{format}");
    for (read, known) in read.clicks.iter().zip(&known.clicks) {
        assert_eq!((read.kind, read.cell), (known.kind, known.cell), "{format}");
        assert!(
            (read.seconds - known.seconds).abs() < 1e-9,
            "{format}: {read:?} {known:?}"
        );
    }
}

fn game() -> impl Strategy<Value = Known> {
    let cells: Vec<Cell> = (0..64).map(Cell).collect();
    let cell = (0_u16..64).prop_map(Cell);
    let kind = prop_oneof![
        4 => Just(ClickKind::Open),
        4 => Just(ClickKind::Flag),
        1 => Just(ClickKind::Unflag),
        4 => Just(ClickKind::Chord),
    ];
    (
        Just(cells).prop_shuffle(),
        prop::collection::vec(cell.clone(), 0..4),
        prop::collection::vec((kind, cell), 0..60),
        any::<bool>(),
    )
        .prop_map(|(cells, preflags, wanted, is_careful)| {
            let (mines, safe) = cells.split_at(10);
            // A careful player hits no mine and wins in the end: this player flags mines only, and
            // opens all safe cells last.
            let preflags: Vec<Cell> = if is_careful { Vec::new() } else { preflags };
            let mut wanted = wanted;
            if is_careful {
                wanted.retain_mut(|(kind, cell)| match kind {
                    ClickKind::Open => !mines.contains(cell),
                    ClickKind::Flag => {
                        *cell = mines[cell.index() % 10];
                        true
                    }
                    _ => *kind == ClickKind::Chord,
                });
                wanted.extend(safe.iter().map(|&cell| (ClickKind::Open, cell)));
            }
            Known::new(mines, safe[0], &preflags, &wanted)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_comes_back_from_every_format(game in game(), key: u16) {
        for (format, bytes, player, won) in files(&game, key) {
            // Files of an abandoned game have no end event; they state that the game was not won.
            let read = replay::read(&bytes).unwrap();
            assert_same(&read, &game.replay(format, player, won));
            prop_assert_eq!(read.play().unwrap().status, game.status);
        }
    }
}

/// Returns a won game with every kind of click.
fn known() -> Known {
    let mines: Vec<Cell> = [7, 15, 23, 31, 39, 47, 55, 63, 62, 61].map(Cell).into();
    let wanted = [
        (ClickKind::Flag, Cell(15)),
        (ClickKind::Unflag, Cell(15)),
        (ClickKind::Open, Cell(9)),
        (ClickKind::Chord, Cell(6)),
    ];
    let game = Known::new(
        &mines,
        Cell(0),
        &[Cell(7), Cell(30)],
        &[
            &wanted[..],
            &[(ClickKind::Unflag, Cell(30)), (ClickKind::Open, Cell(30))],
        ]
        .concat(),
    );
    assert_eq!((game.status, game.clicks.len()), (Status::Won, 9));
    game
}

#[test]
fn saved_games_and_board_files_are_replays_too() {
    let rules = ("9x9/10".parse().unwrap(), FirstClick::Opening);
    let player: mineflow_minesweeper::player::PlayerSpec = "7.0".parse().unwrap();
    let kept = SavedGame::play(
        (&player.name, &mut *player.build()),
        rules,
        (1, 0),
        None,
        &mut Budget::unlimited(),
    )
    .unwrap();
    let line = kept.line();
    let read = replay::read(line.as_bytes()).unwrap();
    let text = replay::read(kept.rawvf().as_bytes()).unwrap();
    assert_eq!(
        (read.format, read.first_click),
        (Format::Kept, FirstClick::Opening)
    );
    assert_eq!(
        (text.format, text.player.as_deref()),
        (Format::RawVf, Some("7.0"))
    );
    let status = |replay: &Replay| replay.play().unwrap().status;
    assert_eq!(status(&read), status(&text));
    let error = replay::read(format!("{line}\n{line}\n").as_bytes()).unwrap_err();
    assert!(
        matches!(error, ReplayError::Kept(KeptError::Several(2))),
        "{error}"
    );
    // The first byte of a board file is its width, which may equal a version of Metasweeper
    // replays.
    for field in [kept.field.clone(), "..*\n*..".parse().unwrap()] {
        let board = replay::read(&mbf::write(&field).unwrap()).unwrap();
        assert_eq!((board.format, board.clicks.len()), (Format::Mbf, 0));
        assert_eq!(board.field.to_string(), field.to_string());
    }
}

/// Returns the clicks that these events make on a row of five cells with a mine in the middle, as
/// letters and cells, and the final status. An event is the name of the event and a column, such as
/// `lc2`.
fn clicks(marks: &str, events: &str) -> (String, Status) {
    let mut text = format!("Marks: {marks}\nBoard:\n00*00\n");
    for event in events.split_whitespace() {
        let (name, col) = event.split_at(2);
        text += &format!(
            "0.000 {name} ({} 8)\n",
            col.parse::<i32>().unwrap() * 16 + 8
        );
    }
    let replay = replay::read(text.as_bytes()).unwrap();
    let letter = |click: &Click| {
        let letter = match click.kind {
            ClickKind::Open => 'o',
            ClickKind::Flag => 'f',
            ClickKind::Unflag => 'u',
            ClickKind::Chord => 'c',
        };
        format!("{letter}{}", click.cell.0)
    };
    let clicks: Vec<String> = replay.clicks.iter().map(letter).collect();
    (clicks.join(" "), replay.play().unwrap().status)
}

#[test]
fn mouse_buttons_make_clicks_as_in_the_original_programs() {
    use Status::{Lost, Playing, Won};
    for (marks, events, expected, status) in [
        // A click applies to the cell where the button is released. A release off the board has no
        // effect.
        ("Off", "lc2 mv1 lr0", "o0", Playing),
        ("Off", "lc0 lr-1 lc0 lr5", "", Playing),
        // A release without a press has no effect.
        ("Off", "lr0 rr0 mr0", "", Playing),
        // A flag protects its cell until the flag is removed.
        ("Off", "rc2 rr2 lc2 lr2", "f2 o2", Playing),
        ("Off", "rc2 rr2 rc2 rr2 lc2 lr2", "f2 u2 o2", Lost),
        // With question marks, a third right click is needed before the cell can be flagged again.
        ("On", "rc2 rr2 rc2 rr2 rc2 rr2 rc2", "f2 u2 f2", Playing),
        // Both buttons together make a chord; the left button, released last, opens nothing.
        (
            "Off",
            "rc2 rr2 lc0 lr0 lc1 rc1 rr1 lr3",
            "f2 o0 c1",
            Playing,
        ),
        // One press of the right button can make a flag and then, with the left button, a chord.
        ("Off", "lc1 lr1 rc2 lc2 mv1 lr1 rr1", "o1 f2 c1", Playing),
        // The middle button makes a chord, and so does the left button with the shift key.
        (
            "Off",
            "lc0 lr0 rc2 rr2 mc1 mr1 sc1 lr1",
            "o0 f2 c1 c1",
            Playing,
        ),
        // A chord with a wrong flag loses the game, and later events are not part of the game.
        ("Off", "lc1 lr1 rc0 rr0 mc1 mr1 lc3 lr3", "o1 f0 c1", Lost),
        // Opening a zero does not open flagged neighbours.
        ("Off", "rc1 rr1 lc0 lr0 lc4 lr4", "f1 o0 o4", Playing),
        ("Off", "lc0 lr0 lc4 lr4 lc2 lr2", "o0 o4", Won),
    ] {
        assert_eq!(
            clicks(marks, events),
            (expected.to_owned(), status),
            "{events}"
        );
    }
}

#[test]
fn a_chord_opens_all_its_safe_cells_beside_a_mine() {
    let text = "Board:\n000\n0*0\n000\nEvents:\n0 lc (8 8)\n0 lr (8 8)\n0 rc (24 8)\n0 rr (24 8)\n1 mc (8 8)\n1 mr (8 8)\n";
    let play = replay::read(text.as_bytes()).unwrap().play().unwrap();
    let last = play.moves.last().unwrap();
    assert_eq!(
        (last.opened.as_slice(), last.mine),
        (&[Cell(3)][..], Some(Cell(4)))
    );
    assert_eq!(play.status, Status::Lost);
}

#[test]
fn invalid_replays_are_refused_with_the_place() {
    let changed = |mut bytes: Vec<u8>, at: usize, byte: u8| {
        bytes[at] = byte;
        bytes
    };
    let game = known();
    let set = |game: &[u8]| {
        let length = (game.len() as u32).to_be_bytes();
        let one = [b"game.evf\0", &length[..], game, &[7; 32]].concat();
        [&[0, 0, 32], &one[..], &one[..]].concat()
    };
    let text = String::from_utf8(rawvf(&game)).unwrap();
    let avf_end = avf(&game).len() - 200;
    for (bytes, words) in [
        (Vec::new(), "0 bytes are no replay"),
        (vec![0; MAX_BYTES + 1], "at most 16777216"),
        (b"\x7fELF\x02\x01\x01\0".to_vec(), "8 bytes are no replay"),
        (
            avf(&game)[..avf_end].to_vec(),
            "in the middle of the events",
        ),
        (
            changed(avf(&game), 6, 0),
            "damaged at byte 6: mine 1 (0, 8) is off the 8 x 8 board",
        ),
        (
            changed(rmv(&game, 2), 5, 3),
            "format 3 of the Viennasweeper replay",
        ),
        (
            changed(evf(&game, 4), 0, 5),
            "version 5 of the Metasweeper replay (.evf) is not supported",
        ),
        (set(&evf(&game, 4)), "a set of Metasweeper replays (.evfs)"),
        (changed(evf(&game, 3), 9, 12), "other rules (game mode 12)"),
        (changed(evf(&game, 3), 7, 0), "a side of 0 pixels"),
        (changed(evf(&game, 0), 5, 11), "where the header says"),
        (
            text.replace("Mines: 10", "Mines: 11").into_bytes(),
            "line 8 of the RawVF text: a board with 10 mines",
        ),
        (
            text.replace(" lc ", " xx ").into_bytes(),
            "`xx` is no event",
        ),
        (
            text.replace("Marks: Off", "SuperClick: On").into_bytes(),
            "superclick: On",
        ),
    ] {
        let error = replay::read(&bytes).expect_err(words).to_string();
        assert_has(&error, words);
    }
    let wrong = replay::read(&text.replace("won", "boom").into_bytes()).unwrap();
    let error = wrong.play().unwrap_err().to_string();
    assert_has(&error, "says that the game was not won");
}

#[test]
fn more_clicks_than_a_human_makes_are_refused() {
    let mut bytes = evf(&known(), 0);
    let first = bytes.len() - 1 - 8 * known().events(0).len();
    bytes.truncate(first);
    // Each event pair presses and releases the right button over the first cell.
    for _ in 0..=MAX_CLICKS {
        bytes.extend([4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
    }
    bytes.push(255);
    let error = replay::read(&bytes).unwrap_err();
    let format = Format::Evf;
    assert!(
        matches!(error, ReplayError::TooManyClicks { format: found } if found == format),
        "{error}"
    );
}

/// Reads and plays arbitrary bytes.
fn attempt(bytes: &[u8]) {
    if let Ok(replay) = replay::read(bytes) {
        assert!(replay.clicks.len() <= bytes.len());
        let _ = replay.play();
    }
}

#[test]
fn no_truncated_or_changed_file_panics() {
    let game = known();
    let mut rng = Seed::new(1).rng();
    for (_, bytes, ..) in files(&game, 48_626) {
        for end in 0..bytes.len() {
            attempt(&bytes[..end]);
        }
        let mut changed = bytes.clone();
        for _ in 0..20_000 {
            let flips = rng.random_range(1_u32..5);
            for _ in 0..flips {
                let at = rng.random_range(0..bytes.len() as u32) as usize;
                changed[at] = rng.random_range(0_u32..256) as u8;
            }
            attempt(&changed);
            changed.copy_from_slice(&bytes);
        }
    }
}
