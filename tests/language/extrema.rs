//! Loops that keep the largest or smallest of what they compute.

use differentiable::ad::check_grads;
use differentiable::prelude::*;

#[differentiable(higher_order)]
fn nearest(points: &[f64], centroids: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        let mut nearest = f64::INFINITY;
        for centroid in centroids.chunks_exact(d) {
            let distance: f64 = centroid
                .iter()
                .zip(point)
                .map(|(c, p)| (c - p) * (c - p))
                .sum();
            nearest = nearest.min(distance);
        }
        total += nearest;
    }
    total
}

#[test]
fn of_sums() {
    let points = vec![0.1, 0.9, -0.4, 1.7, 0.3, 0.2, -1.1, 0.6];
    let centroids = vec![0.5, 0.4, -0.8, 1.0, 0.25, 2.0];
    check_grads::<nearest, _>(&(points.clone(), centroids.clone(), 2)).unwrap();
    check_grads::<nearest, _>(&(points.clone(), centroids.clone(), 1)).unwrap();
    assert_eq!(nearest::grad(&points, &[], 2), (vec![0.0; 8], vec![]));
    assert_eq!(nearest::grad(&[], &centroids, 2).1, vec![0.0; 6]);
    // The Hessian by the centroids is diagonal: 2 for each point of a centroid.
    let (_, twice) = nearest::hvp((&points, &[0.0; 8]), (&centroids, &[1.0; 6]), 2);
    assert_eq!(twice, [4.0, 4.0, 2.0, 2.0, 2.0, 2.0]);
}

#[test]
fn ties_share_as_pairs_do() {
    // Both at distance 1, then one at 4 and again one at 1: half, of that half, and so on.
    let centroids = [1.0, -1.0, 2.0, 1.0];
    let (of_point, found) = nearest::grad(&[0.0], &centroids, 1);
    assert_eq!(found, [0.5, -0.5, 0.0, 1.0]);
    assert_eq!(of_point, [-1.0]);
    // A tie with what was replaced later counts for nothing.
    let (_, found) = nearest::grad(&[0.0], &[2.0, -2.0, 0.5], 1);
    assert_eq!(found, [0.0, 0.0, 1.0]);
}

#[test]
fn what_is_not_selected_may_be_anything() {
    let nan = f64::NAN;
    let (of_point, found) = nearest::grad(&[0.0], &[nan, 2.0, nan, 3.0, f64::INFINITY], 1);
    assert_eq!(
        (of_point, found),
        (vec![-4.0], vec![0.0, 4.0, 0.0, 0.0, 0.0])
    );
    // As for one `min`: NaN with itself keeps the first.
    let (_, found) = nearest::grad(&[nan], &[1.0, 2.0], 1);
    assert!(found.iter().all(|x| x.is_nan() || *x == 0.0));

    #[differentiable]
    fn smallest_inverse(x: &[f64]) -> f64 {
        let mut m = 5.0;
        for i in 0..x.len() {
            let y = 1.0 / x[i];
            m = y.min(m);
        }
        m
    }
    assert_eq!(
        smallest_inverse::grad(&[0.0, 4.0, 0.0]),
        [0.0, -0.0625, 0.0]
    );
}

#[differentiable]
fn score(x: f64, y: f64) -> f64 {
    (x * y).exp() + x.sin() * y
}

/// Calls, roots and loops inside keep values; of most trips none is kept.
#[differentiable]
fn highest(x: &[f64], w: &[f64], start: f64) -> f64 {
    let mut highest = start;
    for i in 0..x.len() {
        let mut sum = 0.0;
        for j in 0..w.len() {
            sum += (x[i] * w[j]).sin().powi(2) * score(x[i], w[j]);
        }
        let mut k = 0;
        let mut y = sum;
        while k < i % 3 {
            y = (y * y + 0.1).sqrt();
            k += 1;
        }
        let value = y.tanh() + sum.exp().sqrt();
        highest = f64::max(value, highest);
    }
    highest * start
}

