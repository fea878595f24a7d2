//! Algorithms on sets of boards, by budget: the tables of the SP-MCTS paper.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::record::{Cost, Record};
use super::tune::tuned_algorithm;
use super::{ALGORITHMS, BoardSet, BudgetText, Size, check_colours};
use mineflow_arena::{Ending, Part, Workers};
use mineflow_document::numbers::grouped;
use mineflow_document::{Align, Z_95, columns};
use mineflow_document::{numbers::round, to_csv};
use mineflow_rng::Seed;
use mineflow_samegame::{Algorithm, Puzzle, ScoredLine};
use mineflow_stage::definition::{Answer, Context, Outcome, Stage, json_lines};
use mineflow_stage::kind::{Effort, InputFlag, Kind};
use mineflow_stage::part::{PartDone, join_journals, note_empty};
use mineflow_stage::settings;
use mineflow_stage::texts::{text, texts};
use mineflow_stage::values::check_range;
use mineflow_store::{Folder, Journal, Purpose};

/// Random boards where their number is not said.
const RANDOM_BOARDS: u32 = 250;

settings! {
    /// Many boards with each algorithm and budget.
    pub struct SamegameEval {
        /// File of boards [default: random boards of --seed]
        #[arg(long, value_name = "FILE")]
        pub boards: Option<PathBuf>,
        #[arg(long, value_name = "N", help = format!("The first N boards [default: all of the file, or {RANDOM_BOARDS} random ones]"))]
        pub count: Option<NonZeroU32>,
        /// Size of random boards, up to 25x25
        #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = Self::default().size)]
        #[serde(with = "text")]
        pub size: Size = Size { width: 15, height: 15 },
        /// Colours of random boards
        #[arg(long, value_name = "N", default_value_t = Self::default().colours)]
        pub colours: u32 = 5,
        /// Algorithms with options, separated by commas
        #[arg(long, value_name = "ALGORITHMS", value_delimiter = ',', default_values_t = Self::default().algorithms)]
        #[serde(with = "texts")]
        pub algorithms: Vec<Algorithm> = vec!["sp-mcts".parse().expect("it is an algorithm")],
        /// Folders of `samegame tune`: what was found there plays too; separated by commas
        #[arg(long, value_name = "DIRS", value_delimiter = ',')]
        pub tuned: Vec<PathBuf>,
        /// Budgets of a board, separated by commas
        #[arg(long, value_name = "BUDGETS", value_delimiter = ',', default_values_t = Self::default().budgets)]
        #[serde(with = "texts")]
        pub budgets: Vec<BudgetText> = vec!["nodes=10000".parse().expect("it is a budget")],
    }
}

impl SamegameEval {
    /// How many boards there are; none for all of a file.
    fn count(&self) -> Option<u32> {
        self.count.map(NonZeroU32::get).or(self.boards.is_none().then_some(RANDOM_BOARDS))
    }
}

impl Stage for SamegameEval {
    const KIND: Kind = Kind {
        summary: "Play many boards with each algorithm and budget and print means and deviations",
        examples: &[
            "samegame eval --algorithms sp-mcts,nested:level=1 --count 20",
            "samegame eval --boards boards.json --budgets nodes=10000,nodes=100000 --out points",
        ],
        out: "Folder for tables and journal; interrupted, the same command resumes there",
        notes: ALGORITHMS,
        output: "eval.csv",
        inputs: &[InputFlag::output_of("boards", &[]), InputFlag::folder_of("tuned", &["samegame tune"])],
        parts: Some(join_journals),
        ..Kind::of::<Self>("samegame eval")
    };

    fn check(&self) -> anyhow::Result<()> {
        check_range("count", self.count.map_or(1, NonZeroU32::get), 1..=1_000_000)?;
        check_colours(self.colours)
    }

    fn effort(&self) -> Option<Effort> {
        self.count().map(|count| Effort::new("count", count, 1))
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let count = self.count().map(|count| count as usize);
        let Size { width, height } = self.size;
        let boards = match &self.boards {
            Some(file) => BoardSet::File(file.clone()),
            None => BoardSet::Random { width, height, colours: self.colours as usize },
        };
        let mut algorithms = self.algorithms.clone();
        for folder in &self.tuned {
            algorithms.push(tuned_algorithm(folder)?);
        }
        let Context { seed, part, threads, ref out, .. } = *context;
        let (budgets, out) = (self.budgets.clone(), out.clone());
        let settings = Eval { boards, count, algorithms, budgets, seed, part, threads, out };
        let mut series = settings.open(context.stop)?;
        series.kept.iter().for_each(|kept| context.note_damage(&kept.folder));
        let (before, planned) = series.progress();
        if before > 0 {
            context.note(&format!("note: resuming after {} of {} games", grouped(before), grouped(planned)));
        }
        context.count("games", before, planned, "");
        let ending = series.play(context.stop, &mut |played| context.count("games", played, planned, ""))?;
        if ending == Ending::Stopped {
            let games = format!("{} of {} games", grouped(series.progress().0), grouped(planned));
            return Ok(match &context.out {
                Some(_) => context.interrupted(&games),
                None => Outcome::Interrupted(format!("{games} are lost; --out DIR would have kept them")),
            });
        }
        if !part.is_whole() {
            note_empty(context, planned);
            series.finish_part(context.stop)?;
            return Ok(PartDone::outcome(part, planned));
        }
        let (rows, costs) = series.finish(context.stop)?;
        Ok(Outcome::Done(Box::new(EvalTables { rows, costs })))
    }
}

