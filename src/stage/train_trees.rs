//! The boosted trees of player 5.0 (main paper, section 4.2.2).
//!
//! ```text
//! DIR/manifest.json     settings and, at the end, result
//!     metrics.jsonl     the validation log-loss of every round
//!     checkpoint.bin    the trees as they were a while ago
//!     importance.csv    what each feature is worth to them
//!     artifact.json     the trees as XGBoost writes them, written last
//! ```
//!
//! A process that is killed loses the rounds since the last checkpoint; the same settings on the same folder grow them again
//! and end in the same bytes.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::generate::{Amount, Boards, GenerateError, SelfPlay, classifier_rows};
use super::series::{round, to_csv};
use super::training::DataFolder;
use crate::arena::{Arena, Configuration, Plan, Workers};
use crate::learn::data::{Split, Table, read_table};
use crate::learn::model::{Artifact, Expected, Forest, ForestScratch, sha256};
use crate::learn::train::trees::{Pause, Round, Trees, TreesSettings, TreesTraining, check, score};
use crate::minesweeper::FirstClick;
use crate::minesweeper::features::{LocationScore, classifier_v2};
use crate::minesweeper::player::Limits;
use crate::minesweeper::player::PlayerSpec;
use crate::minesweeper::player::Swap;
use crate::rng::Seed;
use crate::store::{Folder, Purpose};

/// The version that the trees are for, and the board on which it is examined: the beginner's, as in the main paper's
/// table 4.
const VERSION: &str = "5.0";
const EXAMINATION: &str = "beginner";
const ARTIFACT: &str = "artifact.json";
const CHECKPOINT: &str = "checkpoint.bin";
const METRICS: &str = "metrics.jsonl";
/// Rows on which the artifact, read back, must agree with the trainer, and how closely.
const COMPARED: usize = 1000;
const READ_BACK: f32 = 1e-6;

const READS: Expected<'_> = Expected::new("train-trees", &classifier_v2::SET);

/// Where the rows come from. Eight games of ten are learnt from, one stops the growing, one judges the result.
#[derive(Clone, PartialEq, Debug)]
pub enum TreesData {
    /// A folder of `pipeline generate`.
    Folder(PathBuf),
    /// New games on the main paper's boards, kept in memory alone.
    SelfPlay { player: PlayerSpec, rows: u64, score: LocationScore },
}

/// A training of trees.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainTrees {
    pub data: TreesData,
    pub growing: TreesSettings,
    /// Rounds from one checkpoint to the next.
    pub checkpoint_every: usize,
    /// Games of player 5.0 with the trees on the beginner's board at the end; 0 for none.
    pub eval_games: u32,
    /// Whether rows to learn from are turned by the eight symmetries of the board.
    pub symmetries: bool,
    pub seed: u64,
    /// Results don't depend on it.
    pub threads: usize,
    pub out: PathBuf,
}

/// What came of a training; the same for the same settings on any number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TreesResult {
    /// SHA-256 of `artifact.json`.
    pub sha256: String,
    /// Rounds grown, and rounds kept: up to the least validation log-loss.
    pub rounds: usize,
    pub trees: usize,
    pub train_rows: usize,
    pub validation_rows: usize,
    pub test_rows: usize,
    pub validation_log_loss: f64,
    pub test_log_loss: f64,
    /// Area under the ROC curve.
    pub test_auc: f64,
    /// The same for 1 - P in place of the trees.
    pub log_loss_of_p_alone: f64,
    pub auc_of_p_alone: f64,
    /// The largest difference between the artifact as it was read back and the trainer.
    pub largest_difference: f64,
    /// Of player 5.0 with the trees on the beginner's board.
    pub win_ratio: Option<f64>,
}

/// How a training ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TreesEnd {
    Finished(TreesResult),
    /// It was finished before; nothing was done.
    AlreadyFinished(TreesResult),
    /// It was asked to stop after so many rounds, which are kept.
    Stopped {
        rounds: usize,
    },
}

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TreesProgress {
    /// Making or reading rows.
    GettingRows,
    Growing {
        round: Round,
        rounds: usize,
        rows_per_second: f64,
    },
    /// Comparing and judging.
    Judging,
}

