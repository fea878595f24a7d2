//! How the models learnt: losses and win ratios round by round, and what the trees look at.

use serde_json::Value;

use crate::read::{TrainingRun, TreesRun};
use mineflow_document::chart::{
    Appearance, Axis, Chart, DataSeries, Guide, Joining, Marker, Point, Values, ends, extent,
};
use mineflow_document::numbers::{counted, grouped, list, percent, with_interval};
use mineflow_document::{Estimate, Figure, PageTable, Section};
use mineflow_stage::training_records::{ImportanceRow, Metrics};

const TRAINING: Appearance = Appearance::dashed(0, Marker::Circle);
const HELD_OUT: Appearance = Appearance::solid(2, Marker::Circle);
const WON: Appearance = Appearance::solid(3, Marker::Circle);

/// A network's training with the player that asks it.
pub(crate) type NetworkOf<'a> = (&'a str, Option<TrainingRun<Metrics>>);

/// A network's training that has a last round, with its player.
type EndedTraining<'a> = (&'a str, &'a TrainingRun<Metrics>, &'a Metrics);

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
    let ended = runs.iter().filter_map(|(player, run)| Some((*player, run.as_ref()?, run.as_ref()?.rounds.last()?)));
    let ended: Vec<EndedTraining<'_>> = ended.collect();
    if !ended.is_empty() {
        section.table(results(&ended));
    }
    for (player, run) in runs {
        match run {
            None => section.miss(format!("Missing: the record of the training of {player}.")),
            Some(run) if run.rounds.len() > 1 => show(&mut section, player, run),
            Some(_) => {}
        }
    }
    section
}

/// What came of each training.
fn results(runs: &[EndedTraining<'_>]) -> PageTable {
    let won =
        |(_, run, last): &EndedTraining<'_>| match ["win_ratio", "win_low", "win_high"].map(|name| run.number(name)) {
            [Some(value), Some(low), Some(high)] => with_interval(Estimate { value, low, high }),
            [ratio, ..] => ratio.or(last.figures.won.map(|won| won.win_ratio)).map_or(String::new(), percent),
        };
    let held_out =
        |(_, run, last): &EndedTraining<'_>| run.number("validation_loss").unwrap_or(last.figures.validation_loss);
    let rows = |run: &TrainingRun<Metrics>| run.result.get("rows").and_then(Value::as_u64);
    PageTable::of(runs)
        .left("player", |(player, ..)| (*player).to_owned())
        .right("rounds", |(_, run, last)| counted(run.rounds.len() as u64, last.round.name()))
        .right("published", |(_, run, _)| published(run).unwrap_or("the last").to_owned())
        .right("rows", |(_, run, _)| rows(run).map_or(String::new(), grouped))
        .right("loss", |(_, _, last)| format!("{:.4}", last.loss))
        .right("held out", |row| format!("{:.4}", held_out(row)))
        .right("won, %", won)
        .into()
}

/// Which network is published, as the number of its round or in a word; `None` in records of trainings that published their
/// last.
fn published(run: &TrainingRun<Metrics>) -> Option<&str> {
    run.result.get("published")?.as_str()
}

fn show(section: &mut Section, player: &str, run: &TrainingRun<Metrics>) {
    section.heading(format!("{player}, round by round"));
    let curve = |name: &str, appearance, value: fn(&Metrics) -> Option<f64>| {
        let points = run.rounds.iter().filter_map(|round| Some(Point::new(round.number as f64, value(round)?)));
        DataSeries::new(name, appearance, Joining::Curve, points)
    };
    let losses = vec![
        curve("learnt from", TRAINING, |round| Some(round.loss)),
        curve("held out", HELD_OUT, |round| Some(round.figures.validation_loss)),
    ];
    let unit = run.rounds[0].round.name();
    let last = run.rounds.last().map_or(1, |round| round.number);
    let rounds = || Axis::linear(unit, 0.0, last as f64, 0);
    let title = format!("Loss of {player} by {unit}");
    let caption = format!("{title}.");
    let chart = Chart::new(title, rounds(), loss_axis("loss", &losses), losses);
    section.figure(Figure::new(format!("training-{player}-loss"), chart, caption));
    let won = curve("", WON, |round| round.figures.won.map(|won| won.win_ratio));
    if won.points.len() > 1 {
        let level = run.number("win_ratio").or(won.points.last().map(|point| point.y));
        let (low, high) = ends(won.points.iter().map(|point| point.y).chain(level));
        let (worst, best) = extent(won.points[won.points.len() / 2..].iter().map(|point| point.y));
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
        let y = Axis::percent("games won, %", low, high);
        let mut chart = Chart::new(format!("Win ratio of {player} by {unit}"), rounds(), y, vec![won]);
        chart.guides.extend(level.map(Guide::Level));
        section.figure(Figure::new(format!("training-{player}-wins"), chart, caption));
    }
}

