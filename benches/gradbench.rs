//! Derivatives of the programs of `examples/gradbench` against derivatives written by hand, and
//! against their own primal.
//!
//! `cargo bench -p differentiable --bench gradbench`; add `-- --quick` to only check that it runs, or a name such as
//! `gmm` to run only that program.

// Reading JSON and repeating runs are the runner's, and not measured.
#[path = "support/by_hand/mod.rs"]
mod by_hand;
#[allow(dead_code)]
#[path = "../examples/gradbench/evals/mod.rs"]
mod evals;
#[path = "support/problems.rs"]
mod problems;
mod support;

use evals::descent::Modes;
use evals::{gmm, kmeans, llsq, lse, lstm, particle, saddle};
use std::hint::black_box;
use support::{Effort, assert_close, case, compare};

fn main() {
    let effort = Effort::from_args();
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let programs = [
        ("gmm", measure_gmm as fn(Effort)),
        ("ba", measure_ba),
        ("lstm", measure_lstm),
        ("kmeans", measure_kmeans),
        ("lse", measure_lse),
        ("llsq", measure_llsq),
        ("particle", measure_particle),
        ("saddle", measure_saddle),
    ];
    for (name, measure) in programs {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            measure(effort);
        }
    }
}

fn measure_gmm(effort: Effort) {
    for (d, k, goal) in [
        (2, 5, 1.4),
        (2, 25, 1.4),
        (10, 25, 1.15),
        (20, 25, 1.15),
        (32, 10, 1.15),
        (64, 5, 1.15),
        (64, 25, 1.15),
    ] {
        let p = problems::mixture(d, k, 1000);
        let derivative = || {
            gmm::log_posterior::value_and_grad(
                black_box(&p.alpha),
                &p.mu,
                &p.q,
                &p.l,
                &p.x,
                p.prior,
            )
        };
        let (value, gradient) = derivative();
        let (expected, hand) = p.by_hand();
        assert_close("gmm: value", &[value], &[expected], 1e-11);
        assert_close("gmm: alpha", &gradient.0, &hand.alpha, 1e-10);
        assert_close("gmm: mu", &gradient.1, &hand.mu, 1e-10);
        assert_close("gmm: q", &gradient.2, &hand.q, 1e-10);
        assert_close("gmm: l", &gradient.3, &hand.l, 1e-10);
        let title = format!("gmm, d = {d}, k = {k}, n = 1000");
        let by_hand = case("by hand", || black_box(&p).by_hand());
        compare(
            effort,
            &title,
            goal,
            by_hand,
            vec![case("#[differentiable]", derivative)],
        );
        let primal = case("primal", || {
            gmm::log_posterior(black_box(&p.alpha), &p.mu, &p.q, &p.l, &p.x, p.prior)
        });
        let title = format!("{title}, to its primal");
        compare(
            effort,
            &title,
            2.5,
            primal,
            vec![case("#[differentiable]", derivative)],
        );
    }
}

fn measure_ba(effort: Effort) {
    // The largest sizes differ from these by the memory that both write.
    for (n, m, p) in [(49, 7776, 2_000), (49, 7776, 31_843)] {
        let problem = problems::adjustment(n, m, p);
        let by_hand = || {
            by_hand::ba::jacobian(
                black_box(&problem.cameras),
                &problem.points,
                &problem.weights,
                &problem.features,
            )
        };
        let found = problem.jacobian();
        let (rows, cols, vals) = by_hand();
        assert_eq!((&found.rows, &found.cols), (&rows, &cols));
        assert_close("ba", &found.vals, &vals, 1e-10);
        compare(
            effort,
            &format!("ba, n = {n}, m = {m}, p = {p}"),
            1.0,
            case("by hand", by_hand),
            vec![case("#[differentiable]", || black_box(&problem).jacobian())],
        );
    }
}

