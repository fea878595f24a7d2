//! Tables 1 to 4: simulation strategies, settings, budgets per game or per move, the final move.

use super::parts::{at, better, budget_words, budgets, has_usual_unit, is_per_move, place, setting, table};
use super::{Page, RANDOM};
use crate::document::numbers::{gain, grouped, list, score, score_with_interval};
use crate::document::{Block, Finding, Table, Verdict};
use crate::stage::report::error::ReportError;
use crate::stage::report::papers::sp_mcts::{FINAL_MOVES, NODES, NODES_A_SECOND, SETTINGS, STRATEGIES, TIMES};
use crate::stage::report::read::SamegameRow;

/// The strategies of table 1 as options.
const STRATEGY_OPTIONS: [&str; 3] = ["random", "tabu-random", "tabu-color-random"];
/// The paper's mean of exploitation at 10^5 nodes, which is to be reached.
const REACH_AT: u64 = NODES[0];

/// Table 1.
pub(super) fn strategies(page: &mut Page<'_>) -> Result<(), ReportError> {
    let title = "Table 1: simulation strategies";
    // TabuColorRandom is the balanced setting of table 2.
    let stages = ["table-1", "table-1-50", "table-1-10", "table-2", "table-2-50", "table-2-10"];
    let mut rows = page.begin(title, RANDOM, &stages)?;
    rows.retain(|row| setting(row) == Some(1));
    if rows.is_empty() {
        return Ok(());
    }
    let strategy = |row: &SamegameRow| {
        let option = row.option("playout", "tabu-color-random");
        STRATEGY_OPTIONS.iter().position(|known| *known == option)
    };
    let names = STRATEGIES.map(|(name, ..)| name);
    let mut shown = table(&["nodes, boards", names[0], names[1], names[2]]);
    let deviations = STRATEGIES.map(|(_, mean, deviation)| format!("{}, deviation {deviation}", score(mean)));
    shown.rows.push(std::iter::once("the paper: 10,000,000 nodes, 250 boards".to_owned()).chain(deviations).collect());
    let (mut colour_gains, mut tabu_gains) = (Vec::new(), Vec::new());
    for budget in budgets(&rows) {
        let of = |wanted: usize| at(&rows, &budget).find(|row| strategy(row) == Some(wanted));
        let mut line = vec![place(&budget)];
        let words = |row: &SamegameRow| {
            let of = row.estimate();
            format!("{}, deviation {:.0} ({} - {})", score(of.value), row.deviation, score(of.low), score(of.high))
        };
        line.extend((0..3).map(|strategy| of(strategy).map_or(String::new(), words)));
        shown.rows.push(line);
        colour_gains.extend(of(2).zip(of(1)).map(|(a, b)| (budget_words(&budget.0), a.minus(b))));
        tabu_gains.extend(of(1).zip(of(0)).map(|(a, b)| (budget_words(&budget.0), a.minus(b))));
    }
    page.put(Block::Table(shown));
    let findings = [
        better("TabuRandom scores about 700 more than Random.".to_owned(), &tabu_gains),
        better("TabuColorRandom is the best, 300 above TabuRandom.".to_owned(), &colour_gains),
    ];
    page.put(Block::Findings(findings.into_iter().flatten().collect()));
    Ok(())
}

/// Table 2.
pub(super) fn settings(page: &mut Page<'_>) -> Result<(), ReportError> {
    let title = "Table 2: exploitation against exploration";
    let rows = page.begin(title, RANDOM, &["table-2", "table-2-50", "table-2-10", "table-2-points"])?;
    let (rows, in_points): (Vec<_>, Vec<_>) = rows.into_iter().partition(has_usual_unit);
    if !rows.is_empty() {
        in_hundreds(page, &rows);
    }
    if !in_points.is_empty() {
        page.section.say(
            "The same with rewards that are points, as the paper's text can be read. The constants then hardly matter, and all trees are \
             one deep line.",
        );
        page.put(Block::Table(settings_table(&in_points)));
    }
    Ok(())
}

