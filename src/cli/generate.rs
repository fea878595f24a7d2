//! `pipeline generate`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};

use super::output::to_stdout;
use super::progress::Meter;
use super::{Global, interrupt};
use crate::document::numbers::{grouped, percent};
use crate::learn::Target;
use crate::learn::data::Counts;
use crate::learn::model::Linear;
use crate::minesweeper::features::{ClassifierV2, LocationScore, PositionFeatures, QV2, q_v2};
use crate::minesweeper::player::PlayerSpec;
use crate::minesweeper::{Board, FirstClick};
use crate::rng::Seed;
use crate::stage::generate::{
    Alpha, Amount, Boards, Discount, FirstCell, GenerateError, Generation, Labels, MineRatios, Part, Progress,
    QSettings, RowKind, SelfPlay,
};
use crate::stage::values::{Range, Steps};

/// Alpha where none is given.
const DEFAULT_ALPHA: f64 = 0.3;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// A row of `classifier-v2` per boundary cell and per each of 3 others, with the label: is it safe?
    Classifier,
    /// A row of `q-v2` per guess, with the return
    Q,
}

/// What rows depend on besides the games.
#[derive(Args)]
pub(super) struct RowArgs {
    /// The location score: opening (the chance of an opening) or printed (equation 4 as printed)
    #[arg(long, value_name = "SCORE", default_value_t)]
    score: LocationScore,
    /// The share of P in Sc, for q: a number from 0 to 1, or a file that `pipeline fit-alpha` made [default: 0.3]
    #[arg(long, value_name = "VALUE|FILE")]
    alpha: Option<String>,
    /// What later rewards count, for q: linear or exponential:BASE [default: linear]
    #[arg(long, value_name = "DISCOUNT")]
    discount: Option<Discount>,
    /// The value of a cell off the board, for q: -2 to 2, where -1 is that of an open cell [default: -2]
    #[arg(long, value_name = "VALUE", value_parser = off_board, allow_negative_numbers = true)]
    off_board: Option<f32>,
    /// Rows of first clicks too, for the classifier, with the label: was the game won?
    #[arg(long)]
    first_clicks: bool,
}

impl Kind {
    fn features(self) -> &'static dyn PositionFeatures {
        match self {
            Self::Classifier => &ClassifierV2,
            Self::Q => &QV2,
        }
    }
}

impl RowArgs {
    pub(super) fn rows(&self, features: &'static dyn PositionFeatures) -> anyhow::Result<RowKind> {
        let labels = match features.set().target {
            Target::Safe => {
                let of_q = self.alpha.is_some() || self.discount.is_some() || self.off_board.is_some();
                ensure!(!of_q, "--alpha, --discount and --off-board are for q rows alone");
                Labels::Safe { score: self.score, first_clicks: self.first_clicks }
            }
            Target::Return => {
                ensure!(!self.first_clicks, "--first-clicks is for classifier rows alone; q rows always have them");
                Labels::Return(QSettings {
                    alpha: self.alpha.as_deref().map_or(Ok(Alpha::Fixed(DEFAULT_ALPHA)), read_alpha)?,
                    score: self.score,
                    off_board: self.off_board.unwrap_or(q_v2::OFF_BOARD),
                    discount: self.discount.unwrap_or_default(),
                })
            }
        };
        Ok(RowKind { features, labels })
    }
}

/// The value of a cell off the board in a sub-state.
pub(super) fn off_board(text: &str) -> Result<f32, String> {
    let value = text.parse().ok().filter(|value| q_v2::OFF_BOARD_RANGE.contains(value));
    value.ok_or_else(|| format!("`{text}` is not a number from -2 to 2"))
}

fn read_alpha(text: &str) -> anyhow::Result<Alpha> {
    if let Ok(alpha) = text.parse() {
        ensure!((0.0..=1.0).contains(&alpha), "--alpha {text} does not lie between 0 and 1");
        return Ok(Alpha::Fixed(alpha));
    }
    Ok(Alpha::Fitted(Linear::load(Path::new(text), "--alpha")?))
}

