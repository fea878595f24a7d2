//! `pipeline report`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use mineflow_tasks::help::{EXIT_CODES, examples};
use mineflow_tasks::{Answer, Context, Outcome, Stage, json_lines};
use serde::Serialize;

use crate::data::Data;
use crate::page::{Block, filled, html, of_blocks};
use crate::samegame::Tables;
use crate::table::as_it_stands;
use crate::{claim, ggp, sinha, strength, training};

/// The folder of the published tables and pages.
const FROM: &str = "notebooks-free-reports";
/// Pages of that folder with tables between marks.
const PAGES: [&str; 4] = ["report.md", "strength.md", "suites.md", "../README.md"];
/// The sections of a report of stages.
const OF_STAGES: [(&str, &[&str]); 7] = [
    ("Games won, with 95 % intervals", &["games"]),
    (
        "9x9 boards with 10 mines beside table 4 of Sinha et al.",
        &["table-4"],
    ),
    (
        "Games won by ratio of mines, ratio of the sides and number of cells",
        &["figure-2", "figure-3", "figure-4"],
    ),
    ("Time per game", &["figure-5"]),
    ("Training", &["training-records", "training"]),
    (
        "What the trees of 5.0 split on, and the regression of alpha",
        &["importance", "alpha"],
    ),
    (
        "Calibration on the boundary",
        &["calibration-scores", "calibration"],
    ),
];
/// What figures show, for those who can't see them.
const FIGURES: [(&str, &str); 9] = [
    (
        "figure-2",
        "Games won against the ratio of mines, a line for each player",
    ),
    (
        "figure-3",
        "Games won against height divided by width, a line for each player",
    ),
    (
        "figure-4",
        "Games won against the number of cells, a line for each player",
    ),
    (
        "figure-5",
        "CPU time per game against the ratio of mines, a line for each player",
    ),
    (
        "training",
        "Validation games won after each episode of training",
    ),
    (
        "calibration",
        "Observed share of mines against the predicted probability",
    ),
    (
        "strength-safe",
        "Games won against games per CPU second, expert boards with a safe first click",
    ),
    (
        "strength-opening",
        "Games won against games per CPU second, expert boards with an opening",
    ),
    (
        "samegame-searches",
        "Mean points against the number of searches that share a budget",
    ),
];

/// Write the report: the papers' tables and figures beside ours
///
/// Fills the tables of the published pages where they stand and writes index.html, or makes a report of a pipeline's stages.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&["report", "report --runs runs/quickstart --out page"], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// Folder of the published tables and pages [default: notebooks-free-reports]
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Folders of a pipeline's stages instead, or the one that they lie in, separated by commas; needs --out
    #[arg(long, value_name = "DIRS", value_delimiter = ',')]
    pub runs: Vec<PathBuf>,
}

impl Stage for Report {
    fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.from.is_none() || self.runs.is_empty(),
            "--from and --runs exclude each other"
        );
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let files = if self.runs.is_empty() {
            ensure!(
                context.out.is_none(),
                "--out needs --runs: without it the published pages are written where they stand"
            );
            published(self.from.as_deref().unwrap_or(Path::new(FROM)))?
        } else {
            let out = context.folder()?;
            mineflow_store::refuse_other_owner(out, "report")?;
            of_stages(&stages(&self.runs)?, out)?
        };
        let mut written = Vec::new();
        for (path, text) in files {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder)
                .with_context(|| format!("can't make {}", folder.display()))?;
            mineflow_store::write(&path, text.as_bytes())?;
            written.push(path.display().to_string());
        }
        Ok(Outcome::Done(Box::new(Written(written))))
    }
}

/// The files that were written.
struct Written(Vec<String>);

impl Answer for Written {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.0)
    }

    fn text(&self) -> String {
        self.0.join("\n") + "\n"
    }
}

/// The published pages with their tables, the figures and `index.html`, by their paths.
///
/// # Errors
/// A table that is missing or isn't what it should be, or a page with marks that name no table.
pub fn published(root: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let data = Data::published(root)?;
    let (mut blocks, mut figures) = of_games(&data)?;
    let tables = Tables::new(&data)?;
    let measured = [sinha::cases(&data)?, tables.cases()?, ggp::cases(&data)?].concat();
    let claims = claim::claims(measured)?;
    let mut add = |name: &str, block: String| blocks.push((name.to_owned(), block));
    add("claims", claim::summary(&claims));
    for (paper, _) in claim::PAPERS {
        add(&format!("claims-{paper}"), claim::of_paper(&claims, paper));
    }
    add("strength", strength::strength(&data)?);
    add("speed", strength::speed(&data)?);
    add("boards", sinha::boards(&data));
    add("trainings", sinha::Trainings::of(&data)?.table());
    for name in ["pairs", "worth", "limited", "search"] {
        add(name, strength::paired(&data, name)?);
    }
    for name in SAMEGAME {
        add(&format!("samegame-{name}"), tables.beside(name)?);
    }
    add("samegame-table-5", tables.table_5()?);
    add("ggp-networks", ggp::networks(&data)?);
    for name in ["table3", "times", "figure5", "figure6"] {
        add(&format!("ggp-{name}"), ggp::matches(&data, name)?);
    }
    for (name, file, columns) in AS_THEY_STAND {
        add(name, as_it_stands(&root.join(file), columns)?);
    }
    figures.extend(strength::figures(&data)?);
    figures.extend(tables.figures()?);
    let figures = named(&mut blocks, figures);
    let mut files = Vec::new();
    for page in PAGES {
        let path = root.join(page);
        let text = fs::read_to_string(&path)
            .with_context(|| format!("can't read the page {}", path.display()))?;
        let text = filled(&text, &blocks).with_context(|| path.display().to_string())?;
        if page == "report.md" {
            files.push((root.join("index.html"), html(&text, &figures)));
        }
        files.push((path, text));
    }
    files.extend(
        figures
            .into_iter()
            .map(|(name, svg)| (root.join(format!("figures/{name}.svg")), svg)),
    );
    Ok(files)
}

