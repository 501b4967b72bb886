use super::common::*;
use autodiff_core::device::{ArgOp, Cpu, Dims, ReduceOp};
use autodiff_core::tensor::raw::Raw;
use proptest::prelude::*;

/// Groups the elements that one output is made of.
fn groups(s: &[usize], kept: &[usize], v: &[f64]) -> Vec<Vec<f64>> {
    let mut g = vec![vec![]; kept.iter().product()];
    for at in indices(s) {
        g[position(kept, &at)].push(v[position(s, &at)]);
    }
    g
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_axes(s in sizes(), l in lie(), mask in prop::collection::vec(any::<bool>(), 4), seed in 1u64..1000) {
        let x = make_f64(&s, l, seed, -1.0, 1.0);
        let axes: Vec<usize> = (0..s.len()).filter(|&i| mask[i]).collect();
        let kept: Vec<usize> = (0..s.len()).map(|i| if mask[i] { 1 } else { s[i] }).collect();
        let g = groups(&s, &kept, &x.to_vec());
        let by = |f: &dyn Fn(&[f64]) -> f64| g.iter().map(|g| f(g)).collect::<Vec<_>>();
        let sum = by(&|g| exact_sum(g.iter().copied()));
        assert_close(&x.reduce_keepdim(ReduceOp::Sum, &axes).to_vec(), &sum, 1e-13);
        assert_close(&x.reduce_keepdim(ReduceOp::Mean, &axes).to_vec(), &by(&|g| exact_sum(g.iter().copied()) / g.len() as f64), 1e-13);
        let max = by(&|g| g.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        assert_close(&x.reduce_keepdim(ReduceOp::Max, &axes).to_vec(), &max, 0.0);
        assert_close(&x.reduce_keepdim(ReduceOp::Min, &axes).to_vec(), &by(&|g| g.iter().copied().fold(f64::INFINITY, f64::min)), 0.0);
        assert_close(&x.clone().sum_to(&Dims::new(&kept)).to_vec(), &sum, 1e-13);
        let mut acc = Raw::full(&Cpu, &kept[..], 2.0);
        x.sum_into(&mut acc);
        assert_close(&acc.to_vec(), &sum.iter().map(|s| s + 2.0).collect::<Vec<_>>(), 1e-13);

        let x32 = make_f32(&s, l, seed, -1.0, 1.0);
        let sum = groups(&s, &kept, &wide(&x32.to_vec())).iter().map(|g| exact_sum(g.iter().copied())).collect::<Vec<_>>();
        assert_close(&wide(&x32.reduce_keepdim(ReduceOp::Sum, &axes).to_vec()), &sum, 1e-5);
    }

    #[test]
    fn leading_axes_are_summed_away(s in sizes(), l in lie(), drop in 0usize..4, seed in 1u64..1000) {
        let x = make_f64(&s, l, seed, -1.0, 1.0);
        let short = &s[drop.min(s.len())..];
        let sum: Vec<f64> = groups(&s, short, &x.to_vec()).iter().map(|g| exact_sum(g.iter().copied())).collect();
        assert_close(&x.sum_to(&Dims::new(short)).to_vec(), &sum, 1e-13);
    }

    #[test]
    fn extremes_share_their_cotangent(s in some_sizes(), l in lie(), pick in any::<prop::sample::Index>(), seed in 1u64..1000) {
        // Few distinct values, so that ties are common.
        let mut next = numbers(seed, 0.0, 4.0);
        let x = make(&s, l, |i| next(i).floor());
        let axis = pick.index(s.len());
        let mut kept = s.clone();
        kept[axis] = 1;
        let y = x.reduce_keepdim(ReduceOp::Max, &[axis]);
        let ct = make_f64(&kept, Lie::Dense, seed + 1, 1.0, 2.0);
        let (yv, cv, xv) = (y.to_vec(), ct.to_vec(), x.to_vec());
        let counts: Vec<f64> = groups(&s, &kept, &xv).iter().zip(&yv).map(|(g, &y)| g.iter().filter(|&&x| x == y).count() as f64).collect();
        let expected: Vec<f64> = indices(&s).iter().map(|at| {
            let k = position(&kept, at);
            if xv[position(&s, at)] == yv[k] { cv[k] / counts[k] } else { 0.0 }
        }).collect();
        assert_close(&Raw::extreme_pullback(&x, &y, &ct).to_vec(), &expected, 1e-15);

        let arg = x.arg_reduce(ArgOp::Max, axis);
        let short: Vec<usize> = [&s[..axis], &s[axis + 1..]].concat();
        prop_assert_eq!(arg.dims().as_slice(), &short[..]);
        for (g, (a, y)) in groups(&s, &kept, &xv).iter().zip(arg.to_vec().iter().zip(&yv)) {
            prop_assert_eq!(*a as usize, g.iter().position(|x| x == y).unwrap());
        }
    }
}

#[test]
fn nan_and_empty() {
    let nan = f64::NAN;
    let x = Raw::from_slice(&Cpu, [2, 3], &[1.0, nan, 3.0, 4.0, 6.0, 5.0]);
    assert_close(&x.reduce_axis(ReduceOp::Max, 1).to_vec(), &[nan, 6.0], 0.0);
    assert_close(
        &x.reduce_axis(ReduceOp::Min, 0).to_vec(),
        &[1.0, nan, 3.0],
        0.0,
    );
    assert_eq!(x.arg_reduce(ArgOp::Max, 1).to_vec(), [1, 1]);
    assert_eq!(x.arg_reduce(ArgOp::Min, 1).to_vec(), [1, 0]);
    let y = x.reduce_keepdim(ReduceOp::Max, &[1]);
    let ct = Raw::full(&Cpu, [2, 1], 1.0);
    assert_close(
        &Raw::extreme_pullback(&x, &y, &ct).to_vec(),
        &[nan, nan, nan, 0.0, 1.0, 0.0],
        0.0,
    );
    let e = Raw::<f64, Cpu>::zeros(&Cpu, [0, 2]);
    assert_eq!(e.reduce_axis(ReduceOp::Sum, 0).to_vec(), [0.0, 0.0]);
    assert!(e.reduce_all(ReduceOp::Mean).item().is_nan());
    assert!(e.reduce_axis(ReduceOp::Sum, 1).to_vec().is_empty());
}

#[test]
fn a_million_tenths_keep_their_digits() {
    // A running sum in f32 is off by 1e-2 of the whole here.
    let n = 1_000_000;
    for x in [
        Raw::full(&Cpu, [n], 0.1f32),
        Raw::full(&Cpu, [1], 0.1f32).expand([n]),
    ] {
        let s = f64::from(x.reduce_all(ReduceOp::Sum).item());
        assert!((s / (0.1f32 as f64 * n as f64) - 1.0).abs() < 1e-6, "{s}");
    }
    let tall = Raw::full(&Cpu, [n / 4, 4], 0.1f32)
        .reduce_axis(ReduceOp::Sum, 0)
        .to_vec();
    assert!(
        (f64::from(tall[3]) / (0.1f32 as f64 * n as f64 / 4.0) - 1.0).abs() < 1e-5,
        "{}",
        tall[3]
    );
}