#[derive(Args)]
pub(super) struct GenerateArgs {
    /// Which rows to make
    #[arg(long, value_enum, default_value = "classifier")]
    kind: Kind,
    /// Folder for the rows; interrupted, the same command goes on there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Who plays, by name or recipe; a recipe's off-boundary option says which P cells off the boundary have
    #[arg(long, value_name = "PLAYER", default_value = "4.0")]
    player: PlayerSpec,
    /// Games on each size (for q: on each size and mine ratio) [default: the paper's 100, for q 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), conflicts_with = "rows")]
    games: Option<u64>,
    /// So many rows instead, from as many games as it takes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,
    /// Boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas [default: the paper's sizes]
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', conflicts_with_all = ["widths", "height_ratio", "mine_ratios"])]
    boards: Vec<Board>,
    /// Widths LOW..HIGH, several separated by commas [default: 5..30, for q 5..20,30]
    #[arg(long, value_name = "RANGES", value_delimiter = ',')]
    widths: Vec<Range<u16>>,
    /// Heights as a share of the width, LOW..HIGH [default: 0.5..1]
    #[arg(long, value_name = "RANGE")]
    height_ratio: Option<Range<f64>>,
    /// Mines as a share of the cells: LOW..HIGH is drawn for every game, LOW..HIGH:STEP takes each in turn
    /// [default: 0.05..0.30, for q 0.05..0.30:0.05]
    #[arg(long, value_name = "RANGE")]
    mine_ratios: Option<Ratios>,
    /// What the first click is promised: safe, opening or any; it gives rows of Q alone
    #[arg(long, value_name = "RULE", default_value_t)]
    first_click: FirstClick,
    /// Where games begin whose first click has a row: own (where the player chooses), corner or anywhere
    #[arg(long, value_name = "WHERE", default_value_t)]
    first_cell: FirstCell,
    /// The chance that a guess is replaced by a random covered cell not known to be a mine
    #[arg(long, value_name = "CHANCE", default_value_t = 0.0)]
    explore: f64,
    #[command(flatten)]
    row_args: RowArgs,
    /// Make part I of N, for N machines, each with its own --out
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: ShardText,
    /// Games of a pair of files
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games_per_shard: u64,
}

#[derive(Clone)]
struct ShardText(Part);

impl FromStr for ShardText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no part; write I/N such as 2/4, the second of four");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of): (u64, u64) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if (1..=of).contains(&index) { Ok(Self(Part { index: index - 1, of })) } else { Err(wrong()) }
    }
}

#[derive(Clone)]
struct Ratios(MineRatios);

impl FromStr for Ratios {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ratios = if text.contains(':') || !text.contains("..") {
            MineRatios::Each(text.parse::<Steps>()?.values().collect())
        } else {
            let Range { low, high } = text.parse::<Range<f64>>()?;
            MineRatios::Uniform(low, high)
        };
        let ends = match &ratios {
            MineRatios::Uniform(low, high) => vec![*low, *high],
            MineRatios::Each(each) => each.clone(),
        };
        let is_ratio = ends.iter().all(|ratio| (0.0..=1.0).contains(ratio));
        if is_ratio { Ok(Self(ratios)) } else { Err("mine ratios lie between 0 and 1".to_owned()) }
    }
}

