//! Tests of estimates, confidence levels and sequential tests, and of the texts of numbers.

use mineflow_arena::numbers::{counted, ends, gain, grouped, list, seconds};
use mineflow_arena::{
    Confidence, Estimate, Rounds, Sprt, SprtVerdict, WeightedGames, Z_95, plain, plain_message,
};
use mineflow_rng::{Rng, Seed};
use rand::RngExt;

fn sprt(text: &str) -> Sprt {
    text.parse().unwrap()
}

#[test]
fn other_confidences_have_the_quantiles_of_the_table() {
    for (percent, z) in [
        ("50", 0.674_489_750_196),
        ("90", 1.644_853_626_951),
        ("95", Z_95),
        ("99.9", 3.290_526_731_492),
    ] {
        let confidence: Confidence = percent.parse().unwrap();
        assert!(
            (confidence.z() - z).abs() < 1e-12,
            "{confidence}: {}",
            confidence.z()
        );
    }
    assert_eq!(
        (
            Confidence::default().p_value(),
            Confidence::default().to_string().as_str()
        ),
        (0.05, "95")
    );
    assert!(
        ["0.95", "100", "NaN", "ninety"]
            .iter()
            .all(|text| text.parse::<Confidence>().is_err())
    );
}

fn stratum(wins: u32, games: u32) -> WeightedGames {
    WeightedGames {
        wins: wins.into(),
        games: games.into(),
        weight: 1.0,
    }
}

#[test]
fn exact_intervals_are_those_of_the_beta_distribution() {
    for (wins, games, low, high) in [
        (81, 263, 0.252_736_745_6, 0.367_621_922_6),
        (0, 9, 0.0, 0.336_267_116_9),
        (1, 2, 0.012_579_117_1, 0.987_420_882_9),
    ] {
        let of = Estimate::exact(wins, games);
        assert!(
            (of.low - low).abs() < 1e-9 && (of.high - high).abs() < 1e-9,
            "{of:?}"
        );
    }
}

#[test]
fn a_clipped_interval_contains_its_value() {
    let weak = Estimate {
        value: -0.002,
        low: -0.031,
        high: 0.027,
    };
    assert!(weak.clipped().contains(weak.value) && weak.clipped().high == 0.027);
}

#[test]
fn strata_of_as_many_games_count_like_all_their_games() {
    let split = Estimate::of([stratum(30, 100), stratum(50, 100)]).unwrap();
    let whole = Estimate::of([stratum(80, 200)]).unwrap();
    assert!((split.value - whole.value).abs() < 1e-12 && (split.low - whole.low).abs() < 1e-12);
}

#[test]
fn a_weighted_mean_of_parts_is_the_whole() {
    let values: Vec<f64> = (0..400).map(|n| f64::from(n % 7)).collect();
    let whole = Estimate::mean(values.iter().copied());
    let parts = values
        .chunks(100)
        .map(|part| (Estimate::mean(part.iter().copied()), 2.0));
    let of = Estimate::weighted(parts).unwrap();
    assert!((of.value - whole.value).abs() < 1e-12);
    assert!(
        (of.low - whole.low).abs() < 3e-3 && (of.high - whole.high).abs() < 3e-3,
        "{of:?} {whole:?}"
    );
    assert_eq!(Estimate::weighted([]), None);
}

#[test]
fn a_stratum_of_few_games_widens_the_interval() {
    let even = Estimate::of([stratum(30, 100), stratum(50, 100)]).unwrap();
    let uneven = Estimate::of([stratum(3, 10), stratum(50, 100)]).unwrap();
    assert!((even.value - uneven.value).abs() < 1e-12);
    assert!(uneven.low < even.low && uneven.high > even.high);
    assert_eq!(Estimate::of([]), None);
}

