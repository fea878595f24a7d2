//! How the models learnt: losses and win ratios round by round, and what the trees look at.

use serde_json::Value;

use crate::document::Estimate;
use crate::document::chart::{Axis, Chart, Guide, Join, Look, Marker, Point, Series, Stroke, ends};
use crate::document::numbers::{counted, grouped, list, percent, with_interval};
use crate::document::{Align, Block, Figure, Section, Table};
use crate::stage::report::read::{Importance, NetworkRound, Run, TreesRun};

const TRAINING: Look = Look { tone: 0, stroke: Stroke::Dashed, marker: Marker::Circle };
const HELD_OUT: Look = Look { tone: 2, stroke: Stroke::Solid, marker: Marker::Circle };
const WON: Look = Look { tone: 3, stroke: Stroke::Solid, marker: Marker::Circle };

/// A network's training with the player that asks it.
pub(crate) type NetworkOf<'a> = (&'a str, Option<Run<NetworkRound>>);

/// The training curves of the networks.
pub(crate) fn networks(runs: &[NetworkOf<'_>]) -> Section {
    let mut section = Section::new("training", "Training of the networks");
    let boards = runs.iter().find_map(|(_, run)| run.as_ref()?.settings.get("validation_boards")?.as_array());
    let boards: Vec<_> = boards.into_iter().flatten().filter_map(Value::as_str).collect();
    let boards = if boards.is_empty() { "9x9/10".to_owned() } else { list(&boards) };
    section.say(format!(
        "Loss of the rows learnt from, each batch before it was, and of rows of games that are held out; both as means of a round. The win \
         ratio is of the same games on {boards} after every round, so its steps are the network's, not those of the games.",
    ));
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("rounds", Align::Right),
        ("published", Align::Right),
        ("rows", Align::Right),
        ("loss", Align::Right),
        ("held out", Align::Right),
        ("won, %", Align::Right),
    ]);
    for (player, run) in runs {
        if let Some((run, last)) = run.as_ref().and_then(|run| Some((run, run.rounds.last()?))) {
            let rows = run.result.get("rows").and_then(Value::as_u64);
            let number = |name: &str| run.result.get(name).and_then(Value::as_f64);
            let won = match (number("win_ratio"), number("win_low"), number("win_high")) {
                (Some(value), Some(low), Some(high)) => with_interval(Estimate { value, low, high }),
                (ratio, ..) => ratio.or(last.win_ratio).map_or(String::new(), percent),
            };
            table.rows.push(vec![
                (*player).to_owned(),
                counted(run.rounds.len(), &last.round),
                published(run).map_or("the last".to_owned(), str::to_owned),
                rows.map_or(String::new(), grouped),
                format!("{:.4}", last.loss),
                format!("{:.4}", number("validation_loss").unwrap_or(last.validation_loss)),
                won,
            ]);
        }
    }
    if !table.rows.is_empty() {
        section.blocks.push(Block::Table(table));
    }
    for (player, run) in runs {
        match run {
            None => section.blocks.push(Block::Missing(format!("Missing: the record of the training of {player}."))),
            Some(run) if run.rounds.len() > 1 => show(&mut section, player, run),
            Some(_) => {}
        }
    }
    section
}

/// Which network is published, as the number of its round or in a word; `None` in records of trainings that published their
/// last.
fn published(run: &Run<NetworkRound>) -> Option<&str> {
    run.result.get("published")?.as_str()
}

fn show(section: &mut Section, player: &str, run: &Run<NetworkRound>) {
    section.blocks.push(Block::Heading(format!("{player}, round by round")));
    let curve = |name: &str, look, value: fn(&NetworkRound) -> Option<f64>| Series {
        name: name.to_owned(),
        look,
        join: Join::Curve,
        points: run
            .rounds
            .iter()
            .filter_map(|round| Some(Point { x: f64::from(round.number), y: value(round)?, error: None }))
            .collect(),
    };
    let losses = vec![
        curve("learnt from", TRAINING, |round| Some(round.loss)),
        curve("held out", HELD_OUT, |round| Some(round.validation_loss)),
    ];
    let unit = &run.rounds[0].round;
    let last = run.rounds.last().map_or(1, |round| round.number);
    let rounds = || Axis::linear(unit, 0.0, f64::from(last), 0);
    let (low, high) = span(losses.iter().flat_map(|series| &series.points));
    let chart = Chart {
        title: format!("Loss of {player} by {unit}"),
        x: rounds(),
        y: Axis::linear("loss", low, high, 3),
        series: losses,
        guides: Vec::new(),
    };
    let figure = |id: &str, chart, caption| {
        Figure { id: format!("training-{player}-{id}"), chart, caption, findings: Vec::new() }.block()
    };
    section.blocks.push(figure("loss", chart, format!("Loss of {player} by {unit}.")));
    let won = curve("", WON, |round| round.win_ratio);
    if won.points.len() > 1 {
        let of_published = run.result.get("win_ratio").and_then(Value::as_f64);
        let level = of_published.or(won.points.last().map(|point| point.y));
        let (low, high) = ends(won.points.iter().map(|point| point.y).chain(level));
        let late = &won.points[won.points.len() / 2..];
        let (worst, best) = late.iter().fold((1.0f64, 0.0f64), |(low, high), at| (low.min(at.y), high.max(at.y)));
        let caption = format!(
            "Games won after each {unit}. In the second half it is between {} and {} %; {}.",
            percent(worst),
            percent(best),
            match published(run) {
                None => "the last is published, not the best".to_owned(),
                Some("average") => "the mean of the last ones is published, chosen by other games".to_owned(),
                Some(number) => format!("{unit} {number} is published, chosen among the best by other games"),
            }
        );
        let chart = Chart {
            title: format!("Win ratio of {player} by {unit}"),
            x: rounds(),
            y: Axis::percent("games won, %", low, high),
            guides: level.map(Guide::Level).into_iter().collect(),
            series: vec![won],
        };
        section.blocks.push(figure("wins", chart, caption));
    }
}

