//! Table 4: the standard board, 9x9 with 10 mines.

use std::collections::BTreeMap;

use super::{Request, paper};
use crate::chart::extent;
use crate::data::Data;
use crate::error::ReportError;
use crate::games::GameTable;
use crate::row::Row;
use mineflow_arena::Estimate;
use mineflow_tasks::eval::EvalRow;

/// Width, height and mines of table 4.
const BOARD: (usize, usize, usize) = (9, 9, 10);
/// First-click rules, which have a column each.
const RULES: [&str; 2] = ["safe", "opening"];

/// Table 4 (section 5.3): the win ratio of each version in percent. The paper gives no number of games.
fn in_paper() -> Vec<Row> {
    paper(include_str!("../papers/table-4.csv"))
}

/// The win ratio on the standard board as table 4 has it, 0 to 1.
pub(crate) fn table_4(player: &str) -> Option<f64> {
    in_paper()
        .iter()
        .find(|row| row.text("version") == player)?
        .number("win_percent")
        .map(|percent| percent / 100.0)
}

/// A named player on the standard board.
struct Version<'a> {
    name: &'a str,
    /// The row with most games under each rule.
    rows: [Option<&'a EvalRow>; 2],
    paper: Option<f64>,
}

impl Version<'_> {
    fn safe(&self) -> Option<Estimate> {
        self.rows[0].map(EvalRow::won)
    }
}

/// A row for each named player: `paper`, `safe`, `opening`, `difference` in points, `games`, and `off`, what ours is more than the paper's
/// figure. More rows: `pairs` with the `difference` of two players, `best` with what the paper's best wins more than each other one.
pub(super) fn standard_board(request: &Request<'_>) -> Result<Data, ReportError> {
    let is_here = |row: &&EvalRow| (row.width, row.height, row.mines) == BOARD;
    let mut by_player: BTreeMap<&str, [Option<&EvalRow>; 2]> = BTreeMap::new();
    for row in request
        .sources
        .games
        .iter()
        .flat_map(|(_, table)| &table.rows)
        .filter(is_here)
    {
        let Some(rule) = RULES.iter().position(|&rule| rule == row.first_click) else {
            continue;
        };
        let known = &mut by_player.entry(&row.player).or_default()[rule];
        if known.is_none_or(|known| known.games < row.games) {
            *known = Some(row);
        }
    }
    let names = request
        .sources
        .inputs
        .versions
        .iter()
        .map(|version| version.name.as_str());
    let version = |name: &'_ str| {
        by_player
            .get_key_value(name)
            .map(|(name, rows)| (*name, *rows))
    };
    let versions: Vec<_> = names
        .filter_map(version)
        .map(|(name, rows)| Version {
            name,
            rows,
            paper: table_4(name),
        })
        .collect();
    let of_table = |table: &GameTable| {
        table
            .rows
            .iter()
            .any(|row| is_here(&row) && row.first_click == RULES[0])
    };
    let files = request
        .sources
        .games
        .iter()
        .filter(|(_, table)| of_table(table))
        .map(|(path, _)| path.clone());
    let rows = versions.iter().map(row).collect();
    let data = Data::of(rows)
        .facts(facts(&versions))
        .and("pairs", pairs(&versions, request))
        .and("best", best(&versions));
    Ok(Data {
        files: files.collect(),
        ..data
    })
}

fn row(version: &Version<'_>) -> Row {
    let Version {
        name,
        rows: [safe, opening],
        paper,
    } = version;
    let off = version.safe().zip(*paper).map(|(of, paper)| of.less(paper));
    Row::default()
        .with("version", *name)
        .with("paper", *paper)
        .with("safe", safe.map(EvalRow::won))
        .with("opening", opening.map(EvalRow::won))
        .with("difference", off.map(|off| 100.0 * off.value))
        .with("games", safe.or(*opening).map_or(0, |row| row.games))
        .with("off", off)
}

/// How far the versions that learn lie from one another.
fn facts(versions: &[Version<'_>]) -> Row {
    let learned = versions
        .iter()
        .filter(|version| version.name.starts_with(['5', '6']));
    let known: Vec<_> = learned
        .filter_map(|version| Some((version.safe()?.value, version.paper?)))
        .collect();
    let spread = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = extent(values);
        (known.len() > 1).then_some(100.0 * (high - low))
    };
    Row::default()
        .with("spread", spread(&mut known.iter().map(|(here, _)| *here)))
        .with(
            "spread-paper",
            spread(&mut known.iter().map(|(_, paper)| *paper)),
        )
}

/// The first of each pair less the second.
fn pairs(versions: &[Version<'_>], request: &Request<'_>) -> Vec<Row> {
    let of = |wanted: &str| {
        versions
            .iter()
            .find(|version| version.name == wanted)?
            .safe()
    };
    let pair = |[first, second]: &[String; 2]| {
        let difference = of(first)?.minus(of(second)?);
        Some(
            Row::default()
                .with("first", &**first)
                .with("second", &**second)
                .with("difference", difference),
        )
    };
    request.with.pairs.iter().filter_map(pair).collect()
}

/// The version that wins most in the paper: its `lead` on each other one of the paper's table.
fn best(versions: &[Version<'_>]) -> Vec<Row> {
    let Some(most) = in_paper().into_iter().max_by(|a, b| a.by("win_percent", b)) else {
        return Vec::new();
    };
    let known: Vec<_> = versions
        .iter()
        .filter(|version| version.paper.is_some())
        .collect();
    let Some(first) = known
        .iter()
        .find(|version| version.name == most.text("version"))
    else {
        return Vec::new();
    };
    let lead = |other: &&Version<'_>| {
        let lead = first
            .safe()
            .zip(other.safe())
            .map(|(first, other)| first.minus(other));
        Row::default()
            .with("version", other.name)
            .with("lead", lead)
    };
    known
        .iter()
        .filter(|other| other.name != first.name)
        .map(lead)
        .collect()
}
