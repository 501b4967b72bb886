//! Matrices of rows: conversions, products, and assembly of dense blocks.

use crate::near;
use crate::sparse::{diffusion, points, same};
use differentiable::prelude::*;
use differentiable::sparse::{Assembly, Csr, Pattern};

#[test]
fn matrices() {
    let x = points(9);
    let plan = diffusion::sparse_jacobian_plan(&x);
    let a = diffusion::sparse_jacobian(&plan, &x).unwrap();
    let v = points(10)[1..].to_vec();
    let (_, pushed) = diffusion::jvp((&x, &v));
    assert_eq!(a.mul_vec(&v).len(), pushed.len());
    a.mul_vec(&v)
        .iter()
        .zip(&pushed)
        .for_each(|(a, b)| near(*a, *b, 1e-13));
    let (_, pullback) = diffusion::vjp(&x);
    let pulled = pullback(v.clone());
    assert_eq!(a.transposed_mul_vec(&v).len(), pulled.len());
    a.transposed_mul_vec(&v)
        .iter()
        .zip(&pulled)
        .for_each(|(a, b)| near(*a, *b, 1e-13));
    let across = a.transposed();
    assert_eq!(across.transposed(), a);
    for (i, j, x) in a.to_coo() {
        assert_eq!((across.get(j, i), a.get(i, j)), (x, x));
    }
    assert_eq!(a.get(0, 8), 0.0);
    assert!(Pattern::new((1, 2), vec![0, 2], vec![1, 0]).is_err());
    assert!(Pattern::new((1, 2), vec![0, 1], vec![2]).is_err());
    assert!(Pattern::new((2, 2), vec![0, 2, 1], vec![0]).is_err());
    assert!(Pattern::from_entries((1, 1), [(1, 0)]).is_err());
}

/// A spring between two points of a plane: its energy's gradient, the forces at its ends.
#[differentiable(higher_order)]
fn spring_forces(a: [f64; 2], b: [f64; 2], k: f64) -> [f64; 4] {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let pull = k * (1.0 - 1.0 / (dx * dx + dy * dy).sqrt());
    [-pull * dx, -pull * dy, pull * dx, pull * dy]
}

#[differentiable(higher_order)]
fn net(x: &[f64], #[constant] k: f64) -> Vec<f64> {
    let n = x.len() / 2;
    let mut out = vec![0.0; x.len()];
    for i in 1..n {
        // From right to left, so that the columns of a block do not rise.
        let f = spring_forces([x[2 * i], x[2 * i + 1]], [x[2 * i - 2], x[2 * i - 1]], k);
        out[2 * i] += f[0];
        out[2 * i + 1] += f[1];
        out[2 * i - 2] += f[2];
        out[2 * i - 1] += f[3];
    }
    out
}

#[test]
fn elements_add_up() {
    let (n, x) = (6, points(12));
    let places = |i: usize| [2 * i, 2 * i + 1, 2 * i - 2, 2 * i - 1];
    let blocks = (1..n).map(|i| (places(i), places(i)));
    let assembly = Assembly::new((12, 12), blocks).unwrap();
    assert_eq!(assembly.blocks(), 5);
    let mut by_k = [0.0; 20];
    let mut block = |i: usize, to: &mut [f64]| {
        let at = places(i + 1).map(|k| x[k]);
        spring_forces::jacobian_into(&mut by_k, [at[0], at[1]], [at[2], at[3]], 1.3);
        // The last column is that of the stiffness.
        for (to, row) in to.chunks_mut(4).zip(by_k.chunks(5)) {
            to.copy_from_slice(&row[..4]);
        }
    };
    let found: Csr<f64> = assembly.assemble(&mut block);
    same(&found.to_dense(), &net::jacobian(&x, 1.3));
    let mut again = found.clone();
    assembly.assemble_into(&mut again, &mut block);
    assert_eq!(found, again);
    again.values.fill(f64::NAN);
    assembly.assemble_values(&mut again.values, &mut block);
    assert_eq!(found, again);
    let sparse = net::sparse_jacobian(&net::sparse_jacobian_plan(&x, 1.3), &x, 1.3).unwrap();
    assert_eq!(sparse.column_indices(), found.column_indices());
    // An index twice in one block, and one outside.
    let twice = Assembly::new((1, 2), [([0], [1, 1])]).unwrap();
    assert_eq!(
        twice.assemble(|_, to| to.fill(1.5)).to_dense(),
        [[0.0, 3.0]]
    );
    assert!(Assembly::new((1, 2), [([0], [2])]).is_err());
    let empty: [([usize; 0], [usize; 0]); 0] = [];
    let empty = Assembly::new((2, 0), empty).unwrap();
    assert_eq!(empty.assemble(|_, _: &mut [f64]| {}).shape(), (2, 0));
}

