//! `pipeline ggp ladder`: a player against opponents with ever smaller budgets a move.
//!
//! ```text
//! DIR/manifest.json, lock     as of every run
//!     series/NAME/            a folder of `ggp match` for each game, opponent and rung
//!     ladder.csv, cost.csv    of the series that are finished, written again after each
//! ```

use std::path::{Path, PathBuf};

use anyhow::ensure;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::ggp::name_of;
use super::ggp_match::{Matches, MoveBudgetText, Played, planned, play_all, standings};
use mineflow_arena::Ending;
use mineflow_document::numbers::grouped;
use mineflow_document::{Estimate, TableOf, to_csv};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use mineflow_stage::definition::{Context, Outcome, Row, Rows, Stage};
use mineflow_stage::kind::{InputFlag, Kind};
use mineflow_stage::part::{PartDone, SERIES, join};
use mineflow_stage::settings;
use mineflow_stage::texts::{text, texts};
use mineflow_stage::values::check_range;
use mineflow_store::{Purpose, object};

settings! {
    /// A player against opponents with as many playouts or as much time a move, half of it, a quarter, and so on.
    pub struct GgpLadder {
        /// Rule sheets in KIF, separated by commas
        #[arg(long, value_name = "FILES", value_delimiter = ',')]
        pub games: Vec<PathBuf>,
        /// Who stands on the top rung, with options as in `ggp match`
        #[arg(long, value_name = "PLAYER", default_value_t = Self::default().player)]
        #[serde(with = "text")]
        pub player: PlayerRecipe = "mac-ucb".parse().expect("it is a player"),
        /// Its opponents, separated by commas
        #[arg(long, value_name = "PLAYERS", value_delimiter = ',', default_values_t = Self::default().opponents)]
        #[serde(with = "texts")]
        pub opponents: Vec<PlayerRecipe> = vec![
            "uct".parse().expect("it is a player"),
            "uct:transpositions=no:keep-tree=no:cache=no".parse().expect("it is a player"),
        ],
        /// What a move of the player may take: CPU time as 50ms, or playouts as 256it
        #[arg(long, value_name = "BUDGET", default_value_t = Self::default().budget)]
        #[serde(with = "text")]
        pub budget: MoveBudgetText = MoveBudgetText(MoveBudget::Playouts(256)),
        /// The rungs: an opponent has the player's budget divided by this
        #[arg(long, value_name = "DIVISORS", value_delimiter = ',', default_values_t = Self::default().divisors)]
        #[serde(with = "texts")]
        pub divisors: Vec<u64> = vec![1, 2, 4, 8, 16, 32, 64],
        /// Matches of each series; the sides alternate
        #[arg(long, value_name = "N", default_value_t = Self::default().matches)]
        pub matches: u32 = 200,
        /// A match, and a playout, ends without points after this many steps
        #[arg(long, value_name = "N", default_value_t = Self::default().horizon)]
        pub horizon: usize = 10_000,
        /// Joint moves that the cache of a player may hold
        #[arg(long, value_name = "N", default_value_t = Self::default().cache)]
        pub cache: usize = 2_000_000,
    }
}

/// A rung: a row of `ladder.csv`, from the view of `player`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderRow {
    pub game: String,
    /// Without its budget.
    pub player: String,
    pub opponent: String,
    /// Which [version](super::ggp_match::version_of) of them played; empty in tables from before versions were noted.
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub opponent_version: String,
    /// A move, as 256it or 50ms.
    pub budget: String,
    pub opponent_budget: String,
    pub matches: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// In per cent, with the standard deviation of that mean and its 95 % interval.
    pub score: f64,
    pub deviation: f64,
    pub low: f64,
    pub high: f64,
    /// As they were made: less where a state is explored or proven.
    pub samples_per_move: f64,
    pub opponent_samples_per_move: f64,
}

/// What a rung took: a row of `cost.csv`. No two runs agree in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct LadderCost {
    game: String,
    player: String,
    opponent: String,
    opponent_budget: String,
    cpu_seconds_per_move: f64,
    opponent_cpu_seconds_per_move: f64,
    /// Of all matches and both players together.
    cpu_seconds: f64,
}

/// A series: a game, an opponent, its budget a move.
struct Rung<'a> {
    sheet: &'a Path,
    opponent: &'a PlayerRecipe,
    budget: MoveBudget,
}

impl Stage for GgpLadder {
    const KIND: Kind = Kind {
        summary: "Play one player against others with ever smaller budgets",
        examples: &[
            "ggp ladder --games pipelines/ggp/tic-tac-toe.kif --matches 20 --out ladder",
            "ggp ladder --games pipelines/ggp/connect-four.kif --budget 512it --divisors 1,8,64 --out four",
        ],
        out: "Folder for the table and every match; interrupted, the same command resumes there",
        output: "ladder.csv",
        inputs: &[InputFlag::folder_of("games", &[])],
        revision: 3,
        parts: Some(join),
        ..Kind::of::<Self>("ggp ladder")
    };

