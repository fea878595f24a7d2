//! Answers about positions: the analysis of one, and the moves of players in it.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::{Place, Refusal, Setup, WorkerState, asked::Asked, question, written};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, View,
    play::{self, Candidate, Odds, conflict, draws_ties, solutions},
    player::{GameStart, NoMove, Reason},
    proof::Proofs,
    solver::{Budget, CountError},
};
use mineflow_rng::Seed;

/// The time limit of roll-outs.
const ROLL_OUTS: Duration = Duration::from_secs(3);
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

#[derive(Serialize, Default)]
struct Analysed {
    solutions: String,
    mine_probability: Vec<Vec<f64>>,
    safe: Vec<Place>,
    mines: Vec<Place>,
    /// The proofs of the safe cells and the mines, the easiest first, at most 5,000.
    why: Vec<Value>,
    /// Whether the game is won: only mines are still covered.
    won: bool,
    win: Option<f64>,
    /// Whether the win probabilities of the position and of its candidates are exact instead of
    /// estimates.
    exact: bool,
    /// What 11.0 opens.
    best: Option<Place>,
    candidates: Vec<CellRow>,
    advice: Vec<Advised>,
    /// Why the position has no probabilities.
    too_hard: Option<String>,
}

impl Analysed {
    /// Creates an analysis without judgement.
    fn new(view: &View, mine_probability: &[f64], proofs: &Proofs) -> Self {
        let rows = mine_probability.chunks(view.board().width());
        let proved = |mine| {
            let cells = view.board().all_cells();
            let cells = cells.filter(|&cell| proofs.is_mine(cell) == Some(mine));
            places(view.board(), &cells.collect::<Vec<_>>())
        };
        Self {
            mine_probability: rows.map(<[f64]>::to_vec).collect(),
            safe: proved(false),
            mines: proved(true),
            // All proofs of the largest board take 200 MB.
            why: proofs.json(view.board()).take(5_000).collect(),
            won: view.is_won(),
            ..Self::default()
        }
    }
}

/// A candidate of a guess.
#[derive(Serialize)]
struct CellRow {
    cell: Place,
    mine: f64,
    progress: f64,
    safety: f64,
    win: Option<f64>,
    /// Half the 95 % interval of `win`, if it was estimated by roll-outs.
    error: Option<f64>,
    /// By how much it wins less than the best cell on common layouts, and the error of that.
    behind: Option<[f64; 2]>,
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

/// How a player chose a cell.
#[derive(Serialize)]
struct Chosen {
    /// The mine probability that the player reckons with, and how many cells share it.
    own: Option<f64>,
    tied: usize,
    draws: bool,
    by: &'static str,
    why: String,
    /// The solutions around the cell in which it is a mine, all of them, and their cells.
    solutions: Option<[usize; 3]>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Advice {
    Move {
        moves: Vec<Place>,
        reason: &'static str,
        text: String,
        #[serde(flatten)]
        chosen: Chosen,
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
    let solution = match worker.solver.solve(&view, &mut setup.budget()) {
        Ok(solution) => solution,
        Err(error) => return uncounted(setup, &view, &error),
    };
    let proofs = Proofs::new(&view, &solution.safe, &solution.mines);
    let found = Analysed::new(&view, &solution.mine_probability, &proofs);
    let judge = worker.judge(setup, view.board(), rule, asked.no_guess)?;
    let mut judged = judge
        .judge(&view, &mut setup.budget())
        .map_err(|error| why_not(setup, &view, &error))?;
    let won = found.won;
    let mut advice = Vec::new();
    // A won position has no move.
    for name in asked.players.iter().filter(|_| !won) {
        advice.push(advise(
            setup,
            worker,
            name,
            (&view, rule),
            (&judged.odds, &proofs),
        )?);
    }
    let judge = worker.judge(setup, view.board(), rule, asked.no_guess)?;
    for cell in advice.iter().filter_map(|advised| advised.guess) {
        if judged.candidates.iter().all(|known| known.cell != cell) {
            let mut found = judge.candidate(cell, &judged.odds, rule, &mut setup.budget());
            if let (Some(found), Some(most)) = (&mut found, judged.win) {
                found.win = found.win.map(|win| win.min(most));
            }
            judged.candidates.extend(found);
        }
    }
    if asked.roll_outs {
        judge.roll_out(&mut judged, &mut Budget::new(None, Some(ROLL_OUTS)));
    }
    Ok(Analysed {
        solutions: solution.layouts.to_string(),
        win: if won { Some(1.0) } else { judged.win },
        exact: won || judged.is_exact,
        best: judged.best.map(|cell| view.board().row_col(cell)),
        candidates: cell_rows(view.board(), &judged.candidates, &advice),
        advice,
        ..found
    })
}

/// Analyses a position whose layouts can't be counted: the numbers prove some cells without it.
fn uncounted(setup: &Setup, view: &View, error: &CountError) -> Result<Analysed, Refusal> {
    if !matches!(error, CountError::Contradiction(_))
        && let Some(proofs) = Proofs::by_numbers(view)
    {
        let share = |cell| proofs.is_mine(cell).map_or(f64::NAN, f64::from);
        let shares: Vec<f64> = view.board().all_cells().map(share).collect();
        return Ok(Analysed {
            too_hard: Some(format!(
                "Too hard to count ({error}): only what single numbers and pairs of numbers prove is known"
            )),
            ..Analysed::new(view, &shares, &proofs)
        });
    }
    Err(why_not(setup, view, error))
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
            error: candidate.rated.map(|rated| rated.error),
            behind: candidate
                .rated
                .map(|rated| [rated.behind, rated.behind_error]),
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
    (odds, proofs): (&Odds, &Proofs),
) -> Result<Advised, Refusal> {
    let board = view.board();
    let (spec, player) = worker.player(setup, name)?;
    player.begin(&GameStart {
        board,
        first_click: rule,
        seed: Seed::new(1),
    });
    let mut guess = None;
    let decided = player.decide(view, &mut setup.budget());
    let decided = decided.and_then(|of| play::Advice::of(&of, view).ok_or(NoMove::Contradiction));
    let advice = match decided {
        Ok(advice) => {
            let first = advice.moves[0];
            guess = (advice.reason == Reason::Guess).then_some(first);
            Advice::Move {
                moves: places(board, &advice.moves),
                reason: reason_name(advice.reason),
                text: words(board, &advice, odds),
                chosen: Chosen {
                    own: advice.own,
                    tied: advice.tied,
                    draws: draws_ties(spec, &advice),
                    by: advice.by,
                    solutions: guess.and_then(|cell| solutions(proofs, cell)),
                    why: advice.why,
                },
            }
        }
        Err(error) => Advice::None {
            error: error.to_string(),
        },
    };
    Ok(Advised {
        player: name.to_owned(),
        guess,
        advice,
    })
}

fn words(board: Board, advice: &play::Advice, odds: &Odds) -> String {
    let moves = &advice.moves;
    let (row, col) = board.row_col(moves[0]);
    match (advice.reason, moves.len()) {
        (Reason::FirstClick, _) => format!("begins at ({row}, {col})"),
        (Reason::Certain, 1) => format!("opens ({row}, {col}), which is safe"),
        (Reason::Certain, more) => format!("opens {more} safe cells, first ({row}, {col})"),
        (Reason::Guess, _) => match odds.mine(moves[0]) {
            Some(mine) => format!("guesses ({row}, {col}), a mine with {:.2} %", 100.0 * mine),
            None => format!("guesses ({row}, {col})"),
        },
    }
}
