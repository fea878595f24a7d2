//! Table 4: the standard board, 9x9 with 10 mines.

use std::collections::BTreeMap;

use crate::document::chart::{Axis, Chart, ErrorBar, Join, Look, Marker, Point, Series, Stroke, ends};
use crate::document::numbers::{grouped, list, percent, points, with_interval};
use crate::document::{Align, Block, Figure, Finding, Section, Table, Verdict};
use crate::stage::report::papers::minesweeper::{TABLE_4, TABLE_4_OTHERS, table_4};
use crate::stage::report::read::GameRow;

/// Width, height and mines of table 4.
const BOARD: (u32, u32, u32) = (9, 9, 10);

/// The rows of table 4 by player: first click safe, and promised an opening.
type Rows<'a> = BTreeMap<&'a str, [Option<&'a GameRow>; 2]>;

/// Table 4 beside what the named players win here. `names` are those that are shown, in order.
pub(crate) fn standard_board(rows: &[GameRow], names: &[String]) -> Section {
    let mut section = Section::new("table-4", "Table 4: the standard board");
    let mut by_player: Rows<'_> = BTreeMap::new();
    for row in rows.iter().filter(|row| (row.width, row.height, row.mines) == BOARD) {
        let Some(rule) = ["safe", "opening"].iter().position(|&rule| rule == row.first_click) else {
            continue;
        };
        let known = &mut by_player.entry(&row.player).or_default()[rule];
        if known.is_none_or(|known| known.games < row.games) {
            *known = Some(row);
        }
    }
    let shown: Vec<_> = names.iter().filter(|name| by_player.contains_key(name.as_str())).collect();
    if shown.is_empty() {
        section.blocks.push(Block::Missing("Nothing to show yet: no table has games on 9x9 with 10 mines.".to_owned()));
        return section;
    }
    section.say(
        "9x9 with 10 mines; win ratio in % with its 95 % interval (Wilson). The paper gives no number of games: at 5,000 its figures \
         would be uncertain by about one point either way.",
    );
    let mut table = Table::new(&[
        ("version", Align::Left),
        ("paper", Align::Right),
        ("first click safe", Align::Right),
        ("difference", Align::Right),
        ("opening promised", Align::Right),
        ("games", Align::Right),
    ]);
    for name in &shown {
        let [safe, opening] = by_player[name.as_str()];
        let shown = |row: Option<&GameRow>| row.map_or(String::new(), |row| with_interval(row.estimate()));
        let difference = safe.zip(table_4(name)).map(|(row, paper)| 100.0 * (row.estimate().value - paper));
        let games = safe.or(opening).map_or(0, |row| row.games);
        table.rows.push(vec![
            (*name).clone(),
            table_4(name).map_or(String::new(), percent),
            shown(safe),
            difference.map_or(String::new(), |difference| format!("{difference:+.2}")),
            shown(opening),
            grouped(games.into()),
        ]);
    }
    section.blocks.push(Block::Table(table));
    let safe: Vec<(&str, &GameRow)> =
        shown.iter().filter_map(|name| Some((name.as_str(), by_player[name.as_str()][0]?))).collect();
    if !safe.is_empty() {
        section.blocks.push(Figure {
            id: "table-4-figure".to_owned(),
            chart: chart(&safe),
            caption: format!(
                "Win ratio on the standard board, first click safe. Bars are 95 % intervals. The paper's own reference, Buffet and others, has {TABLE_4_OTHERS}."
            ),
            findings: findings(&safe),
        }.block());
    }
    section
}

fn chart(rows: &[(&str, &GameRow)]) -> Chart {
    let here = rows.iter().enumerate().map(|(at, (_, row))| {
        let of = row.estimate();
        Point { x: of.value, y: at as f64, error: Some(ErrorBar::X(of.low, of.high)) }
    });
    let paper = rows
        .iter()
        .enumerate()
        .filter_map(|(at, (name, _))| Some(Point { x: table_4(name)?, y: at as f64, error: None }));
    let (here, paper): (Vec<_>, Vec<_>) = (here.collect(), paper.collect());
    let (low, high) = ends(here.iter().chain(&paper).map(|point| point.x));
    let series = |name: &str, tone, stroke, marker, points| Series {
        name: name.to_owned(),
        look: Look { tone, stroke, marker },
        join: Join::Apart,
        points,
    };
    Chart {
        title: "Win ratio of every version on 9x9 with 10 mines, here and in the paper".to_owned(),
        x: Axis::percent("games won, %", low, high),
        y: Axis::names("", rows.iter().map(|(name, _)| (*name).to_owned())),
        series: vec![
            series("the paper", 1, Stroke::Dashed, Marker::Diamond, paper),
            series("here", 2, Stroke::Solid, Marker::Circle, here),
        ],
        guides: Vec::new(),
    }
}

fn findings(rows: &[(&str, &GameRow)]) -> Vec<Finding> {
    let known: Vec<_> = rows.iter().filter_map(|&(name, row)| Some((name, row.estimate(), table_4(name)?))).collect();
    let mut findings = Vec::new();
    if !known.is_empty() {
        let inside: Vec<_> =
            known.iter().filter(|(_, of, paper)| of.contains(*paper)).map(|(name, ..)| *name).collect();
        let near = |of: f64, paper: f64| (of - paper).abs() <= 0.01;
        let close: Vec<_> = known
            .iter()
            .filter(|(_, of, paper)| !of.contains(*paper) && near(of.value, *paper))
            .map(|(name, ..)| *name)
            .collect();
        let far: Vec<_> = known
            .iter()
            .filter(|(_, of, paper)| !of.contains(*paper) && !near(of.value, *paper))
            .map(|(name, of, paper)| format!("{name} ({:+.2})", 100.0 * (of.value - paper)))
            .collect();
        findings.push(Finding {
            paper: "Table 4 gives a win ratio for each version.".to_owned(),
            here: format!(
                "The paper's figure lies in our interval for {}, within one point of ours for {}, farther off for {}.",
                list(&inside),
                list(&close),
                list(&far)
            ),
            verdict: match (inside.len() + close.len(), far.len()) {
                (_, 0) => Verdict::Agrees,
                (0, _) => Verdict::Differs,
                _ => Verdict::Partly,
            },
        });
    }
    findings.extend(order(
        rows,
        &["3.0", "2.0"],
        "3.0 wins no less than 2.0 (82.20 and 82.14): both find the same solutions.",
    ));
    findings.extend(order(
        rows,
        &["4.0", "3.0"],
        "4.0 wins more than 3.0 (86.24 and 82.20): its edge heuristic helps.",
    ));
    findings.extend(best(&known));
    findings
}

/// Whether the first of two players wins more than the second.
fn order(rows: &[(&str, &GameRow)], [first, second]: &[&str; 2], paper: &str) -> Option<Finding> {
    let find = |wanted: &str| rows.iter().find(|(name, _)| *name == wanted).map(|(_, row)| row.estimate());
    let difference = find(first)?.minus(find(second)?);
    let expected = table_4(first)? - table_4(second)?;
    let alike = expected.abs() < 0.005;
    let verdict = if alike {
        if difference.contains(0.0) { Verdict::Agrees } else { Verdict::Differs }
    } else if difference.is_above_zero() {
        Verdict::Agrees
    } else if difference.is_below_zero() {
        Verdict::Differs
    } else {
        Verdict::Partly
    };
    Some(Finding { paper: paper.to_owned(), here: format!("{first} less {second}: {}.", points(difference)), verdict })
}

/// Whether the version that wins most is the paper's.
fn best(known: &[(&str, crate::document::Estimate, f64)]) -> Option<Finding> {
    let (paper, best) = TABLE_4.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    if known.iter().all(|(name, ..)| *name != paper) {
        return None;
    }
    let &(ours, estimate, _) = known.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let &(_, theirs, _) = known.iter().find(|(name, ..)| *name == paper)?;
    let verdict = match () {
        () if ours == paper => Verdict::Agrees,
        () if estimate.minus(theirs).is_above_zero() => Verdict::Differs,
        () => Verdict::Partly,
    };
    let here = if ours == paper {
        format!("{ours} wins most of them here too: {}.", with_interval(estimate))
    } else {
        format!("{ours} wins most of them: {}; {paper} wins {}.", with_interval(estimate), with_interval(theirs))
    };
    Some(Finding { paper: format!("{paper} wins most of all versions: {best:.2} %."), here, verdict })
}
