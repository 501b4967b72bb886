use super::common::*;
use autodiff_core::device::{Cpu, Dims, IndexError, SoftmaxOp};
use autodiff_core::tensor::raw::Raw;
use proptest::prelude::*;

/// Rows along `axis` of a tensor, as positions of its row-major elements.
fn lines(s: &[usize], axis: usize) -> Vec<Vec<usize>> {
    let mut kept = s.to_vec();
    kept[axis] = 1;
    let mut l = vec![vec![]; kept.iter().product()];
    for at in indices(s) {
        l[position(&kept, &at)].push(position(s, &at));
    }
    l
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn softmax_along_any_axis(s in some_sizes(), l in lie(), lc in lie(), pick in any::<prop::sample::Index>(), seed in 1u64..1000) {
        let axis = pick.index(s.len());
        let x = make_f64(&s, l, seed, -30.0, 30.0);
        let ct = make_f64(&s, lc, seed + 1, -1.0, 1.0);
        let (xv, cv) = (x.to_vec(), ct.to_vec());
        let n = xv.len();
        let (mut soft, mut log, mut soft_ct, mut log_ct) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        for line in lines(&s, axis) {
            let m = line.iter().map(|&i| xv[i]).fold(f64::NEG_INFINITY, f64::max);
            let lse = m + exact_sum(line.iter().map(|&i| (xv[i] - m).exp())).ln();
            for &i in &line {
                log[i] = xv[i] - lse;
                soft[i] = log[i].exp();
            }
            // The Jacobians in full: p_i (δ_ij − p_j) and δ_ij − p_j.
            for &i in &line {
                soft_ct[i] = exact_sum(line.iter().map(|&j| cv[j] * soft[j] * (if i == j { 1.0 } else { 0.0 } - soft[i])));
                log_ct[i] = exact_sum(line.iter().map(|&j| cv[j] * (if i == j { 1.0 } else { 0.0 } - soft[i])));
            }
        }
        for (op, y, g) in [(SoftmaxOp::Softmax, &soft, &soft_ct), (SoftmaxOp::LogSoftmax, &log, &log_ct)] {
            let found = x.softmax(op, axis);
            prop_assert_eq!(found.dims().as_slice(), &s[..]);
            assert_close(&found.to_vec(), y, 1e-13);
            assert_close(&Raw::softmax_pullback(op, axis, &found, &ct).to_vec(), g, 1e-12);
            let x32 = make_f32(&s, l, seed, -30.0, 30.0);
            assert_close(&wide(&x32.softmax(op, axis).to_vec()), &make_f64_from(&x32).softmax(op, axis).to_vec(), 1e-5);
        }
    }

    #[test]
    fn cross_entropy_is_the_mean_of_minus_log_softmax(n in 1usize..40, k in 1usize..40, l in lie(), seed in 1u64..1000) {
        let x = make_f64(&[n, k], l, seed, -5.0, 5.0);
        let mut next = numbers(seed + 1, 0.0, k as f64);
        let t = make(&[n], Lie::Sliced, |i| next(i) as i64);
        let log = x.softmax(SoftmaxOp::LogSoftmax, 1).to_vec();
        let tv = t.to_vec();
        let expected = -exact_sum((0..n).map(|i| log[i * k + tv[i] as usize])) / n as f64;
        let (loss, lse) = x.cross_entropy(&t).unwrap();
        assert_close(&[loss.item()], &[expected], 1e-13);
        let g = x.cross_entropy_pullback(&t, &lse, &Raw::scalar(&Cpu, 1.5));
        let by_hand: Vec<f64> = (0..n * k).map(|i| {
            let hit = if tv[i / k] as usize == i % k { 1.0 } else { 0.0 };
            1.5 * (log[i].exp() - hit) / n as f64
        }).collect();
        assert_close(&g.to_vec(), &by_hand, 1e-13);
    }

    #[test]
    fn gather_and_scatter_are_adjoint(rows in 1usize..12, s in sizes(), l in lie(), m in 0usize..20, seed in 1u64..1000) {
        let s: Vec<usize> = std::iter::once(rows).chain(s.into_iter().take(3)).collect();
        let width: usize = s[1..].iter().product();
        let x = make_f64(&s, l, seed, -1.0, 1.0);
        let mut next = numbers(seed + 1, 0.0, rows as f64);
        let idx = make(&[m], Lie::Dense, |i| next(i) as u32);
        let y = x.gather(&idx).unwrap();
        let (xv, iv) = (x.to_vec(), idx.to_vec());
        let by_hand: Vec<f64> = iv.iter().flat_map(|&i| xv[i as usize * width..][..width].to_vec()).collect();
        prop_assert_eq!(y.to_vec(), by_hand);
        let ct = make_f64(y.dims(), l, seed + 2, -1.0, 1.0);
        let mut acc = Raw::zeros(&Cpu, *x.dims());
        acc.scatter_add(&idx, &ct).unwrap();
        let mut expected = vec![0.0; xv.len()];
        for (i, c) in ct.to_vec().iter().enumerate() {
            expected[iv[i / width.max(1)] as usize * width + i % width.max(1)] += c;
        }
        assert_close(&acc.to_vec(), &expected, 1e-14);
    }

    #[test]
    fn products(batch in prop::collection::vec(1usize..4, 0..3), (m, k, n) in (0usize..40, 0usize..40, 0usize..40),
                shared in any::<bool>(), la in lie(), lb in lie(), seed in 1u64..1000) {
        let sa = [&batch[..], &[m, k]].concat();
        let sb = if shared { vec![k, n] } else { [&batch[..], &[k, n]].concat() };
        let (a, b) = (make_f64(&sa, la, seed, -1.0, 1.0), make_f64(&sb, lb, seed + 1, -1.0, 1.0));
        let (av, bv) = (a.to_vec(), b.to_vec());
        let so = [&batch[..], &[m, n]].concat();
        let expected: Vec<f64> = indices(&so).iter().map(|at| {
            let r = at.len() - 2;
            exact_sum((0..k).map(|p| {
                let (mut ia, mut ib) = (at.clone(), at.clone());
                (ia[r + 1], ib[r]) = (p, p);
                av[position(&sa, &ia)] * bv[position(&sb, &ib[ib.len() - sb.len()..])]
            }))
        }).collect();
        let mut c = Raw::matmul(&a, &b);
        assert_close(&c.to_vec(), &expected, 1e-13);
        // Into an accumulator, from transposed operands.
        Raw::matmul_into(&a, &b, &mut c);
        assert_close(&c.to_vec(), &expected.iter().map(|e| 2.0 * e).collect::<Vec<_>>(), 1e-13);
        let r = so.len() - 2;
        let t = Raw::matmul(&b.transpose(sb.len() - 2, sb.len() - 1), &a.transpose(r, r + 1));
        assert_close(&t.transpose(r, r + 1).to_vec(), &expected, 1e-13);
    }
}

