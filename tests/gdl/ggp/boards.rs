//! Reference implementations of board games, with which the tests compare the rule sheets in `pipelines/ggp`.

use super::Rules;
use super::dice::{noop, number, words};

fn numbers(action: &str) -> Vec<usize> {
    words(action)[1..].iter().map(|word| number(word)).collect()
}

/// Connect Four. Roles: white, red.
pub struct ConnectFour {
    columns: [Vec<usize>; 7],
    turn: usize,
}

impl ConnectFour {
    pub const fn new() -> Self {
        Self {
            columns: [const { Vec::new() }; 7],
            turn: 0,
        }
    }

    fn has_line(&self, player: usize) -> bool {
        let at = |c: i32, r: i32| {
            usize::try_from(c)
                .ok()
                .and_then(|c| self.columns.get(c)?.get(usize::try_from(r).ok()?))
                == Some(&player)
        };
        let cells = (0..7).flat_map(|c| (0..6).map(move |r| (c, r)));
        let line =
            |c: i32, r: i32, (dc, dr): (i32, i32)| (0..4).all(|i| at(c + i * dc, r + i * dr));
        cells.into_iter().any(|(c, r)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .into_iter()
                .any(|d| line(c, r, d))
        })
    }
}

impl Rules for ConnectFour {
    fn legal(&self, role: usize) -> Vec<String> {
        if role != self.turn {
            return noop();
        }
        (0..7)
            .filter(|&c| self.columns[c].len() < 6)
            .map(|c| format!("(drop {})", c + 1))
            .collect()
    }

    fn step(&mut self, joint: &[String]) {
        self.columns[numbers(&joint[self.turn])[0] - 1].push(self.turn);
        self.turn = 1 - self.turn;
    }

    fn is_terminal(&self) -> bool {
        self.has_line(0) || self.has_line(1) || self.columns.iter().all(|column| column.len() == 6)
    }

    fn goals(&self) -> Vec<u8> {
        match (self.has_line(0), self.has_line(1)) {
            (true, _) => vec![100, 0],
            (_, true) => vec![0, 100],
            _ => vec![50, 50],
        }
    }
}

/// Hex. Roles: red, blue.
pub struct Hex {
    cells: [[Option<usize>; 9]; 9],
    turn: usize,
}

impl Hex {
    pub const fn new() -> Self {
        Self {
            cells: [[None; 9]; 9],
            turn: 0,
        }
    }

    /// Returns whether the player has connected both edges, by flood fill from the player's first edge.
    fn has_joined(&self, player: usize) -> bool {
        let mut open: Vec<(usize, usize)> = (0..9)
            .map(|i| if player == 0 { (0, i) } else { (i, 0) })
            .collect();
        let mut seen = [[false; 9]; 9];
        while let Some((r, c)) = open.pop() {
            if r > 8 || c > 8 || seen[r][c] || self.cells[r][c] != Some(player) {
                continue;
            }
            seen[r][c] = true;
            if [r, c][player] == 8 {
                return true;
            }
            open.extend([
                (r, c + 1),
                (r, c.wrapping_sub(1)),
                (r + 1, c),
                (r.wrapping_sub(1), c),
            ]);
            open.extend([(r.wrapping_sub(1), c + 1), (r + 1, c.wrapping_sub(1))]);
        }
        false
    }
}

impl Rules for Hex {
    fn legal(&self, role: usize) -> Vec<String> {
        if role != self.turn {
            return noop();
        }
        let free = (0..81).filter(|i| self.cells[i / 9][i % 9].is_none());
        free.map(|i| format!("(place {} {})", i / 9 + 1, i % 9 + 1))
            .collect()
    }

    fn step(&mut self, joint: &[String]) {
        let cell = numbers(&joint[self.turn]);
        self.cells[cell[0] - 1][cell[1] - 1] = Some(self.turn);
        self.turn = 1 - self.turn;
    }

    fn is_terminal(&self) -> bool {
        self.has_joined(0) || self.has_joined(1)
    }

    fn goals(&self) -> Vec<u8> {
        (0..2)
            .map(|player| if self.has_joined(player) { 100 } else { 0 })
            .collect()
    }
}

/// Awale. Roles: south, north.
pub struct Awale {
    pits: [usize; 12],
    captured: [usize; 2],
    turn: usize,
    time: usize,
}

impl Awale {
    pub const fn new() -> Self {
        Self {
            pits: [4; 12],
            captured: [0; 2],
            turn: 0,
            time: 0,
        }
    }

    fn side(&self, player: usize) -> usize {
        self.pits[6 * player..6 * player + 6].iter().sum()
    }

    fn moves(&self) -> Vec<usize> {
        let hungry = self.side(1 - self.turn) == 0;
        let reaches = |pit: usize| self.pits[pit] >= 6 * (self.turn + 1) - pit;
        let own = 6 * self.turn..6 * self.turn + 6;
        own.filter(|&pit| self.pits[pit] > 0 && (!hungry || reaches(pit)))
            .collect()
    }

