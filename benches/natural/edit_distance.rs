//! The distance of two strings with soft minima, by the costs of edits: a table of rows.

use crate::{NATURAL, measure};
use differentiable::prelude::*;

#[differentiable]
fn soft_min(a: f64, b: f64, c: f64) -> f64 {
    let m = a.min(b).min(c);
    m - ((m - a).exp() + (m - b).exp() + (m - c).exp()).ln()
}

/// `costs`: of an insertion, of a deletion, and of each exchange of letters.
#[differentiable]
fn distance(
    costs: &[f64],
    exchange: &[Vec<f64>],
    #[constant] a: &[usize],
    #[constant] b: &[usize],
) -> f64 {
    let mut row: Vec<f64> = (0..=b.len()).map(|j| j as f64 * costs[0]).collect();
    for x in a {
        let mut next = vec![row[0] + costs[1]];
        for (j, y) in b.iter().enumerate() {
            let best = soft_min(
                row[j + 1] + costs[1],
                next[j] + costs[0],
                row[j] + exchange[*x][*y],
            );
            next.push(best);
        }
        row = next;
    }
    row[b.len()]
}

fn by_hand(costs: &[f64], exchange: &[Vec<f64>], a: &[usize], b: &[usize]) -> (f64, Vec<f64>) {
    let width = b.len() + 1;
    let mut table: Vec<f64> = (0..width).map(|j| j as f64 * costs[0]).collect();
    // The shares of the three ways into each cell.
    let mut shares: Vec<[f64; 3]> = Vec::with_capacity(a.len() * b.len());
    for (i, x) in a.iter().enumerate() {
        table.push(table[i * width] + costs[1]);
        for (j, y) in b.iter().enumerate() {
            let ways = [
                table[i * width + j + 1] + costs[1],
                table[(i + 1) * width + j] + costs[0],
                table[i * width + j] + exchange[*x][*y],
            ];
            let m = ways[0].min(ways[1]).min(ways[2]);
            let parts = ways.map(|w| (m - w).exp());
            let sum = parts[0] + parts[1] + parts[2];
            table.push(m - sum.ln());
            shares.push(parts.map(|p| p / sum));
        }
    }
    let letters = exchange.len();
    let mut d = vec![0.0; 2 + letters * letters];
    let mut d_table = vec![0.0; table.len()];
    d_table[table.len() - 1] = 1.0;
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let ct = d_table[(i + 1) * width + j + 1];
            let [above, left, both] = shares[i * b.len() + j].map(|s| s * ct);
            d_table[i * width + j + 1] += above;
            d_table[(i + 1) * width + j] += left;
            d_table[i * width + j] += both;
            d[1] += above;
            d[0] += left;
            d[2 + a[i] * letters + b[j]] += both;
        }
        let first = d_table[(i + 1) * width];
        d_table[i * width] += first;
        d[1] += first;
    }
    for j in 0..width {
        d[0] += j as f64 * d_table[j];
    }
    (table[table.len() - 1], d)
}

pub fn run() {
    let letters = 8;
    let exchange: Vec<Vec<f64>> = (0..letters)
        .map(|i| {
            (0..letters)
                .map(|j| {
                    if i == j {
                        0.1
                    } else {
                        1.0 + 0.2 * ((i * letters + j) as f64).sin()
                    }
                })
                .collect()
        })
        .collect();
    let text = |n: usize, step: usize| -> Vec<usize> {
        (0..n).map(|i| (i * step + i / 5) % letters).collect()
    };
    let (a, b, costs) = (text(100, 3), text(120, 5), [0.8, 0.9]);
    measure(
        "edit distance with soft minima, 100 by 120, rows as `Vec`s",
        NATURAL,
        || distance(&costs, &exchange, &a, &b),
        || by_hand(&costs, &exchange, &a, &b),
        || distance::value_and_grad(&costs, &exchange, &a, &b),
        |hand, (value, (d_costs, d_exchange))| {
            let ours = [&[*value], &d_costs[..], &d_exchange.concat()].concat();
            ([&[hand.0], &hand.1[..]].concat(), ours)
        },
    );
}
