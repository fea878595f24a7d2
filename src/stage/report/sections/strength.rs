//! Strength against speed on expert: our players beside published ones.

use std::collections::HashMap;
use std::path::Path;

use crate::error::ReportError;
use crate::papers::expert_peers::{Peer, peers};
use crate::read::{WorthRow, games, worth};
use mineflow_document::chart::{
    Appearance, Axis, Chart, DataSeries, ErrorBar, Joining, Marker, Point, PointLabel, Values, extent,
};
use mineflow_document::numbers::{grouped, list, with_interval};
use mineflow_document::{Estimate, Figure, PageTable, Section};

/// The tables of strength, the first that has a player counting.
const TABLES: [&str; 2] = ["strength.csv", "versions.csv"];
/// The table of speeds: its games are played without the luck correction.
const SPEED: &str = "speed.csv";
const BOARD: &str = "30x16/99";
/// The first-click rules with what they promise, a chart each.
const RULES: [(&str, &str); 2] = [("safe", "a safe first click"), ("opening", "an opening promised")];

/// Who wins less than this share of what the best wins is left to the table: the others would lie too close together.
const SHOWN: f64 = 0.55;
/// The axis of speed goes on to this many times the highest.
const AIR: f64 = 3.0;

/// Games per CPU second, by player and first-click rule.
pub(super) type Speeds = HashMap<(String, String), f64>;

/// One of our players under one rule.
struct Ours {
    player: String,
    first_click: String,
    wins: Estimate,
    is_corrected: bool,
    speed: Option<f64>,
}

/// Who wins most under one rule.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Strongest {
    pub(crate) board: &'static str,
    /// What the first click is promised.
    pub(crate) promised: &'static str,
    pub(crate) player: String,
    /// Luck-corrected where that was measured.
    pub(crate) wins: Estimate,
    pub(crate) games_per_second: Option<String>,
    /// Others of ours from whom no difference is shown, neither by their tables nor by pairs on the same boards.
    pub(crate) alike: Vec<String>,
    /// The best published player with its win ratio in percent.
    pub(crate) published: Option<(String, String)>,
}

/// Who wins most under each rule, from the tables of a folder.
pub(crate) fn strongest(folder: &Path) -> Result<Vec<Strongest>, ReportError> {
    let ours = ours(folder, &speeds(folder)?)?;
    let peers = peers();
    let pairs = worth(&folder.join("worth.csv"))?.unwrap_or_default();
    let of_rule = |(rule, promised): (&str, &'static str)| {
        let here = || ours.iter().filter(|row| row.first_click == rule);
        let best = here().max_by(|a, b| a.wins.value.total_cmp(&b.wins.value))?;
        // The same boards show a smaller difference than two tables do.
        let is_weaker_in_pairs = |player: &str| {
            let pair = |row: &&WorthRow| row.first_click == rule && row.a == best.player && row.b == player;
            pairs.iter().find(pair).is_some_and(|row| row.gain().is_above_zero())
        };
        let is_weaker = |row: &Ours| best.wins.minus(row.wins).is_above_zero() || is_weaker_in_pairs(&row.player);
        let alike = here().filter(|row| row.player != best.player && !is_weaker(row));
        let theirs = peers.iter().filter(|peer| peer.first_click == rule);
        let published = theirs.max_by(|a, b| a.wins().value.total_cmp(&b.wins().value));
        Some(Strongest {
            board: BOARD,
            promised,
            player: best.player.clone(),
            wins: best.wins,
            games_per_second: best.speed.map(written),
            alike: alike.map(|row| row.player.clone()).collect(),
            published: published.map(|peer| (peer.player.clone(), shown(peer.wins(), peer.has_interval()))),
        })
    };
    Ok(RULES.into_iter().filter_map(of_rule).collect())
}

