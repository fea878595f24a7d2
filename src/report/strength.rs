//! Strength and speed of the players, next to published players.

use anyhow::Result;
use mineflow_arena::{Estimate, numbers::grouped};
use mineflow_tasks::eval::CostRow;
use serde::Deserialize;

use crate::{
    data::{Data, Row, csv_rows},
    table::{estimate, percent, points, shown, table},
};

const EXPERT: &str = "30x16/99";
const BOARDS: [&str; 4] = [EXPERT, "16x16/40", "9x9/10", "8x8/10"];
const RULES: [&str; 2] = ["safe", "opening"];
/// The players in the table of strength.
const STRONGEST: [&str; 3] = ["7.0", "11.0-fast", "11.0"];

/// A row of `play/peers.csv`: a player by other authors, with the source of each figure.
#[derive(Deserialize)]
struct Peer {
    player: String,
    board: String,
    first_click: String,
    win_percent: f64,
    /// Half-width of the 95 % interval.
    plus_minus: Option<f64>,
    /// `published` by its author, or `measured` here with the author's program.
    figure: String,
}

impl Peer {
    fn estimate(&self) -> Estimate {
        let half = self.plus_minus.unwrap_or(0.0) / 100.0;
        let won = self.win_percent / 100.0;
        estimate(won, won - half, won + half)
    }

    fn shown(&self) -> String {
        let won = match self.plus_minus {
            Some(_) => percent(self.estimate()),
            None => format!("{:.1}", self.win_percent),
        };
        format!("{} {won}", self.player)
    }
}

fn peers(data: &Data) -> Result<Vec<Peer>> {
    data.table("play/peers.csv")
}

/// Returns the table of the best players of this project and of other authors on every board for
/// which other authors report results.
pub(crate) fn strength(data: &Data) -> Result<String> {
    let peers = peers(data)?;
    let row = |board: &str, rule: &str| {
        let best = |figure: &str| {
            let mut of: Vec<&Peer> = peers.iter().collect();
            of.retain(|of| of.board == board && of.first_click == rule && of.figure == figure);
            of.into_iter()
                .max_by(|a, b| a.win_percent.total_cmp(&b.win_percent))
                .map_or(String::new(), Peer::shown)
        };
        let won = STRONGEST.map(|player| shown(data.won(player, board, rule), percent));
        let games =
            STRONGEST.map(|player| data.best(player, board, rule).map_or(0, |row| row.games));
        let mut games = games.map(grouped).to_vec();
        if games.iter().all(|of| *of == games[0]) {
            games.truncate(1);
        }
        format!(
            "{board}, {rule} | {} | {} | {} | {}",
            won.join(" | "),
            games.join("; "),
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
            .flat_map(|board| RULES.map(|rule| row(board, rule))),
    ))
}

/// Returns the number of games per CPU second of a player under a first-click rule.
fn speed_of(speeds: &[CostRow], player: &str, rule: &str) -> Option<f64> {
    speeds
        .iter()
        .find(|row| row.player == player && row.first_click == rule)
        .map(|row| row.games_per_cpu_second)
}

/// Reads the costs of the runs that measure speed on expert boards.
fn speeds(data: &Data) -> Result<Vec<CostRow>> {
    data.table("play/speed-cost.csv")
}

/// Returns the table of strength and speed on expert boards, in descending order of strength.
pub(crate) fn speed(data: &Data) -> Result<String> {
    let speeds = speeds(data)?;
    let mut named: Vec<&CostRow> = speeds.iter().collect();
    named.retain(|row| !row.player.contains('+') && row.first_click == "safe");
    let value = |row: &CostRow| {
        data.won(&row.player, EXPERT, "safe")
            .map_or(0.0, |of| of.value)
    };
    named.sort_by(|a, b| value(b).total_cmp(&value(a)));
    Ok(table(
        "player | safe first click, % | games per CPU second | opening, % | games per CPU second | games (safe)",
        named.iter().map(|row| {
            let name = &*row.player;
            let games = data
                .best(name, EXPERT, "safe")
                .map(|row| grouped(row.games));
            format!(
                "{name} | {} | {}",
                RULES
                    .map(|rule| {
                        let speed = speed_of(&speeds, name, rule)
                            .map(|speed| grouped(speed.round() as u64));
                        let won = shown(data.won(name, EXPERT, rule), percent);
                        format!("{won} | {}", speed.unwrap_or_default())
                    })
                    .join(" | "),
                games.unwrap_or_default()
            )
        }),
    ))
}

/// Returns the table of paired comparisons, rows of `pipeline compare`. Both players of a row play
/// the same boards. Some tables add the component that only the first player has.
pub(crate) fn paired(data: &Data, file: &str) -> Result<String> {
    pairs(&data.table(file)?)
}

/// Returns the table of all comparisons of a report on stages.
pub(crate) fn compared(data: &Data) -> Result<String> {
    let mut rows = Vec::new();
    for (_, folder) in data.runs("compare") {
        rows.extend(csv_rows::<Row>(&folder.join("compare.csv"))?);
    }
    pairs(&rows)
}

fn pairs(rows: &[Row]) -> Result<String> {
    let mut lines = Vec::new();
    for row in rows {
        let what = match row.cell("idea") {
            Ok(idea) => idea.to_owned(),
            Err(_) => format!("`{}` less `{}`", row.cell("a")?, row.cell("b")?),
        };
        let corrected = [
            "corrected_difference",
            "corrected_ci_low",
            "corrected_ci_high",
        ];
        lines.push(format!(
            "{what} | {}x{}/{}, {} | {} | {} | {}",
            row.cell("width")?,
            row.cell("height")?,
            row.cell("mines")?,
            row.cell("first_click")?,
            grouped(row.number("games")? as u64),
            points(row.interval(["difference", "ci_low", "ci_high"])?),
            shown(row.interval(corrected).ok(), points)
        ));
    }
    Ok(table(
        "what | board, first click | games | raw, points | luck-corrected, points",
        lines,
    ))
}
