#[differentiable(explain)]
#[checkpoint]
fn settle(start: f64, rates: &[f64], heights: &mut Vec<f64>, steps: usize) -> f64 {
    let (mut x, mut speed) = (start, 0.0);
    let mut scale = 1.0;
    #[checkpoint(snapshots = steps / 10 + 1)]
    for i in 0..steps {
        speed -= rates[i] * x.sin() * scale;
        x += speed;
        heights.push(x);
    }
    scale = x;
    #[checkpoint]
    while scale > 0.1 {
        scale *= x;
    }
    scale
}