/// Two charts and the tables behind them, from the tables of a folder.
pub(crate) fn strength(folder: &Path) -> Result<Section, ReportError> {
    let mut section = Section::new("strength", "Strength against speed");
    let speeds = speeds(folder)?;
    if speeds.is_empty() {
        section.miss(missing(SPEED, "speed --threads 1"));
    }
    let ours = ours(folder, &speeds)?;
    if ours.is_empty() {
        section.miss(missing(TABLES[0], "boards"));
        return Ok(section);
    }
    let peers = peers();
    section.say(
        "Expert, 30x16 with 99 mines: how often a player wins, and how many games it plays in a second of processor time, on one thread. Up and to the \
         right is better. Ours are luck-corrected unless said; their speeds are without what the correction takes, on a machine shared with other \
         work, so rather too low. Published figures are those of their sources, most of them raw. A published speed counts beside ours only where it was \
         measured on a machine of the same kind; a player whose speed nobody gives is a tick on the right edge, at its strength.",
    );
    for (rule, promised) in RULES {
        let theirs: Vec<_> = peers.iter().filter(|peer| peer.first_click == rule).collect();
        let here: Vec<_> = ours.iter().filter(|row| row.first_click == rule).collect();
        let all = here.iter().map(|row| row.wins.value).chain(theirs.iter().map(|peer| peer.wins().value));
        let least = SHOWN * all.fold(0.0, f64::max);
        let (here, below): (Vec<_>, Vec<_>) = here.into_iter().partition(|row| row.wins.value >= least);
        let below: Vec<_> = below.iter().map(|row| row.player.as_str()).collect();
        let caption = format!(
            "Win ratio against speed with {promised}; the axis of speed is logarithmic. Bars are 95 % intervals; where there is none, its ends lie within \
             the marker or no source gives them. Below the chart: {}. Of those timed on such a machine nobody is both stronger and faster than {}.",
            list(&below),
            list(&unbeaten(&here, &theirs))
        );
        section.figure(Figure::new(format!("strength-{rule}"), chart(&here, &theirs, promised), caption));
    }
    section.heading("Ours");
    section.table(table(&ours));
    section.heading("Published");
    section.table(published(&peers));
    Ok(section)
}

/// What a section says of a table that a stage of `pipelines/strength.toml` makes.
pub(super) fn missing(file: &str, stage: &str) -> String {
    format!("Missing: `play/{file}`. `pipeline run pipelines/strength.toml {stage}` makes it.")
}

/// The speeds that were measured; none if there is no such table.
pub(super) fn speeds(folder: &Path) -> Result<Speeds, ReportError> {
    let rows = games(&folder.join(SPEED))?.map_or_else(Vec::new, |table| table.rows);
    let on_board = rows.into_iter().filter(|row| row.board() == BOARD);
    let speed = on_board.filter_map(|row| {
        let seconds = row.cpu_seconds.filter(|&seconds| seconds > 0.0)?;
        Some(((row.player, row.first_click), row.games as f64 / seconds))
    });
    Ok(speed.collect())
}

fn ours(folder: &Path, speeds: &Speeds) -> Result<Vec<Ours>, ReportError> {
    let mut ours: Vec<Ours> = Vec::new();
    for file in TABLES {
        let rows = games(&folder.join(file))?.map_or_else(Vec::new, |table| table.rows);
        for row in rows.into_iter().filter(|row| row.board() == BOARD) {
            if ours.iter().any(|known| (&known.player, &known.first_click) == (&row.player, &row.first_click)) {
                continue;
            }
            let corrected = row.corrected();
            let key = (row.player.clone(), row.first_click.clone());
            ours.push(Ours {
                wins: corrected.unwrap_or_else(|| row.estimate()),
                is_corrected: corrected.is_some(),
                speed: speeds.get(&key).copied(),
                player: row.player,
                first_click: row.first_click,
            });
        }
    }
    ours.sort_by(|a, b| a.player.cmp(&b.player));
    Ok(ours)
}

/// Who is not beaten in both strength and speed by another of those timed on a machine like ours.
fn unbeaten(ours: &[&Ours], peers: &[&Peer]) -> Vec<String> {
    let here = ours.iter().filter_map(|row| Some((row.player.clone(), row.wins.value, row.speed?)));
    let timed = peers.iter().filter(|peer| peer.is_timed_here());
    let theirs = timed.filter_map(|peer| Some((peer.player.clone(), peer.wins().value, peer.games_per_second?)));
    let mut all: Vec<_> = here.chain(theirs).collect();
    all.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut best = 0.0;
    all.retain(|&(_, wins, _)| {
        let is_best = wins > best;
        best = wins.max(best);
        is_best
    });
    all.into_iter().map(|(name, ..)| name).collect()
}