/// What a series prints.
struct EvalTables {
    rows: Vec<EvalRow>,
    costs: Vec<CostRow>,
}

impl Answer for EvalTables {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.rows)
    }

    fn text(&self) -> String {
        columns(HEADER, &self.rows.iter().zip(&self.costs).map(for_people).collect::<Vec<_>>())
    }
}

const HEADER: [(&str, Align); 10] = [
    ("algorithm", Align::Left),
    ("budget", Align::Left),
    ("boards", Align::Right),
    ("mean", Align::Right),
    ("95 % interval", Align::Left),
    ("deviation", Align::Right),
    ("cleared", Align::Right),
    ("depth", Align::Right),
    ("deepest", Align::Right),
    ("CPU s/board", Align::Right),
];

fn for_people((row, cost): (&EvalRow, &CostRow)) -> [String; 10] {
    let depth = |depth: Option<f64>| depth.map_or("-".to_owned(), |depth| format!("{depth:.1}"));
    [
        row.algorithm.clone(),
        row.budget.clone(),
        grouped(row.boards as u64),
        format!("{:.1}", row.mean),
        format!("{:.1} to {:.1}", row.low, row.high),
        format!("{:.1}", row.deviation),
        grouped(row.cleared as u64),
        depth(row.mean_depth),
        depth(row.mean_deepest),
        format!("{:.3}", cost.cpu_seconds_a_board),
    ]
}

/// Settings of a series: every algorithm plays every board with every budget.
#[derive(Clone)]
pub struct Eval {
    pub boards: BoardSet,
    /// So many of the boards.
    pub count: Option<usize>,
    pub algorithms: Vec<Algorithm>,
    pub budgets: Vec<BudgetText>,
    pub seed: u64,
    /// Which of the boards are played.
    pub part: Part,
    pub threads: usize,
    /// The folder in which the series is kept.
    pub out: Option<PathBuf>,
}

/// An algorithm with a budget on all boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EvalRow {
    pub algorithm: String,
    pub budget: String,
    pub boards: usize,
    pub mean: f64,
    /// The standard deviation between boards.
    pub deviation: f64,
    /// The 95 % confidence interval of the mean over boards like these.
    pub low: f64,
    pub high: f64,
    pub total: i64,
    pub cleared: usize,
    pub mean_moves: f64,
    pub mean_playouts: f64,
    pub mean_nodes: f64,
    /// Averages over boards; empty without a tree.
    pub mean_depth: Option<f64>,
    pub mean_deepest: Option<f64>,
}

/// What a game cost. Kept apart from [`EvalRow`], as no two runs agree in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CostRow {
    pub algorithm: String,
    pub budget: String,
    pub cpu_seconds_a_board: f64,
    pub playouts_per_cpu_second: f64,
}

/// A game on one board: a row of `boards.csv`.
#[derive(Serialize, Deserialize)]
pub struct BoardRow {
    pub algorithm: String,
    pub budget: String,
    /// From 1.
    pub board: usize,
    pub score: i32,
    cleared: bool,
    moves: usize,
    playouts: u64,
    nodes: u64,
    mean_depth: Option<f64>,
    deepest: Option<f64>,
}

/// A series under way.
pub struct Series {
    settings: Eval,
    puzzles: Vec<Puzzle>,
    kept: Option<Kept>,
    records: Vec<Option<Record>>,
    /// Processor time of each game.
    seconds: Vec<f64>,
}

/// Where a series is kept: what was played, and what it took.
struct Kept {
    folder: Folder,
    journal: Journal,
    costs: Journal,
}