    fn check(&self) -> anyhow::Result<()> {
        check_range("matches", self.matches, 1..=1_000_000)?;
        ensure!(!self.games.is_empty(), "--games names no rule sheet; give files such as pipelines/ggp/hex.kif");
        ensure!(!self.opponents.is_empty(), "--opponents is empty; give players such as uct");
        let own = std::iter::once(&self.player).chain(&self.opponents).find(|player| player.budget.is_some());
        if let Some(player) = own {
            anyhow::bail!("{player} has a budget of its own, and the ladder gives the budgets; leave it out");
        }
        if self.divisors.contains(&1) && self.opponents.contains(&self.player) {
            anyhow::bail!(
                "{} would meet itself with the same budget; leave divisor 1 or that opponent out",
                self.player
            );
        }
        let wrong = self.divisors.iter().find(|&&divisor| self.budget.0.divided(divisor).is_none());
        if let Some(divisor) = wrong {
            anyhow::bail!("--divisors {divisor} leaves nothing of {}; give smaller numbers, from 1 on", self.budget);
        }
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let settings = object(json!({
            "command": "ggp ladder",
            "player": self.player,
            "budget": self.budget.to_string(),
            "matches": self.matches,
            "horizon": self.horizon,
            "most_explored": self.cache,
            "seed": context.seed,
        }));
        // The list of games and opponents may change: what they need of the folder is then made again.
        let purpose = Purpose { results: &["ladder.csv"], ..Purpose::of(context.part.noted_in(settings)) };
        let mut folder = context.open(&purpose)?;
        let rungs: Vec<Rung<'_>> = self.rungs().collect();
        let matches: Vec<Matches> = rungs.iter().map(|rung| self.matches_of(rung, context)).collect();
        let (planned, mut done) = (planned(&matches), 0);
        let (mut rows, mut costs): (Vec<LadderRow>, Vec<LadderCost>) = (Vec::new(), Vec::new());
        let ending = play_all(
            &matches,
            context.stop,
            &mut |at, played| {
                let Rung { sheet, opponent, budget } = &rungs[at];
                done = played;
                let text = format!(", {} against {opponent} with {budget}", name_of(sheet));
                context.count("matches", played, planned, &text);
            },
            &mut |at, played| {
                let (row, cost) = self.row(&rungs[at], &matches[at], played);
                rows.push(row);
                costs.push(cost);
                folder.write("cost.csv", &to_csv(&costs)?)?;
                Ok(folder.write("ladder.csv", &to_csv(&rows)?)?)
            },
        )?;
        if ending == Ending::Stopped {
            return Ok(context.interrupted(&format!("{done} of {planned} matches")));
        }
        folder.finish(&json!({ "matches": planned }), context.stop)?;
        if !context.part.is_whole() {
            return Ok(PartDone::outcome(context, planned));
        }
        Ok(Outcome::Done(Box::new(Rows(rows))))
    }
}

impl GgpLadder {
    fn rungs(&self) -> impl Iterator<Item = Rung<'_>> {
        self.games.iter().flat_map(move |sheet| {
            self.opponents.iter().flat_map(move |opponent| {
                let budgets = self.divisors.iter().filter_map(|&divisor| self.budget.0.divided(divisor));
                budgets.map(move |budget| Rung { sheet, opponent, budget })
            })
        })
    }

    fn matches_of(&self, rung: &Rung<'_>, context: &Context<'_>) -> Matches {
        let player = self.player.clone().with_budget(self.budget.0);
        let opponent = rung.opponent.clone().with_budget(rung.budget);
        let name = format!("{}-against-{opponent}", name_of(rung.sheet));
        Matches {
            sheet: rung.sheet.to_owned(),
            players: vec![player, opponent],
            matches: self.matches,
            series: 1,
            budget: self.budget.0,
            horizon: self.horizon,
            most_explored: self.cache,
            seed: context.seed,
            part: context.part,
            sprt: None,
            threads: context.threads,
            out: context.out.as_ref().map(|out| out.join(SERIES).join(name.replace(':', "-"))),
        }
    }

    fn row(&self, rung: &Rung<'_>, matches: &Matches, played: &Played) -> (LadderRow, LadderCost) {
        let mut both = standings(matches, played).into_iter();
        let own = both.next().expect("a player has a standing");
        // A player against itself has one standing.
        let other = both.next().unwrap_or_else(|| own.clone());
        let interval = own.interval.unwrap_or(super::ggp_match::Interval { low: 0.0, high: 100.0 });
        let (game, player, opponent) = (name_of(rung.sheet), self.player.to_string(), rung.opponent.to_string());
        let cost = LadderCost {
            game: game.clone(),
            player: player.clone(),
            opponent: opponent.clone(),
            opponent_budget: rung.budget.to_string(),
            cpu_seconds_per_move: own.cpu_seconds_per_move,
            opponent_cpu_seconds_per_move: other.cpu_seconds_per_move,
            cpu_seconds: played.cpu_seconds(),
        };
        let row = LadderRow {
            game,
            player,
            opponent,
            version: own.version,
            opponent_version: other.version,
            budget: self.budget.to_string(),
            opponent_budget: rung.budget.to_string(),
            matches: own.matches,
            wins: own.wins,
            draws: own.draws,
            losses: own.losses,
            score: own.score.unwrap_or(50.0),
            deviation: own.deviation.unwrap_or(0.0),
            low: interval.low,
            high: interval.high,
            samples_per_move: own.samples_per_move,
            opponent_samples_per_move: other.samples_per_move,
        };
        (row, cost)
    }
}

impl Row for LadderRow {
    fn text(rows: &[Self]) -> String {
        TableOf::new(rows)
            .left("game", |row| &row.game)
            .left("opponent", |row| &row.opponent)
            .right("its budget", |row| &row.opponent_budget)
            .right("matches", |row| grouped(row.matches.into()))
            .right("score %", |row| format!("{:.2}", row.score))
            .left("95 % interval", |row| format!("{:.2} to {:.2}", row.low, row.high))
            .text()
    }
}

impl LadderRow {
    /// As that of a [`TableRow`](super::ggp_table::TableRow).
    pub fn estimate(&self) -> Estimate {
        Estimate { value: self.score / 100.0, low: self.low / 100.0, high: self.high / 100.0 }
    }
}
