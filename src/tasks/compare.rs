//! Paired comparison of two players: both play the same games.

use anyhow::{Result, ensure};
use serde::Serialize;
use serde_json::json;

use super::series::SeriesSettings;
use crate::{
    Context, Outcome, Row, Rows, SprtArgs, Stage, as_text,
    help::{EXIT_CODES, examples},
    kept_games,
    values::{self, unique},
};
use mineflow_arena::{
    Arena, Comparison, Confidence, Plan, Tally, Text, Verdict,
    numbers::{counted, grouped, percent, round},
    to_csv,
};
use mineflow_minesweeper::Board;
use mineflow_store::Journal;

/// The journal, and the files made from it.
const FILES: &[&str] = &[Journal::FILE, "compare.csv", "games.csv", kept_games::FILE];

/// A row of `games.csv`: a game of both players on one board under one first-click rule.
#[derive(Serialize)]
struct GameRow {
    width: usize,
    height: usize,
    mines: usize,
    first_click: &'static str,
    /// The number of the game, from 0, as `pipeline replay` takes it for saved games.
    game: usize,
    /// 1 for a win, and 0 otherwise.
    won_a: u8,
    won_b: u8,
    /// The luck that the correction subtracts from a result, in games, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    luck_a: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck_b: Option<f64>,
}

/// A row of `compare.csv`: two players on one board under one first-click rule.
#[derive(Serialize)]
pub struct CompareRow {
    pub a: String,
    pub b: String,
    /// The [versions](mineflow_minesweeper::player::Recipe::version) of both players.
    pub version_a: String,
    pub version_b: String,
    pub width: usize,
    pub height: usize,
    pub mines: usize,
    pub first_click: &'static str,
    /// Number of games played by each player.
    pub games: u64,
    pub both_won: u64,
    pub only_a_won: u64,
    pub only_b_won: u64,
    pub neither_won: u64,
    /// Numbers of games that each player lost by time-out, if there are any in the series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeouts_a: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeouts_b: Option<u64>,
    pub win_ratio_a: f64,
    pub win_ratio_b: f64,
    /// Win rate of `a` minus that of `b`, with the ends of its confidence interval (Tango).
    pub difference: f64,
    pub ci_low: f64,
    pub ci_high: f64,
    /// Two-sided p-value of McNemar's exact test.
    pub p_value: f64,
    /// The luck-corrected difference with the ends of its confidence interval and its two-sided
    /// p-value, if luck was measured. Interval and p-value are empty if the raw ones are better:
    /// too few games differ to trust the others, or the correction raises the variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_difference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_ci_low: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_ci_high: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_p_value: Option<Option<f64>>,
    /// The mean luck subtracted by the correction, `difference` minus `corrected_difference`, and
    /// its standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck_error: Option<f64>,
    /// The verdict of the sequential test if there is one, otherwise of the luck-corrected
    /// difference if it has a p-value, and otherwise of McNemar's test.
    #[serde(serialize_with = "as_text::one")]
    pub verdict: Verdict,
    /// The number of games that would show a difference of the measured size with a power of 80 %,
    /// if no difference is shown.
    pub games_to_settle: Option<u64>,
    /// The logarithm of the likelihood ratio of the sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// The seed of all games.
    pub seed: u64,
    /// The result of the sequential test, in words.
    #[serde(skip)]
    tested: Option<String>,
    /// Confidence level of the verdict and the intervals.
    #[serde(skip)]
    pub confidence: Confidence,
}

/// Names with more characters than this are replaced by letters in the text.
const LONG_NAME: usize = 40;