fn settings_table(rows: &[SamegameRow]) -> Table {
    let names = SETTINGS.iter().map(|setting| setting.name);
    let header: Vec<_> = std::iter::once("").chain(names.flat_map(|name| [name, "paper"])).collect();
    let mut shown = table(&header);
    for budget in budgets(rows) {
        shown.rows.extend(lines(&at(rows, &budget).collect::<Vec<_>>(), &budget));
    }
    shown
}

/// Table 2 with rewards in hundreds of points, and what the paper says of it.
fn in_hundreds(page: &mut Page<'_>, rows: &[SamegameRow]) {
    page.put(Block::Table(settings_table(rows)));
    let mut best = Vec::new();
    for budget in budgets(rows) {
        let (order, known) = order(&at(rows, &budget).collect::<Vec<_>>());
        best.extend(known.map(|known| (budget_words(&budget.0), order, known)));
    }
    let mut findings: Vec<_> = rows.iter().filter_map(reached).collect();
    findings.extend(best.into_iter().map(|(budget, here, paper)| Finding {
        paper: format!("At {budget} the best is {paper}."),
        here: format!("Here it is {here}."),
        verdict: if here == paper { Verdict::Agrees } else { Verdict::Differs },
    }));
    page.put(Block::Findings(findings));
}

/// The lines of table 2 for one budget.
fn lines(rows: &[&SamegameRow], budget: &(String, u32)) -> Vec<Vec<String>> {
    type Quantity = (&'static str, fn(&SamegameRow) -> String);
    let quantities: [Quantity; 4] = [
        ("mean", |row| score_with_interval(row.estimate())),
        ("deviation", |row| format!("{:.0}", row.deviation)),
        ("average depth", |row| row.mean_depth.map_or(String::new(), |depth| format!("{depth:.1}"))),
        ("deepest node", |row| row.mean_deepest.map_or(String::new(), |depth| format!("{depth:.1}"))),
    ];
    let line = |(index, (name, words)): (usize, Quantity)| {
        let mut line = vec![if index == 0 { format!("{}: {name}", place(budget)) } else { name.to_owned() }];
        for (at, of) in SETTINGS.iter().enumerate() {
            let row = rows.iter().find(|row| setting(row) == Some(at));
            let nodes = row.and_then(|row| NODES.iter().position(|&nodes| row.limit("nodes") == Some(nodes)));
            line.push(row.map_or(String::new(), |row| words(row)));
            line.push(nodes.map_or(String::new(), |nodes| score(of.results[nodes][index])));
        }
        line
    };
    quantities.into_iter().enumerate().map(line).collect()
}

/// The best setting here, and in the paper if it has the same number of nodes.
fn order(rows: &[&SamegameRow]) -> (&'static str, Option<&'static str>) {
    let known = rows.iter().filter_map(|row| Some((SETTINGS[setting(row)?].name, row.estimate().value)));
    let here = known.max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |(name, _)| name);
    let nodes = rows.first().and_then(|row| NODES.iter().position(|&nodes| row.limit("nodes") == Some(nodes)));
    let paper = nodes.and_then(|nodes| {
        SETTINGS.iter().max_by(|a, b| a.results[nodes][0].total_cmp(&b.results[nodes][0])).map(|setting| setting.name)
    });
    (here, paper)
}

/// Whether exploitation makes the paper's points at 10^5 nodes.
fn reached(row: &SamegameRow) -> Option<Finding> {
    if setting(row) != Some(0) || row.limit("nodes") != Some(REACH_AT) {
        return None;
    }
    let (paper, of) = (SETTINGS[0].results[0][0], row.estimate());
    Some(Finding {
        paper: format!("Exploitation makes {} points at {} nodes.", score(paper), grouped(REACH_AT)),
        here: format!("Here {}. More counts as agreeing too.", score_with_interval(of)),
        verdict: if of.high >= paper { Verdict::Agrees } else { Verdict::Differs },
    })
}