impl Eval {
    /// Opens the series, with everything that its folder holds already.
    pub fn open(self, stop: &AtomicBool) -> anyhow::Result<Series> {
        let puzzles = self.boards.puzzles(self.count, Seed::new(self.seed))?;
        let games = self.algorithms.len() * self.budgets.len() * puzzles.len();
        let mut records = vec![None; games];
        let mut seconds = vec![0.0; games];
        let mut kept = None;
        if let Some(path) = &self.out {
            let results = &["boards.csv", "solutions.json", "eval.csv"];
            let purpose = Purpose { results, ..Purpose::of(self.manifest(puzzles.len())?) };
            let mut folder = Folder::open(path, &purpose, stop)?;
            let take = |record: Record| {
                let slot = records.get_mut(record.game).ok_or_else(|| format!("the series has {games} games"))?;
                *slot = Some(record);
                Ok(())
            };
            let journal = Journal::open(folder.path().join(Journal::FILE), take)?;
            if self.own(&records, puzzles.len()).any(|(_, record)| record.is_none()) {
                folder.reopen()?;
            }
            let take = |cost: Cost| {
                *seconds.get_mut(cost.game).ok_or_else(|| format!("the series has {games} games"))? = cost.cpu_seconds;
                Ok(())
            };
            let costs = Journal::open(folder.path().join(Journal::COSTS), take)?;
            kept = Some(Kept { folder, journal, costs });
        }
        Ok(Series { settings: self, puzzles, kept, records, seconds })
    }

