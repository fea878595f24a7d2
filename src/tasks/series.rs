//! Series of games: players on boards, with the same number of games each unless a sequential test
//! ends them early. `eval` and `compare` share this module; `fit-alpha` uses its `arena` and
//! `play`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::as_text;
use crate::resume::{end, note_resumed, revision_of_players};
use crate::values::{self, ModelFor, TimeLimit, unique};
use crate::{Context, Outcome};
use mineflow_arena::numbers::{counted, grouped, list, percent};
use mineflow_arena::{Arena, Configuration, Plan, Sprt};
use mineflow_minesweeper::player::{Limits, PlayerSpec, ValueModel};
use mineflow_minesweeper::{Board, FirstClick};
use mineflow_model::{LEFT_OUT, Models, Registry};
use mineflow_rng::Seed;
use mineflow_store::{Purpose, object};

/// The method by which players count the solutions of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Counting component by component, which gives the same probabilities as `Paper` and is
    /// exponentially faster.
    #[default]
    Components,
    /// Counting over the whole system at once, as in Sinha et al.
    Paper,
}

/// Settings of every series of games besides players, boards and number of games.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeriesSettings {
    /// Override the model of a player, such as 5.0=trees.json; separate several by commas
    #[arg(long, value_name = "PLAYER=FILE", value_delimiter = ',')]
    #[serde(serialize_with = "as_text::list")]
    pub model: Vec<ModelFor>,
    /// Choose the first-click rules: safe, opening or any; separate several by commas
    #[arg(
        long,
        value_name = "RULES",
        value_delimiter = ',',
        default_value = "safe"
    )]
    #[serde(serialize_with = "as_text::list")]
    pub first_click: Vec<FirstClick>,
    /// Limit the CPU time of a game, such as 500ms, 5s or 2m. A timeout is a loss; results then
    /// depend on the machine
    #[arg(long, value_name = "TIME")]
    #[serde(serialize_with = "as_text::optional")]
    pub time_limit: Option<TimeLimit>,
    /// Limit the search nodes of a game; a game beyond the limit is a loss. Unlike --time-limit,
    /// this is reproducible
    #[arg(long, value_name = "N")]
    pub node_limit: Option<u64>,
    /// Choose how players of Sinha et al. count solutions: components (each counted separately:
    /// same probabilities, exponentially faster) or paper (the whole system at once)
    #[arg(
        long,
        value_name = "HOW",
        value_enum,
        hide_possible_values = true,
        default_value_t
    )]
    pub engine: Engine,
    /// Also estimate win rates with variance reduction (AIVAT control variate): unbiased, from
    /// fewer games
    #[arg(long)]
    pub luck_corrected: bool,
    /// Read the value model of --luck-corrected, trees of feature set value-v1 [default: the
    /// board's model in the models folder]
    #[arg(long, value_name = "FILE", requires = "luck_corrected")]
    pub value_model: Option<PathBuf>,
}

impl SeriesSettings {
    /// Returns the registry names of the value models by which luck on these boards is measured:
    /// the model of each board and first-click rule, and the general model.
    pub(super) fn value_models(&self, boards: &[Board]) -> Vec<String> {
        if !self.luck_corrected || self.value_model.is_some() {
            return Vec::new();
        }
        let mut names = vec![ValueModel::GENERAL.to_owned()];
        for &board in boards {
            names.extend(
                self.first_click
                    .iter()
                    .map(|&rule| ValueModel::name(board, rule)),
            );
        }
        names
    }

    /// Creates the series in which each player plays `games` games on each board.
    pub(super) fn of(
        &self,
        players: &[String],
        boards: Vec<Board>,
        games: u32,
        models: &Models,
    ) -> anyhow::Result<GameSeries> {
        Ok(GameSeries {
            players: values::players(players, &self.model, models)?,
            boards,
            first_clicks: unique(self.first_click.clone()),
            games,
            limits: Limits {
                nodes: self.node_limit,
                time: self.time_limit.map(|limit| limit.0),
            },
            engine: self.engine,
            sprt: None,
            luck: self
                .luck_corrected
                .then(|| LuckModels::of(self.value_model.as_deref(), models))
                .transpose()?,
        })
    }
}

/// Boards with at least this many cells are large for a player that enumerates all solutions.
const LARGE: usize = 150;