/// The trees of 5.0.
pub(crate) fn trees(run: Option<&TreesRun>) -> Section {
    let mut section = Section::new("trees", "The trees of 5.0");
    let Some(TreesRun { run, importance }) = run else {
        section.blocks.push(Block::Missing("Missing: the record of the training of 5.0.".to_owned()));
        return section;
    };
    let number = |name: &str| run.result.get(name).and_then(Value::as_f64);
    if let (Some(loss), Some(auc), Some(loss_of_p), Some(auc_of_p)) =
        (number("test_log_loss"), number("test_auc"), number("log_loss_of_p_alone"), number("auc_of_p_alone"))
    {
        let verb = if auc > auc_of_p && loss < loss_of_p { "better than" } else { "no better than" };
        section.say(format!(
            "On games that they never saw, the trees are {verb} the probability P alone: AUC {auc:.4} against {auc_of_p:.4}, log-loss {loss:.4} against \
             {loss_of_p:.4}."
        ));
    }
    if run.rounds.len() > 1 {
        let points = run.rounds.iter().map(|round| Point {
            x: f64::from(round.round),
            y: round.validation_log_loss,
            error: None,
        });
        let points: Vec<_> = points.collect();
        let (low, high) = span(points.iter());
        section.blocks.push(
            Figure {
                id: "trees-loss".to_owned(),
                chart: Chart {
                    title: "Log-loss of the trees by round".to_owned(),
                    x: Axis::linear("trees", 0.0, run.rounds.len() as f64, 0),
                    y: Axis::linear("log-loss of held-out games", low, high, 3),
                    series: vec![Series { name: String::new(), look: HELD_OUT, join: Join::Curve, points }],
                    guides: Vec::new(),
                },
                caption: "Log-loss on games that are held out, as trees are added.".to_owned(),
                findings: Vec::new(),
            }
            .block(),
        );
    }
    match importance {
        None => section.blocks.push(Block::Missing("Missing: `importance.csv` of the training of 5.0.".to_owned())),
        Some(rows) => show_importance(&mut section, rows),
    }
    section
}

fn show_importance(section: &mut Section, rows: &[Importance]) {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|a, b| b.share_of_gain.total_cmp(&a.share_of_gain));
    section.blocks.push(Block::Heading("What the trees look at".to_owned()));
    if let [first, second, ..] = rows.as_slice() {
        section.say(format!(
            "`{}` carries {} % of all that splits gain, `{}`, which is second, {} %.",
            first.feature,
            percent(first.share_of_gain),
            second.feature,
            percent(second.share_of_gain)
        ));
    }
    let points = rows.iter().enumerate().filter(|(_, row)| row.share_of_gain > 0.0);
    let points: Vec<_> = points.map(|(at, row)| Point { x: row.share_of_gain, y: at as f64, error: None }).collect();
    section.blocks.push(
        Figure {
            id: "trees-importance".to_owned(),
            chart: Chart {
                title: "Share of the gain of every feature".to_owned(),
                x: Axis::log("share of the gain, %", points.iter().map(|point| point.x), |share| {
                    format!("{}", 100.0 * share)
                }),
                y: Axis::names("", rows.iter().map(|row| row.feature.clone())),
                series: vec![Series { name: String::new(), look: HELD_OUT, join: Join::Apart, points }],
                guides: Vec::new(),
            },
            caption: "Share of the reduction of the loss that splits on a feature bring; the axis is logarithmic."
                .to_owned(),
            findings: Vec::new(),
        }
        .block(),
    );
    let mut table = Table::new(&[
        ("feature", Align::Left),
        ("share, %", Align::Right),
        ("gain a split", Align::Right),
        ("splits", Align::Right),
    ]);
    for row in rows {
        table.rows.push(vec![
            format!("`{}`", row.feature),
            percent(row.share_of_gain),
            format!("{:.1}", row.gain_a_split),
            format!("{:.0}", row.splits),
        ]);
    }
    section.blocks.push(Block::Table(table));
}

/// Ends of an axis for losses.
fn span<'a>(points: impl Iterator<Item = &'a Point>) -> (f64, f64) {
    let (low, high) =
        points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at.y), high.max(at.y)));
    let air = ((high - low) * 0.06).max(1e-4);
    (low - air, high + air)
}
