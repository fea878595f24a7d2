//! Scores of players' choices on a guess set whose candidates have known values.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::{Estimate, PairedMean, Z_95, numbers::round};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Grid, View,
    ahead::{LineValue, Lines, SCORING_LOOKS, Valuation, losses},
    player::{Fault, GameStart, Player},
    solver::{Budget, CountError},
    text::view_on,
};
use mineflow_rng::Seed;

/// The upper ends of the bands into which guesses are grouped by the board's share of unknown
/// cells. Each band gets a row.
const BANDS: [f64; 4] = [0.25, 0.5, 0.94, 1.0];

/// A guess of a set: the columns that are needed to score a choice.
#[derive(Clone, Debug)]
pub struct GuessToScore {
    /// The number that identifies the guess in the set.
    pub number: u32,
    pub view: View,
    pub first_click: FirstClick,
    /// The share of the board's cells that are unknown, 0 to 1.
    pub unknown: f64,
    /// The number of guesses per game that this guess represents.
    pub weight: f64,
    /// The seed of the layouts on which the candidates were valued.
    pub seed: u64,
    /// Whether the values are exact, under optimal play.
    pub exact: bool,
    /// The number of layouts on which the candidates were valued.
    pub layouts: u32,
    /// The candidates of the guess. `values` has the value of each, in the same order.
    pub cells: Vec<Cell>,
    pub values: Vec<LineValue>,
}

/// A row of a guess set: a candidate, with the columns of its guess that a score needs.
#[derive(Clone, Debug)]
pub struct CandidateRow<'a> {
    /// The number of the guess. The rows of a guess are consecutive.
    pub guess: u32,
    pub board: &'a str,
    pub first_click: &'a str,
    /// The rows of the position, joined by `/`.
    pub position: &'a str,
    pub unknown: f64,
    pub weight: f64,
    pub seed: u64,
    pub exact: bool,
    pub layouts: u32,
    pub row: usize,
    pub column: usize,
    /// Whether the player of the games opened the candidate. One candidate of each guess is marked.
    pub chosen: bool,
    pub value: LineValue,
}

impl GuessToScore {
    /// Groups the rows of a set by guess.
    ///
    /// # Errors
    /// Returns the number of the first invalid guess and a description of the problem.
    pub fn of_rows<'a>(rows: &[CandidateRow<'a>]) -> Result<Vec<Self>, (u32, String)> {
        let mut grids = BTreeMap::new();
        let mut numbers = BTreeSet::new();
        let mut guess = |rows: &[CandidateRow<'a>]| {
            if !numbers.insert(rows[0].guess) {
                return Err("its rows are not consecutive".to_owned());
            }
            Self::of(rows, &mut grids)
        };
        rows.chunk_by(|a, b| a.guess == b.guess)
            .map(|rows| guess(rows).map_err(|why| (rows[0].guess, why)))
            .collect()
    }

    /// Builds the guess of these rows. `grids` caches one grid for each board.
    fn of<'a>(
        rows: &[CandidateRow<'a>],
        grids: &mut BTreeMap<&'a str, Arc<Grid>>,
    ) -> Result<Self, String> {
        check(rows)?;
        let first = &rows[0];
        let board: Board = first.board.parse().map_err(|error| format!("{error}"))?;
        let grid = grids
            .entry(first.board)
            .or_insert_with(|| Arc::new(Grid::new(board)));
        let lines: Vec<&str> = first.position.split('/').collect();
        let view = view_on(grid.clone(), board.mines(), &lines);
        Ok(Self {
            number: first.guess,
            view: view.map_err(|error| error.to_string())?,
            first_click: first.first_click.parse()?,
            unknown: first.unknown,
            weight: first.weight,
            seed: first.seed,
            exact: first.exact,
            layouts: first.layouts,
            cells: rows
                .iter()
                .map(|candidate| {
                    let row = candidate.row;
                    let column = candidate.column;
                    board
                        .cell(row, column)
                        .ok_or_else(|| format!("({row}, {column}) is off the board"))
                })
                .collect::<Result<_, String>>()?,
            values: rows.iter().map(|candidate| candidate.value).collect(),
        })
    }

    /// Returns the cell that a player opens in this position, or `None` if the player needs more
    /// than `node_limit` search nodes.
    ///
    /// # Errors
    /// Returns the errors of [`Player::decide_checked`].
    pub fn choice_of(
        &self,
        player: &mut dyn Player,
        node_limit: Option<u64>,
    ) -> Result<Option<Cell>, Fault> {
        player.begin(&GameStart {
            board: self.view.board(),
            first_click: self.first_click,
            seed: Seed::new(self.seed),
        });
        Ok(player
            .decide_checked(&self.view, &mut Budget::new(node_limit, None))?
            .map(|decision| decision.cells[0]))
    }

    /// Returns the loss of a choice compared with the best candidate, in wins. `None` counts as the
    /// worst candidate.
    ///
    /// A cell outside the candidates is valued on the candidates' layouts.
    ///
    /// # Errors
    /// Returns an error if the position's layouts can't be counted.
    pub fn loss(&self, choice: Option<Cell>, valuation: &mut Valuation) -> Result<f64, CountError> {
        let mut values = self.values.clone();
        let place = match choice {
            Some(cell) => match self.cells.iter().position(|&other| other == cell) {
                Some(place) => place,
                None => {
                    values.push(self.value_of(cell, valuation)?);
                    values.len() - 1
                }
            },
            None => (0..values.len())
                .min_by(|a, b| values[*a].value.total_cmp(&values[*b].value))
                .unwrap_or(0),
        };
        Ok(losses(&values)[place])
    }

    /// Returns the value of a cell outside the candidates.
    fn value_of(&self, cell: Cell, valuation: &mut Valuation) -> Result<LineValue, CountError> {
        valuation.read(&self.view)?;
        // A known mine has the value 0. No cell is known to be safe in these positions.
        if !valuation.analysis().is_unknown(cell) {
            return Ok(LineValue::exact(&[], cell));
        }
        if self.exact
            && let Some(exact) = valuation.exact()
        {
            return Ok(LineValue::exact(&exact, cell));
        }
        let lines = Lines {
            layouts: self.layouts,
            looks: SCORING_LOOKS,
        };
        Ok(valuation.by_lines(&[cell], lines, self.seed)[0])
    }

    fn kind(&self) -> (Board, FirstClick) {
        (self.view.board(), self.first_click)
    }
}

