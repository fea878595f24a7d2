//! `pipeline report`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use mineflow_arena::{Table, Text};
use mineflow_store::is_beside_output;
use mineflow_tasks::{
    Answer, Context, Outcome, Stage,
    help::{EXIT_CODES, examples},
    json_lines,
};
use serde::Serialize;

use crate::{
    claim::{self, Claim},
    data::{Data, inside},
    entries, ggp,
    page::{filled, html},
    plots, samegame, sinha, strength,
    table::{as_it_stands, markdown},
    training,
};
use mineflow_tasks::plot::Figure;

/// The folder of the published tables and pages.
const FROM: &str = "notebooks-free-reports";
/// The pages with generated tables besides `report.md`, seen from the folder of the published
/// tables. A copy of the folder needs none of them.
const OTHER_PAGES: [&str; 4] = [
    "strength.md",
    "suites.md",
    "../README.md",
    "../data/README.md",
];
/// The levels of folders in which stages are looked for: those of runs, of pipelines and of their
/// stages.
const DEEPEST: u32 = 3;
/// The sections of a report on stages, each with its title and its mark. Sections
/// without rows are omitted, and those of tables are folded.
const OF_STAGES: [(&str, &str); 15] = [
    ("", "intro"),
    (
        "Against table 4 of Sinha et al.",
        "figure table-4 Games won on 9x9/10",
    ),
    ("Training", "figure training Validation games won"),
    ("Players on the same boards", "compared"),
    ("Mines", "figure figure-2 Games won by the share of mines"),
    ("Shape", "figure figure-3 Games won by height / width"),
    ("Size", "figure figure-4 Games won by the number of cells"),
    ("Time", "figure figure-5 CPU time of a game"),
    (
        "Calibration",
        "figure calibration Predicted and observed shares of mines",
    ),
    ("Table: games won", "games"),
    ("Table: 9x9/10 against table 4 of Sinha et al.", "table-4"),
    ("Table: training", "training"),
    ("Table: the regression of alpha", "alpha"),
    ("Table: what the trees of 5.0 split on", "importance"),
    ("Table: calibration on the boundary", "calibration"),
];

/// Write the report: tables and figures of the papers next to ours
///
/// Fills the generated tables of the published pages in place and writes index.html, or writes a
/// report on a pipeline's stages.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&["report", "report --runs runs/quickstart --out page"], EXIT_CODES))]
pub struct Report {
    /// Read the published tables and pages from this folder [default: notebooks-free-reports]
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Report on these stage folders, or on the stages anywhere inside these folders, separated by
    /// commas; needs --out
    #[arg(long, value_name = "DIRS", value_delimiter = ',')]
    pub runs: Vec<PathBuf>,
}

impl Stage for Report {
    fn check(&self) -> Result<()> {
        ensure!(
            self.from.is_none() || self.runs.is_empty(),
            "--from and --runs exclude each other"
        );
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let mut written = Written {
            files: Vec::new(),
            table_4: None,
        };
        let files = if self.runs.is_empty() {
            ensure!(
                context.out.is_none(),
                "--out needs --runs: without it the published pages are written where they stand"
            );
            published(self.from.as_deref().unwrap_or(Path::new(FROM)))?
        } else {
            let out = context.folder()?;
            mineflow_store::refuse_in_sealed(out)?;
            mineflow_store::refuse_other_owner(out, "report")?;
            let data = Data::of_stages(&stages(&self.runs)?, &|text| context.note(text))?;
            written.table_4 = Some(sinha::table_4(&data)?).filter(|table| !table.rows.is_empty());
            of_stages(data, out)?
        };
        for (path, text) in files {
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder)
                .with_context(|| format!("can't make {}", folder.display()))?;
            mineflow_store::write(&path, text.as_bytes())?;
            written.files.push(path.display().to_string());
        }
        Ok(Outcome::Done(Box::new(written)))
    }
}

/// The paths of the files written, and what a run is for: its players beside table 4 of Sinha et
/// al., if they played its games.
struct Written {
    files: Vec<String>,
    table_4: Option<Table>,
}

impl Answer for Written {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.files)
    }

    fn text(&self) -> Text {
        self.table_4
            .clone()
            .map(Text::from)
            .unwrap_or_default()
            .then(self.files.join("\n") + "\n")
    }
}

/// The tables and figures that replace the marks in pages.
struct Blocks {
    data: Data,
    claims: Vec<Claim>,
    figures: Vec<Figure>,
}

impl Blocks {
    /// Creates the blocks with games, training runs and calibration, which reports on stages also
    /// have.
    fn new(data: Data) -> Result<Self> {
        Ok(Self {
            claims: Vec::new(),
            figures: [
                sinha::figures(&data),
                vec![("table-4", sinha::against(&data)?)],
                training::figures(&data)?,
            ]
            .concat(),
            data,
        })
    }

