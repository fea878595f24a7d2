//! The stage `guess-set`: a sample of guesses from a player's games, with the value of every
//! candidate. `score` measures players on such sets.
//!
//! ```text
//! DIR/manifest.json, lock     as in every folder
//!     journal.jsonl           a line for each guess that is valued
//!     tune.parquet            guesses of games with even numbers, for tuning settings
//!     report.parquet          guesses of games with odd numbers, for reported results
//! ```

mod kind;
mod sample;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Context, ModelArgs, Outcome, Row, Rows, Stage, as_text,
    help::examples,
    resume::{end, note_resumed, recorded, revision_of_players},
};
pub use kind::KindOfGuesses;
use mineflow_arena::{Keeping, Piece, Series, Slots, TableOf, Text, numbers::round};
use mineflow_learn::data::{GuessSetRow, read_guess_set, write_guess_set};
use mineflow_minesweeper::{
    Cell,
    ahead::{BLOCKS, LineValue, Lines, SCORING_LOOKS, Valuation},
    player::PlayerSpec,
    text::view_on,
};
use mineflow_rng::Seed;
use mineflow_store::{Journal, Purpose, object};
use sample::{SampledGuess, Sampler};

/// The two files of a set; the parity of a game's number decides which file its guesses go to.
const FILES: [&str; 2] = ["tune.parquet", "report.parquet"];
/// The setting of [`Lines::looks`] with which every guess of a line of play looks two steps ahead.
const EVERY: u32 = u32::MAX;

/// Sample guesses from a player's games and value each candidate, for `score`
///
/// The sample is stratified into six bands by the share of unknown cells, so that rare positions
/// are included. Each guess has a weight: the number of guesses per game that it represents.
/// Candidates are the eight cells with the highest two-step safety, every cell within .05 of the
/// best, and the cell that the player chose. In positions of up to 1,000 layouts, their values are
/// exact unless the search exceeds 200,000 nodes. Otherwise the values are estimated by lines of
/// play on layouts that all candidates share: once with two guesses that look two steps ahead, and
/// once with every guess looking ahead. Games with even numbers go to tune.parquet, and games with
/// odd numbers to report.parquet.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "guess-set --out set",
            "guess-set --kinds beginner:safe=200 --games 500 --layouts 100 --looking-layouts 30 --out small",
        ], ""))]
pub struct GuessSet {
    /// Choose the player of the games
    #[arg(long, value_name = "PLAYER", default_value = "11.0")]
    pub player: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
    /// Set boards, first-click rules and numbers of guesses: BOARD:RULE=N, separated by commas
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        default_value = "expert:safe=5000,intermediate:safe=1000,beginner:safe=1000,expert:opening=1000"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub kinds: Vec<KindOfGuesses>,
    /// Sample from N games of each kind
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(2..))]
    pub games: u32,
    /// Value candidates on N layouts by lines of play whose first two guesses look two steps ahead
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(8..=1_000_000))]
    pub layouts: u32,
    /// Value candidates on N layouts by lines of play in which every guess looks two steps ahead
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(8..=1_000_000))]
    pub looking_layouts: u32,
}

impl Stage for GuessSet {
    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let player = self.models.player(&self.player, context.models)?;
        let mut settings = object(json!({
            "command": "guess-set",
            "player": recorded(&player),
            "kinds": self.kinds.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "games": self.games,
            "layouts": self.layouts,
            "looking_layouts": self.looking_layouts,
            "seed": context.seed,
        }));
        settings.extend(revision_of_players([&player]));
        let folder = context.open(&Purpose {
            own: &[Journal::FILE],
            results: &FILES,
            ..Purpose::of(settings)
        })?;
        if folder.is_finished() {
            let mut rows = Vec::new();
            for file in FILES {
                let set = read_guess_set(&folder.path().join(file))?;
                rows.push(SetRow::of(file, &set));
            }
            return Ok(Outcome::Done(Box::new(Rows(rows))));
        }
        let Some(guesses) = self.sample(&player, context)? else {
            return Ok(context.interrupted("no guesses"));
        };
        let mut series = Series::open(Slots::new(0..guesses.len()), Some(folder))?;
        note_resumed(context, &series);
        let planned = guesses.len() as u64;
        series.play(
            context.workers(),
            Slots::missing,
            |valuation: &mut Valuation, number, results| {
                let valued = self.value(number, &guesses[number], valuation);
                results.hand_in(valued.map(|valued| (valued, ())));
            },
            |series, _| {
                let done = series.records().pieces().len() as u64;
                context.count("guesses", done, planned, "");
            },
        )?;
        if let Some(outcome) = end(context, &mut series, planned)? {
            return Ok(outcome);
        }
        let valued: Vec<&ValuedGuess> = series.records().pieces().collect();
        let mut rows = Vec::new();
        for (odd, file) in (0..).zip(FILES) {
            let set = self.rows_of(&guesses, &valued, odd);
            rows.push(SetRow::of(file, &set));
            write_guess_set(context.folder()?, file, set)?;
        }
        series.seal(&[], context.stop)?;
        Ok(Outcome::Done(Box::new(Rows(rows))))
    }
}

impl GuessSet {
    /// Samples the guesses of the set, kind by kind. Returns `None` after an interruption.
    fn sample(
        &self,
        player: &PlayerSpec,
        context: &Context<'_>,
    ) -> Result<Option<Vec<SampledGuess>>> {
        let mut guesses = Vec::new();
        for &kind in &self.kinds {
            let sampler = Sampler {
                player,
                kind,
                games: self.games,
                seed: Seed::new(context.seed),
            };
            match sampler.sample(context)? {
                Some(found) => guesses.extend(found),
                None => return Ok(None),
            }
        }
        for (odd, file) in (0..).zip(FILES) {
            ensure!(
                guesses.iter().any(|guess| guess.game % 2 == odd),
                "no game has a guess with several candidates for {file}; give other --kinds or more --games"
            );
        }
        Ok(Some(guesses))
    }

