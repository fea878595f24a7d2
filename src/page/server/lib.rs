#![doc = include_str!("../README.md")]
// Internal to the program.
#![doc(hidden)]

mod app;
mod assets;
mod game_file;
mod guard;
mod replays;
mod replies;
mod router;
mod runs;

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use clap::Args;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore};

use app::App;
use mineflow_answers::NODE_LIMIT;
use mineflow_tasks::ModelArgs;

/// The maximum number of simultaneous connections.
const CONNECTIONS: usize = 256;
/// The time a connection has to send its request headers.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum duration of a connection; a page that follows a training run reconnects.
const LIFETIME: Duration = Duration::from_secs(900);
/// Interval of checks of `stop`.
const TICK: Duration = Duration::from_millis(100);

/// Serve a page in the browser: play, analyse, solve puzzles, watch runs
///
/// The command prints the address of the page. Only this machine can reach it, unless --host gives
/// another address. Besides the models of players, the server reads only the files under --runs and
/// --replays, and it writes none.
#[derive(Args)]
pub struct ServeArgs {
    /// Listen on this address; with 0.0.0.0 the whole network can reach the server
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Listen on this port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 8650)]
    port: u16,
    /// Accept this host name of the server, such as mines.example.org
    ///
    /// Without :PORT, the name matches any port. A name with :80 or :443 also matches requests
    /// without a port, because browsers leave out these ports. May be given several times.
    #[arg(long, value_name = "HOST[:PORT]")]
    name: Vec<String>,
    /// Show the run in this folder, or all runs in its subfolders; may be given several times
    #[arg(long, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Show a file of saved games, as `eval --keep-games` writes it; may be given several times
    #[arg(long, value_name = "FILE")]
    replays: Vec<PathBuf>,
    /// Add a player by its recipe; may be given several times
    #[arg(long, value_name = "RECIPE")]
    player: Vec<String>,
    #[command(flatten)]
    models: ModelArgs,
    /// Limit each answer to N nodes of search or counting
    #[arg(long, value_name = "N", default_value_t = NODE_LIMIT)]
    node_limit: u64,
}

/// The program's parameters for the server.
pub struct ServeContext {
    /// Maximum number of requests answered at the same time.
    pub threads: usize,
    /// The folder with `registry.json`; `None` for the default folder.
    pub models: Option<PathBuf>,
    /// The flag that stops the server when it is set.
    pub stop: &'static AtomicBool,
    /// The function that prints the address.
    pub print: fn(&str) -> anyhow::Result<()>,
    /// The function that prints a warning.
    pub note: fn(&str),
}

/// Serves the page until `context.stop` is set.
///
/// # Errors
/// Returns an error if the address is in use, or a folder, a file of games, a model or a player in
/// `args` can't be read.
pub fn serve(args: &ServeArgs, context: &ServeContext) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(context.threads + 8)
        .enable_io()
        .enable_time()
        .build()
        .context("can't start the threads of the server")?;
    let ended = runtime.block_on(async {
        let address = SocketAddr::new(args.host, args.port);
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("can't listen on {address}; --port N takes another port"))?;
        let address = listener
            .local_addr()
            .context("can't find the address of the server")?;
        let app = App::new(args, context, address)?;
        (context.print)(&format!("listening on http://{address}/\n"))?;
        if !address.ip().is_loopback() {
            (context.note)("note: everyone who can reach this machine can use this server");
        }
        accept(&listener, &Arc::new(app), context.stop).await;
        Ok(())
    });
    runtime.shutdown_timeout(TICK);
    ended
}

/// Accepts connections until `stop` is set.
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
            // No file handle is left, or the client gave up: continue with the next connection.
            tokio::time::sleep(TICK).await;
            continue;
        };
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(64 << 10);
            // An error of a connection affects only its client.
            let served = connection.serve_connection(TokioIo::new(stream), service);
            let _ = tokio::time::timeout(LIFETIME, served).await;
            drop(place);
        });
    }
}