    fn manifest(&self, boards: usize) -> anyhow::Result<Map<String, Value>> {
        let texts = |texts: Vec<String>| Value::from(texts);
        let settings = [
            ("command", json!("samegame eval")),
            ("boards", self.boards.settings()?),
            ("count", json!(boards)),
            ("algorithms", texts(self.algorithms.iter().map(Algorithm::to_string).collect())),
            ("budgets", texts(self.budgets.iter().map(BudgetText::to_string).collect())),
            ("seed", json!(self.seed)),
        ];
        Ok(self.part.noted_in(settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
    }

    /// The games of the part, of `all` on so many boards.
    fn own<'r>(
        &self,
        all: &'r [Option<Record>],
        boards: usize,
    ) -> impl Iterator<Item = (usize, &'r Option<Record>)> + use<'r> {
        let own = self.part.range(boards as u64);
        all.iter().enumerate().filter(move |(game, _)| own.contains(&((game % boards) as u64)))
    }
}

impl Series {
    /// Games played, and games in all.
    pub fn progress(&self) -> (u64, u64) {
        let all = self.settings.own(&self.records, self.puzzles.len()).count();
        (self.records.iter().flatten().count() as u64, all as u64)
    }

    /// Plays what is missing; `watch` gets the number of games played after each. Once `stop` is set, games under way
    /// are ended and no others begun.
    pub fn play(&mut self, stop: &AtomicBool, watch: &mut dyn FnMut(u64)) -> anyhow::Result<Ending> {
        let own = self.settings.own(&self.records, self.puzzles.len());
        let missing: Vec<usize> = own.filter(|(_, record)| record.is_none()).map(|(game, _)| game).collect();
        let (mut played, _) = self.progress();
        let Self { settings, puzzles, kept, records, seconds } = self;
        let (settings, puzzles) = (&*settings, &*puzzles);
        Workers { threads: settings.threads, stop }.run(
            missing.into_iter(),
            || (),
            |(), game, desk, _| desk.hand_in(settings.play_game(puzzles, game)),
            |finished| {
                if let Some((record, cost)) = finished {
                    if let Some(Kept { journal, costs, .. }) = &mut *kept {
                        costs.append(&cost)?;
                        costs.flush()?;
                        journal.append(&record)?;
                        journal.flush()?;
                    }
                    let game = record.game;
                    seconds[game] = cost.cpu_seconds;
                    records[game] = Some(record);
                    played += 1;
                    watch(played);
                }
                Ok(ControlFlow::Continue(()))
            },
        )
    }

    /// Seals the folder of a part.
    fn finish_part(&mut self, stop: &AtomicBool) -> anyhow::Result<()> {
        let (games, _) = self.progress();
        if let Some(Kept { folder, journal, .. }) = &mut self.kept {
            journal.replace(self.records.iter().flatten())?;
            folder.finish(&json!({ "games": games }), stop)?;
        }
        Ok(())
    }

    /// The tables of a finished series, written to its folder too.
    pub fn finish(&mut self, stop: &AtomicBool) -> anyhow::Result<(Vec<EvalRow>, Vec<CostRow>)> {
        let mut rows = Vec::new();
        let mut costs = Vec::new();
        let boards = self.puzzles.len();
        for (part, (records, seconds)) in self.records.chunks(boards).zip(self.seconds.chunks(boards)).enumerate() {
            let records: Vec<&Record> = records.iter().flatten().collect();
            let (algorithm, budget) = self.settings.part(part);
            rows.push(row(algorithm.to_string(), budget.to_string(), &records));
            costs.push(cost(algorithm.to_string(), budget.to_string(), &records, seconds.iter().sum()));
        }
        let boards = to_csv(&self.board_rows(&rows))?;
        let solutions = ScoredLine::write_all(&self.best_lines());
        let games = self.records.len();
        if let Some(Kept { folder, journal, .. }) = &mut self.kept {
            // One order, however the games ended.
            journal.replace(self.records.iter().flatten())?;
            folder.write("boards.csv", &boards)?;
            folder.write("solutions.json", solutions.as_bytes())?;
            folder.write("cost.csv", &to_csv(&costs)?)?;
            folder.write("eval.csv", &to_csv(&rows)?)?;
            folder.finish(&json!({ "games": games }), stop)?;
        }
        Ok((rows, costs))
    }

    fn board_rows(&self, rows: &[EvalRow]) -> Vec<BoardRow> {
        let boards = self.puzzles.len();
        let row = |record: &Record| BoardRow {
            algorithm: rows[record.game / boards].algorithm.clone(),
            budget: rows[record.game / boards].budget.clone(),
            board: record.game % boards + 1,
            score: record.score,
            cleared: record.cleared,
            moves: record.moves.len(),
            playouts: record.playouts,
            nodes: record.nodes,
            mean_depth: record.mean_depth.map(|depth| round(depth, 3)),
            deepest: record.deepest.map(|depth| round(depth, 3)),
        };
        self.records.iter().flatten().map(row).collect()
    }

    /// The best line of each board, by its number from 1; the first of equals.
    pub fn best_lines(&self) -> BTreeMap<usize, ScoredLine> {
        let mut best: BTreeMap<usize, ScoredLine> = BTreeMap::new();
        for record in self.records.iter().flatten() {
            let number = record.game % self.puzzles.len() + 1;
            if best.get(&number).is_none_or(|solution| record.score > solution.score) {
                best.insert(number, ScoredLine { score: record.score, moves: record.moves.clone() });
            }
        }
        best
    }
}

impl Eval {
    /// The algorithm and budget of a row.
    fn part(&self, part: usize) -> (Algorithm, BudgetText) {
        (self.algorithms[part / self.budgets.len()], self.budgets[part % self.budgets.len()])
    }

    fn play_game(&self, puzzles: &[Puzzle], game: usize) -> (Record, Cost) {
        let board = game % puzzles.len();
        let (algorithm, budget) = self.part(game / puzzles.len());
        // All algorithms and budgets meet a board with the same seed.
        let seed = Seed::new(self.seed).child("samegame", board as u64);
        let clock = ThreadTime::now();
        let outcome = algorithm.solve(&puzzles[board], budget.budget(), seed);
        let cost = Cost { game, cpu_seconds: round(clock.elapsed().as_secs_f64(), 6) };
        let record = Record {
            game,
            score: outcome.score,
            cleared: outcome.cleared,
            playouts: outcome.playouts,
            nodes: outcome.nodes,
            mean_depth: outcome.mean_depth,
            deepest: outcome.deepest,
            moves: outcome.line,
        };
        (record, cost)
    }
}

fn row(algorithm: String, budget: String, records: &[&Record]) -> EvalRow {
    let boards = records.len();
    let average =
        |value: &dyn Fn(&Record) -> f64| records.iter().map(|record| value(record)).sum::<f64>() / boards as f64;
    let mean = average(&|record| f64::from(record.score));
    let squares = average(&|record| (f64::from(record.score) - mean).powi(2));
    // The unbiased estimate, of one board none.
    let deviation = if boards > 1 { (squares * boards as f64 / (boards - 1) as f64).sqrt() } else { 0.0 };
    let half = Z_95 * deviation / (boards as f64).sqrt();
    let depth = |value: fn(&Record) -> Option<f64>| {
        records
            .iter()
            .all(|record| value(record).is_some())
            .then(|| round(average(&|record| value(record).unwrap_or(0.0)), 3))
    };
    EvalRow {
        algorithm,
        budget,
        boards,
        mean: round(mean, 3),
        deviation: round(deviation, 3),
        low: round(mean - half, 3),
        high: round(mean + half, 3),
        total: records.iter().map(|record| i64::from(record.score)).sum(),
        cleared: records.iter().filter(|record| record.cleared).count(),
        mean_moves: round(average(&|record| record.moves.len() as f64), 3),
        mean_playouts: round(average(&|record| record.playouts as f64), 3),
        mean_nodes: round(average(&|record| record.nodes as f64), 3),
        mean_depth: depth(|record| record.mean_depth),
        mean_deepest: depth(|record| record.deepest),
    }
}

fn cost(algorithm: String, budget: String, records: &[&Record], seconds: f64) -> CostRow {
    let playouts: u64 = records.iter().map(|record| record.playouts).sum();
    CostRow {
        algorithm,
        budget,
        cpu_seconds_a_board: round(seconds / records.len() as f64, 3),
        playouts_per_cpu_second: round(playouts as f64 / seconds.max(1e-9), 0),
    }
}
