//! What all answers share: the players, the value models, and desks to think at.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use axum::http::StatusCode;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::super::Global;
use super::ServeArgs;
use super::game_file::GameFile;
use super::guard::names_of;
use super::replies::Refusal;
use mineflow_minesweeper::play::Judge;
use mineflow_minesweeper::player::{Player, PlayerSpec, ValueModel, versions};
use mineflow_minesweeper::solver::{Budget, Solver};
use mineflow_minesweeper::{Board, FirstClick, Grid};
use mineflow_model::Registry;
use mineflow_stage::values::ModelFor;

/// Questions that wait for a desk at most; more are turned away.
const WAITING: usize = 64;
/// Pages that listen to trainings at once.
const LISTENERS: usize = 64;
/// Processor time of one answer.
const TIME: Duration = Duration::from_secs(10);

pub(super) type Shared = Arc<App>;

/// A player that can be asked.
#[derive(Clone, Serialize)]
pub(super) struct Known {
    pub(super) name: String,
    recipe: String,
    summary: String,
    source: String,
}

/// What all answers share.
pub(super) struct App {
    /// The hosts under which the server is reached.
    pub(super) names: Arc<[String]>,
    pub(super) players: Vec<Known>,
    /// Folders with runs.
    pub(super) runs: Vec<PathBuf>,
    pub(super) replays: Vec<GameFile>,
    pub(super) models: Option<PathBuf>,
    given: Vec<ModelFor>,
    node_limit: u64,
    desks: Mutex<Vec<Desk>>,
    /// A place for each desk.
    places: Semaphore,
    /// A place for each question that thinks or waits.
    waiting: Semaphore,
    listeners: Arc<Semaphore>,
}

/// Where one question is thought about at a time; keeps its memory.
#[derive(Default)]
pub(super) struct Desk {
    pub(super) solver: Solver,
    /// By board and first-click rule, the latest last.
    judges: Vec<((Board, FirstClick), Judge)>,
    players: HashMap<String, (PlayerSpec, Box<dyn Player>)>,
    grid: Option<Arc<Grid>>,
}

impl App {
    pub(super) fn new(args: &ServeArgs, global: &Global, address: SocketAddr) -> anyhow::Result<Self> {
        let known = |name: &str, recipe: &str, summary: &str, source: &str| Known {
            name: name.to_owned(),
            recipe: recipe.to_owned(),
            summary: summary.to_owned(),
            source: source.to_owned(),
        };
        let mut players: Vec<Known> = versions().iter().map(|v| known(v.name, v.recipe, v.summary, v.source)).collect();
        for recipe in &args.player {
            let spec = args.models.player(recipe)?;
            players.push(known(&spec.name, recipe, "given at the start", ""));
        }
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        args.models.check(&names)?;
        let threads = global.threads();
        Ok(Self {
            names: names_of(address, &args.name).into(),
            players,
            runs: roots(&args.runs)?,
            replays: args.replays.iter().map(|path| GameFile::open(path)).collect::<anyhow::Result<_>>()?,
            models: global.models.clone(),
            given: args.models.given().to_vec(),
            node_limit: args.node_limit,
            desks: Mutex::new(Vec::new()),
            places: Semaphore::new(threads),
            waiting: Semaphore::new(threads + WAITING),
            listeners: Arc::new(Semaphore::new(LISTENERS)),
        })
    }

    /// Nodes that one answer may cost.
    pub(super) const fn node_limit(&self) -> u64 {
        self.node_limit
    }

    /// A place for someone who listens to a training.
    pub(super) fn listen(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let full = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many pages listen to trainings; close one");
        self.listeners.clone().try_acquire_owned().map_err(full)
    }

    /// What one answer may cost.
    pub(super) fn budget(&self) -> Budget {
        Budget::new(Some(self.node_limit), Some(TIME))
    }

    /// Thinks at a desk, beside the threads that answer.
    pub(super) async fn think<T: Send + 'static>(
        self: Shared,
        work: impl FnOnce(&App, &mut Desk) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy =
            || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many questions at once; ask again in a moment");
        let broken = |_| {
            Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the question could not be answered because of a fault of the program",
            )
        };
        let app = self.clone();
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let _place = self.places.acquire().await.map_err(|_| busy())?;
        // A desk whose work breaks off is not used again.
        let thought = tokio::task::spawn_blocking(move || {
            let mut desk = app.lock_desks().pop().unwrap_or_default();
            let answer = work(&app, &mut desk);
            app.lock_desks().push(desk);
            answer
        });
        thought.await.map_err(broken)?
    }

    fn lock_desks(&self) -> std::sync::MutexGuard<'_, Vec<Desk>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The player of that name.
    pub(super) fn spec(&self, name: &str) -> Result<PlayerSpec, Refusal> {
        if !self.players.iter().any(|player| player.name == name) {
            return Err(Refusal::bad(format!(
                "there is no player `{name}` here; `pipeline serve --player RECIPE` adds one"
            )));
        }
        mineflow_stage::values::player(name, &self.given).map_err(|error| Refusal::unanswerable(format!("{error:#}")))
    }
}

/// The folders that were named at the start, each of which must be there.
fn roots(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let root = |folder: &PathBuf| {
        let path = folder.canonicalize().with_context(|| format!("can't read the folder {}", folder.display()))?;
        ensure!(path.is_dir(), "{} is not a folder", folder.display());
        Ok(path)
    };
    folders.iter().map(root).collect()
}

/// Judges that a desk keeps.
const JUDGES: usize = 4;

impl Desk {
    /// The neighbourhoods of a board; the next board is mostly of the same size.
    pub(super) fn grid(&mut self, board: Board) -> Arc<Grid> {
        let same = |grid: &&Arc<Grid>| (grid.board().width(), grid.board().height()) == (board.width(), board.height());
        let grid = self.grid.as_ref().filter(same).cloned().unwrap_or_else(|| Arc::new(Grid::new(board)));
        self.grid = Some(grid.clone());
        grid
    }

    /// Who judges positions of this board.
    pub(super) fn judge(&mut self, app: &App, board: Board, rule: FirstClick) -> &mut Judge {
        match self.judges.iter().position(|(at, _)| *at == (board, rule)) {
            Some(found) => {
                let judge = self.judges.remove(found);
                self.judges.push(judge);
            }
            None => {
                let registry = Registry::open(app.models.as_deref()).ok();
                let model = registry.and_then(|registry| ValueModel::registered(&registry, board, rule).ok());
                self.judges.push(((board, rule), Judge::new(model)));
            }
        }
        if self.judges.len() > JUDGES {
            self.judges.remove(0);
        }
        &mut self.judges.last_mut().expect("one was just put there").1
    }

    /// The player of that name, and what it is.
    pub(super) fn player(&mut self, app: &App, name: &str) -> Result<&mut (PlayerSpec, Box<dyn Player>), Refusal> {
        if !self.players.contains_key(name) {
            let spec = app.spec(name)?;
            let player = spec.build();
            self.players.insert(name.to_owned(), (spec, player));
        }
        Ok(self.players.get_mut(name).expect("it was just put there"))
    }
}
