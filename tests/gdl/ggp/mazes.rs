//! Reference implementations of games with simultaneous moves in mazes, with which the tests compare the rule sheets in `pipelines/ggp`.

use super::Rules;
use super::dice::words;

type Cell = (i32, i32);

fn towards((x, y): Cell, direction: &str) -> Cell {
    match direction {
        "north" => (x, y + 1),
        "south" => (x, y - 1),
        "east" => (x + 1, y),
        "west" => (x - 1, y),
        _ => (x, y),
    }
}

const WAYS: [&str; 4] = ["north", "east", "south", "west"];

/// Bomberman. Roles: red, blue, random.
pub struct Bomberman {
    players: [Option<Cell>; 2],
    monster: Option<Cell>,
    crates: Vec<Cell>,
    /// The cell of each bomb, and the number of steps until the bomb explodes.
    bombs: Vec<(Cell, usize)>,
    time: usize,
}

impl Bomberman {
    pub fn new() -> Self {
        let crates = [
            (4, 1),
            (1, 4),
            (4, 7),
            (7, 4),
            (3, 4),
            (4, 3),
            (5, 4),
            (4, 5),
            (3, 3),
            (5, 5),
            (3, 5),
            (5, 3),
        ];
        Self {
            players: [Some((1, 1)), Some((7, 7))],
            monster: Some((1, 7)),
            crates: crates.to_vec(),
            bombs: Vec::new(),
            time: 0,
        }
    }

    fn is_cell((x, y): Cell) -> bool {
        (1..8).contains(&x) && (1..8).contains(&y) && (x % 2 == 1 || y % 2 == 1)
    }

    fn goes(&self, from: Cell) -> Vec<String> {
        let ways = WAYS.into_iter().chain(["stay"]);
        let free = |cell: Cell| Self::is_cell(cell) && !self.crates.contains(&cell);
        ways.filter(|way| free(towards(from, way)))
            .map(|way| format!("(go {way})"))
            .collect()
    }

    fn flames(&self) -> Vec<Cell> {
        let mut flames = Vec::new();
        for &(bomb, fuse) in &self.bombs {
            if fuse != 1 {
                continue;
            }
            flames.push(bomb);
            for way in WAYS {
                let mut at = bomb;
                for _ in 0..2 {
                    at = towards(at, way);
                    if !Self::is_cell(at) {
                        break;
                    }
                    flames.push(at);
                    if self.crates.contains(&at) {
                        break;
                    }
                }
            }
        }
        flames
    }
}

impl Rules for Bomberman {
    fn legal(&self, role: usize) -> Vec<String> {
        if role == 2 {
            return self
                .monster
                .map_or_else(|| vec!["noop".to_owned()], |at| self.goes(at));
        }
        let at = self.players[role].expect("both live while the game goes on");
        let mut all = self.goes(at);
        if !self.bombs.iter().any(|&(bomb, _)| bomb == at) {
            all.push("drop".to_owned());
        }
        all
    }

    fn step(&mut self, joint: &[String]) {
        let flames = self.flames();
        self.bombs.retain_mut(|(_, fuse)| {
            *fuse -= 1;
            *fuse > 0
        });
        let after = |at: Cell, action: &str| {
            if action == "drop" {
                at
            } else {
                towards(at, words(action)[1])
            }
        };
        let monster = self.monster.map(|at| after(at, &joint[2]));
        for (player, action) in self.players.iter_mut().zip(joint) {
            let at = player.expect("both live while the game goes on");
            if action == "drop" {
                self.bombs.push((at, 3));
            }
            *player =
                Some(after(at, action)).filter(|at| !flames.contains(at) && monster != Some(*at));
        }
        self.monster = monster.filter(|at| !flames.contains(at));
        self.crates.retain(|at| !flames.contains(at));
        self.time += 1;
    }

    fn is_terminal(&self) -> bool {
        self.time == 40 || self.players.contains(&None)
    }

    fn goals(&self) -> Vec<u8> {
        match self.players {
            [Some(_), None] => vec![100, 0],
            [None, Some(_)] => vec![0, 100],
            _ => vec![50, 50],
        }
    }
}

const MAZE: [&str; 8] = [
    "........", ".##.##..", ".#...#.#", "...#....", ".#.##.#.", ".#....#.", "...##...", ".#....#.",
];

/// Pac-Man. Roles: pacman, ghosts, random.
pub struct Pacman {
    pacman: Cell,
    ghosts: [Cell; 4],
    dots: Vec<Cell>,
    all_dots: usize,
    caught: bool,
    time: usize,
}

fn is_free((x, y): Cell) -> bool {
    let row = usize::try_from(8 - y).ok().and_then(|row| MAZE.get(row));
    let column = usize::try_from(x - 1).ok();
    row.zip(column)
        .and_then(|(row, column)| row.as_bytes().get(column))
        == Some(&b'.')
}

fn ways(from: Cell) -> Vec<&'static str> {
    WAYS.into_iter()
        .filter(|way| is_free(towards(from, way)))
        .collect()
}

impl Pacman {
    pub fn new() -> Self {
        let pacman = (4, 1);
        let cells = (1..9).flat_map(|x| (1..9).map(move |y| (x, y)));
        let dots: Vec<_> = cells
            .filter(|&cell| is_free(cell) && cell != pacman)
            .collect();
        let all_dots = dots.len();
        Self {
            pacman,
            ghosts: [(1, 8), (8, 8), (1, 1), (8, 1)],
            dots,
            all_dots,
            caught: false,
            time: 0,
        }
    }
}

impl Rules for Pacman {
    fn legal(&self, role: usize) -> Vec<String> {
        if role == 0 {
            return ways(self.pacman)
                .iter()
                .map(|way| format!("(go {way})"))
                .collect();
        }
        let [first, second] = [self.ghosts[2 * role - 2], self.ghosts[2 * role - 1]];
        let pair = |one: &str| {
            ways(second)
                .iter()
                .map(move |other| format!("(go {one} {other})"))
                .collect::<Vec<_>>()
        };
        ways(first).into_iter().flat_map(pair).collect()
    }

    fn step(&mut self, joint: &[String]) {
        let old = self.pacman;
        self.pacman = towards(old, words(&joint[0])[1]);
        for (ghost, at) in self.ghosts.iter_mut().enumerate() {
            let before = *at;
            *at = towards(before, words(&joint[1 + ghost / 2])[1 + ghost % 2]);
            self.caught |= *at == self.pacman || *at == old && before == self.pacman;
        }
        self.dots.retain(|&dot| dot != self.pacman);
        self.time += 1;
    }

    fn is_terminal(&self) -> bool {
        self.caught || self.time == 60 || self.dots.is_empty()
    }

    fn goals(&self) -> Vec<u8> {
        let eaten = self.all_dots - self.dots.len();
        let points = 25 * (4 * eaten / self.all_dots) as u8;
        vec![points, 100 - points]
    }
}