fn make_f64_from(x: &Tensor<f32>) -> Tensor<f64> {
    x.cast()
}

#[test]
fn rows_with_infinities() {
    let inf = f64::INFINITY;
    let x = Raw::from_slice(&Cpu, [2, 3], &[-inf, 0.0, 0.0, 1000.0, 1000.0, -1000.0]);
    assert_close(
        &x.softmax(SoftmaxOp::Softmax, 1).to_vec(),
        &[0.0, 0.5, 0.5, 0.5, 0.5, 0.0],
        1e-15,
    );
    let l = -(2f64.ln());
    assert_close(
        &x.softmax(SoftmaxOp::LogSoftmax, 1).to_vec(),
        &[-inf, l, l, l, l, -2000.0 + l],
        1e-15,
    );
}

#[test]
fn indices_out_of_range_are_named() {
    let x = Raw::<f32, Cpu>::zeros(&Cpu, [3, 2]);
    let idx = Raw::from_slice(&Cpu, [2], &[0i64, -1]);
    let e = IndexError {
        position: 1,
        found: -1,
        len: 3,
    };
    assert_eq!(x.gather(&idx).unwrap_err(), e);
    let t = Raw::from_slice(&Cpu, [3], &[0i64, 1, 2]);
    let e = x.cross_entropy(&t).unwrap_err();
    assert_eq!(
        e,
        IndexError {
            position: 2,
            found: 2,
            len: 2
        }
    );
    assert_eq!(
        e.to_string(),
        "index 2 at position 2 is out of range: there are 2 entries, 0 to 1"
    );
    let mut acc = x.clone();
    assert!(
        acc.scatter_add(
            &Raw::from_slice(&Cpu, [1], &[3u32]),
            &Raw::zeros(&Cpu, Dims::new(&[1, 2]))
        )
        .is_err()
    );
}
