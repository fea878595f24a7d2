//! A rule sheet with the resources that its players share.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

use crate::{
    ggp_fault::in_sheet,
    ggp_game::{Compiled, Game},
};
use mineflow_arena::numbers::grouped;
use mineflow_gdl::{
    ExactValues,
    network::{GameNetwork, Rules},
    player::PlayerRecipe,
};
use mineflow_search::scsp::NetworkSolver;

/// The maximum number of states of a game for which exact values are computed.
const MOST_STATES: usize = 2_000_000;

/// A sheet with the resources of its players, built on first use.
pub(super) struct Venue {
    sheet: PathBuf,
    game: OnceCell<Game>,
    stage: OnceCell<Stage>,
    exact: OnceCell<ExactValues>,
}

/// The constraint network of a game's stage, with the solver of its preprocessed copy.
pub(super) struct Stage {
    pub network: GameNetwork,
    pub solver: NetworkSolver,
}

impl Venue {
    pub fn new(sheet: &Path) -> Self {
        Self {
            sheet: sheet.to_owned(),
            game: OnceCell::new(),
            stage: OnceCell::new(),
            exact: OnceCell::new(),
        }
    }

    pub fn game(&self) -> Result<&Game> {
        if let Some(game) = self.game.get() {
            return Ok(game);
        }
        let game = Game::load(&self.sheet)?;
        Ok(self.game.get_or_init(|| game))
    }

    /// Returns the number of roles other than chance.
    fn roles(&self) -> Result<usize> {
        let engines = self.game()?.engines()?;
        Ok(engines.roles() - usize::from(engines.chance().is_some()))
    }

    /// Checks that the game has two roles, so that consecutive matches are mirrored for a
    /// sequential test.
    pub fn ensure_two_roles(&self) -> Result<()> {
        let roles = self.roles()?;
        let game = self.sheet.display();
        ensure!(
            roles == 2,
            "--sprt takes games of two roles, and {game} has {roles}; leave it out"
        );
        Ok(())
    }

    /// Checks that the game has chance, whose luck can be measured.
    pub fn ensure_chance(&self) -> Result<()> {
        ensure!(
            self.game()?.engines()?.chance().is_some(),
            "{} has no chance and thus no luck to subtract; leave --luck-corrected out",
            self.sheet.display()
        );
        Ok(())
    }

    /// Returns the exact values of all states.
    ///
    /// # Errors
    /// Returns an error if the game has too many states.
    pub fn exact(&self) -> Result<&ExactValues> {
        if let Some(exact) = self.exact.get() {
            return Ok(exact);
        }
        let engines = self.game()?.engines()?;
        let exact = ExactValues::new(&mut *engines.engine(), engines.chance(), MOST_STATES);
        let exact = exact.with_context(|| {
            format!(
                "{} has more than {} states, too many for exact values; leave --luck-corrected out",
                self.sheet.display(),
                grouped(MOST_STATES as u64)
            )
        })?;
        Ok(self.exact.get_or_init(|| exact))
    }

    /// Returns the resources of players that use the constraint network, or `None` if no player
    /// uses it.
    pub fn stage(&self, players: &[PlayerRecipe]) -> Result<Option<&Stage>> {
        let Some(player) = players
            .iter()
            .find(|player| player.algorithm.asks_network())
        else {
            return Ok(None);
        };
        let without = |what: &str, name: &str| {
            format!(
                "{name} needs the game's {what}, and there is none; uct and random play without"
            )
        };
        let circuit = || without("rules as a circuit", player.algorithm.name());
        let Compiled { grounding, .. } = self.game()?.compiled().with_context(circuit)?;
        if let Some(stage) = self.stage.get() {
            return Ok(Some(stage));
        }
        let network = GameNetwork::new(grounding, Rules::Stage)
            .map_err(in_sheet(&self.sheet))
            .with_context(|| without("constraint network", player.algorithm.name()))?;
        let mut preprocessed = network.network().clone();
        preprocessed.preprocess();
        let solver = NetworkSolver::new(preprocessed);
        Ok(Some(self.stage.get_or_init(|| Stage { network, solver })))
    }
}
