//! Table 4: the standard board, 9x9 with 10 mines.

use std::collections::BTreeMap;

use crate::papers::minesweeper::{TABLE_4, TABLE_4_OTHERS, table_4};
use crate::read::GameTable;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Joining, Marker, Point, ends, extent};
use mineflow_document::numbers::{grouped, list, percent, points, with_interval};
use mineflow_document::{Estimate, Figure, Finding, PageTable, PaperVerdict, Section};
use mineflow_stage_measure::eval::EvalRow;

/// Width, height and mines of table 4.
const BOARD: (usize, usize, usize) = (9, 9, 10);
/// Win ratios no further apart than this are called close.
const CLOSE: f64 = 0.01;

/// A player with its rows on the standard board: first click safe, and promised an opening.
type PlayerRows<'a> = (&'a str, [Option<&'a EvalRow>; 2]);

/// Table 4 beside what the named players win here. `names` are those that are shown, in order.
pub(crate) fn standard_board<'a>(tables: &'a [GameTable], names: impl Iterator<Item = &'a str>) -> Section {
    let mut section = Section::new("table-4", "Table 4: the standard board");
    let mut by_player: BTreeMap<&str, [Option<&EvalRow>; 2]> = BTreeMap::new();
    let rows = tables.iter().flat_map(|table| &table.rows);
    for row in rows.filter(|row| (row.width, row.height, row.mines) == BOARD) {
        let Some(rule) = ["safe", "opening"].iter().position(|&rule| rule == row.first_click) else {
            continue;
        };
        let known = &mut by_player.entry(&row.player).or_default()[rule];
        if known.is_none_or(|known| known.games < row.games) {
            *known = Some(row);
        }
    }
    let shown: Vec<PlayerRows<'_>> = names.filter_map(|name| Some((name, *by_player.get(name)?))).collect();
    if shown.is_empty() {
        section.miss("Nothing to show yet: no table has games on 9x9 with 10 mines.");
        return section;
    }
    section.say(
        "9x9 with 10 mines; win ratio in % with its 95 % interval (Wilson). The paper gives no number of games: at 5,000 its figures \
         would be uncertain by about one point either way.",
    );
    section.table(table(&shown));
    let safe: Vec<_> = shown.iter().filter_map(|&(name, [safe, _])| Some((name, safe?.estimate()))).collect();
    if !safe.is_empty() {
        let caption = format!(
            "Win ratio on the standard board, first click safe. Bars are 95 % intervals. The paper's own reference, Buffet and others, has \
             {TABLE_4_OTHERS}."
        );
        section.figure(Figure::new("table-4-figure", chart(&safe), caption).with(findings(&safe)));
    }
    section
}

/// Whether a table has games on the standard board with a safe first click.
pub(crate) fn has_standard_board(table: &GameTable) -> bool {
    table.rows.iter().any(|row| (row.width, row.height, row.mines) == BOARD && row.first_click == "safe")
}

