//! What all answers share: the players, the value models, and worker_states to compute at.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use axum::http::StatusCode;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::game_file::GameFile;
use crate::guard::{ServerName, names_of};
use crate::replies::Refusal;
use crate::{ServeArgs, ServeContext};
use mineflow_minesweeper::play::Judge;
use mineflow_minesweeper::player::{Player, PlayerSpec, ValueModel, versions};
use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::{Board, FirstClick, Grid};
use mineflow_model::Registry;
use mineflow_tasks::values::ModelFor;

/// The most questions that wait for a worker; more are refused.
const WAITING: usize = 64;
/// The most pages that follow a training at once.
const LISTENERS: usize = 64;
/// Processor time of one answer.
const TIME: Duration = Duration::from_secs(10);

pub(crate) type Shared = Arc<App>;

/// A player that can be asked.
#[derive(Clone, Serialize)]
pub(crate) struct ListedPlayer {
    pub(crate) name: String,
    recipe: String,
    summary: String,
    source: String,
}

/// What all answers share.
pub(crate) struct App {
    /// The names under which browsers reach the server.
    pub(crate) names: Arc<[ServerName]>,
    pub(crate) players: Vec<ListedPlayer>,
    /// Folders with runs.
    pub(crate) runs: Vec<PathBuf>,
    pub(crate) replays: Vec<GameFile>,
    pub(crate) models: Option<PathBuf>,
    given: Vec<ModelFor>,
    node_limit: u64,
    worker_states: Mutex<Vec<WorkerState>>,
    /// A place for each worker.
    places: Semaphore,
    /// A place for each question that is computed or waits.
    waiting: Semaphore,
    listeners: Arc<Semaphore>,
}

/// Computes one question at a time, and keeps its memory for the next.
#[derive(Default)]
pub(crate) struct WorkerState {
    pub(crate) solver: Solver,
    /// By board and first-click rule, the latest last.
    judges: Vec<((Board, FirstClick), Judge)>,
    players: HashMap<String, (PlayerSpec, Box<dyn Player>)>,
    grid: Option<Arc<Grid>>,
}

impl App {
    pub(crate) fn new(
        args: &ServeArgs,
        context: &ServeContext,
        address: SocketAddr,
    ) -> anyhow::Result<Self> {
        let known = |name: &str, recipe: &str, summary: &str, source: &str| ListedPlayer {
            name: name.to_owned(),
            recipe: recipe.to_owned(),
            summary: summary.to_owned(),
            source: source.to_owned(),
        };
        let mut players: Vec<ListedPlayer> = versions()
            .iter()
            .map(|v| known(v.name, v.recipe, v.summary, v.source))
            .collect();
        for recipe in &args.player {
            let spec = args.models.player(recipe)?;
            players.push(known(&spec.name, recipe, "given at the start", ""));
        }
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        args.models.check(&names)?;
        let threads = context.threads;
        Ok(Self {
            names: names_of(address, &args.name)?.into(),
            players,
            runs: roots(&args.runs)?,
            replays: args
                .replays
                .iter()
                .map(|path| GameFile::open(path))
                .collect::<anyhow::Result<_>>()?,
            models: context.models.clone(),
            given: args.models.given().to_vec(),
            node_limit: args.node_limit,
            worker_states: Mutex::new(Vec::new()),
            places: Semaphore::new(threads),
            waiting: Semaphore::new(threads + WAITING),
            listeners: Arc::new(Semaphore::new(LISTENERS)),
        })
    }

    /// A place for a page that follows a training.
    pub(crate) fn listen(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let full = |_| {
            Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many pages listen to trainings; close one",
            )
        };
        self.listeners.clone().try_acquire_owned().map_err(full)
    }

    /// The budget of one answer.
    pub(crate) fn budget(&self) -> Budget {
        Budget::new(Some(self.node_limit), Some(TIME))
    }

    /// Computes at a worker, on a thread apart from those that serve connections.
    pub(crate) async fn think<T: Send + 'static>(
        self: Shared,
        work: impl FnOnce(&App, &mut WorkerState) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = || {
            Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "too many questions at once; ask again in a moment",
            )
        };
        let broken = |_| {
            Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal error: the question has no answer",
            )
        };
        let app = self.clone();
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let _place = self.places.acquire().await.map_err(|_| busy())?;
        // A worker whose work panics is not used again.
        let thought = tokio::task::spawn_blocking(move || {
            let mut worker = app.lock_worker_states().pop().unwrap_or_default();
            let answer = work(&app, &mut worker);
            app.lock_worker_states().push(worker);
            answer
        });
        thought.await.map_err(broken)?
    }

    fn lock_worker_states(&self) -> std::sync::MutexGuard<'_, Vec<WorkerState>> {
        self.worker_states
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The player of that name.
    pub(crate) fn spec(&self, name: &str) -> Result<PlayerSpec, Refusal> {
        if !self.players.iter().any(|player| player.name == name) {
            return Err(Refusal::bad(format!(
                "there is no player `{name}` here; `pipeline serve --player RECIPE` adds one"
            )));
        }
        mineflow_tasks::values::player(name, &self.given)
            .map_err(|error| Refusal::unanswerable(format!("{error:#}")))
    }
}

/// The folders that were named at the start; each must exist.
fn roots(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let root = |folder: &PathBuf| {
        let path = folder
            .canonicalize()
            .with_context(|| format!("can't read the folder {}", folder.display()))?;
        ensure!(path.is_dir(), "{} is not a folder", folder.display());
        Ok(path)
    };
    folders.iter().map(root).collect()
}

/// The most judges that a worker keeps.
const JUDGES: usize = 4;

impl WorkerState {
    /// The neighbourhoods of a board, kept for the next board, which mostly has the same size.
    pub(crate) fn grid(&mut self, board: Board) -> Arc<Grid> {
        let same = |grid: &&Arc<Grid>| {
            (grid.board().width(), grid.board().height()) == (board.width(), board.height())
        };
        let grid = self
            .grid
            .as_ref()
            .filter(same)
            .cloned()
            .unwrap_or_else(|| Arc::new(Grid::new(board)));
        self.grid = Some(grid.clone());
        grid
    }

    /// The judge of positions on this board.
    pub(crate) fn judge(&mut self, app: &App, board: Board, rule: FirstClick) -> &mut Judge {
        match self.judges.iter().position(|(at, _)| *at == (board, rule)) {
            Some(found) => {
                let judge = self.judges.remove(found);
                self.judges.push(judge);
            }
            None => {
                let registry = Registry::open(app.models.as_deref()).ok();
                let model = registry
                    .and_then(|registry| ValueModel::registered(&registry, board, rule).ok());
                self.judges.push(((board, rule), Judge::new(model)));
            }
        }
        if self.judges.len() > JUDGES {
            self.judges.remove(0);
        }
        &mut self.judges.last_mut().expect("one was just put there").1
    }

    /// The player of that name, with its recipe.
    pub(crate) fn player(
        &mut self,
        app: &App,
        name: &str,
    ) -> Result<&mut (PlayerSpec, Box<dyn Player>), Refusal> {
        if !self.players.contains_key(name) {
            let spec = app.spec(name)?;
            let player = spec.build();
            self.players.insert(name.to_owned(), (spec, player));
        }
        Ok(self.players.get_mut(name).expect("it was just put there"))
    }
}
