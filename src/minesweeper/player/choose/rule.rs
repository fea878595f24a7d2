//! The rules of players and the table that names them.

use std::{fmt, mem::discriminant, sync::Arc};

use super::super::monte_carlo::{MonteCarlo, PLAYOUTS, Sampling};
use super::super::recipe::REVISION;
use super::{
    chooser::Chooser,
    closest::Closest,
    edge::{EdgeChooser, MARGIN},
    learned::LearnedChooser,
    least_mine::LeastMineChooser,
    model::{LoadedModel, ModelRef},
    ranked_list::{RankedList, UNKNOWN, WITHIN},
    roll_outs::{ALWAYS_SHOWN, NAME, RollOutChooser, WEIGHT},
    two_step::TwoStepChooser,
};
use crate::Grid;
use crate::ahead::{RollOuts, TwoStep};
use crate::features::{ClassifierV2, GuessV2, LocationScore, PositionFeatures, QV2};
use mineflow_model::Target;
use mineflow_search::options::{OptionError, OptionList, Options, changes_and};
use mineflow_search::{Exploration, SpUct};

/// A rule that chooses one of the candidates, with its options.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// The rule of players 1.0 to 3.5, which chooses the cell with the lowest mine probability
    /// (Sinha et al. 2021, section 4.2). Ties are broken at random.
    MinP,
    /// The rule of players 4.0 and 4.5: among the cells within `margin` of the lowest P, 0 to 1, it
    /// chooses the one nearest to an edge (Sinha et al. 2021, section 4.2.1). Ties are broken by P,
    /// then at random.
    Edge {
        margin: f64,
    },
    /// The rule of player 7.0, which chooses the cell with the lowest mine probability. Ties go to
    /// boundary cells, then to the cells with the fewest neighbours on the board, then to the first
    /// cell in row-major order. The rule is deterministic.
    LeastMine,
    TwoStep(TwoStep),
    /// The rule that chooses the guess with the best result in roll-outs. If more than the fraction
    /// `roll_outs.unknown` of the cells is unknown, the ranker alone chooses. Above the ranker's
    /// own maximum fraction, two-step safety chooses.
    RollOuts {
        roll_outs: RollOuts,
        /// The ranker that predicts the prior; `weight` is the number of layouts that its
        /// prediction counts as.
        model: ModelRef,
        weight: u32,
        /// The maximum difference, in wins, between the highest predicted gain and the predicted
        /// gain of a guess that is tried.
        within: f64,
    },
    /// The rule that chooses, among the best guesses by two-step safety, the one with the highest
    /// gain predicted by a model. Ties go to the guess that is better by two-step safety.
    Ranker {
        model: ModelRef,
        /// The maximum fraction of unknown cells on the board; above it, two-step safety chooses.
        unknown: f64,
        /// The model ranks the guesses whose two-step safety is at most this much below the best.
        within: f64,
    },
    /// The rule of player 4.0 applied to `Sc = alpha * P + (1 - alpha) * score` instead of P: among
    /// the cells within 0.05 of the lowest Sc, it chooses the one nearest to an edge. Ties are
    /// broken by Sc, then at random. Sinha et al. (2021) use this rule to find alpha, 0 to 1
    /// (section 4.2.3). Alpha has no default and is NaN until it is set.
    EdgeScore {
        alpha: f64,
        score: LocationScore,
    },
    /// The rules `safest` and `highest-return`, those of players 5.0 to 6.5 (Sinha et al. 2021,
    /// sections 4.2.2 and 4.2.3), which choose the cell with the highest prediction of a model, with
    /// ties broken at random.
    Learned {
        model: ModelRef,
        /// The maximum difference between the probability of a candidate and the minimum, like the
        /// margin of player 4.5 (section 4.2.1, table 3); `None` if all cells are candidates.
        margin: Option<f64>,
    },
    /// The rule that chooses the cell with the highest mean reward of a tree search whose moves are
    /// selected by equation 1 of Schadd et al. Rewards are in 0..=1; `c` and `d` are on the same
    /// scale.
    SpMcts {
        playouts: u64,
        /// From this number of visits on, the moves of a position are selected by equation 1 of
        /// Schadd et al.
        threshold: u32,
        select: SpUct,
    },
    /// The rule that chooses the cell with the highest sample mean among those that the solver left
    /// open (Koriche et al., "General Game Playing with Stochastic CSP", section 4).
    MacUcb {
        playouts: u64,
    },
}

