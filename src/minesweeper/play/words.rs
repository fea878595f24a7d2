//! Explains in words what a player would do.

use super::adviser::{Advice, Odds};
use crate::{
    Cell, View,
    player::{ENDGAME, EVEN_FIRST, PlayerSpec, Reason, Recipe},
    proof::{Proofs, place},
};

/// The maximum number of characters of a player's name; a longer name, such as a recipe, is
/// shortened.
const NAME: usize = 24;
/// The maximum number of solutions that the words count.
const SOLUTIONS: usize = 64;

/// Shortens the name or recipe of a player to at most [`NAME`] characters.
fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        name.to_owned()
    } else {
        name.chars().take(NAME - 3).collect::<String>() + "..."
    }
}

/// Formats the probability of an uncertain cell in percent, clamped to 0.01 % and 99.99 % so that
/// the cell never appears to be certain.
fn percent(p: f64) -> String {
    format!("{:.2} %", (100.0 * p).clamp(0.01, 99.99))
}

/// Explains what a player would do and why. `odds` are the posterior probabilities.
pub fn explain_advice(player: &PlayerSpec, advice: &Advice, odds: &Odds, view: &View) -> String {
    let first = advice.moves[0];
    let name = short(&player.name);
    let place = place(view.board(), first);
    match advice.reason {
        Reason::Certain => {
            let chain = odds.proofs(view).chain(first);
            let why = chain
                .last()
                .map_or_else(|| "proved".to_owned(), |step| step.explain(view));
            match advice.moves.len() {
                1 => format!("{name} opens {place}, safe: {why}"),
                more => format!("{name} opens {more} safe cells, first {place}: {why}"),
            }
        }
        Reason::FirstClick if advice.own.is_none() && advice.why.is_empty() => {
            format!("{name} opens {place}: where it always begins")
        }
        Reason::FirstClick => format!(
            "{name} opens {place}: its first click{}",
            rule(player, advice)
        ),
        Reason::Guess => {
            let truth = odds.mine(first);
            let mut text = format!("{name} guesses {place}");
            match truth {
                Some(0.0) => text += ", proved safe",
                Some(1.0) => text += ", a proved mine",
                Some(p) => text += &format!(", a mine with {}", percent(p)),
                None => {}
            }
            let is_safe = |&cell: &Cell| odds.mine(cell) == Some(0.0);
            match view.covered().filter(is_safe).count() {
                0 => {
                    if let Some(least) = odds.least()
                        && truth.is_some_and(|p| p - least > 5e-5)
                    {
                        text += &format!(", least {}", percent(least));
                    }
                }
                _ if truth == Some(0.0) => {}
                1 => text += ", although a cell is proved safe",
                safe => text += &format!(", although {safe} cells are proved safe"),
            }
            if let Some(own) = advice.own
                && truth.is_none_or(|p| (p - own).abs() > 5e-5)
            {
                text += &format!(" (it reckons {:.2} %)", 100.0 * own);
            }
            if let Some([mines, all, cells]) = solutions(&odds.proofs(view), first) {
                text += &format!(", in {mines} of {all} solutions of these {cells} cells");
            }
            if let tied @ 2.. = advice.tied {
                text += &format!("; {tied} cells have the probability that it reckons");
            }
            text + &rule(player, advice)
        }
    }
}

/// Counts the solutions around a cell: those in which it is a mine, all of them, and the cells that
/// they are of. Returns `None` if there are too many.
pub fn solutions(proofs: &Proofs, cell: Cell) -> Option<[usize; 3]> {
    let found = proofs.solutions(cell, SOLUTIONS)?;
    let mines = found.iter().filter(|layout| layout[0]).count();
    Some([mines, found.len(), found[0].len()])
}

/// Returns whether a player drew its cell by lot if it had ties.
pub fn draws_ties(player: &PlayerSpec, advice: &Advice) -> bool {
    let Recipe::Steps(steps) = &player.recipe else {
        return false;
    };
    let rule = &steps.choice.rule;
    advice.by == rule.name() && rule.draws_ties()
}

/// Describes the component that chose a cell, or has what a program says.
fn rule(player: &PlayerSpec, advice: &Advice) -> String {
    let ties = match draws_ties(player, advice) {
        true => ", which breaks ties at random",
        false => "",
    };
    match (&player.recipe, advice.by, &*advice.why) {
        (Recipe::Agent, ..) => "; rule agent".to_owned(),
        (_, "", "") => String::new(),
        (_, "", why) => format!("; it says: {why}"),
        (_, by, _) if by == ENDGAME.0 => "; optimal play, because few layouts are left".to_owned(),
        (_, by, _) if by == EVEN_FIRST.0 => "; a 50/50 that no play avoids".to_owned(),
        (_, by, _) => format!("; rule {by}{ties}"),
    }
}