/// The trees of 5.0.
pub(crate) fn trees(run: Option<&TreesRun>) -> Section {
    let mut section = Section::new("trees", "The trees of 5.0");
    let Some(TreesRun { run, importance }) = run else {
        section.miss("Missing: the record of the training of 5.0.");
        return section;
    };
    if let [Some(loss), Some(auc), Some(loss_of_p), Some(auc_of_p)] =
        ["test_log_loss", "test_auc", "log_loss_of_p_alone", "auc_of_p_alone"].map(|name| run.number(name))
    {
        let verb = if auc > auc_of_p && loss < loss_of_p { "better than" } else { "no better than" };
        section.say(format!(
            "On games that they never saw, the trees are {verb} the probability P alone: AUC {auc:.4} against {auc_of_p:.4}, log-loss {loss:.4} against \
             {loss_of_p:.4}."
        ));
    }
    if run.rounds.len() > 1 {
        let points = run.rounds.iter().map(|round| Point::new(round.round as f64, round.validation_log_loss));
        let series = vec![DataSeries::new("", HELD_OUT, Joining::Curve, points)];
        let x = Axis::linear("trees", 0.0, run.rounds.len() as f64, 0);
        let y = loss_axis("log-loss of held-out games", &series);
        let chart = Chart::new("Log-loss of the trees by round", x, y, series);
        let caption = "Log-loss on games that are held out, as trees are added.";
        section.figure(Figure::new("trees-loss", chart, caption));
    }
    match importance {
        None => section.miss("Missing: `importance.csv` of the training of 5.0."),
        Some(rows) => show_importance(&mut section, rows),
    }
    section
}

fn show_importance(section: &mut Section, rows: &[ImportanceRow]) {
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by(|a, b| b.share_of_gain.total_cmp(&a.share_of_gain));
    section.heading("What the trees look at");
    if let [first, second, ..] = rows.as_slice() {
        section.say(format!(
            "`{}` carries {} % of all that splits gain, `{}`, which is second, {} %.",
            first.feature,
            percent(first.share_of_gain),
            second.feature,
            percent(second.share_of_gain)
        ));
    }
    let points = rows.iter().zip(0u32..).filter(|(row, _)| row.share_of_gain > 0.0);
    let points: Vec<_> = points.map(|(row, at)| Point::new(row.share_of_gain, f64::from(at))).collect();
    section.figure(Figure::new(
        "trees-importance",
        Chart::new(
            "Share of the gain of every feature",
            Axis::log("share of the gain, %", points.iter().map(|point| point.x), Values::Ratios),
            Axis::names("", rows.iter().map(|row| row.feature.clone())),
            vec![DataSeries::new("", HELD_OUT, Joining::Apart, points)],
        ),
        "Share of the reduction of the loss that splits on a feature bring; the axis is logarithmic.",
    ));
    section.table(
        PageTable::of(&rows)
            .left("feature", |row| format!("`{}`", row.feature))
            .right("share, %", |row| percent(row.share_of_gain))
            .right("gain a split", |row| format!("{:.1}", row.gain_a_split))
            .right("splits", |row| format!("{:.0}", row.splits)),
    );
}

/// An axis that holds these losses with some air.
fn loss_axis(label: &str, series: &[DataSeries]) -> Axis {
    let (low, high) = extent(series.iter().flat_map(|series| &series.points).map(|point| point.y));
    let air = ((high - low) * 0.06).max(1e-4);
    Axis::linear(label, low - air, high + air, 3)
}