/// Is told how far it is, after every round.
pub type TreesWatch<'a> = dyn FnMut(TreesProgress) + Send + 'a;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Metrics {
    round: usize,
    validation_log_loss: f64,
}

/// A row of `importance.csv`.
#[derive(Serialize)]
struct ImportanceRow {
    feature: &'static str,
    /// Of all loss reduction by splits.
    share_of_gain: f64,
    total_gain: f64,
    gain_a_split: f64,
    splits: f64,
}

impl TrainTrees {
    /// Trains from where the folder has it to the end, or until soon after `stop` is set.
    pub fn run(&self, stop: &AtomicBool, watch: &mut TreesWatch<'_>) -> anyhow::Result<TreesEnd> {
        let source = self.source()?;
        let mut folder = Folder::open(&self.out, &Purpose::of(self.settings(&source)))?;
        if let Some(result) = folder.result()? {
            return Ok(TreesEnd::AlreadyFinished(result));
        }
        watch(TreesProgress::GettingRows);
        let Some(Rows { mut train, validation, test }) = self.rows(&source, stop)? else {
            return Ok(TreesEnd::Stopped { rounds: 0 });
        };
        if self.symmetries {
            train.turn(&classifier_v2::SET, self.root().child("symmetries", 0));
        }
        check("test", &test.features, test.width, &test.target)?;
        let mut training = TreesTraining::new(self.growing, train, validation, self.threads)?;
        if let Some(checkpoint) = folder.read(CHECKPOINT)? {
            let place = || format!("{} can't be gone on from", folder.path().join(CHECKPOINT).display());
            training.resume(&checkpoint, read_losses(&folder)?).with_context(place)?;
        }
        if self.grow(&mut training, &folder, stop, watch)? == Pause::Stopped {
            return Ok(TreesEnd::Stopped { rounds: training.losses().len() });
        }
        watch(TreesProgress::Judging);
        let rounds = training.losses().len();
        let (train_rows, validation_rows) = training.rows();
        let trees = training.finish()?.context("there is no round to grow")?;
        let judgement = Judgement::of(&trees, &test)?;
        let bytes = trees.to_xgboost(classifier_v2::SET.names, &self.notes(&source, &trees, &judgement))?;
        let largest_difference = compare(&trees, &bytes, &test)?;
        folder.write("importance.csv", &importance(&trees)?)?;
        folder.write(ARTIFACT, &bytes)?;
        let result = TreesResult {
            sha256: sha256(&bytes),
            rounds,
            trees: trees.best_round,
            train_rows,
            validation_rows,
            test_rows: test.rows(),
            validation_log_loss: round(trees.validation_log_loss, 9),
            test_log_loss: judgement.log_loss,
            test_auc: judgement.auc,
            log_loss_of_p_alone: judgement.log_loss_of_p_alone,
            auc_of_p_alone: judgement.auc_of_p_alone,
            largest_difference: round(largest_difference.into(), 9),
            win_ratio: self.examine(&folder)?,
        };
        folder.finish(&result)?;
        Ok(TreesEnd::Finished(result))
    }

    /// Grows to the end, noting every round and keeping a checkpoint now and then.
    fn grow(
        &self,
        training: &mut TreesTraining,
        folder: &Folder,
        stop: &AtomicBool,
        watch: &mut TreesWatch<'_>,
    ) -> anyhow::Result<Pause> {
        let (began, before, rows) = (Instant::now(), training.losses().len(), training.rows().0);
        loop {
            let pause = training.grow(self.checkpoint_every, stop, &mut |round| {
                let learnt = (rows * (round.round - before)) as f64;
                let rows_per_second = learnt / began.elapsed().as_secs_f64().max(1e-9);
                watch(TreesProgress::Growing { round, rounds: self.growing.rounds, rows_per_second });
            })?;
            folder.write(METRICS, metrics(training.losses())?.as_bytes())?;
            if let Some(checkpoint) = training.checkpoint()? {
                folder.write(CHECKPOINT, &checkpoint)?;
            }
            if pause != Pause::Rounds {
                return Ok(pause);
            }
        }
    }

