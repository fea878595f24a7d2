//! Every stage that the program has: each a command, and a stage of pipelines.

use crate::stage::calibrate::Calibrate;
use crate::stage::compare::Compare;
use crate::stage::definition::Stage;
use crate::stage::eval::Eval;
#[cfg(feature = "train")]
use crate::stage::fit_alpha::FitAlpha;
#[cfg(feature = "data")]
use crate::stage::generate::Generate;
use crate::stage::ggp_ladder::GgpLadder;
use crate::stage::ggp_match::GgpMatch;
use crate::stage::ggp_table::GgpTable;
use crate::stage::kind::Kinds;
use crate::stage::report::Report;
use crate::stage::samegame::eval::SamegameEval;
use crate::stage::samegame::tune::SamegameTune;
#[cfg(feature = "train")]
use crate::stage::{
    train_classifier::TrainClassifier, train_q::TrainQ, train_ranker::TrainRanker, train_trees::TrainTrees,
};

/// In the order of the help.
pub const KINDS: Kinds = Kinds {
    all: &[
        #[cfg(feature = "data")]
        &Generate::KIND,
        #[cfg(feature = "train")]
        &TrainTrees::KIND,
        #[cfg(feature = "train")]
        &TrainClassifier::KIND,
        #[cfg(feature = "train")]
        &TrainQ::KIND,
        #[cfg(feature = "train")]
        &FitAlpha::KIND,
        #[cfg(feature = "train")]
        &TrainRanker::KIND,
        &Eval::KIND,
        &Compare::KIND,
        &Calibrate::KIND,
        &SamegameEval::KIND,
        &SamegameTune::KIND,
        &GgpMatch::KIND,
        &GgpTable::KIND,
        &GgpLadder::KIND,
        &Report::KIND,
    ],
    left_out: if cfg!(feature = "train") {
        ""
    } else {
        "; this build leaves out stages that make rows or train: build without --no-default-features"
    },
};
