//! Table 4: the standard board, 9x9 with 10 mines.

use std::collections::BTreeMap;

use super::{Request, paper};
use crate::data::Data;
use crate::error::ReportError;
use crate::games::GameTable;
use crate::row::Row;
use mineflow_document::Estimate;
use mineflow_document::chart::extent;
use mineflow_document::numbers::{list, with_interval};
use mineflow_stage_measure::eval::EvalRow;

/// Width, height and mines of table 4.
const BOARD: (usize, usize, usize) = (9, 9, 10);
/// First-click rules, which have a column each.
const RULES: [&str; 2] = ["safe", "opening"];
/// Win ratios no further apart than this are called close.
const CLOSE: f64 = 0.01;

/// Table 4 (section 5.3): the win ratio of each version in percent. The paper gives no number of games.
fn in_paper() -> Vec<Row> {
    paper(include_str!("../papers/table-4.csv"))
}

/// The win ratio on the standard board as table 4 has it, 0 to 1.
pub(crate) fn table_4(player: &str) -> Option<f64> {
    in_paper().iter().find(|row| row.text("version") == player)?.number("win_percent").map(|percent| percent / 100.0)
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
        self.rows[0].map(EvalRow::estimate)
    }

    /// What the paper's figure is less than ours with a safe first click.
    fn difference(&self) -> Option<f64> {
        Some(self.safe()?.value - self.paper?)
    }
}

/// A row for each named player: `paper`, `safe`, `opening`, `difference` in points, `games`. `beyond` is how far the paper's figure lies
/// outside our interval, `apart` in points from ours. More rows: `pairs` with the `difference` of two players, `best`.
pub(super) fn standard_board(request: &Request<'_>) -> Result<Data, ReportError> {
    let is_here = |row: &&EvalRow| (row.width, row.height, row.mines) == BOARD;
    let mut by_player: BTreeMap<&str, [Option<&EvalRow>; 2]> = BTreeMap::new();
    for row in request.sources.games.iter().flat_map(|(_, table)| &table.rows).filter(is_here) {
        let Some(rule) = RULES.iter().position(|&rule| rule == row.first_click) else { continue };
        let known = &mut by_player.entry(&row.player).or_default()[rule];
        if known.is_none_or(|known| known.games < row.games) {
            *known = Some(row);
        }
    }
    let names = request.sources.inputs.versions.iter().map(|version| version.name.as_str());
    let version = |name: &'_ str| by_player.get_key_value(name).map(|(name, rows)| (*name, *rows));
    let versions: Vec<_> =
        names.filter_map(version).map(|(name, rows)| Version { name, rows, paper: table_4(name) }).collect();
    let of_table = |table: &GameTable| table.rows.iter().any(|row| is_here(&row) && row.first_click == RULES[0]);
    let files = request.sources.games.iter().filter(|(_, table)| of_table(table)).map(|(path, _)| path.clone());
    let rows = versions.iter().map(row).collect();
    let data =
        Data::of(rows).facts(facts(&versions)).and("pairs", pairs(&versions, request)).and("best", best(&versions));
    Ok(Data { files: files.collect(), ..data })
}

fn row(version: &Version<'_>) -> Row {
    let Version { name, rows: [safe, opening], paper } = version;
    let beyond = version.difference().zip(version.safe().zip(*paper));
    let beyond = beyond.map(|(difference, (of, paper))| if of.contains(paper) { 0.0 } else { difference });
    Row::default()
        .with("version", *name)
        .with("paper", *paper)
        .with("safe", safe.map(EvalRow::estimate))
        .with("opening", opening.map(EvalRow::estimate))
        .with("difference", version.difference().map(|difference| 100.0 * difference))
        .with("games", safe.or(*opening).map_or(0, |row| row.games))
        .with("beyond", beyond)
        .with("apart", version.difference().map(|difference| 100.0 * difference.abs()))
}

/// Whose figure in the paper lies in our interval, close to ours, and farther off; and how far the versions that learn lie from one
/// another.
fn facts(versions: &[Version<'_>]) -> Row {
    let (mut inside, mut close, mut far) = (Vec::new(), Vec::new(), Vec::new());
    let mut learned = Vec::new();
    for version in versions {
        let (Some(of), Some(paper), Some(difference)) = (version.safe(), version.paper, version.difference()) else {
            continue;
        };
        match difference.abs() {
            _ if of.contains(paper) => inside.push(version.name),
            apart if apart <= CLOSE => close.push(version.name),
            _ => far.push(format!("{} ({:+.2})", version.name, 100.0 * difference)),
        }
        learned.extend(version.name.starts_with(['5', '6']).then_some((of.value, paper)));
    }
    let spread = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = extent(values);
        (learned.len() > 1).then_some(100.0 * (high - low))
    };
    Row::default()
        .with("inside-ours", list(&inside))
        .with("close", list(&close))
        .with("far", list(&far))
        .with("spread", spread(&mut learned.iter().map(|(here, _)| *here)))
        .with("spread-paper", spread(&mut learned.iter().map(|(_, paper)| *paper)))
}

/// The first of each pair less the second.
fn pairs(versions: &[Version<'_>], request: &Request<'_>) -> Vec<Row> {
    let of = |wanted: &str| versions.iter().find(|version| version.name == wanted)?.safe();
    let pair = |[first, second]: &[String; 2]| {
        let difference = of(first)?.minus(of(second)?);
        Some(Row::default().with("first", &**first).with("second", &**second).with("difference", difference))
    };
    request.with.pairs.iter().filter_map(pair).collect()
}

/// The `lead` of the version that wins most in the paper on the best other one here.
fn best(versions: &[Version<'_>]) -> Vec<Row> {
    let known = || versions.iter().filter_map(|version| Some((version.name, version.safe()?, version.paper?)));
    let Some(most) = in_paper()
        .into_iter()
        .reduce(|best, next| if next.number("win_percent") > best.number("win_percent") { next } else { best })
    else {
        return Vec::new();
    };
    let first = known().find(|(name, ..)| *name == most.text("version"));
    let others = known().filter(|(name, ..)| *name != most.text("version"));
    let second = others.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let Some((name, theirs, _)) = first else { return Vec::new() };
    let other = second.filter(|(_, ours, _)| ours.value >= theirs.value);
    let here = match other {
        None => format!("{name} wins most of them here too: {}.", with_interval(theirs)),
        Some((best, ours, _)) => {
            format!("{best} wins most of them: {}; {name} wins {}.", with_interval(ours), with_interval(theirs))
        }
    };
    let lead = second.map_or(theirs, |(_, ours, _)| theirs.minus(ours));
    vec![Row::default().with("lead", lead).with("here", here)]
}
