//! Series of games: players on boards, with the same number of games each unless a sequential test
//! ends them early. `eval` and `compare` share this module; `fit-alpha` uses its `arena` and
//! `play`.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    Context, FirstClickArgs, ModelArgs, Outcome, as_text, kept_games, program,
    resume::{end, note_resumed, recorded, revision_of_players},
    values::{self, TimeLimit, unique},
};
use mineflow_arena::{
    Arena, Configuration, Plan, Sprt,
    numbers::{counted, grouped, list, percent},
};
use mineflow_minesweeper::{
    Board,
    player::{Limits, PlayerSpec, ValueModel},
};
use mineflow_model::LEFT_OUT;
use mineflow_rng::Seed;
use mineflow_store::{Purpose, object};

/// The method by which players count the solutions of a position.
#[derive(Clone, Copy, PartialEq, Default, ValueEnum, Serialize)]
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
#[derive(Default, clap::Args, Serialize)]
pub struct SeriesSettings {
    #[command(flatten)]
    #[serde(flatten)]
    pub models: ModelArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub first_clicks: FirstClickArgs,
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
    /// Read the value model of --luck-corrected, which reads value-v1 and predicts `won` [default:
    /// the board's model in the models folder]
    #[arg(long, value_name = "FILE", requires = "luck_corrected")]
    pub value_model: Option<PathBuf>,
    /// Save the first N games of each player and board in games.jsonl of --out, for `pipeline
    /// replay`; they are played a second time
    #[arg(long, value_name = "N", requires = "out")]
    pub keep_games: Option<u32>,
}

impl SeriesSettings {
    /// Checks settings that contradict each other.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            self.keep_games.is_none() || self.time_limit.is_none(),
            "--keep-games plays games again, and a limit of time does not repeat; use --node-limit"
        );
        Ok(())
    }

    /// Plays the games to be saved again, if there are any, and adds the file of their lines to
    /// `files`. Returns whether all were played, and not interrupted.
    pub(super) fn keep(
        &self,
        arena: &Arena,
        files: &mut Vec<(&'static str, Vec<u8>)>,
        context: &Context<'_>,
    ) -> Result<bool> {
        let Some(games) = self.keep_games else {
            return Ok(true);
        };
        let lines = kept_games::lines(arena, games, context)?;
        let is_whole = lines.is_some();
        files.extend(lines.map(|lines| (kept_games::FILE, lines)));
        Ok(is_whole)
    }

    /// Returns the registry names of the value models by which luck on these boards is measured:
    /// the model of each board and first-click rule, and the general model.
    pub(super) fn value_models(&self, boards: &[Board]) -> Vec<String> {
        if !self.luck_corrected || self.value_model.is_some() {
            return Vec::new();
        }
        let mut names = vec![ValueModel::GENERAL.to_owned()];
        for &board in boards {
            names.extend(
                self.first_clicks
                    .rules()
                    .into_iter()
                    .map(|rule| ValueModel::name(board, rule)),
            );
        }
        names
    }

    /// Plans the games in which each player plays `games` games on each board under each first-click
    /// rule.
    ///
    /// # Errors
    /// Returns an error if a value model can't be loaded, or two players are the same.
    pub(super) fn plan(
        &self,
        mut players: Vec<PlayerSpec>,
        boards: &[Board],
        games: u32,
        context: &Context<'_>,
    ) -> Result<Plan> {
        if self.engine == Engine::Paper {
            let with_engines = players.into_iter().map(PlayerSpec::with_paper_engines);
            players = with_engines.collect();
        }
        values::check_different(&players)?;
        program::attend(&players, context);
        let value_model = self.value_model.as_deref();
        let value_model = value_model.map(ValueModel::load).transpose()?;
        let is_registered = self.luck_corrected && value_model.is_none();
        let registry = is_registered
            .then(|| context.models.registry())
            .transpose()?;
        let luck_on = |board, rule| match &registry {
            Some(registry) => ValueModel::registered(registry, board, rule)
                .map(Some)
                .with_context(|| format!("luck on {board}, first click {rule}, can't be measured")),
            None => Ok(value_model.clone()),
        };
        let mut configurations = Vec::new();
        for player in players {
            for &board in boards {
                for first_click in self.first_clicks.rules() {
                    configurations.push(Configuration {
                        player: player.clone(),
                        board,
                        first_click,
                        value_model: luck_on(board, first_click)?,
                    });
                }
            }
        }
        Ok(Plan {
            configurations,
            games,
            part: context.part,
            seed: Seed::new(context.seed),
            limits: Limits {
                nodes: self.node_limit,
                time: self.time_limit.map(|limit| limit.0),
            },
            sprt: None,
            threads: context.threads,
        })
    }

    /// Plays the games of a plan that the output folder lacks. `files` are the journal and the
    /// results, and `own` is a setting on which only the tables of the command depend. Returns the
    /// arena of the finished series, or the outcome if it was interrupted.
    pub(super) fn play(
        &self,
        command: &str,
        files: &'static [&'static str],
        plan: Plan,
        own: Option<(String, Value)>,
        context: &Context<'_>,
    ) -> Result<Result<Arena, Outcome>> {
        note_plan(&plan, context);
        let mut settings = self.recorded(command, &plan, context.seed);
        settings.extend(own);
        play(arena(plan, settings, files, context)?, context)
    }

    /// Returns all settings that results depend on, except for the number of games.
    pub(super) fn recorded(&self, command: &str, plan: &Plan, seed: u64) -> Map<String, Value> {
        let players = players(plan);
        let kinds = &plan.configurations[..plan.configurations.len() / players.len()];
        let boards = unique(kinds.iter().map(|kind| kind.board).collect());
        let mut settings = object(json!({
            "command": command,
            "players": Value::from_iter(players.iter().copied().map(recorded)),
            "boards": Value::from_iter(boards.iter().map(ToString::to_string)),
            "first_click": Value::from_iter(self.first_clicks.rules().iter().map(ToString::to_string)),
            "seed": seed,
            "engine": self.engine,
            "node_limit": plan.limits.nodes,
            "time_limit_seconds": plan.limits.time.map(|limit| limit.as_secs_f64()),
        }));
        if self.luck_corrected {
            let sha256 = |kind: &Configuration| Some(kind.value_model.as_ref()?.sha256.to_string());
            settings.insert(
                "value_models".to_owned(),
                kinds.iter().map(sha256).collect(),
            );
        }
        settings.extend(plan.sprt.map(Sprt::noted));
        settings.extend(revision_of_players(players));
        settings
    }
}

