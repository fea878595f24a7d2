//! Tests of the Cross-Entropy Method on functions with a known maximum.

use mineflow_rng::Seed;
use mineflow_search::cross_entropy::{CrossEntropy, CrossEntropyError, Distribution, Parameter};
use rayon::prelude::*;

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("x", -10.0, 10.0),
        Parameter::new("y", 0.0, 1.0),
        Parameter::new("z", 5.0, 500.0),
    ]
}

fn method(seed: u64) -> CrossEntropy {
    CrossEntropy::new(parameters(), 100, 10, Seed::new(seed)).unwrap()
}

/// Computes a function with its maximum at (3, 0.25, 40).
fn shifted_sphere(at: &[f64]) -> f64 {
    -((at[0] - 3.0) / 20.0).powi(2) - (at[1] - 0.25).powi(2) - ((at[2] - 40.0) / 495.0).powi(2)
}

fn run(
    method: &CrossEntropy,
    iterations: u64,
    fitness: impl Fn(&[f64]) -> f64 + Sync,
) -> Vec<Distribution> {
    let mut distributions = vec![method.start()];
    for iteration in 0..iterations {
        let samples = method.draw(&distributions[iteration as usize], iteration);
        let fitness: Vec<f64> = samples.par_iter().map(|sample| fitness(sample)).collect();
        distributions.push(method.focus(&samples, &fitness).unwrap());
    }
    distributions
}

#[test]
fn the_first_distribution_follows_from_the_bounds() {
    let start = method(1).start();
    assert_eq!(start.mean, [0.0, 0.5, 252.5]);
    assert_eq!(start.deviation, [10.0, 0.5, 247.5]);
}

#[test]
fn samples_have_the_mean_and_deviation_of_their_distribution() {
    let wide = vec![Parameter::new("x", -1e9, 1e9)];
    let method = CrossEntropy::new(wide, 20_000, 10, Seed::new(1)).unwrap();
    let samples = method.draw(
        &Distribution {
            mean: vec![5.0],
            deviation: vec![2.0],
        },
        0,
    );
    let mean = samples.iter().map(|x| x[0]).sum::<f64>() / 20_000.0;
    let variance = samples.iter().map(|x| (x[0] - mean).powi(2)).sum::<f64>() / 20_000.0;
    let beyond_two = samples.iter().filter(|x| (x[0] - 5.0).abs() > 4.0).count();
    assert!((mean - 5.0).abs() < 0.06, "{mean}");
    assert!((variance.sqrt() - 2.0).abs() < 0.04, "{variance}");
    assert!(
        (800..1020).contains(&beyond_two),
        "{beyond_two} beyond two deviations, 4.55 % were expected"
    );
}

#[test]
fn it_converges_on_a_shifted_sphere() {
    for seed in 1..=5 {
        let last = run(&method(seed), 25, shifted_sphere).pop().unwrap();
        for (value, best) in last.mean.iter().zip([3.0, 0.25, 40.0]) {
            assert!((value - best).abs() < 1e-3 * best, "seed {seed}: {last:?}");
        }
    }
}

#[test]
fn a_maximum_on_a_bound_is_reached() {
    let last = run(&method(1), 25, |at| at[0] - at[1]).pop().unwrap();
    assert!(
        (last.mean[0] - 10.0).abs() < 1e-6 && last.mean[1].abs() < 1e-6,
        "{last:?}"
    );
}

#[test]
fn the_distribution_of_the_elite_equals_a_calculation_by_hand() {
    let one = vec![Parameter::new("x", 0.0, 10.0)];
    let method = CrossEntropy::new(one, 5, 2, Seed::new(1)).unwrap();
    let samples = [4.0, 1.0, 9.0, 2.0, 6.0].map(|x| vec![x]);
    // The new mean is that of the two samples with fitness 7.
    let next = method.focus(&samples, &[0.0, 7.0, 1.0, 2.0, 7.0]).unwrap();
    assert_eq!(
        next,
        Distribution {
            mean: vec![3.5],
            deviation: vec![2.5]
        }
    );
    let tied = method.focus(&samples, &[7.0, 7.0, 7.0, 0.0, 0.0]).unwrap();
    assert_eq!(
        tied,
        Distribution {
            mean: vec![2.5],
            deviation: vec![1.5]
        }
    );
}

#[test]
fn impossible_settings_are_refused_with_a_reason() {
    let new =
        |parameters, samples, elite| CrossEntropy::new(parameters, samples, elite, Seed::new(1));
    assert_eq!(new(vec![], 100, 10), Err(CrossEntropyError::NoParameters));
    for (samples, elite) in [(100, 1), (10, 10), (0, 0)] {
        assert_eq!(
            new(parameters(), samples, elite),
            Err(CrossEntropyError::Elite { samples, elite })
        );
    }
    let refused = new(vec![Parameter::new("C", 2.0, 1.0)], 100, 10)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("parameter C is to lie between 2 and 1"),
        "{refused}"
    );
    assert!(new(vec![Parameter::new("C", 0.0, f64::NAN)], 100, 10).is_err());
    let method = method(1);
    let samples = method.draw(&method.start(), 0);
    let judged = CrossEntropyError::Judged {
        given: 99,
        drawn: 100,
    };
    assert_eq!(method.focus(&samples, &[0.0; 99]), Err(judged));
    let mut fitness = [0.0; 100];
    fitness[4] = f64::NAN;
    assert!(matches!(
        method.focus(&samples, &fitness),
        Err(CrossEntropyError::Fitness { sample: 4, .. })
    ));
}
