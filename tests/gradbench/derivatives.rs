//! The macro's derivatives, by hand, and by central differences.

use crate::evals::{ba, gmm, hello, kmeans, llsq, lse, lstm};
use crate::support::assert_close;
use crate::{by_hand, differences, problems};
use differentiable::ad::check_grads;

/// How far derivatives may be from those by hand.
const EXACT: f64 = 1e-10;
/// How far those by hand may be from central differences.
const ROUGH: f64 = 1e-6;

#[test]
fn hello_doubles() {
    for x in [3.0, -0.5, 0.0] {
        assert_eq!(hello::square::grad(x), 2.0 * x);
    }
}

#[test]
fn gmm() {
    for (d, k, n) in [
        (2, 5, 7),
        (1, 1, 1),
        (2, 1, 1),
        (1, 3, 4),
        (3, 2, 1),
        (5, 3, 11),
        (13, 4, 6),
    ] {
        let mut p = problems::mixture(d, k, n);
        if d == 5 {
            p.prior = gmm::Wishart { m: 2, gamma: 0.7 };
        }
        let what = |part: &str| format!("gmm d={d} k={k} n={n}: {part}");
        let (value, (alpha, mu, q, l)) =
            gmm::log_posterior::value_and_grad(&p.alpha, &p.mu, &p.q, &p.l, &p.x, p.prior);
        let (expected, hand) = p.by_hand();
        assert_close(&what("value"), &[value], &[expected], EXACT);
        assert_close(&what("alpha"), &alpha, &hand.alpha, EXACT);
        assert_close(&what("mu"), &mu, &hand.mu, EXACT);
        assert_close(&what("q"), &q, &hand.q, EXACT);
        assert_close(&what("l"), &l, &hand.l, EXACT);

        let by = |alpha: &[f64], mu: &[f64], q: &[f64], l: &[f64]| {
            gmm::log_posterior(alpha, mu, q, l, &p.x, p.prior)
        };
        let of_alpha = differences(|alpha| by(alpha, &p.mu, &p.q, &p.l), &p.alpha);
        let of_mu = differences(|mu| by(&p.alpha, mu, &p.q, &p.l), &p.mu);
        let of_q = differences(|q| by(&p.alpha, &p.mu, q, &p.l), &p.q);
        let of_l = differences(|l| by(&p.alpha, &p.mu, &p.q, l), &p.l);
        assert_close(&what("alpha by hand"), &hand.alpha, &of_alpha, ROUGH);
        assert_close(&what("mu by hand"), &hand.mu, &of_mu, ROUGH);
        assert_close(&what("q by hand"), &hand.q, &of_q, ROUGH);
        assert_close(&what("l by hand"), &hand.l, &of_l, ROUGH);
    }
}

#[test]
fn gmm_of_the_suites_sizes() {
    for (d, k) in [(2, 100), (10, 25), (20, 10), (33, 5)] {
        let p = problems::mixture(d, k, 100);
        let (alpha, mu, q, l) =
            gmm::log_posterior::grad(&p.alpha, &p.mu, &p.q, &p.l, &p.x, p.prior);
        let (_, hand) = p.by_hand();
        assert_close("alpha", &alpha, &hand.alpha, EXACT);
        assert_close("mu", &mu, &hand.mu, EXACT);
        assert_close("q", &q, &hand.q, EXACT);
        assert_close("l", &l, &hand.l, EXACT);
    }
}

#[test]
fn ba_jacobian() {
    for (n, m, p) in [(1, 1, 1), (2, 3, 5), (5, 2, 17)] {
        let mut problem = problems::adjustment(n, m, p);
        // A camera that does not rotate, and one that nearly does not.
        problem.cameras[0][..3].fill(0.0);
        if n > 1 {
            problem.cameras[1][..3].copy_from_slice(&[0.01, -0.02, 0.03]);
        }
        let found = problem.jacobian();
        let (rows, cols, vals) = by_hand::ba::jacobian(
            &problem.cameras,
            &problem.points,
            &problem.weights,
            &problem.features,
        );
        assert_eq!(found.rows, rows);
        assert_eq!(found.cols, cols);
        assert_close("ba", &found.vals, &vals, EXACT);
        assert_eq!(
            (rows.len(), cols.len(), vals.len()),
            (3 * p + 1, 31 * p, 31 * p)
        );

        // The whole Jacobian by differences, dense.
        let width = 11 * n + 3 * m + p;
        let mut dense = vec![0.0; 3 * p * width];
        for row in 0..3 * p {
            for entry in rows[row]..rows[row + 1] {
                dense[row * width + cols[entry]] = vals[entry];
            }
        }
        let mut parameters: Vec<f64> = problem.cameras.iter().flatten().copied().collect();
        parameters.extend(problem.points.iter().flatten());
        parameters.extend(&problem.weights);
        for row in 0..3 * p {
            let error = |parameters: &[f64]| {
                let (cameras, rest) = parameters.split_at(11 * n);
                let (points, weights) = rest.split_at(3 * m);
                let moved = ba::Problem {
                    cameras: cameras
                        .chunks_exact(11)
                        .map(|c| c.try_into().unwrap())
                        .collect(),
                    points: points
                        .chunks_exact(3)
                        .map(|x| x.try_into().unwrap())
                        .collect(),
                    weights: weights.to_vec(),
                    features: problem.features.clone(),
                };
                let (reprojection, weights) = moved.errors();
                match row < 2 * p {
                    true => reprojection[row / 2][row % 2],
                    false => weights[row - 2 * p],
                }
            };
            let expected = differences(error, &parameters);
            let found = &dense[row * width..(row + 1) * width];
            assert_close(&format!("ba row {row}"), found, &expected, 1e-5);
        }
    }
}

