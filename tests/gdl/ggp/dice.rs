//! Reference implementations of dice games, with which the tests compare the rule sheets in `pipelines/ggp`.

use super::Rules;

pub fn noop() -> Vec<String> {
    vec!["noop".to_owned()]
}

/// Returns the words of an action: `(roll 1 2)` is `["roll", "1", "2"]`.
pub fn words(action: &str) -> Vec<&str> {
    action.trim_matches(['(', ')']).split(' ').collect()
}

pub fn number(word: &str) -> usize {
    word.parse().expect("it is a number")
}

pub fn win_or_draw(one: usize, other: usize) -> Vec<u8> {
    match one.cmp(&other) {
        std::cmp::Ordering::Greater => vec![100, 0],
        std::cmp::Ordering::Less => vec![0, 100],
        std::cmp::Ordering::Equal => vec![50, 50],
    }
}

const TREES: [&str; 4] = ["apple", "cherry", "pear", "plum"];

/// Orchard. Roles: anna, ben, random.
pub struct Orchard {
    fruits: [usize; 4],
    pieces: usize,
    turn: usize,
    rolling: bool,
}

impl Orchard {
    pub const fn new() -> Self {
        Self {
            fruits: [10; 4],
            pieces: 0,
            turn: 0,
            rolling: true,
        }
    }
}

impl Rules for Orchard {
    fn legal(&self, role: usize) -> Vec<String> {
        if self.rolling {
            let faces = TREES
                .into_iter()
                .chain(["basket", "raven"])
                .map(|face| format!("(roll {face})"));
            return if role == 2 { faces.collect() } else { noop() };
        }
        if role != self.turn {
            return noop();
        }
        let mut all = Vec::new();
        for one in 0..4 {
            for other in one..4 {
                let mut left = self.fruits.map(|n| n as i32);
                left[one] -= 1;
                left[other] -= 1;
                if left.iter().all(|&n| n >= 0) {
                    all.push(format!("(pick {} {})", TREES[one], TREES[other]));
                }
            }
        }
        if all.is_empty() {
            all.extend(
                (0..4)
                    .filter(|&t| self.fruits[t] == 1)
                    .map(|t| format!("(pick_last {})", TREES[t])),
            );
        }
        all
    }

    fn step(&mut self, joint: &[String]) {
        let rolled = words(&joint[2]);
        if self.rolling {
            match rolled[1] {
                "basket" => {
                    self.rolling = false;
                    return;
                }
                "raven" => self.pieces += 1,
                tree => {
                    let tree = TREES.iter().position(|t| *t == tree).expect("it is a tree");
                    self.fruits[tree] = self.fruits[tree].saturating_sub(1);
                }
            }
        } else {
            for tree in &words(&joint[self.turn])[1..] {
                self.fruits[TREES.iter().position(|t| t == tree).expect("it is a tree")] -= 1;
            }
        }
        self.rolling = true;
        self.turn = 1 - self.turn;
    }

    fn is_terminal(&self) -> bool {
        self.pieces == 9 || self.fruits == [0; 4]
    }

    fn goals(&self) -> Vec<u8> {
        vec![if self.fruits == [0; 4] { 100 } else { 0 }; 2]
    }
}

const CHEESE: [usize; 11] = [6, 8, 9, 11, 13, 14, 16, 18, 19, 21, 23];
const HOLE: usize = 24;

/// Kaseklau. Roles: tom, jerry, random.
pub struct Kaseklau {
    mouse: usize,
    cat: usize,
    turn: usize,
    rolled: Option<[usize; 2]>,
    slices: [usize; 2],
    cheese: Vec<usize>,
}

impl Kaseklau {
    pub fn new() -> Self {
        Self {
            mouse: 5,
            cat: 0,
            turn: 0,
            rolled: None,
            slices: [0; 2],
            cheese: CHEESE.to_vec(),
        }
    }

    fn is_caught(&self) -> bool {
        self.mouse != HOLE && self.cat >= self.mouse
    }
}

impl Rules for Kaseklau {
    fn legal(&self, role: usize) -> Vec<String> {
        match (role, self.rolled) {
            (2, None) => (0..36)
                .map(|n| format!("(roll {} {})", n / 6 + 1, n % 6 + 1))
                .collect(),
            (role, Some(dice)) if role == self.turn => {
                let mut all: Vec<_> = dice.iter().map(|n| format!("(mouse_gets {n})")).collect();
                all.dedup();
                all
            }
            _ => noop(),
        }
    }

    fn step(&mut self, joint: &[String]) {
        let Some([one, other]) = self.rolled.take() else {
            let roll = words(&joint[2]);
            self.rolled = Some([number(roll[1]), number(roll[2])]);
            return;
        };
        let mouse = number(words(&joint[self.turn])[1]);
        self.mouse = HOLE.min(self.mouse + mouse);
        self.cat = HOLE.min(self.cat + one + other - mouse);
        if let Some(slice) = self.cheese.iter().position(|&square| square == self.mouse) {
            self.cheese.remove(slice);
            self.slices[self.turn] += 1;
        }
        self.turn = 1 - self.turn;
    }