    /// The win ratio of player 5.0 with the artifact in `folder`; `None` if it isn't examined.
    fn examine(&self, folder: &Folder) -> anyhow::Result<Option<f64>> {
        if self.eval_games == 0 {
            return Ok(None);
        }
        let player = PlayerSpec::with_model(VERSION, &Swap::File(folder.path().join(ARTIFACT)))?;
        let configurations = vec![Configuration { player, board: EXAMINATION.parse()?, first_click: FirstClick::Safe }];
        let (seed, limits) = (self.root().child("examination", 0), Limits::default());
        let mut arena =
            Arena::in_memory(Plan { configurations, games: self.eval_games, seed, limits, threads: self.threads });
        arena.play(&AtomicBool::new(false), &mut |_| ())?;
        Ok(Some(round(arena.ledger().won() as f64 / f64::from(self.eval_games), 6)))
    }

    /// The seed of the training; nothing that is played to judge a version has a seed below it.
    fn root(&self) -> Seed {
        Seed::new(self.seed).child("training", 0)
    }

    fn settings(&self, source: &Source) -> Map<String, Value> {
        let TreesSettings { rounds, patience, learning_rate, depth, l2, leaf_weight, bins } = self.growing;
        let pairs = [
            ("command", json!("train-trees")),
            ("features", json!(classifier_v2::SET.name)),
            ("data", source.description.clone()),
            ("location_score", json!(source.score.name())),
            ("rounds", json!(rounds)),
            ("patience", json!(patience)),
            ("learning_rate", json!(learning_rate)),
            ("depth", json!(depth)),
            ("l2", json!(l2)),
            ("leaf_weight", json!(leaf_weight)),
            ("bins", json!(bins)),
            ("eval_games", json!(self.eval_games)),
            ("symmetries", json!(self.symmetries)),
            ("seed", json!(self.seed)),
        ];
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn notes(&self, source: &Source, trees: &Trees, judgement: &Judgement) -> Vec<(&'static str, String)> {
        vec![
            ("features", classifier_v2::SET.name.to_owned()),
            ("location_score", source.score.to_string()),
            ("command", "train-trees".to_owned()),
            ("data", source.description.to_string()),
            ("seed", self.seed.to_string()),
            ("validation_log_loss", round(trees.validation_log_loss, 9).to_string()),
            ("test_log_loss", judgement.log_loss.to_string()),
            ("test_auc", judgement.auc.to_string()),
        ]
    }
}

/// What the rows depend on.
struct Source {
    description: Value,
    score: LocationScore,
}

/// Rows by what they are for.
struct Rows {
    train: Table,
    validation: Table,
    test: Table,
}

impl TrainTrees {
    fn source(&self) -> anyhow::Result<Source> {
        match &self.data {
            TreesData::Folder(path) => {
                let folder = DataFolder::open(path, classifier_v2::SET.name)?;
                Ok(Source { description: json!(folder.sha256), score: folder.text("score")? })
            }
            TreesData::SelfPlay { player, rows, score } => {
                Ok(Source { description: json!({"self_play": player.recipe.to_string(), "rows": rows}), score: *score })
            }
        }
    }

