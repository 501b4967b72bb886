// Functions of about 1000 numbers in plain Rust. `source!` puts an attribute on each: `#[differentiable]` in one module,
// `#[autodiff_reverse]` in the other. The line above a function names its derivative there, and whether each argument,
// and then the result, is active.

source! {
    d_rosenbrock(Duplicated, Active)
    pub fn rosenbrock(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() - 1 {
            let a = 1.0 - x[i];
            let b = x[i + 1] - x[i] * x[i];
            total += a * a + 100.0 * b * b;
        }
        total
    }

    d_iterators(Duplicated, Active)
    pub fn iterators(x: &[f64]) -> f64 {
        x.iter()
            .zip(x.iter().skip(1))
            .map(|(a, b)| a * b.sin())
            .filter(|v| *v < 10.0)
            .sum()
    }

    d_logistic(Duplicated, Active)
    pub fn logistic(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for start in x {
            let mut v = *start;
            for _ in 0..20 {
                v = if v < 0.5 {
                    3.2 * v * (1.0 - v)
                } else {
                    2.8 * v * (1.0 - v) + 0.1
                };
            }
            total += v;
        }
        total
    }

    d_log_sum_exp(Duplicated, Active)
    pub fn log_sum_exp(x: &[f64]) -> f64 {
        let largest = x.iter().fold(f64::NEG_INFINITY, |m, v| m.max(*v));
        let total: f64 = x.iter().map(|v| (v - largest).exp()).sum();
        largest + total.ln()
    }

    d_two_buffers(Duplicated, Active)
    pub fn two_buffers(x: &[f64]) -> f64 {
        let n = x.len();
        let mut now = x.to_vec();
        let mut next = x.to_vec();
        for _ in 0..100 {
            for i in 1..n - 1 {
                next[i] = now[i] + 0.2 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            }
            std::mem::swap(&mut now, &mut next);
        }
        let mut total = 0.0;
        for i in 0..n {
            total += now[i] * now[i];
        }
        total
    }

    d_one_buffer(Duplicated, Active)
    pub fn one_buffer(x: &[f64]) -> f64 {
        let mut u = x.to_vec();
        for _ in 0..20 {
            let mut left = u[0];
            for i in 1..u.len() - 1 {
                let here = u[i];
                u[i] = here + 0.1 * (left * here - here * u[i + 1]);
                left = here;
            }
        }
        u.iter().map(|v| v * v).sum()
    }

    d_cosine(Duplicated, Active)
    pub fn cosine(x: &[f64]) -> f64 {
        let n = x.len() / 2;
        let (a, b) = x.split_at(n);
        let mut dot = 0.0;
        let mut aa = 0.0;
        let mut bb = 0.0;
        for i in 0..n {
            dot += a[i] * b[i];
            aa += a[i] * a[i];
            bb += b[i] * b[i];
        }
        dot / (aa.sqrt() * bb.sqrt())
    }

    d_horner(Duplicated, Active)
    pub fn horner(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for k in 0..20 {
            let at = 0.05 * k as f64;
            let mut value = 0.0;
            for c in x.iter().rev() {
                value = value * at + c;
            }
            total += value * value;
        }
        total
    }

    d_springs(Duplicated, Active)
    pub fn springs(x: &[f64]) -> f64 {
        let n = x.len();
        let mut position = x.to_vec();
        let mut velocity = vec![0.0; n];
        for _ in 0..50 {
            for i in 0..n - 1 {
                let d = position[i + 1] - position[i];
                let force = d + 0.5 * d * d * d;
                velocity[i] += 0.01 * force;
                velocity[i + 1] -= 0.01 * force;
            }
            for i in 0..n {
                position[i] += 0.01 * velocity[i];
            }
        }
        velocity.iter().map(|v| 0.5 * v * v).sum()
    }

    d_lennard_jones(Duplicated, Active)
    pub fn lennard_jones(x: &[f64]) -> f64 {
        let n = x.len() / 3;
        let mut energy = 0.0;
        for i in 0..n {
            for j in i + 1..n {
                let dx = x[3 * i] - x[3 * j];
                let dy = x[3 * i + 1] - x[3 * j + 1];
                let dz = x[3 * i + 2] - x[3 * j + 2];
                let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + 0.5);
                let sixth = inverse * inverse * inverse;
                energy += 4.0 * (sixth * sixth - sixth);
            }
        }
        energy
    }

    d_layers(Duplicated, Active)
    pub fn layers(x: &[f64]) -> f64 {
        let width = 16;
        let mut state = vec![0.5; width];
        for layer in x.chunks_exact(width * width) {
            let mut next = vec![0.0; width];
            for i in 0..width {
                let mut sum = 0.0;
                for j in 0..width {
                    sum += layer[i * width + j] * state[j];
                }
                next[i] = (0.2 * sum).tanh();
            }
            state = next;
        }
        state.iter().sum()
    }

    d_running(Duplicated, Active)
    pub fn running(x: &[f64]) -> f64 {
        let mut mean = 0.0;
        let mut spread = 0.0;
        let mut total = 0.0;
        for v in x {
            let off = v - mean;
            mean += 0.1 * off;
            spread = 0.9 * (spread + 0.1 * off * off);
            total += off / (1.0 + spread).sqrt();
        }
        total * total
    }

    d_entropy(Duplicated, Active)
    pub fn entropy(x: &[f64]) -> f64 {
        let classes = 10;
        let mut loss = 0.0;
        for (row, logits) in x.chunks_exact(classes).enumerate() {
            let mut sum = 0.0;
            for v in logits {
                sum += v.exp();
            }
            loss += sum.ln() - logits[row % classes];
        }
        loss
    }

    d_lotka_volterra(Duplicated, Active)
    pub fn lotka_volterra(x: &[f64]) -> f64 {
        let mut state = [1.0, 0.5];
        for rates in x.chunks_exact(4) {
            let slope = |s: [f64; 2]| {
                [
                    rates[0] * s[0] - rates[1] * s[0] * s[1],
                    rates[2] * s[0] * s[1] - rates[3] * s[1],
                ]
            };
            let h = 0.02;
            let k1 = slope(state);
            let k2 = slope([state[0] + 0.5 * h * k1[0], state[1] + 0.5 * h * k1[1]]);
            let k3 = slope([state[0] + 0.5 * h * k2[0], state[1] + 0.5 * h * k2[1]]);
            let k4 = slope([state[0] + h * k3[0], state[1] + h * k3[1]]);
            for i in 0..2 {
                state[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        state[0] * state[1]
    }

    d_matrices(Duplicated, Active)
    pub fn matrices(x: &[f64]) -> f64 {
        let mut product = [[0.0; 5]; 5];
        for i in 0..5 {
            product[i][i] = 1.0;
        }
        for m in x.chunks_exact(25) {
            let mut next = [[0.0; 5]; 5];
            for i in 0..5 {
                for j in 0..5 {
                    for k in 0..5 {
                        next[i][j] += product[i][k] * m[k * 5 + j];
                    }
                }
            }
            product = next;
        }
        product[0][0] + product[1][3] * product[4][2]
    }

    d_alignment(Duplicated, Active)
    pub fn alignment(x: &[f64]) -> f64 {
        let n = 31;
        let mut table = vec![0.0; (n + 1) * (n + 1)];
        for i in 0..=n {
            table[i] = i as f64;
            table[i * (n + 1)] = i as f64;
        }
        for i in 1..=n {
            for j in 1..=n {
                let a = table[(i - 1) * (n + 1) + j] + 1.0;
                let b = table[i * (n + 1) + j - 1] + 1.0;
                let c = table[(i - 1) * (n + 1) + j - 1] + x[(i - 1) * n + j - 1];
                let m = a.min(b).min(c);
                let sum = (m - a).exp() + (m - b).exp() + (m - c).exp();
                table[i * (n + 1) + j] = m - sum.ln();
            }
        }
        table[(n + 1) * (n + 1) - 1]
    }

    d_helpers(Duplicated, Active)
    pub fn helpers(x: &[f64]) -> f64 {
        let scale = |v: &[f64], s: f64| -> Vec<f64> { v.iter().map(|v| s * v).collect() };
        let mut u = x.to_vec();
        for _ in 0..5 {
            let half = scale(&u, 0.5);
            u = half.iter().zip(&u).map(|(h, u)| u + h * (1.0 - u)).collect();
        }
        u.iter().sum()
    }

    d_halves(Duplicated, Active)
    pub fn halves(x: &[f64]) -> f64 {
        if x.len() == 1 {
            return x[0].sin();
        }
        let (a, b) = x.split_at(x.len() / 2);
        let (a, b) = (halves(a), halves(b));
        a * b + 0.5 * (a + b)
    }
}
