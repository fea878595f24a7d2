//! The ladder: how weak UCT has to be for the paper's scores.

use crate::papers::mac_ucb::game;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Guide, Joining, Marker, Point, Values};
use mineflow_document::numbers::{grouped, with_interval};
use mineflow_document::{Figure, PageTable, Section};
use mineflow_stage_games::ggp_ladder::LadderRow;

/// The score of equals.
const EVEN: f64 = 0.5;

/// The opponent that is called plain.
const PLAIN: &str = "uct:transpositions=no:keep-tree=no:cache=no";

/// A player without its options.
fn algorithm(player: &str) -> &str {
    player.split(':').next().unwrap_or(player)
}

/// The rows of a game, a player and an opponent.
fn of_line<'r>(rows: &'r [LadderRow], line: (&'r str, &'r str, &'r str)) -> impl Iterator<Item = &'r LadderRow> {
    rows.iter().filter(move |row| (&*row.game, &*row.player, &*row.opponent) == line)
}

/// The figure and the table.
pub(super) fn rungs(section: &mut Section, rows: &[LadderRow]) {
    section.heading("The ladder: the score by the opponent's budget");
    section.say(
        "A player with a fixed number of playouts a move meets opponents with as many, half of them, and so on. The paper does not say how its UCT \
         is made: `transpositions=no:keep-tree=no:cache=no` has one new state a playout, a place in the tree for each way to a state, and forgets the tree \
         at each move: \"plain uct\" in the figure.",
    );
    let mut lines: Vec<(&str, &str, &str)> = Vec::new();
    for row in rows {
        let line = (&*row.game, &*row.player, &*row.opponent);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    // A player that met an opponent with one budget alone is a row of the table.
    lines.retain(|&line| of_line(rows, line).count() > 1);
    let share = |row: &LadderRow| row.opponent_playouts as f64 / row.playouts as f64;
    let series = lines.iter().zip((0..8).cycle()).map(|(&(game, player, opponent), tone)| {
        let points = of_line(rows, (game, player, opponent)).map(|row| Point::along_y(share(row), row.estimate()));
        let name = format!("{game}: {}{}", if opponent == PLAIN { "plain " } else { "" }, algorithm(opponent));
        DataSeries::new(name, Appearance::solid(tone, Marker::nth(tone.into())), Joining::Line, points)
    });
    let chart = Chart::new(
        "Score by the opponent's budget",
        Axis::log("the opponent's playouts by the player's", rows.iter().map(share), Values::Numbers),
        Axis::percent("score of the player, %", 0.0, 1.0),
        series.collect(),
    );
    let caption = "Wins and half of the draws, with 95 % intervals.";
    section.figure(Figure::new("ggp-ladder", chart.with(Guide::Level(EVEN)), caption));
    let paper = |row: &LadderRow| {
        let ours = row.player.starts_with("mac-ucb") && row.opponent.starts_with("uct");
        let score = game(&row.game).filter(|_| ours).map(|paper| format!("{:.1}", paper.mac_ucb_uct));
        score.unwrap_or_else(|| "-".to_owned())
    };
    section.table(
        PageTable::of(rows)
            .left("game", |row| row.game.clone())
            .left("player", |row| row.player.clone())
            .right("playouts", |row| grouped(row.playouts))
            .left("opponent", |row| row.opponent.clone())
            .right("playouts", |row| grouped(row.opponent_playouts))
            .right("matches", |row| grouped(row.matches.into()))
            .right("won, drawn, lost", |row| format!("{}, {}, {}", row.wins, row.draws, row.losses))
            .right("score, %", |row| with_interval(row.estimate()))
            .right("paper, %", paper),
    );
}