    fn is_terminal(&self) -> bool {
        self.mouse == HOLE || self.is_caught()
    }

    fn goals(&self) -> Vec<u8> {
        if self.is_caught() {
            return if self.turn == 0 {
                vec![100, 0]
            } else {
                vec![0, 100]
            };
        }
        win_or_draw(self.slices[0], self.slices[1])
    }
}

const TOPS: [usize; 13] = [0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

/// Can't Stop. Roles: ann, bob, random.
pub struct CantStop {
    reached: [[usize; 13]; 2],
    runners: [Option<usize>; 13],
    dice: Option<[usize; 4]>,
    deciding: bool,
    turn: usize,
}

impl CantStop {
    pub const fn new() -> Self {
        Self {
            reached: [[0; 13]; 2],
            runners: [None; 13],
            dice: None,
            deciding: false,
            turn: 0,
        }
    }

    /// Returns the runners after the one in `column` advances by one step, or `None` if the rules forbid the step.
    fn climb(&self, runners: &[Option<usize>; 13], column: usize) -> Option<[Option<usize>; 13]> {
        let mut runners = *runners;
        let closed = self
            .reached
            .iter()
            .any(|reached| reached[column] == TOPS[column]);
        let at = runners[column].unwrap_or(self.reached[self.turn][column]);
        let free = runners.iter().flatten().count() < 3;
        if closed || at == TOPS[column] || runners[column].is_none() && !free {
            return None;
        }
        runners[column] = Some(at + 1);
        Some(runners)
    }

    /// Returns the text of each action and the runners after the action.
    fn climbs(&self) -> Vec<(String, [Option<usize>; 13])> {
        let Some([a, b, c, d]) = self.dice else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (one, other) in [(a + b, c + d), (a + c, b + d), (a + d, b + c)] {
            let (low, high) = (one.min(other), one.max(other));
            match (
                self.climb(&self.runners, low),
                self.climb(&self.runners, high),
            ) {
                (Some(first), _) if low == high => {
                    all.push((
                        format!("(climb {low} {low})"),
                        self.climb(&first, low).unwrap_or(first),
                    ));
                }
                (None, None) => {}
                (Some(first), None) => all.push((format!("(climb_one {low})"), first)),
                (None, Some(second)) => all.push((format!("(climb_one {high})"), second)),
                (Some(first), Some(second)) => match self.climb(&first, high) {
                    Some(both) => all.push((format!("(climb {low} {high})"), both)),
                    None => {
                        all.push((format!("(climb_one {low})"), first));
                        all.push((format!("(climb_one {high})"), second));
                    }
                },
            }
        }
        all.sort();
        all.dedup();
        all
    }

    fn closed_by(&self, player: usize) -> usize {
        (2..13)
            .filter(|&column| self.reached[player][column] == TOPS[column])
            .count()
    }
}

impl Rules for CantStop {
    fn legal(&self, role: usize) -> Vec<String> {
        if !self.deciding && self.dice.is_none() {
            let six = || 1..=6;
            let rolls = six().flat_map(|a| six().flat_map(move |b| six().map(move |c| (a, b, c))));
            let rolls =
                rolls.flat_map(|(a, b, c)| six().map(move |d| format!("(roll {a} {b} {c} {d})")));
            return if role == 2 { rolls.collect() } else { noop() };
        }
        if role != self.turn {
            return noop();
        }
        if self.deciding {
            return vec!["go".to_owned(), "stop".to_owned()];
        }
        let climbs: Vec<_> = self.climbs().into_iter().map(|(text, _)| text).collect();
        if climbs.is_empty() {
            vec!["bust".to_owned()]
        } else {
            climbs
        }
    }

    fn step(&mut self, joint: &[String]) {
        if !self.deciding && self.dice.is_none() {
            let roll = words(&joint[2]);
            self.dice = Some([1, 2, 3, 4].map(|i| number(roll[i])));
            return;
        }
        let action = joint[self.turn].as_str();
        match action {
            "go" => self.deciding = false,
            "stop" | "bust" => {
                if action == "stop" {
                    for (reached, runner) in self.reached[self.turn].iter_mut().zip(self.runners) {
                        *reached = runner.unwrap_or(*reached);
                    }
                }
                (self.runners, self.deciding, self.dice) = ([None; 13], false, None);
                self.turn = 1 - self.turn;
            }
            _ => {
                self.runners = self
                    .climbs()
                    .into_iter()
                    .find(|(text, _)| text == action)
                    .expect("it is legal")
                    .1;
                (self.dice, self.deciding) = (None, true);
            }
        }
    }

    fn is_terminal(&self) -> bool {
        (0..2).any(|player| self.closed_by(player) >= 3)
    }

    fn goals(&self) -> Vec<u8> {
        (0..2)
            .map(|player| if self.closed_by(player) >= 3 { 100 } else { 0 })
            .collect()
    }
}

/// Backgammon. Roles: white, black, random. Points are counted from each player's own side: 0 is the bar, 25 is off.
#[derive(Clone)]
pub struct Backgammon {
    counts: [[usize; 26]; 2],
    turn: usize,
    /// The dice; `None` before the roll.
    dice: Option<Vec<usize>>,
}

impl Backgammon {
    pub fn new() -> Self {
        let mut start = [0; 26];
        (start[1], start[12], start[17], start[19]) = (2, 5, 3, 5);
        Self {
            counts: [start; 2],
            turn: 0,
            dice: None,
        }
    }

    /// Returns the legal moves of single dice, without the rule that as many dice as possible must be played.
    fn single_moves(&self) -> Vec<(usize, usize)> {
        let (own, foe) = (&self.counts[self.turn], &self.counts[1 - self.turn]);
        let mut all = Vec::new();
        for from in 0..25 {
            for die in 1..7 {
                let legal = self.dice.as_ref().is_some_and(|dice| dice.contains(&die))
                    && own[from] > 0
                    && (from == 0 || own[0] == 0)
                    && if from + die < 25 {
                        foe[25 - from - die] < 2
                    } else {
                        let Some(last) = (0..25).find(|&point| own[point] > 0) else {
                            break;
                        };
                        last >= 19 && (from + die == 25 || last == from)
                    };
                if legal {
                    all.push((from, die));
                }
            }
        }
        all
    }

    /// Returns the moves after which as many dice as possible can be played. If only one of two dice can be played, returns only the moves
    /// of the higher possible die.
    fn moves(&self) -> Vec<(usize, usize)> {
        let moves = self.single_moves();
        let left = self.dice.as_ref().map_or(0, Vec::len);
        let played =
            |&(from, die): &(usize, usize)| 1 + self.after(from, die).most_played(left - 1);
        let counts: Vec<usize> = moves.iter().map(played).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let best = || {
            moves
                .iter()
                .zip(&counts)
                .filter(|(_, count)| **count == most)
                .map(|(&best, _)| best)
        };
        let higher = if most == 1 && left == 2 {
            best().map(|(_, die)| die).max()
        } else {
            None
        };
        best()
            .filter(|&(_, die)| higher.is_none_or(|higher| die == higher))
            .collect()
    }

    /// Returns the number of dice that the player can still play, at most `left`.
    fn most_played(&self, left: usize) -> usize {
        let mut most = 0;
        for (from, die) in self.single_moves() {
            most = most.max(1 + self.after(from, die).most_played(left - 1));
            if most == left {
                break;
            }
        }
        most
    }

    /// Returns the position after a move, without changing the turn.
    fn after(&self, from: usize, die: usize) -> Self {
        let mut next = self.clone();
        let to = 25.min(from + die);
        next.counts[self.turn][from] -= 1;
        next.counts[self.turn][to] += 1;
        let facing = &mut next.counts[1 - self.turn];
        if to < 25 && facing[25 - to] == 1 {
            facing[25 - to] = 0;
            facing[0] += 1;
        }
        let dice = next.dice.as_mut().expect("a die is played");
        dice.remove(
            dice.iter()
                .position(|&left| left == die)
                .expect("it was left"),
        );
        next
    }
}

impl Rules for Backgammon {
    fn legal(&self, role: usize) -> Vec<String> {
        match (&self.dice, role) {
            (None, 2) => (0..36)
                .map(|n| format!("(roll {} {})", n / 6 + 1, n % 6 + 1))
                .collect(),
            (Some(_), role) if role == self.turn => {
                let moves: Vec<_> = self
                    .moves()
                    .iter()
                    .map(|(from, die)| format!("(move {from} {die})"))
                    .collect();
                if moves.is_empty() {
                    vec!["pass".to_owned()]
                } else {
                    moves
                }
            }
            _ => noop(),
        }
    }

    fn step(&mut self, joint: &[String]) {
        let Some(dice) = &mut self.dice else {
            let roll = words(&joint[2]);
            let (one, other) = (number(roll[1]), number(roll[2]));
            self.dice = Some(if one == other {
                vec![one; 4]
            } else {
                vec![one, other]
            });
            return;
        };
        let action = words(&joint[self.turn]);
        if action[0] == "move" {
            *self = self.after(number(action[1]), number(action[2]));
        } else {
            dice.clear();
        }
        if self.dice.as_ref().is_some_and(Vec::is_empty) {
            self.dice = None;
            self.turn = 1 - self.turn;
        }
    }

    fn is_terminal(&self) -> bool {
        self.counts.iter().any(|counts| counts[25] == 15)
    }

    fn goals(&self) -> Vec<u8> {
        self.counts
            .iter()
            .map(|counts| if counts[25] == 15 { 100 } else { 0 })
            .collect()
    }
}
