//! Tables 1 to 4: simulation strategies, settings, budgets per game or per move, the final move.

use super::parts::{
    BudgetOnBoards, at, better, budget_words, budgets, deepest, has_usual_unit, is_per_move, mean, place, setting,
};
use crate::papers::sp_mcts::{FINAL_MOVES, NODES, NODES_A_SECOND, SETTINGS, STRATEGIES, TIMES};
use crate::read::SamegameResult;
use mineflow_document::numbers::{gain, grouped, list, score};
use mineflow_document::{Finding, PageTable, PaperVerdict, Section};

/// The strategies of table 1 as options.
const STRATEGY_OPTIONS: [&str; 3] = ["random", "tabu-random", "tabu-color-random"];
/// The nodes at which exploitation should reach the paper's mean.
const REACH_AT: u64 = NODES[0];

/// Table 1.
pub(super) fn strategies(section: &mut Section, mut results: Vec<SamegameResult>) {
    results.retain(|result| setting(result) == Some(1));
    if results.is_empty() {
        return;
    }
    let words = |result: &SamegameResult| {
        let of = result.estimate();
        let deviation = result.row.deviation;
        format!("{}, deviation {deviation:.0} ({} - {})", score(of.value), score(of.low), score(of.high))
    };
    let mut shown = PageTable::new(["nodes, boards"].into_iter().chain(STRATEGIES.map(|(name, ..)| name)));
    let published = STRATEGIES.map(|(_, mean, deviation)| format!("{}, deviation {deviation}", score(mean)));
    shown.rows.push(["the paper: 10,000,000 nodes, 250 boards".to_owned()].into_iter().chain(published).collect());
    let (mut colour_gains, mut tabu_gains) = (Vec::new(), Vec::new());
    for budget in budgets(&results) {
        let [random, tabu, colour] = STRATEGY_OPTIONS.map(|strategy| {
            at(&results, &budget).find(|result| result.option("playout", "tabu-color-random") == strategy)
        });
        let here = [random, tabu, colour].map(|result| result.map_or(String::new(), words));
        shown.rows.push([place(&budget)].into_iter().chain(here).collect());
        colour_gains.extend(colour.zip(tabu).map(|(a, b)| (budget_words(&budget.0), a.minus(b))));
        tabu_gains.extend(tabu.zip(random).map(|(a, b)| (budget_words(&budget.0), a.minus(b))));
    }
    section.table(shown);
    let findings = [
        better("TabuRandom scores about 700 more than Random.", &tabu_gains),
        better("TabuColorRandom is the best, 300 above TabuRandom.", &colour_gains),
    ];
    section.findings(findings.into_iter().flatten());
}

/// Table 2.
pub(super) fn settings(section: &mut Section, results: Vec<SamegameResult>) {
    let (results, in_points): (Vec<_>, Vec<_>) = results.into_iter().partition(has_usual_unit);
    if !results.is_empty() {
        section.table(settings_table(&results));
        section.findings(setting_findings(&results));
    }
    if !in_points.is_empty() {
        section.say(
            "The same with rewards that are points, as the paper's text can be read. The constants then hardly matter, and all trees are \
             one deep line.",
        );
        section.table(settings_table(&in_points));
    }
}

fn settings_table(results: &[SamegameResult]) -> PageTable {
    let names = SETTINGS.iter().map(|setting| setting.name);
    let mut shown = PageTable::new([""].into_iter().chain(names.flat_map(|name| [name, "paper"])));
    for budget in budgets(results) {
        shown.rows.extend(lines(&at(results, &budget).collect::<Vec<_>>(), &budget));
    }
    shown
}

/// What the paper says of table 2, with rewards in hundreds of points.
fn setting_findings(results: &[SamegameResult]) -> Vec<Finding> {
    let mut findings: Vec<_> = results.iter().filter_map(reached).collect();
    for budget in budgets(results) {
        if let (here, Some(paper)) = best(&at(results, &budget).collect::<Vec<_>>()) {
            let says = format!("At {} the best is {paper}.", budget_words(&budget.0));
            findings.push(Finding::new(says, format!("Here it is {here}."), PaperVerdict::when(here == paper)));
        }
    }
    findings
}

/// The lines of table 2 for one budget.
fn lines(results: &[&SamegameResult], budget: &BudgetOnBoards) -> Vec<Vec<String>> {
    type Quantity = (&'static str, fn(&SamegameResult) -> String);
    let quantities: [Quantity; 4] = [
        ("mean", mean),
        ("deviation", |result| format!("{:.0}", result.row.deviation)),
        ("average depth", |result| result.row.mean_depth.map_or(String::new(), |depth| format!("{depth:.1}"))),
        ("deepest node", deepest),
    ];
    let line = |(index, (name, words)): (usize, Quantity)| {
        let mut line = vec![if index == 0 { format!("{}: {name}", place(budget)) } else { name.to_owned() }];
        for (at, of) in SETTINGS.iter().enumerate() {
            let result = results.iter().find(|result| setting(result) == Some(at));
            let nodes = result.and_then(|result| nodes(result));
            line.push(result.map_or(String::new(), |result| words(result)));
            line.push(nodes.map_or(String::new(), |nodes| score(of.results[nodes][index])));
        }
        line
    };
    quantities.into_iter().enumerate().map(line).collect()
}

/// Which number of nodes of table 2 a result has, if it has one.
pub(super) fn nodes(result: &SamegameResult) -> Option<usize> {
    NODES.iter().position(|&nodes| result.limit("nodes") == Some(nodes))
}

/// The best setting here, and in the paper if it has the same number of nodes.
fn best(results: &[&SamegameResult]) -> (&'static str, Option<&'static str>) {
    let known = results.iter().filter_map(|result| Some((SETTINGS[setting(result)?].name, result.row.mean)));
    let here = known.max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |(name, _)| name);
    let paper = results.first().and_then(|result| nodes(result)).and_then(|nodes| {
        SETTINGS.iter().max_by(|a, b| a.results[nodes][0].total_cmp(&b.results[nodes][0])).map(|setting| setting.name)
    });
    (here, paper)
}

