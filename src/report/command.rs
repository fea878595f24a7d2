//! `pipeline report`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use mineflow_arena::Text;
use mineflow_store::is_beside_output;
use mineflow_tasks::help::{EXIT_CODES, examples};
use mineflow_tasks::{Answer, Context, Outcome, Stage, json_lines};
use serde::Serialize;

use crate::claim::Claim;
use crate::data::Data;
use crate::page::{filled, html};
use crate::samegame::Tables;
use crate::table::as_it_stands;
use crate::{claim, entries, ggp, sinha, strength, training};

/// The folder of the published tables and pages.
const FROM: &str = "notebooks-free-reports";
/// The pages with generated tables in the folder of the published tables. A copy of the folder needs only the first page.
const PAGES: [&str; 5] = [
    "report.md",
    "strength.md",
    "suites.md",
    "../README.md",
    "../data/README.md",
];
/// The levels of folders in which stages are looked for: those of runs, of pipelines and of their stages.
const DEEPEST: u32 = 3;
/// The sections of a report on stages, each with its title and the marks of its contents. Sections without rows are omitted.
const OF_STAGES: [(&str, &[&str]); 8] = [
    ("Games won, with 95 % intervals", &["games"]),
    (
        "9x9 boards with 10 mines beside table 4 of Sinha et al.",
        &["table-4"],
    ),
    (
        "Games won by mine ratio, a line for each player",
        &["figure figure-2"],
    ),
    (
        "Games won by height / width and by number of cells",
        &["figure figure-3", "figure figure-4"],
    ),
    ("Time per game", &["figure figure-5"]),
    ("Training", &["training", "figure training", "alpha"]),
    ("What the trees of 5.0 split on", &["importance"]),
    (
        "Calibration on the boundary",
        &["calibration", "figure calibration"],
    ),
];

/// Write the report: tables and figures of the papers next to ours
///
/// Fills the generated tables of the published pages in place and writes index.html, or writes a report on a pipeline's stages.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&["report", "report --runs runs/quickstart --out page"], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// Read the published tables and pages from this folder [default: notebooks-free-reports]
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Report on these stage folders, or on the stages anywhere inside these folders, separated by commas; needs --out
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
            mineflow_store::refuse_in_sealed(out)?;
            mineflow_store::refuse_other_owner(out, "report")?;
            of_stages(&stages(&self.runs)?, out, &|text| context.note(text))?
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

/// The paths of the files written.
struct Written(Vec<String>);

impl Answer for Written {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(&self.0)
    }

    fn text(&self) -> Text {
        Text::from(self.0.join("\n") + "\n")
    }
}

/// The tables and figures that replace the marks in pages.
struct Blocks<'a> {
    data: &'a Data,
    samegame: Tables<'a>,
    claims: Vec<Claim>,
    /// SVG charts by name.
    figures: Vec<(&'static str, String)>,
}

impl<'a> Blocks<'a> {
    /// Creates the blocks with games, training runs and calibration, which reports on stages also have.
    fn new(data: &'a Data) -> anyhow::Result<Self> {
        let mut figures = sinha::figures(data);
        figures.extend(training::figures(data)?);
        Ok(Self {
            data,
            samegame: Tables::new(data)?,
            claims: Vec::new(),
            figures,
        })
    }

    /// Returns the table of a mark or the link of a figure. The text is empty if there are no rows.
    fn block(&self, mark: &str) -> anyhow::Result<String> {
        let (data, (name, of)) = (self.data, mark.split_once(' ').unwrap_or((mark, "")));
        match (name, of) {
            ("games", "") => Ok(sinha::games(data)),
            ("table-4", "") => Ok(sinha::table_4(data)),
            ("boards", "") => Ok(sinha::boards(data)),
            ("trainings", "") => Ok(sinha::Trainings::of(data)?.table()),
            ("training", "") => training::records(data),
            ("importance", "") => training::importance(data),
            ("alpha", "") => training::alpha(data),
            ("calibration", "") => training::calibration(data),
            ("strength", "") => strength::strength(data),
            ("speed", "") => strength::speed(data),
            ("entries", folder) => entries::entries(&data.file(folder)?, data),
            ("paired", file) => strength::paired(data, file),
            ("claims", "") => Ok(claim::summary(&self.claims)),
            ("claims", paper) => Ok(claim::of_paper(&self.claims, paper)),
            ("samegame", "table-5") => self.samegame.table_5(),
            ("samegame", file) => self.samegame.beside(file),
            ("networks", "") => ggp::networks(data),
            ("matches", file) => ggp::matches(data, file),
            ("csv", of) => {
                let (file, columns) = of.split_once(' ').context("it needs a file and columns")?;
                as_it_stands(&data.file(file)?, columns)
            }
            ("figure", of) => {
                let (name, shows) = of.split_once(' ').unwrap_or((of, of));
                let is_drawn = self.figures.iter().any(|(drawn, _)| *drawn == name);
                Ok(if is_drawn {
                    format!("![{shows}](figures/{name}.svg)")
                } else {
                    String::new()
                })
            }
            _ => bail!("it names no table of the report"),
        }
    }
}

