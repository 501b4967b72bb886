#[differentiable]
fn energy(s: &Springs, #[constant] rest: &Rest) -> f64 {
    let mut total = 0.0;
    for i in 0..s.at.len() - 1 {
        let stretch = s.at[i + 1] - s.at[i] - rest.lengths[i];
        total += 0.5 * s.stiffness[i] * stretch * stretch;
    }
    total
}

// beside it:
struct Springs {
    at: Vec<f64>,
    stiffness: Numbers,
}

struct Rest {
    lengths: Numbers,
}

type Numbers = Vec<f64>;