fn measure_lstm(effort: Effort) {
    for (layers, c) in [(2, 1024), (6, 1024), (2, 8192)] {
        let p = problems::recurrent(layers, c, 14);
        let derivative =
            || lstm::loss::value_and_grad(black_box(&p.main), &p.extra, &p.state, &p.sequence);
        let (value, (of_main, of_extra)) = derivative();
        let (expected, main, extra) = by_hand::lstm::loss(&p.main, &p.extra, &p.state, &p.sequence);
        assert_close("lstm: value", &[value], &[expected], 1e-11);
        assert_close("lstm: main", &of_main, &main, 1e-10);
        assert_close("lstm: extra", &of_extra, &extra, 1e-10);
        let title = format!("lstm, l = {layers}, c = {c}");
        let by_hand = case("by hand", || {
            by_hand::lstm::loss(black_box(&p.main), &p.extra, &p.state, &p.sequence)
        });
        compare(
            effort,
            &title,
            1.15,
            by_hand,
            vec![case("#[differentiable]", derivative)],
        );
        let primal = case("primal", || {
            lstm::loss(black_box(&p.main), &p.extra, &p.state, &p.sequence)
        });
        compare(
            effort,
            &format!("{title}, to its primal"),
            2.2,
            primal,
            vec![case("#[differentiable]", derivative)],
        );
    }
}

fn measure_kmeans(effort: Effort) {
    for (k, n, d) in [(10, 1000, 8), (100, 1000, 16), (1000, 1000, 8)] {
        // Centroids near points, so that none is without one.
        let points = problems::numbers(n * d, 1.0);
        let centroids: Vec<f64> = points[..k * d].iter().map(|x| x + 1e-3).collect();
        let (found, hand) = (
            kmeans::dir(&points, &centroids, d),
            by_hand::kmeans::dir(&points, &centroids, d),
        );
        assert_close("kmeans: dir", &found, &hand, 1e-12);
        compare(
            effort,
            &format!("kmeans, k = {k}, n = {n}, d = {d}: dir"),
            1.5,
            case("by hand", || {
                by_hand::kmeans::dir(black_box(&points), &centroids, d)
            }),
            vec![case("#[differentiable(higher_order)]", || {
                kmeans::dir(black_box(&points), &centroids, d)
            })],
        );
    }
}

fn measure_lse(effort: Effort) {
    for n in [2500, 80_000, 1_280_000] {
        let x = problems::numbers(n, 1.3);
        let (value, gradient) = lse::log_sum_exp::value_and_grad(&x);
        let (expected, hand) = by_hand::lse::log_sum_exp(&x);
        assert_close("lse: value", &[value], &[expected], 1e-13);
        assert_close("lse: gradient", &gradient, &hand, 1e-13);
        compare(
            effort,
            &format!("lse, n = {n}"),
            1.1,
            case("by hand", || by_hand::lse::log_sum_exp(black_box(&x))),
            vec![case("#[differentiable]", || {
                lse::log_sum_exp::value_and_grad(black_box(&x))
            })],
        );
    }
}

fn measure_llsq(effort: Effort) {
    let x = problems::numbers(128, 0.9);
    for n in [64, 1024, 16_392] {
        let (value, gradient) = llsq::half_squares::value_and_grad(&x, n);
        let (expected, hand) = by_hand::llsq::half_squares(&x, n);
        assert_close("llsq: value", &[value], &[expected], 1e-11);
        assert_close("llsq: gradient", &gradient, &hand, 1e-10);
        compare(
            effort,
            &format!("llsq, n = {n}, m = 128"),
            1.0,
            case("by hand", || by_hand::llsq::half_squares(black_box(&x), n)),
            vec![case("#[differentiable]", || {
                llsq::half_squares::value_and_grad(black_box(&x), n)
            })],
        );
    }
}

const MODES: [(&str, Modes); 4] = [
    ("ff", Modes::ForwardForward),
    ("fr", Modes::ForwardReverse),
    ("rf", Modes::ReverseForward),
    ("rr", Modes::ReverseReverse),
];

fn measure_particle(effort: Effort) {
    let expected = by_hand::particle::steer(0.0);
    let cases = MODES.map(|(name, modes)| {
        let found = particle::steer(modes, 0.0);
        assert_close("particle", &[found], &[expected], 1e-10);
        case(name, move || particle::steer(modes, black_box(0.0)))
    });
    compare(
        effort,
        "particle",
        f64::INFINITY,
        case("by hand", || by_hand::particle::steer(black_box(0.0))),
        Vec::from(cases),
    );
}

fn measure_saddle(effort: Effort) {
    let start = [1.0, 1.0];
    let expected = by_hand::saddle::saddle(start).concat();
    let cases = MODES.map(|(name, modes)| {
        let found = saddle::saddle(modes, start).concat();
        assert_close("saddle", &found, &expected, 1e-10);
        case(name, move || saddle::saddle(modes, black_box(start)))
    });
    compare(
        effort,
        "saddle",
        f64::INFINITY,
        case("by hand", || by_hand::saddle::saddle(black_box(start))),
        Vec::from(cases),
    );
}