/// A series: every player plays the same games of every board under every first-click rule.
#[derive(Clone)]
pub struct GameSeries {
    pub players: Vec<PlayerSpec>,
    pub boards: Vec<Board>,
    pub first_clicks: Vec<FirstClick>,
    /// Number of games of each player, board and first-click rule.
    pub games: u32,
    pub limits: Limits,
    pub engine: Engine,
    /// The sequential test that may end the games of two players early, if there is one.
    pub sprt: Option<Sprt>,
    /// The value models for measuring luck, if it is to be measured.
    pub luck: Option<LuckModels>,
}

/// The value models by which luck is measured: one model for all boards, or the registered model of
/// each board.
#[derive(Clone)]
pub enum LuckModels {
    /// One model for all boards.
    One(ValueModel),
    /// The registered model of each board.
    Registered(Registry),
}

impl LuckModels {
    /// Loads the model in a file, or takes the registry of the published models.
    ///
    /// # Errors
    /// Returns an error if the file is not a value model, or the registry can't be read.
    pub fn of(file: Option<&Path>, models: &Models) -> anyhow::Result<Self> {
        Ok(match file {
            Some(file) => Self::One(ValueModel::load(file)?),
            None => Self::Registered(models.registry()?.clone()),
        })
    }

    fn at(&self, board: Board, rule: FirstClick) -> anyhow::Result<ValueModel> {
        match self {
            Self::One(model) => Ok(model.clone()),
            Self::Registered(registry) => Ok(ValueModel::registered(registry, board, rule)
                .with_context(|| {
                    format!("luck on {board}, first click {rule}, can't be measured")
                })?),
        }
    }
}

impl GameSeries {
    /// Plays the games that the output folder lacks. `files` are the journal and the results, and
    /// `own` is a setting on which only the tables of the command depend. Returns the arena of the
    /// finished series, or the outcome if it was interrupted.
    pub(super) fn play(
        &self,
        command: &str,
        files: &'static [&'static str],
        own: Option<(String, Value)>,
        context: &Context<'_>,
    ) -> anyhow::Result<Result<Arena, Outcome>> {
        values::check_different(&self.resolved_players().collect::<Vec<_>>())?;
        if let Some(warning) = self.warning() {
            context.observer.note(&warning);
        }
        for player in self.resolved_players() {
            context.observer.detail(&format!(
                "note: player {} is {}",
                player.name, player.recipe
            ));
            let model = player.model().map(|model| &model.artifact.model);
            if let Some(left_out) = model.and_then(|model| model.notes().get(LEFT_OUT)) {
                context.note(&format!(
                    "note: the model of player {} leaves out {left_out}",
                    player.name
                ));
            }
        }
        let kinds = match self.boards.len() * self.first_clicks.len() {
            1 => "one kind of board".to_owned(),
            kinds => format!("each of {kinds} kinds of board"),
        };
        let games = counted(self.games.into(), "game");
        let threads = counted(context.threads as u64, "thread");
        let seed = context.seed;
        let most = if self.sprt.is_some() { "at most " } else { "" };
        context.observer.detail(&format!(
            "note: {most}{games} of each player on {kinds}, {threads}, seed {seed}"
        ));
        let plan = self.plan(context)?;
        let mut settings = self.settings(command, context.seed, &plan);
        settings.extend(own);
        play(arena(plan, settings, files, context)?, context)
    }

    /// Returns a warning if games of some players may take too long.
    fn warning(&self) -> Option<String> {
        let is_limited = self.limits.nodes.is_some() || self.limits.time.is_some();
        let board = self
            .boards
            .iter()
            .filter(|board| board.cells() >= LARGE)
            .max_by_key(|board| board.cells())?;
        let players: Vec<_> = self
            .resolved_players()
            .filter(PlayerSpec::walks_without_limit)
            .collect();
        let names: Vec<_> = players.iter().map(|player| player.name.as_str()).collect();
        (!is_limited && !names.is_empty()).then(|| {
            format!(
                "warning: {} walk{} every solution of a position, which on {board} can take hours a game; --node-limit or --time-limit ends such games",
                list(&names),
                if names.len() == 1 { "s" } else { "" }
            )
        })
    }

    fn plan(&self, context: &Context<'_>) -> anyhow::Result<Plan> {
        let mut configurations =
            Vec::with_capacity(self.players.len() * self.boards.len() * self.first_clicks.len());
        for player in self.resolved_players() {
            for &board in &self.boards {
                for &first_click in &self.first_clicks {
                    let value_model = self
                        .luck
                        .as_ref()
                        .map(|models| models.at(board, first_click))
                        .transpose()?;
                    configurations.push(Configuration {
                        player: player.clone(),
                        board,
                        first_click,
                        value_model,
                    });
                }
            }
        }
        Ok(Plan {
            configurations,
            games: self.games,
            part: context.part,
            seed: Seed::new(context.seed),
            limits: self.limits,
            sprt: self.sprt,
            threads: context.threads,
        })
    }

    /// Returns the players with the chosen engine.
    pub fn resolved_players(&self) -> impl Iterator<Item = PlayerSpec> {
        self.players
            .iter()
            .cloned()
            .map(|player| match self.engine {
                Engine::Components => player,
                Engine::Paper => player.with_paper_engines(),
            })
    }

    /// Returns all settings that results depend on, except for the number of games.
    fn settings(&self, command: &str, seed: u64, plan: &Plan) -> Map<String, Value> {
        let player = |player: PlayerSpec| json!({"name": player.name, "recipe": player.recipe.without_folders()});
        let mut settings = object(json!({
            "command": command,
            "players": Value::from_iter(self.resolved_players().map(player)),
            "boards": Value::from_iter(self.boards.iter().map(ToString::to_string)),
            "first_click": Value::from_iter(self.first_clicks.iter().map(ToString::to_string)),
            "seed": seed,
            "engine": self.engine,
            "node_limit": self.limits.nodes,
            "time_limit_seconds": self.limits.time.map(|limit| limit.as_secs_f64()),
        }));
        if self.luck.is_some() {
            let kinds = plan
                .configurations
                .iter()
                .take(self.boards.len() * self.first_clicks.len());
            let models = kinds.map(|at| at.value_model.as_ref().map(|model| &*model.sha256));
            settings.insert("value_models".to_owned(), models.collect());
        }
        settings.extend(self.sprt.map(Sprt::noted));
        settings.extend(revision_of_players(&self.players));
        settings
    }
}