/// The mean of 1, 3 and 5 is 3. The residuals of the clusters sum to -2 and 2, and thus the squared
/// error is (4 + 4) * 2 / (2 - 1) / 3^2. The quantile of Student's t with 1 degree of freedom is
/// tan(0.475 pi) = 12.706.
#[test]
fn a_clustered_mean_has_the_error_of_the_sums_of_its_clusters() {
    let of = Estimate::clustered([(7, 1.0), (9, 5.0), (7, 3.0)].into_iter());
    let half = 12.706_204_7 * 4.0 / 3.0;
    assert_eq!(of.value, 3.0);
    assert!(
        (of.high - 3.0 - half).abs() < 1e-5 && (3.0 - of.low - half).abs() < 1e-5,
        "{of:?}"
    );
    // Clusters of one value each give the interval of a plain mean.
    let values = [2.0, 4.0, 4.0, 6.0];
    let single = Estimate::clustered((0..).zip(values));
    let plain = Estimate::mean(values.into_iter());
    assert!(
        (single.high - plain.high).abs() < 1e-12,
        "{single:?} {plain:?}"
    );
}

#[test]
fn a_mean_has_the_interval_of_its_standard_error() {
    // The standard deviation of 2, 4, 4, 6 with divisor n - 1 is the square root of 8/3, and
    // the standard error that of 2/3. The quantile of t with 3 degrees of freedom is 3.1824.
    let of = Estimate::mean([2.0, 4.0, 4.0, 6.0].into_iter());
    assert!(
        (of.value - 4.0).abs() < 1e-12 && (of.high - 4.0 - 3.1824 * 0.8165).abs() < 2e-4,
        "{of:?}"
    );
    let single = Estimate::mean([7.0].into_iter());
    assert_eq!((single.value, single.width()), (7.0, f64::INFINITY));
}

#[test]
fn differences_have_the_interval_of_newcombes_table() {
    // 56/70 - 48/80, the first column of Newcombe's table II: 0.2, 0.0524 to 0.3339.
    let of = Estimate::of([stratum(56, 70)])
        .unwrap()
        .minus(Estimate::of([stratum(48, 80)]).unwrap());
    assert!((of.value - 0.2).abs() < 1e-12, "{of:?}");
    assert!(
        (of.low - 0.0524).abs() < 5e-5 && (of.high - 0.3339).abs() < 5e-5,
        "{of:?}"
    );
}

#[test]
fn it_ends_with_the_round_that_decides_or_with_the_last_observation() {
    let rounds = |sprt: &str, most| {
        let mut rounds = Rounds::new(sprt.parse().unwrap(), 30, most, 1.0);
        // The observations arrive one by one; incomplete rounds are ignored.
        for there in 0..=most {
            rounds.advance(|range| {
                let value = |index: u32| f64::from(index % 3) - 0.5;
                (range.end <= there).then(|| range.map(value).collect())
            });
        }
        (
            rounds.end(),
            rounds.most(),
            rounds.is_over(),
            rounds.tested().verdict,
        )
    };
    assert_eq!(
        rounds("0.15:0.65", 1000),
        (60, 60, true, SprtVerdict::Accepted)
    );
    assert_eq!(
        rounds("0.35:0.85", 1000),
        (60, 60, true, SprtVerdict::Rejected)
    );
    assert_eq!(
        rounds("0.25:0.75", 100),
        (100, 100, true, SprtVerdict::Open)
    );
    let begun = Rounds::new(sprt("0:1"), 30, 100, 1.0);
    assert_eq!(
        (begun.end(), begun.most(), begun.is_over()),
        (30, 100, false)
    );
}

/// Returns the share of 2,000 series that end with this verdict.
fn share(of: SprtVerdict, rounds: &Rounds, observe: fn(&mut Rng) -> f64) -> f64 {
    let verdict = |series: u64| {
        let mut rounds = rounds.clone();
        let seed = Seed::new(5).child("series", series);
        // Each observation is a function of its number, as in games.
        rounds.advance(|range| {
            let mut rng = seed.child("round", range.start.into()).rng();
            Some(range.map(|_| observe(&mut rng)).collect())
        });
        rounds.tested().verdict
    };
    (0..2000).filter(|&series| verdict(series) == of).count() as f64 / 2000.0
}