#[test]
fn of_what_keeps_values() {
    let (x, w) = (
        vec![0.3, 0.9, -0.4, 1.2, 0.7, 1.1, -0.2],
        vec![0.4, -0.7, 1.1],
    );
    for start in [-3.0, 1.5, 90.0] {
        check_grads::<highest, _>(&(x.clone(), w.clone(), start)).unwrap();
    }
    let backwards: Vec<f64> = x.iter().rev().copied().collect();
    check_grads::<highest, _>(&(backwards, w, -3.0)).unwrap();
}

#[differentiable(higher_order)]
fn by_comparison(x: &[f64], y: &[f64], k: f64) -> f64 {
    let mut least = 100.0;
    let mut where_it_is = 0;
    for i in 0..x.len() {
        let distance = (x[i] - k) * (x[i] - k) + y[i].sin();
        if distance < least {
            least = distance;
            where_it_is = i;
        }
    }
    least * y[where_it_is] + k
}

/// What is seen along a ray: the nearest hit decides on several numbers at once.
#[differentiable]
fn ray(centres: &[f64], radii: &[f64], colours: &[f64], along: f64) -> f64 {
    let mut closest = 50.0;
    let mut colour = 0.1;
    let mut normal = 0.0;
    for i in (0..centres.len()).rev() {
        let b = centres[i] * along;
        let c = b * b - (centres[i] * centres[i] - radii[i] * radii[i]);
        if c < 0.0 {
            continue;
        }
        let t = b - c.sqrt();
        if t > 0.1 && t < closest {
            closest = t;
            colour = colours[i] * t;
            normal = (t * along - centres[i]) / radii[i];
        }
    }
    colour * (1.0 + normal * normal) + closest.ln()
}

#[differentiable]
fn by_value(x: &[f64], k: f64) -> f64 {
    let mut m = k;
    let mut sum = 0.0;
    for i in 0..x.len() {
        let y = (x[i] * k).sin();
        m = if y > m { y } else { m };
        sum += 1.0;
    }
    m * sum
}

#[test]
fn by_conditions() {
    let (x, y) = (
        vec![0.3, 1.9, -0.4, 1.2, 0.7],
        vec![0.4, -0.7, 1.1, 0.6, -1.3],
    );
    check_grads::<by_comparison, _>(&(x.clone(), y.clone(), 0.8)).unwrap();
    check_grads::<by_comparison, _>(&(y.clone(), x.clone(), -0.3)).unwrap();
    let hessian = by_comparison::hvp((&x, &[0.1; 5]), (&y, &[0.3; 5]), (0.8, 1.0));
    let at = |h: f64| {
        let (x, y): (Vec<f64>, Vec<f64>) = (0..5).map(|i| (x[i] + 0.1 * h, y[i] + 0.3 * h)).unzip();
        by_comparison::grad(&x, &y, 0.8 + h)
    };
    let (up, down) = (at(1e-5), at(-1e-5));
    for i in 0..5 {
        assert!((hessian.0[i] - (up.0[i] - down.0[i]) / 2e-5).abs() < 1e-7);
        assert!((hessian.1[i] - (up.1[i] - down.1[i]) / 2e-5).abs() < 1e-7);
    }
    let (centres, radii) = (vec![3.0, 5.0, 2.4, 9.0], vec![1.2, 1.1, 0.7, 4.0]);
    let colours = vec![0.2, 0.5, 0.9, 0.4];
    check_grads::<ray, _>(&(centres, radii, colours, 0.99)).unwrap();
    check_grads::<by_value, _>(&(x.clone(), 0.8)).unwrap();
    check_grads::<by_value, _>(&(x, 1.5)).unwrap();
}

/// Each of these reads the extremum in another way, so that earlier trips matter.
#[differentiable]
fn carried(x: &[f64]) -> f64 {
    let mut m = 0.2;
    let mut last = 0.0;
    for i in 0..x.len() {
        let y = x[i] * m + x[i];
        m = m.max(y);
        last += m;
    }
    let mut least = 3.0;
    for i in 0..x.len() {
        if x[i] < least {
            least = 0.5 * x[i] + 0.1 * least;
        }
    }
    let mut both = 1.0;
    let mut count = 0.0;
    for i in 0..x.len() {
        let y = x[i] * x[i];
        count += y;
        if y > both {
            both = y;
        } else {
            count += both;
        }
    }
    last + least * count + both
}

