//! Tests of matches between players of rule sheets: who wins, and that interruptions don't change
//! the rows.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use mineflow_arena::Part;
use mineflow_gdl::player::MoveBudget;
use mineflow_tasks::ggp_match::{Matches, Played, Standing, cooperative_standing, standings};

use crate::files::{read_text, repository, tempdir, write_file};
use crate::orchard::Orchard;
use crate::unfinish::unfinish;

fn sheet_of(name: &str) -> PathBuf {
    repository()
        .join("pipelines/ggp")
        .join(name)
        .with_extension("kif")
}

fn series(game: &str, players: &[&str], matches: u32, samples: u64) -> Matches {
    Matches {
        sheets: vec![sheet_of(game)],
        line_ups: vec![
            players
                .iter()
                .map(|player| player.parse().unwrap())
                .collect(),
        ],
        matches,
        series: 1,
        budget: MoveBudget::Playouts(samples),
        horizon: 1000,
        luck_corrected: false,
        most_explored: 100_000,
        seed: 1,
        part: Part::WHOLE,
        sprt: None,
        threads: 1,
        out: None,
    }
}

fn play(matches: &Matches) -> Played {
    let never = AtomicBool::new(false);
    mineflow_tasks::ggp_match::play(matches, &never, &mut |_| {})
        .unwrap()
        .pairings
        .remove(0)
}

/// Returns the standing of the first player.
fn standing(matches: &Matches) -> Standing {
    standings(&matches.pairings().next().unwrap(), &play(matches)).remove(0)
}

#[test]
fn every_player_beats_one_that_moves_at_random() {
    for player in [
        "uct",
        "uct:explore=1",
        "mac-ucb",
        "mac-ucb:samples=30",
        "fc-ucb",
    ] {
        let matches = series("tic-tac-toe", &[player, "random"], 10, 1000);
        let standing = standing(&matches);
        assert!(standing.losses == 0 && standing.wins >= 7, "{standing:?}");
    }
}

#[test]
fn series_keep_the_players_knowledge() {
    let explored =
        |played: &Played| -> u64 { played.rows.iter().flat_map(|row| &row.explored).sum() };
    let mut matches = series("tic-tac-toe", &["mac-ucb", "uct"], 7, 60);
    let anew = play(&matches);
    matches.series = 3;
    let kept = play(&matches);
    assert!(explored(&kept) > explored(&anew));
    assert_eq!(
        [&kept.rows[0], &kept.rows[3], &kept.rows[6]],
        [&anew.rows[0], &anew.rows[3], &anew.rows[6]]
    );
}

#[test]
fn an_interrupted_run_keeps_its_rows_and_plays_only_the_missing_matches() {
    let dir = tempdir();
    let mut matches = series("tic-tac-toe", &["uct", "random"], 9, 30);
    matches.out = Some(dir.join("matches").to_path_buf());
    let folder = matches.out.clone().unwrap();
    let rows = play(&matches).rows;
    let read = |name: &str| read_text(folder.join(name));
    let (table, manifest) = (read("matches.csv"), read("manifest.json"));
    let lines = |count: usize| {
        table
            .lines()
            .take(count)
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    // Leaves only some rows in the table, as in an unfinished folder from before journals were
    // written. These matches are not played again.
    let cut = |rows: &str| {
        unfinish(&folder);
        write_file(folder.join("matches.csv"), rows);
    };
    cut(&lines(4).replacen(",true,", ",false,", 1));
    let resumed = play(&matches).rows;
    assert_eq!((resumed[0].ended, &resumed[1..]), (false, &rows[1..]));
    // The journal contains the same rows, and its last line is torn.
    let journal: String = rows[..5]
        .iter()
        .map(|row| {
            let text = serde_json::to_string(row).unwrap();
            format!(
                "[\"{}\",{text}]\n",
                &mineflow_store::sha256(text.as_bytes())[..8]
            )
        })
        .collect();
    cut("");
    write_file(folder.join("journal.jsonl"), &journal[..journal.len() - 9]);
    assert_eq!(play(&matches).rows, rows);
    assert!(
        read("matches.csv") == table
            && read("manifest.json") == manifest
            && !folder.join("journal.jsonl").exists()
    );
    // A cell that is not a number is an error, not 0.
    cut(&lines(3).replacen("0,", "zero,", 1));
    let never = AtomicBool::new(false);
    let wrong = mineflow_tasks::ggp_match::play(&matches, &never, &mut |_| {}).unwrap_err();
    assert!(format!("{wrong:#}").contains("matches.csv"), "{wrong:#}");
}

#[test]
fn players_keep_to_their_budget() {
    for player in ["uct:playouts=70", "mac-ucb:playouts=70"] {
        let players = [player, "uct:playouts=40"];
        let alone = play(&series("kaseklau", &players, 6, 50)).rows;
        assert_eq!(alone[0].players, players);
        // A player uses its budget exactly, or less if a state is already known.
        let (made, moves) = (alone[0].samples[0], alone[0].moves[0]);
        assert!(
            made <= 70 * moves && made > 10 * moves,
            "{player}: {made} in {moves} moves"
        );
    }
}

#[test]
fn the_win_rate_in_orchard_is_between_those_of_worst_and_optimal_play() {
    let share = |pick| Orchard::new(pick).won([10; 4], 0);
    let (worst, best) = (share(f64::min), share(f64::max));
    // Koriche et al. (English paper, section 5.2) report about 70 %.
    assert!(
        (best - 0.684).abs() < 5e-4 && (worst - 0.532).abs() < 5e-4,
        "{best}, {worst}"
    );
    let matches = 400;
    let error = 3.0 * (best * (1.0 - best) / f64::from(matches)).sqrt();
    for player in ["uct", "mac-ucb", "fc-ucb"] {
        let standing = cooperative_standing(
            &player.parse().unwrap(),
            &play(&series("orchard", &[player], matches, 10)),
        );
        let score = standing.score.unwrap() / 100.0;
        assert!(
            (worst - error..best + error).contains(&score),
            "{worst} to {best}: {standing:?}"
        );
    }
}

#[test]
fn scores_without_luck_have_the_same_mean_and_less_variance() {
    let matches = Matches {
        luck_corrected: true,
        ..series("kaseklau", &["uct", "random"], 60, 20)
    };
    let standing = standing(&matches);
    let (raw, corrected) = (standing.interval.unwrap(), standing.corrected.unwrap());
    let width = corrected.high - corrected.low;
    assert!(width < 0.8 * (raw.high - raw.low), "{standing:?}");
    // Both intervals contain the expected score, but for one series in hundreds.
    let apart = (corrected.score - standing.score.unwrap()).abs();
    assert!(apart < raw.high - raw.low, "{standing:?}");
}
