//! Computes the mine probabilities of a position and the move that a player would make.

use crate::{
    Cell, View,
    player::{Decision, GameStart, NoMove, Player, PlayerSpec, Reason},
    proof::Proofs,
    solver::{Analysis, Budget, CountError, TIE, Weighting},
};

/// The posterior mine probabilities of a position: all consistent layouts are equally likely.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The mine probability of each cell, row-major; NaN for an open cell.
    pub(super) mine: Vec<f64>,
}

impl Odds {
    /// Counts the layouts of a position and returns its mine probabilities.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub(super) fn count(
        analysis: &mut Analysis,
        view: &View,
        budget: &mut Budget,
    ) -> Result<Self, CountError> {
        analysis.begin(view.grid(), view.mines());
        Self::count_next(analysis, view, budget)
    }

    /// Counts the layouts of a later position of the same game and returns its mine probabilities.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub(super) fn count_next(
        analysis: &mut Analysis,
        view: &View,
        budget: &mut Budget,
    ) -> Result<Self, CountError> {
        analysis.update(view)?;
        let counted = analysis.probabilities(Weighting::Posterior, budget)?;
        Ok(Self {
            mine: counted.mine.clone(),
        })
    }

    /// Returns the probability that a covered `cell` is a mine, or `None` for an open cell. The
    /// probability is exactly 0 or 1 only if that is proved.
    pub fn mine(&self, cell: Cell) -> Option<f64> {
        Some(self.mine[cell.index()]).filter(|p| !p.is_nan())
    }

    /// Returns the lowest mine probability of a covered cell, or `None` if every cell is open.
    pub fn least(&self) -> Option<f64> {
        self.mine
            .iter()
            .copied()
            .filter(|p| !p.is_nan())
            .min_by(f64::total_cmp)
    }

    /// Proves the cells that are certainly safe or mines.
    pub fn proofs(&self, view: &View) -> Proofs {
        let with = |p: f64| -> Vec<Cell> {
            let cells = view.covered();
            cells.filter(|&cell| self.mine(cell) == Some(p)).collect()
        };
        Proofs::new(view, &with(0.0), &with(1.0))
    }
}

/// The next move of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The cells to open, at least one. There are several only if all of them are proved safe.
    pub moves: Vec<Cell>,
    pub reason: Reason,
    /// The mine probability that the player itself assigned to the first cell, if the player
    /// evaluated the candidates.
    pub own: Option<f64>,
    /// The number of cells to which the player assigned that probability.
    pub tied: usize,
    /// The component of the recipe that chose a guess; empty if no component did.
    pub by: &'static str,
    /// What a program says of its move; empty for other players.
    pub why: String,
}

impl Advice {
    /// Returns what a decision in the position of `view` says, or `None` if it opens no cell.
    pub fn of(decision: &Decision<'_>, view: &View) -> Option<Self> {
        let first = decision.cells.first()?;
        let position = decision.position(view);
        let own = position
            .as_ref()
            .map(|position| position.mine[first.index()]);
        let own = own.filter(|p| !p.is_nan());
        let ties = |mine: f64| own.is_some_and(|own| (mine - own).abs() < TIE);
        let mine = position.map_or(&[][..], |position| position.mine);
        Some(Self {
            moves: decision.cells.to_vec(),
            reason: decision.reason,
            own,
            tied: mine.iter().filter(|&&mine| ties(mine)).count(),
            by: decision.by,
            why: decision.why.to_owned(),
        })
    }
}

/// Computes mine probabilities and asks a player for moves. It keeps scratch memory between
/// positions.
pub struct Adviser {
    analysis: Analysis,
    spec: PlayerSpec,
    player: Box<dyn Player>,
    /// The node limit of one answer.
    node_limit: u64,
}

impl Adviser {
    /// Creates an adviser that asks the player of `spec`. `node_limit` is the maximum number of
    /// nodes that one answer may cost.
    pub fn new(spec: PlayerSpec, node_limit: u64) -> Self {
        Self {
            analysis: Analysis::new(),
            player: spec.build(),
            spec,
            node_limit,
        }
    }

    /// Returns the player that is asked.
    pub fn player(&self) -> &PlayerSpec {
        &self.spec
    }

    /// Computes the mine probabilities of a position.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn odds(&mut self, view: &View) -> Result<Odds, CountError> {
        let budget = &mut Budget::new(Some(self.node_limit), None);
        Odds::count(&mut self.analysis, view, budget)
    }

    /// Returns what a newly started player would do in the position of `view`. The advice depends
    /// on the position and `game`, but not on how the position came about.
    ///
    /// # Errors
    /// Returns the errors of [`Player::decide`].
    pub fn advise(&mut self, view: &View, game: &GameStart) -> Result<Advice, NoMove> {
        self.begin(game);
        self.go_on(view)
    }

    /// Starts a game. [`Adviser::go_on`] then asks the player for its moves in order.
    pub fn begin(&mut self, game: &GameStart) {
        self.player.begin(game);
    }

    /// Returns what the player does next in its game.
    ///
    /// # Errors
    /// Returns the errors of [`Player::decide`].
    pub fn go_on(&mut self, view: &View) -> Result<Advice, NoMove> {
        let budget = &mut Budget::new(Some(self.node_limit), None);
        let decision = self.player.decide(view, budget)?;
        Advice::of(&decision, view).ok_or(NoMove::Contradiction)
    }
}
