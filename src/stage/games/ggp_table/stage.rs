//! `pipeline ggp table`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::ensure;
use serde_json::json;

use super::{Entry, Experiment, Kind, Tables, run};
use crate::ggp_match::{MoveBudgetText, join_matches};
use mineflow_arena::Ending;
use mineflow_gdl::player::PlayerRecipe;
use mineflow_stage::definition::{Answer, Context, Outcome, Stage, json_lines};
use mineflow_stage::kind::{self, Effort, InputFlag};
use mineflow_stage::part::{PartDone, note_empty};
use mineflow_stage::settings;
use mineflow_stage::texts::{text, texts};
use mineflow_stage::values::{check_games, check_share};

settings! {
    /// The experiments of the English paper's section 5.
    pub struct GgpTable {
        /// Which experiments: table3 (pairs of algorithms), table4 (budgets), figure5 (matches in a row), figure6
        /// (shares of solving)
        #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values_t = Self::default().experiments)]
        #[serde(with = "texts")]
        pub experiments: Vec<Experiment> = Experiment::ALL.to_vec(),
        /// Games in which algorithms play against each other, with a budget a move: CPU time as 10ms, or
        /// playouts as 100it
        #[arg(long, value_name = "GAME=BUDGET", value_delimiter = ',', default_values_t = Self::default().games)]
        #[serde(with = "texts")]
        pub games: Vec<GameBudget> = all(&["tic-tac-toe=50ms", "othello=10ms", "hex=10ms", "kaseklau=50ms", "cant-stop=10ms"]),
        /// Games that all roles win or lose together
        #[arg(long, value_name = "GAME=BUDGET", value_delimiter = ',', default_values_t = Self::default().cooperative)]
        #[serde(with = "texts")]
        pub cooperative: Vec<GameBudget> = all(&["orchard=10ms", "matching-pennies=10ms"]),
        /// Where the rule sheets are, GAME.kif
        #[arg(long, value_name = "DIR", default_value = "pipelines/ggp")]
        pub sheets: PathBuf = "pipelines/ggp".into(),
        /// Matches of each series
        #[arg(long, value_name = "N", default_value_t = Self::default().matches, value_parser = mineflow_stage::values::games())]
        pub matches: u32 = 200,
        /// The budgets of table4, as multiples of a game's own
        #[arg(long, value_name = "FACTORS", value_delimiter = ',', default_values_t = Self::default().factors)]
        #[serde(with = "texts")]
        pub factors: Vec<f64> = vec![0.25, 1.0, 4.0],
        /// Figure5's matches in a row, in which players keep what they know
        #[arg(long, value_name = "N", default_value_t = Self::default().in_a_row, value_parser = mineflow_stage::values::games())]
        pub in_a_row: u32 = 100,
        /// The shares of solving of figure6
        #[arg(long, value_name = "SHARES", value_delimiter = ',', default_values_t = Self::default().shares)]
        #[serde(with = "texts")]
        pub shares: Vec<f64> = vec![0.0, 0.25, 0.5, 0.75, 0.9, 1.0],
        /// Who plays as MAC-UCB, with options as in `ggp match`
        #[arg(long, value_name = "PLAYER", default_value_t = Self::default().mac_ucb)]
        #[serde(with = "text")]
        pub mac_ucb: PlayerRecipe = "mac-ucb".parse().expect("it is a player"),
        /// Who plays as FC-UCB
        #[arg(long, value_name = "PLAYER", default_value_t = Self::default().fc_ucb)]
        #[serde(with = "text")]
        pub fc_ucb: PlayerRecipe = "fc-ucb".parse().expect("it is a player"),
        /// Who plays as UCT
        #[arg(long, value_name = "PLAYER", default_value_t = Self::default().uct)]
        #[serde(with = "text")]
        pub uct: PlayerRecipe = "uct".parse().expect("it is a player"),
        /// A match, and a playout, ends without points after this many steps
        #[arg(long, value_name = "N", default_value_t = Self::default().horizon)]
        pub horizon: usize = 10_000,
        /// Joint moves that each player's cache of explored leaves may hold
        #[arg(long, value_name = "N", default_value_t = Self::default().cache)]
        pub cache: usize = 2_000_000,
    }
}

/// A game and its budget a move.
#[derive(Clone, PartialEq, Debug)]
pub struct GameBudget {
    name: String,
    budget: MoveBudgetText,
}