    /// Returns the table of a mark or the link of a figure. The text is empty if there are no rows.
    fn block(&self, mark: &str) -> Result<String> {
        let data = &self.data;
        match mark.split_once(' ').unwrap_or((mark, "")) {
            ("intro", "") => Ok(training::intro(data)),
            ("compared", "") => strength::compared(data),
            ("games", "") => Ok(sinha::games(data)),
            ("table-4", "") => Ok(markdown(&sinha::table_4(data)?)),
            ("boards", "") => sinha::boards(data),
            ("trainings", "") => sinha::trainings(data),
            ("training", "") => training::records(data),
            ("importance", "") => training::importance(data),
            ("alpha", "") => training::alpha(data),
            ("calibration", "") => training::calibration(data),
            ("strength", "") => strength::strength(data),
            ("speed", "") => strength::speed(data),
            ("entries", folder) => entries::entries(&data.file(folder)?, data),
            ("paired", file) => strength::paired(data, file),
            ("claims", "") => Ok(claim::summary(&self.claims)),
            ("claims", "strip") => Ok(claim::strip(&self.claims)),
            ("claims", paper) => Ok(claim::of_paper(&self.claims, paper)),
            ("samegame", "table-5") => samegame::table_5(data),
            ("samegame", file) => samegame::beside(data, file),
            ("networks", "") => ggp::networks(data),
            ("matches", file) => ggp::matches(data, file),
            ("csv", of) => {
                let (file, columns) = of.split_once(' ').context("it needs a file and columns")?;
                as_it_stands(&data.file(file)?, columns)
            }
            ("figure", of) => {
                let (name, shows) = of.split_once(' ').unwrap_or((of, of));
                let mut figures = self.figures.iter();
                Ok(match figures.find(|(drawn, _)| *drawn == name) {
                    Some((_, Some(_))) => format!("![{shows}](figures/{name}.svg)"),
                    Some(_) if !self.claims.is_empty() => "Nothing to draw yet.".to_owned(),
                    _ => String::new(),
                })
            }
            _ => bail!("it names no table of the report"),
        }
    }

    /// Returns the page in Markdown and in HTML and the figures, by path.
    fn files(self, folder: &Path, page: String) -> Vec<(PathBuf, String)> {
        let mut files = vec![
            (folder.join("index.html"), html(&page, &self.figures)),
            (folder.join("report.md"), page),
        ];
        for (name, svg) in self.figures {
            files.extend(svg.map(|svg| (folder.join(format!("figures/{name}.svg")), svg)));
        }
        files
    }
}

/// Returns the published pages with their tables, the figures and `index.html`, by path.
///
/// # Errors
/// Returns an error if a table is missing or malformed, or a page has a mark that names no table.
pub fn published(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    ensure!(
        root.is_dir(),
        "there is no folder {} here; run `pipeline report` in the repository, or name stage folders with --runs and --out",
        root.display()
    );
    let mut blocks = Blocks::new(Data::published(root)?)?;
    blocks.claims = claim::claims(&blocks.data)?;
    blocks.figures.extend(plots::figures(&blocks.data)?);
    let filled = |path: &Path| {
        let text = fs::read_to_string(path)
            .with_context(|| format!("can't read the page {}", path.display()))?;
        filled(&text, |mark| blocks.block(mark)).with_context(|| path.display().to_string())
    };
    let page = filled(&root.join("report.md"))?;
    let mut pages = Vec::new();
    for path in OTHER_PAGES.map(|page| root.join(page)) {
        if path.exists() {
            let text = filled(&path)?;
            pages.push((path, text));
        }
    }
    let mut files = blocks.files(root, page);
    files.extend(pages);
    Ok(files)
}

/// Returns the files of the report on stages, by path.
fn of_stages(data: Data, out: &Path) -> Result<Vec<(PathBuf, String)>> {
    let blocks = Blocks::new(data)?;
    let name = out.parent().and_then(Path::file_name).unwrap_or_default();
    let mut page = format!("# Report: {}\n", name.display());
    for (heading, mark) in OF_STAGES {
        let block = blocks.block(mark)?;
        page += &match heading.strip_prefix("Table: ") {
            _ if block.is_empty() => continue,
            None if heading.is_empty() => format!("\n{block}\n"),
            None => format!("\n## {heading}\n\n{block}\n"),
            Some(of) => {
                format!("\n<details><summary>Table: {of}</summary>\n\n{block}\n\n</details>\n")
            }
        };
    }
    Ok(blocks.files(out, page))
}

/// Returns the stage folders among `runs`, and those inside all other folders in `runs`, without
/// duplicates.
fn stages(runs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut stages = Vec::new();
    for run in runs {
        add_stages(run, DEEPEST, &mut stages)
            .with_context(|| format!("can't read the folder {}", run.display()))?;
    }
    let mut known = std::collections::HashSet::new();
    stages.retain(|stage: &PathBuf| known.insert(fs::canonicalize(stage).ok()));
    Ok(stages)
}

/// Adds `folder` if it is a stage folder, otherwise the stage folders inside, down to this many
/// levels of folders.
fn add_stages(folder: &Path, deepest: u32, stages: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let files = ["manifest.json", "calibration.csv"];
    if files.iter().any(|file| folder.join(file).exists()) {
        stages.push(folder.to_owned());
        return Ok(());
    }
    for path in inside(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Unfinished stages and shards have no results, earlier outputs are not shown, and hidden
        // folders belong to other programs.
        let has_none = name.contains(".unfinished-") || is_beside_output(&path);
        if deepest > 0 && path.is_dir() && !name.starts_with('.') && !has_none {
            add_stages(&path, deepest - 1, stages)?;
        }
    }
    Ok(())
}