/// The points of tables 3 and 6 in the paper at about so many nodes.
pub(super) fn paper_at(row: &SamegameRow) -> Option<(u32, [f64; 4])> {
    let nodes = row.limit("nodes")?;
    TIMES.into_iter().find(|(seconds, _)| u64::from(*seconds) * NODES_A_SECOND == nodes)
}

/// Table 3.
pub(super) fn scopes(page: &mut Page<'_>) -> Result<(), ReportError> {
    let rows = page.begin("Table 3: a search a game or a search a move", RANDOM, &["table-3"])?;
    if rows.is_empty() {
        return Ok(());
    }
    let header =
        ["nodes, boards", "paper's seconds", "per game", "paper's", "per move", "paper's", "more per move", "paper's"];
    let mut shown = table(&header);
    let mut gains = Vec::new();
    for budget in budgets(&rows) {
        let of = |per_move: bool| at(&rows, &budget).find(|row| is_per_move(row) == per_move);
        let Some((game, each_move)) = of(false).zip(of(true)) else {
            continue;
        };
        let paper = paper_at(game);
        let known = |words: &dyn Fn(u32, [f64; 4]) -> String| paper.map_or(String::new(), |(at, of)| words(at, of));
        let difference = each_move.minus(game);
        shown.rows.push(vec![
            place(&budget),
            known(&|seconds, _| seconds.to_string()),
            score_with_interval(game.estimate()),
            known(&|_, of| score(of[0])),
            score_with_interval(each_move.estimate()),
            known(&|_, of| score(of[2])),
            gain(difference),
            known(&|_, of| format!("{:+.0}", of[2] - of[0])),
        ]);
        gains.push((budget_words(&budget.0), difference));
    }
    page.put(Block::Table(shown));
    let finding = better("A search per move is better than one per game at every budget.".to_owned(), &gains);
    page.put(Block::Findings(finding.into_iter().collect()));
    Ok(())
}

/// A final move in words.
fn in_words(name: &str) -> String {
    name.replace('-', " ").replace("playout", "play-out")
}

/// Table 4.
pub(super) fn final_moves(page: &mut Page<'_>) -> Result<(), ReportError> {
    let rows = page.begin("Table 4: the final move", RANDOM, &["table-4"])?;
    if rows.is_empty() {
        return Ok(());
    }
    let mut shown = table(&["final move", "nodes, boards", "here", "paper, 10 seconds"]);
    let mut order = Vec::new();
    for budget in budgets(&rows) {
        for (name, paper) in FINAL_MOVES {
            if let Some(row) = at(&rows, &budget).find(|row| row.option("final", "top-score") == name) {
                let here = score_with_interval(row.estimate());
                shown.rows.push(vec![in_words(name), place(&budget), here, score(paper)]);
                order.push((name, row));
            }
        }
    }
    page.put(Block::Table(shown));
    let of = |name: &str| order.iter().find(|(known, _)| *known == name).map(|(_, row)| *row);
    let top = of("top-score");
    let others = ["most-playouts", "highest-mean"].into_iter().filter_map(|name| Some((name, top?.minus(of(name)?))));
    let gains: Vec<_> = others.collect();
    if !gains.is_empty() {
        let above = gains.iter().filter(|(_, of)| of.is_above_zero()).count();
        let each: Vec<_> = gains.iter().map(|(name, of)| format!("{} than by {}", gain(*of), in_words(name))).collect();
        page.put(Block::Findings(vec![Finding {
            paper: "The top score is by far the best (2,644), then most play-outs (1,458) and highest average (784)."
                .to_owned(),
            here: format!("Points more by top score: {}.", list(&each)),
            verdict: match above {
                _ if above == gains.len() => Verdict::Agrees,
                0 => Verdict::Differs,
                _ => Verdict::Partly,
            },
        }]));
    }
    Ok(())
}
