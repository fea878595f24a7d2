//! The state that a worker keeps between requests.

use std::{collections::HashMap, sync::Arc};

use crate::{Refusal, Setup};
use mineflow_minesweeper::{
    Board, FirstClick, Grid,
    play::Judge,
    player::{Player, PlayerSpec, ValueModel},
    solver::Solver,
};
use mineflow_model::Registry;

/// The state of a worker, which answers one request at a time and reuses memory for the next.
#[derive(Default)]
pub struct WorkerState {
    pub solver: Solver,
    /// Judges by board and first-click rule, the most recently used last.
    judges: Vec<((Board, FirstClick), Judge)>,
    players: HashMap<String, (PlayerSpec, Box<dyn Player>)>,
    grid: Option<Arc<Grid>>,
}

/// The maximum number of judges that a worker keeps.
const JUDGES: usize = 4;

impl WorkerState {
    /// Returns the grid of a board. The grid is cached, because the next board usually has the same
    /// size.
    pub(crate) fn grid(&mut self, board: Board) -> Arc<Grid> {
        let grid = self
            .grid
            .as_ref()
            .filter(|grid| {
                (grid.board().width(), grid.board().height()) == (board.width(), board.height())
            })
            .cloned()
            .unwrap_or_else(|| Arc::new(Grid::new(board)));
        self.grid = Some(grid.clone());
        grid
    }

    /// Returns the judge of positions on this board. If the board was chosen because it needs no
    /// guess, win probabilities are unknown.
    ///
    /// # Errors
    /// Returns an error if the value model of the board can't be loaded.
    pub(crate) fn judge(
        &mut self,
        setup: &Setup,
        board: Board,
        rule: FirstClick,
        no_guess: bool,
    ) -> Result<&mut Judge, Refusal> {
        match self.judges.iter().position(|(at, _)| *at == (board, rule)) {
            Some(found) => {
                let judge = self.judges.remove(found);
                self.judges.push(judge);
            }
            None => {
                let model = Registry::open(setup.models.as_deref())
                    .and_then(|registry| ValueModel::registered(&registry, board, rule))
                    .map_err(Refusal::unanswerable)?;
                let best = (setup.make)(Judge::BEST).map_err(Refusal::unanswerable)?;
                self.judges
                    .push(((board, rule), Judge::new(Some(model), &best)));
            }
        }
        if self.judges.len() > JUDGES {
            self.judges.remove(0);
        }
        let (_, judge) = self.judges.last_mut().expect("one was just put there");
        judge.knows_chances = !no_guess;
        Ok(judge)
    }

    /// Returns the player of that name, with its recipe.
    pub(crate) fn player(
        &mut self,
        setup: &Setup,
        name: &str,
    ) -> Result<&mut (PlayerSpec, Box<dyn Player>), Refusal> {
        if !self.players.contains_key(name) {
            let spec = setup.spec(name)?;
            let player = spec.build();
            self.players.insert(name.to_owned(), (spec, player));
        }
        Ok(self.players.get_mut(name).expect("it was just put there"))
    }
}
