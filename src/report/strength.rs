//! Strength and speed of the players, next to published players.

use mineflow_arena::numbers::grouped;
use mineflow_tasks::eval::CostRow;
use serde::Deserialize;

use crate::data::Data;
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::table::{estimate, percent, points, shown, table};

const EXPERT: &str = "30x16/99";
const BOARDS: [&str; 4] = [EXPERT, "16x16/40", "9x9/10", "8x8/10"];
const RULES: [&str; 2] = ["safe", "opening"];
/// The players in the table of strength and in the charts.
const STRONGEST: [&str; 3] = ["7.0", "11.0-fast", "11.0"];
const PLOTTED: [&str; 6] = ["4.0", "6.5", "7.0", "11.0-fast", "11.0", "11.0-deep"];

/// A row of `play/peers.csv`: a player by other authors, with the source of each figure.
#[derive(Deserialize)]
struct Peer {
    player: String,
    board: String,
    first_click: String,
    win_percent: f64,
    /// Half-width of the 95 % interval.
    plus_minus: Option<f64>,
    games_per_cpu_second: Option<f64>,
    /// `published` by its author, or `measured` here with the author's program.
    figure: String,
}

impl Peer {
    fn won(&self) -> String {
        let (won, half) = (
            self.win_percent / 100.0,
            self.plus_minus.map(|half| half / 100.0),
        );
        half.map_or(format!("{:.1}", self.win_percent), |half| {
            percent(estimate(won, won - half, won + half))
        })
    }

    fn point(&self) -> Option<Point> {
        let (won, half) = (
            self.win_percent / 100.0,
            self.plus_minus.unwrap_or(0.0) / 100.0,
        );
        let point = Point::new(
            self.games_per_cpu_second?,
            estimate(won, won - half, won + half),
        );
        Some(Point {
            label: self.player.clone(),
            ..point
        })
    }
}

fn peers(data: &Data) -> anyhow::Result<Vec<Peer>> {
    data.table("play/peers.csv")
}

/// Returns the table of the best players of this project and of other authors on every board for which other authors report
/// results.
pub(crate) fn strength(data: &Data) -> anyhow::Result<String> {
    let peers = peers(data)?;
    let row = |(board, rule): (&str, &str)| {
        let best = |figure: &str| {
            let is = |peer: &&Peer| {
                peer.board == board && peer.first_click == rule && peer.figure == figure
            };
            let best = peers
                .iter()
                .filter(is)
                .max_by(|a, b| a.win_percent.total_cmp(&b.win_percent));
            best.map_or(String::new(), |peer| {
                format!("{} {}", peer.player, peer.won())
            })
        };
        let won = STRONGEST
            .map(|player| shown(data.won(player, board, rule), percent))
            .join(" | ");
        let mut games = STRONGEST
            .map(|player| data.best(player, board, rule).map_or(0, |row| row.games))
            .to_vec();
        if games.iter().all(|of| *of == games[0]) {
            games.truncate(1);
        }
        let games = games
            .into_iter()
            .map(grouped)
            .collect::<Vec<_>>()
            .join("; ");
        format!(
            "{board}, {rule} | {won} | {games} | {} | {}",
            best("published"),
            best("measured")
        )
    };
    let header = format!(
        "board, first click | {} | games of each | best published | best measured here",
        STRONGEST.join(" | ")
    );
    Ok(table(
        &header,
        BOARDS
            .iter()
            .flat_map(|board| RULES.map(|rule| row((board, rule)))),
    ))
}

/// Reads the costs of the runs that measure speed on expert boards.
pub(crate) fn speeds(data: &Data) -> anyhow::Result<Vec<CostRow>> {
    data.table("play/speed-cost.csv")
}

/// Returns the number of games per CPU second of a player under a first-click rule.
pub(crate) fn speed_of(speeds: &[CostRow], player: &str, rule: &str) -> Option<f64> {
    let is = |row: &&CostRow| row.player == player && row.first_click == rule;
    speeds.iter().find(is).map(|row| row.games_per_cpu_second)
}