fn all(texts: &[&str]) -> Vec<GameBudget> {
    texts.iter().map(|text| text.parse().expect("it is a game with its budget")).collect()
}

impl FromStr for GameBudget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, amount) =
            text.split_once('=').ok_or_else(|| format!("`{text}` names no budget; write GAME=10ms or GAME=100it"))?;
        Ok(Self { name: name.to_owned(), budget: amount.parse()? })
    }
}

impl fmt::Display for GameBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.budget)
    }
}

impl Stage for GgpTable {
    const KIND: kind::Kind = kind::Kind {
        summary: "Play the series of the paper's tables 3 and 4 and of its figure 6, and write them as CSV",
        examples: &[
            "ggp table --experiments table3 --games tic-tac-toe=10ms --matches 20 --out table",
            "ggp table --experiments figure6 --games kaseklau=50ms --out table",
        ],
        out: "Folder for the tables and every match; interrupted, the same command resumes there",
        inputs: &[InputFlag::folder_of("sheets", &[])],
        parts: Some(join_matches),
        ..kind::Kind::of::<Self>("ggp table")
    };

    fn check(&self) -> anyhow::Result<()> {
        check_games(self.matches)?;
        check_games(self.in_a_row)?;
        for (option, player) in [("mac-ucb", &self.mac_ucb), ("fc-ucb", &self.fc_ucb), ("uct", &self.uct)] {
            ensure!(
                player.algorithm.name() == option,
                "--{option} {player}: give {option}, with options as in `ggp match`"
            );
            ensure!(player.budget.is_none(), "--{option} {player}: the games give the budgets; leave its own out");
        }
        self.shares.iter().try_for_each(|&share| check_share("shares", share))?;
        let wrong = self.factors.iter().find(|&&factor| !(factor > 0.0 && factor <= 1e6));
        ensure!(wrong.is_none(), "--factors: `{}` is not a factor above 0", wrong.unwrap_or(&0.0));
        Ok(())
    }

    fn effort(&self) -> Option<Effort> {
        Some(Effort::new("matches", self.matches, 1))
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let tables = self.tables(context)?;
        let kept = format!("every finished match is kept in {}; the same command resumes", tables.out.display());
        context.may_leave(&kept);
        let mut played = 0;
        let ending = run(&tables, context.stop, &mut |progress| {
            played = progress.played;
            context.count("matches", progress.played, progress.planned, &format!(", {}", progress.series));
        });
        context.ends_itself();
        if ending? == Ending::Stopped {
            return Ok(Outcome::Interrupted(kept));
        }
        if !context.part.is_whole() {
            note_empty(context, played);
            return Ok(PartDone::outcome(context.part, played));
        }
        let file = |experiment: &Experiment| tables.out.join(experiment.name()).with_extension("csv");
        Ok(Outcome::Done(Box::new(Files(self.experiments.iter().map(file).collect()))))
    }
}

impl GgpTable {
    fn tables(&self, context: &Context<'_>) -> anyhow::Result<Tables> {
        let entry = |game: &GameBudget, kind| Entry {
            name: game.name.clone(),
            sheet: self.sheets.join(&game.name).with_extension("kif"),
            kind,
            budget: game.budget.0,
        };
        let opposed = self.games.iter().map(|game| entry(game, Kind::Opposed));
        Ok(Tables {
            experiments: self.experiments.clone(),
            games: opposed.chain(self.cooperative.iter().map(|game| entry(game, Kind::Cooperative))).collect(),
            matches: self.matches,
            factors: self.factors.clone(),
            shares: self.shares.clone(),
            in_a_row: self.in_a_row,
            mac_ucb: self.mac_ucb.clone(),
            fc_ucb: self.fc_ucb.clone(),
            uct: self.uct.clone(),
            horizon: self.horizon,
            most_explored: self.cache,
            seed: context.seed,
            part: context.part,
            threads: context.threads,
            out: context.folder()?.to_owned(),
        })
    }
}

/// The files that were written.
struct Files(Vec<PathBuf>);

impl Answer for Files {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(self.0.iter().map(|file| json!({ "file": file })))
    }

    fn text(&self) -> String {
        self.0.iter().map(|file| format!("{}\n", file.display())).collect()
    }
}
