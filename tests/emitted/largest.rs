#[differentiable]
fn largest_entry(x: &[f64], n: usize) -> f64 {
    let row = &x[1..];
    let part = &row[..n];
    let mut largest: f64 = x[0];
    let mut sum: f64 = 0.0;
    for i in 0..n {
        largest = largest.max(part[i]);
    }
    for i in 0..n {
        sum += part[i] * part[i];
    }
    largest + sum
}