/// Whether exploitation makes the paper's points at 10^5 nodes.
fn reached(result: &SamegameResult) -> Option<Finding> {
    if setting(result) != Some(0) || result.limit("nodes") != Some(REACH_AT) {
        return None;
    }
    let paper = SETTINGS[0].results[0][0];
    Some(Finding::new(
        format!("Exploitation makes {} points at {} nodes.", score(paper), grouped(REACH_AT)),
        format!("Here {}. More counts as agreeing too.", mean(result)),
        PaperVerdict::when(result.row.high >= paper),
    ))
}

/// The seconds and points of tables 3 and 6 of the paper at about this number of nodes.
pub(super) fn paper_at(result: &SamegameResult) -> Option<(u32, [f64; 4])> {
    let nodes = result.limit("nodes")?;
    TIMES.into_iter().find(|(seconds, _)| u64::from(*seconds) * NODES_A_SECOND == nodes)
}

/// Table 3.
pub(super) fn scopes(section: &mut Section, results: Vec<SamegameResult>) {
    let budgets = budgets(&results);
    let pair = |budget| {
        let of = |per_move: bool| at(&results, budget).find(|result| is_per_move(result) == per_move);
        Some((budget, of(false)?, of(true)?))
    };
    let pairs: Vec<_> = budgets.iter().filter_map(pair).collect();
    let paper = |game: &SamegameResult, words: fn([f64; 4]) -> String| paper_at(game).map(|(_, of)| words(of));
    let or_empty = Option::<String>::unwrap_or_default;
    section.table(
        PageTable::of(&pairs)
            .left("nodes, boards", |(budget, ..)| place(budget))
            .right("paper's seconds", |(_, game, _)| or_empty(paper_at(game).map(|(seconds, _)| seconds.to_string())))
            .right("per game", |(_, game, _)| mean(game))
            .right("paper's", |(_, game, _)| or_empty(paper(game, |of| score(of[0]))))
            .right("per move", |(_, _, each_move)| mean(each_move))
            .right("paper's", |(_, game, _)| or_empty(paper(game, |of| score(of[2]))))
            .right("more per move", |(_, game, each_move)| gain(each_move.minus(game)))
            .right("paper's", |(_, game, _)| or_empty(paper(game, |of| format!("{:+.0}", of[2] - of[0])))),
    );
    let gains = pairs.iter().map(|(budget, game, each_move)| (budget_words(&budget.0), each_move.minus(game)));
    let gains: Vec<_> = gains.collect();
    let off = pairs.iter().filter_map(|(_, game, each_move)| {
        let (_, of) = paper_at(game)?;
        let (here, paper) = (each_move.minus(game).value, of[2] - of[0]);
        Some((100.0 * (here - paper).abs() / of[0], game, here, paper))
    });
    let farthest = off.max_by(|a, b| a.0.total_cmp(&b.0));
    let finding = better("A search per move is better than one per game at every budget.", &gains);
    section.findings(finding.map(|finding| match farthest {
        Some((off, game, here, paper)) => finding.apart(off).because(format!(
            "Farthest off is {}: {here:+.0} a search per move here, {paper:+.0} in the paper; one search per game makes {} here.",
            budget_words(&game.row.budget),
            mean(game)
        )),
        None => finding,
    }));
}

/// A final move in words.
fn in_words(name: &str) -> String {
    name.replace('-', " ")
}

/// Table 4.
pub(super) fn final_moves(section: &mut Section, results: Vec<SamegameResult>) {
    let mut shown = PageTable::new(["final move", "nodes, boards", "here", "paper, 10 seconds"]);
    let mut order = Vec::new();
    for budget in budgets(&results) {
        for (name, paper) in FINAL_MOVES {
            if let Some(result) = at(&results, &budget).find(|result| result.option("final", "top-score") == name) {
                shown.rows.push(vec![in_words(name), place(&budget), mean(result), score(paper)]);
                order.push((name, result));
            }
        }
    }
    section.table(shown);
    let of = |name: &str| order.iter().find(|(known, _)| *known == name).map(|(_, result)| *result);
    let top = of("top-score");
    let others = ["most-playouts", "highest-mean"].into_iter().filter_map(|name| Some((name, top?.minus(of(name)?))));
    let gains: Vec<_> = others.collect();
    if !gains.is_empty() {
        let above = gains.iter().filter(|(_, of)| of.is_above_zero()).count();
        let each: Vec<_> = gains.iter().map(|(name, of)| format!("{} than by {}", gain(*of), in_words(name))).collect();
        section.findings([Finding::new(
            "The top score is by far the best (2,644), then most playouts (1,458) and highest average (784).",
            format!("Points more by top score: {}.", list(&each)),
            PaperVerdict::of_cases(above, gains.len()),
        )]);
    }
}