fn table(shown: &[PlayerRows<'_>]) -> PageTable {
    let won = |row: Option<&EvalRow>| row.map_or(String::new(), |row| with_interval(row.estimate()));
    let difference = |&(name, [safe, _]): &PlayerRows<'_>| Some(100.0 * (safe?.estimate().value - table_4(name)?));
    PageTable::of(shown)
        .left("version", |(name, _)| (*name).to_owned())
        .right("paper", |(name, _)| table_4(name).map_or(String::new(), percent))
        .right("first click safe", |(_, [safe, _])| won(*safe))
        .right("difference", |row| difference(row).map_or(String::new(), |points| format!("{points:+.2}")))
        .right("opening promised", |(_, [_, opening])| won(*opening))
        .right("games", |(_, [safe, opening])| grouped(safe.or(*opening).map_or(0, |row| row.games)))
        .into()
}

fn chart(won: &[(&str, Estimate)]) -> Chart {
    let at = || won.iter().zip(0u32..).map(|((name, of), at)| (*name, *of, f64::from(at)));
    let here: Vec<_> = at().map(|(_, of, at)| Point::along_x(of, at)).collect();
    let paper: Vec<_> = at().filter_map(|(name, _, at)| Some(Point::new(table_4(name)?, at))).collect();
    let (low, high) = ends(here.iter().chain(&paper).map(|point| point.x));
    Chart::new(
        "Win ratio of every version on 9x9 with 10 mines, here and in the paper",
        Axis::percent("games won, %", low, high),
        Axis::names("", won.iter().map(|(name, _)| (*name).to_owned())),
        vec![
            DataSeries::new("the paper", Appearance::dashed(1, Marker::Diamond), Joining::Apart, paper),
            DataSeries::new("here", Appearance::solid(2, Marker::Circle), Joining::Apart, here),
        ],
    )
}

fn findings(won: &[(&str, Estimate)]) -> Vec<Finding> {
    let known: Vec<_> = won.iter().filter_map(|&(name, of)| Some((name, of, table_4(name)?))).collect();
    let order = |players, paper: &str| order(won, players, paper);
    let findings = [
        distances(&known),
        order(["3.0", "2.0"], "3.0 wins no less than 2.0 (82.20 and 82.14): both find the same solutions."),
        order(["4.0", "3.0"], "4.0 wins more than 3.0 (86.24 and 82.20): its edge heuristic helps."),
        best(&known),
    ];
    findings.into_iter().flatten().collect()
}

/// How far the paper's figures are from ours. `known` are players with their estimates and the paper's figures.
fn distances(known: &[(&str, Estimate, f64)]) -> Option<Finding> {
    let (mut inside, mut close, mut far) = (Vec::new(), Vec::new(), Vec::new());
    for (name, of, paper) in known {
        let difference = of.value - paper;
        match difference.abs() {
            _ if of.contains(*paper) => inside.push(*name),
            apart if apart <= CLOSE => close.push(*name),
            _ => far.push(format!("{name} ({:+.2})", 100.0 * difference)),
        }
    }
    (!known.is_empty()).then(|| {
        let here = format!(
            "The paper's figure lies in our interval for {}, within one point of ours for {}, farther off for {}.",
            list(&inside),
            list(&close),
            list(&far)
        );
        let near = inside.len() + close.len();
        let farthest = known.iter().map(|(_, of, paper)| (of.value - paper).abs()).fold(0.0, f64::max);
        Finding::new("Table 4 gives a win ratio for each version.", here, PaperVerdict::of_cases(near, known.len()))
            .apart(100.0 * farthest)
            .because(spread_of_learned(known))
    })
}

/// How far the versions that learn lie from one another, here and in the paper.
fn spread_of_learned(known: &[(&str, Estimate, f64)]) -> String {
    let learned = || known.iter().filter(|(name, ..)| name.starts_with(['5', '6']));
    let spread = |(low, high): (f64, f64)| 100.0 * (high - low);
    let (here, paper) = (extent(learned().map(|(_, of, _)| of.value)), extent(learned().map(|(.., paper)| *paper)));
    match learned().count() {
        0 | 1 => String::new(),
        _ => format!(
            "The versions that learn lie within {:.2} points of one another here, {:.2} in the paper.",
            spread(here),
            spread(paper)
        ),
    }
}

/// Whether the first of two players wins more than the second.
fn order(won: &[(&str, Estimate)], [first, second]: [&str; 2], paper: &str) -> Option<Finding> {
    let find = |wanted: &str| won.iter().find(|(name, _)| *name == wanted).map(|(_, of)| *of);
    let difference = find(first)?.minus(find(second)?);
    let are_alike = (table_4(first)? - table_4(second)?).abs() < 0.005;
    let agreement =
        if are_alike { PaperVerdict::when(difference.contains(0.0)) } else { PaperVerdict::of_gain(difference) };
    Some(Finding::new(paper, format!("{first} less {second}: {}.", points(difference)), agreement))
}

/// Whether the version that wins most is the paper's.
fn best(known: &[(&str, Estimate, f64)]) -> Option<Finding> {
    let (paper, best) = TABLE_4.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let &(_, theirs, _) = known.iter().find(|(name, ..)| *name == paper)?;
    let &(ours, estimate, _) = known.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let agreement = match () {
        () if ours == paper => PaperVerdict::Agrees,
        () if estimate.minus(theirs).is_above_zero() => PaperVerdict::Differs,
        () => PaperVerdict::Partly,
    };
    let here = if ours == paper {
        format!("{ours} wins most of them here too: {}.", with_interval(estimate))
    } else {
        format!("{ours} wins most of them: {}; {paper} wins {}.", with_interval(estimate), with_interval(theirs))
    };
    Some(Finding::new(format!("{paper} wins most of all versions: {best:.2} %."), here, agreement))
}
