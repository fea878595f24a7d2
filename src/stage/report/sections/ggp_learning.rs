//! Figure 5: matches in a row, in which players keep what they know.

use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Guide, Joining, Marker, Point};
use mineflow_document::numbers::{grouped, percent, with_interval};
use mineflow_document::{Figure, Finding, PageTable, PaperVerdict, Section};
use mineflow_stage_games::ggp_table::LearningRow;

/// The score of equals.
const EVEN: f64 = 0.5;

/// The figure and the table.
pub(super) fn in_a_row(section: &mut Section, rows: &[LearningRow]) {
    section.heading("Figure 5: MAC-UCB against UCT over matches in a row");
    section.say("Both players keep their trees and caches from one match to the next; after the last match of a row they forget them.");
    let mut games: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        if !games.contains(&(&row.game, &row.budget)) {
            games.push((&row.game, &row.budget));
        }
    }
    let (mut series, mut shown, mut grows, mut shrinks) = (Vec::new(), Vec::new(), 0, 0);
    for (&(game, budget), tone) in games.iter().zip((0..8).cycle()) {
        let of_game: Vec<&LearningRow> =
            rows.iter().filter(|row| (&*row.game, &*row.budget) == (game, budget)).collect();
        let points = of_game.iter().map(|row| Point::along_y(f64::from(row.to), row.estimate()));
        let look = Appearance::solid(tone, Marker::nth(tone.into()));
        series.push(DataSeries::new(format!("{game}, {budget}"), look, Joining::Line, points));
        if let [first, .., last] = of_game[..] {
            let growth = last.estimate().minus(first.estimate());
            grows += usize::from(growth.is_above_zero());
            shrinks += usize::from(growth.is_below_zero());
            shown.push(format!("{game} {} to {}", percent(first.estimate().value), percent(last.estimate().value)));
        }
    }
    let last = rows.iter().map(|row| f64::from(row.to)).fold(1.0, f64::max);
    let chart = Chart::new(
        "Score of MAC-UCB against UCT over matches in a row",
        Axis::linear("matches played", 0.0, last, 0),
        Axis::percent("score of MAC-UCB, %", 0.0, 1.0),
        series,
    );
    let finding = Finding::new(
        "MAC-UCB's lead on UCT grows with the matches played in stochastic games, as its cache does.",
        format!("From the first tenth to the last: {} %.", shown.join(", ")),
        PaperVerdict::of_sides(grows, shrinks, games.len()),
    );
    let caption = "Wins and half of the draws in each tenth of the matches, with 95 % intervals, which take matches for independent; those of one row share what \
                   the players know.";
    section.figure(Figure::new("ggp-learning", chart.with(Guide::Level(EVEN)), caption).with([finding]));
    section.table(
        PageTable::of(rows)
            .left("game", |row| row.game.clone())
            .right("a move", |row| row.budget.clone())
            .right("matches", |row| format!("{} to {}", row.from, row.to))
            .right("of them", |row| grouped(row.matches.into()))
            .right("score, %", |row| with_interval(row.estimate()))
            .right("ended in known states, %", |row| format!("{:.1}", row.explored))
            .right("playouts a move", |row| format!("{:.0}", row.samples_a_move)),
    );
}