impl GenerateArgs {
    fn boards(&self) -> anyhow::Result<Boards> {
        if !self.boards.is_empty() {
            return Ok(Boards::exactly(&self.boards));
        }
        if self.widths.is_empty() && self.height_ratio.is_none() && self.mine_ratios.is_none() {
            return Ok(match self.kind {
                Kind::Classifier => Boards::paper_classifier(),
                Kind::Q => Boards::paper_q(0.30),
            });
        }
        let paper = match self.kind {
            Kind::Classifier => ("5..30", "0.05..0.30"),
            Kind::Q => ("5..20,30", "0.05..0.30:0.05"),
        };
        let typed = |text: &str| text.parse::<Range<u16>>().map_err(anyhow::Error::msg);
        let widths = match &self.widths[..] {
            [] => paper.0.split(',').map(typed).collect::<Result<_, _>>()?,
            widths => widths.to_vec(),
        };
        let widths: Vec<_> = widths.iter().flat_map(|range| range.low..=range.high).map(usize::from).collect();
        let Range { low, high } = self.height_ratio.unwrap_or(Range { low: 0.5, high: 1.0 });
        ensure!(low > 0.0 && high <= 1.0, "--height-ratio lies between 0 and 1");
        let ratios = match &self.mine_ratios {
            Some(ratios) => ratios.0.clone(),
            None => paper.1.parse::<Ratios>().map_err(anyhow::Error::msg)?.0,
        };
        let boards = Boards::grid(&widths, (low, high), &ratios)?;
        ensure!(boards.per_pass() > 0, "no board lies within these --widths and this --height-ratio");
        Ok(boards)
    }

    fn generation(&self, global: &Global) -> anyhow::Result<Generation> {
        ensure!((0.0..=1.0).contains(&self.explore), "--explore lies between 0 and 1");
        let amount = match (self.rows, self.games, self.kind) {
            (Some(rows), ..) => Amount::Rows(rows),
            (None, Some(games), _) => Amount::Passes(games),
            (None, None, Kind::Classifier) => Amount::Passes(100),
            (None, None, Kind::Q) => Amount::Passes(200),
        };
        Ok(Generation {
            settings: SelfPlay {
                boards: self.boards()?,
                first_click: self.first_click,
                first_cell: self.first_cell,
                explore: self.explore,
                seed: Seed::new(global.seed),
            },
            kind: self.row_args.rows(self.kind.features())?,
            amount,
            player: self.player.clone(),
            games_per_shard: self.games_per_shard,
            part: self.shard.0,
            threads: global.threads(),
            out: self.out.clone(),
        })
    }
}

pub(super) fn run(args: &GenerateArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let generation = args.generation(global)?;
    let out = generation.out.display();
    let stop = interrupt::listen()?;
    let meter = Meter::new(global);
    let mut told = false;
    let made = generation.run(stop, &mut |progress| {
        if !told && progress.before.games > 0 {
            let (games, rows) = (grouped(progress.before.games), grouped(progress.before.rows));
            global.note(&format!("note: going on in {out} after {games} games with {rows} rows"));
        }
        let (things, before, done, planned) = far(progress);
        if !told {
            meter.count(things, before, planned);
        }
        told = true;
        meter.count_with(things, done, planned, &format!(", {}", beside(progress)));
    });
    meter.finish();
    match made {
        Ok(manifest) => {
            let text = if global.json {
                format!("{}\n", serde_json::to_string(&manifest.totals)?)
            } else {
                amount(manifest.totals)
            };
            to_stdout(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(GenerateError::Stopped) => {
            global
                .note(&format!("interrupted: finished shards are kept in {out}; the same command goes on from there"));
            Ok(ExitCode::from(interrupt::INTERRUPTED))
        }
        Err(error) => bail!(error),
    }
}

/// What a folder holds, for people.
pub(super) fn in_short(folder: &str, totals: Counts) -> String {
    format!("{folder}: {}", amount(totals))
}

fn amount(totals: Counts) -> String {
    let Counts { games, won, decisions, rows } = totals;
    let (won, games) = (percent(won as f64 / games.max(1) as f64), grouped(games));
    format!("{} rows of {} guesses in {games} games, {won} % won\n", grouped(rows), grouped(decisions))
}

/// What is counted; how many of them there were at the start, how many are done, how many are planned.
fn far(Progress { counts, before, games, rows }: Progress) -> (&'static str, u64, u64, u64) {
    match rows {
        Some(rows) => ("rows", before.rows, counts.rows, rows),
        None => ("games", before.games, counts.games, games.unwrap_or(counts.games)),
    }
}

/// What else is made.
fn beside(Progress { counts, rows, .. }: Progress) -> String {
    match rows {
        Some(_) => format!("{} games", grouped(counts.games)),
        None => format!("{} rows", grouped(counts.rows)),
    }
}