fn wins(rng: &mut Rng, percent: u32) -> f64 {
    f64::from(u8::from(rng.random_range(0..100_u32) < percent))
}

#[test]
fn it_errs_about_one_time_in_twenty_both_ways() {
    let of_games = |test| Rounds::new(sprt(test), 500, 1_000_000, 100.0);
    let even = |rng: &mut Rng| 100.0 * (wins(rng, 40) - wins(rng, 40));
    let better = |rng: &mut Rng| 100.0 * (wins(rng, 42) - wins(rng, 40));
    let of_pairs = |test| Rounds::new(sprt(test), 10, 1_000_000, 50.0);
    let even_pair = |rng: &mut Rng| 100.0 * ((wins(rng, 50) + wins(rng, 50)) / 2.0 - 0.5);
    let of_boards = |test| Rounds::new(sprt(test), 5, 1_000_000, 0.0);
    // The observations are approximately normal, with a standard deviation of 100.
    let even_board = |rng: &mut Rng| {
        100.0 * ((0..12).map(|_| rng.random_range(0..1000_u32)).sum::<u32>() as f64 / 999.0 - 6.0)
    };
    for (what, share) in [
        (
            "accepted at LOW",
            share(SprtVerdict::Accepted, &of_games("0:2"), even),
        ),
        (
            "rejected at HIGH",
            share(SprtVerdict::Rejected, &of_games("0:2"), better),
        ),
        (
            "pairs accepted at LOW",
            share(SprtVerdict::Accepted, &of_pairs("0:10"), even_pair),
        ),
        (
            "boards accepted at LOW",
            share(SprtVerdict::Accepted, &of_boards("0:40"), even_board),
        ),
        (
            "boards rejected at HIGH",
            share(SprtVerdict::Rejected, &of_boards("-40:0"), even_board),
        ),
    ] {
        assert!((0.01..0.07).contains(&share), "{what}: {share}");
    }
}

#[test]
fn numbers_are_written_for_people() {
    let texts = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
    assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,234,567"]);
    assert_eq!(
        [0, 1, 2000].map(|number| counted(number, "game")),
        ["0 games", "1 game", "2,000 games"]
    );
    assert_eq!(
        [4e-6, 2.56e-3, 0.0313, 4.2].map(seconds),
        ["4.0 µs", "2.6 ms", "31 ms", "4.2 s"]
    );
    assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    let of = Estimate {
        value: 1552.4,
        low: -12.6,
        high: 3000.0,
    };
    assert_eq!(gain(of), "+1552 (-13 to +3000)");
    let single = Estimate::mean([7.0].into_iter());
    assert_eq!(
        [of, single].map(|of| ends(of.low, of.high, 1)),
        ["-12.6 to 3000.0", "unknown"]
    );
}

#[test]
fn what_a_terminal_obeys_is_shown_as_an_escape() {
    assert_eq!(plain("9x9/10"), "9x9/10");
    assert_eq!(
        plain("a\u{1b}[31mb\r\n\u{202e}"),
        r"a\u{1b}[31mb\r\n\u{202e}"
    );
    assert_eq!(plain_message("line 1\nline \u{7}2"), "line 1\nline \\u{7}2");
}

#[test]
fn long_values_are_cut_and_the_message_around_them_is_not() {
    let long = "x".repeat(5000);
    let message = plain_message(&format!(
        "can't read `{long}`: it isn't a \"{long}\"; write '{long}' or `9x9/10`"
    ));
    let cut = format!("{}...", "x".repeat(80));
    assert_eq!(
        message,
        format!("can't read `{cut}`: it isn't a \"{cut}\"; write '{cut}' or `9x9/10`")
    );
    let apart = "one ` alone, and it's \"open";
    assert_eq!(plain_message(apart), apart);
}
