//! Tests of the records of games and of shards.

use mineflow_arena::{Cost, Ledger, Part, Record, Records as _};

fn record(first: u32, games: u32, won: u64) -> Record {
    Record {
        games,
        won: vec![won; games.div_ceil(64) as usize],
        ..Record::new(0, first)
    }
}

#[test]
fn parts_follow_one_another_and_are_the_whole() {
    for things in [0, 1, 5, 1000, u64::MAX / 2] {
        for of in [1, 2, 3, 7, 16, 4000] {
            let mut end = 0;
            for index in 0..of {
                let range = Part { index, of }.range(things);
                assert!(range.start == end && range.end - range.start <= things / of + 1);
                end = range.end;
            }
            assert_eq!(end, things);
        }
    }
}

#[test]
fn a_record_that_cannot_be_true_is_refused() {
    let mut ledger = Ledger::new(1, 0..100);
    ledger.add(&record(0, 10, 0x3ff)).unwrap();
    let of = |configuration| Record {
        configuration,
        ..record(10, 1, 0)
    };
    let timed_out = Record {
        timeouts: 2,
        ..record(10, 2, 1)
    };
    let too_many = Record {
        games: 65,
        ..record(10, 64, 0)
    };
    for (record, fault) in [
        (record(9, 2, 0), "it has game 9 twice"),
        (record(10, 0, 0), "it has 0 bits for 0 games"),
        (too_many, "it has 64 bits for 65 games"),
        (
            record(90, 11, 0),
            "it names games 90 to 101, and there are 0 to 100",
        ),
        (
            record(10, 2, 4),
            "its wins and time-outs are more than its 2 games",
        ),
        (
            timed_out,
            "its wins and time-outs are more than its 2 games",
        ),
        (of(1), "it names configuration 1, and there are 1"),
    ] {
        assert_eq!(ledger.add(&record).unwrap_err(), fault);
    }
    let cost = Cost {
        configuration: 0,
        cpu_seconds: -1.0,
        wall_seconds: 0.0,
        nodes: 0,
    };
    assert!(ledger.add_cost(&cost).is_err());
    assert_eq!(ledger.played(), 10);
}