    fn is_decided(&self) -> bool {
        self.captured.iter().any(|&n| n > 24)
    }
}

impl Rules for Awale {
    fn legal(&self, role: usize) -> Vec<String> {
        if role != self.turn {
            return noop();
        }
        self.moves()
            .iter()
            .map(|pit| format!("(sow {})", pit + 1))
            .collect()
    }

    fn step(&mut self, joint: &[String]) {
        let origin = numbers(&joint[self.turn])[0] - 1;
        let mut at = origin;
        for _ in 0..std::mem::take(&mut self.pits[origin]) {
            at = (at + 1) % 12;
            if at == origin {
                at = (at + 1) % 12;
            }
            self.pits[at] += 1;
        }
        let sown = (self.pits, self.captured);
        while at / 6 != self.turn && matches!(self.pits[at], 2 | 3) {
            self.captured[self.turn] += std::mem::take(&mut self.pits[at]);
            at = (at + 11) % 12;
        }
        if self.side(1 - self.turn) == 0 {
            // A grand slam captures nothing.
            (self.pits, self.captured) = sown;
        }
        self.turn = 1 - self.turn;
        self.time += 1;
    }

    fn is_terminal(&self) -> bool {
        self.is_decided() || self.time == 150 || self.moves().is_empty()
    }

    fn goals(&self) -> Vec<u8> {
        let mut points = self.captured;
        if !self.is_decided() && self.time < 150 {
            points[0] += self.side(0);
            points[1] += self.side(1);
        }
        super::dice::win_or_draw(points[0], points[1])
    }
}

/// Checkers. Roles: black, white. Multiple jumps are played one at a time.
pub struct Checkers {
    /// The owner of each piece, and whether the piece is a king.
    cells: [[Option<(usize, bool)>; 9]; 9],
    jumping: Option<(usize, usize)>,
    turn: usize,
    time: usize,
}

impl Checkers {
    pub fn new() -> Self {
        let mut cells = [[None; 9]; 9];
        for (x, y) in (1..9)
            .flat_map(|x| (1..9).map(move |y| (x, y)))
            .filter(|(x, y)| (x + y) % 2 == 0)
        {
            cells[x][y] = match y {
                1..=3 => Some((0, false)),
                6..=8 => Some((1, false)),
                _ => None,
            };
        }
        Self {
            cells,
            jumping: None,
            turn: 0,
            time: 0,
        }
    }

    fn at(&self, (x, y): (i32, i32)) -> Option<Option<(usize, bool)>> {
        ((1..9).contains(&x) && (1..9).contains(&y)).then(|| self.cells[x as usize][y as usize])
    }

    /// Returns the jumps of the player to move if `jumps` is true, otherwise the steps.
    fn moves(&self, jumps: bool) -> Vec<[i32; 4]> {
        let mut all = Vec::new();
        for (x, y) in (1..9).flat_map(|x| (1..9).map(move |y| (x, y))) {
            let Some(Some((owner, king))) = self.at((x, y)) else {
                continue;
            };
            let forward = if self.turn == 0 { 1 } else { -1 };
            for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let fits = owner == self.turn && (king || dy == forward);
                if fits && !jumps && self.at((x + dx, y + dy)) == Some(None) {
                    all.push([x, y, x + dx, y + dy]);
                }
                let over = self
                    .at((x + dx, y + dy))
                    .flatten()
                    .is_some_and(|(owner, _)| owner != self.turn);
                if fits && jumps && over && self.at((x + 2 * dx, y + 2 * dy)) == Some(None) {
                    all.push([x, y, x + 2 * dx, y + 2 * dy]);
                }
            }
        }
        if let Some((x, y)) = self.jumping {
            all.retain(|m| (m[0], m[1]) == (x as i32, y as i32));
        }
        all
    }
}

impl Rules for Checkers {
    fn legal(&self, role: usize) -> Vec<String> {
        if role != self.turn {
            return noop();
        }
        let jumps = self.moves(true);
        let (word, moves) = if jumps.is_empty() {
            ("move", self.moves(false))
        } else {
            ("jump", jumps)
        };
        moves
            .iter()
            .map(|[x, y, u, v]| format!("({word} {x} {y} {u} {v})"))
            .collect()
    }

    fn step(&mut self, joint: &[String]) {
        let action = &joint[self.turn];
        let [x, y, u, v] = numbers(action)[..] else {
            panic!("four numbers")
        };
        let (owner, king) = self.cells[x][y].take().expect("a piece moves");
        let crowned = !king && v == [8, 1][owner];
        self.cells[u][v] = Some((owner, king || crowned));
        self.time += 1;
        self.jumping = None;
        if action.starts_with("(jump") {
            self.cells[(x + u) / 2][(y + v) / 2] = None;
            self.jumping = Some((u, v));
            if !crowned && !self.moves(true).is_empty() {
                return;
            }
            self.jumping = None;
        }
        self.turn = 1 - self.turn;
    }

