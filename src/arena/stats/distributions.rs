//! Distribution functions of the tests and intervals: the incomplete beta function and Student's t.

/// Returns where an increasing condition changes from true to false between `low` and `high`, by
/// bisection down to adjacent numbers.
pub(crate) fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if !(low < middle && middle < high) {
            return high;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Returns the regularised incomplete beta function `I_x(a, b)` for `x` from 0 to 1 and positive
/// `a` and `b`, by its continued fraction (NIST Digital Library of Mathematical Functions,
/// 8.17.22).
pub(crate) fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        // The fraction converges fast only on the other side.
        return 1.0 - beta(1.0 - x, b, a);
    }
    let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - ln_beta) / a;
    // The modified method of Lentz (Thompson and Barnett, Journal of Computational Physics 64,
    // 1986, 490-509).
    let not_zero = |value: f64| {
        if value == 0.0 {
            f64::MIN_POSITIVE
        } else {
            value
        }
    };
    let mut fraction = 1.0;
    let mut numerator = 1.0;
    let mut denominator = 0.0;
    for n in 1..1_000_000 {
        let m = f64::from(n / 2);
        let coefficient = if n % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        denominator = 1.0 / not_zero(1.0 + coefficient * denominator);
        numerator = not_zero(1.0 + coefficient / numerator);
        fraction *= numerator * denominator;
        if (numerator * denominator - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front / fraction
}

/// Returns the probability that Student's t with `freedom` degrees of freedom, at least 1, is at
/// least as far from 0 as `t`.
pub(crate) fn t_p_value(t: f64, freedom: u64) -> f64 {
    let freedom = freedom as f64;
    beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_of_t_are_those_of_the_tables() {
        for (t, freedom, p) in [
            (12.706_204_736, 1, 0.05),
            (2.262_157_163, 9, 0.05),
            (1.959_966_357, 1_000_000, 0.05),
            (2.0, 5, 0.101_939_478_8),
            (-8.0, 30, 6.265_822_5e-9),
        ] {
            let computed = t_p_value(t, freedom);
            assert!((computed / p - 1.0).abs() < 1e-7, "{t}: {computed}");
        }
    }
}
