//! The settings of `pipeline generate`.

use std::{
    fmt::{self, Display},
    num::{NonZeroU32, NonZeroU64},
    str::FromStr,
};

use anyhow::{Result, ensure};
use clap::ValueEnum;

use super::{
    Amount, Boards, FirstCell, GenerateError, MineRatios, RowArgs, SelfPlay, check_weighs,
    folder::Generation,
};
use crate::{
    Context, ModelArgs, Outcome, Stage, as_text,
    help::{EXIT_CODES, examples},
    values::{Range, Steps, above_zero, check_range},
};
use mineflow_minesweeper::{
    Board, FirstClick,
    features::{ClassifierV2, GuessV2, PositionFeatures, QV2, ValueV1},
};
use mineflow_rng::Seed;
use serde::Serialize;

/// The default number of games per board size, as in Sinha et al.
const PASSES: u64 = 100;
/// The default number of games per board size and mine ratio for q rows.
const Q_PASSES: u64 = 200;
/// The widths and mine ratios of Sinha et al.
const PAPER: (&str, &str) = ("5..30", "0.05..0.30");
const Q_PAPER: (&str, &str) = ("5..20,30", "0.05..0.30:0.05");

/// The kind of rows to make: `classifier-v2` (one row for each boundary cell and for each of 3
/// other cells, with a label that says whether it is safe), `q-v2` (one row per guess, with the
/// return), `value-v1` (one row per safe guess, with the result of the game) or `guess-v2` (one row
/// per candidate of a guess, with its advantage over the other candidates).
#[derive(Clone, Copy, PartialEq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowsKind {
    Classifier,
    Q,
    Value,
    Guesses,
}

impl RowsKind {
    fn features(self) -> &'static dyn PositionFeatures {
        match self {
            Self::Classifier => &ClassifierV2,
            Self::Q => &QV2,
            Self::Value => &ValueV1,
            Self::Guesses => &GuessV2,
        }
    }
}

/// Play games and record training rows in a folder of Parquet files
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "generate --kind classifier --games 10000 --out rows",
            "generate --kind q --player 4.5 --boards beginner,expert --out rows",
            "generate --kind classifier --shard 1/4 --out rows.1",
        ], EXIT_CODES))]
pub struct Generate {
    /// Choose the rows: classifier (classifier-v2; a row for each boundary cell and 3 other cells;
    /// target: safe or not), q (q-v2; a row for each guess; target: return), value (value-v1; a row
    /// for each safe guess; target: game won or not) or guesses (guess-v2; a row for each candidate
    /// of a guess; target: gain in win probability, by roll-outs)
    #[arg(long, value_name = "KIND", value_enum, hide_possible_values = true, default_value_t = RowsKind::Classifier)]
    pub kind: RowsKind,
    /// Choose the player, by name or recipe; a recipe's off-boundary option sets P of cells off the
    /// boundary
    #[arg(long, value_name = "PLAYER", default_value = "4.0")]
    pub player: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
    #[arg(long, value_name = "N", conflicts_with = "rows", help = format!(
        "Play N games per board size (for q: per size and mine ratio) [default: {PASSES} as in Sinha et al.; for q {Q_PASSES}]"
    ))]
    pub games: Option<NonZeroU32>,
    /// Make exactly N rows instead, from as many games as needed
    #[arg(long, value_name = "N")]
    pub rows: Option<NonZeroU64>,
    /// Choose boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    /// [default: the sizes of Sinha et al.]
    #[arg(long, value_name = "BOARDS", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    pub boards: Vec<Board>,
    #[arg(long, value_name = "RANGES", value_delimiter = ',', help = format!(
        "Set the widths: LOW..HIGH; separate several by commas [default: {}, for q {}]", PAPER.0, Q_PAPER.0
    ))]
    #[serde(serialize_with = "as_text::list")]
    pub widths: Vec<Range<u16>>,
    /// Set the heights, as a share of the width: LOW..HIGH [default: 0.5..1]
    #[arg(long, value_name = "RANGE")]
    #[serde(serialize_with = "as_text::optional")]
    pub height_ratio: Option<Range<f64>>,
    #[arg(long, value_name = "RANGE", help = format!(
        "Set the mine ratio: LOW..HIGH draws it for every game, LOW..HIGH:STEP takes each value in turn [default: {}, for q {}]",
        PAPER.1, Q_PAPER.1
    ))]
    #[serde(serialize_with = "as_text::optional")]
    pub mine_ratios: Option<Ratios>,
    /// Set the first-click rule: safe, opening or any; only q and value rows include first clicks
    #[arg(long, value_name = "RULE", default_value_t = FirstClick::default())]
    #[serde(serialize_with = "as_text::one")]
    pub first_click: FirstClick,
    /// Choose the first cell of games whose first click has a row: own (the player's choice),
    /// corner or anywhere
    #[arg(
        long,
        value_name = "WHERE",
        value_enum,
        hide_possible_values = true,
        default_value_t
    )]
    pub first_cell: FirstCell,
    /// Set the exploration rate, 0 to 1: the probability that a guess is a random covered cell that
    /// is not known to be a mine
    #[arg(long, value_name = "CHANCE", default_value_t = f64::default())]
    pub explore: f64,
    /// Set the number of games per shard (a pair of files)
    #[arg(long, value_name = "N", default_value_t = above_zero(16_384))]
    pub games_per_shard: NonZeroU32,
    #[command(flatten)]
    #[serde(flatten)]
    pub row_args: RowArgs,
}