#[test]
fn blocks_in_place() {
    // A row for each pair of columns: written where they stand.
    let assembly = Assembly::new((3, 4), (0..3).map(|i| ([i], [i, i + 1]))).unwrap();
    let found = assembly.assemble(|i, to| to.copy_from_slice(&[i as f64, 1.0]));
    assert_eq!(found.values, [0.0, 1.0, 1.0, 1.0, 2.0, 1.0]);
    // A block that writes a part finds zeros in the rest, whatever the matrix held.
    let mut again = found;
    assembly.assemble_into(&mut again, |_, to| to[1] += 3.0);
    assert_eq!(again.values, [0.0, 3.0, 0.0, 3.0, 0.0, 3.0]);
}

#[test]
fn dense_blocks_by_both_modes() {
    #[differentiable(higher_order)]
    fn wide(x: &[f64], y: [f64; 3]) -> [f64; 2] {
        let mut s = y[0];
        for i in 0..x.len() {
            s = (s * x[i] + y[1]).sin();
        }
        [s, s * y[2]]
    }
    for n in [0, 4, 5, 6, 40] {
        let x = points(n);
        let mut dense = vec![0.0; 2 * (n + 3)];
        wide::jacobian_into(&mut dense, &x, [0.1, 0.2, 0.3]);
        let rows = wide::jacobian(&x, [0.1, 0.2, 0.3]);
        for (row, (of_x, of_y)) in dense.chunks(n + 3).zip(&rows) {
            row.iter()
                .zip(of_x.iter().chain(of_y))
                .for_each(|(a, b)| near(*a, *b, 1e-13));
        }
    }
}

#[test]
#[should_panic(expected = "does not go into a slice of 3")]
fn a_block_of_another_size() {
    spring_forces::jacobian_into(&mut [0.0; 3], [0.0, 1.0], [1.0, 0.0], 1.0);
}

/// All rows of a Jacobian come from one pullback with a lane for each: where slopes are infinite, zero or NaN,
/// every lane is what it would be alone.
#[test]
fn rows_at_once_where_slopes_are_not_finite() {
    macro_rules! outputs {
        ($name:ident $n:literal) => {
            #[differentiable(higher_order)]
            fn $name(x: [f64; 9], k: f64) -> [f64; $n] {
                let mut out = [0.0; $n];
                for i in 0..$n {
                    let far = (x[i] * x[i + 1]).sqrt() + k * x[i + 2].powf(x[i + 3]);
                    let norm = x[i].hypot(x[i + 1]) / x[i + 4];
                    let bent = (x[i + 2].abs().ln() - x[i + 5].acos()).max(k);
                    out[i] = if i % 2 == 0 {
                        far * bent
                    } else {
                        norm - far.cbrt()
                    };
                }
                out
            }
            let starts = [0.0, -0.0, 1.0, 0.3, -0.7, 4e-310, f64::INFINITY, f64::NAN];
            for seed in 0..40_usize {
                let x: [f64; 9] =
                    std::array::from_fn(|i| starts[(seed * 5 + i * i + seed / 7 * i) % 8]);
                let k = starts[seed % 5];
                let mut dense = [0.5; $n * 10];
                $name::jacobian_into(&mut dense, x, k);
                let (_, pullback) = $name::vjp(x, k);
                for (i, row) in dense.chunks(10).enumerate() {
                    let mut ct = [0.0; $n];
                    ct[i] = 1.0;
                    let (of_x, of_k) = pullback.clone()(ct);
                    for (at_once, alone) in row.iter().zip(of_x.iter().chain([&of_k])) {
                        let same = at_once == alone || at_once.is_nan() && alone.is_nan();
                        let close = (at_once - alone).abs() <= 1e-13 * alone.abs();
                        assert!(same || close, "{x:?} {k}, row {i}: {at_once} for {alone}");
                    }
                }
            }
        };
    }
    outputs!(of_two 2);
    outputs!(of_three 3);
    outputs!(of_four 4);
}

#[test]
fn matrices_share_the_pattern_of_their_plan() {
    let assembly = Assembly::new((2, 3), [([0], [0, 2]), ([1], [1, 2])]).unwrap();
    let a = assembly.assemble(|i, to| to.fill(1.0 + i as f64));
    let mut b = Csr::default();
    assembly.assemble_into(&mut b, |_, to| to.fill(3.0));
    for m in [&a, &b] {
        assert!(std::ptr::eq(
            m.column_indices(),
            assembly.pattern().column_indices()
        ));
        assert_eq!((m.shape(), m.pattern()), ((2, 3), assembly.pattern()));
    }
    let parts = a.clone().into_parts();
    assert_eq!(
        parts,
        (vec![0, 2, 4], vec![0, 2, 1, 2], vec![1.0, 1.0, 2.0, 2.0])
    );
    // A matrix that had another pattern takes this one on.
    let other = Pattern::from_entries((5, 1), (0..5).map(|i| (i, 0))).unwrap();
    let mut c = Csr::new(&other, vec![7.0; 5]);
    assembly.assemble_into(&mut c, |i, to| to.fill(1.0 + i as f64));
    assert_eq!(c, a);
    let empty: Csr<f64> = Csr::default();
    assert_eq!((empty.shape(), empty.to_dense().len()), ((0, 0), 0));
}
