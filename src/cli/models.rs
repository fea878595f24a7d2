//! `pipeline models`.

use anyhow::Result;
use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{Global, terminal::named_lines};
use mineflow_arena::{TableOf, numbers::grouped};
use mineflow_model::{LEFT_OUT, Registry, Row};
use mineflow_tasks::{
    help::examples,
    models::{Description, Shape, importable, show, verify},
};

#[derive(Args)]
pub(super) struct ModelsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the model of each player
    #[command(after_help = examples(&["models list", "models list --models models"], ""))]
    List,
    /// Describe the model of a player, or any artifact file
    #[command(after_help = examples(&["models show 5.0", "models show trees.json --json"], ""))]
    Show {
        /// Choose a player of the registry, a file, or the folder of a training
        #[arg(value_name = "PLAYER|FILE")]
        name: String,
    },
    /// Check hash and loading of every registered artifact; exit code 1 on failure
    #[command(after_help = examples(&["models verify", "models verify --models models"], ""))]
    Verify,
    /// Register a copy of a file as a player's model, after a check. docs/src/formats.md describes
    /// the layout of the files and has Python code that writes them
    #[command(after_help = examples(
        &[
            "models import 5.0 trees.json --models my-models",
            "models import 5.5 network.safetensors --models my-models",
        ],
        "",
    ))]
    Import {
        /// Choose the player, such as 5.0; `my-5.0` keeps the published model of 5.0 and makes a player
        /// of this name; `alpha` for the file that 6.0 and 6.5 share
        player: String,
        /// Import this file: safetensors, or the output of XGBoost's save_model("name.json") or
        /// LightGBM's save_model("name.txt")
        file: PathBuf,
        /// Set the feature set that the model reads, if the file doesn't name it [default: the one that
        /// the player assumes]
        #[arg(long, value_name = "NAME")]
        features: Option<String>,
    },
}

pub(super) fn run(args: &ModelsArgs, global: &Global) -> Result<ExitCode> {
    match &args.what {
        What::List => list(global.published.registry()?, global),
        What::Show { name } => {
            let description = show(&global.published, name)?;
            global.print([&description], || for_people(&description))
        }
        What::Verify => verified(global.published.registry()?, global),
        What::Import {
            player,
            file,
            features,
        } => {
            let mut registry = Registry::open_or_new(global.models.as_deref())?;
            let (row, artifact) = importable(player, file, features.as_deref())?;
            let replaced = registry.publish(&row, &artifact.bytes)?;
            let path = registry.path(&row);
            let path = path.display();
            global.print([&row], || format!("{player} loads {path} from now on\n"))?;
            if let Some(left_out) = artifact.model.notes().get(LEFT_OUT) {
                global.note(&format!("note: the model leaves out {left_out}"));
            }
            if let Some(old) = replaced.filter(|old| old.file != row.file) {
                let old = registry.path(&old);
                let old = old.display();
                global.note(&format!("note: before it was {old}, which is kept"));
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A row of the registry, and whether its artifact comes from the models folder or from the
/// program.
#[derive(Serialize)]
struct ListedRow<'a> {
    #[serde(flatten)]
    row: &'a Row,
    from: &'static str,
}

fn list(registry: &Registry, global: &Global) -> Result<ExitCode> {
    let listed = |row| ListedRow {
        row,
        from: match registry.is_built_in(row) {
            true => "program",
            false => "folder",
        },
    };
    let rows: Vec<_> = registry.rows().map(listed).collect();
    global.print(&rows, || {
        TableOf::new(&rows)
            .left("player", |of| &of.row.player)
            .left("features", |of| &of.row.features)
            .left("file", |of| &of.row.file)
            .left("from", |of| of.from)
            .left("command", |of| &of.row.command)
            .text()
    })
}

fn verified(registry: &Registry, global: &Global) -> Result<ExitCode> {
    let verdicts = verify(registry);
    global.print(&verdicts, || {
        TableOf::new(&verdicts)
            .left("player", |verdict| &verdict.player)
            .left("file", |verdict| &verdict.file)
            .left("verdict", |verdict| {
                verdict.fault.as_deref().unwrap_or("ok")
            })
            .text()
    })?;
    Ok(ExitCode::from(u8::from(
        verdicts.iter().any(|verdict| verdict.fault.is_some()),
    )))
}

fn for_people(description: &Description) -> String {
    let features = description.features.as_deref().unwrap_or("not said");
    let mut lines = vec![
        ("file", description.file.clone()),
        ("sha256", description.sha256.clone()),
        ("features", features.to_owned()),
        ("inputs", description.inputs.to_string()),
        ("outputs", description.outputs.to_string()),
    ];
    let kind = match &description.shape {
        Shape::Mlp { layers, parameters } => {
            lines.extend(layers.iter().map(|l| {
                let layer = format!("{} -> {} {}", l.inputs, l.outputs, l.activation);
                ("layer", layer)
            }));
            format!("a network of {} parameters", grouped(*parameters as u64))
        }
        Shape::Forest {
            objective,
            trees,
            depth,
            nodes,
            columns,
        } => {
            lines.push(("objective", (*objective).to_owned()));
            let columns = match columns.is_empty() {
                true => "not named".to_owned(),
                false => columns.join(", "),
            };
            lines.push(("columns", columns));
            let nodes = grouped(*nodes as u64);
            format!("{trees} trees of depth {depth} with {nodes} nodes")
        }
        Shape::Linear {
            theta: [p, q, ratio, constant],
        } => {
            let formula = format!("{p} p + {q} q + {ratio} mines / (p q) + {constant}");
            lines.push(("alpha", formula));
            "alpha".to_owned()
        }
    };
    lines.insert(0, ("kind", kind));
    let notes = description.notes.iter();
    lines.extend(notes.map(|(key, value)| (key.as_str(), value.clone())));
    named_lines(lines)
}
