//! With y = R (x − C) and its image p = y.xy / y.z: ∂p/∂y is known, ∂y/∂x = R, ∂y/∂C = −R, and the
//! derivative by the rotation follows from Rodrigues' formula.

type Matrix = [[f64; 3]; 3];

/// The rotation of `v` about `r`, its matrix, and its derivative by `r`.
fn rotate(r: [f64; 3], v: [f64; 3]) -> ([f64; 3], Matrix, Matrix) {
    let cross = [
        r[1] * v[2] - r[2] * v[1],
        r[2] * v[0] - r[0] * v[2],
        r[0] * v[1] - r[1] * v[0],
    ];
    // The derivative of r × v by r.
    let minus_v = [[0.0, v[2], -v[1]], [-v[2], 0.0, v[0]], [v[1], -v[0], 0.0]];
    let squared = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if squared == 0.0 {
        let rotated = [v[0] + cross[0], v[1] + cross[1], v[2] + cross[2]];
        let matrix = [[1.0, -r[2], r[1]], [r[2], 1.0, -r[0]], [-r[1], r[0], 1.0]];
        return (rotated, matrix, minus_v);
    }
    // y = c·v + a·(r × v) + b·(r·v)·r with a = sin θ / θ, b = (1 − cos θ) / θ².
    let angle = squared.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let inverse = 1.0 / squared;
    let a = sine / angle;
    let b = (1.0 - cosine) * inverse;
    let along = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    // Of c, a and b by r: each is this times r.
    let of_cosine = -a;
    let of_a = (cosine - a) * inverse;
    let of_b = (a - 2.0 * b) * inverse;
    let mut rotated = [0.0; 3];
    let mut matrix = [[0.0; 3]; 3];
    let mut of_r = [[0.0; 3]; 3];
    for i in 0..3 {
        rotated[i] = cosine * v[i] + a * cross[i] + b * along * r[i];
        let radial = of_cosine * v[i] + of_a * cross[i] + of_b * along * r[i];
        for j in 0..3 {
            matrix[i][j] = b * r[i] * r[j];
            of_r[i][j] = radial * r[j] + a * minus_v[i][j] + b * r[i] * v[j];
        }
        matrix[i][i] += cosine;
        of_r[i][i] += b * along;
    }
    matrix[0][1] -= a * r[2];
    matrix[0][2] += a * r[1];
    matrix[1][0] += a * r[2];
    matrix[1][2] -= a * r[0];
    matrix[2][0] -= a * r[1];
    matrix[2][1] += a * r[0];
    (rotated, matrix, of_r)
}

/// The two rows of derivatives, each by camera (11), point (3) and weight, into `rows` of length 30.
pub fn reprojection_error(
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    feature: &[f64; 2],
    rows: &mut [f64],
) -> [f64; 2] {
    let &[r0, r1, r2, c0, c1, c2, focal, u0, v0, k1, k2] = camera;
    let moved = [point[0] - c0, point[1] - c1, point[2] - c2];
    let (seen, of_moved, of_r) = rotate([r0, r1, r2], moved);
    let inverse = 1.0 / seen[2];
    let p = [seen[0] * inverse, seen[1] * inverse];
    let s = p[0] * p[0] + p[1] * p[1];
    let distortion = 1.0 + k1 * s + k2 * s * s;
    let slope = 2.0 * (k1 + 2.0 * k2 * s);
    let scale = weight * focal;
    let error = [
        p[0] * distortion * focal + u0 - feature[0],
        p[1] * distortion * focal + v0 - feature[1],
    ];
    let (first, second) = rows.split_at_mut(15);
    for (i, row) in [first, second].into_iter().enumerate() {
        let row: &mut [f64; 15] = row.try_into().expect("15 columns");
        let mut by_p = [scale * p[i] * slope * p[0], scale * p[i] * slope * p[1]];
        by_p[i] += scale * distortion;
        let by_seen = [
            by_p[0] * inverse,
            by_p[1] * inverse,
            -(by_p[0] * p[0] + by_p[1] * p[1]) * inverse,
        ];
        for j in 0..3 {
            row[j] = by_seen[0] * of_r[0][j] + by_seen[1] * of_r[1][j] + by_seen[2] * of_r[2][j];
            let by_point = by_seen[0] * of_moved[0][j]
                + by_seen[1] * of_moved[1][j]
                + by_seen[2] * of_moved[2][j];
            row[3 + j] = -by_point;
            row[11 + j] = by_point;
        }
        row[6] = weight * p[i] * distortion;
        row[7] = 0.0;
        row[8] = 0.0;
        row[7 + i] = weight;
        row[9] = scale * p[i] * s;
        row[10] = scale * p[i] * s * s;
        row[14] = error[i];
    }
    [weight * error[0], weight * error[1]]
}

/// The Jacobian of all observations in compressed rows: `rows`, `cols`, `vals`.
pub fn jacobian(
    cameras: &[[f64; 11]],
    points: &[[f64; 3]],
    weights: &[f64],
    features: &[[f64; 2]],
) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
    let (n, m, p) = (cameras.len(), points.len(), weights.len());
    let mut rows = Vec::with_capacity(3 * p + 1);
    let mut cols = Vec::with_capacity(31 * p);
    let mut vals = Vec::with_capacity(31 * p);
    rows.push(0);
    for i in 0..p {
        let (camera, point) = (i % n, i % m);
        let mut block = [0.0; 30];
        reprojection_error(
            &cameras[camera],
            &points[point],
            weights[i],
            &features[i],
            &mut block,
        );
        vals.extend_from_slice(&block);
        for _ in 0..2 {
            cols.extend(11 * camera..11 * (camera + 1));
            cols.extend(11 * n + 3 * point..11 * n + 3 * (point + 1));
            cols.push(11 * n + 3 * m + i);
        }
        rows.extend([30 * i + 15, 30 * i + 30]);
    }
    for (i, weight) in weights.iter().enumerate() {
        cols.push(11 * n + 3 * m + i);
        vals.push(-2.0 * weight);
        rows.push(30 * p + i + 1);
    }
    (rows, cols, vals)
}