/// Play the same games with two players and test which one is stronger
///
/// The hypotheses of --sprt are on the difference in win rate, in percentage points. The test is
/// evaluated after every 500 games of each player. Shards play all of their games, and the test is
/// evaluated when they are joined.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&["compare 11.0 7.0 --boards expert --games 20000 --luck-corrected", "compare 4.0 3.0"], EXIT_CODES))]
pub struct Compare {
    /// Choose the first player, by name or recipe; `pipeline players` lists them
    pub a: String,
    /// Choose the player to compare A with
    pub b: String,
    /// Choose boards as WIDTHxHEIGHT/MINES, or beginner, intermediate, expert; separated by commas
    #[arg(
        long,
        value_name = "BOARDS",
        value_delimiter = ',',
        default_value = "beginner"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub boards: Vec<Board>,
    /// Play N games of each player, board and first-click rule
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = values::games())]
    pub games: u32,
    /// Set the confidence level of verdict and intervals, in per cent [default: 95]
    #[arg(long, value_name = "PERCENT")]
    #[serde(serialize_with = "as_text::optional")]
    pub confidence: Option<Confidence>,
    #[command(flatten)]
    #[serde(flatten)]
    pub test: SprtArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub series: SeriesSettings,
}

impl Stage for Compare {
    fn check(&self) -> Result<()> {
        ensure!(self.a != self.b, values::given_twice(&self.a));
        self.series.check()
    }

    fn players(&self) -> Vec<(&'static str, String)> {
        vec![("a", self.a.clone()), ("b", self.b.clone())]
    }

    fn published(&self) -> Vec<String> {
        self.series.value_models(&self.boards)
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let players = [self.a.clone(), self.b.clone()];
        let players = self.series.models.players(&players, context.models)?;
        let boards = unique(self.boards.clone());
        let mut plan = self.series.plan(players, &boards, self.games, context)?;
        plan.sprt = self.test.sprt;
        Ok(match play(&self.series, plan, self.confidence, context)? {
            Ok(rows) => Outcome::Done(Box::new(Rows(rows))),
            Err(outcome) => outcome,
        })
    }
}

/// Plays the games of a plan with two players that the output folder lacks, and writes the table.
/// Returns its rows, or the outcome if the games were interrupted.
pub(crate) fn play(
    series: &SeriesSettings,
    plan: Plan,
    confidence: Option<Confidence>,
    context: &Context<'_>,
) -> Result<Result<Vec<CompareRow>, Outcome>> {
    let own = confidence.map(|of| ("confidence".to_owned(), json!(of.to_string())));
    let mut arena = match series.play("compare", FILES, plan, own, context)? {
        Ok(arena) => arena,
        Err(interrupted) => return Ok(Err(interrupted)),
    };
    let rows: Vec<_> = (0..arena.plan().configurations.len() / 2)
        .map(|pair| CompareRow::new(&arena, pair, confidence.unwrap_or_default()))
        .collect();
    let mut files = vec![
        ("compare.csv", to_csv(&rows)?),
        ("games.csv", to_csv(&games(&arena))?),
    ];
    if !series.keep(&arena, &mut files, context)? {
        return Ok(Err(context.interrupted("all games of the table")));
    }
    arena.series().seal(&files, context.stop)?;
    Ok(Ok(rows))
}

/// Lists the games of both players.
fn games(arena: &Arena) -> Vec<GameRow> {
    let tallies = arena.ledger().tallies();
    let (first, second) = tallies.split_at(tallies.len() / 2);
    let won = |tally: &Tally, game: usize| u8::from(tally.has_won(game as u32));
    let lucks = |tally: &Tally| tally.luck().map(Iterator::collect::<Vec<_>>);
    let luck = |of: &Option<Vec<f64>>, game: usize| Some(round(of.as_ref()?[game], 6));
    let pairs = arena
        .plan()
        .configurations
        .iter()
        .zip(first.iter().zip(second));
    let rows = pairs.flat_map(|(at, (a, b))| {
        let [luck_a, luck_b] = [a, b].map(lucks);
        (0..a.games as usize).map(move |game| GameRow {
            width: at.board.width(),
            height: at.board.height(),
            mines: at.board.mines(),
            first_click: at.first_click.name(),
            game,
            won_a: won(a, game),
            won_b: won(b, game),
            luck_a: luck(&luck_a, game),
            luck_b: luck(&luck_b, game),
        })
    });
    rows.collect()
}

