//! Explains in words what a player would do.

use super::adviser::{Advice, Odds};
use crate::player::{PlayerSpec, Reason, Recipe};
use crate::proof::place;
use crate::{Cell, View};

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
            if let Some(found) = odds.proofs(view).solutions(first, SOLUTIONS) {
                let all = found.len();
                let cells = found[0].len();
                let mines = found.iter().filter(|layout| layout[0]).count();
                text += &format!(", in {mines} of {all} solutions of these {cells} cells");
            }
            if let tied @ 2.. = advice.tied {
                text += &format!("; {tied} cells have the probability that it reckons");
            }
            text + &rule(player, advice)
        }
    }
}

/// Describes the rule by which a player chooses, or has what a program says.
fn rule(player: &PlayerSpec, advice: &Advice) -> String {
    let steps = match &player.recipe {
        Recipe::Agent => return "; rule agent".to_owned(),
        Recipe::Program(_) if advice.why.is_empty() => return String::new(),
        Recipe::Program(_) => return format!("; it says: {}", advice.why),
        Recipe::Steps(steps) => steps,
    };
    let rule = &steps.choice.rule;
    let ties = match rule.draws_ties() {
        true => ", which breaks ties at random",
        false => "",
    };
    format!("; rule {}{ties}", rule.name())
}
