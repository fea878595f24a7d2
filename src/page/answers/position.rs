//! Answers about positions: the analysis of one, and the moves of players in it.

use serde::Serialize;

use crate::asked::Asked;
use crate::{Place, Refusal, Setup, WorkerState, question, written};
use mineflow_minesweeper::play::{Candidate, Odds, Proof, conflict, explain_proof};
use mineflow_minesweeper::player::{GameStart, NoMove, Reason};
use mineflow_minesweeper::solver::CountError;
use mineflow_minesweeper::{Board, Cell, FirstClick, View};
use mineflow_rng::Seed;

/// The maximum number of players to ask about one position.
const PLAYERS: usize = 8;

fn places(board: Board, cells: &[Cell]) -> Vec<Place> {
    cells.iter().map(|&cell| board.row_col(cell)).collect()
}

const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::FirstClick => "first-click",
        Reason::Certain => "certain",
        Reason::Guess => "guess",
    }
}

/// Analyses a position.
pub(crate) fn analyse(
    setup: &Setup,
    worker: &mut WorkerState,
    body: &[u8],
) -> Result<String, Refusal> {
    written(&analysis(setup, worker, &question(body)?)?)
}

#[derive(Serialize)]
struct Analysed {
    solutions: String,
    mine_probability: Vec<Vec<f64>>,
    safe: Vec<Place>,
    mines: Vec<Place>,
    proofs: Vec<Proved>,
    /// Whether the game is won: only mines are still covered.
    won: bool,
    win: Option<f64>,
    /// Whether the win probabilities of the position and of its candidates are exact instead of
    /// estimates.
    exact: bool,
    candidates: Vec<CellRow>,
    advice: Vec<Advised>,
}

#[derive(Serialize)]
struct Proved {
    cell: Place,
    text: String,
    because: Vec<Place>,
}

/// A candidate of a guess.
#[derive(Serialize)]
struct CellRow {
    cell: Place,
    mine: f64,
    progress: f64,
    safety: f64,
    win: Option<f64>,
    numbers: [f64; 9],
    players: Vec<String>,
}

#[derive(Serialize)]
struct Advised {
    player: String,
    /// The cell of a guess.
    #[serde(skip)]
    guess: Option<Cell>,
    #[serde(flatten)]
    advice: Advice,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Advice {
    Move {
        moves: Vec<Place>,
        reason: &'static str,
        text: String,
    },
    None {
        error: String,
    },
}

fn analysis(setup: &Setup, worker: &mut WorkerState, asked: &Asked) -> Result<Analysed, Refusal> {
    let rule = asked.rule()?;
    if asked.players.len() > PLAYERS {
        return Err(Refusal::bad(format!(
            "{} players were asked at once; the most is {PLAYERS}",
            asked.players.len()
        )));
    }
    let view = asked.view(worker)?;
    let solution = worker
        .solver
        .solve(&view, &mut setup.budget())
        .map_err(|error| why_not(setup, &view, &error))?;
    let mut judged = worker
        .judge(setup, view.board(), rule)?
        .judge(&view, &mut setup.budget())
        .map_err(|error| why_not(setup, &view, &error))?;
    let won = view.is_won();
    let mut advice = Vec::new();
    // A won position has no move.
    for name in asked.players.iter().filter(|_| !won) {
        advice.push(advise(setup, worker, name, (&view, rule), &judged.odds)?);
    }
    let judge = worker.judge(setup, view.board(), rule)?;
    for cell in advice.iter().filter_map(|advised| advised.guess) {
        if judged.candidates.iter().all(|known| known.cell != cell) {
            let found = judge.candidate(cell, &judged.odds, rule, &mut setup.budget());
            judged.candidates.extend(found);
        }
    }
    let rows = solution.mine_probability.chunks(view.board().width());
    Ok(Analysed {
        solutions: solution.layouts.to_string(),
        mine_probability: rows.map(<[f64]>::to_vec).collect(),
        safe: places(view.board(), &solution.safe),
        mines: places(view.board(), &solution.mines),
        proofs: proofs(&view, &judged.odds, &solution.safe),
        won,
        win: if won { Some(1.0) } else { judged.win },
        exact: won || judged.is_exact,
        candidates: cell_rows(view.board(), &judged.candidates, &advice),
        advice,
    })
}

/// Returns the proofs of those cells that a number or the layouts prove safe.
fn proofs(view: &View, odds: &Odds, safe: &[Cell]) -> Vec<Proved> {
    let mut proofs = Vec::new();
    for &cell in safe {
        let Some(proof) = odds.proof(view, cell) else {
            continue;
        };
        proofs.push(Proved {
            cell: view.board().row_col(cell),
            text: explain_proof(view, proof),
            because: match proof {
                Proof::Number(witness) => vec![view.board().row_col(witness)],
                Proof::Layouts => Vec::new(),
            },
        });
    }
    proofs
}

fn cell_rows(board: Board, candidates: &[Candidate], advice: &[Advised]) -> Vec<CellRow> {
    candidates
        .iter()
        .map(|candidate| CellRow {
            cell: board.row_col(candidate.cell),
            mine: candidate.mine,
            progress: candidate.progress,
            safety: candidate.safety,
            win: candidate.win,
            numbers: candidate.numbers,
            players: advice
                .iter()
                .filter(|advised| advised.guess == Some(candidate.cell))
                .map(|advised| advised.player.clone())
                .collect(),
        })
        .collect()
}

/// Returns the reason why a position can't be counted, with the cells that contradict each other,
/// if any.
fn why_not(setup: &Setup, view: &View, error: &CountError) -> Refusal {
    let mut refusal = Refusal::unanswerable(error);
    if matches!(error, CountError::Contradiction(_)) {
        refusal.cells = places(view.board(), &conflict(view, &mut setup.budget()));
    }
    refusal
}

/// Returns the move of a player that starts in this position, without the game before it.
fn advise(
    setup: &Setup,
    worker: &mut WorkerState,
    name: &str,
    (view, rule): (&View, FirstClick),
    odds: &Odds,
) -> Result<Advised, Refusal> {
    let board = view.board();
    let player = &mut worker.player(setup, name)?.1;
    player.begin(&GameStart {
        board,
        first_click: rule,
        seed: Seed::new(1),
    });
    let mut guess = None;
    let advice = match player.decide(view, &mut setup.budget()) {
        Ok(decision) if !decision.cells.is_empty() => {
            let reason = decision.reason;
            guess = (reason == Reason::Guess).then_some(decision.cells[0]);
            Advice::Move {
                moves: places(board, decision.cells),
                reason: reason_name(reason),
                text: words(board, decision.cells, reason, odds),
            }
        }
        decided => Advice::None {
            error: decided.err().unwrap_or(NoMove::Contradiction).to_string(),
        },
    };
    Ok(Advised {
        player: name.to_owned(),
        guess,
        advice,
    })
}

fn words(board: Board, moves: &[Cell], reason: Reason, odds: &Odds) -> String {
    let (row, col) = board.row_col(moves[0]);
    match (reason, moves.len()) {
        (Reason::FirstClick, _) => format!("begins at ({row}, {col})"),
        (Reason::Certain, 1) => format!("opens ({row}, {col}), which is safe"),
        (Reason::Certain, more) => format!("opens {more} safe cells, first ({row}, {col})"),
        (Reason::Guess, _) => match odds.mine(moves[0]) {
            Some(mine) => format!("guesses ({row}, {col}), a mine with {:.2} %", 100.0 * mine),
            None => format!("guesses ({row}, {col})"),
        },
    }
}
