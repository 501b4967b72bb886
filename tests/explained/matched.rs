#[differentiable(explain)]
fn steps(x: f64, k: f64, program: &[u8]) -> f64 {
    let mut y = x;
    let mut at = 0;
    let square = |v: f64| v * v;
    while at < program.len() {
        match program[at] {
            0 => y = square(y),
            1 => y = y.clamp(-1.0, 1.0) * k,
            k if k > 100 => y *= k as f64,
            _ => break,
        }
        at += 1;
    }
    y
}