impl Row for CompareRow {
    fn text(rows: &[Self]) -> Text {
        Text::prose(rows.iter().map(in_words).collect::<Vec<_>>().join("\n"))
    }

    fn is_no(rows: &[Self]) -> bool {
        !rows.iter().any(|row| {
            matches!(
                row.verdict,
                Verdict::AStronger | Verdict::BStronger | Verdict::Accepted
            )
        })
    }
}

impl CompareRow {
    /// Makes the row of a configuration of the first half of the plan and its partner.
    pub(crate) fn new(arena: &Arena, a: usize, confidence: Confidence) -> Self {
        let of = Comparison::of(arena.ledger(), a, confidence);
        let pairs = arena.plan().configurations.len() / 2;
        let [first, second] = [a, pairs + a].map(|at| &arena.ledger().tallies()[at]);
        let at = &arena.plan().configurations[a];
        let other = &arena.plan().configurations[pairs + a].player;
        let times_out = arena
            .ledger()
            .tallies()
            .iter()
            .any(|tally| tally.timeouts > 0);
        let games = of.paired.games() as f64;
        let interval = of.better.map(|mean| mean.interval(confidence));
        Self {
            a: at.player.name.clone(),
            b: other.name.clone(),
            version_a: at.player.version(),
            version_b: other.version(),
            width: at.board.width(),
            height: at.board.height(),
            mines: at.board.mines(),
            first_click: at.first_click.name(),
            games: of.paired.games(),
            both_won: of.paired.both,
            only_a_won: of.paired.only_a,
            only_b_won: of.paired.only_b,
            neither_won: of.paired.neither,
            timeouts_a: times_out.then_some(first.timeouts),
            timeouts_b: times_out.then_some(second.timeouts),
            win_ratio_a: round(first.wins as f64 / games, 6),
            win_ratio_b: round(second.wins as f64 / games, 6),
            difference: round(of.paired.difference(), 6),
            ci_low: round(of.raw.low, 6),
            ci_high: round(of.raw.high, 6),
            p_value: of.paired.p_value(),
            corrected_difference: of.corrected.map(|mean| round(mean.mean, 6)),
            corrected_ci_low: of.corrected.map(|_| interval.map(|of| round(of.low, 6))),
            corrected_ci_high: of.corrected.map(|_| interval.map(|of| round(of.high, 6))),
            corrected_p_value: of.corrected.map(|_| of.better.map(|mean| mean.p_value())),
            luck: of.luck.map(|luck| round(luck.mean, 6)),
            luck_error: of.luck.map(|luck| round(luck.error, 6)),
            verdict: of.verdict,
            games_to_settle: of.games_to_settle(confidence),
            llr: of.test.map(|tested| tested.llr),
            seed: arena.plan().seed.value(),
            tested: of
                .test
                .map(|tested| tested.in_words(&counted(tested.observations, "game"))),
            confidence,
        }
    }
}

/// Returns the names of the players below the first line: letters if one of the names is longer
/// than [`LONG_NAME`].
fn called(row: &CompareRow) -> (&str, &str) {
    if row.a.len().max(row.b.len()) > LONG_NAME {
        ("A", "B")
    } else {
        (&row.a, &row.b)
    }
}