/// Checks the columns of the rows of one guess.
fn check<'a>(rows: &[CandidateRow<'a>]) -> Result<(), String> {
    let first = &rows[0];
    let chosen = rows.iter().filter(|row| row.chosen).count();
    if chosen != 1 {
        return Err(format!(
            "{chosen} of its candidates are marked as chosen, not 1"
        ));
    }
    let shared = |row: &CandidateRow<'a>| {
        let text = (row.board, row.first_click, row.position, row.seed);
        let numbers = [row.unknown, row.weight].map(f64::to_bits);
        let exact = (row.exact, row.layouts);
        (text, numbers, exact)
    };
    if rows.iter().any(|row| shared(row) != shared(first)) {
        return Err(
            "its rows differ in the board, the position or another column of the guess".to_owned(),
        );
    }
    let is_share = |value: f64| (0.0..=1.0).contains(&value);
    let values = |row: &CandidateRow<'_>| [row.value.value].into_iter().chain(row.value.blocks);
    if let Some(value) = rows.iter().flat_map(values).find(|&value| !is_share(value)) {
        return Err(format!("a value is {value}, not a number from 0 to 1"));
    }
    if !(is_share(first.unknown) && first.weight.is_finite() && first.weight > 0.0) {
        let unknown = first.unknown;
        let weight = first.weight;
        return Err(format!(
            "`unknown` is {unknown} and `weight` {weight}; the first must be from 0 to 1, the second above 0"
        ));
    }
    Ok(())
}

/// The loss of a player's choices, over the guesses on one kind of board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreRow {
    pub player: String,
    /// The player's version; empty for a player without one, such as a Python function, and for a
    /// difference of two players.
    pub version: String,
    /// The first 12 digits of the SHA-256 of the file of guesses; empty if they don't come from a
    /// file.
    pub set: String,
    pub board: String,
    pub first_click: String,
    /// The band of the fraction of unknown cells, such as `0-0.25`, or [`ScoreRow::ALL`].
    pub unknown: String,
    pub guesses: usize,
    /// The loss in percentage points of win rate per game, with a 95 % confidence interval, which
    /// is infinite if guesses of some weight occur only once.
    pub loss: f64,
    pub low: f64,
    pub high: f64,
}

impl ScoreRow {
    /// The value of `unknown` in a row that covers all guesses on one kind of board.
    pub const ALL: &str = "all";

    /// Computes the rows of a player whose choice in guess `i` loses `losses[i]`. Each kind of
    /// board gets one row for all its guesses, then one row for each band of the fraction of
    /// unknown cells.
    pub fn of(
        (player, version, set): (&str, &str, &str),
        guesses: &[GuessToScore],
        losses: &[f64],
    ) -> Vec<Self> {
        let mut kinds: Vec<_> = Vec::new();
        for guess in guesses {
            if !kinds.contains(&guess.kind()) {
                kinds.push(guess.kind());
            }
        }
        let mut rows = Vec::new();
        for kind in kinds {
            let row = |unknown, low: f64, high: f64| {
                let scored = guesses.iter().zip(losses).filter(|(guess, _)| {
                    guess.kind() == kind && guess.unknown > low && guess.unknown <= high
                });
                let (guesses, loss) = loss_per_game(scored)?;
                Some(Self {
                    player: player.to_owned(),
                    version: version.to_owned(),
                    set: set.to_owned(),
                    board: kind.0.to_string(),
                    first_click: kind.1.name().to_owned(),
                    unknown,
                    guesses,
                    loss: round(loss.value, 4),
                    low: round(loss.low, 4),
                    high: round(loss.high, 4),
                })
            };
            rows.extend(row(Self::ALL.to_owned(), f64::NEG_INFINITY, f64::INFINITY));
            let mut low = 0.0;
            for high in BANDS {
                rows.extend(row(format!("{low}-{high}"), low, high));
                low = high;
            }
        }
        rows
    }
}

/// Returns the number of these guesses and their loss in percentage points per game, or `None` if
/// there are none.
fn loss_per_game<'a>(
    scored: impl Iterator<Item = (&'a GuessToScore, &'a f64)>,
) -> Option<(usize, Estimate)> {
    // Guesses of equal weight form a stratum.
    let mut strata: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (guess, &loss) in scored {
        strata.entry(guess.weight.to_bits()).or_default().push(loss);
    }
    let guesses_per_game =
        |(&weight, losses): (&u64, &Vec<f64>)| f64::from_bits(weight) * losses.len() as f64;
    let loss = Estimate::weighted(strata.iter().map(|(weight, losses)| {
        // The quantile is the normal one, because the errors of the strata add up.
        let PairedMean { mean, error, .. } = PairedMean::of(losses.iter().copied());
        let mean = Estimate {
            value: mean,
            low: mean - Z_95 * error,
            high: mean + Z_95 * error,
        };
        (mean, guesses_per_game((weight, losses)))
    }))?;
    let factor = 100.0 * strata.iter().map(guesses_per_game).sum::<f64>();
    Some((strata.values().map(Vec::len).sum(), loss.times(factor)))
}
