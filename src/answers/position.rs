//! Answers about positions: the analysis of one, and the moves of players in it.

use serde::{Deserialize, Serialize};

use crate::{Place, Refusal, Setup, WorkerState, question, written};
use mineflow_minesweeper::play::{Candidate, Judged, Odds, Proof, conflict, explain_proof};
use mineflow_minesweeper::player::{GameStart, NoMove, Reason};
use mineflow_minesweeper::solver::CountError;
use mineflow_minesweeper::text::view_on;
use mineflow_minesweeper::{Board, Cell, FirstClick, View};
use mineflow_rng::Seed;

/// The maximum number of players to ask about one position.
const PLAYERS: usize = 8;

/// A position as the page sends it.
#[derive(Deserialize)]
pub(crate) struct Position {
    width: usize,
    height: usize,
    mines: usize,
    rows: Vec<String>,
    #[serde(default)]
    first_click: Option<String>,
    #[serde(default)]
    players: Vec<String>,
}

impl Position {
    pub(crate) fn view(&self, worker: &mut WorkerState) -> Result<View, Refusal> {
        let board = Board::new(self.width, self.height, self.mines).map_err(Refusal::bad)?;
        view_on(worker.grid(board), self.mines, &self.rows).map_err(Refusal::bad)
    }
}

pub(crate) fn rule_of(text: Option<&str>) -> Result<FirstClick, Refusal> {
    text.unwrap_or("safe").parse().map_err(Refusal::bad)
}

pub(crate) fn place(board: Board, cell: Cell) -> Place {
    board.row_col(cell)
}

pub(crate) fn places(board: Board, cells: &[Cell]) -> Vec<Place> {
    cells.iter().map(|&cell| place(board, cell)).collect()
}

pub(crate) const fn reason_name(reason: Reason) -> &'static str {
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
    let position: Position = question(body)?;
    written(&analysis(setup, worker, &position)?)
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
    /// Whether the win probabilities of the position and of its candidates are exact instead of estimates.
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

fn analysis(
    setup: &Setup,
    worker: &mut WorkerState,
    position: &Position,
) -> Result<Analysed, Refusal> {
    let rule = rule_of(position.first_click.as_deref())?;
    if position.players.len() > PLAYERS {
        return Err(Refusal::bad(format!(
            "{} players were asked at once; the most is {PLAYERS}",
            position.players.len()
        )));
    }
    let view = position.view(worker)?;
    let board = view.board();
    let solution = worker
        .solver
        .solve(&view, &mut setup.budget())
        .map_err(|error| why_not(setup, &view, &error))?;
    let Judged {
        odds,
        win,
        is_exact,
        mut candidates,
    } = worker
        .judge(setup, board, rule)?
        .judge(&view, &mut setup.budget())
        .map_err(|error| why_not(setup, &view, &error))?;
    let won = view.is_won();
    let mut chosen: Vec<(String, Cell)> = Vec::new();
    let mut advice = Vec::new();
    // A won position has no move.
    for name in position.players.iter().filter(|_| !won) {
        let told = match advise(setup, worker, name, &view, rule)? {
            Ok((moves, reason)) => {
                if reason == Reason::Guess {
                    chosen.push((name.clone(), moves[0]));
                }
                Advice::Move {
                    moves: places(board, &moves),
                    reason: reason_name(reason),
                    text: words(board, &moves, reason, &odds),
                }
            }
            Err(error) => Advice::None {
                error: error.to_string(),
            },
        };
        advice.push(Advised {
            player: name.clone(),
            advice: told,
        });
    }
    for &(_, cell) in &chosen {
        if candidates.iter().all(|candidate| candidate.cell != cell) {
            let judge = worker.judge(setup, board, rule)?;
            candidates.extend(judge.candidate(cell, &odds, rule, &mut setup.budget()));
        }
    }
    let row = |Candidate {
                   cell,
                   mine,
                   progress,
                   safety,
                   win,
                   numbers,
                   ..
               }: Candidate| CellRow {
        cell: place(board, cell),
        mine,
        progress,
        safety,
        win,
        numbers,
        players: chosen
            .iter()
            .filter(|(_, chosen)| *chosen == cell)
            .map(|(name, _)| name.clone())
            .collect(),
    };
    let proof = |&cell: &Cell| {
        let proof = odds.proof(&view, cell)?;
        let because = if let Proof::Number(witness) = proof {
            vec![place(board, witness)]
        } else {
            Vec::new()
        };
        Some(Proved {
            cell: place(board, cell),
            text: explain_proof(&view, proof),
            because,
        })
    };
    Ok(Analysed {
        solutions: solution.layouts.to_string(),
        mine_probability: solution
            .mine_probability
            .chunks(board.width())
            .map(<[f64]>::to_vec)
            .collect(),
        proofs: solution.safe.iter().filter_map(proof).collect(),
        safe: places(board, &solution.safe),
        mines: places(board, &solution.mines),
        won,
        win: if won { Some(1.0) } else { win },
        exact: won || is_exact,
        candidates: candidates.into_iter().map(row).collect(),
        advice,
    })
}

/// Returns the reason why a position can't be counted, with the cells that contradict each other, if any.
pub(crate) fn why_not(setup: &Setup, view: &View, error: &CountError) -> Refusal {
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
    view: &View,
    rule: FirstClick,
) -> Result<Result<(Vec<Cell>, Reason), NoMove>, Refusal> {
    let (_, player) = worker.player(setup, name)?;
    player.begin(&GameStart {
        board: view.board(),
        first_click: rule,
        seed: Seed::new(1),
    });
    Ok(player
        .decide(view, &mut setup.budget())
        .and_then(|decision| {
            let moves = decision.cells.to_vec();
            if moves.is_empty() {
                Err(NoMove::Contradiction)
            } else {
                Ok((moves, decision.reason))
            }
        }))
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