/// If the whole table takes longer than this, each row is printed when its games are finished.
const ROWS_SHOWN_AFTER: Duration = Duration::from_secs(10);

/// Plays the games that an arena lacks, with notes and progress. Returns the finished arena, or the
/// outcome if the arena was interrupted or has only a shard of the run.
pub fn play(mut arena: Arena, context: &Context<'_>) -> anyhow::Result<Result<Arena, Outcome>> {
    note_resumed(context, arena.series());
    let name = |at: &Configuration| format!("{} on {}", at.player.name, at.board);
    let names: Vec<_> = arena.plan().configurations.iter().map(name).collect();
    let who = |latest: Option<usize>| {
        latest
            .filter(|_| names.len() > 1)
            .map_or("", |at| &*names[at])
    };
    let began = Instant::now();
    arena.play(context.stop, &mut |progress| {
        if let Some((at, wins, games)) = progress
            .finished
            .filter(|_| names.len() > 1 && began.elapsed() > ROWS_SHOWN_AFTER)
        {
            let won = percent(wins as f64 / games as f64);
            context.note(&format!(
                "note: {}: {won} % of {} games won",
                names[at],
                grouped(games)
            ));
        }
        context.games(progress, who(progress.latest));
    })?;
    let planned = arena.progress().planned;
    Ok(end(context, arena.series(), planned)?.map_or(Ok(arena), Err))
}

/// Opens the arena of a plan, with the recorded games of the output folder if there is one.
/// `settings` holds everything that results depend on, except for the number of games, which may
/// grow. `files` are the files that only such a folder has: the journal and the results.
pub fn arena(
    plan: Plan,
    mut settings: Map<String, Value>,
    files: &'static [&'static str],
    context: &Context<'_>,
) -> anyhow::Result<Arena> {
    settings.insert(Arena::GAMES.to_owned(), json!(plan.games));
    // The games of a shard of the run change with the total number of games.
    let grows = plan.part.is_whole().then_some(Arena::GAMES);
    let purpose = Purpose {
        settings: plan.part.noted_in(settings),
        grows,
        own: files,
        results: &files[1..],
    };
    Ok(Arena::open(plan, context.open_if_given(&purpose)?)?)
}
