//! Games given as rule sheets: the tables of Koriche et al. (MAC-UCB) next to ours.

use mineflow_arena::{Estimate, numbers::grouped};
use serde::Deserialize;

use crate::{
    claim::{Relation, verdict},
    data::{Data, Row},
    table::{bare, estimate, interval, shown, table},
};

/// The scores of MAC-UCB against UCT of Koriche et al. in a game, in %: with 30 s per move in table
/// 3, with 1 s in table 4.
#[derive(Deserialize)]
struct Published {
    game: String,
    mac_ucb_uct: f64,
    one_second: f64,
}

/// A row of `standings.csv` of `pipeline ggp match`; scores in %.
#[derive(Deserialize)]
struct Match {
    game: String,
    player: String,
    opponent: String,
    budget: String,
    matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    low: f64,
    high: f64,
    samples_per_move: f64,
    opponent_samples_per_move: Option<f64>,
    #[serde(default)]
    to: u32,
    cpu_ms_per_move: Option<f64>,
    opponent_cpu_ms_per_move: Option<f64>,
    solving: Option<f64>,
    corrected_score: Option<f64>,
    corrected_low: Option<f64>,
    corrected_high: Option<f64>,
}

/// The distance from the score of Koriche et al. within which a score agrees, in percentage points.
const NEAR: f64 = 15.0;

/// Formats a number of matches: `384`, or `34 of 80` if the pipeline plans more at 1 s per move.
fn of_planned(matches: u64, table: &str) -> String {
    match table {
        "one-second" if matches < 80 => format!("{matches} of 80"),
        _ => matches.to_string(),
    }
}

impl Match {
    /// Returns the score with the luck of chance subtracted, if it was measured.
    fn corrected(&self) -> Option<Estimate> {
        Some(estimate(
            self.corrected_score?,
            self.corrected_low?,
            self.corrected_high?,
        ))
    }

    fn row(&self, name: &str, papers: &[Published]) -> String {
        let is_mac = self.player.starts_with("mac-ucb");
        let paper = papers.iter().find(|of| of.game == self.game && is_mac);
        let paper = paper.and_then(|of| match name {
            "one-second" => Some(of.one_second),
            "thirty-seconds" => Some(of.mac_ucb_uct),
            _ => None,
        });
        let score = estimate(self.score, self.low, self.high);
        let best = self.corrected().unwrap_or(score);
        let judged = match (paper, name) {
            (Some(paper), _) => verdict(best.less(paper), Relation::Within, NEAR).name(),
            (None, "equal") => verdict(best, Relation::More, 50.0).name(),
            _ => "",
        };
        let at = match name {
            "figure5" => format!(", matches to {}", self.to),
            _ => String::new(),
        };
        let both = |own: Option<f64>, other: Option<f64>| {
            let known = [own, other].into_iter().flatten();
            let shown: Vec<String> = known.map(|of| grouped(of.round() as u64)).collect();
            shown.join("; ")
        };
        let mut players = vec![&*self.player, &self.opponent];
        players.retain(|player| !player.is_empty());
        format!(
            "{} | {} | {}{at} | {} | {}, {}, {} | {} | {} | {} | {judged} | {} | {} | {}",
            self.game,
            players.join(", "),
            self.budget,
            of_planned(self.matches, name),
            self.wins,
            self.draws,
            self.losses,
            interval(score, 1),
            shown(self.corrected(), |of| interval(of, 1)),
            bare(paper, 1),
            both(self.cpu_ms_per_move, self.opponent_cpu_ms_per_move),
            bare(self.solving, 0),
            both(Some(self.samples_per_move), self.opponent_samples_per_move),
        )
    }
}

/// Returns table 2 of Koriche et al. next to our results: the size of the constraint network of a
/// stage of each game.
pub(crate) fn networks(data: &Data) -> anyhow::Result<String> {
    let mut networks: Vec<Row> = data.table("ggp/networks.csv")?;
    networks.retain(|row| {
        row.cell("network").is_ok_and(|network| network == "stage")
            && row.cell("preprocessed").is_ok_and(|cell| cell == "true")
    });
    let mut lines = Vec::new();
    for paper in data.table::<Row>("papers/ggp.csv")? {
        let game = paper.cell("game")?;
        let is = |of: &&Row| of.cell("game").is_ok_and(|cell| cell == game);
        let Some(ours) = networks.iter().find(is) else {
            continue;
        };
        let mut line = game.to_owned();
        for column in ["variables", "largest_domain", "constraints"] {
            for of in [ours, &paper] {
                line += &format!(" | {}", grouped(of.number(column)? as u64));
            }
        }
        lines.push(line);
    }
    let header = "game | variables | paper | largest domain | paper | constraints | paper";
    Ok(table(header, lines))
}

/// Returns our matches for tables 3 and 4 and for figure 5 of Koriche et al., with the
/// corresponding results of Koriche et al. With 1 s per move, games without matches are listed too.
pub(crate) fn matches(data: &Data, name: &str) -> anyhow::Result<String> {
    let mut rows: Vec<Match> = data.table(&format!("ggp/{name}.csv"))?;
    rows.retain(|row| name != "figure5" || [10, 100].contains(&row.to));
    let papers: Vec<Published> = data.table("papers/ggp.csv")?;
    let is_missing = |of: &&Published| rows.iter().all(|row| row.game != of.game);
    let missing = papers
        .iter()
        .filter(is_missing)
        .filter(|_| name == "one-second");
    let missing = missing.map(|of| {
        let matches = of_planned(0, name);
        format!(
            "{} |  |  | {matches} |  |  |  | {:.1} |  |  |  | ",
            of.game, of.one_second
        )
    });
    let mut lines = rows.iter().map(|row| row.row(name, &papers)).chain(missing);
    let Some(first) = lines.next() else {
        return Ok("No matches are finished yet.".to_owned());
    };
    Ok(table(
        "game | players | a move | matches | won, drawn, lost | score, % | luck-corrected, % | paper, % | verdict | CPU ms per move | solving, % | descents per move",
        [first].into_iter().chain(lines),
    ))
}