    fn is_terminal(&self) -> bool {
        self.time == 150 || self.moves(true).is_empty() && self.moves(false).is_empty()
    }

    fn goals(&self) -> Vec<u8> {
        if self.moves(true).is_empty() && self.moves(false).is_empty() {
            return if self.turn == 0 {
                vec![0, 100]
            } else {
                vec![100, 0]
            };
        }
        vec![50, 50]
    }
}

/// Chinese Checkers. Roles: red, green, blue, on a star with triangles of three rows, in cube coordinates (q, r, -q - r).
pub struct ChineseCheckers {
    pieces: Vec<(i32, i32, usize)>,
    hopping: Option<Cell>,
    turn: usize,
    time: usize,
}

type Cell = (i32, i32);
/// A move: whether it is a hop, its origin, and its target.
type Hop = (bool, Cell, Cell);

/// Returns the coordinate of a cell along a player's direction of play.
const fn along(player: usize, (q, r): Cell) -> i32 {
    match player {
        0 => q,
        1 => r,
        _ => -q - r,
    }
}

fn in_star(cell: Cell) -> bool {
    let cube = [0, 1, 2].map(|player| along(player, cell));
    cube.iter().all(|&n| n <= 4) || cube.iter().all(|&n| n >= -4)
}

impl ChineseCheckers {
    pub fn new() -> Self {
        let cells = (-8..9).flat_map(|q| (-8..9).map(move |r| (q, r)));
        let start = |cell: Cell| {
            (0..3)
                .find(|&player| along(player, cell) < -4)
                .map(|p| (cell.0, cell.1, p))
        };
        Self {
            pieces: cells
                .filter(|&cell| in_star(cell))
                .filter_map(start)
                .collect(),
            hopping: None,
            turn: 0,
            time: 0,
        }
    }

    fn taken(&self, cell: Cell) -> bool {
        self.pieces.iter().any(|&(q, r, _)| (q, r) == cell)
    }

    /// Returns the legal moves of the player to move.
    fn moves(&self) -> Vec<Hop> {
        let mut all = Vec::new();
        for &(q, r, player) in &self.pieces {
            for (dq, dr) in [(1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1)] {
                let (near, far) = ((q + dq, r + dr), (q + 2 * dq, r + 2 * dr));
                if player != self.turn {
                    continue;
                }
                if in_star(near) && !self.taken(near) {
                    all.push((false, (q, r), near));
                }
                if self.taken(near) && in_star(far) && !self.taken(far) {
                    all.push((true, (q, r), far));
                }
            }
        }
        if let Some(cell) = self.hopping {
            all.retain(|&(hop, from, _)| hop && from == cell);
        }
        all
    }

    fn arrived(&self, player: usize) -> usize {
        self.pieces
            .iter()
            .filter(|&&(q, r, owner)| owner == player && along(player, (q, r)) > 4)
            .count()
    }
}

impl Rules for ChineseCheckers {
    fn legal(&self, role: usize) -> Vec<String> {
        if role != self.turn {
            return noop();
        }
        let text = |&(hop, from, to): &Hop| {
            let word = if hop { "hop" } else { "move" };
            format!(
                "({word} {} {} {} {})",
                from.0 + 9,
                from.1 + 9,
                to.0 + 9,
                to.1 + 9
            )
        };
        let mut all: Vec<_> = self.moves().iter().map(text).collect();
        if self.hopping.is_some() || all.is_empty() {
            all.push("stop".to_owned());
        }
        all
    }

    fn step(&mut self, joint: &[String]) {
        let action = &joint[self.turn];
        self.time += 1;
        self.hopping = None;
        if action != "stop" {
            let [x, y, u, v] = numbers(action)[..] else {
                panic!("four numbers")
            };
            let cell = |x: usize, y: usize| (x as i32 - 9, y as i32 - 9);
            let piece = self
                .pieces
                .iter_mut()
                .find(|piece| (piece.0, piece.1) == cell(x, y))
                .expect("a piece moves");
            (piece.0, piece.1) = cell(u, v);
            if action.starts_with("(hop") {
                self.hopping = Some(cell(u, v));
                return;
            }
        }
        self.turn = (self.turn + 1) % 3;
    }

    fn is_terminal(&self) -> bool {
        self.time == 400 || (0..3).any(|player| self.arrived(player) == 10)
    }

    fn goals(&self) -> Vec<u8> {
        let won = (0..3).any(|player| self.arrived(player) == 10);
        let points = |player: usize| match self.arrived(player) {
            10 => 100,
            _ if won => 0,
            arrived => 10 * arrived as u8,
        };
        (0..3).map(points).collect()
    }
}