/// Returns the table of strength and speed on expert boards, in descending order of strength.
pub(crate) fn speed(data: &Data) -> anyhow::Result<String> {
    let speeds = speeds(data)?;
    let named = speeds
        .iter()
        .filter(|row| !row.player.contains('+') && row.first_click == "safe");
    let mut names: Vec<&str> = named.map(|row| &*row.player).collect();
    let value = |name: &str| data.won(name, EXPERT, "safe").map_or(0.0, |of| of.value);
    names.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let row = |name: &&str| {
        let of = |rule: &str| {
            let speed = speed_of(&speeds, name, rule).map(|speed| grouped(speed.round() as u64));
            format!(
                "{} | {}",
                shown(data.won(name, EXPERT, rule), percent),
                speed.unwrap_or_default()
            )
        };
        let games = data
            .best(name, EXPERT, "safe")
            .map_or(String::new(), |row| grouped(row.games));
        format!("{name} | {} | {games}", RULES.map(of).join(" | "))
    };
    let header = "player | safe first click, % | games per CPU second | opening, % | games per CPU second | games (safe)";
    Ok(table(header, names.iter().map(row)))
}

/// Draws strength against speed on expert boards, one chart per first-click rule.
pub(crate) fn figures(data: &Data) -> anyhow::Result<Vec<(&'static str, String)>> {
    let (peers, speeds) = (peers(data)?, speeds(data)?);
    let chart = |rule: &str, ends: (f64, f64)| {
        let inside = |point: &Point| (ends.0..=ends.1).contains(&point.y.value);
        let ours = PLOTTED.iter().filter_map(|player| {
            let point = Point::new(
                speed_of(&speeds, player, rule)?,
                data.won(player, EXPERT, rule)?,
            );
            Some(Point {
                label: (*player).to_owned(),
                ..point
            })
        });
        let theirs = peers
            .iter()
            .filter(|peer| peer.board == EXPERT && peer.first_click == rule);
        let series = [
            ("mineflow", ours.filter(inside).collect()),
            (
                "others",
                theirs.filter_map(Peer::point).filter(inside).collect(),
            ),
        ];
        let series = series.map(|(name, points)| Series {
            name: name.to_owned(),
            points,
            joined: false,
        });
        let x = Axis {
            label: "games per CPU second",
            scale: Scale::Log,
            ends: (1.0, 50_000.0),
        };
        draw(
            &x,
            &Axis {
                label: "games won, %",
                scale: Scale::Percent,
                ends,
            },
            &series,
            false,
        )
    };
    Ok(vec![
        ("strength-safe", chart("safe", (0.38, 0.42))),
        ("strength-opening", chart("opening", (0.51, 0.555))),
    ])
}

/// Returns the table of paired comparisons. Both players of a row play the same boards.
pub(crate) fn paired(data: &Data, file: &str) -> anyhow::Result<String> {
    /// A row of `pipeline compare`. Some tables add the component that only the first player has.
    #[derive(Deserialize)]
    struct Paired {
        idea: Option<String>,
        a: String,
        b: String,
        width: usize,
        height: usize,
        mines: usize,
        first_click: String,
        games: u64,
        difference: f64,
        ci_low: f64,
        ci_high: f64,
        corrected_difference: Option<f64>,
        corrected_ci_low: Option<f64>,
        corrected_ci_high: Option<f64>,
    }
    let row = |row: &Paired| {
        let what = row
            .idea
            .clone()
            .unwrap_or_else(|| format!("`{}` less `{}`", row.a, row.b));
        let board = format!(
            "{}x{}/{}, {}",
            row.width, row.height, row.mines, row.first_click
        );
        let raw = points(estimate(row.difference, row.ci_low, row.ci_high));
        let corrected = row
            .corrected_difference
            .zip(row.corrected_ci_low.zip(row.corrected_ci_high));
        let corrected = shown(
            corrected.map(|(of, (low, high))| estimate(of, low, high)),
            points,
        );
        format!(
            "{what} | {board} | {} | {raw} | {corrected}",
            grouped(row.games)
        )
    };
    let rows: Vec<Paired> = data.table(file)?;
    Ok(table(
        "what | board, first click | games | raw, points | luck-corrected, points",
        rows.iter().map(row),
    ))
}