#[test]
fn earlier_trips_that_matter() {
    check_grads::<carried, _>(&(vec![0.3, 1.9, -0.4, 1.2, 0.7, 2.1],)).unwrap();
}

/// The largest of the smallest, and one over chains.
#[differentiable]
fn saddle_of(x: &[f64], rows: usize) -> f64 {
    let n = x.len() / rows;
    let mut outer = f64::NEG_INFINITY;
    for r in 0..rows {
        let mut inner = f64::INFINITY;
        for j in 0..n {
            let y = x[r * n + j].cos() * x[j];
            inner = inner.min(y);
        }
        outer = outer.max(inner.exp() * x[r]);
    }
    let least = x
        .iter()
        .map(|v| (v * v + 0.3).sqrt())
        .fold(f64::INFINITY, f64::min);
    let most = x.iter().map(|v| v.sin()).fold(-9.0_f64, |a, b| a.max(b));
    outer + least * most
}

#[test]
fn extrema_of_extrema() {
    let x = vec![
        0.3, 1.9, -0.4, 1.2, 0.7, 2.1, -1.4, 0.9, 1.6, 0.5, 2.8, -0.6,
    ];
    for rows in [1, 2, 3, 4, 6] {
        check_grads::<saddle_of, _>(&(x.clone(), rows)).unwrap();
    }
}

/// The extremum of each outer trip depends on the trips before, and single precision.
#[differentiable]
fn relaxed(x: &[f32], steps: usize) -> f32 {
    let mut at: f32 = 0.5;
    for _ in 0..steps {
        let mut best: f32 = -10.0;
        for i in 0..x.len() {
            let gain = (x[i] - at).abs().sqrt() * x[i];
            best = best.max(gain);
        }
        at = 0.5 * at + 0.1 * best;
    }
    at
}

#[test]
fn extrema_along_a_path() {
    let x: Vec<f32> = vec![0.3, 1.9, -0.4, 1.2];
    let gradient = relaxed::grad(&x, 5);
    for i in 0..4 {
        let at = |h: f32| {
            let mut moved = x.clone();
            moved[i] += h;
            relaxed(&moved, 5)
        };
        assert!((gradient[i] - (at(1e-2) - at(-1e-2)) / 2e-2).abs() < 1e-3);
    }
    // Twice from the same pullback.
    let (_, pullback) = relaxed::vjp(&x, 5);
    assert_eq!(pullback.clone()(1.0), gradient);
    assert_eq!(pullback(1.0), gradient);
}

/// What is searched is constant, of types that a pullback cannot hold.
#[differentiable]
fn among_constants(
    x: f64,
    #[constant] pairs: &[(f64, Vec<f64>)],
    #[constant] names: &[String],
) -> f64 {
    let mut m: f64 = 9.0;
    for p in pairs.iter().rev() {
        let mut s = p.0 * x;
        for w in &p.1 {
            s = (s * w).sin();
        }
        if s < m {
            m = s;
        }
    }
    let mut most: f64 = 0.0;
    for (i, name) in names.iter().enumerate() {
        let y = (x * i as f64).sin() + name.len() as f64;
        most = most.max(y);
    }
    let best = pairs
        .iter()
        .map(|p| (p.0 * x).cos())
        .fold(9.0_f64, f64::min);
    m * best + most
}

#[test]
fn extrema_among_constants() {
    let names = ["ab".to_string(), "c".to_string(), "de".to_string()];
    let pairs = vec![(0.3, vec![0.4, 0.7]), (1.1, vec![-0.7, 1.3])];
    for x in [0.2, 1.1] {
        let at = |h: f64| among_constants(x + h, &pairs, &names);
        let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!((among_constants::grad(x, &pairs, &names) - difference).abs() < 1e-8);
    }
}
