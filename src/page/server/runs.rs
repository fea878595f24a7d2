//! Runs: the folders of stages in the arguments, in their current state.

use std::{
    fs::{self, File, FileType},
    io::{Read, Seek, SeekFrom},
    path::{self, PathBuf},
    time::{Duration, UNIX_EPOCH},
};

use axum::{
    body::{Body, Bytes},
    extract::{Path, State},
    http::{
        StatusCode,
        header::{CONTENT_SECURITY_POLICY, HeaderValue},
    },
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    app::{App, Shared},
    replies::{Reply, json_reply, text},
};
use mineflow_answers::Refusal;
use mineflow_store::{Journal, Lock, is_beside_output};
use mineflow_tasks::cost::StageCost;

/// The file of a training run's metrics.
const METRICS: &str = "metrics.jsonl";
/// Maximum size of a file that is sent, in bytes.
const LONGEST: u64 = 64 << 20;
/// Interval at which a growing file is read. `SILENT_LOOKS` is the number of reads without new data
/// after which a keep-alive is sent.
const LOOK: Duration = Duration::from_millis(400);
const SILENT_LOOKS: u32 = 25;
/// Maximum number of bytes of one read.
const PIECE: u64 = 1 << 20;

const KINDS: [(&str, &str); 6] = [
    ("html", "text/html; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
    ("json", "application/json"),
    ("jsonl", "text/plain; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

/// The folder of a run, or of a single stage.
pub(crate) struct RunFolder {
    name: String,
    path: PathBuf,
}

#[derive(Serialize)]
struct StageListed {
    name: String,
    command: String,
    state: &'static str,
    reason: &'static str,
    cpu_seconds: Option<f64>,
    /// The rounds or games of a running stage that are finished.
    done: Option<f64>,
    settings: Value,
    /// When its folder was locked first, in milliseconds since 1970.
    began: Option<u128>,
    metrics: bool,
    files: Vec<String>,
}

impl RunFolder {
    /// Returns the current runs in these folders: each folder is a run or contains runs.
    fn find(folders: &[PathBuf]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for path in folders.iter().flat_map(|folder| runs_in(folder)) {
            let name = file_name(&path);
            let numbered = (2..).map(|n| format!("{name}-{n}"));
            let name = std::iter::once(name.clone())
                .chain(numbered)
                .find(|name| found.iter().all(|run| run.name != *name));
            found.push(Self {
                name: name.expect("there are numbers enough"),
                path,
            });
        }
        found
    }

    fn stage_folders(&self) -> Vec<PathBuf> {
        if is_stage(&self.path) {
            vec![self.path.clone()]
        } else {
            entries(&self.path)
        }
    }

    /// Returns the run and its stages as JSON.
    fn list(&self) -> Value {
        let mut stages: Vec<StageListed> = self
            .stage_folders()
            .iter()
            .filter_map(|path| stage(path))
            .collect();
        // Stages start after those that they read.
        stages.sort_by_key(|stage| stage.began);
        json!({"name": self.name, "stages": stages})
    }

    /// Returns the folder of a stage, finished or not.
    fn stage(&self, name: &str) -> Option<PathBuf> {
        self.stage_folders()
            .into_iter()
            .filter(|path| stage(path).is_some())
            .find(|path| stage_name(path).0 == name)
    }
}

/// Returns the folders of runs in a folder, or the folder itself if it is one.
fn runs_in(folder: &path::Path) -> Vec<PathBuf> {
    let has_stages = |path: &path::Path| entries(path).iter().any(|path| stage(path).is_some());
    let mut inside = entries(folder);
    if is_stage(folder) {
        inside = vec![folder.to_owned()];
    } else if has_stages(folder) {
        // The folder may hold stages of its own beside the folders of pipelines.
        inside.retain(|path| stage(path).is_none() && !is_beside_output(path) && has_stages(path));
        inside.insert(0, folder.to_owned());
    }
    inside
}

/// Returns the last component of a path; that of `.` is the name of the folder.
fn file_name(path: &path::Path) -> String {
    match path.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => fs::canonicalize(path).map_or_else(
            |_| String::new(),
            |whole| whole.file_name().unwrap_or_default().display().to_string(),
        ),
    }
}

/// Returns the visible subfolders of a folder, sorted by name, without links.
fn entries(folder: &path::Path) -> Vec<PathBuf> {
    let mut folders = paths_in(folder, FileType::is_dir);
    folders.retain(|path| !file_name(path).starts_with('.'));
    folders
}

/// Returns the paths in a folder whose type `is_wanted`, sorted by name.
fn paths_in(folder: &path::Path, is_wanted: fn(&FileType) -> bool) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| is_wanted(&kind)))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