    /// Values the candidates of a guess.
    fn value(
        &self,
        number: usize,
        guess: &SampledGuess,
        valuation: &mut Valuation,
    ) -> Result<ValuedGuess> {
        let rows: Vec<&str> = guess.position.split('/').collect();
        let board = guess.kind.board;
        valuation.read(&view_on(guess.grid.clone(), board.mines(), &rows)?)?;
        let mut cells = valuation.candidates();
        if !cells.contains(&guess.chosen) {
            cells.push(guess.chosen);
        }
        let exact = valuation.exact();
        let (values, looking) = if let Some(exact) = &exact {
            // The cell with the highest exact value is always a candidate.
            let most = exact.iter().map(|&(_, value)| value).fold(0.0, f64::max);
            if let Some(&(best, _)) = exact.iter().find(|&&(_, value)| value == most)
                && !cells.contains(&best)
            {
                cells.push(best);
            }
            let values = cells.iter().map(|&cell| LineValue::exact(exact, cell));
            let values: Vec<LineValue> = values.collect();
            (values.clone(), values)
        } else {
            let mut by_lines =
                |layouts, looks| valuation.by_lines(&cells, Lines { layouts, looks }, guess.seed);
            let values = by_lines(self.layouts, SCORING_LOOKS);
            (values, by_lines(self.looking_layouts, EVERY))
        };
        let candidate = |((&cell, value), looking): ((&Cell, LineValue), LineValue)| ValuedCell {
            cell: cell.index() as u16,
            mine: round(valuation.mine(cell), 9),
            lines: value.tried,
            value: round(value.value, 9),
            error: round(value.error, 9),
            blocks: value.blocks.map(|block| round(block, 9)),
            looking_lines: looking.tried,
            looking_value: round(looking.value, 9),
            looking_error: round(looking.error, 9),
        };
        let candidates = cells.iter().zip(values).zip(looking);
        Ok(ValuedGuess {
            guess: number,
            exact: exact.is_some(),
            candidates: candidates.map(candidate).collect(),
        })
    }

    /// Returns the rows of guesses from games whose number has the remainder `odd` modulo 2.
    fn rows_of(
        &self,
        guesses: &[SampledGuess],
        valued: &[&ValuedGuess],
        odd: u64,
    ) -> Vec<GuessSetRow> {
        let is_here = |guess: &SampledGuess| guess.game % 2 == odd;
        let stratum = |guess: &SampledGuess| (guess.kind.to_string(), guess.band);
        let mut here: BTreeMap<_, u32> = BTreeMap::new();
        for guess in guesses.iter().filter(|guess| is_here(guess)) {
            *here.entry(stratum(guess)).or_default() += 1;
        }
        let mut rows = Vec::new();
        for (number, (guess, valued)) in guesses.iter().zip(valued).enumerate() {
            if !is_here(guess) {
                continue;
            }
            let weight = guess.per_game / f64::from(here[&stratum(guess)]);
            for candidate in &valued.candidates {
                let cell = Cell(candidate.cell);
                let (row, column) = guess.kind.board.row_col(cell);
                rows.push(GuessSetRow {
                    guess: number as u32,
                    game: guess.game,
                    turn: guess.turn,
                    board: guess.kind.board.to_string(),
                    first_click: guess.kind.first_click.name().to_owned(),
                    position: guess.position.clone(),
                    unknown: guess.unknown as f32,
                    weight: weight as f32,
                    seed: guess.seed,
                    layouts: if valued.exact { 0 } else { self.layouts },
                    row: row as u32,
                    column: column as u32,
                    chosen: cell == guess.chosen,
                    mine: candidate.mine as f32,
                    exact: valued.exact,
                    lines: candidate.lines,
                    value: candidate.value as f32,
                    error: candidate.error as f32,
                    blocks: candidate.blocks.map(|block| block as f32),
                    looking_lines: candidate.looking_lines,
                    looking_value: candidate.looking_value as f32,
                    looking_error: candidate.looking_error as f32,
                });
            }
        }
        rows
    }
}

/// A guess with the values of its candidates: a line of the journal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValuedGuess {
    guess: usize,
    exact: bool,
    candidates: Vec<ValuedCell>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValuedCell {
    cell: u16,
    mine: f64,
    lines: u32,
    value: f64,
    error: f64,
    blocks: [f64; BLOCKS],
    looking_lines: u32,
    looking_value: f64,
    looking_error: f64,
}

impl Piece for ValuedGuess {
    type Cost = ();
    const KEEPING: Keeping = Keeping {
        things: "guesses",
        has_costs: false,
        journal_stays: true,
    };

    fn number(&self) -> usize {
        self.guess
    }
}

/// The numbers of guesses and candidates in a file of the set.
#[derive(Serialize)]
pub struct SetRow {
    pub file: &'static str,
    pub guesses: usize,
    pub exact: usize,
    pub candidates: usize,
}

impl SetRow {
    fn of(file: &'static str, rows: &[GuessSetRow]) -> Self {
        let of_guess = || rows.chunk_by(|a, b| a.guess == b.guess);
        Self {
            file,
            guesses: of_guess().count(),
            exact: of_guess().filter(|rows| rows[0].exact).count(),
            candidates: rows.len(),
        }
    }
}

impl Row for SetRow {
    fn text(rows: &[Self]) -> Text {
        TableOf::new(rows)
            .left("file", |row| row.file)
            .right("guesses", |row| row.guesses)
            .right("of them exact", |row| row.exact)
            .right("candidates", |row| row.candidates)
            .text()
    }
}
