//! All stages of the program. Each is a command and a stage of pipelines.

use mineflow_report::Report;
use mineflow_tasks::calibrate::Calibrate;
use mineflow_tasks::compare::Compare;
use mineflow_tasks::definition::Stage;
use mineflow_tasks::eval::Eval;
#[cfg(feature = "train")]
use mineflow_tasks::fit_alpha::FitAlpha;
#[cfg(feature = "data")]
use mineflow_tasks::generate::Generate;
use mineflow_tasks::ggp_match::GgpMatch;
use mineflow_tasks::ggp_table::GgpTable;
use mineflow_tasks::kind::Kinds;
use mineflow_tasks::samegame::eval::SamegameEval;
use mineflow_tasks::samegame::tune::SamegameTune;
#[cfg(feature = "train")]
use mineflow_tasks::{
    train_classifier::TrainClassifier, train_q::TrainQ, train_ranker::TrainRanker, train_trees::TrainTrees,
};

/// The stages, in the order of the help.
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
        &Report::KIND,
    ],
    left_out: if cfg!(feature = "train") {
        ""
    } else {
        "; this build leaves out stages that make rows or train: build without --no-default-features"
    },
};
