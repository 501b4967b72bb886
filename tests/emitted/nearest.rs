#[differentiable]
fn nearest(#[constant] points: &[f64], centroids: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        let mut nearest = f64::INFINITY;
        for centroid in centroids.chunks_exact(d) {
            let mut distance = 0.0;
            for j in 0..d {
                let difference = centroid[j] - point[j];
                distance += difference * difference;
            }
            nearest = nearest.min(distance);
        }
        total += nearest;
    }
    total
}
