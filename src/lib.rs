#![doc = include_str!("README.md")]
//!
//! # Crates
//!
//! Each folder of `src/` is a crate of the workspace (`page` contains three), and this crate
//! re-exports them under the folders' names. The list is in order of dependency: each crate depends only on crates listed
//! before it. The one exception is [`model`], which also uses `mineflow-published`, the bytes of
//! the published models.
//!
//! - [`rng`]: named seeds and the random generator
//! - [`store`]: files on disk: atomic writes, journals, folders with manifests
//! - [`search`]: search independent of a game: Monte-Carlo trees, cross entropy, stochastic
//!   constraint networks
//! - [`model`]: trained models as files, evaluated without the training crates
//! - [`minesweeper`]: the rules; in its folders the exact solver, features, players and the game
//!   for people
//! - [`samegame`]: SameGame: boards, playouts, searches, board files
//! - [`gdl`]: games given as rule sheets: parsing, grounding, playouts, players
//! - [`arena`]: many games in parallel, estimates with confidence intervals, tests
//! - `learn` (features `data` and `train`): training data and training
//! - `tasks` (feature `cli`, not public): a file for each command that plays, measures, generates
//!   or trains, and pipelines of them
//! - `report`, `page`, `cli` (feature `cli`, not public): the report; the page, its answers to
//!   requests and its server; the command line, which uses `report` and `page`
//!
//! Three further members are not re-exported: `mineflow-published` (folder `models/`), the
//! published models; `page/wasm`, the page without a server; and `python/`, a package for Python
//! that uses only the crates without heavy dependencies.
//!
//! # Words
//!
//! ## Boards and proofs
//!
//! - **board**: a size and a number of mines ([`minesweeper::Board`]); in SameGame the cells
//!   themselves ([`samegame::Board`]).
//! - **minefield**: the positions of the mines ([`minesweeper::Minefield`]). The referee has it,
//!   players never do.
//! - **view**: the information of a player: open cells with their numbers, covered cells, the
//!   number of mines ([`minesweeper::View`]).
//! - **opening**: a cell with no mine around it, which opens all its neighbours.
//! - **boundary**: the covered cells next to an open one; without known mines, they are the
//!   variables `M` of Sinha et al.
//! - **witness**: an open number next to a covered cell.
//! - **dead** cell: a covered cell that shows the same number in every layout in which it is safe,
//!   so that opening it gives no information. All other covered cells are **living**.
//! - **frontier**: the undetermined part of the boundary: unknown cells, in boxes with the same
//!   witnesses, and the numbers around them.
//! - **component**: a part of the frontier that shares no number with the rest, and thus can be
//!   counted independently.
//! - **solution**: mines on the boundary that fit the numbers (`A M = N`). The probability P of
//!   Sinha et al. weights all solutions equally.
//! - **layout**: all mines of the board, consistent with the numbers and the mine count. The
//!   **posterior** weights all layouts equally.
//! - **deduction**: facts proved by single numbers. Sinha et al. call their form of it **DSS**,
//!   deterministic solution search.
//! - **budget**: the limit of a computation, which gives up beyond it
//!   ([`minesweeper::solver::Budget`], [`search::Budget`]).
//! - **replay**: the record of a game in a file, with its mines and its clicks
//!   ([`minesweeper::replay`]).
//! - **click**: an action of the player on a cell: open it, set or remove a flag, or a chord.
//! - **chord**: a click on an open number with as many flags around it as it shows. It opens the
//!   remaining covered neighbours.
//!
//! ## Players
//!
//! - **player**: maps a view to a decision ([`minesweeper::player::Player`]).
//! - **decision**: the cells to open next with the reason: a first click, cells proved safe
//!   (`certain`), or a **guess**, which may be a mine.
//! - **recipe**: a player as text, components joined by `+`: its deduction, its **source** of
//!   probabilities, its **choosing rule**.
//! - **version**: a recipe with a name, such as `4.0`. In rows of results, the column `version` is
//!   a hash of the player's definition, independent of its name
//!   ([`minesweeper::player::Recipe::version`]).
//! - **seat**: a player at a board, for one game after the other ([`minesweeper::player::Seat`]).
//! - **luck** of a guess: the value after the guess minus its expectation
//!   ([`minesweeper::player::ValueModel`]). It is the control variate by which win rates are
//!   **luck-corrected**.
//! - **two-step safety**: the joint safety of a guess and of the safest move after it.
//! - **roll-out**: a playout by a player that deduces, in which a guess does not end the line. The
//!   safety of the guess becomes a weight of everything that follows
//!   ([`minesweeper::ahead::LayoutPlayout`]).
//! - **ranker**: a model of the **gain** of a candidate: its win probability minus the mean over
//!   all candidates of the guess.
//! - **endgame**: a position with so few layouts that optimal play can be searched
//!   ([`minesweeper::solver::Endgame`]).
//! - **signature**: a hash of every cell that a player opens in fixed games, in order. It changes
//!   if any decision changes.
//!
//! ## Search
//!
//! - **playout**: a game played to its end to estimate a value. A [`search::Rollout`] is the policy
//!   that plays it.
//! - **arm**: one of the options that a bandit samples: a move, or the cell of a guess
//!   ([`search::bandit`]).
//! - **line**: consecutive moves from a position.
//! - **stage of a game**: a decision with the chance event after it, as a constraint network
//!   ([`search::scsp`]). The search takes a game stage by stage.
//!
//! ## Learning
//!
//! - **feature set**: the inputs of a model, with names, units and ranges; its name ends in a
//!   version ([`model::FeatureSet`]).
//! - **row**: the features of one cell, or of one guess, with the **target** to predict.
//! - **column**: one feature or other value of every row.
//! - **model**: maps rows to predictions ([`model::Model`]); an **artifact** is its file.
//! - **registry**: the file that lists the artifact of each version ([`model::Registry`]).
//!   **Publishing** a model changes the registry.
//!
//! ## Folders
//!
//! - **shard of the data**: a pair of files of a data folder, which contain the rows and the
//!   decisions of some games.
//! - **manifest**: the file that records what a folder depends on and what it contains.
//! - **journal**: a file with a line for each piece of work done, from which an interrupted run
//!   resumes ([`store::Journal`]).
//! - **series**: a sequence of work of one kind, recorded piece by piece, such as the games of
//!   players on boards ([`arena::Series`]).
//! - **stage of a pipeline**: a command with its settings, inputs and output folder
//!   (`tasks::Stage`).
//! - **shard of the run**: the part of a stage's work that one machine does (`--shard I/N`,
//!   [`arena::Part`]). `merge` and `--join` join the shards.
//! - **record**: what a finished stage was made from; it decides whether the stage is up to date.

pub use mineflow_arena as arena;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use mineflow_cli as cli;
pub use mineflow_gdl as gdl;
#[cfg(feature = "train")]
pub use mineflow_learn as learn;
pub use mineflow_minesweeper as minesweeper;
pub use mineflow_model as model;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use mineflow_report as report;
pub use mineflow_rng as rng;
pub use mineflow_samegame as samegame;
pub use mineflow_search as search;
pub use mineflow_store as store;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use mineflow_tasks as tasks;
