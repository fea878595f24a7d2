//! State shared by all requests: the setup of answers, and the workers.

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    ServeArgs, ServeContext,
    game_file::GameFile,
    guard::{ServerName, names_of},
};
use mineflow_answers::{ListedPlayer, Refusal, Setup, WorkerState};
use mineflow_minesweeper::player::ValueModel;
use mineflow_model::Models;
use mineflow_store::lock;
use mineflow_tasks::values::ModelFor;

/// The maximum number of requests waiting for a worker; further ones are refused.
const WAITING: usize = 64;
/// The maximum number of pages that follow a training run at the same time.
const LISTENERS: usize = 64;
/// CPU time limit of one answer.
const TIME: Duration = Duration::from_secs(10);

pub(crate) type Shared = Arc<App>;

/// State shared by all requests.
pub(crate) struct App {
    /// The host names of the server, as browsers use them.
    pub names: Arc<[ServerName]>,
    /// Folders with runs.
    pub runs: Vec<PathBuf>,
    pub replays: Vec<GameFile>,
    pub setup: Setup,
    worker_states: Mutex<Vec<WorkerState>>,
    /// One permit per worker.
    places: Semaphore,
    /// One permit per request that is computed or waits.
    waiting: Semaphore,
    listeners: Arc<Semaphore>,
}

impl App {
    pub fn new(args: &ServeArgs, context: &ServeContext, address: SocketAddr) -> Result<Self> {
        let mut players = ListedPlayer::versions();
        let mut names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        names.extend(args.player.iter().cloned());
        args.models.check(&names)?;
        let models = Models::new(context.models.clone());
        let mut added = Vec::new();
        for recipe in &args.player {
            let spec = args.models.player(recipe, &models)?;
            players.push(ListedPlayer {
                name: spec.name.clone(),
                recipe: recipe.clone(),
                summary: "given at the start".to_owned(),
                source: String::new(),
            });
            added.push(spec);
        }
        let threads = context.threads;
        let given = args.models.clone();
        check_models(args, &models)?;
        Ok(Self {
            names: names_of(address, &args.name)?.into(),
            runs: roots(&args.runs)?,
            replays: args
                .replays
                .iter()
                .map(|path| GameFile::open(path))
                .collect::<Result<_>>()?,
            setup: Setup {
                players,
                // The name of an added player has the file name of its model, without the folder.
                make: Box::new(
                    move |name| match added.iter().find(|spec| spec.name == name) {
                        Some(spec) => Ok(spec.clone()),
                        None => given
                            .player(name, &models)
                            .map_err(|error| format!("{error:#}")),
                    },
                ),
                models: context.models.clone(),
                node_limit: args.node_limit,
                time_limit: TIME,
            },
            worker_states: Mutex::new(Vec::new()),
            places: Semaphore::new(threads),
            waiting: Semaphore::new(threads + WAITING),
            listeners: Arc::new(Semaphore::new(LISTENERS)),
        })
    }

    /// Acquires a permit for a page that follows a training run.
    pub fn listen(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        self.listeners
            .clone()
            .try_acquire_owned()
            .map_err(|_| unavailable("too many pages follow training runs; close one"))
    }

    /// Runs a computation on a worker, in a thread separate from those that serve connections.
    pub async fn think<T: Send + 'static>(
        self: Shared,
        work: impl FnOnce(&App, &mut WorkerState) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = || unavailable("too many questions at once; ask again in a moment");
        let app = self.clone();
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let _place = self.places.acquire().await.map_err(|_| busy())?;
        // A worker whose computation panics is discarded.
        tokio::task::spawn_blocking(move || {
            let mut worker = lock(&app.worker_states).pop().unwrap_or_default();
            let answer = work(&app, &mut worker);
            lock(&app.worker_states).push(worker);
            answer
        })
        .await
        .unwrap_or_else(|_| {
            Err(Refusal::new(
                500,
                "internal error: the question has no answer",
            ))
        })
    }
}

fn unavailable(message: &str) -> Refusal {
    Refusal::new(503, message)
}

/// Refuses a folder without models, and value models and overrides that can't be loaded, before the
/// page is served.
fn check_models(args: &ServeArgs, models: &Models) -> Result<()> {
    let registry = models.registry()?;
    for row in registry.rows() {
        if ValueModel::is_name(&row.player) {
            registry.load(&row.player, &ValueModel::expected())?;
        }
    }
    for ModelFor { player, .. } in &args.models.model {
        args.models.player(player, models)?;
    }
    Ok(())
}

/// Canonicalises the folders in the arguments; each must exist.
fn roots(folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    folders
        .iter()
        .map(|folder| {
            let path = folder
                .canonicalize()
                .with_context(|| format!("can't read the folder {}", folder.display()))?;
            ensure!(path.is_dir(), "{} is not a folder", folder.display());
            Ok(path)
        })
        .collect()
}
