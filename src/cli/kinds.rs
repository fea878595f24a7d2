//! All stages of the program. Each is a command and a stage of pipelines.

use mineflow_report::Report;
use mineflow_stage::definition::Stage;
use mineflow_stage::kind::Kinds;
use mineflow_stage_games::ggp_match::GgpMatch;
use mineflow_stage_games::samegame::eval::SamegameEval;
use mineflow_stage_games::samegame::tune::SamegameTune;
#[cfg(feature = "data")]
use mineflow_stage_generate::Generate;
use mineflow_stage_measure::calibrate::Calibrate;
use mineflow_stage_measure::compare::Compare;
use mineflow_stage_measure::eval::Eval;
#[cfg(feature = "train")]
use mineflow_stage_training::fit_alpha::FitAlpha;
#[cfg(feature = "train")]
use mineflow_stage_training::{
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
        &Report::KIND,
    ],
    left_out: if cfg!(feature = "train") {
        ""
    } else {
        "; this build leaves out stages that make rows or train: build without --no-default-features"
    },
};