/// The version whose published model is a rule's default, and the feature sets that the rule
/// computes. The first set is assumed for a model that names none, and its target is what the model
/// must predict. A model of any kind is accepted.
pub(super) type Asks = (&'static str, &'static [&'static dyn PositionFeatures]);

/// A row of the table of rules.
#[derive(Debug)]
pub(in crate::player) struct RuleRow {
    /// The name of the rule in a recipe.
    pub(in crate::player) name: &'static str,
    /// The help line, which lists the options.
    pub(in crate::player) help: &'static str,
    /// Returns the rule with default options.
    usual: fn(&'static Self) -> Rule,
    /// What the rule asks of a model; `None` if it has none.
    pub asks: Option<Asks>,
    /// The options that a recipe shows even if they have their default values.
    always_shown: &'static [&'static str],
    /// Whether the rule needs the posterior. [`Guess::analysis`](super::Guess::analysis) then holds
    /// its probabilities.
    pub(in crate::player) needs_posterior: bool,
    /// Whether the rule evaluates guesses by playouts, which takes hundreds of times as long as the
    /// rule of player 7.0.
    pub(in crate::player) plays_out: bool,
    /// The revision of players with this rule. Raise it in any commit that changes the moves of
    /// this rule alone.
    pub(in crate::player) revision: u32,
}

/// The feature sets of models that predict whether a cell is safe, and of those that predict a
/// return.
const SAFE: &[&dyn PositionFeatures] = &[&ClassifierV2, &QV2];
const RETURN: &[&dyn PositionFeatures] = &[&QV2, &ClassifierV2];

/// Returns the row of a rule that needs nothing else.
const fn row(
    name: &'static str,
    help: &'static str,
    asks: Option<Asks>,
    usual: fn(&'static RuleRow) -> Rule,
) -> RuleRow {
    RuleRow {
        name,
        help,
        usual,
        asks,
        always_shown: &[],
        needs_posterior: false,
        plays_out: false,
        revision: REVISION,
    }
}

/// All rules. `trees`, `mlp` and `q` are older names of `safest` and `highest-return`, with other
/// default models.
#[rustfmt::skip]
pub(in crate::player) static RULES: [RuleRow; 14] = [
    row("min-p", "the cell with the lowest P, ties at random; [:candidates=covered|sampled]", None, |_| Rule::MinP),
    RuleRow {
        always_shown: &["margin"],
        ..row(
            "edge",
            "the cell nearest to an edge, of those with P at most the margin above the lowest; [:margin=0.05] [:candidates=covered|sampled]",
            None, |_| Rule::Edge { margin: MARGIN },
        )
    },
    row("least-mine", "the cell with the lowest P, ties to the boundary, then to the fewest neighbours; [:candidates=covered|sampled]",
        None, |_| Rule::LeastMine),
    RuleRow {
        needs_posterior: true,
        ..row(
            "two-step",
            "the guess that is most probably safe together with the next move; needs posterior; [:influence=0] [:living=no|yes] \
             [:candidates=covered|sampled]",
            None, |_| Rule::TwoStep(TwoStep::default()),
        )
    },
    RuleRow {
        always_shown: ALWAYS_SHOWN,
        needs_posterior: true,
        plays_out: true,
        ..row(
            NAME,
            "guesses at most `within` below the ranker's best, evaluated by roll-outs; above `unknown` the ranker's best; needs posterior; \
             [:layouts=48] [:arms=6] [:unknown=0.5] [:endgame=100] [:looks=0] [:player=least-mine|two-step] \
             [:model=FILE of a ranker] [:weight=100] [:within=1] \
             [:candidates=covered|sampled]",
            Some(("11.0", &[&GuessV2])),
            |row| Rule::RollOuts { roll_outs: RollOuts::default(), model: ModelRef::published(row), weight: WEIGHT, within: 1.0 },
        )
    },
    RuleRow {
        needs_posterior: true,
        ..row(
            "ranker",
            "the guess that a model ranks first among the best of two-step; needs posterior; [:model=FILE] \
             [:unknown=0.985] [:within=0.07] \
             [:candidates=covered|sampled]",
            Some(("11.0", &[&GuessV2])),
            |row| Rule::Ranker { model: ModelRef::published(row), unknown: UNKNOWN, within: WITHIN },
        )
    },
    RuleRow {
        always_shown: &["alpha", "score"],
        ..row(
            "edge-score",
            "as edge, with the score alpha * P + (1 - alpha) * location score; :alpha=0.5 [:score=opening|printed] \
             [:candidates=covered|sampled]",
            None,
            |_| Rule::EdgeScore { alpha: f64::NAN, score: LocationScore::default() },
        )
    },
    row(
        "safest",
        "the cell that a model rates safest, of those with P close to the lowest; [:model=FILE] [:margin=0.05] \
         [:candidates=covered|sampled]",
        Some(("5.0", SAFE)), Rule::learned,
    ),
    row(
        "highest-return",
        "the cell with the highest return by a model, of those with P close to the lowest; [:model=FILE] [:margin=0.05] \
         [:candidates=covered|sampled]",
        Some(("6.5", RETURN)), Rule::learned,
    ),
    row("trees", "safest, by the boosted trees of 5.0 unless a model is named", Some(("5.0", SAFE)), Rule::learned),
    row("mlp", "safest, by the network of 5.5 unless a model is named", Some(("5.5", SAFE)), Rule::learned),
    row("q", "highest-return, by the network of 6.5 unless a model is named", Some(("6.5", RETURN)), Rule::learned),
    RuleRow {
        always_shown: &["c", "d", "playouts", "t"],
        needs_posterior: true,
        plays_out: true,
        ..row(
            "sp-mcts",
            "tree search with equation 1 of Schadd et al.; needs posterior; \
             [:playouts=1000] [:c=0.5] [:d=0] [:t=0] \
             [:candidates=covered|sampled]",
            None,
            |_| Rule::SpMcts { playouts: PLAYOUTS, threshold: 0, select: SpUct { explore: Exploration::Printed, c: 0.5, d: 0.0, w: 0.0 } },
        )
    },
    RuleRow {
        always_shown: &["playouts"],
        needs_posterior: true,
        plays_out: true,
        // Revision 2 samples the candidates of `sp-mcts`, without pooled means and without solving
        // a second stage.
        revision: REVISION + 1,
        ..row(
            "mac-ucb",
            "UCB over the cells left open (Koriche et al.); needs posterior; [:playouts=1000] \
             [:candidates=covered|sampled]",
            None, |_| Rule::MacUcb { playouts: PLAYOUTS },
        )
    },
];

impl RuleRow {
    /// Returns the row of the rule called `name`, or `None` if no rule has this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        RULES.iter().find(|row| row.name == name)
    }

    /// Returns what the rule asks of its model.
    pub fn asks(&self) -> Asks {
        self.asks.expect("only a rule that asks has a model")
    }

    /// Returns what the rule's model must predict.
    pub fn target(&self) -> Option<Target> {
        self.asks.map(|(_, features)| features[0].set().target)
    }

    /// Returns the rule with default options.
    pub fn usual(&'static self) -> Rule {
        (self.usual)(self)
    }
}

impl Rule {
    fn learned(row: &'static RuleRow) -> Self {
        Self::Learned {
            model: ModelRef::published(row),
            margin: None,
        }
    }

    /// Returns the row of the rule in the table.
    pub(in crate::player) fn row(&self) -> &'static RuleRow {
        // Several rows make rules of the variant `Learned`; the model knows its row.
        if let Some(model) = self.model_ref() {
            return model.rule;
        }
        let is_own = |row: &&'static RuleRow| discriminant(&row.usual()) == discriminant(self);
        let row = RULES.iter().find(is_own);
        row.expect("every rule is in the table")
    }

    /// Returns the name of the rule in a recipe.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// Returns whether the rule breaks the ties that are left at random.
    pub fn draws_ties(&self) -> bool {
        matches!(
            self,
            Self::MinP | Self::Edge { .. } | Self::EdgeScore { .. } | Self::Learned { .. }
        )
    }

    /// Checks that the options without a default are set.
    pub(in crate::player) fn check(&self) -> Result<(), OptionError> {
        match self {
            Self::EdgeScore { alpha, .. } if alpha.is_nan() => {
                Err(OptionError::missing(self.name(), "alpha", "0 to 1"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the rule's model for a change, or `None` if the rule asks no model.
    pub(in crate::player) fn model_mut(&mut self) -> Option<&mut ModelRef> {
        match self {
            Self::RollOuts { model, .. }
            | Self::Ranker { model, .. }
            | Self::Learned { model, .. } => Some(model),
            _ => None,
        }
    }

    fn model_ref(&self) -> Option<&ModelRef> {
        match self {
            Self::RollOuts { model, .. }
            | Self::Ranker { model, .. }
            | Self::Learned { model, .. } => Some(model),
            _ => None,
        }
    }

    /// Returns the rule's model, or `None` if the rule asks no model.
    pub fn model(&self) -> Option<&Arc<LoadedModel>> {
        self.model_ref().map(ModelRef::loaded)
    }

    /// Builds the chooser for a board.
    pub(super) fn chooser(&self, grid: &Grid) -> Box<dyn Chooser> {
        match self {
            Self::MinP => Box::new(Closest::new(grid.board())),
            Self::Edge { margin } => Box::new(EdgeChooser::new(*margin, None, grid)),
            Self::LeastMine => Box::new(LeastMineChooser::new(grid)),
            Self::TwoStep(rule) => Box::new(TwoStepChooser::new(*rule)),
            Self::RollOuts {
                roll_outs,
                model,
                weight,
                within,
            } => Box::new(RollOutChooser::new(
                *roll_outs,
                model.loaded().clone(),
                *weight,
                *within,
            )),
            Self::Ranker {
                model,
                unknown,
                within,
            } => Box::new(RankedList::new(model.loaded().clone(), *unknown, *within)),
            Self::EdgeScore { alpha, score } => {
                Box::new(EdgeChooser::new(MARGIN, Some((*alpha, *score)), grid))
            }
            Self::Learned { model, margin } => {
                Box::new(LearnedChooser::new(model.loaded().clone(), *margin))
            }
            Self::SpMcts {
                playouts,
                threshold,
                select,
            } => {
                let sampling = Sampling::Tree {
                    select: *select,
                    threshold: *threshold,
                };
                Box::new(MonteCarlo::new(*playouts, sampling))
            }
            Self::MacUcb { playouts } => Box::new(MonteCarlo::new(*playouts, Sampling::Bandit)),
        }
    }
}

impl Options for Rule {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        // With a million playouts, a search tree takes about a gigabyte.
        let all_playouts = 1..=1_000_000;
        match self {
            Self::MinP | Self::LeastMine => {}
            Self::Edge { margin } => list.number("margin", margin, 0.0..=1.0),
            Self::TwoStep(rule) => {
                list.number("influence", &mut rule.influence, 0.0..=1.0);
                list.choice("living", &mut rule.living, &[("yes", true), ("no", false)])
            }
            Self::RollOuts {
                roll_outs,
                model,
                weight,
                within,
            } => {
                roll_outs.list(list);
                model.list(list);
                list.number("weight", weight, 0..=1_000_000);
                list.number("within", within, 0.0..=1.0)
            }
            Self::Ranker {
                model,
                unknown,
                within,
            } => {
                model.list(list);
                list.number("unknown", unknown, 0.0..=1.0);
                list.number("within", within, 0.0..=2.0)
            }
            Self::EdgeScore { alpha, score } => {
                list.number("alpha", alpha, 0.0..=1.0);
                list.text("score", score, "opening or printed")
            }
            Self::Learned { model, margin } => {
                model.list(list);
                list.optional("margin", margin, 0.0..=1.0);
            }
            Self::SpMcts {
                playouts,
                threshold,
                select,
            } => {
                list.number("c", &mut select.c, 0.0..=1e3);
                list.number("d", &mut select.d, 0.0..=1e3);
                list.number("playouts", playouts, all_playouts);
                list.number("t", threshold, 0..=1_000_000)
            }
            Self::MacUcb { playouts } => list.number("playouts", playouts, all_playouts),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row();
        let changes = changes_and(self, &row.usual(), row.always_shown);
        write!(f, "{}{changes}", row.name)
    }
}