/// Tables of SameGame that have one form.
const SAMEGAME: [&str; 10] = [
    "table-1",
    "table-2",
    "units",
    "table-3",
    "table-4",
    "table-6",
    "table-7",
    "variants-game",
    "variants-move",
    "rivals",
];
/// Tables that show columns of a file.
const AS_THEY_STAND: [(&str, &str, &str); 7] = [
    (
        "rivals",
        "play/peers.csv",
        "player,board,first_click,first_cell,win_percent,plus_minus,games,games_per_cpu_second,figure,source",
    ),
    (
        "optimum",
        "play/optimum.csv",
        "board,first_click,player,first_cell,win_ratio,below_best",
    ),
    (
        "suites-optimum",
        "suites/optimum.csv",
        "board,first_click,player,first_cell,win_ratio,below_best",
    ),
    (
        "suites",
        "suites/suites.csv",
        "suite,board,first_click,cascade,player,games,corrected_win_ratio",
    ),
    (
        "steps",
        "suites/steps.csv",
        "board,boards,jumanji_steps_per_cpu_second,steps_per_cpu_second,times",
    ),
    (
        "probabilities",
        "suites/probabilities.csv",
        "views,program_cpu_seconds,probabilities_cpu_seconds,layouts_cpu_seconds",
    ),
    (
        "ggp-engines",
        "ggp/equality.csv",
        "game,engines,playouts,states,difference",
    ),
];

/// What a report of stages shows too: tables and figures of games, trainings and calibration.
fn of_games(data: &Data) -> anyhow::Result<(Vec<Block>, Vec<(&'static str, String)>)> {
    let blocks = [
        ("games", sinha::games(data)),
        ("table-4", sinha::table_4(data)),
        ("training-records", training::records(data)?),
        ("importance", training::importance(data)?),
        ("alpha", training::alpha(data)?),
        ("calibration-scores", training::calibration(data)?),
    ];
    let mut figures = sinha::figures(data);
    figures.extend(training::figures(data)?);
    Ok((
        blocks.map(|(name, block)| (name.to_owned(), block)).into(),
        figures,
    ))
}

/// Adds the links of figures to the blocks; those without data are empty.
fn named(blocks: &mut Vec<Block>, figures: Vec<(&'static str, String)>) -> Vec<(String, String)> {
    for (name, shows) in FIGURES {
        let drawn = figures.iter().any(|(drawn, _)| *drawn == name);
        blocks.push((
            name.to_owned(),
            if drawn {
                format!("![{shows}](figures/{name}.svg)")
            } else {
                String::new()
            },
        ));
    }
    figures
        .into_iter()
        .map(|(name, svg)| (name.to_owned(), svg))
        .collect()
}

/// The report of stages.
fn of_stages(folders: &[PathBuf], out: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let data = Data::of_stages(folders)?;
    let (mut blocks, figures) = of_games(&data)?;
    let figures = named(&mut blocks, figures);
    let page = of_blocks("Report of a run", &OF_STAGES, &blocks);
    let mut files = vec![
        (out.join("index.html"), html(&page, &figures)),
        (out.join("report.md"), page),
    ];
    files.extend(
        figures
            .into_iter()
            .map(|(name, svg)| (out.join(format!("figures/{name}.svg")), svg)),
    );
    Ok(files)
}

/// The folders of stages that `runs` are, or that lie in them.
fn stages(runs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut stages = Vec::new();
    for run in runs {
        if ["manifest.json", "calibration.csv"]
            .iter()
            .any(|file| run.join(file).exists())
        {
            stages.push(run.clone());
            continue;
        }
        let read = || {
            fs::read_dir(run)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<_>, _>>()
        };
        let mut inside =
            read().with_context(|| format!("can't read the folder {}", run.display()))?;
        inside.sort();
        stages.extend(inside);
    }
    Ok(stages)
}
