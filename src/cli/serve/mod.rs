//! `pipeline serve`: a page in the browser to play, to analyse positions and games, and to watch runs.
//!
//! The page asks this server for everything; the server keeps nothing of what it is asked. [`app`] is what the answers share, [`position`]
//! and [`games`] answer about boards, [`exchange`] reads and writes boards, [`runs`], [`replays`] and [`game_file`] show folders and files that were named
//! at the start, [`guard`] refuses what does not come from the page, [`assets`] is the page.

mod app;
mod assets;
mod exchange;
mod game_file;
mod games;
mod guard;
mod position;
mod replays;
mod replies;
mod router;
mod runs;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::examples::examples;
use super::line_up::ModelArgs;
use super::output::to_stdout;
use super::{Global, interrupt};
use app::App;

/// Nodes that one answer may cost unless `--node-limit` says otherwise.
const NODE_LIMIT: u64 = 5_000_000;
/// Connections at once.
const CONNECTIONS: usize = 256;
/// How long a connection may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection lasts; a page that listens connects again.
const LIFETIME: Duration = Duration::from_secs(900);
/// How often the end is looked for.
const TICK: Duration = Duration::from_millis(100);

/// Open a page in the browser: play, analyse positions and games, watch runs
///
/// The page is at the address that is printed. It can be reached from this machine alone unless --host says otherwise; it reads no file
/// but those under --runs and --replays, and writes none.
#[derive(Args)]
#[command(after_help = examples(
    &[
        "serve",
        "serve --runs runs --port 8080",
        "serve --replays games.jsonl --player corner-first+dss+posterior+least-mine",
    ],
    "",
))]
pub(super) struct ServeArgs {
    /// The address to listen on; 0.0.0.0 lets the whole network in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 8650)]
    port: u16,
    /// A name with its port under which browsers reach this server, such as mines.example.org:80; may be given several times
    #[arg(long, value_name = "HOST:PORT")]
    name: Vec<String>,
    /// The folder of a run, or of several, to show; may be given several times
    #[arg(long, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// A file of kept games, as `eval --keep-games` writes them; may be given several times
    #[arg(long, value_name = "FILE")]
    replays: Vec<PathBuf>,
    /// A player besides those with a name, as a recipe; may be given several times
    #[arg(long, value_name = "RECIPE")]
    player: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
    /// Give an answer up after this many nodes of search or counting
    #[arg(long, value_name = "N", default_value_t = NODE_LIMIT)]
    node_limit: u64,
}

pub(super) fn run(args: &ServeArgs, global: &Global) -> anyhow::Result<ExitCode> {
    let stop = interrupt::listen_and(|| {})?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(global.threads() + 8)
        .enable_io()
        .enable_time()
        .build()
        .context("can't start the threads of the server")?;
    let ended = runtime.block_on(async {
        let address = SocketAddr::new(args.host, args.port);
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("can't listen on {address}; --port N takes another port"))?;
        let address = listener.local_addr().context("can't tell where the server listens")?;
        let app = App::new(args, global, address)?;
        to_stdout(&format!("listening on http://{address}/\n"))?;
        if !address.ip().is_loopback() {
            global.note("note: everybody who reaches this machine can use this server");
        }
        accept(&listener, &Arc::new(app), stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(TICK);
    ended.map(|()| ExitCode::SUCCESS)
}

/// Answers until `stop` is set.
async fn accept(listener: &TcpListener, app: &Arc<App>, stop: &AtomicBool) {
    let service = router::router(app.clone());
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    while !stop.load(Ordering::Relaxed) {
        let Ok(taken) = tokio::time::timeout(TICK, async {
            let place = places.clone().acquire_owned().await;
            (place, listener.accept().await)
        })
        .await
        else {
            continue;
        };
        let (Ok(place), accepted) = taken else { break };
        let Ok((stream, _)) = accepted else {
            // Out of file handles, or a connection that was given up: the next may do better.
            tokio::time::sleep(TICK).await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(64 << 10);
            // What goes wrong with a connection is the business of who made it.
            let served = connection.serve_connection(TokioIo::new(stream), service);
            let _ = tokio::time::timeout(LIFETIME, served).await;
            drop(place);
        });
    }
}