fn is_stage(folder: &path::Path) -> bool {
    ["stage.json", "manifest.json", METRICS]
        .iter()
        .any(|file| folder.join(file).is_file())
}

/// Returns the name of a stage from its folder, and whether it may be finished.
fn stage_name(folder: &path::Path) -> (String, bool) {
    let name = file_name(folder);
    match name.split_once(".unfinished-") {
        Some((name, _)) => (name.to_owned(), false),
        None => (name, true),
    }
}

fn stage(folder: &path::Path) -> Option<StageListed> {
    let (name, may_be_finished) = stage_name(folder);
    if is_beside_output(folder) || may_be_finished && !is_stage(folder) {
        return None;
    }
    let record = read_json(&folder.join("stage.json"));
    let manifest = read_json(&folder.join("manifest.json"));
    let mut commands = [&record, &manifest]
        .into_iter()
        .flat_map(|of| [&of["command"], &of["settings"]["command"]]);
    // A stage of a pipeline is finished with its record, and the folder of a single command with
    // the result in its manifest.
    let is_recorded = !record.is_null() || !manifest["result"].is_null();
    let (state, reason) = if may_be_finished && is_recorded {
        ("up-to-date", "finished")
    } else if folder.join("lock").is_file() && Lock::is_taken(folder) {
        ("running", "a process is working on it")
    } else {
        ("interrupted", "not finished; the same command resumes")
    };
    let cost = serde_json::from_value::<StageCost>(read_json(&folder.join("cost.json")));
    let files = paths_in(folder, FileType::is_file);
    let locked = fs::metadata(folder.join("lock")).and_then(|lock| lock.modified());
    let began = locked.map(|time| time.duration_since(UNIX_EPOCH));
    Some(StageListed {
        name,
        command: commands
            .find_map(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        state,
        reason,
        cpu_seconds: cost.ok().and_then(|cost| cost.cpu_seconds),
        done: (state == "running").then(|| done(folder)),
        settings: manifest["settings"].clone(),
        began: began.ok().and_then(Result::ok).map(|time| time.as_millis()),
        metrics: folder.join(METRICS).is_file(),
        files: files
            .iter()
            .map(|file| file_name(file))
            .filter(|name| kind(name).is_some())
            .collect(),
    })
}

/// Returns the number of finished rounds of a training, or of finished games of a series.
fn done(folder: &path::Path) -> f64 {
    // A line of metrics is a round.
    let metrics = mineflow_store::read_input(&folder.join(METRICS), LONGEST).unwrap_or_default();
    let mut done = metrics.iter().filter(|&&byte| byte == b'\n').count() as f64;
    let journal = folder.join(Journal::FILE);
    if fs::metadata(&journal).is_ok_and(|file| file.len() <= LONGEST) {
        // What can't be read of a journal isn't counted.
        let _ = Journal::read(&journal, |record: Value| {
            done += record["games"].as_f64().unwrap_or(1.0);
            Ok(())
        });
    }
    done
}

/// Reads a JSON file. Returns null if there is none.
fn read_json(path: &path::Path) -> Value {
    let bytes = mineflow_store::read_input(path, 16 << 20).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn kind(file: &str) -> Option<&'static str> {
    let (_, ending) = file.rsplit_once('.')?;
    KINDS
        .iter()
        .find(|(known, _)| *known == ending)
        .map(|(_, kind)| *kind)
}

fn run(app: &App, name: &str) -> Result<RunFolder, Refusal> {
    let mut runs = RunFolder::find(&app.runs).into_iter();
    runs.find(|run| run.name == name)
        .ok_or_else(|| Refusal::not_found("this folder has no such run"))
}

/// Returns the names of the runs.
pub(crate) fn names(app: &App) -> Vec<String> {
    RunFolder::find(&app.runs)
        .into_iter()
        .map(|run| run.name)
        .collect()
}

/// Returns the runs and their stages.
pub(crate) async fn list(State(app): State<Shared>) -> Reply {
    let listed = app.think(|app, _| {
        Ok(RunFolder::find(&app.runs)
            .iter()
            .map(RunFolder::list)
            .collect::<Vec<_>>())
    });
    json_reply(&listed.await?)
}

/// Sends a file of a stage. Only regular files directly in the stage's folder are sent, with the
/// names that [`list`] gives.
pub(crate) async fn file(
    State(app): State<Shared>,
    Path((run_name, stage_name, file)): Path<(String, String, String)>,
) -> Reply {
    let found = app.think(move |app, _| {
        let missing = || Refusal::not_found("this run has no such file");
        let folder = run(app, &run_name)?
            .stage(&stage_name)
            .ok_or_else(missing)?;
        let found = stage(&folder).is_some_and(|stage| stage.files.contains(&file));
        let kind = kind(&file).filter(|_| found).ok_or_else(missing)?;
        let bytes = mineflow_store::read_input(&folder.join(&file), LONGEST)
            .map_err(Refusal::unanswerable)?;
        Ok((kind, bytes))
    });
    let (kind, bytes) = found.await?;
    let mut response = text(StatusCode::OK, kind, bytes);
    // A report is an HTML page without scripts.
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups";
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    Ok(response)
}

/// Sends the lines of a training run's metrics as they are written.
pub(crate) async fn metrics(
    State(app): State<Shared>,
    Path((run_name, stage_name)): Path<(String, String)>,
) -> Reply {
    let path = run(&app, &run_name)?
        .stage(&stage_name)
        .ok_or_else(|| Refusal::not_found("this run has no such stage"))?
        .join(METRICS);
    let listener = app.listen()?;
    let follow = Follow {
        path,
        at: 0,
        rest: Vec::new(),
    };
    let events =
        futures_util::stream::unfold((follow, listener), |(mut follow, listener)| async move {
            let piece = follow.next().await;
            Some((Ok::<Bytes, std::io::Error>(piece), (follow, listener)))
        });
    let body = Body::from_stream(events);
    Ok(text(StatusCode::OK, "text/event-stream", body))
}

/// The state of a reader that follows a growing file.
struct Follow {
    path: PathBuf,
    at: u64,
    /// An incomplete line at the end of the file.
    rest: Vec<u8>,
}

impl Follow {
    /// Waits for the next piece to send, and returns it.
    async fn next(&mut self) -> Bytes {
        for _ in 0..SILENT_LOOKS {
            // This read may block, but only briefly, as its size is bounded.
            match self.look() {
                Ok(events) if !events.is_empty() => return events.into(),
                Ok(_) => {}
                Err(_) => self.rest.clear(),
            }
            tokio::time::sleep(LOOK).await;
        }
        Bytes::from_static(b": still here\n\n")
    }

    /// Reads the new complete lines, as events.
    fn look(&mut self) -> std::io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        // A training run that restarts rewrites the file from its beginning.
        if file.metadata()?.len() < self.at {
            self.at = 0;
            self.rest.clear();
        }
        file.seek(SeekFrom::Start(self.at))?;
        let mut piece = Vec::new();
        self.at += file.take(PIECE).read_to_end(&mut piece)? as u64;
        self.rest.extend(piece);
        let whole = self
            .rest
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.rest.drain(..whole).collect();
        let mut events = Vec::new();
        for line in lines
            .split(|&byte| byte == b'\n' || byte == b'\r')
            .filter(|line| !line.is_empty())
        {
            events.extend([b"data: ", line, b"\n\n"].concat());
        }
        Ok(events)
    }
}