#[test]
fn lstm() {
    for (layers, c, b) in [(1, 2, 1), (2, 5, 14), (3, 4, 3), (1, 9, 2)] {
        let p = problems::recurrent(layers, c, b);
        let what = |part: &str| format!("lstm l={layers} c={c} b={b}: {part}");
        let (value, (main, extra)) =
            lstm::loss::value_and_grad(&p.main, &p.extra, &p.state, &p.sequence);
        let (expected, hand_main, hand_extra) =
            by_hand::lstm::loss(&p.main, &p.extra, &p.state, &p.sequence);
        assert_close(&what("value"), &[value], &[expected], EXACT);
        assert_close(&what("main"), &main, &hand_main, EXACT);
        assert_close(&what("extra"), &extra, &hand_extra, EXACT);
        let of_main = differences(|m| lstm::loss(m, &p.extra, &p.state, &p.sequence), &p.main);
        let of_extra = differences(|e| lstm::loss(&p.main, e, &p.state, &p.sequence), &p.extra);
        assert_close(&what("main by hand"), &hand_main, &of_main, ROUGH);
        assert_close(&what("extra by hand"), &hand_extra, &of_extra, ROUGH);
        assert!(hand_main.iter().any(|v| v.abs() > 1e-3), "{hand_main:?}");
    }
}

#[test]
fn lstm_of_the_suites_length() {
    let p = problems::recurrent(2, 1024, 14);
    let (main, extra) = lstm::loss::grad(&p.main, &p.extra, &p.state, &p.sequence);
    let (_, hand_main, hand_extra) = by_hand::lstm::loss(&p.main, &p.extra, &p.state, &p.sequence);
    assert_close("main", &main, &hand_main, EXACT);
    assert_close("extra", &extra, &hand_extra, EXACT);
}

#[test]
fn log_sum_exp() {
    for n in [1, 2, 7, 64, 2500] {
        let x = problems::numbers(n, 3.0);
        let (value, gradient) = lse::log_sum_exp::value_and_grad(&x);
        let (expected, hand) = by_hand::lse::log_sum_exp(&x);
        assert_close("lse: value", &[value], &[expected], EXACT);
        assert_close("lse: gradient", &gradient, &hand, EXACT);
        if n < 100 {
            let rough = differences(lse::log_sum_exp, &x);
            assert_close("lse by hand", &hand, &rough, ROUGH);
        }
    }
    // Where several are the largest, and where the exponentials would overflow.
    for x in [vec![1.0, 1.0, 1.0], vec![900.0, 900.0, -900.0]] {
        let gradient = lse::log_sum_exp::grad(&x);
        assert_close("lse", &gradient, &by_hand::lse::log_sum_exp(&x).1, EXACT);
    }
}

#[test]
fn least_squares() {
    for (m, n) in [(1, 2), (3, 5), (8, 16), (128, 17)] {
        let x = problems::numbers(m, 0.9);
        let (value, gradient) = llsq::half_squares::value_and_grad(&x, n);
        let (expected, hand) = by_hand::llsq::half_squares(&x, n);
        assert_close("llsq: value", &[value], &[expected], EXACT);
        assert_close("llsq: gradient", &gradient, &hand, EXACT);
        let rough = differences(|x| llsq::half_squares(x, n), &x);
        assert_close("llsq by hand", &hand, &rough, ROUGH);
    }
}

#[test]
fn cost_of_clusters() {
    let (points, centroids) = (problems::numbers(30, 1.0), problems::numbers(9, 1.0));
    check_grads::<kmeans::cost, _>(&(points.clone(), centroids.clone(), 3)).unwrap();
    let (found, hand) = (
        kmeans::dir(&points, &centroids, 3),
        by_hand::kmeans::dir(&points, &centroids, 3),
    );
    assert_close("kmeans: dir", &found, &hand, EXACT);
}
