//! Games given as rule sheets: the tables of Koriche et al. (MAC-UCB) next to ours.

use mineflow_arena::Estimate;
use mineflow_arena::numbers::grouped;
use serde::Deserialize;

use crate::data::{Data, Row};
use crate::table::{bare, estimate, interval, shown, table};

/// The figures of one game in tables 3 and 4 of Koriche et al. Scores are in %; table 4 has scores
/// with 1 s and with 60 s.
#[derive(Deserialize)]
struct Published {
    game: String,
    mac_ucb_uct: f64,
    mac_ucb_fc_ucb: f64,
    fc_ucb_uct: f64,
    one_second: f64,
    sixty_seconds: f64,
}

/// A row of `standings.csv` of `pipeline ggp match`; scores in %.
#[derive(Deserialize)]
struct Match {
    game: String,
    player: String,
    opponent: String,
    budget: String,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    low: f64,
    high: f64,
    samples_per_move: f64,
    opponent_samples_per_move: Option<f64>,
    #[serde(default)]
    solving_share: f64,
    #[serde(default)]
    to: u32,
}

impl Match {
    /// Returns the result of Koriche et al. for the algorithms of this match in table 3.
    fn in_table_3(&self, paper: &Published) -> f64 {
        if self.opponent.starts_with("fc-ucb") {
            paper.mac_ucb_fc_ucb
        } else if self.player.starts_with("fc-ucb") {
            paper.fc_ucb_uct
        } else {
            paper.mac_ucb_uct
        }
    }

    /// Returns the players without the options that all of them have.
    fn players(&self) -> String {
        let mut players = [&*self.player, &self.opponent].to_vec();
        players.retain(|player| !player.is_empty());
        players.join(", ").replace(":lanes=64:leaves=4", "")
    }

    fn row(&self, name: &str, papers: &[Published]) -> String {
        let paper = papers.iter().find(|paper| paper.game == self.game);
        let paper = match name {
            "table3" => bare(paper.map(|paper| self.in_table_3(paper)), 1),
            "times" => paper.map_or(String::new(), |of| {
                format!("{:.1} to {:.1}", of.one_second, of.sixty_seconds)
            }),
            _ => String::new(),
        };
        let at = match name {
            "figure5" => format!(", matches to {}", self.to),
            "figure6" => format!(", {:.0} %", 100.0 * self.solving_share),
            _ => String::new(),
        };
        let decided = self.wins + self.losses;
        let is_decided = decided > 0 && !self.opponent.is_empty();
        let of_decided = is_decided.then(|| Estimate::of_wins(self.wins, decided).times(100.0));
        let theirs = self.opponent_samples_per_move;
        format!(
            "{} | {} | {}{at} | {}, {}, {} | {} | {} | {paper} | {}{}",
            self.game,
            self.players(),
            self.budget,
            self.wins,
            self.draws,
            self.losses,
            interval(estimate(self.score, self.low, self.high), 1),
            shown(of_decided, |of| interval(of, 1)),
            grouped(self.samples_per_move as u64),
            theirs.map_or(String::new(), |of| format!("; {}", grouped(of as u64)))
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

/// Returns our matches for tables 3 and 4 and for figures 5 and 6 of Koriche et al., with the
/// corresponding results of Koriche et al.
pub(crate) fn matches(data: &Data, name: &str) -> anyhow::Result<String> {
    let mut rows: Vec<Match> = data.table(&format!("ggp/{name}.csv"))?;
    rows.retain(|row| name != "figure5" || [10, 100].contains(&row.to));
    let papers: Vec<Published> = data.table("papers/ggp.csv")?;
    Ok(table(
        "game | players | a move | won, drawn, lost | score, % | of decided matches, % | paper, % | playouts per move",
        rows.iter().map(|row| row.row(name, &papers)),
    ))
}