    /// The rows; `None` if it was asked to stop.
    fn rows(&self, source: &Source, stop: &AtomicBool) -> anyhow::Result<Option<Rows>> {
        match &self.data {
            TreesData::Folder(path) => {
                let [train, validation, test] =
                    Split::PARTS.map(|split| read_table(std::slice::from_ref(path), &classifier_v2::SET, split));
                Ok(Some(Rows { train: train?, validation: validation?, test: test? }))
            }
            TreesData::SelfPlay { player, rows, .. } => {
                let (make, workers) = (|| player.build(), Workers { threads: self.threads, stop });
                let games = SelfPlay::on(Boards::paper_classifier(), self.root());
                match classifier_rows(&games, Amount::Rows(*rows), source.score, false, &make, workers) {
                    Ok(table) => Ok(Some(Rows::split(&table))),
                    Err(GenerateError::Stopped) => Ok(None),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }
}

impl Rows {
    fn split(table: &Table) -> Self {
        let [train, validation, test] = Split::PARTS.map(|split| {
            let mut part = Table::new(table.width);
            for row in (0..table.rows()).filter(|&row| split.holds(table.game[row])) {
                part.features.extend_from_slice(table.row(row));
                part.target.push(table.target[row]);
                part.game.push(table.game[row]);
            }
            part
        });
        Self { train, validation, test }
    }
}

/// How good trees are on rows that nothing was chosen by.
struct Judgement {
    log_loss: f64,
    auc: f64,
    log_loss_of_p_alone: f64,
    auc_of_p_alone: f64,
}

impl Judgement {
    fn of(trees: &Trees, test: &Table) -> anyhow::Result<Self> {
        let (log_loss, auc) = score(&trees.predict(&test.features)?, &test.target)?;
        let safe: Vec<f32> = (0..test.rows()).map(|row| 1.0 - test.row(row)[classifier_v2::PROBABILITY]).collect();
        let (log_loss_of_p_alone, auc_of_p_alone) = score(&safe, &test.target)?;
        Ok(Self {
            log_loss: round(log_loss, 6),
            auc: round(auc, 6),
            log_loss_of_p_alone: round(log_loss_of_p_alone, 6),
            auc_of_p_alone: round(auc_of_p_alone, 6),
        })
    }
}

/// The largest difference between the artifact, read as a player reads it, and the trainer; an error if it is too large.
fn compare(trees: &Trees, bytes: &[u8], test: &Table) -> anyhow::Result<f32> {
    let artifact = Artifact::from_bytes(bytes).context("the artifact just made can't be read back")?;
    artifact.check(&READS)?;
    let forest = Forest::from_bytes(bytes)?;
    let rows = &test.features[..COMPARED.min(test.rows()) * test.width];
    let mut native = Vec::new();
    forest.predict(rows, &mut native, &mut ForestScratch::default());
    let expected = trees.predict(rows)?;
    let largest = native.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    ensure!(
        largest <= READ_BACK,
        "the artifact read back differs from the trainer by {largest} on the test rows, more than {READ_BACK}"
    );
    Ok(largest)
}

fn importance(trees: &Trees) -> anyhow::Result<Vec<u8>> {
    let importance = trees.importance(classifier_v2::WIDTH);
    let all: f64 = importance.iter().map(|of| of.total_gain).sum();
    let row = |of: &crate::learn::train::trees::Importance| ImportanceRow {
        feature: classifier_v2::SET.names[of.column],
        share_of_gain: round(of.total_gain / all.max(f64::MIN_POSITIVE), 6),
        total_gain: round(of.total_gain, 3),
        gain_a_split: round(of.gain, 3),
        splits: of.splits,
    };
    to_csv(&importance.iter().map(row).collect::<Vec<_>>())
}

fn metrics(losses: &[f64]) -> anyhow::Result<String> {
    let mut text = String::new();
    for (index, &loss) in losses.iter().enumerate() {
        text += &serde_json::to_string(&Metrics { round: index + 1, validation_log_loss: round(loss, 9) })?;
        text.push('\n');
    }
    Ok(text)
}

/// The losses that the folder notes, round by round.
fn read_losses(folder: &Folder) -> anyhow::Result<Vec<f64>> {
    let place = || format!("{} is no record of this training", folder.path().join(METRICS).display());
    let text = String::from_utf8(folder.read(METRICS)?.unwrap_or_default()).with_context(place)?;
    let mut losses = Vec::new();
    for line in text.lines() {
        let metrics: Metrics = serde_json::from_str(line).with_context(place)?;
        ensure!(metrics.round == losses.len() + 1, "{}: round {} is out of turn", place(), metrics.round);
        losses.push(metrics.validation_log_loss);
    }
    Ok(losses)
}
