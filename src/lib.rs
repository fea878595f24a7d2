#![doc = include_str!("README.md")]
//!
//! # Crates
//!
//! A folder of `src/` is a crate of the workspace, and this one passes them on under the folders' names. Lowest first; each depends only on
//! some of those above it:
//!
//! - [`rng`]: named seeds and the generator
//! - [`store`]: what lies on disk: whole-file writes, journals, folders that record themselves
//! - [`search`]: search that names no game: Monte-Carlo trees, cross entropy, stochastic constraint networks
//! - [`model`]: trained models as files, evaluated with no training crate
//! - [`minesweeper`]: the rules; in its folders the exact solver, features, players and the game for a person
//! - [`samegame`]: SameGame: boards, playouts, searches, files of boards
//! - [`gdl`]: games by their rule sheets: reading, grounding, playouts, players
//! - [`arena`]: many games in parallel, estimates with their intervals, tests
//! - `answers` (feature `cli`, not public): what the page asks that needs no files, from JSON to JSON
//! - `learn` (features `data` and `train`): rows to learn from, and training
//! - `tasks` (feature `cli`, not public): a file for each command that plays, measures, generates or trains, and pipelines of them
//! - `report`, `serve`, `cli` (feature `cli`, not public): the report, the page and its server, the command line
//!
//! Two more are not passed on here: `web`, the page without a server, and `python/`, a package for Python on the light crates.
//!
//! # Words
//!
//! ## Boards and proofs
//!
//! - **board**: a size and a number of mines ([`minesweeper::Board`]); in SameGame the cells themselves ([`samegame::Board`]).
//! - **minefield**: where the mines are ([`minesweeper::Minefield`]). The referee has it, players never.
//! - **view**: what a player may know: open cells with their numbers, covered cells, the number of mines
//!   ([`minesweeper::View`]).
//! - **opening**: a cell with no mine around it, which opens all its neighbours.
//! - **boundary**: the covered cells next to an open one; without known mines, they are the variables `M` of the main paper.
//! - **witness**: an open number next to a covered cell.
//! - **dead**: shows the same number in every layout in which it is safe, so that opening it tells nothing. Other covered cells are
//!   **living**.
//! - **frontier**: what is still open on the boundary: unknown cells, in boxes with the same witnesses, and the numbers around them.
//! - **component**: a part of the frontier that shares no number with the rest, and so can be counted alone.
//! - **solution**: mines on the boundary that fit the numbers (`A M = N`). The main paper's P gives each the same weight.
//! - **layout**: all mines of the board, so that they fit the numbers and their count. The **posterior** gives each the same weight.
//! - **deduction**: what single numbers prove. **DSS**, deterministic solution search, is the main paper's form of it.
//! - **budget**: what a computation may cost before it gives up ([`minesweeper::solver::Budget`], [`search::Budget`]).
//! - **replay**: the record of a game in a file, with its mines and its clicks ([`minesweeper::replay`]).
//! - **click**: what the player does to a cell: open it, set or remove a flag, or a chord.
//! - **chord**: a click on an open number with as many flags around it; it opens the other covered neighbours.
//!
//! ## Players
//!
//! - **player**: from a view to a decision ([`minesweeper::player::Player`]).
//! - **decision**: the cells to open next and why: a first click, certain, or a **guess**, which may be a mine.
//! - **recipe**: a player as text, parts joined by `+`: what it deduces, its **source** of probabilities, its **choosing rule**.
//! - **version**: a recipe with a name, such as `4.0`. In rows of results, the column `version` is a hash of what the player is, whatever
//!   its name ([`minesweeper::player::Recipe::version`]).
//! - **seat**: a player at a board, game after game ([`minesweeper::player::Seat`]).
//! - **luck**: of a guess, the value of what it showed less the expectation of that ([`minesweeper::player::ValueModel`]). A win ratio
//!   without it is **luck-corrected**.
//! - **two-step safety**: the safety of a guess and of the safest move after it, together.
//! - **roll-out**: a playout by a player that deduces, in which a guess does not end the line: its safety weighs what follows
//!   ([`minesweeper::ahead::LayoutPlayout`]).
//! - **ranker**: a model of how much a candidate of a guess **gains** over the others: how much more often the game is won after it.
//! - **endgame**: a position with so few layouts that perfect play can be searched ([`minesweeper::solver::Endgame`]).
//! - **signature**: a hash of every cell that a player opens in fixed games, in order: another decision, another signature.
//!
//! ## Search
//!
//! - **playout**: a game played to its end to see what it comes to. A [`search::Rollout`] is the policy that plays it.
//! - **arm**: one of the things that a bandit samples: a move, or the cell of a guess ([`search::bandit`]).
//! - **line**: moves one after the other from a position.
//! - **stage of a game**: what one decision and the chance after it decide, as a constraint network
//!   ([`search::scsp`]). The search takes a game stage by stage.
//!
//! ## Learning
//!
//! - **feature set**: the numbers that a model reads, with names, units and ranges; its name ends in a version
//!   ([`model::FeatureSet`]).
//! - **row**: the features of one cell, or of one guess, and its **target**: what is learnt.
//! - **column**: one number of every row.
//! - **model**: what turns rows into numbers ([`model::Model`]); an **artifact** is the file that holds it.
//! - **registry**: the file that says which artifact each version loads ([`model::Registry`]). To **publish** is to
//!   change it.
//!
//! ## Folders
//!
//! - **shard**: a pair of files of a data folder, the rows of some games and their decisions.
//! - **manifest**: the file that says what a folder depends on and what it holds.
//! - **journal**: a file with a line for each piece of work done, from which an interrupted run resumes ([`store::Journal`]).
//! - **series**: much work of one kind, recorded piece by piece, such as the games of players on boards ([`arena::Series`]).
//! - **stage of a pipeline**: a command with its settings and inputs and the folder that it makes (`tasks::Stage`).
//! - **record**: what a finished stage was made from, by which it is up to date or not.

pub use mineflow_arena as arena;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use mineflow_cli as cli;
pub use mineflow_gdl as gdl;
#[cfg(feature = "data")]
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
