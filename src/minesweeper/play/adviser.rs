//! What is known about a position: the mine probabilities, and what a player would do.

use crate::player::{GameStart, NoMove, Player, PlayerSpec, Reason};
use crate::solver::{Analysis, Budget, CountError, Weighting};
use crate::{Cell, CellSet, View};

/// Why a safe cell is safe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Proof {
    /// This open number has all its mines elsewhere, as single numbers show.
    Number(Cell),
    /// Several numbers together: no layout that fits has a mine there.
    Layouts,
}

/// The true mine probabilities of a position, all layouts that fit being equally likely.
#[derive(Clone, Debug)]
pub struct Odds {
    /// One a cell, row-major; NaN where open.
    pub(super) mine: Vec<f64>,
    /// Covered cells that single numbers prove to be mines.
    single: CellSet,
}

impl Odds {
    /// Counts the layouts of a position.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub(super) fn count(
        analysis: &mut Analysis,
        view: &View,
        budget: &mut Budget,
    ) -> Result<Self, CountError> {
        analysis.begin(view.grid(), view.mines());
        Self::count_next(analysis, view, budget)
    }

    /// Counts the layouts of a later position of the same game.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub(super) fn count_next(
        analysis: &mut Analysis,
        view: &View,
        budget: &mut Budget,
    ) -> Result<Self, CountError> {
        analysis.update(view)?;
        let mut single = CellSet::new(view.board().cells());
        single.extend(view.covered().filter(|&cell| analysis.is_mine(cell)));
        let counted = analysis.probabilities(Weighting::Posterior, budget)?;
        Ok(Self {
            mine: counted.mine.clone(),
            single,
        })
    }

    /// The probability that a covered `cell` is a mine, 0 and 1 only where it is proved; `None` where open.
    pub fn mine(&self, cell: Cell) -> Option<f64> {
        Some(self.mine[cell.index()]).filter(|p| !p.is_nan())
    }

    /// The least probability of a covered cell.
    pub(super) fn least(&self) -> Option<f64> {
        self.mine
            .iter()
            .copied()
            .filter(|p| !p.is_nan())
            .min_by(f64::total_cmp)
    }

    /// The simplest reason why `cell` is safe; `None` if it may be a mine.
    pub fn proof(&self, view: &View, cell: Cell) -> Option<Proof> {
        let around = |cell: Cell| view.grid().neighbors(cell);
        let has_all = |&witness: &Cell| {
            let mines = around(witness).filter(|&d| self.single.contains(d)).count();
            view.number(witness)
                .is_some_and(|number| usize::from(number) == mines)
        };
        (self.mine(cell)? == 0.0).then(|| {
            around(cell)
                .find(has_all)
                .map_or(Proof::Layouts, Proof::Number)
        })
    }
}

/// What a player would do next.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The cells to open: several only if all are proved safe. At least one.
    pub moves: Vec<Cell>,
    pub reason: Reason,
    /// The mine probability that the player itself gave the cell of a guess, if it weighs all cells.
    pub own: Option<f64>,
}

/// Works out probabilities and asks a player, keeping its memory from position to position.
pub struct Adviser {
    analysis: Analysis,
    spec: PlayerSpec,
    player: Box<dyn Player>,
    /// Nodes that one answer may cost.
    node_limit: u64,
}

impl Adviser {
    /// An adviser that asks the player of `spec`; one answer may cost this many nodes.
    pub fn new(spec: PlayerSpec, node_limit: u64) -> Self {
        Self {
            analysis: Analysis::new(),
            player: spec.build(),
            spec,
            node_limit,
        }
    }

    /// Who is asked.
    pub fn player(&self) -> &PlayerSpec {
        &self.spec
    }

    /// The mine probabilities of a position.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn odds(&mut self, view: &View) -> Result<Odds, CountError> {
        Odds::count(
            &mut self.analysis,
            view,
            &mut Budget::new(Some(self.node_limit), None),
        )
    }

    /// What the player does in the position of `view`, as if it had just sat down: the same position and `game` give
    /// the same advice, however the position came about.
    ///
    /// # Errors
    /// As [`Player::decide`].
    pub fn advise(&mut self, view: &View, game: &GameStart) -> Result<Advice, NoMove> {
        self.player.begin(game);
        let decision = self
            .player
            .decide(view, &mut Budget::new(Some(self.node_limit), None))?;
        let first = *decision.cells.first().ok_or(NoMove::Contradiction)?;
        let own = decision
            .position(view)
            .map(|position| position.mine[first.index()])
            .filter(|p| !p.is_nan());
        Ok(Advice {
            moves: decision.cells.to_vec(),
            reason: decision.reason,
            own,
        })
    }
}
