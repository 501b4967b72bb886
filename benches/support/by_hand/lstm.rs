//! Forward with everything kept that the reverse needs, in one buffer; then back through time.

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What one cell of one layer keeps of one step.
#[derive(Clone, Copy)]
struct Kept {
    input: f64,
    hidden: f64,
    cell: f64,
    forget: f64,
    ingate: f64,
    outgate: f64,
    change: f64,
    squashed: f64,
}

/// The loss, and its gradient by `main` and `extra`.
pub fn loss(
    main: &[f64],
    extra: &[f64],
    state: &[f64],
    sequence: &[f64],
) -> (f64, Vec<f64>, Vec<f64>) {
    let b = extra.len() / 3;
    let layers = main.len() / (8 * b);
    let steps = sequence.len() / b - 1;
    let mut state = state.to_vec();
    let mut input = vec![0.0; b];
    let mut kept: Vec<Kept> = Vec::with_capacity(steps * layers * b);
    // Of each step: the last hidden row and the softmax of the prediction.
    let mut outputs: Vec<(f64, f64)> = Vec::with_capacity(steps * b);
    let mut total = 0.0;
    for t in 0..steps {
        for j in 0..b {
            input[j] = sequence[t * b + j] * extra[j];
        }
        for layer in 0..layers {
            let (weight, bias) = main[8 * b * layer..8 * b * (layer + 1)].split_at(4 * b);
            let (hidden, cell) = state[2 * b * layer..2 * b * (layer + 1)].split_at_mut(b);
            for j in 0..b {
                let forget = sigmoid(input[j] * weight[j] + bias[j]);
                let ingate = sigmoid(hidden[j] * weight[b + j] + bias[b + j]);
                let outgate = sigmoid(input[j] * weight[2 * b + j] + bias[2 * b + j]);
                let change = (hidden[j] * weight[3 * b + j] + bias[3 * b + j]).tanh();
                let new_cell = cell[j] * forget + ingate * change;
                let squashed = new_cell.tanh();
                kept.push(Kept {
                    input: input[j],
                    hidden: hidden[j],
                    cell: cell[j],
                    forget,
                    ingate,
                    outgate,
                    change,
                    squashed,
                });
                cell[j] = new_cell;
                hidden[j] = outgate * squashed;
                input[j] = hidden[j];
            }
        }
        let mut sum = 2.0;
        let target = &sequence[(t + 1) * b..(t + 2) * b];
        let first = outputs.len();
        for j in 0..b {
            let predicted = input[j] * extra[b + j] + extra[2 * b + j];
            let exponential = predicted.exp();
            sum += exponential;
            total += target[j] * predicted;
            outputs.push((input[j], exponential));
        }
        let inverse = 1.0 / sum;
        for output in &mut outputs[first..] {
            output.1 *= inverse;
        }
        total -= sum.ln() * target.iter().sum::<f64>();
    }

    let scale = -1.0 / (b * steps) as f64;
    let mut of_main = vec![0.0; main.len()];
    let mut of_extra = vec![0.0; extra.len()];
    let mut of_state = vec![0.0; state.len()];
    let mut of_input = vec![0.0; b];
    for t in (0..steps).rev() {
        let target = &sequence[(t + 1) * b..(t + 2) * b];
        let of_log_sum = -scale * target.iter().sum::<f64>();
        for j in 0..b {
            let (hidden, softmax) = outputs[t * b + j];
            let of_predicted = scale * target[j] + of_log_sum * softmax;
            of_extra[b + j] += of_predicted * hidden;
            of_extra[2 * b + j] += of_predicted;
            of_input[j] = of_predicted * extra[b + j];
        }
        for layer in (0..layers).rev() {
            let weight = &main[8 * b * layer..8 * b * layer + 4 * b];
            let (of_weight, of_bias) =
                of_main[8 * b * layer..8 * b * (layer + 1)].split_at_mut(4 * b);
            let (of_hidden, of_cell) = of_state[2 * b * layer..2 * b * (layer + 1)].split_at_mut(b);
            let kept = &kept[(t * layers + layer) * b..(t * layers + layer + 1) * b];
            for j in 0..b {
                let k = kept[j];
                let of_output = of_input[j] + of_hidden[j];
                let of_new_cell =
                    of_cell[j] + of_output * k.outgate * (1.0 - k.squashed * k.squashed);
                let forget = of_new_cell * k.cell * k.forget * (1.0 - k.forget);
                let ingate = of_new_cell * k.change * k.ingate * (1.0 - k.ingate);
                let outgate = of_output * k.squashed * k.outgate * (1.0 - k.outgate);
                let change = of_new_cell * k.ingate * (1.0 - k.change * k.change);
                of_cell[j] = of_new_cell * k.forget;
                of_input[j] = forget * weight[j] + outgate * weight[2 * b + j];
                of_hidden[j] = ingate * weight[b + j] + change * weight[3 * b + j];
                of_weight[j] += forget * k.input;
                of_weight[b + j] += ingate * k.hidden;
                of_weight[2 * b + j] += outgate * k.input;
                of_weight[3 * b + j] += change * k.hidden;
                of_bias[j] += forget;
                of_bias[b + j] += ingate;
                of_bias[2 * b + j] += outgate;
                of_bias[3 * b + j] += change;
            }
        }
        for j in 0..b {
            of_extra[j] += of_input[j] * sequence[t * b + j];
        }
    }
    (scale * total, of_main, of_extra)
}