fn in_words(row: &CompareRow) -> String {
    let (a, b) = called(row);
    let players = if (a, b) == (&*row.a, &*row.b) {
        format!("{a} against {b}")
    } else {
        format!("A: {}\nB: {}\nA against B", row.a, row.b)
    };
    format!(
        "{players} on {}x{}/{}, first click {}, the same {}\n\
         \x20 won by both {}, by {a} alone {}, by {b} alone {}, by neither {}\n\
         \x20 {a} wins {} %, {b} wins {} %: a difference of {:+.2} points, {} % interval {:+.2} to {:+.2}\n\
         {}{}{}\x20 {}\n",
        row.width,
        row.height,
        row.mines,
        row.first_click,
        counted(row.games, "game"),
        grouped(row.both_won),
        grouped(row.only_a_won),
        grouped(row.only_b_won),
        grouped(row.neither_won),
        percent(row.win_ratio_a),
        percent(row.win_ratio_b),
        100.0 * row.difference,
        row.confidence,
        100.0 * row.ci_low,
        100.0 * row.ci_high,
        time_outs(row),
        exact_test(row),
        without_luck(row),
        verdict(row),
    )
}

/// Returns a line on the games that were lost by time-out or by a fault, or an empty text.
fn time_outs(row: &CompareRow) -> String {
    let (a, b) = called(row);
    let lost = row.timeouts_a.zip(row.timeouts_b);
    lost.map_or_else(String::new, |(of_a, of_b)| {
        format!("  lost by time-outs and faults: {a} {of_a}, {b} {of_b}\n")
    })
}

/// Returns a line on the exact test. The line is empty with a sequential test, because the p-value
/// assumes that the number of games was fixed in advance.
fn exact_test(row: &CompareRow) -> String {
    match row.tested {
        Some(_) => String::new(),
        None => format!("  McNemar's exact test: p {}\n", p_value(row.p_value)),
    }
}

/// Returns a line on the luck-corrected difference, or an empty text if luck was not measured.
fn without_luck(row: &CompareRow) -> String {
    let Some(difference) = row.corrected_difference else {
        return String::new();
    };
    let (Some(low), Some(high), Some(p)) = (
        row.corrected_ci_low.flatten(),
        row.corrected_ci_high.flatten(),
        row.corrected_p_value.flatten(),
    ) else {
        let decide = match row.tested {
            Some(_) => "",
            None => "; the raw results decide",
        };
        return format!(
            "  luck-corrected: no interval that can be trusted from so few games, or none narrower{decide}\n"
        );
    };
    let p = match row.tested {
        Some(_) => String::new(),
        None => format!(", p {}", p_value(p)),
    };
    format!(
        "  luck-corrected: a difference of {:+.3} points, {} % interval {:+.3} to {:+.3}{p}\n",
        100.0 * difference,
        row.confidence,
        100.0 * low,
        100.0 * high
    )
}

/// Formats a p-value with a relation: `= 0.0123`, or `< 1e-300` if the value is too small for a
/// floating-point number.
fn p_value(p: f64) -> String {
    match p {
        ..1e-300 => "< 1e-300".to_owned(),
        ..0.0001 => format!("= {p:.1e}"),
        _ => format!("= {p:.4}"),
    }
}

/// Formats an extrapolated number with two significant digits: `8,300`, or `20 million`.
fn about(number: u64) -> String {
    let unit = 10_u64.pow(number.max(10).ilog10() - 1);
    let rounded = (number / unit + u64::from(number % unit >= unit / 2)) * unit;
    match rounded {
        0..=999_999 => grouped(rounded),
        1_000_000..=999_999_999 => format!("{} million", rounded as f64 / 1e6),
        _ => format!("{} billion", rounded as f64 / 1e9),
    }
}

fn verdict(row: &CompareRow) -> String {
    if let Some(tested) = &row.tested {
        return tested.clone();
    }
    match (row.verdict, row.games_to_settle) {
        (Verdict::AStronger, _) => format!("{} is stronger.", called(row).0),
        (Verdict::BStronger, _) => format!("{} is stronger.", called(row).1),
        (_, None) => format!(
            "No difference is shown at {} %: they won equally often.",
            row.confidence
        ),
        (_, Some(games)) => format!(
            "No difference is shown at {} %. If it is as large as measured, about {} games show it 4 times in 5.",
            row.confidence,
            about(games)
        ),
    }
}