/// Mine ratios with their text form.
#[derive(Clone)]
pub struct Ratios {
    text: String,
    ratios: MineRatios,
}

impl Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Ratios {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ratios = if text.contains(':') || !text.contains("..") {
            MineRatios::Each(text.parse::<Steps>()?.values().collect())
        } else {
            let Range { low, high } = text.parse::<Range<f64>>()?;
            MineRatios::Uniform(low, high)
        };
        let is_ratio = |ratio: &f64| (0.0..=1.0).contains(ratio);
        let are_ratios = match &ratios {
            MineRatios::Uniform(low, high) => is_ratio(low) && is_ratio(high),
            MineRatios::Each(each) => each.iter().all(is_ratio),
        };
        let text = text.to_owned();
        are_ratios
            .then_some(Self { text, ratios })
            .ok_or_else(|| "mine ratios lie between 0 and 1".to_owned())
    }
}

impl Generate {
    fn boards(&self) -> Result<Boards> {
        if !self.boards.is_empty() {
            return Ok(Boards::exactly(&self.boards));
        }
        let is_q = self.kind == RowsKind::Q;
        if is_q && !self.is_grid() {
            return Ok(Boards::paper_q(0.30));
        }
        let paper = if is_q { Q_PAPER } else { PAPER };
        let mut widths = Vec::new();
        for text in paper.0.split(',').filter(|_| self.widths.is_empty()) {
            widths.push(text.parse::<Range<u16>>().map_err(anyhow::Error::msg)?);
        }
        let widths = widths.iter().chain(&self.widths);
        let widths = widths.flat_map(|range| range.low..=range.high);
        let widths: Vec<_> = widths.map(usize::from).collect();
        let (low, high) = self
            .height_ratio
            .map_or((0.5, 1.0), |range| (range.low, range.high));
        ensure!(
            low > 0.0 && high <= 1.0,
            "--height-ratio lies between 0 and 1"
        );
        let ratios = match &self.mine_ratios {
            Some(ratios) => ratios.clone(),
            None => paper.1.parse().map_err(anyhow::Error::msg)?,
        };
        let ratios = ratios.ratios;
        let boards = Boards::grid(&widths, (low, high), &ratios)?;
        ensure!(
            boards.per_pass() > 0,
            "no board lies within these --widths and this --height-ratio"
        );
        Ok(boards)
    }

    /// Returns whether the settings describe a grid of boards.
    fn is_grid(&self) -> bool {
        !self.widths.is_empty() || self.height_ratio.is_some() || self.mine_ratios.is_some()
    }

    fn amount(&self) -> Amount {
        let usual = if self.kind == RowsKind::Q {
            Q_PASSES
        } else {
            PASSES
        };
        let passes = self.games.map_or(usual, |games| games.get().into());
        self.rows
            .map_or(Amount::Passes(passes), |rows| Amount::Rows(rows.get()))
    }
}

impl Stage for Generate {
    fn check(&self) -> Result<()> {
        check_weighs(&self.player)?;
        ensure!(
            (0.0..=1.0).contains(&self.explore),
            "--explore lies between 0 and 1"
        );
        check_range(
            "games",
            self.games.map_or(1, NonZeroU32::get),
            1..=1_000_000_000,
        )?;
        check_range("games-per-shard", self.games_per_shard.get(), 1..=1_000_000)?;
        self.row_args.check(self.kind.features())?;
        ensure!(
            self.boards.is_empty() || !self.is_grid(),
            "--boards and a grid of boards exclude each other"
        );
        let boards = self.boards()?;
        let has_rows = boards.have_guesses() || matches!(self.kind, RowsKind::Q | RowsKind::Value);
        ensure!(
            self.rows.is_none() || has_rows,
            GenerateError::NoGuess(boards.description().to_owned())
        );
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let player = self.models.player(&self.player, context.models)?;
        let generation = Generation {
            settings: SelfPlay {
                boards: self.boards()?,
                first_click: self.first_click,
                first_cell: self.first_cell,
                explore: self.explore,
                seed: Seed::new(context.seed),
            },
            kind: self.row_args.rows(self.kind.features())?,
            amount: self.amount(),
            player,
            games_per_shard: self.games_per_shard.get().into(),
            part: context.part,
        };
        generation.run(context)
    }
}