/// Returns the published pages with their tables, the figures and `index.html`, by path.
///
/// # Errors
/// Returns an error if a table is missing or malformed, or a page has a mark that names no table.
pub fn published(root: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    ensure!(
        root.is_dir(),
        "there is no folder {} here; run `pipeline report` in the repository, or name stage folders with --runs and --out",
        root.display()
    );
    let data = Data::published(root)?;
    let mut blocks = Blocks::new(&data)?;
    let measured = [
        sinha::cases(&data)?,
        blocks.samegame.cases()?,
        ggp::cases(&data)?,
    ];
    blocks.claims = claim::claims(measured.concat())?;
    blocks.figures.extend(strength::figures(&data)?);
    blocks.figures.extend(blocks.samegame.figures()?);
    let mut files = Vec::new();
    for page in PAGES {
        let path = root.join(page);
        if page != PAGES[0] && !path.exists() {
            continue;
        }
        let text = fs::read_to_string(&path)
            .with_context(|| format!("can't read the page {}", path.display()))?;
        let text =
            filled(&text, |mark| blocks.block(mark)).with_context(|| path.display().to_string())?;
        if page == "report.md" {
            files.push((root.join("index.html"), html(&text, &blocks.figures)));
        }
        files.push((path, text));
    }
    files.extend(drawn(root, blocks.figures));
    Ok(files)
}

fn drawn(
    folder: &Path,
    figures: Vec<(&'static str, String)>,
) -> impl Iterator<Item = (PathBuf, String)> {
    figures
        .into_iter()
        .map(|(name, svg)| (folder.join(format!("figures/{name}.svg")), svg))
}

/// Returns the files of the report on stages, by path.
fn of_stages(
    folders: &[PathBuf],
    out: &Path,
    note: &dyn Fn(&str),
) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let data = Data::of_stages(folders, note)?;
    let blocks = Blocks::new(&data)?;
    let mut page = "# Report of a run\n".to_owned();
    for (heading, marks) in OF_STAGES {
        let found: Vec<String> = marks
            .iter()
            .map(|mark| blocks.block(mark))
            .collect::<Result<_, _>>()?;
        let found: String = found
            .iter()
            .filter(|block| !block.is_empty())
            .map(|block| format!("\n{block}\n"))
            .collect();
        if !found.is_empty() {
            page += &format!("\n## {heading}\n{found}");
        }
    }
    let mut files = vec![
        (out.join("index.html"), html(&page, &blocks.figures)),
        (out.join("report.md"), page),
    ];
    files.extend(drawn(out, blocks.figures));
    Ok(files)
}

/// Returns the stage folders among `runs`, and those inside all other folders in `runs`, without duplicates.
fn stages(runs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut stages = Vec::new();
    for run in runs {
        add_stages(run, DEEPEST, &mut stages)
            .with_context(|| format!("can't read the folder {}", run.display()))?;
    }
    let mut known = std::collections::HashSet::new();
    stages.retain(|stage: &PathBuf| known.insert(fs::canonicalize(stage).ok()));
    Ok(stages)
}

/// Adds `folder` if it is a stage folder, otherwise the stage folders inside, down to this many levels of folders.
fn add_stages(folder: &Path, deepest: u32, stages: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let is_stage = |file: &str| folder.join(file).exists();
    if ["manifest.json", "calibration.csv"]
        .into_iter()
        .any(is_stage)
    {
        stages.push(folder.to_owned());
        return Ok(());
    }
    let mut inside = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    inside.sort();
    for path in inside.iter().filter(|path| deepest > 0 && path.is_dir()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Unfinished stages and shards have no results, earlier outputs are not shown, and hidden folders belong to other programs.
        let is_hidden = name.starts_with('.');
        if !(is_hidden || name.contains(".unfinished-") || is_beside_output(path)) {
            add_stages(path, deepest - 1, stages)?;
        }
    }
    Ok(())
}