fn chart(ours: &[&Ours], peers: &[&Peer], promised: &str) -> Chart {
    let here = |is_corrected: bool| {
        let rows = ours.iter().filter(move |row| row.is_corrected == is_corrected);
        rows.filter_map(|row| {
            Some((Point::along_y(row.speed?, row.wins), label(&row.player, row.wins, true, row.speed)))
        })
    };
    let theirs = |timed: Option<bool>| {
        let rows = peers.iter().filter(move |peer| peer.games_per_second.map(|_| peer.is_timed_here()) == timed);
        rows.map(|peer| {
            let (wins, x) = (peer.wins(), peer.games_per_second.unwrap_or(f64::INFINITY));
            let point = if peer.has_interval() { Point::along_y(x, wins) } else { Point::new(x, wins.value) };
            (point, label(&peer.player, wins, peer.has_interval(), peer.games_per_second))
        })
    };
    let apart = Joining::Apart;
    let series: Vec<_> = [
        series("ours", Appearance::solid(2, Marker::Circle), apart, here(true)),
        series("ours, luck not corrected", Appearance::dashed(2, Marker::Square), apart, here(false)),
        series("published, timed like ours", Appearance::solid(1, Marker::Diamond), apart, theirs(Some(true))),
        series("published, timed by its author", Appearance::dashed(1, Marker::Triangle), apart, theirs(Some(false))),
        series("published, speed unknown", Appearance::solid(1, Marker::Bar), Joining::Edge, theirs(None)),
    ]
    .into_iter()
    .filter(|series| !series.points.is_empty())
    .collect();
    let points = || series.iter().flat_map(|series| &series.points);
    let (low, high) = extent(points().flat_map(ends_of));
    let (low, high) = ((100.0 * low - 0.5).floor() / 100.0, (100.0 * high + 0.5).ceil() / 100.0);
    let speeds: Vec<_> = points().map(|point| point.x).filter(|x| x.is_finite()).collect();
    // The edge is left to those whose speed is not known.
    let beyond = speeds.iter().map(|speed| AIR * speed);
    let x = Axis::log("games a CPU second", speeds.iter().copied().chain(beyond), Values::Numbers);
    let y = Axis::percent("games won, %", low, high);
    Chart::new(format!("Win ratio against games per CPU second on expert with {promised}"), x, y, series).tall()
}

/// The ends of a point's bar, or where it stands.
fn ends_of(point: &Point) -> [f64; 2] {
    match point.error {
        Some(ErrorBar::Y(low, high)) => [low, high],
        _ => [point.y; 2],
    }
}

fn series(
    name: &str,
    appearance: Appearance,
    join: Joining,
    points: impl Iterator<Item = (Point, PointLabel)>,
) -> DataSeries {
    let (points, labels): (Vec<_>, Vec<_>) = points.unzip();
    DataSeries::new(name, appearance, join, points).labelled(labels)
}

fn label(player: &str, wins: Estimate, has_interval: bool, speed: Option<f64>) -> PointLabel {
    let speed =
        speed.map_or_else(|| "speed not known".to_owned(), |speed| format!("{} games a CPU second", written(speed)));
    PointLabel { text: player.to_owned(), title: format!("{player}: {} % won, {speed}", shown(wins, has_interval)) }
}

fn shown(wins: Estimate, has_interval: bool) -> String {
    if has_interval { with_interval(wins) } else { format!("{:.1}", 100.0 * wins.value) }
}

/// A speed, with a decimal where it is small.
pub(super) fn written(speed: f64) -> String {
    if speed < 10.0 { format!("{speed:.1}") } else { grouped(speed.round() as u64) }
}

fn table(ours: &[Ours]) -> PageTable {
    let mut rows: Vec<(&str, [Option<&Ours>; 2])> = Vec::new();
    for row in ours {
        let Some(rule) = RULES.iter().position(|&(rule, _)| rule == row.first_click) else { continue };
        if rows.last().is_none_or(|(player, _)| *player != row.player) {
            rows.push((&row.player, [None; 2]));
        }
        rows.last_mut().expect("there is one").1[rule] = Some(row);
    }
    let won = |row: Option<&Ours>| match row {
        Some(row) if row.is_corrected => with_interval(row.wins),
        Some(row) => format!("{}, raw", with_interval(row.wins)),
        None => String::new(),
    };
    let speed = |row: Option<&Ours>| row.and_then(|row| row.speed).map_or_else(String::new, written);
    PageTable::of(&rows)
        .left("player", |(player, _)| (*player).to_owned())
        .right("first click safe, won %", |(_, [safe, _])| won(*safe))
        .right("games a CPU second", |(_, [safe, _])| speed(*safe))
        .right("opening promised, won %", |(_, [_, opening])| won(*opening))
        .right("games a CPU second", |(_, [_, opening])| speed(*opening))
        .into()
}

fn published(peers: &[Peer]) -> PageTable {
    let timed = |peer: &Peer| match peer.games_per_second {
        Some(_) if peer.is_timed_here() => "as ours".to_owned(),
        Some(_) => "its author's".to_owned(),
        None => String::new(),
    };
    PageTable::of(peers)
        .left("player", |peer| peer.player.clone())
        .left("first click", |peer| peer.first_click.clone())
        .right("won, %", |peer| shown(peer.wins(), peer.has_interval()))
        .right("games a second", |peer| peer.games_per_second.map_or_else(String::new, written))
        .left("machine", timed)
        .left("source", |peer| format!("`{}`", peer.address()))
        .left("note", |peer| peer.note.clone())
        .into()
}
