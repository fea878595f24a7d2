//! The experiments of the English paper's section 5 on a list of games, at budgets of one's own: pairs of algorithms
//! (table 3), budgets (table 4), matches in a row (figure 5), the share of solving (figure 6).
//!
//! ```text
//! DIR/manifest.json, lock     as of every run
//!     series/NAME/            a folder of `ggp match` a series; tables that need the same series share it
//!     table3.csv, table4.csv, figure5.csv, figure6.csv, cost.csv   of the series that are finished, written again after each
//! ```

mod experiment;
mod rows;

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::ensure;
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use experiment::{Experiment, Kind};
pub use rows::{LearningRow, TableCost, TableRow, amount};

use crate::as_text;
use crate::ggp_match::{Matches, MoveBudgetText, planned, play_all};
use crate::help::{EXIT_CODES, examples};
use crate::part::{PartDone, hold_whole};
use crate::values::{check_games, check_share};
use crate::{Answer, Context, Outcome, Stage, json_lines};
use mineflow_arena::to_csv;
use mineflow_arena::{Ending, Sprt};
use mineflow_gdl::player::{MoveBudget, PlayerRecipe};
use mineflow_store::{Folder, Purpose, object};
use rows::Counted;

/// The files that are made from the matches.
const TABLES: &[&str] = &["table3.csv", "table4.csv", "figure6.csv"];

/// Play the series of the paper's tables 3 and 4 and of its figure 6, and write them as CSV
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "ggp table --experiments table3 --games tic-tac-toe=10ms --matches 20 --out table",
            "ggp table --experiments figure6 --games kaseklau=50ms --out table",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct GgpTable {
    /// Which experiments: table3 (pairs of algorithms), table4 (budgets), figure5 (matches in a row), figure6
    /// (shares of solving)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values_t = Experiment::ALL.to_vec())]
    #[serde(serialize_with = "as_text::list")]
    pub experiments: Vec<Experiment>,
    /// Games in which algorithms play against each other, with a budget a move: CPU time as 10ms, or
    /// playouts as 100it
    #[arg(long, value_name = "GAME=BUDGET", value_delimiter = ',', default_values_t = all(&["tic-tac-toe=50ms", "othello=10ms", "hex=10ms", "kaseklau=50ms", "cant-stop=10ms"]))]
    #[serde(serialize_with = "as_text::list")]
    pub games: Vec<GameBudget>,
    /// Games that all roles win or lose together
    #[arg(long, value_name = "GAME=BUDGET", value_delimiter = ',', default_values_t = all(&["orchard=10ms", "matching-pennies=10ms"]))]
    #[serde(serialize_with = "as_text::list")]
    pub cooperative: Vec<GameBudget>,
    /// Where the rule sheets are, GAME.kif
    #[arg(long, value_name = "DIR", default_value = "pipelines/ggp")]
    pub sheets: PathBuf,
    /// Matches of each series
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = crate::values::games())]
    pub matches: u32,
    /// The budgets of table4, as multiples of a game's own
    #[arg(long, value_name = "FACTORS", value_delimiter = ',', default_values_t = vec![0.25, 1.0, 4.0])]
    #[serde(serialize_with = "as_text::list")]
    pub factors: Vec<f64>,
    /// Figure5's matches in a row, in which players keep what they know
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = crate::values::games())]
    pub in_a_row: u32,
    /// The shares of solving of figure6
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_values_t = vec![0.0, 0.25, 0.5, 0.75, 0.9, 1.0])]
    #[serde(serialize_with = "as_text::list")]
    pub shares: Vec<f64>,
    /// Who plays as MAC-UCB, with options as in `ggp match`
    #[arg(long, value_name = "PLAYER", default_value_t = "mac-ucb".parse().expect("it is a player"))]
    #[serde(serialize_with = "as_text::one")]
    pub mac_ucb: PlayerRecipe,
    /// Who plays as FC-UCB
    #[arg(long, value_name = "PLAYER", default_value_t = "fc-ucb".parse().expect("it is a player"))]
    #[serde(serialize_with = "as_text::one")]
    pub fc_ucb: PlayerRecipe,
    /// Who plays as UCT
    #[arg(long, value_name = "PLAYER", default_value_t = "uct".parse().expect("it is a player"))]
    #[serde(serialize_with = "as_text::one")]
    pub uct: PlayerRecipe,
    /// A match, and a playout, ends without points after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub horizon: usize,
    /// Joint moves that each player's cache of explored leaves may hold
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub cache: usize,
    /// Stop each series of two players as soon as a sequential test (GSPRT, errors of 5 %) says whether the first scores LOW or HIGH points
    /// above 50 %, such as -5:5; --matches is then the most. For games of two roles; as in `ggp match`
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true)]
    #[serde(serialize_with = "as_text::optional")]
    pub sprt: Option<Sprt>,
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
    fn check(&self) -> anyhow::Result<()> {
        check_games(self.matches)?;
        check_games(self.in_a_row)?;
        for (option, player) in [("mac-ucb", &self.mac_ucb), ("fc-ucb", &self.fc_ucb), ("uct", &self.uct)] {
            let name = player.algorithm.name();
            ensure!(name == option, "--{option} {player}: give {option}, with options as in `ggp match`");
            ensure!(player.budget.is_none(), "--{option} {player}: the games give the budgets; leave its own out");
        }
        self.shares.iter().try_for_each(|&share| check_share("shares", share))?;
        ensure!(
            self.sprt.is_none() || !self.experiments.contains(&Experiment::Figure5),
            "--sprt takes matches of which none depends on another, and those of figure5 do; leave one of the two away"
        );
        let wrong = self.factors.iter().find(|&&factor| !(factor > 0.0 && factor <= 1e6));
        ensure!(wrong.is_none(), "--factors: `{}` is not a factor above 0", wrong.unwrap_or(&0.0));
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        self.check_budgets()?;
        if self.sprt.is_some() {
            hold_whole(context, Sprt::SETTING)?;
        }
        let folder = context.open(&Purpose { results: TABLES, ..Purpose::of(self.manifest(context)) })?;
        let kept = format!("every finished match is kept in {}; the same command resumes", folder.path().display());
        context.may_leave(&kept);
        let ended = self.play(folder, context);
        context.must_finish();
        let (ending, matches) = ended?;
        if ending == Ending::Stopped {
            return Ok(Outcome::Interrupted(kept));
        }
        if !context.part.is_whole() {
            return Ok(PartDone::outcome(context, matches));
        }
        let file = |experiment: &Experiment| context.folder().map(|out| out.join(file_of(*experiment)));
        Ok(Outcome::Done(Box::new(Files(self.experiments.iter().map(file).collect::<Result<_, _>>()?))))
    }
}

