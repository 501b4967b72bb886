//! A point pulls at its nearest centroid only, with `2 (c - p)`, and adds 2 to the diagonal of the Hessian.

/// The gradient of the cost divided by the diagonal of its Hessian.
pub fn dir(points: &[f64], centroids: &[f64], d: usize) -> Vec<f64> {
    let mut gradient = vec![0.0; centroids.len()];
    let mut diagonal = vec![0.0; centroids.len() / d];
    for point in points.chunks_exact(d) {
        let (mut nearest, mut at) = (f64::INFINITY, 0);
        for (k, centroid) in centroids.chunks_exact(d).enumerate() {
            let mut distance = 0.0;
            for j in 0..d {
                let difference = centroid[j] - point[j];
                distance += difference * difference;
            }
            if distance < nearest {
                (nearest, at) = (distance, k);
            }
        }
        let centroid = &centroids[at * d..(at + 1) * d];
        let row = &mut gradient[at * d..(at + 1) * d];
        for j in 0..d {
            row[j] += 2.0 * (centroid[j] - point[j]);
        }
        diagonal[at] += 2.0;
    }
    for (row, h) in gradient.chunks_exact_mut(d).zip(diagonal) {
        row.iter_mut().for_each(|g| *g /= h);
    }
    gradient
}
