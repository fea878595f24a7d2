//! Reference implementations of games whose dice are rolled one after the other, with which the tests compare the rule sheets in `pipelines/ggp`.

use super::Rules;
use super::dice::{noop, number, win_or_draw, words};

/// Yahtzee. Roles: ann, bob, random.
pub struct Yahtzee {
    dice: [usize; 5],
    to_roll: Vec<usize>,
    rolls_left: usize,
    turn: usize,
    used: [Vec<String>; 2],
    upper: [usize; 2],
    total: [usize; 2],
}

const CATEGORIES: [&str; 13] = [
    "1", "2", "3", "4", "5", "6", "three", "four", "full", "small", "large", "yahtzee", "chance",
];

impl Yahtzee {
    pub fn new() -> Self {
        Self {
            dice: [0; 5],
            to_roll: (0..5).collect(),
            rolls_left: 2,
            turn: 0,
            used: [Vec::new(), Vec::new()],
            upper: [0; 2],
            total: [0; 2],
        }
    }

    fn worth(&self, category: &str) -> usize {
        let counts: Vec<usize> = (1..7)
            .map(|face| self.dice.iter().filter(|&&die| die == face).count())
            .collect();
        let most = *counts.iter().max().expect("there are six faces");
        let sum: usize = self.dice.iter().sum();
        let run = |length: usize| {
            counts
                .windows(length)
                .any(|window| window.iter().all(|&n| n > 0))
        };
        let points = |holds: bool, points: usize| if holds { points } else { 0 };
        match category {
            "three" => points(most >= 3, sum),
            "four" => points(most >= 4, sum),
            "full" => points(counts.contains(&3) && counts.contains(&2), 25),
            "small" => points(run(4), 30),
            "large" => points(run(5), 40),
            "yahtzee" => points(most == 5, 50),
            "chance" => sum,
            face => number(face) * counts[number(face) - 1],
        }
    }
}

impl Rules for Yahtzee {
    fn legal(&self, role: usize) -> Vec<String> {
        if !self.to_roll.is_empty() {
            return if role == 2 {
                (1..7).map(|face| format!("(roll {face})")).collect()
            } else {
                noop()
            };
        }
        if role != self.turn {
            return noop();
        }
        let open = CATEGORIES
            .iter()
            .filter(|category| !self.used[role].iter().any(|used| used == *category));
        let mut all: Vec<_> = open.map(|category| format!("(score {category})")).collect();
        if self.rolls_left > 0 {
            for mask in 1..32 {
                let answers: Vec<_> = (0..5)
                    .map(|die| if mask >> die & 1 == 1 { "y" } else { "n" })
                    .collect();
                all.push(format!("(again {})", answers.join(" ")));
            }
        }
        all
    }

    fn step(&mut self, joint: &[String]) {
        if !self.to_roll.is_empty() {
            let die = self.to_roll.remove(0);
            self.dice[die] = number(words(&joint[2])[1]);
            return;
        }
        let action = words(&joint[self.turn]);
        if action[0] == "again" {
            self.to_roll = (0..5).filter(|die| action[die + 1] == "y").collect();
            self.rolls_left -= 1;
            return;
        }
        let (turn, gain) = (self.turn, self.worth(action[1]));
        self.total[turn] += gain;
        if action[1].len() == 1 {
            let before = self.upper[turn];
            self.upper[turn] += gain;
            if before < 63 && self.upper[turn] >= 63 {
                self.total[turn] += 35;
            }
        }
        self.used[turn].push(action[1].to_owned());
        (self.turn, self.rolls_left, self.to_roll) = (1 - turn, 2, (0..5).collect());
    }

    fn is_terminal(&self) -> bool {
        self.used.iter().all(|used| used.len() == 13)
    }

    fn goals(&self) -> Vec<u8> {
        win_or_draw(self.total[0], self.total[1])
    }
}

const FACES: [&str; 6] = ["1", "2", "3", "4", "5", "worm"];

/// Pickomino. Roles: ann, bob, random.
pub struct Pickomino {
    middle: Vec<usize>,
    stacks: [Vec<usize>; 2],
    turn: usize,
    to_roll: usize,
    dice: usize,
    shown: [usize; 6],
    aside: [bool; 6],
    sum: usize,
}

impl Pickomino {
    pub fn new() -> Self {
        Self {
            middle: (21..37).collect(),
            stacks: [Vec::new(), Vec::new()],
            turn: 0,
            to_roll: 8,
            dice: 8,
            shown: [0; 6],
            aside: [false; 6],
            sum: 0,
        }
    }

    fn end_turn(&mut self) {
        (self.turn, self.to_roll, self.dice) = (1 - self.turn, 8, 8);
        (self.shown, self.aside, self.sum) = ([0; 6], [false; 6], 0);
    }
}

impl Rules for Pickomino {
    fn legal(&self, role: usize) -> Vec<String> {
        if self.to_roll > 0 {
            return if role == 2 {
                FACES.iter().map(|face| format!("(roll {face})")).collect()
            } else {
                noop()
            };
        }
        if role != self.turn {
            return noop();
        }
        let mut all = Vec::new();
        if self.shown == [0; 6] {
            if self.dice > 0 {
                all.push("again".to_owned());
            }
            if self.aside[5] {
                if let Some(&top) = self.stacks[1 - role].last().filter(|&&top| top == self.sum) {
                    all.push(format!("(steal {top})"));
                }
                if let Some(best) = self.middle.iter().filter(|&&tile| tile <= self.sum).max() {
                    all.push(format!("(pick {best})"));
                }
            }
        } else {
            let free = (0..6).filter(|&face| self.shown[face] > 0 && !self.aside[face]);
            all.extend(free.map(|face| format!("(take {})", FACES[face])));
        }
        if all.is_empty() {
            vec!["bust".to_owned()]
        } else {
            all
        }
    }

    fn step(&mut self, joint: &[String]) {
        let face = |word: &str| {
            FACES
                .iter()
                .position(|face| *face == word)
                .expect("it is a face")
        };
        if self.to_roll > 0 {
            self.shown[face(words(&joint[2])[1])] += 1;
            self.to_roll -= 1;
            return;
        }
        let action = words(&joint[self.turn]);
        match action[0] {
            "again" => self.to_roll = self.dice,
            "take" => {
                let face = face(action[1]);
                self.sum += self.shown[face] * [1, 2, 3, 4, 5, 5][face];
                self.dice -= self.shown[face];
                self.aside[face] = true;
                self.shown = [0; 6];
            }
            "bust" => {
                let back = self.stacks[self.turn].pop();
                self.middle.extend(back);
                let highest = self.middle.iter().copied().max().expect("there are tiles");
                if back != Some(highest) {
                    self.middle.retain(|&tile| tile != highest);
                }
                self.end_turn();
            }
            _ => {
                let tile = number(action[1]);
                self.middle.retain(|&other| other != tile);
                self.stacks[1 - self.turn].retain(|&other| other != tile);
                self.stacks[self.turn].push(tile);
                self.end_turn();
            }
        }
    }

    fn is_terminal(&self) -> bool {
        self.middle.is_empty()
    }

    fn goals(&self) -> Vec<u8> {
        // Worms count first, then the highest tile; both are below 100.
        let score = |stack: &Vec<usize>| {
            let worms: usize = stack.iter().map(|tile| (tile - 21) / 4 + 1).sum();
            100 * worms + stack.iter().max().unwrap_or(&0)
        };
        win_or_draw(score(&self.stacks[0]), score(&self.stacks[1]))
    }
}