impl GgpTable {
    fn check_budgets(&self) -> anyhow::Result<()> {
        let all = self.games.iter().chain(&self.cooperative);
        let in_playouts = all.clone().find(|game| matches!(game.budget.0, MoveBudget::Playouts(_)));
        if let Some(GameBudget { name, budget }) = in_playouts
            && self.experiments.contains(&Experiment::Figure6)
        {
            anyhow::bail!(
                "figure6 shares out CPU time, and {name} has a budget of playouts, {budget}; give it a time such as 20ms, or \
                 leave figure6 away"
            );
        }
        Ok(())
    }

    /// Everything that the tables depend on but the list of games and experiments, which may change.
    fn manifest(&self, context: &Context<'_>) -> Map<String, Value> {
        let mut settings = object(json!({
            "command": "ggp table",
            "matches": self.matches,
            "in_a_row": self.in_a_row,
            "horizon": self.horizon,
            "most_explored": self.cache,
            "seed": context.seed,
        }));
        settings.extend(self.sprt.map(Sprt::noted));
        context.part.noted_in(settings)
    }

    /// Plays what is missing, and writes the tables of the series that are finished after each. How many matches there are.
    fn play(&self, mut folder: Folder, context: &Context<'_>) -> anyhow::Result<(Ending, u64)> {
        let all = self.series();
        let matches: Vec<Matches> = all.iter().map(|series| self.matches_of(series, context)).collect();
        let mut finished = HashMap::new();
        let planned = planned(&matches);
        let ending = play_all(
            &matches,
            context.stop,
            &mut |at, played| context.count("matches", played, planned, &format!(", {}", all[at].name())),
            &mut |at, played| {
                finished.insert(all[at].name(), Counted::of(&all[at], &matches[at], played));
                self.write(&folder, &finished)
            },
        )?;
        if ending == Ending::Finished {
            folder.finish(&json!({ "matches": planned }), context.stop)?;
        }
        Ok((ending, planned))
    }

    fn write(&self, folder: &Folder, finished: &HashMap<String, Counted>) -> anyhow::Result<()> {
        for &experiment in &self.experiments {
            let series = self.series_of(experiment);
            let counted = series.iter().filter_map(|series| finished.get(&series.name()));
            let text = match experiment {
                Experiment::Figure5 => to_csv(&counted.flat_map(|counted| &counted.learning).collect::<Vec<_>>())?,
                _ => to_csv(&counted.map(|counted| &counted.row).collect::<Vec<_>>())?,
            };
            folder.write(&file_of(experiment), &text)?;
        }
        let series = self.series();
        let counted = series.iter().filter_map(|series| finished.get(&series.name()));
        let costs: Vec<&TableCost> = counted.map(|counted| &counted.cost).collect();
        Ok(folder.write("cost.csv", &to_csv(&costs)?)?)
    }
}

fn file_of(experiment: Experiment) -> String {
    format!("{experiment}.csv")
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
