//! What the table says of a cell, of a player's advice and of what a player did.

use super::adviser::{Advice, Odds, Proof};
use super::judge::Candidate;
use crate::player::{PlayerSpec, Reason, Recipe};
use crate::{Board, Cell, CellView, View};

/// Characters of a typed recipe that stand for its name.
const NAME: usize = 24;

/// `(row, column)`, counted from 0.
pub(super) fn place(board: Board, cell: Cell) -> String {
    let (row, col) = board.row_col(cell);
    format!("({row}, {col})")
}

/// The name of a player, or the start of its recipe.
pub(super) fn short(name: &str) -> String {
    if name.chars().count() <= NAME { name.to_owned() } else { name.chars().take(NAME - 3).collect::<String>() + "..." }
}

/// A probability that is neither 0 nor 1, in percent: never rounded to what it is not.
fn percent(p: f64) -> String {
    format!("{:.2} %", (100.0 * p).clamp(0.01, 99.99))
}

/// What is known of a cell, the probabilities being shown.
pub(super) fn of_cell(view: &View, odds: &Odds, cell: Cell) -> String {
    let place = place(view.board(), cell);
    match (view.at(cell), odds.mine(cell)) {
        (CellView::Open(0), _) => format!("{place} no mine around"),
        (CellView::Open(1), _) => format!("{place} 1 mine around"),
        (CellView::Open(number), _) => format!("{place} {number} mines around"),
        (seen, Some(p)) => {
            let flag = if seen == CellView::Flagged { "flag, " } else { "" };
            let verdict = match odds.proof(view, cell) {
                Some(proof) => format!("safe: {}", explain_proof(view, proof)),
                None if p == 1.0 => "a mine in every layout that fits".to_owned(),
                None => format!("a mine with {}", percent(p)),
            };
            format!("{place} {flag}{verdict}")
        }
        (_, None) => place,
    }
}

/// Why a cell is safe.
pub fn explain_proof(view: &View, proof: Proof) -> String {
    match proof {
        Proof::Layouts => "no layout that fits has a mine there".to_owned(),
        Proof::Number(witness) => {
            let number = view.number(witness).expect("a witness is open");
            let place = place(view.board(), witness);
            if number == 0 {
                format!("the zero at {place}")
            } else {
                format!("the {number} at {place} has its mines elsewhere")
            }
        }
    }
}

/// What the numbers of [`of_candidate`] are, in percent.
pub(super) const CANDIDATE_COLUMNS: &str = "guess      mine  next  both   win";

/// A candidate of a guess: the probability of a mine, the chance that a cell is certain then, the safety of two moves, the chance to win.
pub(super) fn of_candidate(board: Board, candidate: &Candidate) -> String {
    let Candidate { cell, mine, progress, safety, win, .. } = candidate;
    let win = win.map_or_else(|| "   -".to_owned(), |win| format!("{:>4.1}", 100.0 * win));
    let [mine, progress, safety] = [mine, progress, safety].map(|share| 100.0 * share);
    format!("{:<9} {mine:>5.1} {progress:>5.0} {safety:>5.1}  {win}", place(board, *cell))
}

/// What a player would do and why. `odds` are the true ones.
pub fn explain_advice(player: &PlayerSpec, advice: &Advice, odds: Option<&Odds>, view: &View) -> String {
    let first = advice.moves[0];
    let name = short(&player.name);
    let place = place(view.board(), first);
    match advice.reason {
        Reason::Certain => {
            let proof = odds.and_then(|odds| odds.proof(view, first));
            let why = proof.map_or_else(|| "proved".to_owned(), |proof| explain_proof(view, proof));
            match advice.moves.len() {
                1 => format!("{name} opens {place}, safe: {why}"),
                more => format!("{name} opens {more} safe cells, first {place}: {why}"),
            }
        }
        Reason::FirstClick if advice.own.is_none() => format!("{name} opens {place}: where it always begins"),
        Reason::FirstClick => format!("{name} opens {place}: its first click{}", rule(player)),
        Reason::Guess => {
            let truth = odds.and_then(|odds| odds.mine(first));
            let mut text = format!("{name} guesses {place}");
            if let Some(p) = truth {
                text += &format!(", a mine with {}", percent(p));
            }
            if let Some(least) = odds.and_then(Odds::least).filter(|least| truth.is_some_and(|p| p - least > 5e-5)) {
                text += &format!(", least {}", percent(least));
            }
            if let Some(own) = advice.own.filter(|own| truth.is_none_or(|p| (p - own).abs() > 5e-5)) {
                text += &format!(", it reckons {:.2} %", 100.0 * own);
            }
            text + &rule(player)
        }
    }
}

/// The rule by which a player chooses.
fn rule(player: &PlayerSpec) -> String {
    match &player.recipe {
        Recipe::Agent => "; rule agent".to_owned(),
        Recipe::Steps(steps) => format!("; rule {}", steps.choice.rule.name()),
    }
}

/// What a player did.
pub(super) fn of_move(player: &PlayerSpec, advice: &Advice, odds: Option<&Odds>, board: Board) -> String {
    let first = advice.moves[0];
    let name = short(&player.name);
    match (advice.reason, advice.moves.len()) {
        (Reason::Certain, 1) => format!("{name} opened {}, proved safe", place(board, first)),
        (Reason::Certain, more) => format!("{name} opened {more} cells, proved safe"),
        (Reason::FirstClick, _) => format!("{name} opened {}, its first click", place(board, first)),
        (Reason::Guess, _) => match odds.and_then(|odds| odds.mine(first)) {
            Some(p) => format!("{name} guessed {}, a mine with {}", place(board, first), percent(p)),
            None => format!("{name} guessed {}", place(board, first)),
        },
    }
}