/// Returns the players of a plan, each once.
fn players(plan: &Plan) -> Vec<&PlayerSpec> {
    let mut players: Vec<_> = plan.configurations.iter().map(|at| &at.player).collect();
    players.dedup_by(|a, b| a.recipe == b.recipe);
    players
}

/// Notes what will be played, and what may take long.
fn note_plan(plan: &Plan, context: &Context<'_>) {
    let players = players(plan);
    if let Some(warning) = warning(plan, &players) {
        context.note(&warning);
    }
    for player in &players {
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
    let kinds = match plan.configurations.len() / players.len() {
        1 => "one kind of board".to_owned(),
        kinds => format!("each of {kinds} kinds of board"),
    };
    let games = counted(plan.games.into(), "game");
    let threads = counted(context.threads as u64, "thread");
    let seed = context.seed;
    let most = if plan.sprt.is_some() { "at most " } else { "" };
    context.observer.detail(&format!(
        "note: {most}{games} of each player on {kinds}, {threads}, seed {seed}"
    ));
}

/// Boards with at least this many cells are large for a player that enumerates all solutions.
const LARGE: usize = 150;

/// Returns a warning if games of some players may take too long.
fn warning(plan: &Plan, players: &[&PlayerSpec]) -> Option<String> {
    let is_limited = plan.limits.nodes.is_some() || plan.limits.time.is_some();
    let boards = plan.configurations.iter().map(|at| at.board);
    let board = boards
        .filter(|board| board.cells() >= LARGE)
        .max_by_key(|board| board.cells())?;
    let slow = players.iter().filter(|player| player.walks_without_limit());
    let names: Vec<_> = slow.map(|player| player.name.as_str()).collect();
    (!is_limited && !names.is_empty()).then(|| {
        format!(
            "warning: {} walk{} every solution of a position, which on {board} can take hours a game; --node-limit or --time-limit ends such games",
            list(&names),
            if names.len() == 1 { "s" } else { "" }
        )
    })
}

/// If the whole table takes longer than this, each row is printed when its games are finished.
const ROWS_SHOWN_AFTER: Duration = Duration::from_secs(10);

/// Plays the games that an arena lacks, with notes and progress. Returns the finished arena, or the
/// outcome if the arena was interrupted or has only a shard of the run.
pub fn play(mut arena: Arena, context: &Context<'_>) -> Result<Result<Arena, Outcome>> {
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
    program::attend(players(arena.plan()), context);
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
) -> Result<Arena> {
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
